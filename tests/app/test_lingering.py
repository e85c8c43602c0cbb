"""Clients that are still sending when they are refused: they read the whole answer."""

import socket
import ssl
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
import trustme

from app import lingering_protocol
from tests.fake_engine import FakeEngine, chunks
from tests.keys import add_key
from tests.live_server import GENERATE, LiveServer, serving, wait_until
from tests.wire import Connection, Reply

MEGABYTE = 1 << 20
LAST = "Connection: close\r\n"
BODY_SECONDS = 1.5


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server that needs keys."""
    file = tmp_path_factory.mktemp("keys") / "keys.json"
    add_key(file, "web", "gsk_secret")
    with serving(api_keys_file=file) as server:
        yield server


def head(path: str, *lines: str, length: int = 1 << 30) -> bytes:
    start = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n"
    return "".join((start, *lines, "\r\n")).encode()


def send_slowly(connection: Connection, megabytes: int = 2) -> None:
    """So that every piece meets whatever the server has said to the one before."""
    for _ in range(4 * megabytes):
        connection.send(b"x" * (MEGABYTE // 4))
        time.sleep(0.01)


def refusal(server: LiveServer, raw: bytes) -> Reply:
    """What a client reads that has sent some megabytes beforehand, and that nothing follows."""
    with server.connection() as connection:
        connection.send(raw)
        send_slowly(connection)
        reply = connection.read()
        assert connection.is_closed()
        return reply


@pytest.mark.parametrize(
    ("path", "line", "status"),
    [
        (GENERATE, "", 413),
        ("/nowhere", "", 404),
        (GENERATE.replace("fake", "other"), "", 404),
        (GENERATE, "Content-Type: text/plain\r\n", 415),
        (GENERATE, "Origin: https://evil.example\r\n", 403),
        ("/v2/health/live", "", 405),
    ],
)
def test_a_refused_client_may_end_what_it_sends(
    live: LiveServer, path: str, line: str, status: int
) -> None:
    reply = refusal(live, head(path, line, LAST))

    assert (reply.status, reply.headers["connection"]) == (status, "close")
    assert set(reply.json()) == {"error", "error_type"}


def test_a_client_without_a_key_may_end_what_it_sends(closed: LiveServer) -> None:
    assert refusal(closed, head(GENERATE, LAST)).status == 401


def test_a_client_of_http_1_0_may_end_what_it_sends(live: LiveServer) -> None:
    raw = head(GENERATE, LAST).replace(b"HTTP/1.1", b"HTTP/1.0")

    assert refusal(live, raw).status == 413


def test_a_client_whose_request_is_broken_may_end_what_it_sends(live: LiveServer) -> None:
    broken = head(GENERATE, "Transfer-Encoding: chunked\r\n")

    assert refusal(live, broken).status == 400


def test_a_client_that_a_draining_server_refuses_may_end_what_it_sends() -> None:
    engine = FakeEngine(script=chunks(*"ab" * 500), seconds_per_chunk=0.05)
    with ThreadPoolExecutor() as pool, serving(engine) as server:
        body = b'{"text_input":"a"}'
        running = pool.submit(server.exchange, head(GENERATE, length=len(body)) + body)
        wait_until(lambda: engine.num_yielded > 0)
        server.server.should_exit = True
        wait_until(lambda: server.lifecycle.is_draining())

        assert refusal(server, head(GENERATE)).status == 503
        server.server.force_exit = True
        assert running.result().status == 503


def test_a_client_behind_tls_may_end_what_it_sends(tmp_path: Path) -> None:
    authority, file = trustme.CA(), tmp_path / "server.pem"
    authority.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.write_to_path(str(file))
    context = ssl.create_default_context()
    authority.configure_trust(context)
    with serving(tls_certificate_file=file) as server, server.connection() as plain:
        with context.wrap_socket(plain.socket, server_hostname="127.0.0.1") as secure:
            secure.sendall(head(GENERATE, LAST))
            for _ in range(8):
                secure.sendall(b"x" * (MEGABYTE // 4))
                time.sleep(0.01)
            with secure.makefile("rb") as answer:
                assert answer.readline() == b"HTTP/1.1 413 Request Entity Too Large\r\n"


def test_only_the_time_that_the_body_had_is_left_to_it() -> None:
    with serving(body_timeout=BODY_SECONDS) as server, server.connection() as connection:
        started = time.monotonic()
        connection.send(head(GENERATE, LAST))
        assert connection.read().status == 413
        with suppress(ConnectionError):
            while time.monotonic() < started + 5 * BODY_SECONDS:
                connection.send(b"x")
                time.sleep(0.05)
        assert BODY_SECONDS * 0.9 < time.monotonic() - started < BODY_SECONDS + 2
        assert not server.server.server_state.connections


def test_a_client_that_sends_no_more_is_not_waited_for(
    live: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lingering_protocol, "PAUSE_SECONDS", 0.3)
    with live.connection() as connection:
        connection.send(head(GENERATE, LAST))
        assert connection.read().status == 413
        wait_until(lambda: not live.server.server_state.connections)


def test_only_so_much_is_thrown_away(live: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lingering_protocol, "MAX_DISCARDED_BYTES", MEGABYTE)
    with live.connection() as connection:
        connection.send(head(GENERATE, LAST))
        with pytest.raises(ConnectionError):
            send_slowly(connection, 64)


def test_a_request_that_follows_the_last_one_is_not_answered(live: LiveServer) -> None:
    before = len(live.engine.requests)
    body = b'{"text_input":"a"}'
    good = head(GENERATE, length=len(body)) + body
    with live.connection() as connection:
        connection.send(head("/nowhere", LAST, length=8) + b"x" * 7)
        assert connection.read().status == 404
        connection.send(b"x" + good)
        connection.socket.shutdown(socket.SHUT_WR)
        assert connection.is_closed()
    assert len(live.engine.requests) == before
