"""``python -m tests.soak [SECONDS]``: everything at once, at twice the capacity, on a tiny model.

At the end nothing runs, the process holds no more than before, and every request had an answer
that the document knows. Ends with a report, and with status 1 where that is not so.
"""

import http.client
import json
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.faulty_engine import SEED_OF_EXCEPTION, SEED_OF_MEMORY, SEED_OF_NAN
from tests.faulty_server import asyncio_tasks
from tests.real_server import RealServer, started_server
from tests.tiny_models import save_model

DEFAULT_SECONDS = 1800.0
MAX_BATCH, MAX_QUEUE = 4, 8
NUM_CLIENTS = 2 * (MAX_BATCH + MAX_QUEUE)
SETTINGS = {
    "max_batch_size": MAX_BATCH,
    "max_queue_size": MAX_QUEUE,
    "max_queue_tokens": 1500,
    "max_seq_len": 256,
    "max_iter_times": 128,
    "max_kv_tokens": 400,  # less than a full batch may want: some are preempted
    "max_stream_backlog": 16,
    "num_threads": 1,
    "log_level": "info",  # the line with the port is one
}
PROMPT = "The capital of France is"
# How much more than after the warm-up may be held at the end, when nothing runs.
MAX_MORE_BYTES, MAX_MORE_THREADS, MAX_MORE_FILES, MAX_MORE_TASKS = 64 << 20, 2, 4, 0
PATIENCE = 60.0  # seconds for one answer; the server's own load makes it seconds at most


@dataclass
class Ledger:
    """What became of every request that was sent."""

    outcomes: Counter[str] = field(default_factory=Counter)
    surprises: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def write(self, kind: str, outcome: object, allowed: set[object]) -> None:
        with self.lock:
            self.outcomes[f"{kind}: {outcome}"] += 1
            if outcome not in allowed:
                self.surprises.append(f"{kind}: {outcome}")


class Client:
    """One of many; what it asks is decided by its own random numbers."""

    faulting = threading.Lock()  # never three failed steps in a row, which would be the end

    def __init__(self, server: RealServer, ledger: Ledger, seed: int) -> None:
        self._server = server
        self._ledger = ledger
        self._random = random.Random(seed)
        self._actions = {
            self.ask: 10,
            self.stream: 6,
            self.leave: 4,
            self.read_slowly: 1,
            self.send_nonsense: 3,
            self.lack_time: 2,
            self.lack_memory: 2,
            self.meet_nan: 1,
            self.meet_exception: 1,
        }

    def run(self, deadline: float) -> None:
        kinds, weights = list(self._actions), list(self._actions.values())
        while time.monotonic() < deadline:
            [action] = self._random.choices(kinds, weights)
            action()

    def ask(self) -> None:
        self._tell("ask", self._post("generate", self._body()), {200, 424, 429})

    def lack_time(self) -> None:
        body = self._body(timeout=self._random.choice([0.001, 0.02, 0.1]))
        self._tell("lack time", self._post("generate", body), {200, 408, 424, 429})

    def lack_memory(self) -> None:
        body = self._body(seed=SEED_OF_MEMORY)
        self._tell("lack memory", self._post("generate", body), {200, 424, 429})

    def meet_nan(self) -> None:
        body = self._body(seed=SEED_OF_NAN, max_new_tokens=20)
        self._tell("NaN", self._post("generate", body), {424, 429})

    def meet_exception(self) -> None:
        with self.faulting:
            status = self._post("generate", self._body(seed=SEED_OF_EXCEPTION))
            self._see_a_step_succeed()
        self._tell("exception", status, {424, 429})

    def _see_a_step_succeed(self) -> None:
        """At the end of the load nobody else asks, and those who wait to fault would be alone."""
        deadline = time.monotonic() + PATIENCE
        while self._post("generate", self._body(max_new_tokens=1)) != 200:
            assert time.monotonic() < deadline, "no step succeeds any more"
            time.sleep(0.05)

    def send_nonsense(self) -> None:
        bodies: list[tuple[str, bytes | dict[str, Any], int]] = [
            ("generate", b"{", 422),
            ("generate", {"text_input": ""}, 422),
            ("generate", {"text_input": "a " * 5000}, 422),
            ("generate_stream", {"text_input": "a", "parameters": {"top_p": 2}}, 422),
            ("stopInfer", {"id": "nobody"}, 404),
            ("nothing", {"text_input": "a"}, 404),
        ]
        operation, body, status = self._random.choice(bodies)
        # Full is full, also for a prompt whose length nobody has counted yet.
        self._tell("nonsense", self._post(operation, body), {status, 429})

    def stream(self) -> None:
        self._tell("stream", self._stream(None, 0), {200, "error event", 424, 429})

    def leave(self) -> None:
        num_events = self._random.randrange(4)
        outcome = self._stream(num_events, 0)
        self._tell("leave", outcome, {200, "left", "error event", 424, 429})

    def read_slowly(self) -> None:
        outcome = self._stream(None, 0.02)
        self._tell("read slowly", outcome, {200, "cut", "error event", 424, 429})

    def _tell(self, kind: str, outcome: object, allowed: set[object]) -> None:
        self._ledger.write(kind, outcome, allowed)
        if outcome == 429:
            time.sleep(self._random.uniform(0.01, 0.1))

    def _body(self, **parameters: Any) -> dict[str, Any]:
        drawn: dict[str, Any] = {
            "do_sample": True,
            "seed": self._random.randrange(1, 1000),
            "max_new_tokens": self._random.randrange(1, 128),
            "priority": self._random.randrange(1, 6),
            "ignore_eos": self._random.random() < 0.5,
        }
        text = PROMPT * self._random.randrange(1, 4)
        return {"text_input": text, "parameters": {**drawn, **parameters}}

    def _open(self, operation: str, body: bytes | dict[str, Any]) -> http.client.HTTPConnection:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        connection = http.client.HTTPConnection("127.0.0.1", self._server.port, timeout=PATIENCE)
        connection.request("POST", f"/v2/models/{self._server.model}/{operation}", content)
        return connection

    def _post(self, operation: str, body: bytes | dict[str, Any]) -> object:
        connection = self._open(operation, body)
        try:
            reply = connection.getresponse()
            reply.read()
            return reply.status
        except OSError as error:
            return type(error).__name__
        finally:
            connection.close()

    def _stream(self, max_events: int | None, pause: float) -> object:
        """A status, "left" after so many events, or how else the stream has ended."""
        connection = self._open("generate_stream", self._body())
        try:
            if max_events == 0:
                return "left"
            reply = connection.getresponse()
            if reply.status != 200:
                return reply.status
            num_events = 0
            last = b""
            while line := reply.readline():
                last = line if line.startswith(b"data:") else last
                num_events += line.startswith(b"data:")
                if num_events == max_events:
                    return "left"
                time.sleep(pause)
            return "error event" if b'"error_type"' in last else 200
        except http.client.IncompleteRead:
            return "error event" if b'"error_type"' in last else "cut"
        except ConnectionError:
            return "cut"
        except OSError as error:
            return type(error).__name__
        finally:
            connection.close()


