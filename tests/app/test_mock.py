"""The mock behind the application: true to the interface, and honest about what it is."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any, cast

import httpx
import pytest

from app import cli
from tests.fake_engine import FakeEngine
from tests.live_server import LiveServer, serving, wait_until
from tests.mocks import mock
from tests.wire import Reply, get, post

MODEL = "/v2/models/mock"
# Well above what it takes; a model library takes as long again.
MAX_CPU_SECONDS = 3.5
START = """
import sys, resource
from app import cli, run
def report(settings, app, lifecycle):
    taken = resource.getrusage(resource.RUSAGE_SELF)
    print({"torch", "transformers", "tokenizers", "numpy"} & sys.modules.keys())
    print(taken.ru_utime + taken.ru_stime)
run.run = report
cli.main(["mock", "--port", "0"])
"""


@pytest.fixture(scope="module")
def mocked() -> Iterator[LiveServer]:
    with serving(cast(FakeEngine, mock())) as live:
        wait_until(lambda: live.exchange(get("/v2/health/ready")).status == 200)
        yield live


def ask(live: LiveServer, text: str, path: str = "generate", **parameters: Any) -> Reply:
    body = {"text_input": text, "parameters": parameters}
    return live.exchange(post(f"{MODEL}/{path}", json.dumps(body).encode()))


def test_it_says_what_it_is(mocked: LiveServer) -> None:
    server, model, config, document = (
        mocked.exchange(get(path)).json()
        for path in ("/v2", MODEL, f"{MODEL}/config", "/openapi.json")
    )

    assert (server["name"], model["platform"]) == ("genspec mock", "mock")
    assert document["info"]["title"] == "genspec mock"
    assert (config["architecture"], config["decoder"], config["device"]) == ("Mock", "mock", "none")


def test_it_answers_as_a_model_would(mocked: LiveServer) -> None:
    answer = ask(mocked, "hi", details=True, max_new_tokens=5, do_sample=True, seed=7).json()

    assert (answer["details"]["generated_tokens"], answer["details"]["seed"]) == (5, 7)
    assert answer["text_output"].strip()
    assert ask(mocked, "hi", top_p=2).status == 422


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        ("failure", 424),
        ("overloaded", 429),
        ("unavailable", 503),
        ("timeout", 408),
        ("crash", 500),
        ("failure after 3", 424),
        ("nonsense", 422),
    ],
)
def test_a_prompt_can_ask_for_a_fault(mocked: LiveServer, fault: str, status: int) -> None:
    reply = ask(mocked, f"say [mock: {fault}] please")

    assert reply.status == status
    assert ("retry-after" in reply.headers) == (status == 429)
    assert ask(mocked, "hi").status == 200


def test_a_hang_ends_with_the_time_limit(mocked: LiveServer) -> None:
    assert ask(mocked, "[mock: hang after 2]", timeout=0.1).status == 408


def test_a_stream_can_break(mocked: LiveServer) -> None:
    body = b'{"text_input":"[mock: failure after 2]"}'
    with mocked.connection() as connection:
        connection.send(post(f"{MODEL}/generate_stream", body))
        raw = connection.read_bytes(1_000_000)

    assert raw.count(b"data:") == 3
    assert b'"error_type":"Generation Error"}\n\n' in raw
    assert not raw.endswith(b"0\r\n\r\n")


def test_it_takes_the_time_that_it_was_given() -> None:
    pace = {"tokens_per_second": 50, "prompt_tokens_per_second": 100, "load_seconds": 0.3}
    with serving(cast(FakeEngine, mock(pace))) as live:
        assert live.exchange(get("/v2/health/ready")).status == 503
        wait_until(lambda: live.exchange(get("/v2/health/ready")).status == 200)
        started_at = time.monotonic()
        details = ask(live, "ab" * 20, perf_stat=True, max_new_tokens=6).json()["details"]
        elapsed = time.monotonic() - started_at

    assert details["first_token_cost"] >= 198  # timers of the loop count whole milliseconds
    assert details["decode_cost"] >= 5 * 19
    assert elapsed >= 0.29


@pytest.mark.slow
def test_it_starts_at_once_and_without_a_model_library() -> None:
    code = [sys.executable, "-W", "ignore", "-c", START]
    libraries, seconds = subprocess.check_output(code, text=True).splitlines()

    assert libraries == "set()"
    assert float(seconds) < MAX_CPU_SECONDS


@pytest.mark.slow
def test_the_command_serves_under_the_name_that_it_is_given() -> None:
    command = [sys.executable, "-m", "app", "mock", "--port", "0", "--model-name", "my-model"]
    environment = {**os.environ, "GENSPEC_LOG_FORMAT": "json", "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stderr is not None
            listening = re.search(r"//[^:/]+:(\d+)", process.stderr.readline())
            while "ready after" not in process.stderr.readline():
                pass
            assert listening is not None
            url = f"http://127.0.0.1:{listening[1]}/v2/models/my-model"
            shown = httpx.get(url).json()
        finally:
            process.terminate()

    assert shown["name"] == "my-model"


@pytest.mark.parametrize("speed", ["0", "-1", "fast", "inf", "nan"])
def test_a_speed_is_a_number_above_0(capsys: pytest.CaptureFixture[str], speed: str) -> None:
    with pytest.raises(SystemExit):
        cli.main(["mock", "--tokens-per-second", speed])

    assert "--tokens-per-second" in capsys.readouterr().err
