"""A model that fails: who is told, who goes on, and when the engine gives up."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from engine import Chunk, EngineUnavailableError, GenerationError
from engine.scheduler import Span
from tests.engine.calls import collect, is_idle, make_request, token_ids
from tests.engine.conftest import MakeConfig
from tests.faulty_engine import SEED_OF_NAN, FaultyEngine, allocate_too_much
from tests.tiny_models import NATIVE_SIZES, save_model

NUM_TOKENS = 12
Outcome = list[Chunk] | BaseException


@pytest.fixture
async def engine(make_config: MakeConfig) -> AsyncIterator[FaultyEngine]:
    engine = FaultyEngine(make_config())
    await engine.start()
    yield engine
    await engine.stop()


class FailingSteps:
    """Steps of these numbers, from 1, raise."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = numbers
        self.num_seen = 0

    def __call__(self, _spans: Sequence[Span]) -> None:
        self.num_seen += 1
        if self.num_seen in self.numbers:
            raise RuntimeError("out of luck")


def no_fault(_spans: Sequence[Span]) -> None:
    pass


async def ask(engine: FaultyEngine, *seeds: int, **changes: Any) -> list[Outcome]:
    """Sampled requests at once, in this order."""
    changes = {"do_sample": True, "max_new_tokens": NUM_TOKENS, **changes}
    tasks = [
        asyncio.ensure_future(collect(engine, make_request(seed=seed, **changes))) for seed in seeds
    ]
    return await asyncio.gather(*tasks, return_exceptions=True)


async def ask_alone(engine: FaultyEngine, *seeds: int) -> list[Outcome]:
    return [outcome for seed in seeds for outcome in await ask(engine, seed)]


def ids(outcomes: list[Outcome]) -> list[list[int] | type[BaseException]]:
    return [
        token_ids(outcome) if isinstance(outcome, list) else type(outcome) for outcome in outcomes
    ]


async def test_non_finite_logits_fail_that_request_alone(engine: FaultyEngine) -> None:
    alone = ids(await ask_alone(engine, 1, 2))
    assert ids(await ask(engine, 1, SEED_OF_NAN, 2)) == [alone[0], GenerationError, alone[1]]
    assert await is_idle(engine)


async def test_an_exception_in_a_step_fails_its_batch_and_who_waits_is_served(
    engine: FaultyEngine,
) -> None:
    """Four run at once."""
    alone = ids(await ask_alone(engine, 5, 6))
    engine.fault = FailingSteps(6)
    outcomes = ids(await ask(engine, 1, 2, 3, 4, 5, 6))
    assert outcomes == [GenerationError] * 4 + alone
    assert await is_idle(engine)


async def test_failures_that_are_not_three_in_a_row_are_survived(engine: FaultyEngine) -> None:
    engine.fault = FailingSteps(1, 2, 4, 5, 7, 8)
    outcomes = ids(await ask_alone(engine, *range(1, 8)))
    assert outcomes.count(GenerationError) == 6
    assert isinstance(outcomes[-1], list)
    assert await engine.ready()


async def test_three_failures_in_a_row_end_the_engine(engine: FaultyEngine) -> None:
    engine.fault = FailingSteps(2, 3, 4)
    dying = asyncio.ensure_future(engine.death())
    outcomes = ids(await ask_alone(engine, 1, 2, 3))
    assert outcomes == [GenerationError] * 3
    assert str(await asyncio.wait_for(dying, 5)) == "the engine has died"
    assert not await engine.ready()
    assert ids(await ask(engine, 4)) == [EngineUnavailableError]


async def test_who_waits_when_the_engine_ends_gets_an_error(make_config: MakeConfig) -> None:
    engine = FaultyEngine(make_config(max_num_seqs=1))
    engine.fault = FailingSteps(*range(1, 100))
    await engine.start()
    assert ids(await ask(engine, *range(1, 7))) == [
        *[GenerationError] * 3,
        *[EngineUnavailableError] * 3,
    ]
    assert await engine.stop()


async def test_a_thread_that_dies_tells_everybody_also_who_is_still_being_read(
    engine: FaultyEngine,
) -> None:
    running, dies = threading.Event(), threading.Event()

    def fault(_spans: Sequence[Span]) -> None:
        running.set()
        dies.wait()
        raise SystemExit

    engine.fault = fault
    first = asyncio.ensure_future(ask(engine, 1))
    await asyncio.to_thread(running.wait)
    is_read = threading.Event()
    engine._tokenizing.submit(is_read.wait)
    second = asyncio.ensure_future(ask(engine, 2))
    await asyncio.sleep(0.05)
    dies.set()
    assert ids(await first) == [EngineUnavailableError]
    is_read.set()
    assert ids(await second) == [EngineUnavailableError]
    assert not await engine.ready()
    assert (await engine.stats()).num_waiting == 0


