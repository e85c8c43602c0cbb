"""Loading, readiness, leaving clients, and the end of a server."""

import asyncio
import gc
import json
import logging
import re
import signal
import socket
import struct
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from app.lifecycle import Lifecycle
from app.run import GracefulServer, run
from app.settings import Settings
from engine import (
    EngineOverloadedError,
    EngineUnavailableError,
    GenerationError,
    InvalidRequestError,
    ModelLoadError,
)
from tests.fake_engine import FakeEngine, chunks
from tests.live_server import GENERATE, LiveServer, get, post, serving, wait_until
from tests.streams import STREAM
from tests.wire import Connection


def slow_engine() -> FakeEngine:
    """Takes ten seconds for its 200 tokens."""
    return FakeEngine(script=chunks(*"abcdefghij" * 20), seconds_per_chunk=0.05)


def generate(**parameters: object) -> bytes:
    return post(json.dumps({"text_input": "hi", "parameters": parameters}).encode())


def test_while_loading_the_port_is_open_and_nothing_is_ready() -> None:
    with serving(FakeEngine(is_loading=True)) as server:
        assert server.exchange(get("/v2/health/live")).json() == {"live": True}
        for path in ("/v2/health/ready", "/v2/models/fake/ready"):
            reply = server.exchange(get(path))
            assert (reply.status, reply.json()["error_type"]) == (503, "Service Unavailable")
        assert server.exchange(generate()).status == 503
        assert server.exchange(get("/v2/models/fake")).status == 200


def test_a_server_that_ends_while_loading_ends() -> None:
    engine = FakeEngine(is_loading=True)
    with serving(engine):
        pass

    assert engine.has_stopped


@pytest.mark.parametrize("failure", [ModelLoadError("broken"), RuntimeError("a fault")])
def test_a_failed_start_ends_the_server(failure: Exception) -> None:
    with serving(FakeEngine(start_failure=failure)) as server:
        wait_until(lambda: server.lifecycle.failure is failure)
        wait_until(lambda: server.has_ended())


@pytest.mark.parametrize("failure", [None, ModelLoadError("broken")])
async def test_a_start_is_told_as_ready_or_as_failed(failure: Exception | None) -> None:
    told: asyncio.Queue[str] = asyncio.Queue()
    lifecycle = Lifecycle(FakeEngine(start_failure=failure))
    lifecycle.on_ready = lambda: told.put_nowait("ready")
    lifecycle.on_failure = lambda: told.put_nowait("failed")
    async with lifecycle.lifespan(None):
        assert await asyncio.wait_for(told.get(), 10) == ("failed" if failure else "ready")
    assert told.empty()


