"""Few messages for many chunks, and none late."""

import asyncio

import pytest

from engine import Chunk, GenerationError
from engine.replicas.outbox import Outbox
from tests.fake_engine import chunk

LONG = 60.0  # seconds: nothing in here waits so long


async def test_the_first_chunk_of_a_request_goes_at_once() -> None:
    outbox = Outbox(LONG)
    for name in ("a", "b"):
        outbox.put(name, [chunk("x")], is_urgent=True)
        [delivery] = await outbox.take(LONG)

        assert (delivery.request_id, len(delivery.chunks)) == (name, 1)


async def test_later_chunks_of_all_requests_go_together() -> None:
    outbox = Outbox(0.05)
    outbox.put("a", [chunk("0")], is_urgent=True)
    await outbox.take(LONG)
    started_at = asyncio.get_running_loop().time()
    for text in "123":
        outbox.put("a", [chunk(text)], is_urgent=False)
        outbox.put("b", [chunk(text)], is_urgent=False)
    deliveries = await outbox.take(LONG)

    assert asyncio.get_running_loop().time() - started_at > 0.03
    assert {one.request_id: text_of(one.chunks) for one in deliveries} == {"a": "123", "b": "123"}


async def test_an_error_comes_after_the_chunks_before_it() -> None:
    outbox = Outbox(LONG)
    outbox.put("a", [chunk("x")], is_urgent=False)
    outbox.fail("a", GenerationError("failed"))
    [delivery] = await outbox.take(LONG)

    assert text_of(delivery.chunks) == "x"
    assert isinstance(delivery.error, GenerationError)


@pytest.mark.parametrize("patience", [0.0, 0.01])
async def test_who_asks_is_told_when_there_is_nothing(patience: float) -> None:
    assert await Outbox(LONG).take(patience) == ()


def text_of(chunks: tuple[Chunk, ...]) -> str:
    return "".join(one.text for one in chunks)
