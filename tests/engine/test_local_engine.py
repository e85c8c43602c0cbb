"""The whole engine over a tiny random model: tokens in, chunks out, joins, leaves and faults."""

import asyncio
import random
from dataclasses import replace
from typing import Any

import pytest

from engine import (
    Chunk,
    EngineOverloadedError,
    EngineUnavailableError,
    FinishReason,
    GenerationRequest,
    InvalidRequestError,
    LocalEngine,
    ModelLoadError,
    ModelNotFoundError,
    SamplingParams,
)
from engine.errors import NOT_READY, SHUTTING_DOWN
from tests.engine.calls import collect, is_idle, make_request, text, token_ids
from tests.engine.conftest import MakeConfig


async def test_generation_ends_with_length_at_max_new_tokens(engine: LocalEngine) -> None:
    chunks = await collect(engine, make_request(max_new_tokens=5))
    assert len(token_ids(chunks)) == 5
    assert [chunk.finish_reason for chunk in chunks] == [None] * 4 + [FinishReason.LENGTH]
    assert all(chunk.token is not None and chunk.token.elapsed_ms > 0 for chunk in chunks)


async def test_generation_ends_with_length_where_the_context_ends(make_config: MakeConfig) -> None:
    prompt = tuple(range(3, 43))
    for max_seq_len, max_iter_times in ((60, 20), (41, 1), (1000, 200)):
        engine = LocalEngine(make_config(max_seq_len=max_seq_len, max_iter_times=max_iter_times))
        await engine.start()
        chunks = await collect(engine, make_request(prompt, max_new_tokens=500))
        assert len(token_ids(chunks)) == min(max_seq_len, 256) - 40
        assert chunks[-1].finish_reason is FinishReason.LENGTH
        await engine.stop()


async def test_a_prompt_as_long_as_all_positions_still_gets_one_token(
    make_config: MakeConfig,
) -> None:
    engine = LocalEngine(make_config(max_seq_len=1000, max_iter_times=200))
    await engine.start()
    chunks = await collect(engine, make_request(tuple(range(3, 259)), max_new_tokens=5))
    assert len(token_ids(chunks)) == 1
    await engine.stop()


async def test_the_end_token_ends_and_shows_no_text(engine: LocalEngine) -> None:
    plain = token_ids(await collect(engine, make_request(max_new_tokens=8)))
    forced = await collect(engine, make_request(ignore_eos=False, logit_bias=((2, 100.0),)))
    assert token_ids(forced) == [2]
    assert forced[-1].finish_reason is FinishReason.EOS_TOKEN
    assert text(forced) == ""
    shown = await collect(
        engine,
        make_request(ignore_eos=False, logit_bias=((2, 100.0),), skip_special_tokens=False),
    )
    assert text(shown) == "</s>"
    assert len(plain) == 8


async def test_an_end_token_as_the_last_allowed_token_is_length(engine: LocalEngine) -> None:
    request = make_request(ignore_eos=False, logit_bias=((2, 100.0),), max_new_tokens=1)
    chunks = await collect(engine, request)
    assert chunks[-1].finish_reason is FinishReason.LENGTH


async def test_ignore_eos_goes_on_after_the_end_token(engine: LocalEngine) -> None:
    chunks = await collect(engine, make_request(logit_bias=((2, 100.0),), max_new_tokens=6))
    assert token_ids(chunks) == [2] * 6


async def test_min_new_tokens_keeps_the_end_away(engine: LocalEngine) -> None:
    request = make_request(ignore_eos=False, logit_bias=((2, 100.0),), min_new_tokens=4)
    ids = token_ids(await collect(engine, request))
    assert ids[4:] == [2]
    assert 2 not in ids[:4]


async def test_stop_token_ids_end_with_stop_sequence(engine: LocalEngine) -> None:
    ids = token_ids(await collect(engine, make_request()))
    stop = next(token_id for token_id in ids if token_id != ids[0])
    chunks = await collect(engine, make_request(stop_token_ids=(stop,)))
    assert token_ids(chunks) == ids[: ids.index(stop) + 1]
    assert chunks[-1].finish_reason is FinishReason.STOP_SEQUENCE


