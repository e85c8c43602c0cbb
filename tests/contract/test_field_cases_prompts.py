"""Cases from the field, B: prompts that broke other servers. Numbers are those of the list."""

import json
from typing import Any

import pytest

from tests.live_server import post
from tests.tiny_server import MAX_PROMPT_TOKENS, MODEL_URL, TinyServer

REFUSED, TAKEN = [422, 422], [200, 200]


@pytest.mark.parametrize("text", ["", [""]])
def test_case_18_an_empty_prompt_is_refused(tiny: TinyServer, text: Any) -> None:
    assert tiny.statuses({"text_input": text}) == REFUSED


@pytest.mark.parametrize("text", [" ", "\n", "\u200b", "\ufeff", "\u0301", "\U0001f30a"])
def test_case_18_a_prompt_that_only_looks_empty(tiny: TinyServer, text: str) -> None:
    assert tiny.statuses({"text_input": text}) == TAKEN
    assert tiny.is_alive()


@pytest.mark.parametrize("excess", [-1, 0, 1])
def test_case_19_prompts_around_the_limit(tiny: TinyServer, excess: int) -> None:
    num_tokens = MAX_PROMPT_TOKENS + excess
    prompt = "\x01" * num_tokens
    counted = tiny.post("tokenize", {"text_input": prompt}).json()["num_tokens"]
    assert counted == num_tokens

    statuses = tiny.statuses({"text_input": prompt, "parameters": {"max_new_tokens": 2}})

    assert statuses == (REFUSED if excess > 0 else TAKEN)
    if excess > 0:
        refusal = tiny.post("generate", {"text_input": prompt}).json()["error"]
        assert str(num_tokens) in refusal
        assert str(MAX_PROMPT_TOKENS) in refusal


@pytest.mark.parametrize("num_characters", [524288, 524289])
def test_case_19_texts_around_the_limit_of_characters(
    tiny: TinyServer, num_characters: int
) -> None:
    refusal = tiny.post("generate", {"text_input": "x" * num_characters})

    assert refusal.status_code == 422
    assert ("tokens" in refusal.json()["error"]) == (num_characters == 524288)
    assert tiny.is_alive()


def test_case_21_a_large_body_is_refused(tiny: TinyServer) -> None:
    assert tiny.statuses(b'{"text_input":"' + b"x" * 7_000_000) == [413, 413]
    announced = f"POST {MODEL_URL}/generate HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000000000"
    assert tiny.live.exchange(announced.encode() + b"\r\n\r\n").status == 413
    assert tiny.is_alive()


@pytest.mark.parametrize(
    "raw",
    [
        b"[" * 100_000 + b"]" * 100_000,
        b'{"text_input":"x","parameters":' + b"[" * 50_000 + b"]" * 50_000 + b"}",
        b'{"text_input":"x","foo":' + b'{"a":' * 50_000 + b"1" + b"}" * 50_000 + b"}",
    ],
    ids=["body", "parameters", "unknown"],
)
def test_case_22_deep_json_is_refused(tiny: TinyServer, raw: bytes) -> None:
    assert tiny.statuses(raw) == REFUSED
    assert tiny.is_alive()


@pytest.mark.parametrize(
    "raw",
    [b'{"text_input":"\xff\xfe"}', b'\xef\xbb\xbf{"text_input":"x"}', b'{"text_input":"\x01"}',
     b'{"text_input":"\\ud83d"}'],
)  # fmt: skip
def test_case_25_bad_bytes_are_refused(tiny: TinyServer, raw: bytes) -> None:
    assert tiny.statuses(raw) == REFUSED


def test_case_25_nul_is_a_character(tiny: TinyServer) -> None:
    tokens = tiny.post("tokenize", {"text_input": "a\0b"}).json()

    assert tiny.statuses({"text_input": "a\0b"}) == TAKEN
    assert tokens["offsets"][-1][1] == 3


def test_case_60_a_list_of_one_text_is_that_text(tiny: TinyServer) -> None:
    assert (
        tiny.generate(text_input=["hi"])["text_output"]
        == tiny.generate(text_input="hi")["text_output"]
    )
    for texts in ([], ["a", "b"], [7], [["a"]]):
        assert tiny.statuses({"text_input": texts}) == REFUSED


def test_case_59_nothing_but_a_text_is_required(tiny: TinyServer) -> None:
    reply = tiny.live.exchange(post(b'{"text_input":"x"}', f"{MODEL_URL}/generate"))
    greedy = tiny.generate(text_input="x", parameters={"max_new_tokens": 20, "do_sample": False})

    assert json.loads(reply.body)["text_output"] == greedy["text_output"]
