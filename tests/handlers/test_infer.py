"""Tensors in, tensors out."""

import json
from typing import Any

import pytest

from app.body import BodySchema, InvalidBodyError
from engine import InvalidRequestError
from tests.fake_engine import FakeEngine, chunks
from tests.handlers.calls import DOCUMENT, call_of, table

TOKENS = {"name": "input0", "shape": [1, 3], "datatype": "UINT32", "data": [5, 6, 7]}
TEXT = {"name": "text_input", "shape": [1], "datatype": "BYTES", "data": ["hi"]}


async def infer(body: dict[str, Any], engine: FakeEngine | None = None) -> Any:
    return await table(engine or FakeEngine())["infer"]("fake", call_of("infer", body))


async def test_token_ids_in_token_ids_out() -> None:
    engine = FakeEngine(script=chunks("a", "b"))

    answer = await infer({"id": "a1", "inputs": [TOKENS], "outputs": [{"name": "out"}]}, engine)

    assert engine.requests[0].prompt == (5, 6, 7)
    assert list(answer.items()) == [
        ("id", "a1"),
        ("model_name", "fake"),
        ("model_version", None),
        ("outputs", [{"name": "out", "shape": [1, 2], "datatype": "UINT32", "data": [7, 7]}]),
    ]


async def test_text_in_text_out() -> None:
    engine = FakeEngine()

    answer = await infer({"inputs": [TEXT]}, engine)

    assert engine.requests[0].prompt == "hi"
    assert answer["outputs"] == [
        {"name": "text_output", "shape": [1], "datatype": "BYTES", "data": ["Hello"]}
    ]


@pytest.mark.parametrize("shape", [[3], [1, 3], [9]])
@pytest.mark.parametrize("data", [[5, 6, 7], [[5, 6, 7]]])
async def test_the_data_decides_whatever_its_shape(shape: list[int], data: list[Any]) -> None:
    engine = FakeEngine()
    await infer({"inputs": [{**TOKENS, "shape": shape, "data": data}]}, engine)

    assert engine.requests[0].prompt == (5, 6, 7)


async def test_the_name_of_an_output_that_was_not_asked_for() -> None:
    assert (await infer({"inputs": [TOKENS]}))["outputs"][0]["name"] == "output0"


@pytest.mark.parametrize(
    ("outer", "inner", "expected"),
    [({"max_new_tokens": 3}, None, 3), (None, {"max_tokens": 4}, 4), ({"max_tokens": 3}, {}, 3),
     ({"max_new_tokens": 3}, {"max_new_tokens": 4}, 4), (None, None, 20)],
)  # fmt: skip
async def test_parameters_stand_beside_or_inside_the_tensor(
    outer: dict[str, int] | None, inner: dict[str, int] | None, expected: int
) -> None:
    engine = FakeEngine()
    await infer({"inputs": [{**TOKENS, "parameters": inner}], "parameters": outer}, engine)

    assert engine.requests[0].sampling_params.max_new_tokens == expected


async def test_details_are_those_of_generate() -> None:
    answer = await infer({"inputs": [TOKENS], "parameters": {"details": True}})

    assert answer["details"]["generated_tokens"] == 2
    assert answer["details"]["finish_reason"] == "length"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"data": [1000]}, "inputs[0].data[0]: must be at most 999"),
        ({"data": [-1]}, "inputs[0].data[0]: must be at least 0"),
        ({"data": [1, "a"]}, "inputs[0].data[1]: must be an integer"),
        ({"data": []}, "inputs[0].data: must have at least 1 item"),
        ({"data": ["a"]}, "inputs[0].data[0]: must be an integer"),
        ({"data": 7}, "inputs[0].data: must be a list"),
        ({**TEXT, "data": [""]}, "inputs[0].data[0]: must have at least 1 character"),
        ({**TEXT, "data": [7]}, "inputs[0].data[0]: must be a string"),
        ({**TEXT, "data": ["a", "b"]}, "inputs[0].data: must have at most 1 item"),
        ({"datatype": "FP32"}, "inputs[0].datatype: must be BYTES or UINT32"),
        ({"shape": [0]}, "inputs[0].shape[0]: must be at least 1"),
        ({"parameters": {"top_p": 2}}, "inputs[0].parameters.top_p: must be at most 1"),
    ],
)
def test_bounds_are_those_of_the_document(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidBodyError) as caught:
        call_of("infer", {"inputs": [{**TOKENS, **change}]})

    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        (None, "inputs: must be a list"),
        ([], "inputs: must have at least 1 item"),
        ([TOKENS, TOKENS], "inputs: must have at most 1 item"),
        ([{}], "inputs[0].name: is required"),
        ([7], "inputs[0]: must be an object"),
    ],
)
def test_there_is_exactly_one_tensor(inputs: Any, message: str) -> None:
    with pytest.raises(InvalidBodyError) as caught:
        call_of("infer", {"inputs": inputs})

    assert str(caught.value) == message


def test_what_clients_say_of_binary_data_is_ignored_and_named() -> None:
    body = {
        "inputs": [{**TEXT, "parameters": {"binary_data_size": 9}}],
        "outputs": [{"name": "o", "parameters": {"binary_data": False}}],
        "parameters": {"binary_data_output": True},
    }
    completed = BodySchema(DOCUMENT, "infer").complete(json.dumps(body).encode())

    assert set(completed.ignored) == {
        "inputs.parameters.binary_data_size",
        "outputs.parameters",
        "parameters.binary_data_output",
    }


def test_an_empty_id_is_none() -> None:
    assert "id" not in call_of("infer", {"id": "", "inputs": [TEXT]}).payload


@pytest.mark.parametrize("field", ["text_input", "inputs"])
async def test_what_the_engine_refuses_is_named_as_the_client_wrote_it(field: str) -> None:
    engine = FakeEngine(script=[], failure=InvalidRequestError(field, "has 9 tokens"))

    with pytest.raises(InvalidRequestError, match=r"inputs\[0\]\.data: has 9 tokens"):
        await infer({"inputs": [TEXT]}, engine)
