"""What becomes of a body: refused in words, or completed from the document."""

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openapi_schema_validator import OAS30Validator

from app.body import BodySchema, Completed, InvalidBodyError
from app.document import fold, load_document
from tests.app.bodies import DOCUMENTS, FIELDS, SCHEMAS, complete, parameters, refusal, short
from tests.documents import LIMITS, USUAL, request_fields


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "text_input: is required"),
        ({"abc": 123}, "text_input: is required"),
        ({"text_input": None}, "text_input: must be a string or a list"),
        ({"text_input": ""}, "text_input: must have at least 1 character"),
        ({"text_input": "a" * 524289}, "text_input: must have at most 524288 characters"),
        ({"text_input": 123}, "text_input: must be a string or a list"),
        ({"text_input": []}, "text_input: must have at least 1 item"),
        ({"text_input": ["a", "b"]}, "text_input: must have at most 1 item"),
        ({"text_input": [""]}, "text_input[0]: must have at least 1 character"),
        ({"text_input": [7]}, "text_input[0]: must be a string"),
        ({"text_input": [["a"]]}, "text_input[0]: must be a string"),
        ({"text_input": "a", "id": ""}, "id: must have at least 1 character"),
        ({"text_input": "a", "id": 7}, "id: must be a string"),
        ({"text_input": "a", "parameters": []}, "parameters: must be an object"),
        ({"text_input": "a", "parameters": 1}, "parameters: must be an object"),
        ({"text_input": "a", "temperature": -0.1}, "temperature: must be at least 0"),
        ({"text_input": "a", "temperature": False}, "temperature: must be a number"),
        ([], "the body must be an object"),
        ("x", "the body must be an object"),
        (None, "the body must be an object"),
    ],
    ids=short,
)
def test_a_body_that_is_no_request_is_refused(body: object, message: str) -> None:
    assert refusal(body) == message


def test_broken_json_is_an_invalid_body() -> None:
    with pytest.raises(InvalidBodyError, match="NaN is not JSON"):
        SCHEMAS["usual"].complete(b'{"text_input":"a","temperature":NaN}')


@pytest.mark.parametrize(
    "text", ["a", "a" * 524288, "😀" * 524288, "\n", "a\0b", "日本語"], ids=short
)
def test_a_text_of_any_language_is_taken_as_it_is(text: str) -> None:
    assert complete({"text_input": text}).payload["text_input"] == text


@pytest.mark.parametrize("deployment", LIMITS)
def test_every_default_of_the_document_is_filled_and_nothing_else(deployment: str) -> None:
    for body in ({"text_input": "a"}, {"text_input": "a", "parameters": {}}):
        completed = complete(body, deployment)
        expected = {
            name.removeprefix("parameters."): field["default"]
            for name, field in request_fields(DOCUMENTS[deployment])
            if "default" in field
        }
        # No text and no bias are written as the empty value of the form that handlers see.
        expected |= {"stop": [], "bad_words": [], "logit_bias": {}}
        assert completed.payload == {"text_input": "a", "parameters": expected}
        assert completed.ignored == completed.capped == ()


def test_a_default_is_not_shared_between_bodies() -> None:
    first = complete({"text_input": "a"}).payload["parameters"]
    for name in ("stop", "stop_token_ids"):
        first[name].append("changed")
    first["logit_bias"]["1"] = 1
    second = SCHEMAS["usual"].complete(b'{"text_input":"a"}').payload["parameters"]
    assert not second["stop"]
    assert not second["stop_token_ids"]
    assert not second["logit_bias"]


@pytest.mark.parametrize("name", [name for name in FIELDS if name != "text_input"])
def test_null_is_the_same_as_absent(name: str) -> None:
    inner = name.removeprefix("parameters.")
    body = parameters(**{inner: None}) if inner != name else {"text_input": "a", name: None}
    assert complete(body) == complete({"text_input": "a"})


@pytest.mark.parametrize("name", sorted(FIELDS.keys() - {"text_input", "parameters"}))
def test_the_document_says_that_null_may_be_sent(name: str) -> None:
    schema = {"allOf": [FIELDS[name]], "components": load_document()["components"]}
    assert OAS30Validator(schema).is_valid(None)


@pytest.mark.parametrize("limit", [1, 5, 512, 2**31 - 1])
def test_limits_of_the_deployment_hold(limit: int) -> None:
    folded = fold(load_document(), USUAL | {"max_iter_times": limit, "max_token_id": limit})
    schema = BodySchema(folded, "generate")
    for name in ("max_new_tokens", "top_k"):
        schema.complete(json.dumps(parameters(**{name: limit})).encode())
        with pytest.raises(InvalidBodyError, match=f"parameters.{name}: must be at most {limit}"):
            schema.complete(json.dumps(parameters(**{name: limit + 1})).encode())


def test_both_generate_operations_take_the_same_body() -> None:
    raw = json.dumps(parameters(top_k=3)).encode()
    versioned = BodySchema(DOCUMENTS["usual"], "generate_version")
    assert versioned.complete(raw) == SCHEMAS["usual"].complete(raw)


def test_an_operation_that_is_not_there_is_named() -> None:
    with pytest.raises(ValueError, match="no operation nothing in the document"):
        BodySchema(DOCUMENTS["usual"], "nothing")


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 60)
    | st.floats(allow_nan=False)
    | st.text(max_size=3),
    lambda children: (
        st.lists(children, max_size=3)
        | st.dictionaries(st.sampled_from(["1", "x", "stop", "top_k"]), children, max_size=3)
    ),
    max_leaves=5,
)
NAMES = sorted({name.removeprefix("parameters.") for name in FIELDS} - {"parameters", "text_input"})
GIVEN = st.dictionaries(st.sampled_from([*NAMES, "unknown"]), JSON, max_size=4)


@settings(max_examples=200)
@given(GIVEN, GIVEN | JSON)
def test_any_body_is_completed_or_refused(top: dict[str, Any], inner: Any) -> None:
    raw = json.dumps({"text_input": "a", **top, "parameters": inner}).encode()
    try:
        completed = SCHEMAS["usual"].complete(raw)
    except InvalidBodyError:
        return
    assert completed.payload.keys() <= {"id", "text_input", "parameters"}
    # What was completed is complete: it says the same again, and nothing in it is ignored.
    again = SCHEMAS["usual"].complete(json.dumps(completed.payload).encode())
    assert again == Completed(completed.payload, (), ())


def test_a_long_text_is_validated_in_a_moment() -> None:
    raw = json.dumps({"text_input": "中" * 524288}).encode()
    start = time.process_time()
    SCHEMAS["usual"].complete(raw)
    assert time.process_time() - start < 1  # tens of milliseconds, however busy the machine is
