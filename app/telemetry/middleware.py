"""Makes the record of each request, and hands it on when the request has ended."""

from collections.abc import Callable, Iterable
from time import monotonic

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.endpoint import operation_id
from app.telemetry.record import NO_OPERATION, RequestRecord, current_record
from app.telemetry.traces import Tracing

MAX_PATH_LENGTH = 200


class TelemetryMiddleware:
    """Stands outside of whatever can answer.

    ``name_of`` gives a request's id from its scope. ``on_end`` are called in order, once for each
    request, whether it was answered or its client left; ``tracing`` has the first and last word.
    """

    def __init__(
        self,
        app: ASGIApp,
        name_of: Callable[[Scope], str],
        on_end: Iterable[Callable[[RequestRecord], None]],
        tracing: Tracing | None = None,
    ) -> None:
        self._app = app
        self._name_of = name_of
        self._on_end = tuple(on_end)
        self._tracing = tracing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path = scope.get("raw_path", b"")[:MAX_PATH_LENGTH].decode("ascii", "replace")
        record = RequestRecord(self._name_of(scope), scope["method"], path)
        if self._tracing is not None:
            self._tracing.begin(record, scope["headers"])

        async def send_watched(message: Message) -> None:
            if message["type"] == "http.response.start":
                record.status = message["status"]
            await send(message)

        token = current_record.set(record)
        try:
            await self._app(scope, receive, send_watched)
        finally:
            record.duration = monotonic() - record.started_at
            current_record.reset(token)
            for tell in self._on_end:
                tell(record)
            if self._tracing is not None:
                self._tracing.end(record)


class OperationMiddleware:
    """Stands right after routing: notes which operation of the document a request is for."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        record = current_record.get()
        if record is not None:
            record.operation = operation_id(scope) or NO_OPERATION
        await self._app(scope, receive, send)
