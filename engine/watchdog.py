"""Sees a step that never ends."""

import asyncio
from collections.abc import Callable
from time import monotonic

_CHECKS = 10  # within the time limit of one step


class Watchdog:
    """Looks at a step from outside of the thread that computes it.

    ``present_step`` gives the number of the step that is being computed, None between steps.
    ``time_limit`` is in seconds in which this process ran: where it was stopped for a while, the
    step was too.
    """

    def __init__(self, present_step: Callable[[], int | None], time_limit: float) -> None:
        self._present_step = present_step
        self._time_limit = time_limit

    async def hung(self) -> None:
        """Return once a step has lasted longer than the time limit."""
        interval = self._time_limit / _CHECKS
        step, seconds, last = self._present_step(), 0.0, monotonic()
        while seconds < self._time_limit:
            await asyncio.sleep(interval)
            now = monotonic()
            if (present := self._present_step()) is None or present != step:
                step, seconds = present, 0.0
            else:
                seconds += min(now - last, 2 * interval)
            last = now
