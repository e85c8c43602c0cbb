"""Other spellings of parameters, what they imply, and what the headers say of it."""

import json
from typing import Any

import pytest

from app.body import BodySchema, Completed
from tests.documents import documents

SCHEMA = BodySchema(documents()["usual"], "generate")
DEFAULTS = SCHEMA.complete(b'{"text_input":"a"}').payload["parameters"]
MAX_ITER_TIMES = 512


def complete(top: dict[str, Any], inner: dict[str, Any] | None = None) -> Completed:
    body = {"text_input": "a", **top} | ({} if inner is None else {"parameters": inner})
    return SCHEMA.complete(json.dumps(body).encode())


def changed(completed: Completed) -> dict[str, Any]:
    """The parameters that are not at their defaults."""
    parameters = completed.payload["parameters"]
    return {
        name: value
        for name, value in parameters.items()
        if name not in DEFAULTS or value != DEFAULTS[name]
    }


@pytest.mark.parametrize(
    ("name", "value", "target"),
    [
        ("max_new_tokens", 7, "max_new_tokens"),
        ("max_tokens", 7, "max_new_tokens"),
        ("min_new_tokens", 7, "min_new_tokens"),
        ("min_length", 7, "min_new_tokens"),
        ("seed", 2**64 - 1, "seed"),
        ("random_seed", 7, "seed"),
        ("do_sample", True, "do_sample"),
        ("typical_p", 0.5, "typical_p"),
        ("min_p", 0.5, "min_p"),
        ("repetition_penalty", 1.5, "repetition_penalty"),
        ("presence_penalty", 1.5, "presence_penalty"),
        ("frequency_penalty", 1.5, "frequency_penalty"),
        ("logit_bias", {"7": 1}, "logit_bias"),
        ("stop", ["x"], "stop"),
        ("stop_words", ["x"], "stop"),
        ("stop_token_ids", [7], "stop_token_ids"),
        ("bad_words", ["x"], "bad_words"),
        ("ignore_eos", True, "ignore_eos"),
    ],
)
def test_a_parameter_may_stand_at_the_top_level(name: str, value: Any, target: str) -> None:
    for completed in (complete({name: value}), complete({}, {name: value})):
        assert changed(completed) == {target: value}
        assert completed.ignored == completed.capped == ()


@pytest.mark.parametrize(
    ("top", "inner", "expected", "ignored"),
    [
        ({"top_p": 0.1}, {"top_p": 0.2}, {"top_p": 0.2}, ["top_p"]),
        ({"seed": 1, "random_seed": 2}, {}, {"seed": 1}, ["random_seed"]),
        ({"random_seed": 2, "seed": 1}, {}, {"seed": 1}, ["random_seed"]),
        ({"seed": 1}, {"random_seed": 2}, {"seed": 2}, ["seed"]),
        ({"stop": "t"}, {"stop_words": "p"}, {"stop": ["p"]}, ["stop"]),
        ({}, {"stop": "", "stop_words": "p"}, {}, ["parameters.stop_words"]),
        ({"max_tokens": 5}, {"max_new_tokens": 3}, {"max_new_tokens": 3}, ["max_tokens"]),
        (
            {"max_new_tokens": 3},
            {"max_tokens": 5},
            {"max_new_tokens": 3},
            ["parameters.max_tokens"],
        ),
        ({"max_tokens": 3}, {"max_tokens": 5}, {"max_new_tokens": 5}, ["max_tokens"]),
        ({"min_length": 3}, {"min_new_tokens": 5}, {"min_new_tokens": 5}, ["min_length"]),
    ],
)
def test_of_several_spellings_one_wins_and_the_others_are_named(
    top: dict[str, Any], inner: dict[str, Any], expected: dict[str, Any], ignored: list[str]
) -> None:
    completed = complete(top, inner)
    assert changed(completed) == expected
    assert list(completed.ignored) == ignored


@pytest.mark.parametrize(("name", "value"), [("temperature", 0.5), ("top_k", 5), ("top_p", 0.5)])
def test_sampling_is_switched_on_at_the_top_level_only(name: str, value: Any) -> None:
    assert changed(complete({name: value})) == {name: value, "do_sample": True}
    assert changed(complete({}, {name: value})) == {name: value}


@pytest.mark.parametrize("level", [0, 1])
def test_a_given_do_sample_holds(level: int) -> None:
    bodies: list[dict[str, Any]] = [{"temperature": 0.5}, {}]
    bodies[level]["do_sample"] = False
    assert changed(complete(*bodies)) == {"temperature": 0.5}


