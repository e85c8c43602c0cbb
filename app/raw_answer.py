"""The answer to what never reaches the application, as bytes."""

from collections.abc import Iterable

from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from app.errors import HttpError, error_body
from app.request_id import HEADER


def raw_answer(error: HttpError, name: bytes, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """An error in the one shape, the last answer of its connection.

    ``name`` is the request's id, ``headers`` what every answer of the server has.
    """
    body = error_body(error.status, error.message)
    own_headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
        (HEADER, name),
        *((field.lower().encode(), value.encode()) for field, value in error.headers.items()),
    ]
    head = b"".join(field + b": " + value + b"\r\n" for field, value in (*headers, *own_headers))
    return STATUS_LINE[error.status] + head + b"\r\n" + body
