"""Generations for clients that wait: they end when the client leaves or the time is over."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from time import monotonic
from typing import Any, cast

from engine import Chunk, Engine, GenerationError, GenerationPlan, GenerationRequest
from handlers.call import Call
from handlers.race import race, timeout_error
from handlers.running import RunningRequests
from handlers.tally import Tally


class ChunkStream:
    """The chunks of a generation whose first is there already. Close it, iterated or not."""

    def __init__(
        self, chunks: AsyncGenerator[Chunk, None], first: Chunk, call: Call, time_limit: float
    ) -> None:
        self._chunks = chunks
        self._first: Chunk | None = first
        self._time_limit = time_limit
        elapsed = monotonic() - call.arrived_at
        self._deadline = asyncio.get_running_loop().time() + time_limit - elapsed

    async def next(self) -> Chunk | None:
        """The next chunk, None after the last. Raises RequestTimeoutError and engine errors."""
        if self._first is not None:
            first, self._first = self._first, None
            return first
        try:
            async with asyncio.timeout_at(self._deadline):
                return await anext(self._chunks, None)
        except TimeoutError:
            raise timeout_error(self._time_limit) from None

    async def close(self) -> None:
        """End the generation, if it has not ended, within a token."""
        await self._chunks.aclose()


class Generations:
    """Runs what clients ask for. ``request_timeout`` is the server's own limit, in seconds."""

    def __init__(
        self, engine: Engine, running: RunningRequests, tally: Tally, request_timeout: float
    ) -> None:
        self._engine = engine
        self._running = running
        self._tally = tally
        self._request_timeout = request_timeout

    async def collect(self, request: GenerationRequest, call: Call) -> list[Chunk]:
        """All chunks. Raises ClientGoneError, RequestTimeoutError and the engine's errors."""
        return await race(self._collect(request, call), call, self._time_limit(call.payload))

    async def plan(self, request: GenerationRequest, call: Call) -> GenerationPlan:
        """What would be generated; raises as ``collect``, but for the engine's load."""
        return await race(self._engine.plan(request), call, self._time_limit(call.payload))

    async def stream(self, request: GenerationRequest, call: Call) -> ChunkStream:
        """Return when the first chunk is there; until then as ``collect``."""
        time_limit = self._time_limit(call.payload)
        chunks = self._chunks(request, call)
        first = await race(_first(chunks), call, time_limit)
        return ChunkStream(chunks, first, call, time_limit)

    def _time_limit(self, payload: Mapping[str, Any]) -> float:
        requested: float = payload["parameters"].get("timeout", self._request_timeout)
        return min(requested, self._request_timeout)

    async def _collect(self, request: GenerationRequest, call: Call) -> list[Chunk]:
        async with aclosing(self._chunks(request, call)) as chunks:
            return [chunk async for chunk in chunks]

    async def _chunks(self, request: GenerationRequest, call: Call) -> AsyncGenerator[Chunk, None]:
        client_id = call.payload.get("id", request.request_id)
        stream = cast(AsyncGenerator[list[Chunk], None], self._engine.stream(request))
        has_ended = False
        entry = self._running.entry(request.model, client_id, request.request_id)
        with self._tally.timed() as wait, entry:
            async with aclosing(stream):
                async for batch in stream:
                    for chunk in batch:
                        has_ended = chunk.finish_reason is not None
                        if chunk.queue_ms is not None:
                            wait.ns = int(chunk.queue_ms * 1e6)
                        yield chunk
            if not has_ended:
                raise GenerationError("the generation ended without a reason")


async def _first(chunks: AsyncGenerator[Chunk, None]) -> Chunk:
    return await anext(chunks)
