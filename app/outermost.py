"""The outermost layer: names every request and lets no exception out."""

import asyncio
import logging

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.answer_headers import added_headers
from app.errors import HttpError, error_response, to_http_error
from app.request_id import HEADER, SCOPE_KEY, request_id
from handlers import ClientGoneError

logger = logging.getLogger(__name__)


def request_name(scope: Scope) -> str:
    """The request's id, once RequestIdMiddleware has been passed."""
    name: str = scope[SCOPE_KEY]
    return name


class RequestIdMiddleware:
    """Puts ``X-Request-Id``, and what other layers have asked for, on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope.setdefault("extensions", {})
        name = request_id(scope["headers"])
        scope[SCOPE_KEY] = name.decode()

        async def send_named(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], (HEADER, name), *added_headers(scope)]
            await send(message)

        await self._app(scope, receive, send_named)


class ErrorMiddleware:
    """Turns whatever is raised below it into the one error shape.

    It stands twice in the stack: under the CORS headers, so that a browser may read errors, and
    outside of everything, for what those outer layers raise themselves.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        has_started = False

        async def send_watched(message: Message) -> None:
            nonlocal has_started
            has_started = True
            await send(message)

        try:
            await self._app(scope, receive, send_watched)
        except ClientGoneError:
            return
        except (Exception, asyncio.CancelledError) as exc:
            if has_started:  # too late for a status: let the server cut the connection
                raise
            await error_response(_translate(exc))(scope, receive, send)


def _translate(exc: BaseException) -> HttpError:
    """A request is cancelled only when the time to finish it at shutdown is over."""
    if not isinstance(exc, Exception):
        return HttpError(503, "the server is shutting down")
    error = to_http_error(exc)
    if error.status == 500:
        logger.error("a request failed", exc_info=exc)
    return error
