"""Who may wait: the bound of the queue, in requests and in tokens."""

import math
from collections.abc import Callable
from time import monotonic

from engine.errors import EngineOverloadedError

_MEMORY = 0.95  # weight of the past in the measured rate, for each request that finishes


class FinishRate:
    """Requests that finish in a second of those in which there are any."""

    def __init__(self, num_at_once: int, clock: Callable[[], float]) -> None:
        self._clock = clock
        # Before anything was measured: as many in a second as run at once.
        self._num_finished = float(num_at_once)
        self._seconds = 1.0
        self._last = 0.0

    def begin(self) -> None:
        """There is work again."""
        self._last = self._clock()

    def finish(self) -> None:
        now = self._clock()
        self._num_finished = _MEMORY * self._num_finished + 1
        self._seconds = _MEMORY * self._seconds + now - self._last
        self._last = now

    def seconds_for(self, num_requests: int) -> float:
        """How long so many take; longer where nothing has finished for a while."""
        since_last = max(0.0, self._clock() - self._last)
        return num_requests * (self._seconds + since_last) / self._num_finished


class Place:
    """One request's place; ``num_tokens`` are what it may become while it waits, else 0."""

    def __init__(self) -> None:
        self.num_tokens = 0


class Admission:
    """Lets requests in as long as there is room for them.

    ``max_running`` run at once. Of those beyond, ``max_waiting`` may wait, with ``max_tokens``
    tokens of prompt and output together. Used in the event loop only.
    """

    def __init__(
        self,
        max_running: int,
        max_waiting: int,
        max_tokens: int,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._max_running = max_running
        self._max_waiting = max_waiting
        self._max_tokens = max_tokens
        self._rate = FinishRate(max_running, clock)
        self._places: set[Place] = set()
        self._num_tokens = 0

    @property
    def num_in_flight(self) -> int:
        return len(self._places)

    def enter(self) -> Place:
        """Take a place, before the tokens of the request are known. EngineOverloadedError."""
        num_in_flight = len(self._places)
        if num_in_flight >= self._max_running + self._max_waiting:
            raise self._overloaded(f"{num_in_flight} requests are running or waiting")
        self._check_tokens(num_in_flight, 1)
        if not self._places:
            self._rate.begin()
        place = Place()
        self._places.add(place)
        return place

    def wait(self, place: Place, num_tokens: int) -> None:
        """The request may become so many tokens, and begins to wait. EngineOverloadedError."""
        self._check_tokens(len(self._places) - 1, num_tokens)
        place.num_tokens = num_tokens
        self._num_tokens += num_tokens

    def run(self, place: Place) -> None:
        """The request waits no more; may be said again."""
        self._num_tokens -= place.num_tokens
        place.num_tokens = 0

    def leave(self, place: Place, *, has_finished: bool) -> None:
        self.run(place)
        self._places.discard(place)
        if has_finished:
            self._rate.finish()

    def _check_tokens(self, num_others: int, num_tokens: int) -> None:
        """A request that can run at once does not count as one that waits."""
        if num_others >= self._max_running and self._num_tokens + num_tokens > self._max_tokens:
            raise self._overloaded(f"requests of {self._num_tokens} tokens are waiting")

    def _overloaded(self, reason: str) -> EngineOverloadedError:
        """Another attempt makes sense when what waits now has been worked off."""
        num_waiting = max(1, len(self._places) - self._max_running)
        seconds = self._rate.seconds_for(num_waiting)
        return EngineOverloadedError(
            f"the queue is full: {reason}", retry_after=max(1, math.ceil(seconds))
        )
