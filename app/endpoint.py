"""The innermost layer: calls the handler of the operation that was routed to."""

import json
from collections.abc import Mapping

from connexion.middleware.abstract import ROUTING_CONTEXT
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from handlers import Handler, PlainText

METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"  # of Prometheus' text format
ARGUMENTS = "genspec.arguments"  # extension of the scope: what a handler gets beside its path


class EndpointMiddleware:
    """Answers with what the handler returns; a request without an operation goes on.

    connexion would inspect the handler, parse the request again and make its decorators anew for
    every call, which costs more than all the rest together.
    """

    def __init__(self, app: ASGIApp, handlers: Mapping[str, Handler]) -> None:
        self._app = app
        self._handlers = handlers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = operation_id(scope)
        if name is None:
            await self._app(scope, receive, send)
            return
        arguments = scope["extensions"].get(ARGUMENTS, {})
        content = await self._handlers[name](**scope["path_params"], **arguments)
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


def to_json(content: object) -> bytes:
    """Characters as they are, only numbers that JSON has, no spaces."""
    return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
