"""Paths, methods, models and errors, as bytes on a socket."""

import pytest

from app.errors import ERROR_TYPES
from tests.live_server import LiveServer, get, post

GOOD = b'{"text_input":"hi"}'
ERRORS: dict[str, tuple[bytes, int, str]] = {
    "unknown path": (get("/nope"), 404, "path"),
    "trailing slash": (post(GOOD, "/v2/models/fake/generate/"), 404, "path"),
    "trailing slash of a get": (get("/v2/health/live/"), 404, "path"),
    "double slash": (post(GOOD, "//v2/models/fake/generate"), 404, "path"),
    "inner double slash": (get("/v2//health/live"), 404, "path"),
    "escaped line feed at the end": (get("/v2/health/live%0A"), 404, "path"),
    "invalid UTF-8 in the path": (get("/v2/models/%ff"), 404, "path"),
    "unknown model": (post(GOOD, "/v2/models/nope/generate"), 404, "model_name"),
    "unknown model, bad body": (post(b"{", "/v2/models/nope/generate"), 404, "model_name"),
    "unknown model, bad type": (
        post(GOOD, "/v2/models/nope/generate", "Content-Type: text/plain\r\n"),
        404,
        "model_name",
    ),
    "unknown model, huge body announced": (
        b"POST /v2/models/nope/generate HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n",
        404,
        "model_name",
    ),
    "ill-formed model": (post(GOOD, "/v2/models/a%20b/generate"), 404, "model_name"),
    "model of another case": (post(GOOD, "/v2/models/FAKE/generate"), 404, "model_name"),
    "slash inside the model": (post(GOOD, "/v2/models/a%2Fb/generate"), 404, "model_name"),
    "escaped slash is no structure": (get("/v2/models/fake%2Fready"), 404, "model_name"),
    "twice escaped slash": (get("/v2/models/fake%252Fready"), 404, "model_name"),
    "unknown version": (post(b"{", "/v2/models/fake/versions/2/generate"), 404, "model_version"),
    "unknown version of metadata": (get("/v2/models/fake/versions/2"), 404, "model_version"),
    "get of generate": (get("/v2/models/fake/generate"), 405, "method"),
    "post of health": (post(GOOD, "/v2/health/live"), 405, "method"),
    "post of the document": (post(GOOD, "/openapi.json"), 405, "method"),
    "not HTTP": (b"\x16\x03\x01 hello\r\n\r\n", 400, "HTTP"),
    "unknown method": (b"FOO / HTTP/1.1\r\nHost: x\r\n\r\n", 400, "HTTP"),
    "connect": (b"CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n", 400, "HTTP"),
    "length that is no number": (
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n",
        400,
        "HTTP",
    ),
    "raw bytes in the path": ("GET /é HTTP/1.1\r\nHost: x\r\n\r\n".encode(), 400, "HTTP"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_every_refusal_has_the_one_shape(live: LiveServer, name: str) -> None:
    raw, status, word = ERRORS[name]

    reply = live.exchange(raw)

    assert reply.status == status
    assert reply.headers["content-type"] == "application/json"
    assert "location" not in reply.headers
    assert list(reply.json()) == ["error", "error_type"]
    assert reply.json()["error_type"] == ERROR_TYPES[status]
    assert word in reply.json()["error"]
    assert reply.headers["x-request-id"]


@pytest.mark.parametrize(
    ("raw", "allow"),
    [
        (get("/v2/models/fake/generate"), "POST"),
        (b"OPTIONS /v2/models/fake/generate HTTP/1.1\r\nHost: x\r\n\r\n", "POST"),
        (post(GOOD, "/v2/health/live"), "GET, HEAD"),
        (post(GOOD, "/openapi.yaml"), "GET, HEAD"),
    ],
)
def test_a_wrong_method_is_told_the_right_ones(live: LiveServer, raw: bytes, allow: str) -> None:
    reply = live.exchange(raw)

    assert (reply.status, reply.headers["allow"]) == (405, allow)


@pytest.mark.parametrize("path", ["/v2", "/v2/health/live", "/v2/models/fake", "/openapi.json"])
def test_head_answers_as_get_without_a_body(live: LiveServer, path: str) -> None:
    expected = live.exchange(get(path))
    with live.connection() as connection:
        connection.send(get(path).replace(b"GET", b"HEAD", 1))
        reply = connection.read(has_body=False)
        connection.send(get("/v2/health/live"))

        assert reply.status == expected.status == 200
        assert reply.headers["content-length"] == expected.headers["content-length"]
        assert connection.read().json() == {"live": True}


def test_metadata_and_readiness_with_and_without_a_version(live: LiveServer) -> None:
    for prefix in ("/v2/models/fake", "/v2/models/fake/versions/1"):
        assert live.exchange(get(prefix)).json()["versions"] == ["1"]
        assert live.exchange(get(f"{prefix}/ready")).json() == {"ready": True}
    assert live.exchange(get("/v2")).json()["name"] == "genspec"
    assert live.exchange(get("/v2/health/ready")).json() == {"ready": True}


@pytest.mark.parametrize("sent", ["abc-123", "A.b_c~9:/+=@", "x" * 128])
def test_a_plain_request_id_is_echoed(live: LiveServer, sent: str) -> None:
    reply = live.exchange(get("/nope", f"X-Request-Id: {sent}\r\n"))

    assert reply.headers["x-request-id"] == sent


@pytest.mark.parametrize(
    "lines",
    [
        "",
        "X-Request-Id: \r\n",
        "X-Request-Id: a b\r\n",
        'X-Request-Id: a"b\r\n',
        f"X-Request-Id: {'x' * 129}\r\n",
        "X-Request-Id: a\r\nX-Request-Id: b\r\n",
    ],
)
def test_any_other_request_id_is_replaced(live: LiveServer, lines: str) -> None:
    first, second = (
        live.exchange(get("/v2/health/live", lines)).headers["x-request-id"] for _ in range(2)
    )

    assert first != second
    assert len(first) == len(second) == 32
