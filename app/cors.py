"""What pages of listed origins are told before they send, and may read afterwards."""

from collections.abc import Collection

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response
from starlette.types import ASGIApp

from app.errors import ROUTING_MESSAGES, HttpError

_METHODS = ("GET", "HEAD", "POST")
_READABLE_HEADERS = (
    *("X-Request-Id", "X-Ignored-Fields", "X-Capped-Fields", "Retry-After"),
    *("Idempotent-Replayed", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"),
)


class ListedOrigins(CORSMiddleware):
    """Grants the preflights of these origins. Raises HttpError (403, 405) for others.

    Credentials of the browser's own (cookies, certificates) are never asked for; a page sends its
    key itself.
    """

    def __init__(self, app: ASGIApp, origins: Collection[str]) -> None:
        super().__init__(
            app,
            allow_origins=origins,
            allow_methods=_METHODS,
            allow_headers=["*"],
            expose_headers=_READABLE_HEADERS,
        )

    def preflight_response(self, request_headers: Headers) -> Response:
        if request_headers["access-control-request-method"] not in _METHODS:
            raise HttpError(405, ROUTING_MESSAGES[405], {"Allow": ", ".join(_METHODS)})
        granted = super().preflight_response(request_headers)
        if granted.status_code != 200:  # starlette's own words, in plain text
            raise HttpError(403, "pages of this origin may not do this")
        return Response(status_code=204, headers=_without_body(granted))


def _without_body(response: Response) -> dict[str, str]:
    return {
        name: value
        for name, value in response.headers.items()
        if name not in ("content-length", "content-type")
    }
