"""Clients of HTTP/1.0, which know no chunks and are told nothing before the answer."""

from uvicorn._types import (
    ASGI3Application,
    ASGIReceiveCallable,
    ASGISendCallable,
    ASGISendEvent,
    HTTPResponseStartEvent,
    Scope,
)
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from app.timed_protocol import TimedProtocol


class OlderHTTPProtocol(TimedProtocol):
    """Answers a request of HTTP/1.0 as such.

    Only an answer with a length can be followed by another, where the client asks for that.
    """

    def on_headers_complete(self) -> None:
        is_older = self.parser.get_http_version() != "1.1"
        if is_older:
            self.expect_100_continue = False
        super().on_headers_complete()
        if is_older:
            self.cycle.keep_alive = self.parser.should_keep_alive()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        if cycle.scope["http_version"] != "1.1":
            app = _OlderAnswer(app, cycle)
        super()._start_asgi_task(cycle, app)


class _OlderAnswer:
    """An application whose one answer needs no HTTP/1.1 to be read."""

    def __init__(self, app: ASGI3Application, cycle: RequestResponseCycle) -> None:
        self._app = app
        self._cycle = cycle
        self._has_length = True

    async def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        async def send_older(message: ASGISendEvent) -> None:
            if message["type"] == "http.response.start":
                self._begin(message)
            elif message["type"] == "http.response.body" and not self._has_length:
                self._cycle.expected_content_length = len(message.get("body", b""))
            await send(message)

        await self._app(scope, receive, send_older)

    def _begin(self, message: HTTPResponseStartEvent) -> None:
        headers = list(message.get("headers", ()))
        names = {name.lower() for name, _ in headers}
        self._has_length = b"content-length" in names
        if not self._has_length:  # the end of the connection is that of the answer
            self._cycle.chunked_encoding = False
            self._cycle.keep_alive = False
        elif self._cycle.keep_alive and b"connection" not in names:
            message["headers"] = [*headers, (b"connection", b"keep-alive")]
