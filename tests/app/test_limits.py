"""Sizes and times, over sockets."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest

from app.document import load_document
from app.server import max_body_bytes
from tests.fake_engine import FakeEngine, chunks
from tests.live_server import GENERATE, LiveServer, get, post, serving, wait_until

BODY = b'{"text_input":"hi"}'
CHUNKED = f"POST {GENERATE} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
LIMIT = max_body_bytes(load_document())
HEADER_LIMIT = 65536
HEADER_TIMEOUT, BODY_TIMEOUT = 0.4, 0.8


@pytest.fixture(scope="module")
def hasty() -> Iterator[LiveServer]:
    """A server that waits for nobody, and takes longer to generate than it waits."""
    engine = FakeEngine(script=chunks("a", "b"), seconds_per_chunk=BODY_TIMEOUT)
    with serving(engine, header_timeout=HEADER_TIMEOUT, body_timeout=BODY_TIMEOUT) as server:
        yield server


def test_the_body_limit_leaves_room_for_the_longest_text_in_escapes() -> None:
    assert LIMIT == 524288 * 12 + 65536


def test_the_longest_text_in_escapes_is_read(live: LiveServer) -> None:
    body = b'{"text_input":"%s"}' % (rb"\ud83d\ude00" * 524288)

    assert live.exchange(post(body)).status == 200
    assert live.engine.requests[-1].prompt == "😀" * 524288


def test_a_body_over_the_limit_is_refused_and_the_connection_lives_on(live: LiveServer) -> None:
    with live.connection() as connection:
        connection.send(post(b" " * (LIMIT + 1)))
        reply = connection.read()
        assert (reply.status, reply.json()["error_type"]) == (413, "Payload Too Large")
        connection.send(post(b'{"text_input":"hi"}'))
        assert connection.read().status == 200


def test_a_body_announced_as_too_large_is_refused_unread(live: LiveServer) -> None:
    head = f"POST {GENERATE} HTTP/1.1\r\nHost: x\r\nContent-Length: {2**40}\r\n\r\n"

    assert live.exchange(head.encode()).status == 413


def test_a_chunked_body_is_refused_while_it_comes(live: LiveServer) -> None:
    head = f"POST {GENERATE} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunk = b"%x\r\n%s\r\n" % (1 << 20, b" " * (1 << 20))
    with live.connection() as connection:
        connection.send(head.encode() + chunk * 7)  # and the end is never sent
        assert connection.read().status == 413


def test_a_huge_body_meets_an_answer_and_not_a_reset(live: LiveServer) -> None:
    with live.connection() as connection:
        connection.send(f"POST {GENERATE} HTTP/1.1\r\nHost: x\r\n".encode())
        connection.send(f"Content-Length: {64 << 20}\r\n\r\n".encode())
        for _ in range(64):
            connection.send(b" " * (1 << 20))
        assert connection.read().status == 413


@pytest.mark.parametrize(
    "headers",
    [
        f"X-Long: {'x' * HEADER_LIMIT}\r\n",
        f"X-Long: {'x' * 2_000_000}\r\n",
        "".join(f"X-{number}: x\r\n" for number in range(10000)),
    ],
)
def test_large_headers_are_431(live: LiveServer, headers: str) -> None:
    reply = live.exchange(get("/v2/health/live", headers))

    assert (reply.status, reply.json()["error_type"]) == (431, "Request Header Fields Too Large")


def test_a_header_that_never_ends_is_431(live: LiveServer) -> None:
    with live.connection() as connection:
        connection.send(b"GET /v2 HTTP/1.1\r\nHost: x\r\nX-Long: " + b"x" * (HEADER_LIMIT + 1))
        assert connection.read().status == 431


@pytest.mark.parametrize("tail", [b"0\r\nX-Trailer: ", b"1;extension="])
def test_what_surrounds_a_chunked_body_is_limited_too(live: LiveServer, tail: bytes) -> None:
    head = f"POST {GENERATE} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    with live.connection() as connection:
        connection.send(head.encode() + tail)
        for _ in range(60):
            connection.send(b"x" * 2000)
            time.sleep(0.001)
        assert connection.read().status == 431


@pytest.mark.parametrize(
    "tail",
    [
        b"13;extension=%s\r\n%s\r\n0\r\n\r\n" % (b"x" * 200_000, BODY),
        b"%b0\r\n\r\n" % b"".join(b"1;%s\r\n%c\r\n" % (b"x" * 20_000, byte) for byte in BODY),
        b"13\r\n%s\r\n0\r\nX-Trailer: %s\r\n\r\n" % (BODY, b"x" * 200_000),
        b"13\r\n%s\r\n0\r\n%s\r\n" % (BODY, b"X-Trailer: x\r\n" * 20_000),
    ],
    ids=["one extension", "extensions", "one trailer", "trailers"],
)
def test_what_surrounds_a_body_is_limited_when_it_comes_at_once(
    live: LiveServer, tail: bytes
) -> None:
    reply = live.exchange(CHUNKED + tail)

    assert (reply.status, reply.headers["connection"]) == (431, "close")


def test_small_chunks_are_no_headers(live: LiveServer) -> None:
    text = b"x" * 100_000
    body = b'{"text_input":"%s"}' % text
    chunks_of_a_byte = b"".join(b"1\r\n%c\r\n" % byte for byte in body)

    assert live.exchange(CHUNKED + chunks_of_a_byte + b"0\r\n\r\n").status == 200
    assert live.engine.requests[-1].prompt == text.decode()


def test_headers_within_the_limit_are_read(live: LiveServer) -> None:
    headers = f"X-Long: {'x' * (HEADER_LIMIT - 200)}\r\n"

    assert live.exchange(get("/v2/health/live", headers)).status == 200


@pytest.mark.parametrize(
    ("raw", "seconds"),
    [
        (b"GET /v2/health/li", HEADER_TIMEOUT),
        (b"GET /v2/health/live HTTP/1.1\r\nHost: x\r\n", HEADER_TIMEOUT),
        (post(b'{"text_input":"hi"}')[:-1], BODY_TIMEOUT),
        (
            f"POST {GENERATE} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n".encode(),
            BODY_TIMEOUT,
        ),
    ],
)
def test_a_request_that_does_not_arrive_is_408(
    hasty: LiveServer, raw: bytes, seconds: float
) -> None:
    with hasty.connection() as connection:
        started = time.monotonic()
        connection.send(raw)
        reply = connection.read()
        elapsed = time.monotonic() - started

        assert (reply.status, reply.json()["error_type"]) == (408, "Request Timeout")
        assert reply.headers["x-request-id"]
        assert seconds * 0.9 <= elapsed < seconds + 2
        assert connection.is_closed()


def test_trickling_does_not_help(hasty: LiveServer) -> None:
    with hasty.connection() as connection:
        connection.send(
            f"POST {GENERATE} HTTP/1.1\r\nHost: x\r\nContent-Length: 999\r\n\r\n".encode()
        )
        for _ in range(int(BODY_TIMEOUT / 0.1) + 1):
            connection.send(b" ")
            time.sleep(0.1)
        assert connection.read().status == 408


def test_a_connection_that_says_nothing_is_closed(hasty: LiveServer) -> None:
    with hasty.connection() as connection:
        assert connection.is_closed()


def test_an_answer_may_take_longer_than_a_request(hasty: LiveServer) -> None:
    with hasty.connection() as connection:
        connection.send(post(b'{"text_input":"hi"}'))
        assert connection.read().status == 200
        connection.send(post(b'{"text_input":"hi"}'))  # and again on the same connection
        assert connection.read().status == 200


def test_a_pipelined_request_waits_without_a_time_limit(hasty: LiveServer) -> None:
    with hasty.connection() as connection:
        connection.send(post(b'{"text_input":"hi"}') + get("/v2/health/live"))
        assert connection.read().status == 200
        assert connection.read().json() == {"live": True}


def test_too_many_connections_are_told_so() -> None:
    with serving(max_connections=1) as server, server.connection() as first:
        first.send(get("/v2/health/live"))
        assert first.read().status == 200
        reply = server.exchange(get("/v2/health/live"))
        first.send(get("/v2/health/live"))

        assert (reply.status, reply.headers["retry-after"]) == (503, "1")
        assert first.read().status == 200


def test_connections_far_beyond_the_limit_are_not_kept() -> None:
    with serving(max_connections=4) as server, ExitStack() as stack:
        opened = []
        for _ in range(40):
            with suppress(ConnectionResetError):  # it may come before the connection is made
                opened.append(stack.enter_context(server.connection()))
        wait_until(lambda: len(server.server.server_state.connections) == 8)
        opened[0].send(get("/v2/health/live"))

        assert opened[0].read().status == 200


@pytest.mark.parametrize("headers", ["", "Connection: close\r\n"])
def test_a_reader_that_takes_nothing_is_given_up(headers: str) -> None:
    with serving(write_timeout=0.3) as server, server.connection() as connection:
        connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.send(
            get("/ui/swagger-ui-bundle.js") * 19 + get("/ui/swagger-ui-bundle.js", headers)
        )
        connections = server.server.server_state.connections
        wait_until(lambda: connections)
        wait_until(lambda: not connections)
        time.sleep(0.1)

        assert not server.server.server_state.tasks


def test_a_reader_that_is_only_slow_gets_everything() -> None:
    with serving(write_timeout=5) as server, server.connection() as connection:
        connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        connection.send(get("/ui/swagger-ui-bundle.js") * 4)
        for _ in range(4):
            time.sleep(0.3)
            assert connection.read().status == 200


@pytest.mark.parametrize(
    ("length", "status"), [(HEADER_LIMIT - 500, 404), (HEADER_LIMIT + 1, 431), (2_000_000, 431)]
)
def test_a_long_url_is_refused_shortly(live: LiveServer, length: int, status: int) -> None:
    for path in (
        f"/{'x' * length}",
        f"/v2/models/{'%61' * (length // 3)}/ready",
        f"/v2?{'x' * length}",
    ):
        started = time.monotonic()
        reply = live.exchange(get(path))

        assert reply.status == (200 if status == 404 and "?" in path else status)
        assert len(reply.body) < 1000
        assert time.monotonic() - started < 2


def test_a_client_that_leaves_in_the_middle_of_its_body_harms_nobody(live: LiveServer) -> None:
    with live.connection() as connection:
        connection.send(post(b'{"text_input":"hi"}')[:-5])
        connection.socket.shutdown(socket.SHUT_RDWR)

    assert live.exchange(get("/v2/health/live")).status == 200
