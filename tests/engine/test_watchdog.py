import asyncio
import itertools
import time
from collections.abc import Callable, Iterator

import pytest

from engine.watchdog import Watchdog


async def sees(present_step: Callable[[], int | None], seconds: float) -> bool:
    """Whether a step that may last 0.2 s is found to hang within these seconds."""
    try:
        await asyncio.wait_for(Watchdog(present_step, 0.2).hung(), seconds)
    except TimeoutError:
        return False
    return True


async def test_a_step_that_lasts_too_long_is_seen() -> None:
    assert await sees(lambda: 7, 5)


@pytest.mark.parametrize(
    "steps", [itertools.repeat(None), itertools.count(), itertools.cycle([3, None])]
)
async def test_an_idle_and_a_busy_engine_do_not_hang(steps: Iterator[int | None]) -> None:
    assert not await sees(lambda: next(steps), 0.6)


async def test_a_process_that_was_stopped_meanwhile_has_not_hung() -> None:
    watching = asyncio.create_task(Watchdog(lambda: 7, 0.5).hung())
    await asyncio.sleep(0.1)
    time.sleep(1)  # as between SIGSTOP and SIGCONT
    await asyncio.sleep(0.1)
    assert not watching.done()
    watching.cancel()
