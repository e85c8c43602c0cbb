"""The one table of errors: every exception that can reach a client, as a status and a message."""

from collections.abc import Mapping

from starlette.exceptions import HTTPException
from starlette.responses import Response

from app.json_text import to_json
from engine import (
    EngineOverloadedError,
    EngineUnavailableError,
    GenerationError,
    InvalidRequestError,
    ModelNotFoundError,
    RequestTimeoutError,
)
from handlers import NotRunningError

ERROR_TYPES: Mapping[int, str] = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    408: "Request Timeout",
    413: "Payload Too Large",
    415: "Unsupported Media Type",
    422: "Input Validation Error",
    424: "Generation Error",
    429: "Overloaded",
    431: "Request Header Fields Too Large",
    500: "Internal Error",
    503: "Service Unavailable",
}

ENGINE_STATUSES: Mapping[type[Exception], int] = {
    InvalidRequestError: 422,
    ModelNotFoundError: 404,
    NotRunningError: 404,
    EngineOverloadedError: 429,
    EngineUnavailableError: 503,
    GenerationError: 424,
    RequestTimeoutError: 408,
}

ROUTING_MESSAGES: Mapping[int, str] = {
    404: "nothing is served at this path",
    405: "this method is not allowed here",
}

INTERNAL_MESSAGE = "the server failed to answer this request"


class HttpError(Exception):
    """A refusal by the HTTP layer itself; ``message`` is safe to show to the client."""

    def __init__(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(status, message)
        self.status = status
        self.message = message
        self.headers = dict(headers or {})


def error_body(status: int, message: str) -> bytes:
    """The one error shape, as UTF-8 JSON."""
    return to_json({"error": message, "error_type": ERROR_TYPES[status]})


def to_http_error(exc: Exception) -> HttpError:
    """Translate anything that was raised; what is not in the table is a 500."""
    if isinstance(exc, HttpError):
        return exc
    if isinstance(exc, HTTPException) and exc.status_code in ROUTING_MESSAGES:
        return HttpError(exc.status_code, ROUTING_MESSAGES[exc.status_code], _allow_header(exc))
    for engine_error, status in ENGINE_STATUSES.items():
        if isinstance(exc, engine_error):
            return HttpError(status, str(exc), _retry_headers(exc))
    return HttpError(500, INTERNAL_MESSAGE)


def error_response(error: HttpError) -> Response:
    return Response(
        error_body(error.status, error.message),
        status_code=error.status,
        media_type="application/json",
        headers=error.headers,
    )


def _allow_header(exc: HTTPException) -> dict[str, str]:
    """The router joins a set: sorted, the same request gets the same answer."""
    allow = (exc.headers or {}).get("Allow")
    return {"Allow": ", ".join(sorted(allow.split(", ")))} if allow else {}


def _retry_headers(exc: Exception) -> dict[str, str]:
    if isinstance(exc, EngineOverloadedError):
        return {"Retry-After": str(exc.retry_after)}
    return {}
