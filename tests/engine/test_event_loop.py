"""What is long-winded must not hold up everybody else."""

import asyncio
import time
from collections.abc import Awaitable

from engine import InvalidRequestError, LocalEngine
from tests.engine.calls import collect, make_request

LONG_TEXT = "The quick brown fox jumps over the lazy dog. " * 2_500


async def longest_gap(work: Awaitable[object]) -> tuple[float, float]:
    """Seconds that the event loop stood still at most, and that the work took."""
    task = asyncio.ensure_future(work)
    begin = last = time.monotonic()
    gap = 0.0
    while not task.done():
        await asyncio.sleep(0.001)
        now = time.monotonic()
        gap, last = max(gap, now - last), now
    assert isinstance(task.exception(), InvalidRequestError | None)
    return gap, last - begin


async def test_reading_a_long_prompt_does_not_stop_the_event_loop(engine: LocalEngine) -> None:
    gap, seconds = await longest_gap(collect(engine, make_request(LONG_TEXT)))
    assert gap < seconds / 3


async def test_tokenizing_a_long_text_does_not_stop_the_event_loop(engine: LocalEngine) -> None:
    gap, seconds = await longest_gap(engine.tokenize("tiny", LONG_TEXT))
    assert gap < seconds / 3
