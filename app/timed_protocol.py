"""uvicorn's HTTP/1.1 protocol with limits, and one timer for what a client has to send next."""

import asyncio
from typing import ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from app.connection import ConnectionLimits


class TimedProtocol(HttpToolsProtocol):
    """``limits`` is set in a subclass for each server."""

    limits: ClassVar[ConnectionLimits]
    _timer: asyncio.TimerHandle | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def _expect_headers(self) -> None:
        if self._timer is None:
            self._start_timer(self.limits.header_timeout)

    def _start_timer(self, seconds: float) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(seconds, self._on_timeout)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wait_for_next_request(self) -> None:
        """After a refused body was read: uvicorn stopped its keep-alive timer at its bytes."""
        self._unset_keepalive_if_required()
        self.timeout_keep_alive_task = self.loop.call_later(
            self.timeout_keep_alive, self.timeout_keep_alive_handler
        )

    def _on_timeout(self) -> None:
        """What was waited for has not come."""
        raise NotImplementedError
