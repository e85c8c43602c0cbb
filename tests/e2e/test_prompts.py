"""Prompts at the limits of the model and of the interface."""

import pytest

from tests.e2e.answer import ask
from tests.real_server import RealServer

MAX_PROMPT_TOKENS = 2560 - 512  # max_seq_len less max_iter_times


@pytest.mark.parametrize("text", ["a", " ", "中", "😀", "a b\n", "é" * 3], ids=ascii)
def test_the_longest_text_is_refused_by_its_tokens(server: RealServer, text: str) -> None:
    reply = server.ask({"text_input": (text * 524288)[:524288]})

    assert reply.status == 422
    words = reply.json()["error"].split()
    assert words[:2] == ["text_input:", "has"]
    assert int(words[2]) > MAX_PROMPT_TOKENS
    assert f"at most {MAX_PROMPT_TOKENS} are allowed" in reply.json()["error"]


def test_one_character_more_is_refused_by_its_characters(server: RealServer) -> None:
    reply = server.ask({"text_input": "😀" * 524289})

    assert reply.status == 422
    assert reply.json()["error"] == "text_input: must have at most 524288 characters"


def test_a_prompt_of_all_the_tokens_allowed_is_served_and_of_one_more_is_not(
    server: RealServer,
) -> None:
    token = "<|endoftext|>"

    answer = ask(server, token * MAX_PROMPT_TOKENS, max_new_tokens=2, ignore_eos=True)
    reply = server.ask({"text_input": token * (MAX_PROMPT_TOKENS + 1)})

    assert len(answer.token_ids) == 2
    assert reply.status == 422
    assert f"has {MAX_PROMPT_TOKENS + 1} tokens" in reply.json()["error"]


@pytest.mark.parametrize(
    "text", [" ", "\n", "\u200b", "\ufeff", "a\0b", "\u202e", "<|im_end|>", "{{x}}"], ids=ascii
)
def test_odd_prompts_are_continued(server: RealServer, text: str) -> None:
    assert ask(server, text, max_new_tokens=3, ignore_eos=True).finish_reason == "length"
