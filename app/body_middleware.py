"""Turns a request body into the completed payload that a handler gets."""

from collections.abc import Mapping
from time import monotonic

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.body import BodySchema, InvalidBodyError
from app.body_reader import BodyReader
from app.content_type import check_content_headers
from app.endpoint import ARGUMENTS, operation_id
from app.errors import HttpError
from app.field_names import FieldNames
from app.query import QuerySchema
from app.telemetry.record import note_body_begins, note_body_complete
from handlers import Call


class BodyMiddleware:
    """For each operation with a body: checks its headers, reads it, validates and completes it.

    ``schemas`` and ``queries`` map the operationId of each of them; ``field_names`` writes which
    fields were ignored or capped. The handler gets a ``Call`` by the name ``call``. Raises
    HttpError (413, 415, 422, 503).
    """

    def __init__(
        self,
        app: ASGIApp,
        schemas: Mapping[str, BodySchema],
        queries: Mapping[str, QuerySchema],
        reader: BodyReader,
        field_names: FieldNames,
    ) -> None:
        self._app = app
        self._schemas = schemas
        self._queries = queries
        self._reader = reader
        self._field_names = field_names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = operation_id(scope) or ""
        schema = self._schemas.get(name)
        if schema is None:
            await self._app(scope, receive, send)
            return
        arrived_at = monotonic()
        note_body_begins(arrived_at)
        check_content_headers(scope["headers"], schema.media_types)
        query = self._queries[name].complete(scope["query_string"])
        raw = await self._reader.read(scope, receive)
        try:
            completed = schema.complete(raw)
        except InvalidBodyError as exc:
            raise HttpError(422, str(exc)) from None
        note_body_complete()
        call = Call(
            payload=completed.payload,
            query=query.values,
            ignored=(*completed.ignored, *query.ignored),
            capped=completed.capped,
            arrived_at=arrived_at,
            receive=receive,
        )
        scope["extensions"][ARGUMENTS] = {"call": call}
        named = ((b"x-ignored-fields", call.ignored), (b"x-capped-fields", call.capped))
        headers = [(header, self._field_names.header(names)) for header, names in named if names]
        await self._app(scope, receive, _with_headers(send, headers) if headers else send)


def _with_headers(send: Send, headers: list[tuple[bytes, bytes]]) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], *headers]
        await send(message)

    return send_with_headers
