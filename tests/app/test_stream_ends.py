"""Event streams over sockets: every way in which they end."""

import socket
from contextlib import suppress

import pytest

from engine import (
    EngineOverloadedError,
    EngineUnavailableError,
    GenerationError,
    InvalidRequestError,
)
from tests.app.stream_requests import PLAIN, send, stream
from tests.fake_engine import FakeEngine, chunk, chunks
from tests.live_server import serving, wait_until
from tests.streams import STREAM, read_chunks, read_head, read_stream
from tests.wire import get, post


@pytest.mark.parametrize(
    ("failure", "status"),
    [
        (InvalidRequestError("text_input", "is too long"), 422),
        (GenerationError("the logits are not finite"), 424),
        (EngineOverloadedError("the queue is full", 7), 429),
        (KeyError("secret"), 500),
        (EngineUnavailableError("the engine died"), 503),
    ],
)
def test_a_failure_before_the_first_token_is_an_ordinary_answer(
    failure: Exception, status: int
) -> None:
    with serving(FakeEngine(failure=failure, script=[])) as server:
        reply = server.exchange(post(STREAM, b'{"text_input":"hi"}'))

    assert reply.status == status
    assert reply.headers["content-type"] == "application/json"
    assert reply.json().keys() == {"error", "error_type"}


@pytest.mark.parametrize(
    ("failure", "error", "error_type"),
    [
        (GenerationError("the logits are not finite"), None, "Generation Error"),
        (EngineUnavailableError("the engine died"), None, "Service Unavailable"),
        (KeyError("secret"), "the server failed to answer this request", "Internal Error"),
    ],
)
def test_a_later_failure_is_an_event_and_a_cut_connection(
    failure: Exception, error: str | None, error_type: str
) -> None:
    got = stream(FakeEngine(script=[chunk("a")], failure=failure), PLAIN)

    assert not got.is_complete
    assert [event["text_output"] for event in got.events] == ["a", ""]
    assert got.events[-1] == {
        "text_output": "",
        "error": error or str(failure),
        "error_type": error_type,
    }


def test_a_time_limit_before_the_first_token_is_408() -> None:
    with serving(FakeEngine(seconds_per_chunk=9)) as server:
        body = b'{"text_input":"hi","parameters":{"timeout":0.2}}'
        reply = server.exchange(post(STREAM, body))

        assert reply.status == 408
        assert server.engine.num_closed == 1


def test_a_time_limit_in_the_middle_ends_the_stream() -> None:
    engine = FakeEngine(script=chunks(*"abcdefghij"), seconds_per_chunk=0.1)
    got = stream(engine, {"text_input": "hi", "parameters": {"timeout": 0.35}})

    assert got.events[0]["text_output"] == "a"
    assert got.events[-1]["error_type"] == "Request Timeout"
    assert not got.is_complete
    assert engine.num_closed == 1
    assert engine.num_yielded < 10


@pytest.mark.parametrize("num_read", [0, 2])
def test_a_client_that_leaves_ends_its_generation(num_read: int) -> None:
    engine = FakeEngine(script=chunks(*"abcdefghij" * 20), seconds_per_chunk=0.05)
    with serving(engine) as server:
        with server.connection() as connection:
            send(connection, PLAIN)
            wait_until(lambda: engine.requests)
            if num_read:
                read_head(connection)
            parts = read_chunks(connection)
            for _ in range(num_read):
                next(parts)
        wait_until(lambda: engine.num_closed == 1)

        assert engine.num_yielded <= num_read + 2
        assert server.exchange(get("/v2/health/live")).status == 200


def test_a_reader_that_stops_is_ended_and_holds_nobody_up() -> None:
    engine = FakeEngine(script=chunks(*["x" * 200_000] * 100), seconds_per_chunk=0.002)
    with serving(engine, max_stream_backlog=4) as server:
        with server.connection() as lazy:
            lazy.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            send(lazy, PLAIN)
            wait_until(lambda: engine.num_closed == 1)
            assert engine.num_yielded < 100
            with suppress(ConnectionError):
                while lazy.socket.recv(1 << 20):
                    pass
        engine.script = chunks("a")
        with server.connection() as connection:
            send(connection, PLAIN)
            read_head(connection)
            assert read_stream(connection).is_complete


def test_events_that_come_all_at_once_make_no_reader_slow() -> None:
    text = "abcdefghij" * 20
    with serving(FakeEngine(script=chunks(*text)), max_stream_backlog=1) as server:
        with server.connection() as connection:
            send(connection, PLAIN)
            read_head(connection)
            got = read_stream(connection)

    assert got.is_complete
    assert got.text == text


def test_a_slow_reader_within_the_bound_gets_everything() -> None:
    texts = ["x" * 100_000] * 40
    engine = FakeEngine(script=chunks(*texts))
    with serving(engine, max_stream_backlog=40) as server, server.connection() as connection:
        send(connection, PLAIN)
        wait_until(lambda: engine.num_closed == 1)  # done long before it is read
        read_head(connection)
        got = read_stream(connection)

    assert got.is_complete
    assert got.text == "".join(texts)


def test_the_end_of_the_server_is_told_in_the_stream() -> None:
    engine = FakeEngine(script=chunks(*"abcdefghij" * 20), seconds_per_chunk=0.05)
    with serving(engine, drain_timeout=0.2) as server, server.connection() as connection:
        send(connection, PLAIN)
        read_head(connection)
        server.server.should_exit = True
        got = read_stream(connection)

    assert got.events[-1]["error_type"] == "Service Unavailable"
    assert not got.is_complete


def test_a_connection_goes_on_after_a_complete_stream() -> None:
    with serving() as server, server.connection() as connection:
        names = []
        for _ in range(2):
            send(connection, PLAIN)
            head = connection.read_bytes_until(b"\r\n\r\n")
            names.append([line.partition(b":")[0] for line in head.split(b"\r\n")])
            assert read_stream(connection).text == "Hello"

    assert names[0] == names[1]  # nothing of an answer is left in the next one
    assert len(set(names[0])) == len(names[0])


def test_ignored_fields_of_a_stream_are_named() -> None:
    with serving() as server, server.connection() as connection:
        send(connection, {**PLAIN, "stream": True})

        assert read_head(connection).headers["x-ignored-fields"] == "stream"
