"""What RFC 9112 asks of the head of a request, over sockets."""

import pytest

from app.request_head import (
    BAD_HOST,
    BAD_TARGET,
    MANY_HOSTS,
    NO_HOST,
    NOT_HTTP,
    OLDER_CODING,
    checked_target,
)
from tests.live_server import GENERATE, LiveServer
from tests.wire import chunked, get

LIVE = "/v2/health/live"
BODY = b'{"text_input":"hi"}'
BEHIND = get(LIVE, "X-Request-Id: smuggled")
LENGTH = f"Content-Length: {len(BODY)}"
CODING = "Transfer-Encoding: chunked"


def head(start: str, *lines: str) -> bytes:
    """Only what is said here: also without a Host."""
    return "\r\n".join((start, *lines, "", "")).encode("latin-1")


def generate(*lines: str, body: bytes = BODY) -> bytes:
    return head(f"POST {GENERATE} HTTP/1.1", "Host: x", *lines) + body


def live_head(*lines: str, version: str = "1.1") -> bytes:
    return head(f"GET {LIVE} HTTP/{version}", *lines)


def target(address: str, *lines: str) -> bytes:
    return head(f"GET {address} HTTP/1.1", *(lines or ("Host: x",)))


REFUSED: dict[str, tuple[bytes, str]] = {
    "no host": (live_head(), NO_HOST),
    "no host, and an address": (head(f"GET http://x{LIVE} HTTP/1.1"), NO_HOST),
    "no host, and an offer": (live_head("Connection: Upgrade", "Upgrade: h2c"), NO_HOST),
    "two hosts": (live_head("Host: x", "Host: y"), MANY_HOSTS),
    "one host twice": (live_head("Host: x", "host: x"), MANY_HOSTS),
    "two hosts of 1.0": (live_head("Host: x", "Host: y", version="1.0"), MANY_HOSTS),
    **{
        f"host {host!r}": (live_head(f"Host: {host}"), BAD_HOST)
        for host in ("a b", "a/b", "http://a", "u@a", "a:b", "a:80:80", "[::1", "a%zz", "é", "a#b")
    },
    **{
        f"target {address}": (target(address), BAD_TARGET)
        for address in (
            "http:///v2",
            "http://u:p@x/v2",
            "ftp://x/v2",
            "http://:80/v2",
            "*x",
            "x://y",
        )
    },
    "HTTP/2.0": (live_head("Host: x", version="2.0"), NOT_HTTP),
    "1.0 and chunks": (
        head(f"POST {GENERATE} HTTP/1.0", CODING) + chunked(BODY),
        OLDER_CODING,
    ),
    "two lengths": (generate(LENGTH, "Content-Length: 3"), NOT_HTTP),
    "a list of lengths": (generate("Content-Length: 19, 19"), NOT_HTTP),
    "a length and chunks": (generate(LENGTH, CODING, body=chunked(BODY)), NOT_HTTP),
    "chunks and a length": (generate(CODING, LENGTH, body=chunked(BODY)), NOT_HTTP),
    "chunks twice": (generate(CODING, CODING, body=chunked(BODY)), NOT_HTTP),
    "chunks, but not last": (
        generate(CODING, "Transfer-Encoding: gzip", body=chunked(BODY)),
        NOT_HTTP,
    ),
    "chunks behind a tab": (
        generate("Transfer-Encoding: \x0bchunked", body=chunked(BODY)),
        NOT_HTTP,
    ),
    "identity": (generate("Transfer-Encoding: identity", LENGTH), NOT_HTTP),
    "a length among trailers": (
        generate(CODING, body=chunked(BODY)[:-2] + b"Content-Length: 3\r\n\r\n"),
        NOT_HTTP,
    ),
    "a line break in an extension": (
        generate(CODING, body=b"13;a\nb\r\n" + BODY + b"\r\n0\r\n\r\n"),
        NOT_HTTP,
    ),
    "a folded line": (live_head("Host: x", "X: a", " b"), NOT_HTTP),
    "a blank before the colon": (generate(f"Content-Length : {len(BODY)}"), NOT_HTTP),
    "a bare line feed": (live_head("Host: x\nX: y"), NOT_HTTP),
    "a bare carriage return": (live_head("Host: x\rX: y"), NOT_HTTP),
    **{
        f"name {name!r}": (live_head("Host: x", f"{name}: a"), NOT_HTTP)
        for name in ("X\0", "X(", "X\t", "é", 'X"', "")
    },
    "NUL in a value": (live_head("Host: x", "X: a\0b"), NOT_HTTP),
    "CONNECT": (head("CONNECT x:1 HTTP/1.1", "Host: x"), NOT_HTTP),
    "a method in lower case": (head(f"get {LIVE} HTTP/1.1", "Host: x"), NOT_HTTP),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_head_that_breaks_the_rules_is_refused_with_all_that_follows(
    live: LiveServer, name: str
) -> None:
    raw, message = REFUSED[name]
    with live.connection() as connection:
        connection.send(raw + BEHIND)
        reply = connection.read()

        assert reply.status == 400
        assert reply.json() == {"error": message, "error_type": "Bad Request"}
        assert reply.headers["connection"] == "close"
        assert connection.is_closed()


@pytest.mark.parametrize(
    "host", ["", "x", "x:80", "x:", "a_b.example", "[::1]:80", "[fe80::1%eth0]", "a%20b", "x "]
)
def test_any_host_is_served(live: LiveServer, host: str) -> None:
    assert live.exchange(live_head(f"Host: {host}")).json() == {"live": True}


@pytest.mark.parametrize("address", [f"http://y{LIVE}", f"HTTPS://[::1]:81{LIVE}?a=b"])
def test_a_target_may_be_a_whole_address(live: LiveServer, address: str) -> None:
    with live.connection() as connection:
        for _ in range(2):
            connection.send(target(address))
            assert connection.read().json() == {"live": True}


def test_an_address_without_a_path_is_that_of_the_root(live: LiveServer) -> None:
    expected = live.exchange(target("/")).headers["etag"]

    for address in ("http://y", "http://y?a=b"):
        assert live.exchange(target(address)).headers["etag"] == expected


def test_the_host_of_an_address_counts_and_not_the_header() -> None:
    headers = [(b"host", b"evil"), (b"x", b"1")]

    assert checked_target("1.1", b"http://good:80/v2?a=b", headers) == b"/v2?a=b"
    assert headers == [(b"host", b"good:80"), (b"x", b"1")]


LAST_CHUNKS = chunked(BODY)[:-2] + b"Connection: close\r\n\r\n"


def test_the_last_request_may_be_told_by_a_trailer(live: LiveServer) -> None:
    """The parser reads nothing after it: whoever waited for an answer would wait in vain."""
    with live.connection() as connection:
        connection.send(generate(CODING, body=LAST_CHUNKS) + BEHIND)
        assert connection.read().status == 200
        assert connection.is_closed()


def test_the_last_request_may_be_told_by_a_trailer_after_its_answer(live: LiveServer) -> None:
    with live.connection() as connection:
        connection.send(head("POST /nowhere HTTP/1.1", "Host: x", CODING))
        assert connection.read().status == 404
        connection.send(LAST_CHUNKS)
        assert connection.is_closed()
