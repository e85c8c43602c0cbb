"""Connections of a server on its way out: each ends with its next answer."""

from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class ClosingMiddleware:
    """Puts ``Connection: close`` on every answer while the server drains, so that clients and
    proxies that keep connections go to another one."""

    def __init__(self, app: ASGIApp, is_draining: Callable[[], bool]) -> None:
        self._app = app
        self._is_draining = is_draining

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_closing(message: Message) -> None:
            if message["type"] == "http.response.start" and self._is_draining():
                message["headers"] = [*message["headers"], (b"connection", b"close")]
            await send(message)

        await self._app(scope, receive, send_closing)
