"""Event streams over sockets: their bytes and their pace."""

import time
from typing import Any

import pytest
from openapi_schema_validator import OAS30Validator

from app.document import load_document
from engine import (
    GenerationError,
)
from tests.app.stream_requests import DETAILED, PLAIN, VERSION_STREAM, send, stream
from tests.fake_engine import FakeEngine, chunks
from tests.live_server import serving
from tests.streams import read_chunks, read_head


def test_the_bytes_of_a_plain_stream() -> None:
    got = stream(FakeEngine(script=chunks("你", "\n\n")), PLAIN)

    assert got.is_complete
    assert got.frames == [
        'data:{"id":"a1","model_name":"fake","model_version":null,"text_output":"你"}\n\n'.encode(),
        b'data:{"id":"a1","model_name":"fake","model_version":null,"text_output":"\\n\\n"}\n\n',
    ]


def test_the_events_of_a_stream_with_details() -> None:
    first, second = stream(FakeEngine(), DETAILED, VERSION_STREAM).events

    assert list(first) == [
        "id", "model_name", "model_version", "text_output", "details", "prefill_time",
    ]  # fmt: skip
    assert first["model_version"] == "1"
    assert first["prefill_time"] == second["decode_time"] == 2.5
    assert "prefill_time" not in second
    assert "finish_reason" not in first["details"]
    assert second["details"] == {
        "finish_reason": "length",
        "generated_tokens": 2,
        "first_token_cost": 2.5,
        "decode_cost": 2.5,
        "perf_stat": [[7, 2], [7, 2]],
    }


@pytest.mark.parametrize(
    "body", [PLAIN, DETAILED, {"text_input": "a", "parameters": {"details": True, "logprobs": 1}}]
)
def test_every_event_keeps_to_the_document(body: Any) -> None:
    document = load_document()
    validator = OAS30Validator(
        {"$ref": "#/components/schemas/StreamEvent", "components": document["components"]}
    )
    for engine in (FakeEngine(), FakeEngine(failure=GenerationError("broken"))):
        events = stream(engine, body).events
        assert events
        for event in events:
            validator.validate(event)


def test_the_first_token_does_not_wait_for_the_second() -> None:
    engine = FakeEngine(script=chunks("a", "b"), seconds_per_chunk=0.5)
    with serving(engine) as server, server.connection() as connection:
        send(connection, PLAIN)
        read_head(connection)
        parts = read_chunks(connection)
        assert b'"a"' in next(parts)
        came_at = time.monotonic()
        assert b'"b"' in next(parts)

        assert time.monotonic() - came_at > 0.3


def test_tokens_that_show_no_text_yet_have_their_events() -> None:
    got = stream(FakeEngine(script=chunks("", "", "🌊", "")), PLAIN)

    assert [event["text_output"] for event in got.events] == ["", "", "🌊", ""]
