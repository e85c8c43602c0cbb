"""Generations on their way: each at one replica, and at another one where that is lost."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import cast

from engine.errors import NOT_READY, EngineOverloadedError, EngineUnavailableError
from engine.replicas.cluster import ReplicaLostError
from engine.replicas.pool import Pool
from engine.replicas.replica import Replica
from engine.types import Chunk, FinishReason, GenerationRequest

logger = logging.getLogger(__name__)

# A request may be what ends the replicas: it must not end all of them, one after another.
_MOST_MOVES = 2
# Until an engine that has failed a request is known to be dead, or a full one has room again.
_SECONDS_BEFORE_MOVE = 0.2


@dataclass(slots=True, eq=False)
class _Flight:
    """A request, where it is, and what its client has of it."""

    request: GenerationRequest
    token_ids: list[int]
    replica: Replica | None = None
    refused_by: list[Replica] = field(default_factory=list)
    num_moves: int = 0
    num_prompt_tokens: int = 0
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)

    def take(self, chunks: Sequence[Chunk]) -> None:
        self.num_prompt_tokens = chunks[-1].num_prompt_tokens
        self.token_ids += [chunk.token.token_id for chunk in chunks if chunk.token is not None]

    def last_chunk(self) -> Chunk:
        """Of a request that was cancelled while it was at no replica."""
        return Chunk(
            token=None,
            text="",
            num_prompt_tokens=self.num_prompt_tokens,
            finish_reason=FinishReason.STOP_SEQUENCE,
        )


class Flights:
    """Sends each request to the replica that has the least in flight."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._flights: dict[str, _Flight] = {}

    async def stream(
        self, request: GenerationRequest, resume: Sequence[int]
    ) -> AsyncIterator[list[Chunk]]:
        """As ``Engine.stream``. What the client has already is never given again."""
        flight = self._flights[request.request_id] = _Flight(request, list(resume))
        try:
            while not flight.cancelled.is_set():
                replica = flight.replica = self._choose(flight)
                stream = replica.stream(request, flight.token_ids)
                try:
                    async with aclosing(cast(AsyncGenerator[list[Chunk], None], stream)) as steps:
                        async for chunks in steps:
                            flight.take(chunks)
                            yield chunks
                    return
                except EngineOverloadedError as exc:
                    await self._refused(flight, replica, exc)
                except (ReplicaLostError, EngineUnavailableError) as exc:
                    await self._interrupted(flight, replica, exc)
            yield [flight.last_chunk()]
        finally:
            del self._flights[request.request_id]

    async def cancel(self, request_id: str) -> bool:
        """False where the request is not on its way any more."""
        flight = self._flights.get(request_id)
        if flight is None:
            return False
        if flight.replica is not None:
            try:
                return bool(await flight.replica.call("cancel", request_id))
            except ReplicaLostError:
                pass
        flight.cancelled.set()  # it ends in the place of being moved
        return True

    def _choose(self, flight: _Flight) -> Replica:
        ready = self._pool.ready
        others = [replica for replica in ready if replica not in flight.refused_by]
        if not (others or (ready and flight.num_moves)):
            raise EngineUnavailableError(NOT_READY)
        return (others or ready)[0]

    async def _refused(
        self, flight: _Flight, replica: Replica, refusal: EngineOverloadedError
    ) -> None:
        """A new request may find room at another one; what was let in before waits for it."""
        if flight.num_moves:
            await self._pause(flight, _SECONDS_BEFORE_MOVE)
            return
        flight.refused_by.append(replica)
        if all(other in flight.refused_by for other in self._pool.ready):
            raise refusal

    async def _interrupted(self, flight: _Flight, replica: Replica, reason: Exception) -> None:
        self._pool.check()
        logger.warning("request %s is interrupted: %s", flight.request.request_id, reason)
        if flight.num_moves == _MOST_MOVES:
            raise EngineUnavailableError("each replica that computed this request was lost")
        flight.num_moves += 1
        flight.refused_by = [replica]
        # An engine that has failed a request by itself is soon known to be dead.
        is_known_lost = isinstance(reason, ReplicaLostError)
        await self._pause(flight, 0 if is_known_lost else _SECONDS_BEFORE_MOVE)

    async def _pause(self, flight: _Flight, seconds: float) -> None:
        """Return once there is a replica to go to, or the request was cancelled."""
        flight.replica = None
        cancelled = asyncio.ensure_future(flight.cancelled.wait())
        some_ready = asyncio.ensure_future(self._pool.some_ready())
        try:
            await asyncio.wait({cancelled}, timeout=seconds)
            await asyncio.wait({cancelled, some_ready}, return_when=asyncio.FIRST_COMPLETED)
            if some_ready.done():
                some_ready.result()  # raises where none can be had
        finally:
            cancelled.cancel()
            some_ready.cancel()
