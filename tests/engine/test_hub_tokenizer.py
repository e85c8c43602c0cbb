"""The tokenizer built from GGUF metadata splits text as the model's authors meant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from engine.hub import HubError
from engine.hub.tokenizer import build_tokenizer, special_token_ids
from tests.engine.hub_models import SPECIAL, TOKENS, tokenizer_fields

SMOLLM = build_tokenizer(tokenizer_fields("smollm"))
QWEN2 = build_tokenizer(tokenizer_fields("qwen2"))


def test_smollm_splits_digits_one_by_one_and_keeps_blanks_before_them_together() -> None:
    assert SMOLLM.encode("x =   42").tokens == ["x", "Ġ", "=", "ĠĠĠ", "4", "2"]


def test_qwen2_splits_digits_one_by_one_but_leaves_the_last_blank_to_them() -> None:
    assert QWEN2.encode("x =   42").tokens == ["x", "Ġ", "=", "ĠĠ", "Ġ", "4", "2"]


@pytest.mark.parametrize("tokenizer", [SMOLLM, QWEN2], ids=["smollm", "qwen2"])
@pytest.mark.parametrize(
    "text", ["今天天气很好", "👩‍👩‍👧‍👦🇨🇳", " \n\t x", "naïve", "ab42<|im_end|>", ""]
)
def test_text_comes_back_whole(tokenizer: Tokenizer, text: str) -> None:
    assert tokenizer.decode(tokenizer.encode(text).ids, skip_special_tokens=False) == text


@given(st.text())
def test_any_text_comes_back_whole_from_the_one_without_a_normalizer(text: str) -> None:
    assert SMOLLM.decode(SMOLLM.encode(text).ids, skip_special_tokens=False) == text


def test_qwen2_composes_characters_and_smollm_does_not() -> None:
    assert QWEN2.encode("e\u0301").ids == QWEN2.encode("\u00e9").ids
    assert SMOLLM.encode("e\u0301").ids != SMOLLM.encode("\u00e9").ids


def test_ids_are_those_of_the_file() -> None:
    vocab = SMOLLM.get_vocab(with_added_tokens=True)
    assert {TOKENS[token_id]: token_id for token_id in vocab.values()} == vocab


def test_unused_entries_are_not_text() -> None:
    assert SMOLLM.token_to_id("[PAD]") is None
    assert SMOLLM.decode([TOKENS.index("[PAD]")], skip_special_tokens=False) == ""


def test_control_tokens_are_special_and_user_defined_ones_are_text() -> None:
    ids = SMOLLM.encode("<|im_start|>a<tool>b<|im_end|>").ids
    assert [TOKENS[token_id] for token_id in ids] == [SPECIAL[1], "a", "<tool>", "b", SPECIAL[2]]
    assert SMOLLM.decode(ids, skip_special_tokens=True) == "a<tool>b"


@pytest.mark.parametrize(("model", "rules"), [("llama", "default"), ("gpt2", "deepseek-llm")])
def test_an_unknown_kind_is_refused(model: str, rules: str) -> None:
    fields = tokenizer_fields(rules) | {"tokenizer.ggml.model": model}
    with pytest.raises(HubError, match="tokenizer of an unknown kind"):
        build_tokenizer(fields)


def test_special_ids_are_named_by_their_role_where_declared() -> None:
    fields = {"tokenizer.ggml.eos_token_id": 2, "tokenizer.ggml.unknown_token_id": 0}
    assert special_token_ids(fields) == {"eos_token": 2, "unk_token": 0}