async def test_a_stop_string_cuts_the_text_and_ends(engine: LocalEngine) -> None:
    whole = text(await collect(engine, make_request(max_new_tokens=32)))
    stop = whole[len(whole) // 2 : len(whole) // 2 + 3]
    chunks = await collect(engine, make_request(max_new_tokens=32, stop=(stop, "never there")))
    assert text(chunks) == whole[: whole.index(stop)]
    assert chunks[-1].finish_reason is FinishReason.STOP_SEQUENCE


async def test_bad_words_never_come(engine: LocalEngine) -> None:
    chunks = await collect(engine, make_request(max_new_tokens=24))
    tokens = {chunk.token.text: chunk.token.token_id for chunk in chunks if chunk.token}
    banned = {word: token_id for word, token_id in tokens.items() if word.isascii()}
    cleaned = await collect(engine, make_request(max_new_tokens=24, bad_words=tuple(banned)))
    assert banned
    assert not set(banned.values()) & set(token_ids(cleaned))


async def test_the_watermark_changes_the_text(engine: LocalEngine) -> None:
    sampled: dict[str, Any] = {"do_sample": True, "seed": 5, "max_new_tokens": 24}
    plain = await collect(engine, make_request(**sampled))
    marked = await collect(engine, make_request(**sampled, watermark=True))
    assert token_ids(plain) != token_ids(marked)


async def test_the_same_seed_gives_the_same_text_and_another_seed_another(
    engine: LocalEngine,
) -> None:
    def sample(seed: int) -> GenerationRequest:
        return make_request(do_sample=True, seed=seed, max_new_tokens=24)

    big = 2**64 - 1
    first, again, other = [await collect(engine, sample(seed)) for seed in (big, big, big - 1)]
    assert token_ids(first) == token_ids(again)
    assert token_ids(first) != token_ids(other)


async def test_the_same_text_alone_and_in_a_crowd(engine: LocalEngine) -> None:
    chooser = random.Random(3)
    requests = [
        make_request(
            tuple(chooser.randrange(3, 400) for _ in range(chooser.randrange(1, 60))),
            do_sample=index % 2 == 0,
            seed=index + 1,
            max_new_tokens=chooser.randrange(1, 40),
        )
        for index in range(12)
    ]
    alone = [token_ids(await collect(engine, request)) for request in requests]
    crowd = await asyncio.gather(*(collect(engine, request) for request in requests))
    assert [token_ids(chunks) for chunks in crowd] == alone
    assert await is_idle(engine)


@pytest.mark.parametrize("do_sample", [True, False])
async def test_a_resumed_request_goes_on_with_the_same_tokens_and_text(
    engine: LocalEngine, do_sample: bool
) -> None:
    changes: dict[str, Any] = {"do_sample": do_sample, "seed": 9, "max_new_tokens": 20}
    chunks = await collect(engine, make_request(**changes))
    for cut in range(20):
        rest = await collect(engine, make_request(**changes), token_ids(chunks)[:cut])
        assert token_ids(rest) == token_ids(chunks)[cut:]
        assert text(rest) == text(chunks[cut:])


async def test_a_resumed_request_that_was_complete_only_says_so(engine: LocalEngine) -> None:
    chunks = await collect(engine, make_request(max_new_tokens=4))
    rest = await collect(engine, make_request(max_new_tokens=4), token_ids(chunks))
    assert [(chunk.token, chunk.finish_reason) for chunk in rest] == [(None, FinishReason.LENGTH)]


async def test_closing_the_stream_ends_the_work(fresh_engine: LocalEngine) -> None:
    stream = fresh_engine.stream(make_request(max_new_tokens=128))
    await anext(stream)
    await stream.aclose()  # type: ignore[attr-defined]
    assert await is_idle(fresh_engine)
    assert (await fresh_engine.stats()).num_cancelled == 1


async def test_cancel_ends_a_request_with_what_it_has(engine: LocalEngine) -> None:
    request = make_request(max_new_tokens=128)
    chunks: list[Chunk] = []
    async for batch in engine.stream(request):
        if not chunks:
            assert await engine.cancel(request.request_id)
        chunks.extend(batch)
    assert chunks[-1].finish_reason is FinishReason.STOP_SEQUENCE
    assert len(token_ids(chunks)) < 128
    assert not await engine.cancel(request.request_id)
    assert await is_idle(engine)


async def test_a_full_queue_refuses_and_loses_nothing(make_config: MakeConfig) -> None:
    engine = LocalEngine(make_config(max_num_seqs=2, max_waiting=3))
    await engine.start()
    results = await asyncio.gather(
        *(collect(engine, make_request(max_new_tokens=30)) for _ in range(12)),
        return_exceptions=True,
    )
    refused = [result for result in results if isinstance(result, EngineOverloadedError)]
    answered = [result for result in results if isinstance(result, list)]
    assert (len(answered), len(refused)) == (5, 7)
    assert all(error.retry_after >= 1 for error in refused)
    assert all(len(token_ids(chunks)) == 30 for chunks in answered)
    assert len(token_ids(await collect(engine, make_request()))) == 16
    await engine.stop()


async def test_stopping_answers_everyone(make_config: MakeConfig) -> None:
    engine = LocalEngine(make_config())
    await engine.start()
    tasks = [
        asyncio.ensure_future(collect(engine, make_request(max_new_tokens=128))) for _ in range(6)
    ]
    await asyncio.sleep(0.05)
    await engine.stop()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        assert isinstance(result, EngineUnavailableError)
        assert str(result) == SHUTTING_DOWN
    with pytest.raises(EngineUnavailableError, match=NOT_READY):
        await collect(engine, make_request())


@pytest.mark.parametrize(
    ("prompt", "changes", "message"),
    [
        ("", {}, "text_input: has no tokens"),
        (tuple(range(3, 132)), {}, "inputs: has 129 tokens, and at most 128"),
        ((3, 400), {}, "inputs: token ids must be between 0 and 399"),
        ("a", {"logit_bias": ((400, 1.0),)}, "parameters.logit_bias: token ids must be"),
        ("a", {"stop_token_ids": (999,)}, "parameters.stop_token_ids: token ids must be"),
    ],
)
async def test_what_the_model_cannot_serve_is_refused_by_name(
    engine: LocalEngine, prompt: Any, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        await collect(engine, make_request(prompt, **changes))
    assert str(caught.value).startswith(message)
    assert await is_idle(engine)


async def test_the_longest_allowed_prompt_is_served(engine: LocalEngine) -> None:
    chunks = await collect(engine, make_request(tuple(range(3, 131)), max_new_tokens=2))
    assert chunks[0].num_prompt_tokens == 128


async def test_an_unknown_model_is_refused(engine: LocalEngine) -> None:
    with pytest.raises(ModelNotFoundError):
        await collect(engine, make_request(model="other"))


async def test_nothing_is_served_before_the_model_is_loaded(make_config: MakeConfig) -> None:
    engine = LocalEngine(make_config())
    assert not await engine.ready()
    with pytest.raises(EngineUnavailableError):
        await collect(engine, make_request())


async def test_logprobs_come_with_every_token(engine: LocalEngine) -> None:
    chunks = await collect(engine, make_request(logprobs=2, max_new_tokens=4))
    for chunk in chunks:
        assert chunk.token is not None
        assert chunk.token.logprob is not None
        assert chunk.token.logprob == chunk.token.top_logprobs[0].logprob
        assert len(chunk.token.top_logprobs) == 2
        assert chunk.token.top_logprobs[0].token_id == chunk.token.token_id


async def test_waiting_requests_start_by_priority(make_config: MakeConfig) -> None:
    engine = LocalEngine(make_config(max_num_seqs=1))
    await engine.start()
    order: list[int] = []

    async def run(priority: int) -> None:
        request = replace(make_request(max_new_tokens=20), priority=priority)
        await collect(engine, request)
        order.append(priority)

    first = asyncio.ensure_future(run(5))
    await asyncio.sleep(0.02)
    await asyncio.gather(first, *(run(priority) for priority in (4, 3, 1)))
    assert order == [5, 1, 3, 4]
    await engine.stop()


async def test_a_small_kv_cache_changes_no_text(make_config: MakeConfig) -> None:
    chooser = random.Random(4)
    requests = [
        make_request(
            tuple(chooser.randrange(3, 400) for _ in range(chooser.randrange(1, 60))),
            do_sample=index % 2 == 0,
            seed=index + 1,
            max_new_tokens=60,
        )
        for index in range(6)
    ]
    texts = []
    for max_kv_tokens in (None, 257):
        engine = LocalEngine(make_config(max_kv_tokens=max_kv_tokens))
        await engine.start()
        results = await asyncio.gather(*(collect(engine, request) for request in requests))
        texts.append([(token_ids(chunks), text(chunks)) for chunks in results])
        core = engine._worker.core
        assert core is not None
        assert (core.num_preemptions > 0) is (max_kv_tokens is not None)
        assert await is_idle(engine)
        await engine.stop()
    assert texts[0] == texts[1]


async def test_a_kv_cache_without_room_for_one_sequence_refuses_to_start(
    make_config: MakeConfig,
) -> None:
    with pytest.raises(ModelLoadError, match="room for 256 tokens, less than the 257"):
        await LocalEngine(make_config(max_kv_tokens=256)).start()


@pytest.mark.parametrize("missing", ["config.json", "model.safetensors", "tokenizer.json"])
async def test_an_incomplete_directory_does_not_load(
    make_config: MakeConfig, model_path: Any, tmp_path: Any, missing: str
) -> None:
    for file in model_path.iterdir():
        if file.name != missing:
            (tmp_path / file.name).write_bytes(file.read_bytes())
    with pytest.raises(ModelLoadError):
        await LocalEngine(make_config(model_path=tmp_path)).start()


def test_sampling_params_have_no_defaults_since_the_document_has_them() -> None:
    with pytest.raises(TypeError):
        SamplingParams()  # type: ignore[call-arg]


async def test_the_stats_add_up_to_what_was_done(fresh_engine: LocalEngine) -> None:
    results = await asyncio.gather(*(collect(fresh_engine, make_request()) for _ in range(6)))
    stats = await fresh_engine.stats()

    num_prompt = sum(chunks[0].num_prompt_tokens for chunks in results)
    num_generated = sum(len(token_ids(chunks)) for chunks in results)
    assert (stats.num_prompt_tokens, stats.num_generated_tokens) == (num_prompt, num_generated)
    assert sum(num_steps for _, num_steps in stats.batch_sizes) == stats.num_steps
    assert {size for size, _ in stats.batch_sizes} <= {1, 2, 3, 4}  # max_num_seqs
    # A sequence is in a step for each of its tokens but the last, and for the pieces of its prompt.
    assert sum(size * num_steps for size, num_steps in stats.batch_sizes) >= num_generated


async def test_the_time_in_the_queue_is_part_of_the_time_to_the_first_token(
    engine: LocalEngine,
) -> None:
    """Four run at once: the fifth waits for one of them."""
    requests = [make_request(max_new_tokens=32) for _ in range(5)]
    results = await asyncio.gather(*(collect(engine, request) for request in requests))

    waits = []
    for chunks in results:
        assert len({chunk.queue_ms for chunk in chunks}) == 1
        first = chunks[0].token
        assert first is not None
        assert chunks[0].queue_ms is not None
        assert 0 < chunks[0].queue_ms <= first.elapsed_ms
        waits.append(chunks[0].queue_ms)
    assert waits[-1] > max(waits[:-1])


async def test_who_leaves_while_waiting_was_never_in_a_batch(engine: LocalEngine) -> None:
    running = [engine.stream(make_request(max_new_tokens=100)) for _ in range(4)]
    for stream in running:
        await anext(stream)
    before = (await engine.stats()).num_prompt_tokens
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(collect(engine, make_request(max_new_tokens=1)), 0.01)

    assert (await engine.stats()).num_prompt_tokens == before
    for stream in running:
        await stream.aclose()  # type: ignore[attr-defined]
