"""Who runs and who waits, as in an engine with so many places."""

import asyncio
from heapq import heappop, heappush
from itertools import count

Turn = asyncio.Future[bool]  # False: the request was ended before its turn came


class Slots:
    """Used in the event loop only."""

    def __init__(self, num_free: int) -> None:
        self._num_free = num_free
        self._waiting: list[tuple[int, int, Turn]] = []
        self._order = count()

    def ask(self, priority: int) -> Turn:
        """Wait for a place; lower priorities come first."""
        turn: Turn = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (priority, next(self._order), turn))
        self._grant()
        return turn

    def give_back(self, turn: Turn) -> None:
        """The place of a turn that came, or the wish for one."""
        if turn.done() and not turn.cancelled() and turn.result():
            self._num_free += 1
        turn.cancel()
        self._grant()

    def _grant(self) -> None:
        while self._num_free and self._waiting:
            turn = heappop(self._waiting)[-1]
            if not turn.done():
                turn.set_result(True)
                self._num_free -= 1