@pytest.mark.parametrize("decoder", ["native", "transformers"])
async def test_a_step_without_memory_is_split_and_changes_no_text(
    make_config: MakeConfig, tmp_path: Path, decoder: str
) -> None:
    path = save_model(tmp_path, **NATIVE_SIZES)
    engine = FaultyEngine(make_config(model_path=path, decoder=decoder))
    await engine.start()
    prompt = tuple(range(3, 43))
    alone = [await collect(engine, make_request(prompt, seed=seed)) for seed in (1, 2, 3)]

    def fault(spans: Sequence[Span]) -> None:
        if sum(span.num_tokens for span in spans) > 2:
            allocate_too_much()

    engine.fault = fault
    requests = [make_request(prompt, seed=seed) for seed in (1, 2, 3)]
    crowd = await asyncio.gather(*(collect(engine, request) for request in requests))
    assert [token_ids(chunks) for chunks in crowd] == [token_ids(chunks) for chunks in alone]
    assert await is_idle(engine)
    assert await engine.stop()


@pytest.mark.parametrize("error", [MemoryError(), None])
async def test_a_request_without_memory_for_one_token_fails_alone(
    engine: FaultyEngine, error: Exception | None
) -> None:
    alone = ids(await ask_alone(engine, 1, 2, 3))

    def fault(spans: Sequence[Span]) -> None:
        if any(span.sequence.sampling_params.seed == 666 for span in spans):
            if error is not None:
                raise error
            allocate_too_much()

    engine.fault = fault
    outcomes = ids(await ask(engine, 1, 666, 2, 3))
    assert outcomes == [alone[0], GenerationError, *alone[1:]]
    assert await is_idle(engine)


@pytest.mark.parametrize("part", ["sampler", "detokenizer"])
async def test_a_fault_beside_the_model_fails_that_request_alone(
    engine: FaultyEngine, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    alone = ids(await ask_alone(engine, 1, 2))
    core = engine._worker.core
    assert core is not None
    sample = core._sampler.sample

    def broken_sample(logits: Any, rows: Any) -> Any:
        if any(sequence.sampling_params.seed == 666 for sequence, _ in rows):
            raise IndexError
        return sample(logits, rows)

    def broken_text(_token_id: int) -> str:
        raise UnicodeError

    if part == "sampler":
        monkeypatch.setattr(core._sampler, "sample", broken_sample)
    else:
        add = core.add

        def add_broken(generation: Any) -> None:
            if generation.sequence.sampling_params.seed == 666:
                generation._text.add = broken_text
            add(generation)

        monkeypatch.setattr(core, "add", add_broken)
    assert ids(await ask(engine, 1, 666, 2)) == [alone[0], GenerationError, alone[1]]
    assert await is_idle(engine)


async def test_a_step_that_hangs_is_seen_and_everybody_is_told(make_config: MakeConfig) -> None:
    engine = FaultyEngine(make_config(step_timeout=0.3))
    hanging = threading.Event()

    def fault(_spans: Sequence[Span]) -> None:
        hanging.wait()

    engine.fault = fault
    await engine.start()
    started = time.monotonic()
    outcomes = ids(await ask(engine, *range(1, 7)))
    assert outcomes == [EngineUnavailableError] * 6
    assert time.monotonic() - started > 0.25
    assert not await engine.ready()
    await asyncio.wait_for(engine.death(), 5)
    assert not await engine.stop()  # its thread can only be left behind
    hanging.set()


async def test_loading_may_take_longer_than_a_step(
    make_config: MakeConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = FaultyEngine._build_core

    def build_slowly(engine: FaultyEngine) -> Any:
        time.sleep(1)
        return build(engine)

    monkeypatch.setattr(FaultyEngine, "_build_core", build_slowly)
    engine = FaultyEngine(make_config(step_timeout=0.5))
    engine.fault = no_fault
    await engine.start()
    await asyncio.sleep(0.7)  # nor is an idle engine one that hangs
    assert isinstance(ids(await ask(engine, 1))[0], list)
    assert await engine.stop()
