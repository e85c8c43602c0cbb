"""Replicas that are lost, full or frozen, without Ray: what becomes of their requests."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from engine import (
    Chunk,
    EngineOverloadedError,
    EngineStats,
    EngineUnavailableError,
    FinishReason,
    GenerationRequest,
    ModelLoadError,
    RayEngine,
)
from engine.replicas import engine as ray_engine
from engine.replicas import pool, replica
from tests.engine.calls import collect, make_request, text, token_ids
from tests.mocks import mock
from tests.replicas.in_process import InProcessCluster, in_process

NUM_TOKENS = 24
SECONDS = 60.0  # that anything here may take at most


@pytest.fixture(autouse=True)
async def _in_time() -> AsyncIterator[None]:
    async with asyncio.timeout(300):
        yield


@pytest.fixture
async def replicas() -> AsyncIterator[tuple[RayEngine, InProcessCluster]]:
    """Two; each runs two requests, and two more wait."""
    engine, cluster = replicas_of(2)
    await engine.start()
    yield engine, cluster
    await engine.stop()


def replicas_of(number: int, load_seconds: float = 0.0) -> tuple[RayEngine, InProcessCluster]:
    pace = {"tokens_per_second": 400.0, "load_seconds": load_seconds}
    return in_process(mock(pace, max_batch_size=2, max_queue_size=2)._config, number)


def request(prompt: str = "Tell me", **changes: Any) -> GenerationRequest:
    changes = {"max_new_tokens": NUM_TOKENS, "do_sample": True, "seed": 5, **changes}
    return make_request(prompt, model="mock", **changes)


def lose(engine: RayEngine, wanted: GenerationRequest) -> None:
    """The replica that computes this."""
    flight = engine._flights._flights[wanted.request_id]
    assert flight.replica is not None
    flight.replica.handle.kill()


@pytest.mark.parametrize("do_sample", [True, False])
async def test_a_lost_replica_changes_no_text_wherever_it_is_lost(
    replicas: tuple[RayEngine, InProcessCluster], do_sample: bool
) -> None:
    engine, _ = replicas
    whole = await collect(engine, request(do_sample=do_sample))

    async def interrupted(after: int) -> list[Chunk]:
        asked, chunks, has_lost = request(do_sample=do_sample), list[Chunk](), False
        async for some in engine.stream(asked):
            chunks += some
            if not has_lost and len(token_ids(chunks)) >= after:
                has_lost = True
                lose(engine, asked)
        return chunks

    for after in range(1, NUM_TOKENS, 4):
        chunks = await interrupted(after)
        assert token_ids(chunks) == token_ids(whole)
        assert text(chunks) == text(whole)
        assert chunks[-1].finish_reason == whole[-1].finish_reason
        await until(lambda: len(engine._pool.ready) == 2)


async def test_a_request_that_ends_every_replica_is_given_up(
    replicas: tuple[RayEngine, InProcessCluster],
) -> None:
    engine, cluster = replicas
    asked = request(max_new_tokens=500, ignore_eos=True)

    async def lose_whichever_has_it() -> None:
        async for _ in engine.stream(asked):
            lose(engine, asked)

    with pytest.raises(EngineUnavailableError, match="each replica"):
        await lose_whichever_has_it()
    assert len([handle for handle in cluster.handles if handle.is_killed]) == 3
    await until(lambda: len(engine._pool.ready) == 2)


async def test_an_engine_that_fails_requests_in_its_replica_does_not_fail_them_at_once(
    replicas: tuple[RayEngine, InProcessCluster],
) -> None:
    engine, cluster = replicas
    asked = request(max_new_tokens=60, ignore_eos=True)
    stream = engine.stream(asked)
    chunks = await anext(stream)
    busy = next(handle for handle in cluster.handles if handle.host._streams)
    await busy.host._engine.stop()
    chunks += [chunk async for some in stream for chunk in some]

    assert len(token_ids(chunks)) == 60


async def test_who_has_the_least_in_flight_is_asked_and_of_equals_the_first(
    replicas: tuple[RayEngine, InProcessCluster],
) -> None:
    engine, cluster = replicas
    streams = [engine.stream(request(max_new_tokens=500, ignore_eos=True)) for _ in range(4)]
    loads = []
    for stream in streams:
        await anext(stream)
        loads.append([len(handle.host._streams) for handle in cluster.handles])
    for stream in streams:
        await stream.aclose()  # type: ignore[attr-defined]

    assert loads == [[1, 0], [1, 1], [2, 1], [2, 2]]


async def test_a_full_engine_refuses_and_loses_nothing(
    replicas: tuple[RayEngine, InProcessCluster],
) -> None:
    engine, _ = replicas
    results = await asyncio.gather(
        *(collect(engine, request(ignore_eos=True)) for _ in range(13)), return_exceptions=True
    )
    refused = [result for result in results if isinstance(result, EngineOverloadedError)]
    answered = [result for result in results if isinstance(result, list)]

    assert (len(answered), len(refused)) == (8, 5)  # two replicas of two and two
    assert all(len(token_ids(chunks)) == NUM_TOKENS for chunks in answered)
    assert all(error.retry_after >= 1 for error in refused)


async def test_what_was_let_in_waits_for_room_when_it_is_moved(
    replicas: tuple[RayEngine, InProcessCluster],
) -> None:
    engine, cluster = replicas
    asked = [request(ignore_eos=True, max_new_tokens=100) for _ in range(8)]
    running = [asyncio.ensure_future(collect(engine, one)) for one in asked]
    await until(lambda: sum(len(handle.host._streams) for handle in cluster.handles) == 8)
    cluster.handles[0].kill()

    for chunks in await asyncio.gather(*running):
        assert len(token_ids(chunks)) == 100


async def test_closing_the_stream_ends_the_work(
    replicas: tuple[RayEngine, InProcessCluster],
) -> None:
    engine, cluster = replicas
    stream = engine.stream(request(max_new_tokens=500, ignore_eos=True))
    await anext(stream)
    await stream.aclose()  # type: ignore[attr-defined]

    await until(lambda: not any(handle.host._streams for handle in cluster.handles))
    assert (await engine.stats()).num_running == 0


async def test_a_request_that_waits_for_a_replica_can_be_cancelled() -> None:
    engine, cluster = replicas_of(1)
    await engine.start()
    asked = request(max_new_tokens=500, ignore_eos=True)
    stream = engine.stream(asked)
    first = await anext(stream)
    cluster.loads = False
    cluster.handles[0].kill()
    rest = asyncio.ensure_future(anext(stream))
    await until(lambda: engine._flights._flights[asked.request_id].replica is None)

    assert await engine.cancel(asked.request_id)
    [last] = (await rest)[-1:]
    assert (last.finish_reason, last.token) == (FinishReason.STOP_SEQUENCE, None)
    assert last.num_prompt_tokens == first[0].num_prompt_tokens
    await engine.stop()


async def test_an_engine_is_dead_only_where_no_replica_can_be_had(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pool, "_FIRST_DELAY", 0.01)
    engine, cluster = replicas_of(2)
    await engine.start()
    dying = asyncio.ensure_future(engine.death())
    cluster.loads = False
    cluster.handles[0].kill()
    await until(lambda: len(cluster.handles) > 5)
    assert not dying.done()
    assert await engine.ready()

    cluster.handles[1].kill()
    assert "no replica can be loaded" in str(await dying)
    assert not await engine.ready()
    with pytest.raises(EngineUnavailableError, match="died"):
        await collect(engine, request())
    await engine.stop()


async def test_an_engine_is_dead_where_ray_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_engine, "_SECONDS_BETWEEN_LOOKS", 0.01)
    engine, cluster = replicas_of(1)
    await engine.start()
    cluster.is_over = True

    assert "died" in str(await engine.death())
    await engine.stop()


async def test_a_start_ends_where_ray_has_ended() -> None:
    engine, cluster = replicas_of(1, load_seconds=3600.0)
    cluster.is_over = True

    with pytest.raises(ModelLoadError, match="died"):
        await engine.start()


async def test_a_replica_that_does_not_answer_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replica, "_POLL_SECONDS", 0.02)
    engine, cluster = replicas_of(1)
    await engine.start()
    whole = await collect(engine, request())
    stream = engine.stream(request())
    chunks = await anext(stream)
    cluster.handles[0].is_frozen = True
    chunks += [chunk async for some in stream for chunk in some]

    assert text(chunks) == text(whole)
    assert len(cluster.handles) == 2
    await engine.stop()


async def test_stopping_answers_everyone(replicas: tuple[RayEngine, InProcessCluster]) -> None:
    engine, cluster = replicas
    running = [
        asyncio.ensure_future(collect(engine, request(max_new_tokens=500, ignore_eos=True)))
        for _ in range(6)
    ]
    await until(lambda: sum(len(handle.host._streams) for handle in cluster.handles) == 6)
    await engine.stop()

    for result in await asyncio.gather(*running, return_exceptions=True):
        assert isinstance(result, EngineUnavailableError)
        assert "shutting down" in str(result)


async def test_counts_are_sums_and_never_fall(
    replicas: tuple[RayEngine, InProcessCluster],
) -> None:
    engine, cluster = replicas
    await asyncio.gather(*(collect(engine, request(ignore_eos=True)) for _ in range(4)))
    before = await engine.stats()
    cluster.handles[0].kill()
    await until(lambda: len(cluster.handles) == 3 and len(engine._pool.ready) == 2)
    after = await engine.stats()

    assert before.num_finished == 4
    assert before.num_generated_tokens == 4 * NUM_TOKENS
    assert after == before
    assert isinstance(after, EngineStats)


async def test_the_limits_are_those_of_all_replicas_together(
    replicas: tuple[RayEngine, InProcessCluster],
) -> None:
    engine, _ = replicas
    [model] = engine.models()

    assert (model.max_num_seqs, model.max_waiting) == (4, 4)


async def test_tokens_come_in_few_messages(
    replicas: tuple[RayEngine, InProcessCluster],
) -> None:
    engine, cluster = replicas
    before = sum(handle.num_messages for handle in cluster.handles)
    await collect(engine, request(max_new_tokens=200, ignore_eos=True))

    assert sum(handle.num_messages for handle in cluster.handles) - before < 100


async def until(condition: Any) -> None:
    async with asyncio.timeout(SECONDS):
        while not condition():
            await asyncio.sleep(0.005)
