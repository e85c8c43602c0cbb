"""Cases from the field, D: what comes out as text."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from engine import Chunk, FinishReason
from engine.detokenizer import Detokenizer
from engine.stopping import StopMatcher
from tests.fake_engine import FakeEngine, chunk
from tests.live_server import post, serving
from tests.streams import STREAM, Stream, read_head, read_stream
from tests.tiny_models import byte_level_tokenizer, save_model
from tests.tiny_server import PROMPT, TinyServer, tiny_server

pytestmark = pytest.mark.slow

EOS = "2"
TEXTS = ["今天天气很好 🌊", "👩‍👩‍👧‍👦🇫🇷é", "a\ufffdb", "\U0001d4b3\x7f\x80߿ࠀ\uffff𐀀"]


def byte_chunks(raw: bytes) -> list[Chunk]:
    """A token for each byte, as an engine with a byte-level tokenizer shows them."""
    tokenizer = byte_level_tokenizer()
    detokenizer = Detokenizer(tokenizer)
    id_of = {detokenizer.token_bytes(token_id): token_id for token_id in range(len(tokenizer))}
    stream = detokenizer.start((), True)
    texts = [stream.add(id_of[bytes([byte])]) for byte in raw]
    made = [chunk(text) for text in texts[:-1]]
    return [*made, chunk(texts[-1] + stream.finish(), finish_reason=FinishReason.LENGTH)]


def both(script: Sequence[Chunk]) -> tuple[str, Stream]:
    """The text of generate, and the stream of the same."""
    with serving(FakeEngine(script=list(script))) as server:
        text = server.exchange(post(b'{"text_input":"x"}')).json()["text_output"]
        with server.connection() as connection:
            connection.send(post(b'{"text_input":"x"}', STREAM))
            read_head(connection)
            return text, read_stream(connection)


@pytest.mark.parametrize("text", TEXTS)
def test_case_34_a_text_cut_at_every_byte_comes_out_whole(text: str) -> None:
    raw = text.encode()
    whole, stream = both(byte_chunks(raw))

    assert whole == stream.text == text
    assert len(stream.frames) == len(raw)
    for event in stream.events:
        assert event["text_output"] in (*text, "")


def test_case_34_a_text_that_ends_within_a_character_ends_before_it() -> None:
    text = "你🌊"
    raw = text.encode()
    for length in range(1, len(raw)):
        whole, stream = both(byte_chunks(raw[:length]))

        assert whole == stream.text == raw[:length].decode(errors="ignore")


def test_case_34_invalid_bytes_stall_nothing() -> None:
    whole, stream = both(byte_chunks(b"a\xffb\xe4\xbd\xa0\xf0A"))

    assert whole == stream.text == "a�b你�A"
    assert [event["text_output"] for event in stream.events][:3] == ["a", "�", "b"]


@pytest.mark.parametrize("parameters", [{}, {"do_sample": True, "seed": 9}])
def test_case_36_pieces_add_up_to_the_whole(tiny: TinyServer, parameters: dict[str, Any]) -> None:
    parameters = {"max_new_tokens": 60, **parameters}
    pieces = [event["text_output"] for event in tiny.events(parameters=parameters)]

    assert "".join(pieces) == tiny.text(**parameters)
    assert len(pieces) == tiny.generate(parameters=parameters)["details"]["generated_tokens"]
    assert sum(map(bool, pieces)) > 3


def test_case_37_the_end_token_is_counted_and_not_shown(tiny: TinyServer) -> None:
    forced = {"logit_bias": {EOS: 100}}
    answer = tiny.generate(parameters=forced)
    [event] = tiny.events(parameters=forced)

    assert answer["text_output"] == event["text_output"] == ""
    assert answer["details"]["finish_reason"] == event["details"]["finish_reason"] == "eos_token"
    assert answer["details"]["generated_tokens"] == event["details"]["generated_tokens"] == 1
    assert tiny.text(**forced, skip_special_tokens=False) == "</s>"


def test_case_37_the_end_token_as_the_last_allowed_token_is_length(tiny: TinyServer) -> None:
    answer = tiny.generate(parameters={"logit_bias": {EOS: 100}, "max_new_tokens": 1})

    assert answer["details"]["finish_reason"] == "length"


def test_case_38_the_prompt_is_not_echoed(tiny: TinyServer) -> None:
    alone = tiny.generate(parameters={"max_new_tokens": 1})

    assert PROMPT not in alone["text_output"]
    assert alone["details"]["generated_tokens"] == 1


@pytest.mark.parametrize("spelling", ["stop", "stop_words"])
def test_case_40_a_stop_string_cuts_the_text_and_never_leaks(
    tiny: TinyServer, spelling: str
) -> None:
    text = tiny.text(max_new_tokens=60)
    middle = len(text) // 2
    stop = text[middle : middle + 4]
    expected = text[: text.index(stop)]
    parameters = {"max_new_tokens": 60, spelling: [stop, "not in the text"]}

    answer = tiny.generate(parameters=parameters)
    events = tiny.events(parameters=parameters)

    assert answer["text_output"] == "".join(e["text_output"] for e in events) == expected
    assert answer["details"]["finish_reason"] == "stop_sequence"
    assert events[-1]["details"]["finish_reason"] == "stop_sequence"


@pytest.mark.parametrize("nothing", ["", [], [""], None])
def test_case_40_no_stop_string_is_none(tiny: TinyServer, nothing: Any) -> None:
    assert tiny.text(stop_words=nothing) == tiny.text()


def test_case_40_a_stop_string_that_overlaps_itself() -> None:
    matcher = StopMatcher(("aab",))

    assert [matcher.add(piece) for piece in "aaab"] == [
        ("", False),
        ("", False),
        ("a", False),
        ("", True),
    ]


def test_case_41_every_end_token_of_the_model_ends_a_text(tmp_path: Path) -> None:
    model = save_model(tmp_path / "model")
    generation = {"eos_token_id": [2, 77]}
    (model / "generation_config.json").write_text(json.dumps(generation), encoding="utf-8")
    with tiny_server(model) as server:
        for token_id in ("2", "77"):
            details = server.generate(parameters={"logit_bias": {token_id: 100}})["details"]
            assert (details["finish_reason"], details["generated_tokens"]) == ("eos_token", 1)
        config = server.client.get("/v2/models/tiny/config").json()
        assert (config["eos_token_id"], config["eos_token_ids"]) == (2, [2, 77])