def test_a_field_that_lost_implies_nothing() -> None:
    assert changed(complete({"temperature": 0.5}, {"temperature": 0.7})) == {"temperature": 0.7}


@pytest.mark.parametrize("zero", [0, 0.0, -0.0])
@pytest.mark.parametrize("others", [{}, {"top_k": 5}, {"do_sample": False}])
def test_a_top_level_temperature_of_zero_is_greedy(zero: float, others: dict[str, Any]) -> None:
    completed = complete({"temperature": zero, **others})
    parameters = completed.payload["parameters"]
    assert parameters["do_sample"] is False
    assert parameters["temperature"] == DEFAULTS["temperature"]
    assert completed.ignored == ()


def test_a_temperature_of_zero_overrules_do_sample_and_says_so() -> None:
    completed = complete({"temperature": 0}, {"do_sample": True})
    assert completed.payload["parameters"]["do_sample"] is False
    assert completed.ignored == ("parameters.do_sample",)


def test_a_temperature_of_zero_loses_against_one_in_the_parameters() -> None:
    completed = complete({"temperature": 0}, {"temperature": 0.5, "do_sample": True})
    assert changed(completed) == {"temperature": 0.5, "do_sample": True}
    assert completed.ignored == ("temperature",)


@pytest.mark.parametrize(
    ("value", "capped"),
    [(MAX_ITER_TIMES, False), (MAX_ITER_TIMES + 1, True), (2000, True), (2**31 - 1, True)],
)
def test_max_tokens_is_capped_and_named(value: int, capped: bool) -> None:
    for completed, name in (
        (complete({"max_tokens": value}), "max_tokens"),
        (complete({}, {"max_tokens": value}), "parameters.max_tokens"),
    ):
        assert completed.payload["parameters"]["max_new_tokens"] == min(value, MAX_ITER_TIMES)
        assert completed.capped == ((name,) if capped else ())
        assert completed.ignored == ()


def test_a_capped_field_that_lost_is_ignored_and_not_capped() -> None:
    completed = complete({"max_tokens": 2000}, {"max_new_tokens": 3})
    assert completed.capped == ()
    assert completed.ignored == ("max_tokens",)


@pytest.mark.parametrize(
    ("value", "texts"),
    [("", []), ([], []), (["", "a", ""], ["a"]), ("a", ["a"]), (["a", "b", "a"], ["a", "b", "a"])],
)
@pytest.mark.parametrize("name", ["stop", "stop_words", "bad_words"])
def test_texts_become_a_list_without_empty_ones(name: str, value: Any, texts: list[str]) -> None:
    target = "bad_words" if name == "bad_words" else "stop"
    for completed in (complete({name: value}), complete({}, {name: value})):
        assert completed.payload["parameters"][target] == texts
        assert completed.ignored == ()


@pytest.mark.parametrize("key", ["x", "", "01", "+1", "-1", "1.0", " 1", "٣", "49152", "9" * 99])
def test_a_bias_for_no_token_is_ignored_and_named(key: str) -> None:
    completed = complete({}, {"logit_bias": {key: 1, "49151": 2}})
    assert changed(completed) == {"logit_bias": {"49151": 2}}
    assert completed.ignored == (f"parameters.logit_bias.{key}",)


@pytest.mark.parametrize(
    "name", ["accumulate_tokens", "end_id", "pad_id", "exclude_input_in_output", "nope", "a b"]
)
@pytest.mark.parametrize("value", [0, "x", [1], {"a": {}}, True])
def test_ignored_and_unknown_fields_change_nothing_and_are_named(name: str, value: Any) -> None:
    completed = complete({name: value}, {name: value})
    assert changed(completed) == {}
    assert completed.ignored == (name, f"parameters.{name}")


def test_stream_is_ignored_and_named() -> None:
    assert complete({"stream": True}, {"stream": False}).ignored == ("stream", "parameters.stream")


def test_fields_that_only_parameters_has_are_unknown_at_the_top_level() -> None:
    names = ["details", "perf_stat", "watermark", "batch_size", "priority", "timeout", "logprobs"]
    completed = complete(dict.fromkeys(names, "anything"))
    assert changed(completed) == {}
    assert list(completed.ignored) == names


def test_the_request_of_a_client_of_the_sister_protocol_is_understood() -> None:
    completed = complete(
        {
            "max_tokens": 2000,
            "temperature": 0.7,
            "bad_words": "",
            "stop_words": "",
            "stream": False,
        },
    )
    assert changed(completed) == {
        "max_new_tokens": MAX_ITER_TIMES,
        "temperature": 0.7,
        "do_sample": True,
    }
    assert completed.ignored == ("stream",)
    assert completed.capped == ("max_tokens",)
