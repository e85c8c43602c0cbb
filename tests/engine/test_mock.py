"""The mock keeps the engine's protocol: the same ends, the same refusals, the same text again."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from engine import (
    Chunk,
    Engine,
    EngineOverloadedError,
    EngineUnavailableError,
    FinishReason,
    GenerationRequest,
    InvalidRequestError,
    MockEngine,
)
from engine.errors import NOT_READY, SHUTTING_DOWN
from tests.engine.calls import make_request, token_ids
from tests.mocks import mock

ENDLESS = {"ignore_eos": True, "max_new_tokens": 400}


@pytest.fixture(scope="module")
async def engine() -> AsyncIterator[MockEngine]:
    made = mock(max_batch_size=2, max_queue_size=1)
    await made.start()
    yield made
    await made.stop()


def request(prompt: str, **changes: Any) -> GenerationRequest:
    return make_request(prompt, "mock", **{"ignore_eos": False, **changes})


async def chunks_of(engine: Engine, asked: GenerationRequest, *known: int) -> list[Chunk]:
    return [chunk async for chunks in engine.stream(asked, resume=known) for chunk in chunks]


async def text_of(engine: Engine, prompt: Any = "hi", **params: Any) -> str:
    return "".join(chunk.text for chunk in await chunks_of(engine, request(prompt, **params)))


@pytest.mark.parametrize("text", ["The capital", " lorem ipsum.", "中国的首都 😀\0\n é", "x lorem"])
async def test_any_text_has_tokens_that_give_it_back(engine: MockEngine, text: str) -> None:
    tokens = await engine.tokenize("mock", text)

    ids = tokens.token_ids
    assert await engine.detokenize("mock", ids, skip_special_tokens=True) == text
    assert tokens.offsets is not None
    assert len(tokens.offsets) == len(ids)
    assert (tokens.offsets[0][0], tokens.offsets[-1][1]) == (0, len(text))
    assert max(ids) < engine.models()[0].vocab_size


async def test_the_prompt_and_the_seed_decide_the_text(engine: MockEngine) -> None:
    same = [await text_of(engine, do_sample=True, seed=5) for _ in range(2)]
    other_seed = await text_of(engine, do_sample=True, seed=6)
    greedy = [await text_of(engine, seed=seed) for seed in (5, 6)]
    other_prompt = await text_of(engine, "ho")

    assert same[0] == same[1]
    assert greedy[0] == greedy[1]
    assert len({same[0], other_seed, greedy[0], other_prompt}) == 4


async def test_a_chinese_prompt_gets_chinese(engine: MockEngine) -> None:
    assert not (await text_of(engine, "中国")).isascii()


async def test_every_end_is_reached(engine: MockEngine) -> None:
    whole = await chunks_of(engine, request("hi", max_new_tokens=400))
    second = token_ids(whole)[1]

    async def reason(**params: Any) -> FinishReason | None:
        return (await chunks_of(engine, request("hi", **params)))[-1].finish_reason

    assert whole[-1].finish_reason == FinishReason.EOS_TOKEN
    assert await reason(max_new_tokens=3) == FinishReason.LENGTH
    assert await reason(**ENDLESS) == FinishReason.LENGTH
    assert await reason(stop=(whole[1].text,)) == FinishReason.STOP_SEQUENCE
    assert await reason(stop_token_ids=(second,)) == FinishReason.STOP_SEQUENCE
    least = await chunks_of(engine, request("hi", max_new_tokens=400, min_new_tokens=300))
    assert 300 <= len(least) <= 400


async def test_a_stop_string_is_not_shown(engine: MockEngine) -> None:
    whole = await text_of(engine, max_new_tokens=10)
    stop = whole[9:13]

    assert await text_of(engine, max_new_tokens=10, stop=(stop,)) == whole[: whole.index(stop)]


async def test_a_generation_goes_on_after_known_tokens(engine: MockEngine) -> None:
    whole = await chunks_of(engine, request("hi", max_new_tokens=6))
    rest = await chunks_of(engine, request("hi", max_new_tokens=6), *token_ids(whole)[:4])

    assert token_ids(rest) == token_ids(whole)[4:]


async def test_log_probabilities_come_when_asked_for(engine: MockEngine) -> None:
    [chunk] = await chunks_of(engine, request("hi", max_new_tokens=1, logprobs=3))

    assert chunk.token is not None
    assert chunk.token.logprob is not None
    shown = [each.logprob for each in chunk.token.top_logprobs]
    assert len(shown) == 3
    assert sorted(shown, reverse=True) == shown
    assert max(shown) <= 0


async def test_a_mark_is_found_and_a_plain_text_has_none(engine: MockEngine) -> None:
    marked = await text_of(engine, watermark=True, **ENDLESS)
    plain = await text_of(engine, **ENDLESS)

    assert (await engine.detect_watermark("mock", marked)).is_watermarked
    assert not (await engine.detect_watermark("mock", plain)).is_watermarked
    assert (await engine.detect_watermark("mock", "a")).num_tokens == 0


async def test_a_prompt_that_is_too_long_is_refused(engine: MockEngine) -> None:
    for call in (engine.plan, lambda asked: chunks_of(engine, asked)):
        with pytest.raises(InvalidRequestError, match="has 3000 tokens, and at most 2048"):
            await call(request("ab" * 3000))


async def test_what_is_planned_has_room(engine: MockEngine) -> None:
    plan = await engine.plan(request("ab" * 5, max_new_tokens=7))

    assert (plan.num_prompt_tokens, plan.max_output_tokens) == (5, 7)


async def test_more_than_run_wait_and_more_than_wait_are_refused() -> None:
    engine = mock({"tokens_per_second": 50}, max_batch_size=1, max_queue_size=1)
    await engine.start()
    asked = [replace(request("hi", **ENDLESS), request_id=name) for name in ("a", "b", "c")]
    running = [asyncio.create_task(chunks_of(engine, each)) for each in asked[:2]]
    await asyncio.sleep(0.1)

    stats = await engine.stats()
    assert (stats.num_running, stats.num_waiting) == (1, 1)
    with pytest.raises(EngineOverloadedError):
        await chunks_of(engine, asked[2])
    assert await engine.cancel("b")
    [last] = await running[1]
    assert (last.token, last.finish_reason) == (None, FinishReason.STOP_SEQUENCE)
    await engine.stop()
    with pytest.raises(EngineUnavailableError):
        await running[0]
    assert not await engine.cancel("a")
    assert (await engine.stats()).num_running == 0


async def test_who_is_cut_off_hears_what_an_engine_with_a_model_says() -> None:
    engine = mock(max_batch_size=1, pace={"tokens_per_second": 1.0})
    await engine.start()
    prompts = ["hi", "[mock: hang]", "waits"]
    running = [asyncio.create_task(chunks_of(engine, request(prompt))) for prompt in prompts]
    while (await engine.stats()).num_waiting < len(prompts) - 1:
        await asyncio.sleep(0)
    await engine.stop()
    errors = await asyncio.gather(*running, return_exceptions=True)

    assert [str(error) for error in errors] == [SHUTTING_DOWN] * len(prompts)
    assert {type(error) for error in errors} == {EngineUnavailableError}
    with pytest.raises(EngineUnavailableError, match=NOT_READY):
        await chunks_of(engine, request("hi"))


async def test_lower_priorities_run_first_and_a_place_is_free_again() -> None:
    engine = mock({"tokens_per_second": 100}, max_batch_size=1)
    await engine.start()
    ended: list[int] = []

    async def run(priority: int) -> None:
        asked = replace(request("hi", max_new_tokens=3), request_id=str(priority))
        await chunks_of(engine, replace(asked, priority=priority))
        ended.append(priority)

    await asyncio.gather(*(run(priority) for priority in (4, 5, 1)))
    await engine.stop()

    assert ended == [4, 1, 5]


async def test_a_reader_that_leaves_gives_its_place_back() -> None:
    engine = mock({"tokens_per_second": 100}, max_batch_size=1)
    await engine.start()
    leaving = asyncio.create_task(chunks_of(engine, request("hi", **ENDLESS)))
    await asyncio.sleep(0.05)
    leaving.cancel()
    await asyncio.gather(leaving, return_exceptions=True)

    assert len(await chunks_of(engine, request("hi", max_new_tokens=2))) == 2
    await engine.stop()
