"""Clients that take their time: told so, hung up on, and no burden for the others."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.contract.cases.case import GENERATE
from tests.contract.conftest import BODY_SECONDS, HEADER_SECONDS
from tests.real_server import RealServer
from tests.wire import head, post

pytestmark = pytest.mark.slow

GOOD = post(GENERATE, b'{"text_input":"a","max_tokens":1}')
CHUNKED = head(f"POST {GENERATE}", "Transfer-Encoding: chunked")
LATE = {
    "path": (b"GET /v2/health/li", HEADER_SECONDS),
    "header": (b"GET /v2/health/live HTTP/1.1\r\nHost: x\r\nX-Half: ", HEADER_SECONDS),
    "body": (GOOD[:-1], BODY_SECONDS),
    "chunk": (CHUNKED + b"5\r\nab", BODY_SECONDS),
}


def test_requests_that_do_not_arrive_are_408(server: RealServer) -> None:
    with ThreadPoolExecutor(len(LATE)) as pool:
        list(pool.map(lambda late: check_late(server, *late), LATE.values()))


def check_late(server: RealServer, raw: bytes, seconds: float) -> None:
    with server.connect() as connection:
        started = time.monotonic()
        connection.send(raw)
        reply = connection.read()
        elapsed = time.monotonic() - started
        server.judge.check(raw, reply)

        assert reply.status == 408
        assert seconds * 0.9 < elapsed < seconds + 2
        assert connection.is_closed()


def test_one_byte_at_a_time_does_not_help_and_harms_nobody(server: RealServer) -> None:
    """Two hundred slow clients at once."""
    slow = [server.connect() for _ in range(200)]
    started = time.monotonic()
    raw = iter(head("GET /v2/health/live", f"X: {'x' * 500}"))
    while time.monotonic() - started < HEADER_SECONDS * 0.8:
        byte = bytes([next(raw)])
        for connection in slow:
            connection.send(byte)
        assert server.exchange(GOOD).status == 200
    for connection in slow:
        assert connection.read().status == 408
        connection.close()
    assert time.monotonic() - started < HEADER_SECONDS + 5


def test_an_announced_body_that_never_comes_gets_one_answer_only(server: RealServer) -> None:
    with server.connect() as connection:
        connection.send(head(f"POST {GENERATE}", "Content-Length: 1000000000000"))
        assert connection.read().status == 413
        assert connection.is_closed()
