"""Reading a request body with limits that hold while it arrives."""

from collections.abc import AsyncIterator

from starlette.types import Receive, Scope

from app.errors import HttpError
from handlers import ClientGoneError


class BodyReader:
    """Reads bodies of at most ``max_bytes`` each, and holds no more than ``max_arriving_bytes`` of
    all that are not complete; the longest single one always has its place."""

    def __init__(self, max_bytes: int, max_arriving_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._num_free_bytes = max(max_bytes, max_arriving_bytes)

    async def read(self, scope: Scope, receive: Receive) -> bytes:
        """The whole body. Raises HttpError: 413 as soon as it is, or is said to be, too large, 503
        where those of others leave it no room. Raises ClientGoneError where it ends in the middle.
        """
        if _declared_length(scope) > self._max_bytes:
            raise _too_large(self._max_bytes)
        parts: list[bytes] = []
        num_bytes = 0
        try:
            async for part in _parts(receive):
                num_bytes += len(part)
                self._num_free_bytes -= len(part)
                if num_bytes > self._max_bytes:
                    raise _too_large(self._max_bytes)
                if self._num_free_bytes < 0:
                    raise HttpError(503, "too many bodies are arriving", {"Retry-After": "1"})
                parts.append(part)
        finally:
            self._num_free_bytes += num_bytes
        return b"".join(parts)


async def _parts(receive: Receive) -> AsyncIterator[bytes]:
    has_more = True
    while has_more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGoneError
        yield message.get("body", b"")
        has_more = message.get("more_body", False)


def _declared_length(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value)  # digits only: the parser has refused anything else
    return 0


def _too_large(max_bytes: int) -> HttpError:
    return HttpError(413, f"the body is larger than {max_bytes} bytes")
