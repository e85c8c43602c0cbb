"""A small body can be wrong in very many places: telling of the first must not cost for all."""

import json
import time
from typing import Any

import pytest

from app.body import BodySchema, InvalidBodyError
from app.deployment import folded_document
from app.settings import Settings
from tests.fake_engine import MODEL

MANY = 100_000  # half of what the limits on a body let through
CPU_SECONDS = 3.0  # a list of all errors takes longer by far, and gigabytes

DOCUMENT = folded_document(Settings(), [MODEL])
TOKENS = {"name": "input0", "shape": [1], "datatype": "UINT32"}
TEXT = TOKENS | {"datatype": "BYTES"}


def infer(**tensor: Any) -> dict[str, Any]:
    return {"inputs": [tensor]}


def parameter(name: str, value: object) -> dict[str, Any]:
    return {"text_input": "a", "parameters": {name: value}}


CASES: list[tuple[str, dict[str, Any], str]] = [
    ("infer", infer(**TOKENS, data=[-1] * MANY), "inputs[0].data[0]: must be at least 0"),
    ("infer", infer(**TOKENS, data=["a"] * MANY), "inputs[0].data[0]: must be an integer"),
    ("infer", infer(**TOKENS, data=[[-1] * MANY]), "inputs[0].data[0][0]: must be at least 0"),
    ("infer", infer(**TEXT, data=[1] * MANY), "inputs[0].data: must have at most 1 item"),
    ("infer", infer(**TOKENS | {"shape": [0] * MANY}, data=[1]), "inputs[0].shape: must have"),
    ("detokenize", {"token_ids": [-1] * MANY}, "token_ids[0]: must be at least 0"),
    ("tokenize", {"text_input": [1] * MANY}, "text_input: must be"),
    ("generate", {"text_input": [1] * MANY}, "text_input: must have at most 1 item"),
    ("generate", parameter("stop", [1] * MANY), "parameters.stop: must have at most 16 items"),
    ("generate", parameter("bad_words", [1] * MANY), "parameters.bad_words: must have at most 64"),
    ("generate", parameter("stop_token_ids", ["a"] * MANY), "parameters.stop_token_ids"),
    ("generate", parameter("logit_bias", dict.fromkeys(map(str, range(MANY)))), "parameters."),
]


@pytest.mark.parametrize(("operation", "body", "message"), CASES)
def test_a_body_that_is_wrong_everywhere_is_refused_as_cheaply_as_any(
    operation: str, body: dict[str, Any], message: str
) -> None:
    schema = BodySchema(DOCUMENT, operation)
    raw = json.dumps(body).encode()
    started = time.process_time()
    with pytest.raises(InvalidBodyError) as caught:
        schema.complete(raw)

    assert str(caught.value).startswith(message)
    assert time.process_time() - started < CPU_SECONDS
