"""Every bound of the contract, and the values just beside it, at both levels of a request."""

from typing import Any

import pytest

from app.body import Completed
from tests.app.bodies import FIELDS, complete, parameters, refusal, short

INT32 = 2**31 - 1

# What the values of other spellings become, and which may be one text instead of a list.
OTHER_NAMES = {
    "max_tokens": "max_new_tokens",
    "min_length": "min_new_tokens",
    "random_seed": "seed",
    "stop_words": "stop",
}
TEXT_LISTS = ("stop", "stop_words", "bad_words")

Cases = list[tuple[str, list[Any], list[tuple[Any, str]]]]

# What the contract says of each field: values that are taken, and values that are not with the
# reason. The reasons of wrong types are added below.
INTEGERS: Cases = [
    (
        "max_new_tokens",
        [1, 512],
        [(0, "at least 1"), (513, "at most 512"), (10**30, "at most 512")],
    ),
    ("min_new_tokens", [0, 512], [(-1, "at least 0"), (513, "at most 512")]),
    ("min_length", [0, 512], [(-1, "at least 0"), (513, "at most 512")]),
    ("max_tokens", [1, 512, 513, INT32], [(0, "at least 1"), (INT32 + 1, f"at most {INT32}")]),
    (
        "seed",
        [1, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1],
        [(0, "at least 1"), (-1, "at least 1"), (2**64, "at most 18446744073709551615")],
    ),
    ("random_seed", [1, 2**64 - 1], [(0, "at least 1"), (2**64, "at most 18446744073709551615")]),
    (
        "top_k",
        [0, 1, 49151],
        [(-1, "at least 0"), (49152, "at most 49151"), (2**63, "at most 49151")],
    ),
    ("batch_size", [1, INT32], [(0, "at least 1"), (INT32 + 1, f"at most {INT32}")]),
    ("logprobs", [0, 20], [(-1, "at least 0"), (21, "at most 20")]),
    ("priority", [1, 5], [(0, "at least 1"), (6, "at most 5")]),
]
NUMBERS: Cases = [
    (
        "temperature",
        [5e-324, 1e-38, 0.001, 1, 2.0, 1e308],
        [(0, "greater than 0"), (-0.0, "greater than 0"), (-1, "greater than 0")],
    ),
    (
        "top_p",
        [5e-324, 1e-9, 1, 1.0],
        [(0, "greater than 0"), (0.0, "greater than 0"), (1.0000000000000002, "at most 1")],
    ),
    (
        "typical_p",
        [5e-324, 1],
        [(0, "greater than 0"), (-1.0, "greater than 0"), (1.01, "at most 1")],
    ),
    ("min_p", [0, 0.0, 1], [(-0.01, "at least 0"), (1.01, "at most 1")]),
    ("repetition_penalty", [5e-324, 1, 1000], [(0, "greater than 0"), (-1, "greater than 0")]),
    ("presence_penalty", [-2, 0, 2.0], [(-2.01, "at least -2"), (2.01, "at most 2")]),
    ("frequency_penalty", [-2, 0, 2.0], [(-2.01, "at least -2"), (2.01, "at most 2")]),
    ("timeout", [0.001, 1, 3600], [(0.0009, "at least 0.001"), (3600.1, "at most 3600")]),
]
FLAGS: Cases = [
    (name, [True, False], [])
    for name in (
        "details", "do_sample", "watermark", "perf_stat", "ignore_eos", "skip_special_tokens",
        "stream",
    )
]  # fmt: skip
LISTS: Cases = [
    (
        "stop_token_ids",
        [[], [0, 49151], [1] * 64],
        [
            ([1] * 65, "at most 64 items"),
            (5, "a list"),
            ([1.0], "an integer"),
            ([None], "an integer"),
        ],
    ),
    (
        "stop",
        ["", "x" * 1024, [], ["x" * 1024] * 16, [""]],
        [
            ("x" * 1025, "at most 1024 characters"),
            (["x"] * 17, "at most 16 items"),
            (["x" * 1025], "at most 1024 characters"),
            ([1], "a string"),
            ({}, "a string or a list"),
            (True, "a string or a list"),
        ],
    ),
    ("stop_words", ["", [], "a", ["a"]], [(["x"] * 17, "at most 16 items")]),
    (
        "bad_words",
        ["", [], "字" * 256, ["x" * 256] * 64],
        [("字" * 257, "at most 256 characters"), (["x"] * 65, "at most 64 items")],
    ),
    (
        "logit_bias",
        [{}, {"0": -100, "49151": 100.0}, {str(n): 0 for n in range(1024)}],
        [
            ({"1": 100.1}, "at most 100"),
            ({"1": -100.1}, "at least -100"),
            ({"1": None}, "a number"),
            ({str(n): 0 for n in range(1025)}, "at most 1024 members"),
            ([], "an object"),
        ],
    ),
]
WRONG_TYPES: dict[str, list[Any]] = {
    "an integer": [1.0, 20.0, True, "5", [], {}],
    "a number": [True, "1", [], {}],
    "a boolean": [0, 1, "true", [], {}],
}


