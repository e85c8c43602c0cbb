"""Requests sent before the answers to those before them, the last of them broken."""

import time
from collections.abc import Callable, Iterator

import pytest

from app.pipelined_protocol import MAX_PIPELINED
from tests.fake_engine import FakeEngine, chunks
from tests.live_server import GENERATE, LiveServer, get, post, serving
from tests.wire import Connection

GOOD = post(b'{"text_input":"hi"}')
STREAM = post(b'{"text_input":"hi"}', f"{GENERATE}_stream")
CHUNKED = f"POST {GENERATE} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
BROKEN = {
    "garbage": (b"\x00\x01garbage\r\n\r\n", 400),
    "a broken chunk": (CHUNKED + b"zz\r\n", 400),
    "large headers": (get("/v2", f"X-Long: {'x' * 70_000}\r\n"), 431),
    "large trailers": (CHUNKED + b"0\r\nX-Long: " + b"x" * 100_000, 431),
}


@pytest.fixture(scope="module")
def slow() -> Iterator[LiveServer]:
    engine = FakeEngine(script=chunks("Hel", "lo"), seconds_per_chunk=0.1)
    with serving(engine) as server:
        yield server


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("num_good", [1, 3])
def test_good_requests_are_answered_before_a_broken_one(
    slow: LiveServer, name: str, num_good: int
) -> None:
    raw, status = BROKEN[name]
    with slow.connection() as connection:
        connection.send(GOOD * num_good + raw)
        for _ in range(num_good):
            assert connection.read().json()["text_output"] == "Hello"

        check_last_answer(connection, status)


def test_a_stream_ends_well_before_a_broken_request_is_refused(slow: LiveServer) -> None:
    with slow.connection() as connection:
        connection.send(STREAM)
        connection.read_bytes_until(b"Hel")
        connection.send(b"\x00garbage\r\n\r\n" + GOOD)
        connection.read_bytes_until(b"\r\n0\r\n\r\n")

        check_last_answer(connection, 400)


def test_what_comes_after_a_broken_request_is_not_read(slow: LiveServer) -> None:
    before = len(slow.engine.requests)
    with slow.connection() as connection:
        connection.send(GOOD + b"\x00garbage\r\n\r\n" + GOOD)
        connection.send(GOOD)
        assert connection.read().status == 200

        check_last_answer(connection, 400)
    assert len(slow.engine.requests) == before + 1


def test_the_last_request_that_a_client_announces_ends_the_connection(slow: LiveServer) -> None:
    last = post(b'{"text_input":"hi"}', headers="Connection: close\r\n")
    with slow.connection() as connection:
        connection.send(last + b"\x00garbage\r\n\r\n")
        assert connection.read().status == 200
        assert connection.is_closed()


def test_only_so_many_requests_wait_on_one_connection(slow: LiveServer) -> None:
    with slow.connection() as connection:
        connection.send(GOOD + get("/v2") * 20_000)
        replies = [connection.read() for _ in range(MAX_PIPELINED + 1)]

        assert [reply.status for reply in replies] == [200] * (MAX_PIPELINED + 1)
        check_last_answer(connection, 503)


@pytest.mark.parametrize("operation", ["generate", "generate_stream"])
def test_a_client_that_leaves_is_noticed_whatever_it_has_sent_behind(operation: str) -> None:
    endless = FakeEngine(script=chunks(*["a"] * 200), seconds_per_chunk=0.05)
    with serving(endless) as server:
        raw = post(b'{"text_input":"hi"}', GENERATE.replace("generate", operation))
        with server.connection() as connection:
            connection.send(raw + get("/v2") * 3)
            wait_until(lambda: len(endless.requests) == 1)
        wait_until(lambda: endless.num_closed == 1)


def wait_until(holds: Callable[[], bool], seconds: float = 5) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_trailers_are_no_headers(live: LiveServer) -> None:
    body = b'13\r\n{"text_input":"hi"}\r\n0\r\n'
    trailers = b"Content-Type: text/plain\r\nX-Request-Id: trailer\r\n\r\n"
    with live.connection() as connection:
        connection.send((CHUNKED + body + trailers) * 2 + get("/v2/health/live"))
        for _ in range(3):
            reply = connection.read()
            assert (reply.status, reply.headers["x-request-id"] == "trailer") == (200, False)


def check_last_answer(connection: Connection, status: int) -> None:
    reply = connection.read()
    assert (reply.status, reply.headers["connection"]) == (status, "close")
    assert set(reply.json()) == {"error", "error_type"}
    assert connection.is_closed()
