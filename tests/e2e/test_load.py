"""A server with one slot and one place to wait: who leaves makes room, who is too many is told."""

import json
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.answer import CAPITAL, ask
from tests.embedded_server import LIGHT
from tests.real_server import RealServer, real_server
from tests.wire import Connection, get

SHORT: dict[str, Any] = {"text_input": CAPITAL, "parameters": {"max_new_tokens": 1}}
NUM_FEW_TOKENS = 20


def long(num_tokens: int) -> dict[str, Any]:
    parameters = {"max_new_tokens": num_tokens, "ignore_eos": True, "details": True}
    return {"text_input": CAPITAL, "parameters": parameters}


@contextmanager
def serving(model_path: Path, folder: Path) -> Iterator[RealServer]:
    settings = {"max_batch_size": 1, "max_queue_size": 1, "drain_timeout": 120, **LIGHT}
    with real_server(model_path, folder / "server.log", **settings) as running:
        yield running


@pytest.fixture(scope="module")
def narrow(model_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    with serving(model_path, tmp_path_factory.mktemp("narrow")) as running:
        yield running


@contextmanager
def sent(server: RealServer, body: dict[str, Any]) -> Iterator[Connection]:
    """A request on its way, long enough for the server to have begun with it."""
    with server.connect(patience=120) as connection:
        connection.send(server.request(body))
        time.sleep(0.3)
        yield connection


def test_clients_that_leave_make_room_at_once(narrow: RealServer) -> None:
    details = ask(narrow, CAPITAL, max_new_tokens=16).details
    few_seconds = NUM_FEW_TOKENS * details["decode_cost"] / 15_000 + 0.5
    with sent(narrow, long(512)) as running, sent(narrow, long(512)) as waiting:
        refused = narrow.ask(SHORT)
        assert (refused.status, refused.json()["error_type"]) == (429, "Overloaded")
        assert int(refused.headers["retry-after"]) >= 1
        for path in ("/v2/health/live", "/v2/health/ready"):
            assert narrow.exchange(get(path)).status == 200

        waiting.close()
        time.sleep(0.2)
        with sent(narrow, SHORT) as next_in_line:  # in the place where the other one waited
            running.close()
            left_at = time.monotonic()
            assert next_in_line.read().status == 200
            assert time.monotonic() - left_at < few_seconds


def test_too_many_at_once_are_refused_and_all_others_served(narrow: RealServer) -> None:
    body = {"text_input": CAPITAL, "parameters": {"max_new_tokens": 32}}
    with ThreadPoolExecutor(12) as pool:
        replies = list(pool.map(lambda _: narrow.ask(body), range(12)))

    statuses = [reply.status for reply in replies]
    assert set(statuses) == {200, 429}
    assert statuses.count(200) >= 2
    assert len({json.loads(r.body)["text_output"] for r in replies if r.status == 200}) == 1
    assert narrow.ask(SHORT).status == 200


def test_a_signal_lets_the_running_request_end_and_refuses_new_work(
    model_path: Path, tmp_path: Path
) -> None:
    with serving(model_path, tmp_path) as server, sent(server, long(200)) as running:
        server.process.send_signal(signal.SIGTERM)
        time.sleep(0.3)
        refused, ready = server.ask(SHORT), server.exchange(get("/v2/health/ready"))
        live = server.exchange(get("/v2/health/live"))
        reply = running.read()

        assert (refused.status, ready.status, live.status) == (503, 503, 200)
        assert reply.status == 200
        assert reply.json()["details"]["generated_tokens"] == 200
        assert server.process.wait(30) == 0
