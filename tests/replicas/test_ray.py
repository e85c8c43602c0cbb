"""The real thing: one Ray with two replicas of a tiny model, each in a process of its own."""

import asyncio
import os
import pickle
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator

import psutil
import pytest

from engine import Chunk, EngineOverloadedError, RayEngine, is_ray_installed
from tests.engine.calls import collect, is_idle, make_request, text, token_ids
from tests.engine.conftest import MakeConfig
from tests.mocks import mock

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not is_ray_installed(), reason="ray is not installed"),
    pytest.mark.xdist_group("ray"),
]

# A front of a Ray that runs: generates with two replicas, and tells of the last chunk.
ATTACHED = """
import asyncio, pickle, sys
from engine import RayEngine
from tests.engine.calls import collect, make_request

async def main():
    config, address = pickle.loads(bytes.fromhex(sys.argv[1]))
    engine = RayEngine(config, 2, address)
    await engine.start()
    chunks = await collect(engine, make_request(model="mock", max_new_tokens=3))
    print(chunks[-1].finish_reason, len(engine._pool.ready), flush=True)
    assert await engine.stop()

asyncio.run(main())
"""
SECONDS = 300.0  # that anything here may take at most, on a busy machine


@pytest.fixture(scope="module")
async def engine(make_config: MakeConfig) -> AsyncIterator[RayEngine]:
    engine = RayEngine(make_config(), 2, None)
    await engine.start()
    yield engine
    assert await engine.stop()
    assert rays() == []


def rays() -> list[psutil.Process]:
    """What Ray runs here: everything beneath this process that is alive."""
    return [
        process
        for process in psutil.Process().children(recursive=True)
        if process.status() != psutil.STATUS_ZOMBIE
    ]


def replicas() -> list[int]:
    return [process.pid for process in rays() if process.name().startswith("ray::Replica")]


async def until_both_are_there(engine: RayEngine) -> None:
    async with asyncio.timeout(SECONDS):
        while len(engine._pool.ready) < 2:
            await asyncio.sleep(0.05)


async def test_replicas_are_processes_of_their_own_that_tell_what_they_are(
    engine: RayEngine,
) -> None:
    [model] = engine.models()

    assert len(replicas()) == 2
    assert await engine.ready("tiny")
    assert (model.device, model.dtype, model.max_num_seqs) == ("cpu", "float32", 8)


async def test_ray_listens_on_this_machine_only(engine: RayEngine) -> None:
    addresses = {
        connection.laddr.ip
        for process in rays()
        for connection in process.net_connections("inet")
        if connection.status == psutil.CONN_LISTEN
    }

    assert addresses <= {"127.0.0.1", "::ffff:127.0.0.1"}


async def test_a_killed_replica_changes_no_text(engine: RayEngine) -> None:
    asked = [
        make_request(do_sample=index % 2 == 0, seed=7 + index, max_new_tokens=120)
        for index in range(4)
    ]
    whole = [await collect(engine, one) for one in asked]
    running = [asyncio.ensure_future(collect(engine, one)) for one in asked]
    flights = engine._flights._flights
    async with asyncio.timeout(SECONDS):
        while not all(one.request_id in flights for one in asked) or not all(
            flights[one.request_id].token_ids for one in asked if one.request_id in flights
        ):
            await asyncio.sleep(0)
    os.kill(replicas()[0], signal.SIGKILL)
    again = await asyncio.gather(*running)

    assert [token_ids(chunks) for chunks in again] == [token_ids(chunks) for chunks in whole]
    assert [text(chunks) for chunks in again] == [text(chunks) for chunks in whole]
    await until_both_are_there(engine)
    assert len(replicas()) == 2


async def test_refusals_cross_as_what_they_are(engine: RayEngine) -> None:
    await until_both_are_there(engine)
    results = await asyncio.gather(
        *(collect(engine, make_request(max_new_tokens=100)) for _ in range(40)),
        return_exceptions=True,
    )
    refused = [result for result in results if isinstance(result, EngineOverloadedError)]
    answered = [result for result in results if isinstance(result, list)]

    assert len(answered) + len(refused) == 40
    assert len(answered) >= 24  # each runs four, and eight wait; some may have ended early
    assert refused
    assert all(error.retry_after >= 1 for error in refused)


async def test_closing_and_cancelling_reach_the_replica(engine: RayEngine) -> None:
    closed = engine.stream(make_request(max_new_tokens=120))
    await anext(closed)
    await closed.aclose()  # type: ignore[attr-defined]
    cancelled = make_request(max_new_tokens=120)
    chunks: list[Chunk] = []
    async for some in engine.stream(cancelled):
        if not chunks:
            assert await engine.cancel(cancelled.request_id)
        chunks += some

    assert len(token_ids(chunks)) < 120
    assert not await engine.cancel(cancelled.request_id)
    assert await is_idle(engine)


async def test_another_front_can_use_a_ray_that_runs_and_leaves_it_as_it_was(
    engine: RayEngine,
) -> None:
    import ray

    before = set(replicas())
    address = ray.get_runtime_context().gcs_address
    config = mock(max_batch_size=4)._config
    front = await asyncio.create_subprocess_exec(
        sys.executable, "-c", ATTACHED, pickle.dumps((config, address)).hex(), stdout=PIPE
    )
    assert front.stdout is not None
    shown = (await asyncio.wait_for(front.stdout.readline(), SECONDS)).decode()
    assert await front.wait() == 0

    assert shown.split() == ["length", "2"]
    async with asyncio.timeout(SECONDS):
        while set(replicas()) != before:
            await asyncio.sleep(0.05)
    assert len(await collect(engine, make_request(max_new_tokens=3))) == 3


async def test_a_long_text_crosses_too(engine: RayEngine) -> None:
    text = "The capital of France is Paris. " * 10_000
    tokens = await engine.tokenize("tiny", text)

    assert tokens.offsets is not None
    assert tokens.offsets[-1][1] == len(text)
    assert (await engine.detokenize("tiny", tokens.token_ids, skip_special_tokens=True)) == text
