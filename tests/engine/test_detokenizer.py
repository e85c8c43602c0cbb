from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.detokenizer import Detokenizer
from tests.tiny_models import byte_fallback_tokenizer, byte_level_tokenizer, word_piece_tokenizer

MAKERS = [byte_level_tokenizer, byte_fallback_tokenizer]
BYTE_LEVEL, BYTE_FALLBACK = (make() for make in MAKERS)
TEXTS = [
    "The capital of France is Paris.",
    "今天天气很好，我们去公园。",
    "a👩‍👩‍👧‍👦b🏳️‍🌈c🇫🇷 é ö \u0301",
    "def add(a, b):\n\treturn a + b\r\n",
    "\u0000\ufffd\u200b\ufeff mixed 中文 and emoji 😀😀",
    "    four blanks",
]


def pieces(tokenizer: Any, token_ids: list[int], skip_special_tokens: bool = True) -> list[str]:
    stream = Detokenizer(tokenizer).start((), skip_special_tokens)
    return [*(stream.add(token_id) for token_id in token_ids), stream.finish()]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("text", TEXTS)
def test_pieces_join_to_the_text_and_none_holds_half_a_character(
    make: Callable[[], Any], text: str
) -> None:
    tokenizer = make()
    token_ids = tokenizer.encode(text, add_special_tokens=False)
    parts = pieces(tokenizer, token_ids)
    joined = "".join(parts)
    assert joined in (text, f" {text}")  # SentencePiece puts a blank before the first word
    assert joined.count("�") == text.count("\ufffd")
    assert parts[-1] == ""


@pytest.mark.parametrize("text", TEXTS)
def test_any_cut_of_byte_level_tokens_is_the_one_shot_decode_less_half_a_character(
    text: str,
) -> None:
    tokenizer = byte_level_tokenizer()
    detokenizer = Detokenizer(tokenizer)
    token_ids = tokenizer.encode(text, add_special_tokens=False)
    for begin in range(min(8, len(token_ids))):
        for end in range(begin, len(token_ids) + 1):
            cut = token_ids[begin:end]
            joined = "".join(pieces(tokenizer, cut))
            raw = b"".join(detokenizer.token_bytes(token_id) for token_id in cut)
            assert joined + "�" * _ends_unfinished(raw) == tokenizer.decode(cut)


@settings(deadline=None)
@given(st.lists(st.integers(3, 359), max_size=40))
def test_any_tokens_are_the_one_shot_decode_less_half_a_character(token_ids: list[int]) -> None:
    """Models make bytes that are no text; ids below 3 are special."""
    tokenizer, detokenizer = BYTE_LEVEL, Detokenizer(BYTE_LEVEL)
    raw = b"".join(detokenizer.token_bytes(token_id) for token_id in token_ids)
    parts = pieces(tokenizer, token_ids)
    assert "".join(parts) + "�" * _ends_unfinished(raw) == raw.decode(errors="replace")


@settings(deadline=None)
@given(st.text(max_size=40), st.sampled_from([0, 1]), st.integers(0, 80))
@example(" ", 1, 1)
@example("  a", 1, 1)
def test_any_text_is_the_same_in_pieces(text: str, which: int, end: int) -> None:
    tokenizer = (BYTE_LEVEL, BYTE_FALLBACK)[which]
    token_ids = tokenizer.encode(text, add_special_tokens=False)
    whole = tokenizer.decode(token_ids, skip_special_tokens=True)
    joined = "".join(pieces(tokenizer, token_ids))
    # A text by itself may lack the blank that its first word has in the middle of one.
    assert joined == whole or (tokenizer is BYTE_FALLBACK and joined == " " + whole)
    begun = "".join(pieces(tokenizer, token_ids[:end])[:-1])
    assert joined.startswith(begun)


def _ends_unfinished(raw: bytes) -> int:
    """1 where the last bytes begin a character and do not end it, else 0."""
    begin = max((index for index, byte in enumerate(raw) if byte >= 0xC0), default=0)
    try:
        raw[begin:].decode()
    except UnicodeDecodeError as error:
        return int(error.reason == "unexpected end of data")
    return 0


@pytest.mark.parametrize("make", MAKERS)
def test_invalid_bytes_are_shown_at_once_and_stall_nothing(make: Callable[[], Any]) -> None:
    tokenizer = make()
    detokenizer = Detokenizer(tokenizer)
    byte = {detokenizer.token_bytes(token_id): token_id for token_id in range(len(tokenizer))}
    stream = detokenizer.start((), True)
    shown = [stream.add(byte[bytes([value])]) for value in (0xFF, 0xE4, 0xBD, 0xA0, 0xF0, 0x41)]
    assert shown == ["�", "", "", "你", "", "�A"]


@pytest.mark.parametrize("make", MAKERS)
def test_an_unfinished_character_is_left_out_at_the_end(make: Callable[[], Any]) -> None:
    tokenizer = make()
    detokenizer = Detokenizer(tokenizer)
    byte = {detokenizer.token_bytes(token_id): token_id for token_id in range(len(tokenizer))}
    stream = detokenizer.start((), True)
    assert [stream.add(byte[bytes([value])]) for value in (0xF0, 0x9F, 0x98)] == ["", "", ""]
    assert stream.finish() == ""


def test_word_pieces_join_to_the_one_shot_decode_after_the_prompt() -> None:
    tokenizer = word_piece_tokenizer()
    detokenizer = Detokenizer(tokenizer)
    token_ids = tokenizer.encode(
        "The capital of France 今天天气 upon a time there was", add_special_tokens=False
    )
    for num_prompt_tokens in range(len(token_ids)):
        prompt, output = token_ids[:num_prompt_tokens], token_ids[num_prompt_tokens:]
        stream = detokenizer.start(tuple(prompt), True)
        text = "".join([*(stream.add(token_id) for token_id in output), stream.finish()])
        prompt_text = tokenizer.decode(prompt) if prompt else ""
        assert prompt_text + text == tokenizer.decode(token_ids)


@pytest.mark.parametrize("make", [*MAKERS, word_piece_tokenizer])
def test_special_tokens_are_hidden_or_shown_as_asked(make: Callable[[], Any]) -> None:
    tokenizer = make()
    word = tokenizer.encode("a", add_special_tokens=False)[-1]
    eos = tokenizer.eos_token_id
    hidden = "".join(pieces(tokenizer, [word, eos, word]))
    shown = "".join(pieces(tokenizer, [word, eos, word], skip_special_tokens=False))
    assert "</s>" not in hidden
    assert "</s>" in shown


def test_a_continuation_keeps_the_blank_that_separates_it_from_the_prompt() -> None:
    tokenizer = byte_fallback_tokenizer()
    blank, *_ = tokenizer.convert_tokens_to_ids(["▁"])
    assert "".join(pieces(tokenizer, [blank, *tokenizer.convert_tokens_to_ids(["a"])])) == " a"


def test_an_id_that_the_tokenizer_does_not_know_is_no_text() -> None:
    assert pieces(byte_level_tokenizer(), [100_000]) == ["", ""]
