"""Every parameter does what it says: one row for each, against the answer without it."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e.answer import CAPITAL, TURN, Answer, ask
from tests.real_server import RealServer

Parameters = dict[str, Any]
GREEDY: Parameters = {"max_new_tokens": 16}
SAMPLED: Parameters = {"max_new_tokens": 16, "do_sample": True, "seed": 7, "temperature": 1.5}
CHAT: Parameters = {"max_new_tokens": 48}


def is_other(base: Answer, changed: Answer) -> bool:
    return changed.token_ids != base.token_ids


def is_same(base: Answer, changed: Answer) -> bool:
    return changed.token_ids == base.token_ids and changed.text == base.text


def stops_before_its_middle(base: Answer, changed: Answer) -> bool:
    is_cut = changed.text == base.text[: base.text.index(middle(base))]
    return is_cut and changed.finish_reason == "stop_sequence"


def middle(base: Answer) -> str:
    return base.text[15:20]


def middle_id(base: Answer) -> int:
    return base.token_ids[8]


def has_num_tokens(number: int, reason: str) -> Callable[[Answer, Answer], bool]:
    return lambda base, changed: (len(changed.token_ids), changed.finish_reason) == (number, reason)


Change = Callable[[Answer], Parameters]
Holds = Callable[[Answer, Answer], bool]
EFFECTS: dict[str, tuple[Parameters, Change, Holds]] = {
    "max_new_tokens of 1": (GREEDY, lambda _: {"max_new_tokens": 1}, has_num_tokens(1, "length")),
    "max_new_tokens shortens": (
        GREEDY,
        lambda _: {"max_new_tokens": 5},
        lambda base, changed: changed.token_ids == base.token_ids[:5],
    ),
    "max_new_tokens at max_iter_times": (
        GREEDY,
        lambda _: {"max_new_tokens": 512, "ignore_eos": True},
        has_num_tokens(512, "length"),
    ),
    "stop as a string": (GREEDY, lambda base: {"stop": middle(base)}, stops_before_its_middle),
    "stop as a list": (
        GREEDY,
        lambda base: {"stop": ["never", middle(base), ""]},
        stops_before_its_middle,
    ),
    "stop of what never comes": (GREEDY, lambda _: {"stop": ["\x00", ""]}, is_same),
    "stop_token_ids": (
        GREEDY,
        lambda base: {"stop_token_ids": [middle_id(base)]},
        lambda base, changed: (
            changed.finish_reason == "stop_sequence"
            and changed.token_ids == base.token_ids[: base.token_ids.index(middle_id(base)) + 1]
        ),
    ),
    "ignore_eos": (CHAT, lambda _: {"ignore_eos": True}, has_num_tokens(48, "length")),
    "min_new_tokens": (
        CHAT,
        lambda base: {"min_new_tokens": len(base.token_ids) + 5},
        lambda base, changed: len(changed.token_ids) >= len(base.token_ids) + 5,
    ),
    "skip_special_tokens": (
        CHAT,
        lambda _: {"skip_special_tokens": False},
        lambda base, changed: changed.text == base.text + "<|im_end|>",
    ),
    "repetition_penalty": (GREEDY, lambda _: {"repetition_penalty": 1.8}, is_other),
    "repetition_penalty of 1": (GREEDY, lambda _: {"repetition_penalty": 1}, is_same),
    "presence_penalty": (GREEDY, lambda _: {"presence_penalty": 2}, is_other),
    "frequency_penalty": (GREEDY, lambda _: {"frequency_penalty": 2}, is_other),
    "logit_bias forbids": (
        GREEDY,
        lambda base: {"logit_bias": {str(base.token_ids[0]): -100}},
        lambda base, changed: base.token_ids[0] not in changed.token_ids,
    ),
    "logit_bias forces": (
        GREEDY,
        lambda _: {"logit_bias": {"42": 100}},
        lambda _, changed: set(changed.token_ids) == {42},
    ),
    "bad_words": (
        GREEDY,
        lambda _: {"bad_words": ["Paris"]},
        lambda base, changed: "Paris" in base.text and "Paris" not in changed.text,
    ),
    "do_sample": (GREEDY, lambda _: SAMPLED, is_other),
    "sampling parameters without do_sample": (
        GREEDY,
        lambda _: {"temperature": 2, "top_k": 3, "top_p": 0.5, "typical_p": 0.3, "min_p": 0.1},
        is_same,
    ),
    "seed, the same": (SAMPLED, lambda _: {}, is_same),
    "seed, another": (SAMPLED, lambda _: {"seed": 8}, is_other),
    "seed of 64 bits": (SAMPLED, lambda _: {"seed": 7 + 2**63}, is_other),
    "temperature": (SAMPLED, lambda _: {"temperature": 0.7}, is_other),
    "tiny temperature": (
        GREEDY,
        lambda _: {"do_sample": True, "temperature": 1e-6, "seed": 3},
        is_same,
    ),
    "top_k": (SAMPLED, lambda _: {"top_k": 3}, is_other),
    "top_k of 1": (GREEDY, lambda _: {**SAMPLED, "top_k": 1}, is_same),
    "top_k of nearly all": (SAMPLED, lambda _: {"top_k": 49151}, is_same),
    "top_p": (SAMPLED, lambda _: {"top_p": 0.3}, is_other),
    "tiny top_p": (GREEDY, lambda _: {**SAMPLED, "top_p": 1e-9}, is_same),
    "top_p of 1": (SAMPLED, lambda _: {"top_p": 1}, is_same),
    "typical_p": (SAMPLED, lambda _: {"typical_p": 0.2}, is_other),
    "min_p": (SAMPLED, lambda _: {"min_p": 0.5}, is_other),
    "min_p of 1": (GREEDY, lambda _: {**SAMPLED, "min_p": 1}, is_same),
    "watermark": (SAMPLED, lambda _: {"watermark": True}, is_other),
    "batch_size": (SAMPLED, lambda _: {"batch_size": 100}, is_same),
    "priority": (SAMPLED, lambda _: {"priority": 1}, is_same),
    "timeout that is kept": (SAMPLED, lambda _: {"timeout": 60}, is_same),
}


@pytest.fixture(scope="module")
def base_of(server: RealServer) -> Callable[[Parameters], Answer]:
    """The answer to parameters without a change, asked for once."""
    answers: dict[str, Answer] = {}

    def base_of(parameters: Parameters) -> Answer:
        key = str(parameters)
        if key not in answers:
            answers[key] = ask(server, prompt_of(parameters), **parameters)
        return answers[key]

    return base_of


def prompt_of(parameters: Parameters) -> str:
    return TURN if parameters is CHAT else CAPITAL


@pytest.mark.parametrize("name", EFFECTS)
def test_effect(server: RealServer, base_of: Callable[[Parameters], Answer], name: str) -> None:
    parameters, change, holds = EFFECTS[name]
    base = base_of(parameters)

    changed = ask(server, prompt_of(parameters), **{**parameters, **change(base)})

    assert holds(base, changed), (base, changed)


def test_the_bases_of_the_table_end_as_it_needs(base_of: Callable[[Parameters], Answer]) -> None:
    assert [base_of(base).finish_reason for base in (GREEDY, SAMPLED, CHAT)] == [
        *("length", "length", "eos_token")
    ]


def test_repetition_penalty_sees_the_prompt(
    server: RealServer, base_of: Callable[[Parameters], Answer]
) -> None:
    prompt, paris = "Paris Paris Paris Paris Paris", base_of(GREEDY).token_ids[0]
    plain, rewarded, penalised = (
        ask(server, prompt, max_new_tokens=1, repetition_penalty=penalty).token_ids[0]
        for penalty in (1, 0.5, 1000)
    )

    assert rewarded == paris
    assert paris not in (plain, penalised)


def test_perf_stat_tells_where_the_time_went(server: RealServer) -> None:
    details = ask(server, CAPITAL, max_new_tokens=8).details
    (_, first), *rest = details["perf_stat"]

    assert len(rest) == 7
    assert abs(first - details["first_token_cost"]) <= 0.501
    assert abs(sum(ms for _, ms in rest) - details["decode_cost"]) <= 0.501 * len(rest)
    assert 0 < details["first_token_cost"]
    assert 0 < details["decode_cost"]


def test_logprobs_show_the_alternatives(server: RealServer) -> None:
    answer = ask(server, CAPITAL, max_new_tokens=6, logprobs=3)
    tokens = answer.details["tokens"]

    assert [token["token_id"] for token in tokens] == answer.token_ids
    assert "".join(token["text"] for token in tokens) == answer.text
    for token in tokens:
        logprobs = [top["logprob"] for top in token["top_logprobs"]]
        assert len(logprobs) == 3
        assert logprobs == sorted(logprobs, reverse=True)
        assert token["top_logprobs"][0]["token_id"] == token["token_id"]  # greedy
        assert token["logprob"] == logprobs[0] <= 0


def test_a_time_limit_that_cannot_be_kept_is_408(server: RealServer) -> None:
    reply = server.ask(
        {"text_input": CAPITAL, "parameters": {"max_new_tokens": 512, "timeout": 0.2}}
    )

    assert reply.status == 408
    assert reply.json()["error"] == "no answer within the time limit of 0.2 seconds"
