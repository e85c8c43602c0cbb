"""A process that is stopped and goes on, and one that is asked to end, while it streams."""

import json
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.real_server import RealServer, mock_server, started_mock
from tests.streams import parse_frame, read_chunks, read_head
from tests.wire import get, post

pytestmark = pytest.mark.slow
NUM_TOKENS = 60
PACE = {"tokens_per_second": 40.0}
LIMITS = {"header_timeout": 2, "body_timeout": 2, "write_timeout": 2, "keep_alive_timeout": 2}
STOPPED_SECONDS = 2.5  # longer than any of those
LIVE = get("/v2/health/live")


def body(number: int) -> bytes:
    parameters = {"max_new_tokens": NUM_TOKENS, "ignore_eos": True, "seed": number + 1}
    return json.dumps({"text_input": f"Tell me of {number}", "parameters": parameters}).encode()


@contextmanager
def stopped(server: RealServer) -> Iterator[None]:
    server.process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        server.process.send_signal(signal.SIGCONT)


class Stream:
    """Of a request that has begun to be answered."""

    def __init__(self, server: RealServer, number: int) -> None:
        self.connection = server.connect()
        self.connection.send(post(f"{server.generate_path}_stream", body(number)))
        assert read_head(self.connection).status == 200
        self._chunks = read_chunks(self.connection)
        self.events: list[Any] = [parse_frame(next(self._chunks)) for _ in range(3)]

    def read_on(self) -> bool:
        """To the end; whether it was a good one."""
        for chunk in self._chunks:
            if not chunk:
                return True
            self.events.append(parse_frame(chunk))
        return False

    def close(self) -> None:
        self.connection.close()

    def text(self) -> str:
        return "".join(event["text_output"] for event in self.events)


def test_a_process_that_stood_still_goes_on_as_if_nothing_had_been(tmp_path: Path) -> None:
    with mock_server(tmp_path / "log", **PACE, **LIMITS) as server, ExitStack() as stack:
        streams = [stack.enter_context(closing(Stream(server, number))) for number in range(4)]
        with server.connect() as idle, server.connect() as half:
            idle.send(LIVE)
            assert idle.read().status == 200
            half.send(LIVE[:20])
            with stopped(server):
                idle.send(LIVE)
                half.send(LIVE[20:])
                time.sleep(STOPPED_SECONDS)
            assert idle.read().status == 200
            assert half.read().status == 200
        with ThreadPoolExecutor() as pool:
            assert all(pool.map(Stream.read_on, streams))
            requests = [post(server.generate_path, body(number)) for number in range(4)]
            whole = [reply.json()["text_output"] for reply in pool.map(server.exchange, requests)]
        assert [stream.text() for stream in streams] == whole
        assert all(len(stream.events) == NUM_TOKENS for stream in streams)


def test_a_stream_comes_to_its_end_after_the_signal(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with started_mock(log, **PACE) as server, closing(Stream(server, 0)) as stream:
        server.process.send_signal(signal.SIGTERM)

        assert stream.read_on()
        assert len(stream.events) == NUM_TOKENS
        assert server.process.wait(60) == 0


def test_a_stream_that_cannot_end_in_time_is_told_why_and_cut(tmp_path: Path) -> None:
    settings = {**PACE, "drain_timeout": 0.3}
    log = tmp_path / "log"
    with started_mock(log, **settings) as server, closing(Stream(server, 0)) as stream:
        server.process.send_signal(signal.SIGTERM)

        assert not stream.read_on()
        assert stream.events[-1]["error_type"] == "Service Unavailable"
        assert len(stream.events) < NUM_TOKENS
        assert server.process.wait(60) == 0
        assert "requests cut off: 1" in server.log.read_text()