def _typed(cases: Cases, kind: str) -> Cases:
    wrong = [(value, kind) for value in WRONG_TYPES[kind]]
    return [(name, taken, [*refused, *wrong]) for name, taken, refused in cases]


ALL_CASES = [
    *_typed(INTEGERS, "an integer"),
    *_typed(NUMBERS, "a number"),
    *_typed(FLAGS, "a boolean"),
    *LISTS,
]
TAKEN = [(name, value) for name, taken, _ in ALL_CASES for value in taken]
REFUSED = [(name, value, why) for name, _, refused in ALL_CASES for value, why in refused]


@pytest.mark.parametrize(("name", "value"), TAKEN, ids=short)
def test_a_value_within_the_bounds_is_taken(name: str, value: Any) -> None:
    assert is_taken(complete(parameters(**{name: value})), name, value)
    if name in FIELDS:
        assert is_taken(complete({"text_input": "a", name: value}), name, value)


def is_taken(completed: Completed, name: str, value: Any) -> bool:
    """Whether the request has the value, under the name and in the form that handlers read."""
    given = completed.payload["parameters"]
    if name == "stream":  # there is an operation for that
        return "stream" not in given and len(completed.ignored) == 1
    if name in TEXT_LISTS:
        value = [text for text in ([value] if isinstance(value, str) else value) if text]
    if name == "max_tokens":
        assert len(completed.capped) == (value > 512)
        value = min(value, 512)
    return completed.ignored == () and given[OTHER_NAMES.get(name, name)] == value


@pytest.mark.parametrize(("name", "value", "why"), REFUSED, ids=short)
def test_a_value_out_of_bounds_is_refused_by_name_at_both_levels(
    name: str, value: Any, why: str
) -> None:
    message = refusal(parameters(**{name: value}))
    assert message.startswith(f"parameters.{name}")
    assert why in message
    assert len(message) < 120
    if name in FIELDS and name != "temperature":  # see the tests of a temperature of 0
        assert refusal({"text_input": "a", name: value}) == message.removeprefix("parameters.")


def test_the_tables_have_every_parameter_of_the_document() -> None:
    declared = {
        name.removeprefix("parameters.")
        for name, field in FIELDS.items()
        if name.startswith("parameters.") and "x-ignored" not in field
    }
    assert {name for name, _, _ in ALL_CASES} == declared | {"stream"}


def test_defaults_are_those_of_the_contract() -> None:
    assert complete({"text_input": "a"}).payload["parameters"] == {
        "details": False,
        "do_sample": False,
        "max_new_tokens": 20,
        "min_new_tokens": 0,
        "temperature": 1.0,
        "top_k": 0,
        "top_p": 1.0,
        "min_p": 0.0,
        "repetition_penalty": 1.0,
        "presence_penalty": 0.0,
        "frequency_penalty": 0.0,
        "logit_bias": {},
        "stop": [],
        "stop_token_ids": [],
        "bad_words": [],
        "ignore_eos": False,
        "skip_special_tokens": True,
        "watermark": False,
        "perf_stat": False,
        "batch_size": 1,
        "priority": 5,
    }
