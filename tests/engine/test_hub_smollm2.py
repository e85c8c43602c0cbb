"""The embedded model, pulled for real, is the model that its authors published."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine.hub import pull

pytestmark = pytest.mark.e2e

# Token ids as llama.cpp gives them for the very same GGUF file.
LLAMA_CPP_IDS = {
    "x =   42": "104 446 333 36 34",
    "My name is Olivier and I": "5965 1462 314 11256 380 1153 284 339",
    "今天天气很好": "15076 228 18614 119 18614 119 177 125 238 29157 226 48392 138",
    "👩\u200d👩\u200d👧 🇨🇳 naïve café": (
        "10813 235 119 321 231 10813 235 119 321 231 10813 235 117 15107 "
        "225 118 10813 225 128 15486 46494 37366"
    ),
    "  a\n\n\tb 1234  \n": "216 253 1116 197 82 216 33 34 35 36 32057",
    "print(i ** 2)\r\n": "3272 24 89 1903 216 34 25 2738",
    "<|im_start|>user\nHi<|im_end|>\n": "1 4093 198 26843 2 198",
    "\xa0x\u3000\u0661\u0662 ½ \U0001d7d8": (
        "15442 104 12109 218 164 111 164 112 216 16738 216 23159 249 242"
    ),
}


@pytest.fixture(scope="module")
def directory() -> Path:
    return pull("smollm2-135m-instruct")


@pytest.fixture(scope="module")
def tokenizer(directory: Path) -> Any:
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(directory)


@pytest.mark.parametrize("text", LLAMA_CPP_IDS, ids=ascii)
def test_token_ids_are_those_of_llama_cpp(tokenizer: Any, text: str) -> None:
    assert " ".join(map(str, tokenizer(text).input_ids)) == LLAMA_CPP_IDS[text]


@pytest.mark.parametrize("text", LLAMA_CPP_IDS, ids=ascii)
def test_text_comes_back_whole(tokenizer: Any, text: str) -> None:
    assert tokenizer.decode(tokenizer(text).input_ids) == text


def test_a_chat_turn_ends_the_text(directory: Path, tokenizer: Any) -> None:
    config = json.loads((directory / "generation_config.json").read_text(encoding="utf-8"))
    assert tokenizer.convert_ids_to_tokens(config["eos_token_id"]) == [
        *("<|im_end|>", "<|endoftext|>")
    ]
    chat = [{"role": "user", "content": "Hi"}]
    prompt = tokenizer.apply_chat_template(chat, add_generation_prompt=True, tokenize=False)
    assert prompt.endswith("<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n")


def test_the_greedy_text_is_that_of_the_exact_weights(directory: Path, tokenizer: Any) -> None:
    from transformers import AutoModelForCausalLM

    model = AutoModelForCausalLM.from_pretrained(directory, dtype="auto")
    assert str(model.dtype) == "torch.float32"
    prompt = tokenizer("My name is Olivier and I", return_tensors="pt")
    output = model.generate(**prompt, do_sample=False, max_new_tokens=40)[0]
    assert tokenizer.decode(output[prompt.input_ids.shape[1] :]) == (
        "'m here to help you with your business. I'll be your go-to person to ensure your business "
        "runs smoothly and efficiently.\n\nI'll start by explaining the importance of your "
        "business and the"
    )
