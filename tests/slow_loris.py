"""``python -m tests.slow_loris [SECONDS] [ATTACKERS]``: clients that take all the time they get.

A third of them sends a byte of a header every few seconds, a third a byte of a body, and a third
reads a byte of its answers; whoever is closed comes again. Meanwhile ordinary requests must be
answered as fast as ever, and every one of those connections be closed when its time is over. The
server is the program itself, with the mock as its engine. Ends with a report, and with status 1
where that is not so. What the machine itself stood still for is told, and allowed for.
"""

import select
import socket
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.real_server import RealServer, mock_server
from tests.wire import Connection, get, head

DEFAULT_SECONDS, DEFAULT_ATTACKERS = 600.0, 120
# Those that the program has unless told otherwise.
LIMITS = {"header_timeout": 10.0, "body_timeout": 60.0, "write_timeout": 60.0}
# What the end of a connection may take beyond its limit: also on a busy machine.
SLACK_SECONDS = 3.0
MAX_SECONDS = 1.0  # for an ordinary answer
STEP_SECONDS = 0.02
CLOSED = select.POLLRDHUP | select.POLLHUP | select.POLLERR
LARGE = get("/ui/swagger-ui-bundle.js") * 8  # more than the system keeps for a reader


class Attacker:
    """One connection; ``step`` is called now and then."""

    limit: str  # the setting that ends it
    pause: float  # seconds, for limits as they are by default

    def __init__(self, port: int, pace: float) -> None:
        self.opened_at = time.monotonic()
        self._next_at = self.opened_at
        self._pause = self.pause * pace
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self._socket.connect(("127.0.0.1", port))
        self._socket.sendall(self.first_words())
        self._poll = select.poll()
        self._poll.register(self._socket, CLOSED)

    def first_words(self) -> bytes:
        raise NotImplementedError

    def act(self, connection: socket.socket) -> None:
        raise NotImplementedError

    def step(self) -> bool:
        """Whether it still has its connection."""
        now = time.monotonic()
        if now >= self._next_at and not self._poll.poll(0):
            self._next_at = now + self._pause
            try:
                self.act(self._socket)
            except OSError:
                return False
        return not self._poll.poll(0)

    def close(self) -> None:
        self._socket.close()


class HeaderSender(Attacker):
    limit, pause = "header_timeout", 3.0

    def first_words(self) -> bytes:
        return b"GET /v2 HTTP/1.1\r\nHost: x\r\nX-Slow: "

    def act(self, connection: socket.socket) -> None:
        connection.send(b"x")


class BodySender(Attacker):
    limit, pause = "body_timeout", 3.0

    def first_words(self) -> bytes:
        return head("POST /v2/models/mock/generate", "Content-Length: 100000")

    def act(self, connection: socket.socket) -> None:
        connection.send(b" ")


class Reader(Attacker):
    limit, pause = "write_timeout", 1.0

    def first_words(self) -> bytes:
        return LARGE

    def act(self, connection: socket.socket) -> None:
        connection.recv(1)


KINDS = (HeaderSender, BodySender, Reader)


@dataclass
class Report:
    """Times in seconds: of ordinary answers before and meanwhile, and of attackers' connections."""

    limits: Mapping[str, float]
    before: list[float] = field(default_factory=list)
    meanwhile: list[float] = field(default_factory=list)
    lives: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    longest_stall: float = 0.0  # of this process, which had something to do all the time

    def problems(self) -> list[str]:
        found = [
            f"{limit}: a connection lasted {max(self.lives[limit], default=0):.1f} s"
            for limit, seconds in self.limits.items()
            if max(self.lives[limit], default=0) > seconds + SLACK_SECONDS + self.longest_stall
        ]
        found += [f"{limit} ended nobody" for limit in self.limits if not self.lives[limit]]
        if max(self.meanwhile) > MAX_SECONDS + self.longest_stall:
            found.append("an ordinary request took too long")
        return found

    def __str__(self) -> str:
        lines = [
            f"ordinary requests before: {_figures(self.before)}",
            f"ordinary requests meanwhile: {_figures(self.meanwhile)}",
        ]
        for limit, seconds in self.limits.items():
            ended = self.lives[limit]
            lines.append(
                f"{limit} of {seconds:g} s: {len(ended)} connections ended, after"
                f" {min(ended, default=0):.1f} to {max(ended, default=0):.1f} s"
            )
        lines.append(f"the machine stood still for {self.longest_stall:.1f} s at most")
        return "\n".join(lines)


def _figures(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    median, p99, most = ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100], ordered[-1]
    figures = ", ".join(f"{value * 1000:.1f}" for value in (median, p99, most))
    return f"median, p99 and most {figures} ms, of {len(ordered)}"


def attack(server: RealServer, limits: Mapping[str, float], number: int, seconds: float) -> Report:
    """The server must have these limits. Those who attack for shorter times do it faster."""
    report = Report(limits)
    pace = min(1.0, limits["header_timeout"] / LIMITS["header_timeout"])
    for _ in range(50):
        report.before.append(_ask(server))
    deadline = time.monotonic() + seconds
    with _asking(server, report.meanwhile):
        attackers: list[Attacker] = [
            KINDS[at % len(KINDS)](server.port, pace) for at in range(number)
        ]
        last = time.monotonic()
        while last < deadline:
            attackers = [_go_on(attacker, server, report, pace) for attacker in attackers]
            time.sleep(STEP_SECONDS)
            now = time.monotonic()
            report.longest_stall = max(report.longest_stall, now - last - STEP_SECONDS)
            last = now
    for attacker in attackers:
        attacker.close()
    return report


def _go_on(attacker: Attacker, server: RealServer, report: Report, pace: float) -> Attacker:
    """The same, or a new one in its place."""
    if attacker.step():
        age = time.monotonic() - attacker.opened_at
        limit = report.limits[attacker.limit]
        assert age < limit + 10 * SLACK_SECONDS, f"{attacker.limit} does not end a connection"
        return attacker
    attacker.close()
    report.lives[attacker.limit].append(time.monotonic() - attacker.opened_at)
    return type(attacker)(server.port, pace)


@contextmanager
def _asking(server: RealServer, seconds: list[float]) -> Iterator[None]:
    """An ordinary client beside all that."""
    is_over = threading.Event()

    def ask() -> None:
        while not is_over.wait(0.05):
            seconds.append(_ask(server))

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def _ask(server: RealServer) -> float:
    started = time.monotonic()
    with Connection(server.port) as connection:
        connection.send(server.request({"text_input": "a", "parameters": {"max_new_tokens": 1}}))
        assert connection.read().status == 200
    return time.monotonic() - started


def main(seconds: float, number: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        with mock_server(Path(folder) / "server.log", **LIMITS) as server:
            before = server.resident_bytes()
            report = attack(server, LIMITS, number, seconds)
            grown = server.resident_bytes() - before
    print(f"{number} attackers for {seconds:g} s\n{report}\nmemory grown: {grown >> 20} MiB")
    for problem in report.problems():
        print(f"not allowed: {problem}")
    return int(bool(report.problems()))


if __name__ == "__main__":
    given = sys.argv[1:]
    sys.exit(
        main(
            float(given[0]) if given else DEFAULT_SECONDS,
            int(given[1]) if len(given) > 1 else DEFAULT_ATTACKERS,
        )
    )
