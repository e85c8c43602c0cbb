"""What happens on one connection, and to the server's memory, over more than one request."""

import gzip
import socket

import pytest

from tests.contract.cases.case import GENERATE
from tests.real_server import RealServer
from tests.wire import chunked, get, head, post

BODY = b'{"text_input":"a","parameters":{"max_new_tokens":1}}'
GOOD = post(GENERATE, BODY)
LIVE = get("/v2/health/live")
MEGABYTE = 1 << 20
FLAT = 32 * MEGABYTE  # what the memory may grow by, whatever is sent
CHUNKED = head(f"POST {GENERATE}", "Transfer-Encoding: chunked")

ERRORS = {
    "422": (post(GENERATE, b"{"), 422),
    "404 with a body": (post("/nope", BODY), 404),
    "404 of a model": (post("/v2/models/nope/generate", BODY), 404),
    "405": (post("/v2/health/live", BODY), 405),
    "415": (post(GENERATE, BODY, "Content-Type: text/plain"), 415),
    "415 gzip": (post(GENERATE, gzip.compress(BODY), "Content-Encoding: gzip"), 415),
    "413": (post(GENERATE, b" " * (7 * MEGABYTE)), 413),
    "413 in chunks": (CHUNKED + chunked(*[b" " * MEGABYTE] * 7), 413),
    "403": (post(GENERATE, BODY, "Origin: https://evil.example"), 403),
}


@pytest.mark.parametrize("name", ERRORS)
def test_a_connection_lives_on_after_an_error(server: RealServer, name: str) -> None:
    raw, status = ERRORS[name]
    with server.connect() as connection:
        for _ in range(2):
            connection.send(raw)
            assert connection.read().status == status
            connection.send(GOOD)
            assert connection.read().status == 200


def test_pipelined_requests_are_answered_in_order(server: RealServer) -> None:
    with server.connect() as connection:
        connection.send(GOOD + get("/nope") + post(GENERATE, b"{") + CHUNKED + chunked(BODY) + LIVE)

        statuses = [connection.read().status for _ in range(5)]

    assert statuses == [200, 404, 422, 200, 200]


@pytest.mark.parametrize(
    "raw",
    [
        b"FOO / HTTP/1.1\r\n\r\n" + LIVE,
        head(f"POST {GENERATE}", "Content-Length: 1", "Content-Length: 2") + LIVE,
        head(f"POST {GENERATE}", "Content-Length: 4", "Transfer-Encoding: chunked") + LIVE,
    ],
)
def test_nothing_is_read_after_what_is_not_http(server: RealServer, raw: bytes) -> None:
    with server.connect() as connection:
        connection.send(raw)
        reply = connection.read()
        server.judge.check(raw, reply)

        assert reply.status == 400
        assert reply.headers["connection"] == "close"
        assert connection.is_closed()


@pytest.mark.parametrize("tail", [b"zz\r\n", b"-1\r\n", b"5\r\nabcdefgh\r\n", b"f" * 17 + b"\r\n"])
def test_a_broken_chunk_is_400(server: RealServer, tail: bytes) -> None:
    with server.connect() as connection:
        connection.send(CHUNKED + tail)
        reply = connection.read()
        server.judge.check(CHUNKED, reply)

        assert reply.status == 400
        assert connection.is_closed()


def test_a_client_that_asks_first_is_told_to_go_on(server: RealServer) -> None:
    with server.connect() as connection:
        connection.send(
            head(f"POST {GENERATE}", f"Content-Length: {len(BODY)}", "Expect: 100-continue")
        )
        assert connection.read().status == 100
        connection.send(BODY)
        assert connection.read().status == 200


@pytest.mark.parametrize(
    ("path", "lines", "status"),
    [
        (GENERATE, ("Content-Length: 300000000",), 413),
        (GENERATE, ("Content-Length: 20", "Content-Type: text/plain"), 415),
        ("/v2/models/nope/generate", ("Content-Length: 20",), 404),
        ("/nope", ("Content-Length: 20",), 404),
    ],
)
def test_a_client_that_asks_first_hears_a_refusal_at_once(
    server: RealServer, path: str, lines: tuple[str, ...], status: int
) -> None:
    raw = head(f"POST {path}", *lines, "Expect: 100-continue")

    assert server.exchange(raw).status == status


def test_a_huge_body_is_refused_without_being_kept(server: RealServer) -> None:
    raw = head(f"POST {GENERATE}", f"Content-Length: {300 * MEGABYTE}")
    with server.connect() as connection:
        connection.send(raw)
        before, grown = server.resident_bytes(), 0
        for _ in range(300):
            connection.send(b" " * MEGABYTE)
            grown = max(grown, server.resident_bytes() - before)
        assert connection.read().status == 413
        connection.send(GOOD)
        assert connection.read().status == 200
    assert grown < FLAT


def test_an_endless_body_is_refused_without_being_kept(server: RealServer) -> None:
    piece = b"%x\r\n%s\r\n" % (MEGABYTE, b" " * MEGABYTE)
    with server.connect() as connection:
        connection.send(CHUNKED)
        before, grown = server.resident_bytes(), 0
        for _ in range(100):
            connection.send(piece)
            grown = max(grown, server.resident_bytes() - before)
        assert connection.read().status == 413
    assert grown < FLAT


def test_refused_bodies_leave_no_memory_behind(server: RealServer) -> None:
    """Errors of JSON hold the whole document in their exception."""
    bodies = [
        b"[" * 6 * MEGABYTE,
        b'{"text_input":"\xff' + b"a" * 6 * MEGABYTE,
        b'{"a":' + b"9" * 6 * MEGABYTE,
    ]
    for raw in bodies:
        assert server.exchange(post(GENERATE, raw)).status == 422
    before = server.resident_bytes()
    for _ in range(4):
        for raw in bodies:
            assert server.exchange(post(GENERATE, raw)).status == 422
    assert server.resident_bytes() - before < FLAT


def test_a_client_that_leaves_in_the_middle_harms_nobody(server: RealServer) -> None:
    for raw in (GOOD[:20], GOOD[:-5], GOOD, CHUNKED, b"\x00"):
        for how in (socket.SHUT_WR, socket.SHUT_RDWR):
            with server.connect() as connection:
                connection.send(raw)
                connection.socket.shutdown(how)
    assert server.exchange(GOOD).status == 200


def test_head_says_what_get_would_send(server: RealServer) -> None:
    for path in ("/v2", "/v2/health/live", "/openapi.json", "/ui/"):
        expected = server.exchange(get(path))
        with server.connect() as connection:
            connection.send(head(f"HEAD {path}") + LIVE)
            reply = connection.read(has_body=False)

            assert reply.status == 200
            assert reply.headers["content-length"] == str(len(expected.body))
            assert connection.read().json() == {"live": True}
