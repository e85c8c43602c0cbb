"""``?dry_run=true``: everything but the generation."""

import json
from typing import Any

import pytest

from app.document import load_document
from app.query import QuerySchema
from tests.live_server import LiveServer
from tests.wire import Reply, post

GENERATE = "/v2/models/fake/generate"
BODY = {"text_input": "hi", "max_tokens": 9999, "temprature": 1, "temperature": 0.5}


def send(live: LiveServer, query: str, body: Any = BODY, *headers: str) -> Reply:
    return live.exchange(post(f"{GENERATE}{query}", json.dumps(body).encode(), *headers))


def test_a_dry_run_says_what_applies_and_what_does_not(live: LiveServer) -> None:
    before = len(live.engine.requests)
    reply = send(live, "?dry_run=true&trace=1")

    told = reply.json()["dry_run"]
    assert reply.status == 200
    assert (told["num_prompt_tokens"], told["max_output_tokens"]) == (2, 512)
    assert told["parameters"]["max_new_tokens"] == 512
    assert (told["parameters"]["temperature"], told["parameters"]["do_sample"]) == (0.5, True)
    assert told["ignored_fields"] == ["temprature", "query.trace"]
    assert told["capped_fields"] == ["max_tokens"]
    assert reply.headers["x-ignored-fields"] == "temprature, query.trace"
    assert len(live.engine.requests) == before


@pytest.mark.parametrize("query", ["", "?dry_run=false", "?dry_run=0", "?other=true"])
def test_a_request_that_does_not_say_so_is_no_dry_run(live: LiveServer, query: str) -> None:
    answer = send(live, query).json()

    assert answer["text_output"] == "Hello"
    assert "dry_run" not in answer


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("?dry_run=yes", "query.dry_run: must be a boolean"),
        ("?dry_run=", "query.dry_run: must be a boolean"),
        ("?dry_run=TRUE", "query.dry_run: must be a boolean"),
        ("?dry_run=true&dry_run=false", "query: each parameter may be given once"),
    ],
)
def test_a_value_that_is_none_is_refused(live: LiveServer, query: str, problem: str) -> None:
    reply = send(live, query)

    assert (reply.status, reply.json()["error"]) == (422, problem)


def test_an_invalid_body_is_refused_as_ever(live: LiveServer) -> None:
    reply = send(live, "?dry_run=true", {"text_input": "hi", "parameters": {"top_p": 2}})

    assert (reply.status, reply.json()["error"]) == (422, "parameters.top_p: must be at most 1")


def test_streams_know_no_dry_run_and_say_so(live: LiveServer) -> None:
    with live.connection() as connection:
        connection.send(post(f"{GENERATE}_stream?dry_run=true", b'{"text_input":"hi"}'))
        assert b"x-ignored-fields: query.dry_run" in connection.read_bytes_until(b"\r\n\r\n")


def test_the_answer_of_a_dry_run_is_not_given_to_the_request_itself(live: LiveServer) -> None:
    key = "Idempotency-Key: dry-and-wet"

    assert send(live, "?dry_run=true", BODY, key).status == 200
    assert send(live, "", BODY, key).status == 422


def test_a_parameter_that_could_not_be_read_is_no_part_of_a_document() -> None:
    number = {"name": "n", "in": "query", "schema": {"type": "integer"}}
    with pytest.raises(ValueError, match="boolean"):
        QuerySchema(load_document(), {"parameters": [number]})