@dataclass(frozen=True)
class Holdings:
    """What an idle process holds."""

    num_bytes: int
    num_threads: int
    num_files: int
    num_tasks: int

    @classmethod
    def of(cls, server: RealServer) -> "Holdings":
        wait_until_idle(server)
        folder = Path(f"/proc/{server.process.pid}")
        return cls(
            num_bytes=server.resident_bytes(),
            num_threads=len(list((folder / "task").iterdir())),
            num_files=len(list((folder / "fd").iterdir())),
            num_tasks=asyncio_tasks(server.process, server.log),
        )

    def has_grown_too_much(self, before: "Holdings") -> bool:
        return (
            self.num_bytes > before.num_bytes + MAX_MORE_BYTES
            or self.num_threads > before.num_threads + MAX_MORE_THREADS
            or self.num_files > before.num_files + MAX_MORE_FILES
            or self.num_tasks > before.num_tasks + MAX_MORE_TASKS
        )


def wait_until_idle(server: RealServer) -> None:
    """Fails where something runs on, or a connection stays, though nobody asks any more."""
    deadline = time.monotonic() + 90
    while (stats := read_stats(server)) and any(
        stats[name] for name in ("num_running", "num_waiting", "num_kv_tokens")
    ):
        assert time.monotonic() < deadline, f"something runs on: {stats}"
        time.sleep(0.2)
    time.sleep(2)  # connections that were hung up are read for a second more


def read_stats(server: RealServer) -> dict[str, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    connection.request("GET", f"/v2/models/{server.model}/stats")
    stats: dict[str, Any] = json.loads(connection.getresponse().read())["model_stats"][0]
    connection.close()
    return stats


def load(server: RealServer, ledger: Ledger, seconds: float, first_seed: int) -> None:
    deadline = time.monotonic() + seconds
    clients = [Client(server, ledger, first_seed + number) for number in range(NUM_CLIENTS)]
    with ThreadPoolExecutor(NUM_CLIENTS) as pool:
        for done in [pool.submit(client.run, deadline) for client in clients]:
            done.result()


@contextmanager
def telling(log: Path) -> Iterator[None]:
    """Where something fails, what the server said last says why."""
    try:
        yield
    except Exception as error:
        error.add_note(log.read_text()[-4000:])
        raise


def soak(seconds: float, folder: Path) -> tuple[Ledger, Holdings, Holdings, int]:
    """What became of the requests, what was held before and after, and the exit status."""
    ledger = Ledger()
    model = save_model(folder / "tiny")
    log = folder / "server.log"
    with started_server("tests.faulty_server", model, log, **SETTINGS) as server, telling(log):
        load(server, ledger, seconds / 4, 0)  # whatever is made at first use
        before = Holdings.of(server)
        load(server, ledger, seconds * 3 / 4, 1000)
        after = Holdings.of(server)
        server.process.terminate()
        return ledger, before, after, server.process.wait(PATIENCE)


def main(seconds: float) -> int:
    with tempfile.TemporaryDirectory() as folder:
        ledger, before, after, status = soak(seconds, Path(folder))
    for outcome, count in sorted(ledger.outcomes.items()):
        print(f"{count:8} {outcome}")
    print(f"before: {before}\nafter:  {after}\nexit status: {status}")
    for surprise in ledger.surprises[:20]:
        print(f"not allowed: {surprise}")
    return int(bool(ledger.surprises or status or after.has_grown_too_much(before)))


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_SECONDS))
