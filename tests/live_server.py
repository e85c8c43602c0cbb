"""The application behind real sockets: a server in a thread, and clients that speak bytes."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from app.lifecycle import Lifecycle
from app.run import GracefulServer, listen, make_server
from app.server import create_app
from app.settings import Settings
from tests.fake_engine import FakeEngine

PATIENCE = 10.0  # seconds that anything here may take at most
GENERATE = "/v2/models/fake/generate"


@dataclass(frozen=True)
class Reply:
    """One HTTP/1.1 answer; header names in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Connection:
    """One TCP connection that answers are read from one after the other."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self._file = self.socket.makefile("rb")

    def send(self, raw: bytes) -> None:
        self.socket.sendall(raw)

    def read(self, *, has_body: bool = True) -> Reply:
        """The next answer. Raises EOFError where the server has closed instead."""
        line = self._file.readline()
        if not line:
            raise EOFError
        headers: dict[str, str] = {}
        while field := self._file.readline().strip():
            name, _, value = field.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        length = int(headers.get("content-length", 0)) if has_body else 0
        return Reply(int(line.split()[1]), headers, self._file.read(length))

    def read_line(self) -> bytes:
        """One line without its end; empty where the server has closed."""
        return self._file.readline().rstrip(b"\r\n")

    def read_bytes(self, num_bytes: int) -> bytes:
        return self._file.read(num_bytes)

    def read_bytes_until(self, end: bytes) -> bytes:
        """Everything up to these bytes, which are left out."""
        read = b""
        while not read.endswith(end):
            byte = self._file.read(1)
            assert byte, "the server has closed"
            read += byte
        return read.removesuffix(end)

    def is_closed(self) -> bool:
        """Whether the server closes its side without another word."""
        return self._file.read(1) == b""

    def close(self) -> None:
        self._file.close()
        self.socket.close()


@dataclass(frozen=True)
class LiveServer:
    port: int
    engine: FakeEngine
    server: GracefulServer
    lifecycle: Lifecycle
    thread: threading.Thread

    def has_ended(self) -> bool:
        return not self.thread.is_alive()

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        connection = Connection(self.port)
        try:
            yield connection
        finally:
            connection.close()

    def exchange(self, raw: bytes) -> Reply:
        """Send these bytes on a connection of their own and read the first answer."""
        with self.connection() as connection:
            connection.send(raw)
            return connection.read()


@contextmanager
def serving(engine: FakeEngine | None = None, **settings: Any) -> Iterator[LiveServer]:
    """A server on a free port; ends with it."""
    engine = engine or FakeEngine()
    made = Settings(**settings)
    lifecycle = Lifecycle(engine)
    sockets = listen("127.0.0.1", 0)
    server = make_server(made, create_app(made, engine, lifecycle), lifecycle)
    lifecycle.on_failure = lambda: setattr(server, "should_exit", True)
    port = sockets[0].getsockname()[1]
    thread = threading.Thread(target=server.run, args=(sockets,))
    thread.start()
    try:
        wait_until(lambda: server.started or not thread.is_alive())
        yield LiveServer(port, engine, server, lifecycle, thread)
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive()


def post(body: bytes, path: str = GENERATE, headers: str = "") -> bytes:
    """A request with a body, as bytes; ``headers`` are lines that end in CRLF."""
    head = f"POST {path} HTTP/1.1\r\nHost: test\r\nContent-Length: {len(body)}\r\n{headers}\r\n"
    return head.encode() + body


def get(path: str, headers: str = "") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: test\r\n{headers}\r\n".encode()


def wait_until(condition: Any) -> None:
    """Poll until the condition holds; fails the test when it does not."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)
