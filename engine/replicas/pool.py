"""Keeps replicas loaded, and puts others in the place of those that are lost."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from engine.errors import SHUTTING_DOWN, EngineUnavailableError, ModelLoadError
from engine.replicas.cluster import ReplicaLostError
from engine.replicas.replica import Replica

logger = logging.getLogger(__name__)

_ATTEMPTS = 3  # in a row that may fail while there is no replica; more would be no accidents
_DEAD = "the engine has died: no replica can be loaded"
_FIRST_DELAY, _LONGEST_DELAY = 1.0, 60.0  # seconds between attempts to load


class Pool:
    """``begin`` gives a replica that is not loaded yet, ``end`` ends one whatever it does."""

    def __init__(
        self,
        size: int,
        begin: Callable[[], Awaitable[Replica]],
        end: Callable[[Replica], Awaitable[None]],
    ) -> None:
        self._begin = begin
        self._end = end
        self._places: list[Replica | None] = [None] * size
        self._keeping: list[asyncio.Task[None]] = []
        self._num_failed = 0  # attempts to load, since the last one that did not fail
        self._has_ready = asyncio.Event()
        self._end_of_all: EngineUnavailableError | None = None
        self._has_ended = asyncio.Event()
        self._has_died = asyncio.Event()

    @property
    def ready(self) -> list[Replica]:
        """Those that can answer; the least busy first, and of equals the one in front."""
        there = [replica for replica in self._places if replica and not replica.is_lost]
        return sorted(there, key=lambda replica: replica.num_in_flight)

    async def start(self) -> None:
        """Load all of them. Raises ModelLoadError."""
        # The first one alone: what it writes to disk, the others only read.
        await self._fill(0)
        filling = [asyncio.create_task(self._fill(place)) for place in range(1, len(self._places))]
        try:
            await asyncio.gather(*filling)
        finally:
            for task in filling:
                task.cancel()

    def stop(self) -> None:
        """Every request in flight ends with an error; no replica is replaced any more."""
        self._end_of_all = error = EngineUnavailableError(SHUTTING_DOWN)
        for task in self._keeping:
            task.cancel()
        for replica in self._places:
            if replica is not None:
                replica.close(error, str(error))
        self._has_ended.set()

    def give_up(self, reason: str) -> None:
        """No replica can be had any more."""
        logger.error("the engine gives up: %s", reason)
        self._end_of_all = EngineUnavailableError(_DEAD)
        self._has_ended.set()
        self._has_died.set()

    def check(self) -> None:
        """Raises EngineUnavailableError where no replica can be had any more."""
        if self._end_of_all is not None:
            raise self._end_of_all

    async def some_ready(self) -> None:
        """Return once there is a replica. Raises EngineUnavailableError where none can be had."""
        waiting = [
            asyncio.create_task(event.wait()) for event in (self._has_ready, self._has_ended)
        ]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()
        self.check()

    async def death(self) -> EngineUnavailableError:
        """Return once there is no replica, and none can be had."""
        await self._has_died.wait()
        return EngineUnavailableError(_DEAD)

    async def _fill(self, place: int) -> None:
        for attempt in range(_ATTEMPTS):
            try:
                replica = await self._load()
                break
            except ReplicaLostError as exc:
                logger.warning("replica %d was lost while it was loaded: %s", place, exc)
                if attempt + 1 == _ATTEMPTS:
                    raise ModelLoadError(f"a replica is lost whenever it loads: {exc}") from None
        self._settle(place, replica)
        self._keeping.append(asyncio.create_task(self._keep(place, replica)))

    async def _keep(self, place: int, replica: Replica) -> None:
        while True:
            reason = await replica.lost()
            logger.warning("replica %d is lost and will be replaced: %s", place, reason)
            self._settle(place, None)
            await self._end(replica)
            replica = await self._replacement(place)
            logger.info("replica %d is there again", place)
            self._settle(place, replica)

    async def _replacement(self, place: int) -> Replica:
        delay = _FIRST_DELAY
        while True:
            try:
                replica = await self._load()
            except (ReplicaLostError, ModelLoadError) as exc:
                logger.error("replica %d cannot be loaded: %s", place, exc)
                self._note_failure(exc)
            else:
                self._num_failed = 0
                return replica
            await asyncio.sleep(delay)
            delay = min(2 * delay, _LONGEST_DELAY)

    async def _load(self) -> Replica:
        replica = await self._begin()
        try:
            await replica.load()
        except BaseException:
            await self._end(replica)
            raise
        return replica

    def _settle(self, place: int, replica: Replica | None) -> None:
        self._places[place] = replica
        if self.ready:
            self._has_ready.set()
        else:
            self._has_ready.clear()

    def _note_failure(self, reason: Exception) -> None:
        self._num_failed += 1
        if self._num_failed >= _ATTEMPTS and not self.ready:
            self.give_up(str(reason))
