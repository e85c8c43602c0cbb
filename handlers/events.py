"""What a handler returns instead of one answer: events that come one by one."""

from typing import Any

from handlers.answer import Answering
from handlers.generations import ChunkStream


class EventStream:
    """The events of one generation, one for each token. Close it, iterated or not.

    Iterating raises RequestTimeoutError and the engine's errors.
    """

    def __init__(self, chunks: ChunkStream, answering: Answering) -> None:
        self._chunks = chunks
        self._answering = answering

    def __aiter__(self) -> "EventStream":
        return self

    async def __anext__(self) -> dict[str, Any]:
        chunk = await self._chunks.next()
        if chunk is None:
            raise StopAsyncIteration
        return self._answering.event(chunk)

    async def close(self) -> None:
        """End the generation, if it has not ended, within a token."""
        await self._chunks.close()
