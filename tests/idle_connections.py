"""``python -m tests.idle_connections [NUMBER]``: so many clients that stay and say nothing.

Each has had one answer and keeps its connection. Meanwhile a probe and a request are answered, a
connection costs little memory, and after the keep-alive timeout all files are closed. The server
is the program itself, with the mock as its engine. Ends with a report, and with status 1 where
that is not so.
"""

import resource
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.real_server import RealServer, mock_server
from tests.wire import Connection, Reply, get

DEFAULT_NUMBER = 10_000
# Ports of one address, of which there are not enough for everybody.
CONNECTIONS_PER_ADDRESS = 20_000
AT_ONCE = 200  # greet before the first of them is listened to
OTHER_FILES = 256
MAX_SECONDS = 1.0  # for an answer, whoever else is connected
MAX_BYTES_EACH = 32 * 1024
HELLO = get("/v2/health/live")


@dataclass(frozen=True)
class Report:
    """What the idle ones cost, and what the others felt of them."""

    number: int
    seconds_to_open: float
    probe_seconds: tuple[float, ...]
    generate_seconds: tuple[float, ...]
    bytes_each: float
    files_before: int
    files_meanwhile: int
    files_after: int

    def problems(self) -> list[str]:
        found = {
            "too few files for so many": self.files_meanwhile < self.files_before + self.number,
            "files stay open": self.files_after > self.files_before,
            "a probe took too long": max(self.probe_seconds) > MAX_SECONDS,
            "a request took too long": max(self.generate_seconds) > MAX_SECONDS,
            "a connection takes too much memory": self.bytes_each > MAX_BYTES_EACH,
        }
        return [problem for problem, is_so in found.items() if is_so]

    def __str__(self) -> str:
        return "\n".join(
            (
                f"{self.number} connections, opened in {self.seconds_to_open:.1f} s",
                f"memory of each: {self.bytes_each / 1024:.1f} KiB",
                f"ready: {_median_and_most(self.probe_seconds)}",
                f"generate: {_median_and_most(self.generate_seconds)}",
                f"open files: {self.files_before} before, {self.files_meanwhile} meanwhile,"
                f" {self.files_after} after",
            )
        )


def _median_and_most(seconds: tuple[float, ...]) -> str:
    median, most = sorted(seconds)[len(seconds) // 2], max(seconds)
    return f"median {median * 1000:.1f} ms, at most {most * 1000:.1f} ms, of {len(seconds)}"


def measure(server: RealServer, number: int, keep_alive: float, num_asked: int) -> Report:
    """The server must keep idle connections for so many seconds, longer than opening them takes."""
    for _ in range(3):  # whatever is made at first use
        assert _generate(server).status == 200
    files_before, bytes_before = _settled_files(server), server.resident_bytes()
    with ExitStack() as stack:
        started = time.monotonic()
        last_word_at = _open(server, number, stack)
        seconds_to_open = time.monotonic() - started
        probes, answers = [], []
        for _ in range(num_asked):
            probes.append(_seconds(server, get("/v2/health/ready")))
            answers.append(_seconds(server, _request(server)))
        files_meanwhile, bytes_meanwhile = open_files(server), server.resident_bytes()
        deadline = last_word_at + keep_alive + 10
        while open_files(server) > files_before and time.monotonic() < deadline:
            time.sleep(0.1)
    return Report(
        number=number,
        seconds_to_open=seconds_to_open,
        probe_seconds=tuple(probes),
        generate_seconds=tuple(answers),
        bytes_each=(bytes_meanwhile - bytes_before) / number,
        files_before=files_before,
        files_meanwhile=files_meanwhile,
        files_after=open_files(server),
    )


def open_files(server: RealServer) -> int:
    return len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))


def _settled_files(server: RealServer) -> int:
    """Once connections that have just ended are closed."""
    last = open_files(server)
    while True:
        time.sleep(0.1)
        now = open_files(server)
        if now >= last:
            return now
        last = now


def _open(server: RealServer, number: int, stack: ExitStack) -> float:
    """Connect so many clients, until the context ends, and give each an answer."""
    for start in range(0, number, AT_ONCE):
        batch = [
            stack.enter_context(_connected(server.port, at))
            for at in range(start, min(start + AT_ONCE, number))
        ]
        for client in batch:
            client.sendall(HELLO)
        for client in batch:
            assert client.recv(4096).startswith(b"HTTP/1.1 200 ")
    return time.monotonic()


@contextmanager
def _connected(port: int, at: int) -> Iterator[socket.socket]:
    source = f"127.0.0.{1 + at // CONNECTIONS_PER_ADDRESS}"
    with socket.create_connection(("127.0.0.1", port), 30, source_address=(source, 0)) as client:
        yield client


def _request(server: RealServer) -> bytes:
    return server.request({"text_input": "a", "parameters": {"max_new_tokens": 1}})


def _generate(server: RealServer) -> Reply:
    return server.exchange(_request(server))


def _seconds(server: RealServer, raw: bytes) -> float:
    started = time.monotonic()
    with Connection(server.port) as connection:
        connection.send(raw)
        assert connection.read().status == 200
    return time.monotonic() - started


def allow_files(number: int) -> None:
    """Let this process, and those that it starts, open so many files. Raises ValueError."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < max(number, hard):
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(number, hard), max(number, hard)))


def main(number: int) -> int:
    allow_files(number * 5 // 4 + OTHER_FILES)  # the server keeps some for whom it refuses
    keep_alive = 30 + number // 100
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "server.log"
        settings = {"max_connections": number + 16, "keep_alive_timeout": keep_alive}
        with mock_server(log, **settings) as server:
            report = measure(server, number, keep_alive, num_asked=100)
    print(report)
    for problem in report.problems():
        print(f"not allowed: {problem}")
    return int(bool(report.problems()))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_NUMBER))
