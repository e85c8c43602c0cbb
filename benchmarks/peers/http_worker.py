"""This project's server in a process of its own, and clients that read its streams.

The clients share the machine with the server, so what they cost is part of the figures.
"""

import argparse
import asyncio
import json
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from tokenizers import Tokenizer

from benchmarks.peers.closed_loop import ClosedLoop
from benchmarks.peers.worker import Run, serve
from benchmarks.peers.workload import Request

HOST = "127.0.0.1"
_READY_SECONDS = 300


class Server:
    def __init__(self, model: Path, num_threads: int, dtype: str) -> None:
        with socket.socket() as free:
            free.bind((HOST, 0))
            self.port = free.getsockname()[1]
        # As it comes, but nothing is kept of ended requests: in process nothing is either.
        settings = {
            "model": model, "model-name": "model", "port": self.port, "dtype": dtype,
            "num-threads": num_threads, "max-prefix-tokens": 0,
        }  # fmt: skip
        options = [f"--{name}={value}" for name, value in settings.items()]
        self.process = subprocess.Popen([sys.executable, "-m", "app", "serve", *options])

    def wait_until_ready(self) -> None:
        deadline = time.monotonic() + _READY_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                urllib.request.urlopen(f"http://{HOST}:{self.port}/v2/health/ready").close()
                return
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)
        raise RuntimeError("the server did not become ready")


class Words:
    """Texts of so many tokens: words that are one token each."""

    def __init__(self, model: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(model / "tokenizer.json"))
        pieces = sorted(self._tokenizer.get_vocab())
        self._words = [
            piece[1:]
            for piece in pieces
            if piece[0] == "Ġ" and piece[1:].isascii() and piece[1:].isalpha()
        ]

    def text(self, prompt: tuple[int, ...]) -> str:
        words = [self._words[token_id % len(self._words)] for token_id in prompt]
        text = "".join(f" {word}" for word in words)
        if len(self._tokenizer.encode(text, add_special_tokens=False)) != len(prompt):
            raise ValueError("some word is more than one token")
        return text


def load(server: Server, words: Words) -> Run:
    server.wait_until_ready()
    return lambda loop: asyncio.run(run(server.port, words, loop))


async def run(port: int, words: Words, loop: ClosedLoop) -> None:
    async with asyncio.TaskGroup() as group:

        def start_requests() -> None:
            while (next_request := loop.next_request()) is not None:
                group.create_task(generate(*next_request))

        async def generate(index: int, request: Request) -> None:
            reader, writer = await asyncio.open_connection(HOST, port)
            writer.write(encode(words.text(request.prompt), request.num_new_tokens))
            if b" 200 " not in await reader.readline():
                raise RuntimeError(f"refused: {(await reader.read()).decode()}")
            is_finished = False
            # One event a token. The lines of the chunked encoding lie between those of the events.
            async for line in reader:
                if line.startswith(b"data:"):
                    is_finished = loop.received(index, 1)
            writer.close()
            if not is_finished:
                raise RuntimeError(f"the stream of request {index} ended early")
            start_requests()

        start_requests()


def encode(text: str, num_new_tokens: int) -> bytes:
    parameters = {"max_new_tokens": num_new_tokens, "ignore_eos": True, "do_sample": False}
    body = json.dumps({"text_input": text, "parameters": parameters}).encode()
    head = (
        f"POST /v2/models/model/generate_stream HTTP/1.1\r\nHost: {HOST}\r\n"
        "Content-Type: application/json\r\nConnection: close\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path, help="transformers directory")
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--dtype", required=True)
    options = parser.parse_args()
    server = Server(options.model, options.threads, options.dtype)
    try:
        serve(lambda: load(server, Words(options.model)), process_ids=lambda: [server.process.pid])
    finally:
        server.process.terminate()
        server.process.wait()


if __name__ == "__main__":
    main()
