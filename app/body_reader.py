"""Reading a request body with a limit that holds while it arrives."""

from starlette.types import Receive, Scope

from app.errors import HttpError
from handlers import ClientGoneError


async def read_body(scope: Scope, receive: Receive, max_bytes: int) -> bytes:
    """The whole body. Raises HttpError (413) as soon as it is, or is said to be, too large.

    Raises ClientGoneError where it ends in the middle.
    """
    if _declared_length(scope) > max_bytes:
        raise _too_large(max_bytes)
    parts: list[bytes] = []
    num_bytes = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGoneError
        part: bytes = message.get("body", b"")
        num_bytes += len(part)
        if num_bytes > max_bytes:
            raise _too_large(max_bytes)
        parts.append(part)
        if not message.get("more_body", False):
            return b"".join(parts)


def _declared_length(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value)  # digits only: the parser has refused anything else
    return 0


def _too_large(max_bytes: int) -> HttpError:
    return HttpError(413, f"the body is larger than {max_bytes} bytes")
