"""Greedy text against transformers' own generate in float32, the same weights."""

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


@pytest.mark.parametrize("prompt", PROMPTS, ids=ascii)
def test_greedy_is_what_transformers_generates(
    server: RealServer, reference: tuple[Any, Any], prompt: str
) -> None:
    model, tokenizer = reference
    inputs = tokenizer(prompt, return_tensors="pt")
    output = model.generate(**inputs, do_sample=False, max_new_tokens=NUM_TOKENS)
    expected = output[0, inputs.input_ids.shape[1] :].tolist()

    answer = ask(server, prompt, max_new_tokens=NUM_TOKENS)

    assert answer.token_ids == expected
    # A character that is not complete at the end is left out of an answer.
    whole = tokenizer.decode(expected, skip_special_tokens=True).removesuffix("\ufffd")
    assert answer.text == whole
    assert answer.finish_reason == ("length" if len(expected) == NUM_TOKENS else "eos_token")
