"""The application behind real sockets: a server in a thread, with a fake engine."""

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
from tests.wire import Connection, Reply

PATIENCE = 10.0  # seconds that anything here may take at most
GENERATE = "/v2/models/fake/generate"


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
        with Connection(self.port, PATIENCE) as connection:
            yield connection

    def exchange(self, raw: bytes) -> Reply:
        """Send these bytes on a connection of their own and read the first answer."""
        with self.connection() as connection:
            connection.send(raw)
            return connection.read()


@contextmanager
def serving(
    engine: FakeEngine | None = None,
    wrap: Any = lambda app: app,
    **settings: Any,
) -> Iterator[LiveServer]:
    """A server on a free port; ends with it. ``wrap`` makes an application of the application."""
    engine = engine or FakeEngine()
    made = Settings(**settings)
    lifecycle = Lifecycle(engine)
    sockets = listen("127.0.0.1", 0)
    server = make_server(made, wrap(create_app(made, engine, lifecycle)), lifecycle)
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
