"""Turns a request body into the completed payload that a handler gets."""

from collections.abc import Mapping
from time import monotonic
from urllib.parse import parse_qsl

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.body import BodySchema, InvalidBodyError
from app.body_reader import read_body
from app.content_type import check_content_headers
from app.endpoint import ARGUMENTS, operation_id
from app.errors import HttpError
from app.field_names import field_names_header
from app.telemetry.record import note_body_begins, note_body_complete
from handlers import Call


class BodyMiddleware:
    """For each operation with a body: checks its headers, reads it, validates and completes it.

    ``schemas`` maps the operationId of each of them. The handler gets a ``Call`` by the name
    ``call``. Raises HttpError (413, 415, 422).
    """

    def __init__(
        self, app: ASGIApp, schemas: Mapping[str, BodySchema], max_body_bytes: int
    ) -> None:
        self._app = app
        self._schemas = schemas
        self._max_body_bytes = max_body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        schema = self._schemas.get(operation_id(scope) or "")
        if schema is None:
            await self._app(scope, receive, send)
            return
        arrived_at = monotonic()
        note_body_begins(arrived_at)
        check_content_headers(scope["headers"], schema.media_types)
        raw = await read_body(scope, receive, self._max_body_bytes)
        try:
            completed = schema.complete(raw)
        except InvalidBodyError as exc:
            raise HttpError(422, str(exc)) from None
        note_body_complete()
        call = Call(payload=completed.payload, arrived_at=arrived_at, receive=receive)
        scope["extensions"][ARGUMENTS] = {"call": call}
        ignored = (*completed.ignored, *_query_names(scope))
        await self._app(scope, receive, _with_field_names(send, ignored, completed.capped))


def _query_names(scope: Scope) -> list[str]:
    """No operation with a body knows a query parameter: what was sent is ignored."""
    query = scope["query_string"]
    if not query:
        return []
    pairs = parse_qsl(query.decode("latin-1"), keep_blank_values=True)
    return [f"query.{name}" for name in dict(pairs)]


def _with_field_names(send: Send, ignored: tuple[str, ...], capped: tuple[str, ...]) -> Send:
    headers = [
        (name, field_names_header(names))
        for name, names in ((b"x-ignored-fields", ignored), (b"x-capped-fields", capped))
        if names
    ]
    if not headers:
        return send

    async def send_with_names(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], *headers]
        await send(message)

    return send_with_names
