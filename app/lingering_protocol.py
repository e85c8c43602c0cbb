"""uvicorn's HTTP/1.1 protocol, which closes no connection under a client that is still sending."""

from typing import Any

from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from app.answer_transport import AnswerTransport
from app.pipelined_protocol import PipelinedProtocol

# What is still read, and thrown away, of a body that was refused.
MAX_DISCARDED_BYTES = 512 * 1024 * 1024
# So long at least the last answer has to arrive, in case that the client has sent something more.
LINGER_SECONDS = 1.0
# So long a client that is sending may pause.
PAUSE_SECONDS = 5.0


class LingeringProtocol(PipelinedProtocol):
    """After its last answer a connection is half closed, and read until the client has done.

    Closing it at once would make the kernel answer whatever comes with a reset, which takes the
    answer away from a client that has not read it yet. The client gets the time that what it sends
    had anyway. TLS has no half of a close: there the answer's own end has to tell.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._is_reading_headers = True
        self._num_header_bytes = 0  # received that are no body: also of chunks and trailers
        self._num_discarded_bytes = 0
        self._has_hung_up = False
        self._linger_until = 0.0

    def shutdown(self) -> None:
        """Asked for when the server ends, after the last answers."""
        if self._has_hung_up:
            return
        if self.cycle is not None and self.cycle.response_complete:
            self._close_or_hang_up()
        else:
            super().shutdown()

    def on_response_complete(self) -> None:
        if self._has_hung_up:  # whatever was sent behind it is not answered
            self.server_state.total_requests += 1
        else:
            super().on_response_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        cycle.transport = AnswerTransport(self.transport, self._close_or_hang_up)
        super()._start_asgi_task(cycle, app)

    def _close_or_hang_up(self) -> None:
        if self._is_client_sending():
            self._hang_up()
        else:
            self.transport.close()

    def _is_client_sending(self) -> bool:
        """Whether a request has begun beyond the one whose answer is the last."""
        has_begun = bool(self._num_header_bytes or self.pipeline)
        return has_begun or not self._is_reading_headers

    def _hang_up(self) -> None:
        """Send no more, and read on."""
        if self._has_hung_up or self.transport.is_closing():
            return
        now = self.loop.time()
        time_left = self._timer.when() if self._timer is not None else 0.0
        self._linger_until = max(time_left, now + LINGER_SECONDS)
        self._has_hung_up = True
        self._unset_keepalive_if_required()
        self._tell_the_application()
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.flow.resume_reading()
        self._linger(LINGER_SECONDS if self._is_reading_headers else PAUSE_SECONDS)

    def _discard(self, data: bytes) -> None:
        """What comes after the last answer."""
        self._num_discarded_bytes += len(data)
        if self._num_discarded_bytes > MAX_DISCARDED_BYTES:
            self._close()
        else:
            self._linger(PAUSE_SECONDS)

    def _linger(self, seconds: float) -> None:
        self._stop_timer()
        end = min(self._linger_until, self.loop.time() + seconds)
        self._timer = self.loop.call_at(end, self._close)

    def _close(self) -> None:
        self.transport.close()
