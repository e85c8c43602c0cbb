"""Ending running requests by the ids that clients gave them."""

import asyncio
from typing import Any

import pytest

from handlers import EventStream, NotRunningError
from tests.fake_engine import FakeEngine, chunks
from tests.handlers.calls import call_of, table

DETAILED = {"details": True}


def slow_engine() -> FakeEngine:
    return FakeEngine(script=chunks(*"abcdefghij" * 100), seconds_per_chunk=0.01)


async def until_running(engine: FakeEngine, number: int) -> None:
    async with asyncio.timeout(5):
        while len(engine.running) < number or not engine.num_yielded:
            await asyncio.sleep(0.005)


def body(client_id: str, text: str = "hi") -> dict[str, Any]:
    return {"id": client_id, "text_input": text, "parameters": DETAILED}


async def test_every_request_of_an_id_is_stopped_and_no_other() -> None:
    engine = slow_engine()
    handlers = table(engine)
    running = [
        asyncio.ensure_future(handlers["generate"]("fake", call_of("generate", body(name))))
        for name in ("twin", "twin", "other")
    ]
    await until_running(engine, 3)

    assert await handlers["stop_infer"]("fake", call_of("stop_infer", {"id": "twin"})) == {
        "id": "twin"
    }
    answers: list[Any] = [await running[0], await running[1]]

    for answer in answers:
        assert answer["id"] == "twin"
        assert answer["details"]["finish_reason"] == "stop_sequence"
        assert len(answer["text_output"]) == answer["details"]["generated_tokens"] < 1000
    assert not running[2].done()
    running[2].cancel()


async def test_a_stream_is_stopped_with_a_last_event() -> None:
    engine = slow_engine()
    handlers = table(engine)
    made = await handlers["generate_stream"]("fake", call_of("generate_stream", body("s")))
    assert isinstance(made, EventStream)
    await handlers["stop_infer"]("fake", call_of("stop_infer", {"id": "s"}))
    events = [event async for event in made]

    assert events[-1]["details"]["finish_reason"] == "stop_sequence"
    assert len(events) < 10


async def test_an_id_that_the_server_made_can_be_stopped() -> None:
    engine = slow_engine()
    handlers = table(engine)
    made = await handlers["generate_stream"](
        "fake", call_of("generate_stream", {"text_input": "hi"})
    )
    assert isinstance(made, EventStream)
    first = await anext(made)

    await handlers["stop_infer"]("fake", call_of("stop_infer", {"id": first["id"]}))
    async for _ in made:
        pass
    assert not engine.running


async def test_what_does_not_run_cannot_be_stopped() -> None:
    handlers = table(FakeEngine())
    await handlers["generate"]("fake", call_of("generate", body("done")))

    for name in ("done", "never"):
        with pytest.raises(NotRunningError):
            await handlers["stop_infer"]("fake", call_of("stop_infer", {"id": name}))
