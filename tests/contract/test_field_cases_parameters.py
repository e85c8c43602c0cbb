"""Cases from the field, A: parameters that broke other servers. Numbers are those of the list."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.tiny_server import VOCAB_SIZE, TinyServer

pytestmark = pytest.mark.slow

REFUSED, TAKEN = [422, 422], [200, 200]


def body(**parameters: Any) -> dict[str, Any]:
    return {"text_input": "x", "parameters": {"max_new_tokens": 2, **parameters}}


@pytest.mark.parametrize("temperature", [1e-3, 1e-4, 1e-6, 1e-38, 5e-324])
def test_case_1_a_tiny_temperature_is_greedy(tiny: TinyServer, temperature: float) -> None:
    greedy = tiny.text(max_new_tokens=20)

    assert greedy
    assert tiny.text(do_sample=True, temperature=temperature, max_new_tokens=20) == greedy
    assert tiny.is_alive()


@pytest.mark.parametrize("zero", ["0", "0.0", "-0.0"])
@pytest.mark.parametrize("sampling", ["", '"do_sample":true,', '"do_sample":false,'])
def test_case_2_a_temperature_of_zero(tiny: TinyServer, zero: str, sampling: str) -> None:
    inside = f'{{"text_input":"x","parameters":{{{sampling}"temperature":{zero}}}}}'
    outside = f'{{"text_input":"x",{sampling}"temperature":{zero}}}'

    assert tiny.statuses(inside.encode()) == REFUSED
    assert tiny.statuses(outside.encode()) == TAKEN
    answer = tiny.post("generate", outside.encode()).json()
    assert answer["text_output"] == tiny.generate(text_input="x")["text_output"]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
@pytest.mark.parametrize("name", ["temperature", "top_p", "repetition_penalty"])
def test_case_3_what_is_no_json_number(tiny: TinyServer, number: str, name: str) -> None:
    inside = f'{{"text_input":"x","parameters":{{"{name}":{number}}}}}'
    outside = f'{{"text_input":"x","{name}":{number}}}'

    assert tiny.statuses(inside.encode()) == tiny.statuses(outside.encode()) == REFUSED


@pytest.mark.parametrize(
    ("top_k", "statuses"),
    [(0, TAKEN), (VOCAB_SIZE - 1, TAKEN), (VOCAB_SIZE, REFUSED), (VOCAB_SIZE + 1, REFUSED),
     (9999999, REFUSED), (2**31 - 1, REFUSED), (2**31, REFUSED), (2**63, REFUSED), (-1, REFUSED)],
)  # fmt: skip
def test_case_4_top_k_around_the_vocabulary(
    tiny: TinyServer, top_k: int, statuses: list[int]
) -> None:
    assert tiny.statuses(body(do_sample=True, top_k=top_k)) == statuses
    assert tiny.is_alive()


def test_case_6_the_defaults_of_a_gateway(tiny: TinyServer) -> None:
    sent = {"text_input": "x", "top_k": 50, "top_p": 0.7, "temperature": 0.7}

    assert tiny.statuses(sent) == TAKEN


def test_case_8_a_top_p_of_one_is_none(tiny: TinyServer) -> None:
    without = tiny.text(do_sample=True, seed=5)

    assert tiny.text(do_sample=True, seed=5, top_p=1.0) == without
    assert tiny.text(do_sample=True, seed=5, top_p=1) == without


@pytest.mark.parametrize(
    ("outer", "inner", "expected"),
    [({"max_tokens": 3}, {}, 3), ({}, {"max_tokens": 3}, 3),
     ({"max_tokens": 3}, {"max_new_tokens": 5}, 5),
     ({}, {"max_tokens": 3, "max_new_tokens": 5}, 5)],
)  # fmt: skip
def test_case_9_the_token_budget_of_the_sister_protocol_holds(
    tiny: TinyServer, outer: dict[str, int], inner: dict[str, int], expected: int
) -> None:
    answer = tiny.generate(**outer, parameters={**inner, "ignore_eos": True})

    assert answer["details"]["generated_tokens"] == expected


def test_case_10_extra_fields_are_ignored_and_named(tiny: TinyServer) -> None:
    sent = {"text_input": "x", "stream": False, "foo": 1,
            "parameters": {"ignore_eos": False, "bar": "y", "nested": {"a": [None]}}}  # fmt: skip

    assert tiny.statuses(sent) == TAKEN
    named = tiny.post("generate", sent).headers["x-ignored-fields"].split(", ")
    assert set(named) == {"stream", "foo", "parameters.bar", "parameters.nested"}


@pytest.mark.parametrize("budget", [129, 2000, 2**31 - 1, 2**31, 10**30])
def test_case_11_a_huge_budget(tiny: TinyServer, budget: int) -> None:
    assert tiny.statuses(body(max_new_tokens=budget)) == REFUSED
    capped = {"text_input": "x", "max_tokens": budget}
    assert tiny.statuses(capped) == (TAKEN if budget < 2**31 else REFUSED)
    assert tiny.is_alive()


@pytest.mark.parametrize(
    ("name", "value"),
    [("max_new_tokens", True), ("max_new_tokens", "5"), ("max_new_tokens", 5.5),
     ("max_new_tokens", 5.0), ("max_new_tokens", []), ("do_sample", 1), ("do_sample", "true"),
     ("temperature", "1"), ("temperature", True), ("details", "yes")],
)  # fmt: skip
def test_case_12_wrong_types_are_not_coerced(tiny: TinyServer, name: str, value: Any) -> None:
    assert tiny.statuses(body(**{name: value})) == REFUSED
    refusal = tiny.post("generate", body(**{name: value})).json()["error"]
    assert refusal.startswith(f"parameters.{name}: ")


def test_case_12_null_is_absent_and_an_integer_is_a_number(tiny: TinyServer) -> None:
    assert tiny.statuses(body(max_new_tokens=None, do_sample=None, temperature=1)) == TAKEN


@pytest.mark.parametrize("seed", [0, -1, 2**64, 1.5, "1"])
def test_case_13_what_is_no_seed(tiny: TinyServer, seed: Any) -> None:
    assert tiny.statuses(body(do_sample=True, seed=seed)) == REFUSED


def test_case_13_seeds_keep_every_digit(tiny: TinyServer) -> None:
    seeds = [1, 10**15, 2**53, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1]
    answers = [tiny.generate(parameters={"do_sample": True, "seed": seed}) for seed in seeds]

    assert [answer["details"]["seed"] for answer in answers] == seeds
    assert len({answer["text_output"] for answer in answers}) == len(seeds)


def test_case_15_an_id_is_an_echo_and_no_key(tiny: TinyServer) -> None:
    prompts = ["The capital", "Once upon a time", "def add"]
    alone = [tiny.generate(text_input=prompt)["text_output"] for prompt in prompts]
    with ThreadPoolExecutor(3) as pool:
        twins = list(pool.map(lambda p: tiny.generate(id="a123", text_input=p), prompts))

    assert [twin["text_output"] for twin in twins] == alone
    assert {twin["id"] for twin in twins} == {"a123"}


@pytest.mark.parametrize("name", ["a" * 256, "a" * 257, 'a"b\nc', "a\r\nX-Evil: 1", "请求"])
def test_case_16_any_string_is_echoed_as_it_is(tiny: TinyServer, name: str) -> None:
    reply = tiny.post("generate", {"id": name, **body()})

    assert reply.json()["id"] == name
    assert "x-evil" not in reply.headers
    assert tiny.events(id=name)[0]["id"] == name


@pytest.mark.parametrize(("name", "statuses"), [("", REFUSED), (7, REFUSED), (None, TAKEN)])
def test_case_16_other_ids(tiny: TinyServer, name: Any, statuses: list[int]) -> None:
    assert tiny.statuses({"id": name, **body()}) == statuses


@pytest.mark.parametrize(
    "raw",
    ['{"text_input":"a","text_input":"b"}', '{"text_input":"a","parameters":{"seed":1,"seed":2}}'],
)
def test_case_17_duplicate_keys_are_refused(tiny: TinyServer, raw: str) -> None:
    assert tiny.statuses(raw.encode()) == REFUSED
