"""Which bodies are read as JSON, by their headers."""

from collections.abc import Collection, Iterable

from app.errors import HttpError

# What `curl -d` and HTML forms say of any body; the documented examples use the former.
_READ_AS_JSON = frozenset({"application/json", "application/x-www-form-urlencoded"})
LENGTH = b"content-length"  # of a body that is JSON to its end, what the other header says too
_UTF8 = frozenset({"utf-8", "utf8"})


def check_content_headers(
    headers: Iterable[tuple[bytes, bytes]], media_types: Collection[str] = ()
) -> None:
    """Raise HttpError (415) unless the headers let the body be read as JSON in UTF-8.

    Without a Content-Type a body is taken for JSON, and so it is with one of ``media_types``. A
    body with binary tensors behind its JSON is refused with 422, whatever type it has.
    """
    headers = tuple(headers)
    content_types = []
    for name, value in headers:
        if name == b"content-type":
            content_types.append(value.decode("latin-1"))
        elif name == b"inference-header-content-length" and (LENGTH, value) not in headers:
            raise HttpError(
                422, "Inference-Header-Content-Length: binary tensors are not read; send JSON data"
            )
        elif name == b"content-encoding" and value.strip().lower() != b"identity":
            raise HttpError(415, "Content-Encoding: only identity is supported")
        elif name == b"transfer-encoding" and value.strip().lower() != b"chunked":
            raise HttpError(415, "Transfer-Encoding: only chunked is supported")
    if len(content_types) > 1:
        raise HttpError(415, "Content-Type: only one may be given")
    for content_type in content_types:
        _check_content_type(content_type, _READ_AS_JSON.union(media_types))


def _check_content_type(content_type: str, media_types: Collection[str]) -> None:
    media_type, *parameters = content_type.split(";")
    if media_type.strip().lower() not in media_types:
        raise HttpError(415, "Content-Type: must be application/json")
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset" and value.strip(' \t"').lower() not in _UTF8:
            raise HttpError(415, "Content-Type: charset must be utf-8")
