"""The log: one line a request, with what operators need, and never what the client wrote."""

import io
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from app.telemetry.logs import make_handler
from engine import GenerationError
from tests.fake_engine import FakeEngine
from tests.keys import add_key
from tests.live_server import get, post, serving, wait_until

SECRET = "the secret of the prompt"


class Log(io.StringIO):
    """What was logged meanwhile."""

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.getvalue().splitlines()]

    def requests(self) -> list[dict[str, Any]]:
        return [line for line in self.lines() if "operation" in line]


@contextmanager
def logging_to(log: io.StringIO, log_format: str | None, level: int) -> Iterator[None]:
    root = logging.getLogger()
    handler, old_level = make_handler(log_format, log), root.level
    root.addHandler(handler)
    root.setLevel(level)
    try:
        yield
    finally:
        root.removeHandler(handler)
        root.setLevel(old_level)


@pytest.fixture
def log() -> Iterator[Log]:
    """JSON, with everything that any library has to say."""
    log = Log()
    with logging_to(log, None, logging.DEBUG):
        yield log


def generate(text: str = "hi", headers: str = "", **parameters: object) -> bytes:
    body = json.dumps({"text_input": text, "parameters": parameters}).encode()
    return post(body, headers=headers)


def test_a_generation_is_one_line_with_its_counts_and_times(log: Log) -> None:
    with serving() as server:
        reply = server.exchange(generate(headers="X-Request-Id: mine-7\r\n"))

    [line] = log.requests()
    assert reply.headers["x-request-id"] == line["request_id"] == "mine-7"
    assert line["operation"] == "generate"
    assert line["path"] == "/v2/models/fake/generate"
    assert line["status"] == 200
    assert (line["prompt_tokens"], line["generated_tokens"]) == (3, 2)
    assert line["finish_reason"] == "length"
    assert (line["first_token_ms"], line["decode_ms"], line["queue_ms"]) == (2.5, 2.5, None)
    assert line["duration_ms"] > 0
    assert line["level"] == "info"
    assert line["timestamp"].endswith("Z")


@pytest.mark.parametrize(
    ("request_", "operation", "status"),
    [
        (get("/v2/health/live"), "health_live", 200),
        (get("/nowhere"), "none", 404),
        (post(b"{"), "generate", 422),
        (b"nonsense\r\n\r\n", None, 400),
    ],
)
def test_every_request_is_one_line_that_has_the_id_of_its_answer(
    log: Log, request_: bytes, operation: str | None, status: int
) -> None:
    with serving() as server:
        reply = server.exchange(request_)

    [line] = [line for line in log.lines() if "status" in line]
    assert line["request_id"] == reply.headers["x-request-id"]
    assert (line.get("operation"), line["status"], reply.status) == (operation, status, status)


def test_what_is_logged_on_the_way_names_the_request_too(log: Log) -> None:
    with serving(FakeEngine(failure=KeyError("fault"))) as server:
        reply = server.exchange(generate())

    fault, request = (line for line in log.lines() if line["level"] == "error")
    assert fault["request_id"] == request["request_id"] == reply.headers["x-request-id"]
    assert "KeyError" in fault["exception"]
    assert request["status"] == 500


def test_a_server_that_is_not_ready_says_so_and_logs_no_error(log: Log) -> None:
    paths = ("/v2/health/ready", "/v2/models/fake/ready", "/v2/models/fake/versions/1/ready")
    with serving(FakeEngine(is_loading=True)) as server:
        for path in paths:
            assert server.exchange(get(path)).status == 503
        assert server.exchange(generate()).status == 503

    told = [(line["status"], line["level"]) for line in log.requests()]
    assert told == [(503, "info")] * len(paths) + [(503, "error")]


def test_a_client_that_leaves_is_one_line(log: Log) -> None:
    with serving(FakeEngine(seconds_per_chunk=0.2)) as server:
        with server.connection() as connection:
            connection.send(generate())
            wait_until(lambda: server.engine.requests)
        wait_until(lambda: log.requests())

    [line] = log.requests()
    assert (line["event"], line["status"], line["finish_reason"]) == ("client left", 499, "none")


@pytest.mark.parametrize("log_format", ["json", "console"])
@pytest.mark.parametrize(
    "failure", [None, GenerationError("failed"), RuntimeError("a fault"), "timeout", "invalid"]
)
def test_prompts_are_not_logged(log_format: str, failure: Exception | str | None) -> None:
    """At the lowest level, whatever happens to the request."""
    log = Log()
    fails = failure if isinstance(failure, Exception) else None
    engine = FakeEngine(failure=fails, seconds_per_chunk=0.1)
    parameters: dict[str, Any] = {"timeout": 0.05} if failure == "timeout" else {}
    parameters |= {"top_p": SECRET} if failure == "invalid" else {}
    with logging_to(log, log_format, logging.DEBUG), serving(engine) as server:
        server.exchange(generate(SECRET, **parameters))

    assert "/v2/models/fake/generate" in log.getvalue()
    assert SECRET not in log.getvalue()


def test_prompts_are_logged_where_the_operator_says_so(log: Log) -> None:
    with serving(log_prompts=True) as server:
        server.exchange(generate(SECRET))

    assert log.requests()[0]["prompt"] == SECRET


def test_people_get_text(capsys: pytest.CaptureFixture[str]) -> None:
    log = io.StringIO()
    with logging_to(log, "console", logging.INFO), serving() as server:
        server.exchange(generate())

    [line] = [line for line in log.getvalue().splitlines() if "operation=" in line]
    assert "status=200" in line
    assert "\x1b" not in line


@pytest.mark.parametrize(
    ("log_format", "is_terminal", "is_json"),
    [(None, True, False), (None, False, True), ("json", True, True), ("console", False, False)],
)
def test_the_format_suits_the_stream_unless_it_is_chosen(
    log_format: str | None, is_terminal: bool, is_json: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: is_terminal)
    make_handler(log_format, stream).handle(
        logging.LogRecord("some", logging.INFO, "", 0, "line\nbreak", None, None)
    )

    assert stream.getvalue().startswith("{") == is_json
    assert not is_json or stream.getvalue().count("\n") == 1


def test_the_name_of_the_key_is_logged_and_never_the_key(log: Log, tmp_path: Path) -> None:
    line = add_key(tmp_path / "keys.json", "web", "gsk_secret")
    with serving(api_keys_file=tmp_path / "keys.json") as server:
        server.exchange(generate(headers=line))
        server.exchange(generate(headers=line.replace("secret", "wrong")))
        server.exchange(get("/v2/health/live", line))

    assert [entry.get("key") for entry in log.requests()] == ["web", None, None]
    assert not any(word in log.getvalue() for word in ("gsk_", "secret", "wrong"))
