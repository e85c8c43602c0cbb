"""The innermost layer: calls the handler of the operation that was routed to."""

from collections.abc import Mapping

from connexion.middleware.abstract import ROUTING_CONTEXT
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from app.event_stream import EventSender
from app.json_text import to_json
from handlers import EventStream, Handler, PlainText

METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"  # of Prometheus' text format
ARGUMENTS = "genspec.arguments"  # extension of the scope: what a handler gets beside its path


class EndpointMiddleware:
    """Answers with what the handler returns, as JSON, as text or as events of it.

    A request without an operation goes on. ``max_stream_backlog`` events wait for a slow reader.

    connexion would inspect the handler, parse the request again and make its decorators anew for
    every call, which costs more than all the rest together.
    """

    def __init__(
        self, app: ASGIApp, handlers: Mapping[str, Handler], max_stream_backlog: int
    ) -> None:
        self._app = app
        self._handlers = handlers
        self._max_stream_backlog = max_stream_backlog

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = operation_id(scope)
        if name is None:
            await self._app(scope, receive, send)
            return
        arguments = scope["extensions"].get(ARGUMENTS, {})
        content = await self._handlers[name](**scope["path_params"], **arguments)
        if isinstance(content, EventStream):
            await EventSender(content, self._max_stream_backlog, scope).send_all(receive, send)
            return
        if isinstance(content, PlainText):
            response = Response(content.text, headers={"content-type": METRICS_TYPE})
        else:
            response = Response(to_json(content), media_type="application/json")
        await response(scope, receive, send)


def operation_id(scope: Scope) -> str | None:
    """Of the operation that connexion has routed to; None where there is none."""
    if scope["type"] != "http":
        return None
    name: str | None = scope["extensions"][ROUTING_CONTEXT]["operation_id"]
    return name
