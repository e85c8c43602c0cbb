"""What holds for every answer of the server, whatever was asked."""

import json
import re
from typing import Any, NoReturn
from urllib.parse import unquote

from openapi_core import OpenAPI
from openapi_core.templating.paths.exceptions import OperationNotFound, PathNotFound
from openapi_core.testing import MockRequest, MockResponse

from tests.wire import Reply

# Section 3 of the wire contract.
ERROR_TYPES = {
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
    503: "Service Unavailable",
}
MAX_ERROR_LENGTH = 250
MAX_ECHO_LENGTH = 40
# Python and file systems; a camel-case word is a class.
_LEAKS = re.compile(
    r"Traceback|File \"|\.py\b|/(?!ui/)[a-z]+/|0x[0-9a-f]{6}|[A-Z][a-z]+[A-Z][a-z]+"
)
_REQUEST_LINE = re.compile(rb"([A-Z]+) (?:http://[^/\s]*)?(/[^\s?#]*)\S* HTTP/1\.[01]\r\n")
_HOST = "http://test"
_HTML = "text/html; charset=utf-8"
_JSON = "application/json"
_MEDIA_TYPES = {
    "/metrics": "text/plain; version=0.0.4; charset=utf-8",
    "/openapi.yaml": "application/yaml",
    "/": _HTML,
    "/ui": _HTML,
    "/ui/": _HTML,
}
_BESIDE_THE_DOCUMENT = ("", "/", "/openapi.json", "/openapi.yaml", "/ui", "/ui/")
_UNDECLARED = (400, 404, 405, 408, 431)  # what may come where no path of the document is meant


def strict_json(raw: bytes) -> Any:
    """Raises ValueError for what JSON does not have, duplicate names included."""
    return json.loads(
        raw.decode("utf-8"), parse_constant=_no_constant, object_pairs_hook=_unique_names
    )


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _unique_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("duplicate name")
    return dict(pairs)


class Judge:
    """Checks answers against the rules for all of them, and with openapi-core."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._api = OpenAPI.from_dict(document)
        self.num_judged = 0  # by openapi-core

    def check(self, request: bytes, reply: Reply) -> None:
        """Raises AssertionError, or what openapi-core raises."""
        method, path = _request_line(request)
        media_type = _JSON if reply.status >= 400 else _MEDIA_TYPES.get(path, _JSON)
        assert reply.status != 500, reply.body
        [request_id] = _values(reply, "x-request-id")
        assert request_id
        assert not _values(reply, "server")
        assert _values(reply, "content-type") == [media_type]
        assert len(_values(reply, "content-length")) == 1
        if method == "HEAD":
            return
        if reply.status >= 400:
            check_error(reply.status, strict_json(reply.body), request)
        elif media_type == _JSON:
            assert "error" not in strict_json(reply.body)
        self._ask_openapi_core(method, path, reply, media_type)

    def _ask_openapi_core(self, method: str, path: str, reply: Reply, media_type: str) -> None:
        response = MockResponse(reply.body, reply.status, dict(reply.fields), media_type)
        # What is refused for its method is declared with the method that the path does know.
        for candidate in [method] if reply.status == 200 else [method, "GET", "POST"]:
            try:
                self._api.validate_response(MockRequest(_HOST, candidate, path), response)
            except (PathNotFound, OperationNotFound):
                continue
            self.num_judged += 1
            return
        assert path in _BESIDE_THE_DOCUMENT or reply.status in _UNDECLARED, path


def check_error(status: int, content: Any, request: bytes) -> None:
    """The one error shape: short, plain, and silent about the request and the program."""
    assert list(content) == ["error", "error_type"]
    assert content["error_type"] == ERROR_TYPES[status]
    message = content["error"]
    assert isinstance(message, str)
    assert 0 < len(message) <= MAX_ERROR_LENGTH
    assert message.isprintable()
    assert not _LEAKS.search(message), message
    encoded = message.encode()
    for start in range(len(encoded) - MAX_ECHO_LENGTH):
        assert encoded[start : start + MAX_ECHO_LENGTH] not in request, message


def _request_line(request: bytes) -> tuple[str, str]:
    """Method and path, empty where a path is none or, dots and all, is not what it seems."""
    match = _REQUEST_LINE.match(request.lstrip(b"\r\n"))
    if match is None or b".." in match[2]:
        return "", ""
    return match[1].decode(), unquote(match[2].decode("latin-1"))


def _values(reply: Reply, name: str) -> list[str]:
    return [value for field, value in reply.fields if field == name]
