"""Ends to what would otherwise last: readers that take nothing, and ever more connections."""

import asyncio
import logging

from app.protocol import JSONProtocol

logger = logging.getLogger(__name__)


class BoundedProtocol(JSONProtocol):
    """Resets a connection that keeps what was sent to it waiting for ``write_timeout`` seconds."""

    _write_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > self.limits.max_told:
            self.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_write_timer()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._start_write_timer()

    def resume_writing(self) -> None:
        self._stop_write_timer()
        super().resume_writing()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.is_closing():
            self._start_write_timer()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._start_write_timer()

    def _close(self) -> None:
        super()._close()
        self._start_write_timer()

    def _start_write_timer(self) -> None:
        """Closing waits for what was sent, however long that takes."""
        if self._write_timer is None and self.transport.get_write_buffer_size():
            self._write_timer = self.loop.call_later(self.limits.write_timeout, self._give_up)

    def _stop_write_timer(self) -> None:
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None

    def _give_up(self) -> None:
        logger.warning("a connection was reset: its reader takes nothing more")
        self.abort()
