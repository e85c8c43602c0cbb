"""``Idempotency-Key``: a request that is sent again gets the first one's answer."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

from app.document import Document, resolve
from app.endpoint import ARGUMENTS, operation_id
from app.errors import HttpError
from app.kept_answers import KeptAnswers, Key
from app.key_middleware import key_name
from app.shared_run import Answer, SharedRun
from app.validation import SchemaValidator
from handlers import Call

HEADER = "Idempotency-Key"
_REPLAYED = ((b"idempotent-replayed", b"true"),)


@dataclass(frozen=True, slots=True)
class _Running:
    digest: bytes
    run: SharedRun


class IdempotencyMiddleware:
    """Stands after the body was completed, on operations that declare the header.

    ``validators`` maps the operationId of each of them to what the header may be. Raises
    HttpError (422), and for a client that waits for another one's run what that run raises.
    """

    def __init__(
        self, app: ASGIApp, validators: Mapping[str, SchemaValidator], kept: KeptAnswers
    ) -> None:
        self._app = app
        self._validators = validators
        self._kept = kept
        self._running: dict[Key, _Running] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        validator = self._validators.get(operation_id(scope) or "")
        sent = None if validator is None else _sent(scope["headers"], validator)
        if sent is None:
            await self._app(scope, receive, send)
            return
        key = key_name(scope), sent
        call: Call = scope["extensions"][ARGUMENTS]["call"]
        digest = _digest(scope["path"], call)
        if (kept := self._kept.find(key)) is not None:
            _check_same(digest, kept.digest)
            await kept.answer.send(send, _REPLAYED)
            return
        running = self._running.get(key)
        if running is not None and not running.run.is_abandoned:
            _check_same(digest, running.digest)
            await (await running.run.wait(receive)).send(send, _REPLAYED)
            return
        run = self._begin(scope, key, call, digest)
        await (await run.wait(receive)).send(send)

    def _begin(self, scope: Scope, key: Key, call: Call, digest: bytes) -> SharedRun:
        async def work(receive: Receive, send: Send) -> None:
            scope["extensions"][ARGUMENTS] = {"call": replace(call, receive=receive)}
            await self._app(scope, receive, send)

        run = SharedRun(work)
        self._running[key] = _Running(digest, run)
        run.on_end(partial(self._end, key, digest, run))
        return run

    def _end(self, key: Key, digest: bytes, run: SharedRun, answer: Answer | None) -> None:
        running = self._running.get(key)
        if running is None or running.run is not run:  # abandoned, and another one has begun
            return
        del self._running[key]
        if answer is not None:
            self._kept.keep(key, digest, answer)


def idempotency_validators(
    document: Document, operations: Iterable[Mapping[str, Any]]
) -> dict[str, SchemaValidator]:
    """By operationId, for those operations whose parameters have the header."""
    return {
        operation["operationId"]: SchemaValidator(
            document, {"type": "object", "properties": {HEADER: parameter["schema"]}}
        )
        for operation in operations
        for parameter in (resolve(document, each) for each in operation.get("parameters", ()))
        if parameter["name"] == HEADER
    }


def _sent(headers: Iterable[tuple[bytes, bytes]], validator: SchemaValidator) -> str | None:
    """The one header of the request, None where there is none. Raises HttpError (422)."""
    values = [value.decode("latin-1") for name, value in headers if name == HEADER.lower().encode()]
    if not values:
        return None
    if len(values) > 1:
        raise HttpError(422, f"{HEADER}: only one may be given")
    problem = validator.problem({HEADER: values[0]})
    if problem is not None:
        raise HttpError(422, problem)
    return values[0]


def _digest(path: str, call: Call) -> bytes:
    """Of what is asked for: the same body in another order or spelling is the same."""
    text = json.dumps([path, call.query, call.payload], sort_keys=True)
    return hashlib.sha256(text.encode()).digest()


def _check_same(digest: bytes, first: bytes) -> None:
    if digest != first:
        raise HttpError(
            422, f"{HEADER}: was used for another request, with another body, path or query"
        )
