"""Greedy text against transformers' own generate in float32, the same weights."""

import codecs
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.answer import CAPITAL, TURN, ask
from tests.real_server import RealServer

PROMPTS = [
    CAPITAL,
    TURN,
    "My name is Olivier and I",
    "今天天气很好",
    "👩\u200d👩\u200d👧 🇨🇳 😀😀😀",
    "def add(a, b):\n    ",
    "naïve café, Ωμέγα, Привет",
]
NUM_TOKENS = 32


@pytest.fixture(scope="module")
def reference(model_path: Path) -> tuple[Any, Any]:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    torch.set_num_threads(1)
    model = AutoModelForCausalLM.from_pretrained(model_path, dtype=torch.float32)
    return model, AutoTokenizer.from_pretrained(model_path)


def without_half_a_character(tokenizer: Any, token_ids: list[int]) -> str:
    """Their text, less a character at the end whose bytes have not all come.

    The bytes are those of the tokens themselves: a replacement character that the model wrote, or
    one in the middle, stays.
    """
    from transformers.convert_slow_tokenizer import bytes_to_unicode

    special = set(tokenizer.all_special_ids)
    pieces = tokenizer.convert_ids_to_tokens([i for i in token_ids if i not in special])
    byte_of = {character: byte for byte, character in bytes_to_unicode().items()}
    raw = bytes(byte_of[character] for piece in pieces for character in piece)
    return codecs.getincrementaldecoder("utf-8")("replace").decode(raw)


@pytest.mark.parametrize("prompt", PROMPTS, ids=ascii)
def test_greedy_is_what_transformers_generates(
    as_it_comes: RealServer, reference: tuple[Any, Any], prompt: str
) -> None:
    model, tokenizer = reference
    inputs = tokenizer(prompt, return_tensors="pt")
    output = model.generate(**inputs, do_sample=False, max_new_tokens=NUM_TOKENS)
    expected = output[0, inputs.input_ids.shape[1] :].tolist()

    answer = ask(as_it_comes, prompt, max_new_tokens=NUM_TOKENS)

    assert answer.token_ids == expected
    assert answer.text == without_half_a_character(tokenizer, expected)
    assert answer.finish_reason == ("length" if len(expected) == NUM_TOKENS else "eos_token")