@pytest.mark.parametrize(
    ("is_load_invariant", "told"),
    [(True, "fake (float32, decoder native)"),
     (False, "fake (float32, decoder native; answers can depend on load)")],
)  # fmt: skip
async def test_what_computes_the_model_is_told_once_it_is_ready(
    is_load_invariant: bool, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    engine = FakeEngine()
    model = replace(engine.models()[0], is_load_invariant=is_load_invariant)
    engine.models = lambda: (model,)  # type: ignore[method-assign]
    lifecycle, is_ready = Lifecycle(engine), asyncio.Event()
    lifecycle.on_ready = is_ready.set
    async with lifecycle.lifespan(None):
        await asyncio.wait_for(is_ready.wait(), 10)
    [line] = [line for line in caplog.messages if line.startswith("ready after")]
    assert line.endswith(f": {told}")


async def nothing(*_: object) -> None:
    """An application that is never asked."""


def test_what_has_been_loaded_is_searched_for_garbage_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lifecycle = Lifecycle(FakeEngine())

    def load_and_end(_server: GracefulServer, sockets: list[socket.socket]) -> None:
        for opened in sockets:
            opened.close()
        lifecycle.on_ready()

    monkeypatch.setattr(GracefulServer, "run", load_and_end)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    try:
        run(Settings(port=0), nothing, lifecycle)
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()


@pytest.mark.parametrize(
    ("failure", "status", "error_type"),
    [
        (InvalidRequestError("text_input", "is too long"), 422, "Input Validation Error"),
        (GenerationError("the logits are not finite"), 424, "Generation Error"),
        (EngineOverloadedError("the queue is full", 7), 429, "Overloaded"),
        (EngineUnavailableError("the engine died"), 503, "Service Unavailable"),
    ],
)
def test_errors_of_the_engine_have_their_status(
    failure: Exception, status: int, error_type: str
) -> None:
    with serving(FakeEngine(failure=failure, script=[])) as server:
        reply = server.exchange(generate())

    assert (reply.status, reply.json()) == (
        status,
        {"error": str(failure), "error_type": error_type},
    )
    assert reply.headers.get("retry-after") == ("7" if status == 429 else None)


def test_a_fault_is_500_and_tells_nothing() -> None:
    with serving(FakeEngine(failure=KeyError("secret /etc/path"))) as server:
        reply = server.exchange(generate())
        assert server.exchange(get("/v2/health/live")).status == 200

    assert (reply.status, reply.json()["error_type"]) == (500, "Internal Error")
    assert b"secret" not in reply.body
    assert b"KeyError" not in reply.body


def test_a_client_that_leaves_ends_its_generation_within_a_token() -> None:
    with serving(slow_engine()) as server:
        engine = server.engine
        with server.connection() as connection:
            connection.send(generate())
            wait_until(lambda: engine.num_yielded >= 2)
        num_at_leaving = engine.num_yielded
        wait_until(lambda: engine.num_closed == 1)

        assert engine.num_yielded <= num_at_leaving + 1


def end_sending(connection: Connection) -> None:
    """Said by a client that waits for its answer, and by the system for one that was killed."""
    connection.socket.shutdown(socket.SHUT_WR)


def reset(connection: Connection) -> None:
    connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


@pytest.mark.parametrize("leave", [end_sending, reset])
def test_a_client_that_says_no_more_has_left(leave: Callable[[Connection], None]) -> None:
    with serving(slow_engine()) as server:
        for path in (GENERATE, STREAM):
            check_that_it_has_left(server, path, leave)


def check_that_it_has_left(
    server: LiveServer, path: str, leave: Callable[[Connection], None]
) -> None:
    engine = server.engine
    num_yielded, num_closed = engine.num_yielded, engine.num_closed
    with server.connection() as connection:
        connection.send(post(b'{"text_input":"hi"}', path))
        wait_until(lambda: engine.num_yielded > num_yielded)
        leave(connection)
        wait_until(lambda: engine.num_closed > num_closed)

        assert engine.num_yielded < num_yielded + len(engine.script)
        wait_until(lambda: not server.server.server_state.connections)


@pytest.mark.parametrize(
    ("settings", "parameters"),
    [
        ({}, {"timeout": 0.3}),
        ({"request_timeout": 0.3}, {}),
        ({"request_timeout": 0.3}, {"timeout": 9}),
    ],
)
def test_the_shorter_time_limit_ends_a_generation(
    settings: dict[str, float], parameters: dict[str, float]
) -> None:
    with serving(slow_engine(), **settings) as server:
        reply = server.exchange(generate(**parameters))

        assert (reply.status, reply.json()["error_type"]) == (408, "Request Timeout")
        assert "0.3 seconds" in reply.json()["error"]
        assert server.engine.num_closed == 1
        assert server.engine.num_yielded <= 7


def test_running_requests_end_while_new_work_is_refused() -> None:
    engine = FakeEngine(script=chunks(*"abcdefgh"), seconds_per_chunk=0.1)
    with ThreadPoolExecutor() as pool, serving(engine) as server:
        running = pool.submit(server.exchange, generate())
        wait_until(lambda: engine.num_yielded > 0)
        server.server.should_exit = True
        wait_until(lambda: server.exchange(get("/v2/health/ready")).status == 503)

        assert server.exchange(generate()).status == 503
        assert server.exchange(get("/v2/health/live")).status == 200
        assert running.result().json()["text_output"] == "abcdefgh"
        wait_until(lambda: server.has_ended())


def test_what_runs_too_long_at_the_end_is_answered() -> None:
    engine = slow_engine()
    with ThreadPoolExecutor() as pool, serving(engine, drain_timeout=0.3) as server:
        running = pool.submit(server.exchange, generate())
        wait_until(lambda: engine.num_yielded > 0)
        server.server.should_exit = True
        reply = running.result()

    assert (reply.status, reply.json()["error_type"]) == (503, "Service Unavailable")
    assert engine.num_closed == 1


def test_every_answer_of_a_server_that_shuts_down_ends_its_connection() -> None:
    engine = FakeEngine(script=chunks(*"abcdefgh"), seconds_per_chunk=0.1)
    with ThreadPoolExecutor() as pool, serving(engine) as server, server.connection() as kept:
        kept.send(get("/v2/health/ready"))
        assert "connection" not in kept.read().headers
        running = pool.submit(server.exchange, generate())
        wait_until(lambda: engine.num_yielded > 0)
        server.server.should_exit = True
        wait_until(lambda: server.lifecycle.is_draining())
        kept.send(generate())
        reply = kept.read()

        assert (reply.status, reply.headers["connection"]) == (503, "close")
        assert kept.is_closed()
        assert running.result().headers["connection"] == "close"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_second_signal_ends_what_runs_at_once(
    number: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    engine = slow_engine()
    with ThreadPoolExecutor() as pool, serving(engine) as server:
        running = pool.submit(server.exchange, generate())
        wait_until(lambda: engine.num_yielded > 0)
        server.server.handle_exit(signal.SIGTERM, None)
        wait_until(server.lifecycle.is_draining)
        assert not running.done()
        server.server.handle_exit(number, None)
        reply = running.result()
        wait_until(lambda: server.has_ended())

    assert (reply.status, reply.json()["error_type"]) == (503, "Service Unavailable")
    assert engine.num_yielded < 100
    assert said_of_the_end(caplog) == [
        "stopping, since SIGTERM came; requests running: 1, seconds for them to end: 30",
        "stopping at once, since a second signal came",
        "stopped after _ s; requests cut off: 1",
    ]


def test_a_second_signal_does_not_wait_for_readers(caplog: pytest.LogCaptureFixture) -> None:
    """Nor for what is still sent to them, nor are they a fault of ours."""
    caplog.set_level(logging.INFO)
    engine = FakeEngine(script=chunks(*["x" * 100_000] * 100), seconds_per_chunk=0.01)
    with serving(engine) as server, server.connection() as connection:
        connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.send(post(b'{"text_input":"hi"}', f"{GENERATE}_stream"))
        wait_until(lambda: engine.num_yielded == 100)
        server.server.handle_exit(signal.SIGTERM, None)
        server.server.handle_exit(signal.SIGTERM, None)
        wait_until(lambda: server.has_ended())

    assert said_of_the_end(caplog)[-1] == "stopped after _ s; requests cut off: 1"


def test_a_second_signal_while_the_model_is_loaded_is_no_fault(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with serving(FakeEngine(is_loading=True)) as server:
        server.server.handle_exit(signal.SIGINT, None)
        server.server.handle_exit(signal.SIGINT, None)
        wait_until(lambda: server.has_ended())

    assert said_of_the_end(caplog) == ["stopping at once, since a second signal came"]


def said_of_the_end(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Without the seconds; nothing of it is an error, and nothing has a traceback."""
    for record in caplog.records:
        assert record.exc_info is None, record.exc_text
        assert record.levelno < logging.ERROR or record.getMessage() == "request"
    said = [record.getMessage() for record in caplog.records if record.name == "app.run"]
    return [re.sub(r"after [\d.]+ s", "after _ s", line) for line in said]


def test_an_engine_that_dies_makes_a_server_that_is_neither_live_nor_ready() -> None:
    engine = FakeEngine()
    with serving(engine) as server:
        has_failed = threading.Event()
        server.lifecycle.on_failure = has_failed.set  # and not the end, which comes too soon
        wait_until(lambda: server.exchange(get("/v2/health/ready")).status == 200)
        engine.die()
        assert has_failed.wait(10)

        for path in ("/v2/health/live", "/v2/health/ready", "/v2/models/fake/ready"):
            reply = server.exchange(get(path))
            assert (reply.status, reply.json()["error_type"]) == (503, "Service Unavailable")
        assert str(server.lifecycle.failure) == "the engine has died"


def test_an_engine_that_dies_ends_the_server_without_waiting_for_what_runs() -> None:
    engine = slow_engine()
    with ThreadPoolExecutor() as pool, serving(engine) as server:
        running = pool.submit(server.exchange, generate())
        wait_until(lambda: engine.num_yielded > 0)
        engine.die()

        assert running.result().status == 503
        wait_until(lambda: server.has_ended())


def test_requests_run_side_by_side() -> None:
    engine = FakeEngine(script=chunks("a"), seconds_per_chunk=0.3)
    with ThreadPoolExecutor(8) as pool, serving(engine) as server:
        started = time.monotonic()
        replies = list(pool.map(lambda _: server.exchange(generate()), range(8)))
        elapsed = time.monotonic() - started

    assert elapsed < 8 * 0.3 / 2
    assert {reply.status for reply in replies} == {200}
    assert len({reply.json()["id"] for reply in replies}) == 8
    assert len({request.request_id for request in engine.requests}) == 8
