"""Requests that are sent again under an Idempotency-Key."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest

from engine import EngineOverloadedError, EngineUnavailableError, GenerationError
from tests.answers import Judge
from tests.fake_engine import FakeEngine, chunks
from tests.keys import add_key
from tests.live_server import GENERATE, LiveServer, get, post, serving, wait_until
from tests.streams import STREAM
from tests.wire import Reply

BODY = {"text_input": "hi", "parameters": {"top_p": 0.5}}
OTHER = {"text_input": "hello"}
TENSOR = {"inputs": [{"name": "input0", "shape": [1], "datatype": "UINT32", "data": [5]}]}
_NUMBERS = count()


@pytest.fixture(scope="module")
def live() -> Iterator[LiveServer]:
    """Takes 0.4 seconds for an answer, in whose id no two generations are alike."""
    with serving(FakeEngine(script=chunks("a", "b"), seconds_per_chunk=0.2)) as server:
        yield server


@pytest.fixture(scope="module")
def judge(live: LiveServer) -> Judge:
    return Judge(live.exchange(get("/openapi.json")).json())


@pytest.fixture
def key() -> str:
    """One that no other test has used."""
    return f"key-{next(_NUMBERS)}"


def request(key: str, body: object = BODY, path: str = GENERATE, headers: str = "") -> bytes:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return post(raw, path, f"Idempotency-Key: {key}\r\n{headers}")


def is_replay(reply: Reply, first: Reply) -> bool:
    assert (reply.status, first.status) == (200, 200)
    assert "idempotent-replayed" not in first.headers
    is_marked = reply.headers.get("idempotent-replayed") == "true"
    assert is_marked == (reply.body == first.body)
    return is_marked


@pytest.mark.parametrize(
    ("operation", "body"),
    [
        ("generate", BODY),
        ("versions/1/generate", BODY),
        ("infer", TENSOR),
        ("versions/1/infer", TENSOR),
    ],
)
def test_the_same_request_gets_the_first_answer(
    live: LiveServer, judge: Judge, key: str, operation: str, body: object
) -> None:
    raw = request(key, body, f"/v2/models/fake/{operation}")
    num_before = len(live.engine.requests)

    first, again, without = (
        live.exchange(each)
        for each in (raw, raw, post(json.dumps(body).encode(), f"/v2/models/fake/{operation}"))
    )

    judge.check(raw, again)
    assert is_replay(again, first)
    assert again.headers["x-request-id"] != first.headers["x-request-id"]
    assert not is_replay(without, first)
    assert len(live.engine.requests) == num_before + 2


def test_while_the_first_runs_the_others_wait_for_it(live: LiveServer, key: str) -> None:
    num_before = len(live.engine.requests)
    with ThreadPoolExecutor() as pool:
        replies = list(pool.map(live.exchange, [request(key)] * 4))

    assert len(live.engine.requests) == num_before + 1
    assert len({reply.body for reply in replies}) == 1
    assert sum("idempotent-replayed" in reply.headers for reply in replies) == 3


@pytest.mark.parametrize(
    ("body", "path"),
    [(OTHER, GENERATE), (BODY, GENERATE.replace("/generate", "/versions/1/generate"))],
)
def test_another_request_under_the_same_key_is_refused(
    live: LiveServer, judge: Judge, key: str, body: object, path: str
) -> None:
    num_before = len(live.engine.requests)
    with ThreadPoolExecutor() as pool:
        first = pool.submit(live.exchange, request(key))
        wait_until(lambda: len(live.engine.requests) > num_before)
        while_running = live.exchange(request(key, body, path))
        assert first.result().status == 200
    afterwards = live.exchange(request(key, body, path))

    for reply in (while_running, afterwards):
        judge.check(request(key, body, path), reply)
        assert reply.status == 422
        assert reply.json()["error"].startswith("Idempotency-Key: ")
    assert len(live.engine.requests) == num_before + 1


@pytest.mark.parametrize(
    "body",
    [
        b'{"parameters":{"top_p":0.5},"text_input":"hi"}',
        b' { "text_input" : "\\u0068i", "parameters" : { "top_p" : 0.50, "top_k" : null } } ',
        b'{"text_input":"hi","parameters":{"top_p":0.5,"do_sample":false},"unknown":1}',
    ],
)
def test_the_same_body_may_be_written_in_another_way(
    live: LiveServer, key: str, body: bytes
) -> None:
    first, again = live.exchange(request(key)), live.exchange(request(key, body))

    assert is_replay(again, first)
    assert ("x-ignored-fields" in again.headers) == (b"unknown" in body)


@pytest.mark.parametrize("value", ["", "x" * 256, "a b", "schlüssel", "a\r\nIdempotency-Key: b"])
def test_a_key_out_of_bounds_is_refused(live: LiveServer, judge: Judge, value: str) -> None:
    reply = live.exchange(request(value))

    judge.check(request(value), reply)
    assert reply.status == 422
    assert reply.json()["error"].startswith("Idempotency-Key: ")


def test_the_longest_key_is_taken(live: LiveServer) -> None:
    assert live.exchange(request("!" * 254 + "~")).status == 200


def test_streams_do_not_know_the_header(live: LiveServer, key: str) -> None:
    assert live.exchange(request(key, path=STREAM)).status == 200
    assert "idempotent-replayed" not in live.exchange(request(key, OTHER, STREAM)).headers


@pytest.mark.parametrize(
    ("failure", "status"),
    [
        (EngineOverloadedError("the queue is full", 1), 429),
        (EngineUnavailableError("not ready"), 503),
        (GenerationError("failed"), 424),
        (RuntimeError("a fault"), 500),
    ],
)
def test_a_failure_is_told_to_all_that_wait_and_then_forgotten(
    live: LiveServer, key: str, failure: Exception, status: int
) -> None:
    live.engine.failure = failure
    num_before = len(live.engine.requests)
    try:
        with ThreadPoolExecutor() as pool:
            replies = list(pool.map(live.exchange, [request(key)] * 2))
    finally:
        live.engine.failure = None

    assert [reply.status for reply in replies] == [status, status]
    assert len(live.engine.requests) == num_before + 1
    assert live.exchange(request(key)).status == 200


def test_a_client_that_leaves_does_not_take_the_answer_from_the_other(
    live: LiveServer, key: str
) -> None:
    num_before = len(live.engine.requests)
    with ThreadPoolExecutor() as pool, live.connection() as first:
        first.send(request(key))
        wait_until(lambda: len(live.engine.requests) > num_before)
        second = pool.submit(live.exchange, request(key))
        wait_until(lambda: live.engine.num_yielded % 2 == 1)  # the first token is there
        first.close()

        assert second.result().json()["text_output"] == "ab"
    assert len(live.engine.requests) == num_before + 1


def test_what_every_client_has_left_is_ended_and_done_anew(live: LiveServer, key: str) -> None:
    num_before, num_closed = len(live.engine.requests), live.engine.num_closed
    num_yielded = live.engine.num_yielded
    with live.connection() as first:
        first.send(request(key))
        wait_until(lambda: len(live.engine.requests) > num_before)
    wait_until(lambda: live.engine.num_closed > num_closed)

    assert live.engine.num_yielded < num_yielded + 2
    assert live.exchange(request(key)).status == 200
    assert len(live.engine.requests) == num_before + 2


def test_each_api_key_has_its_own(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    lines = [add_key(path, name, f"gsk_{name}") for name in ("a", "b")]
    with serving(api_keys_file=path) as server:
        first, again, other = (
            server.exchange(request("same", headers=line)) for line in (lines[0], *lines)
        )

    assert is_replay(again, first)
    assert not is_replay(other, first)
