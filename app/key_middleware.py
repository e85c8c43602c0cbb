"""Lets in whom an API key lets in, as the document says for each operation."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

from app.answer_headers import add_headers
from app.api_keys import ApiKey, KeyRing
from app.endpoint import operation_id
from app.errors import HttpError
from app.key_quota import KeyQuota
from app.telemetry.record import note_key

_EXTENSION = "genspec.key"  # of the scope
_MESSAGE = "Authorization: must be Bearer and one of the keys of this server"


@dataclass(frozen=True, slots=True)
class KeyLimits:
    """Of a key whose entry sets none; None is no limit."""

    concurrency: int | None
    requests_per_minute: int | None


class KeyMiddleware:
    """Stands right after routing. Raises HttpError (401, 429).

    An operation with ``security: []`` needs no key; the limits of keys are on those that declare
    429.
    """

    def __init__(
        self,
        app: ASGIApp,
        ring: KeyRing,
        operations: Sequence[Mapping[str, Any]],
        limits: KeyLimits,
    ) -> None:
        self._app = app
        self._ring = ring
        self._limits = limits
        self._open = {each["operationId"] for each in operations if each.get("security") == []}
        self._limited = {each["operationId"] for each in operations if "429" in each["responses"]}
        self._quotas: defaultdict[str, KeyQuota] = defaultdict(KeyQuota)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = operation_id(scope)
        if name is None or name in self._open:
            await self._app(scope, receive, send)
            return
        key = self._find(scope)
        note_key(key.name)
        scope["extensions"][_EXTENSION] = key.name
        if name not in self._limited:
            await self._app(scope, receive, send)
            return
        quota = self._quotas[key.name]
        with quota.running(key.concurrency or self._limits.concurrency):
            per_minute = key.requests_per_minute or self._limits.requests_per_minute
            if per_minute is not None:
                add_headers(scope, quota.count(per_minute))
            await self._app(scope, receive, send)

    def _find(self, scope: Scope) -> ApiKey:
        sent = bearer_token(scope["headers"])
        key = None if sent is None else self._ring.find(sent)
        if key is None:
            raise HttpError(401, _MESSAGE, {"WWW-Authenticate": "Bearer"})
        return key


def bearer_token(headers: Iterable[tuple[bytes, bytes]]) -> bytes | None:
    """The token of the one ``Authorization`` header, if it is ``Bearer`` in any case."""
    sent = [value for name, value in headers if name == b"authorization"]
    if len(sent) != 1:
        return None
    scheme, _, token = sent[0].strip(b" \t").partition(b" ")
    return token.strip(b" ") or None if scheme.lower() == b"bearer" else None


def key_name(scope: Scope) -> str | None:
    """Of the key that let this request in; None where keys are off."""
    name: str | None = scope["extensions"].get(_EXTENSION)
    return name
