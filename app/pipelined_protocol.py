"""uvicorn's HTTP/1.1 protocol, which sees every client that leaves, whatever it has sent ahead."""

from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from app.older_http import OlderHTTPProtocol

# Requests that may wait on one connection for the answer to the one before them.
MAX_PIPELINED = 8


class PipelinedProtocol(OlderHTTPProtocol):
    """Knows which of a connection's requests is being answered."""

    _served: RequestResponseCycle | None = None

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        if self.pipeline:  # uvicorn reads no further, and would not see that the client leaves
            self.flow.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._tell_the_application()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._served = cycle
        super()._start_asgi_task(cycle, app)

    def _tell_the_application(self) -> None:
        """The answer is of no use any more; uvicorn tells the request that was sent last only."""
        if self._served is not None and not self._served.response_complete:
            self._served.disconnected = True
            self._served.message_event.set()
