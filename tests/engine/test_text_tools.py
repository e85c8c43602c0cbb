"""Tokenizing, detokenizing and scoring marks, by the engine that marks."""

import asyncio
from typing import Any

import pytest

from engine import (
    EngineUnavailableError,
    FinishReason,
    GenerationRequest,
    InvalidRequestError,
    LocalEngine,
    ModelNotFoundError,
)
from tests.engine.conftest import MakeConfig
from tests.params import params

TEXT = "The capital of France is Paris. 今天天气很好 🌊"


def make_request(name: str = "r1", **changes: Any) -> GenerationRequest:
    return GenerationRequest(
        request_id=name,
        model="tiny",
        prompt="The capital of",
        sampling_params=params(**{"ignore_eos": True, **changes}),
        priority=5,
    )


async def generated_ids(engine: LocalEngine, **changes: Any) -> list[int]:
    chunks = [chunk async for batch in engine.stream(make_request(**changes)) for chunk in batch]
    return [chunk.token.token_id for chunk in chunks if chunk.token is not None]


async def test_tokens_cover_the_text_and_come_back_as_it(engine: LocalEngine) -> None:
    tokens = await engine.tokenize("tiny", TEXT)

    assert tokens.offsets is not None
    assert len(tokens.offsets) == len(tokens.token_ids)
    covered = {index for start, end in tokens.offsets for index in range(start, end)}
    assert covered == set(range(len(TEXT)))
    text = await engine.detokenize("tiny", tokens.token_ids, skip_special_tokens=True)
    assert text == TEXT


async def test_tokens_are_those_of_a_prompt(engine: LocalEngine) -> None:
    tokens = await engine.tokenize("tiny", "The capital of")
    batches = [batch async for batch in engine.stream(make_request(max_new_tokens=1))]

    assert batches[0][0].num_prompt_tokens == len(tokens.token_ids)


async def test_special_tokens_are_shown_as_asked(engine: LocalEngine) -> None:
    (eos,) = engine.models()[0].eos_token_ids

    assert await engine.detokenize("tiny", (eos,), skip_special_tokens=True) == ""
    assert await engine.detokenize("tiny", (eos,), skip_special_tokens=False) == "</s>"


async def test_half_a_character_is_shown_as_such(engine: LocalEngine) -> None:
    token_ids = (await engine.tokenize("tiny", "🌊")).token_ids

    assert "�" in await engine.detokenize("tiny", token_ids[:1], skip_special_tokens=True)


async def test_an_id_outside_the_vocabulary_is_refused(engine: LocalEngine) -> None:
    with pytest.raises(InvalidRequestError, match="token_ids"):
        await engine.detokenize("tiny", (400,), skip_special_tokens=True)


async def test_marked_text_is_told_from_plain_text(engine: LocalEngine) -> None:
    common = {"do_sample": True, "max_new_tokens": 100, "temperature": 20.0}
    scores = {}
    for is_marked in (True, False):
        token_ids = await generated_ids(engine, watermark=is_marked, **common)
        # A random model's tokens do not come back from their text: those that do are enough.
        text = await engine.detokenize("tiny", token_ids, skip_special_tokens=True)
        scores[is_marked] = await engine.detect_watermark("tiny", text)

    assert scores[True].z_score > scores[False].z_score
    for score in scores.values():
        assert score.is_watermarked == (score.z_score > 3)
        assert 0 <= score.green_fraction <= 1
        assert 0 <= score.p_value <= 1
        assert score.num_tokens > 50


async def test_too_many_tokens_are_not_scored(engine: LocalEngine) -> None:
    with pytest.raises(InvalidRequestError, match="text_input"):
        await engine.detect_watermark("tiny", "a" * 10000)


async def test_a_text_of_one_token_has_nothing_to_score(engine: LocalEngine) -> None:
    found = await engine.detect_watermark("tiny", "a")

    assert (found.num_tokens, found.p_value, found.is_watermarked) == (0, 1.0, False)


async def test_nothing_is_read_before_the_model_is_loaded(make_config: MakeConfig) -> None:
    engine = LocalEngine(make_config())

    with pytest.raises(EngineUnavailableError):
        await engine.tokenize("tiny", "a")
    with pytest.raises(ModelNotFoundError):
        await engine.tokenize("other", "a")


async def test_a_request_can_be_cancelled_while_its_prompt_is_read(
    engine: LocalEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not await engine.cancel("r1")
    intake = engine._intake
    assert intake is not None
    accept = intake.accept
    loop = asyncio.get_running_loop()

    def accept_late(*arguments: Any) -> Any:
        """In the tokenizer's thread: the request is cancelled before it is accepted."""
        assert asyncio.run_coroutine_threadsafe(engine.cancel("r1"), loop).result()
        return accept(*arguments)

    monkeypatch.setattr(intake, "accept", accept_late)
    request = make_request(max_new_tokens=100)
    chunks = [chunk async for batch in engine.stream(request) for chunk in batch]

    assert [chunk.finish_reason for chunk in chunks] == [FinishReason.STOP_SEQUENCE]
    assert (await engine.stats()).num_running == 0


async def test_the_facts_of_a_loaded_model_say_what_computes_it(engine: LocalEngine) -> None:
    (info,) = engine.models()

    assert (info.device, info.dtype) == ("cpu", "float32")
    assert info.decoder in ("native", "transformers")
    assert info.is_load_invariant == (info.decoder != "transformers")
    # Of the protocol's form, and torch's only where torch computes.
    assert info.platform.endswith("_transformers")
    assert info.platform.startswith("pytorch_") == (info.decoder != "native")
