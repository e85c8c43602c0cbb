"""Paths as the client wrote them: an escaped slash never becomes structure, nothing redirects."""

from urllib.parse import unquote_to_bytes

from starlette.types import ASGIApp, Receive, Scope, Send

from app.errors import ROUTING_MESSAGES, HttpError


class PathMiddleware:
    """Sets ``path`` anew from ``raw_path`` and answers 404 to what no route may see."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope["path"] = routable_path(scope.get("raw_path") or scope["path"].encode())
        await self._app(scope, receive, send)


def routable_path(raw_path: bytes) -> str:
    """Decode each segment once; raises HttpError (404) for a path that can match no route.

    An empty segment (a double or trailing slash) would be redirected by the router, and a
    control character can slip past the end of its patterns. The user interface is the one thing
    that has a trailing slash.
    """
    segments = raw_path.split(b"/")
    has_empty_segment = b"" in segments[1:] and raw_path not in (b"/", b"/ui/")
    if segments[0] != b"" or len(segments) == 1 or has_empty_segment:
        raise HttpError(404, ROUTING_MESSAGES[404])
    return "/".join(_decoded(segment) for segment in segments)


def _decoded(segment: bytes) -> str:
    if b"%" not in segment:
        return segment.decode("ascii", "replace")
    try:
        text = unquote_to_bytes(segment).decode()
    except UnicodeDecodeError:
        raise HttpError(404, ROUTING_MESSAGES[404]) from None
    if any(ord(character) < 32 or ord(character) == 127 for character in text):
        raise HttpError(404, ROUTING_MESSAGES[404])
    return text.replace("/", "%2F")
