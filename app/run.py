"""One server process: uvicorn with our protocol, a graceful end, and one engine."""

import asyncio
import gc
import logging
import signal
import socket
import time
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

from app.bounded import BoundedProtocol
from app.connection import ConnectionLimits
from app.file_limit import Room, make_room, wanted_room
from app.lifecycle import Lifecycle
from app.plain_http import protocol_class
from app.settings import Settings, SettingsError
from app.tls import tls_context

logger = logging.getLogger(__name__)

POLL_SECONDS = 0.05
FLUSH_SECONDS = 5  # for the last answers, after the engine has ended
LAST_SECONDS = 1  # for what runs to see that its connection is gone


class GracefulServer(uvicorn.Server):
    """Answers while it drains: running requests end, new work and readiness are refused."""

    def __init__(self, config: uvicorn.Config, lifecycle: Lifecycle, time_limit: float) -> None:
        super().__init__(config)
        self._lifecycle = lifecycle
        self._time_limit = time_limit

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A second signal ends the draining, whichever signals they are."""
        if self.should_exit:
            self.force_exit = True
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._lifecycle.begin_draining()
        started_at = time.monotonic()
        logger.info(
            "stopping, %s; requests running: %d, seconds for them to end: %g",
            self._reason(),
            len(self.server_state.tasks),
            self._time_limit,
        )
        while self._has_to_wait() and time.monotonic() < started_at + self._time_limit:
            await self.on_tick(0)  # keeps the Date header right
            await asyncio.sleep(POLL_SECONDS)
        num_cut_off = len(self.server_state.tasks)
        await self._lifecycle.stop_engine()
        await self._end(sockets)
        seconds = time.monotonic() - started_at
        logger.info("stopped after %.1f s; requests cut off: %d", seconds, num_cut_off)

    def _has_to_wait(self) -> bool:
        is_over = self.force_exit or self._lifecycle.has_failed()
        return bool(self.server_state.tasks) and not is_over

    def _reason(self) -> str:
        if self._lifecycle.has_failed():
            return "since the engine has failed"
        names = [signal.Signals(number).name for number in self._captured_signals]
        return f"since {names[0]} came" if names else "as asked to"

    async def _end(self, sockets: list[socket.socket] | None) -> None:
        """Give the last answers a moment, and then end every connection and the application.

        Whatever were cancelled instead, as uvicorn would, would be logged as a fault.
        """
        flushing = asyncio.get_running_loop().call_later(FLUSH_SECONDS, self._reset_connections)
        await super().shutdown(sockets)
        flushing.cancel()
        if self.force_exit:
            logger.warning("stopping at once, since a second signal came")
            self._reset_connections()
            if self.server_state.tasks:
                await asyncio.wait(self.server_state.tasks, timeout=LAST_SECONDS)
            await self.lifespan.shutdown()

    def _reset_connections(self) -> None:
        for connection in list(self.server_state.connections):
            assert isinstance(connection, BoundedProtocol)
            connection.abort()


def make_server(
    settings: Settings, app: ASGIApp, lifecycle: Lifecycle, room: Room | None = None
) -> GracefulServer:
    """A server that is not listening yet; the settings say how much room it needs."""
    room = room or wanted_room(settings.max_connections)
    limits = ConnectionLimits(
        max_connections=room.max_connections,
        max_told=room.max_told,
        max_header_bytes=settings.max_header_bytes,
        header_timeout=settings.header_timeout,
        body_timeout=settings.body_timeout,
        write_timeout=settings.write_timeout,
    )
    context = tls_context(settings)
    config = uvicorn.Config(
        app,
        ssl_context_factory=None if context is None else lambda *_: context,
        http=protocol_class(limits),
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,  # ours has the request ids
        server_header=False,
        timeout_keep_alive=settings.keep_alive_timeout,
        timeout_graceful_shutdown=FLUSH_SECONDS + LAST_SECONDS,
    )
    return GracefulServer(config, lifecycle, settings.drain_timeout)


def listen(host: str, port: int) -> list[socket.socket]:
    """Sockets for every address of the host. Raises SettingsError."""
    sockets: list[socket.socket] = []
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, address in {(family, address) for family, _, _, _, address in found}:
            sockets.append(socket.create_server(address[:2], family=family))
    except OSError as exc:
        for opened in sockets:
            opened.close()
        name = "host" if isinstance(exc, socket.gaierror) else "port"
        raise SettingsError(f"{name}: cannot listen on {host}:{port}: {exc.strerror}") from None
    return sockets


def run(settings: Settings, app: ASGIApp, lifecycle: Lifecycle) -> Exception | None:
    """Serve until a signal, or until the engine fails: what failed is returned."""
    room = make_room(settings.max_connections)
    sockets = listen(settings.host, settings.port)
    server = make_server(settings, app, lifecycle, room)

    def give_up() -> None:
        server.should_exit = True

    lifecycle.on_failure = give_up
    # What has been loaded stays. Searching all of it for garbage, as happens now and then, holds
    # everything up for tenths of a second.
    lifecycle.on_ready = gc.freeze
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    scheme = "https" if server.config.is_ssl else "http"
    url = f"{scheme}://{host}:{sockets[0].getsockname()[1]}"
    logger.info("listening on %s, to be tried at %s/", url, url)
    # uvicorn raises the signal that ended it again when it is done: a clean end is no failure.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    server.run(sockets)
    return lifecycle.failure
