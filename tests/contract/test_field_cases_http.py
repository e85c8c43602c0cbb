"""Cases from the field, E: the protocol, and the life of a server."""

import gzip
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.fake_engine import FakeEngine, chunks
from tests.live_server import GENERATE, get, post, serving, wait_until
from tests.streams import STREAM, read_head, read_stream
from tests.tiny_server import MODEL_URL, TinyServer, tiny_server

pytestmark = pytest.mark.slow

BODY = b'{"text_input":"x","parameters":{"max_new_tokens":2}}'
LONG = {"text_input": "x", "parameters": {"max_new_tokens": 128, "ignore_eos": True}}


@pytest.mark.parametrize(
    ("content_type", "status"),
    [(None, 200), ("application/x-www-form-urlencoded", 200),
     ("application/json; charset=utf-8", 200), ("text/plain", 415)],
)  # fmt: skip
def test_case_44_content_types(tiny: TinyServer, content_type: str | None, status: int) -> None:
    headers = f"Content-Type: {content_type}\r\n" if content_type else ""
    for operation in ("generate", "infer", "tokenize"):
        body = BODY
        if operation == "infer":
            tensor = {"name": "i", "shape": [1], "datatype": "BYTES", "data": ["x"]}
            body = json.dumps({"inputs": [tensor]}).encode()
        reply = tiny.live.exchange(post(body, f"{MODEL_URL}/{operation}", headers))
        assert reply.status == status


@pytest.mark.parametrize("path", [f"{MODEL_URL}/generate/", f"/{MODEL_URL}/generate"])
def test_case_45_a_path_with_an_empty_part_is_not_found(tiny: TinyServer, path: str) -> None:
    assert tiny.live.exchange(post(BODY, path)).status == 404
    assert tiny.live.exchange(get("/v2/")).status == 404


@pytest.mark.parametrize("operation", ["generate", "generate_stream"])
def test_case_47_the_work_of_clients_that_leave_ends(tiny_path: Path, operation: str) -> None:
    raw = post(json.dumps(LONG).encode(), f"{MODEL_URL}/{operation}")
    with tiny_server(tiny_path, max_batch=2) as server:
        connections = [server.live.connection() for _ in range(6)]  # four of them have to wait
        for opened in connections:
            opened.__enter__().send(raw)
        wait_until(lambda: server.stats()["num_running"] == 2)
        for opened in connections:
            opened.__exit__(None, None, None)
        wait_until(server.is_idle)

        assert server.stats()["inference_stats"]["cancel"]["count"] >= 1
        assert server.is_alive()


def test_cases_50_and_51_a_crowd_is_refused_and_probes_are_answered(tiny_path: Path) -> None:
    limit, surplus = 6, 20
    with tiny_server(tiny_path, max_batch=2, max_queue=4) as server:

        def one(_: int) -> tuple[int, Any]:
            reply = server.post("generate", LONG)
            return reply.status_code, reply.headers.get("retry-after")

        with ThreadPoolExecutor(limit + surplus) as pool:
            crowd = [pool.submit(one, number) for number in range(limit + surplus)]
            while not all(future.done() for future in crowd):
                assert server.client.get("/v2/health/live").status_code == 200
                assert server.client.get("/v2/health/ready").status_code in (200, 503)
        answers = [future.result() for future in crowd]

        accepted = [answer for answer in answers if answer[0] == 200]
        refused = [answer for answer in answers if answer[0] == 429]
        assert len(accepted) >= limit
        assert len(accepted) + len(refused) == len(answers)
        assert all(int(retry_after) >= 1 for _, retry_after in refused)
        assert server.is_alive()


def test_case_53_who_does_not_send_is_cut_off_and_long_streams_are_not() -> None:
    engine = FakeEngine(script=chunks(*"abcdefgh"), seconds_per_chunk=0.1)
    with serving(engine, header_timeout=0.3, body_timeout=0.3) as server:
        with (
            server.connection() as stream,
            server.connection() as body,
            server.connection() as head,
        ):
            stream.send(post(BODY, STREAM))
            head.send(b"POST /v2 HTTP/1.1\r\nHost: a\r\nX-Slow: ")
            body.send(post(BODY)[:-10])
            assert body.read().status == 408
            assert head.read().status == 408
            read_head(stream)
            assert read_stream(stream).text == "abcdefgh"


@pytest.mark.parametrize("encoding", ["gzip", "br", "deflate", "gzip, identity"])
def test_case_55_compressed_bodies_are_refused(tiny: TinyServer, encoding: str) -> None:
    bomb = gzip.compress(b"\0" * 10_000_000)

    for raw in (gzip.compress(BODY), bomb):
        assert tiny.statuses(raw, **{"Content-Encoding": encoding}) == [415, 415]
        assert tiny.statuses(raw) == [422, 422]
    assert tiny.is_alive()


def test_case_57_nothing_but_events_in_a_write_each() -> None:
    engine = FakeEngine(script=chunks(*"abcd"), seconds_per_chunk=0.5)
    with ThreadPoolExecutor(64) as pool, serving(engine) as server:

        def one(_: int) -> list[bytes]:
            with server.connection() as connection:
                connection.send(post(b'{"id":"a","text_input":"x"}', STREAM))
                read_head(connection)
                return read_stream(connection).frames  # one HTTP chunk is one write

        streams = list(pool.map(one, range(64)))

    start = b'data:{"id":"a","model_name":"fake","model_version":null,"text_output":"'
    expected = [start + letter.encode() + b'"}\n\n' for letter in "abcd"]
    assert streams == [expected] * 64


def test_case_59_no_field_of_the_sister_protocol_is_required() -> None:
    with serving() as server:
        assert server.exchange(post(b'{"text_input":"x"}', GENERATE)).status == 200
        [request] = server.engine.requests

    assert request.sampling_params.max_new_tokens == 20
    assert not request.sampling_params.do_sample
