"""From the engine of a replica to the front: many chunks in few messages."""

import asyncio
from dataclasses import dataclass

from engine.types import Chunk


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """What came of one request since the last time; ``error`` comes after the chunks."""

    request_id: str
    chunks: tuple[Chunk, ...]
    error: Exception | None


class Outbox:
    """Collects for ``interval`` seconds from one message to the next; what is urgent goes at once.

    A message a token would keep the front busy with messages; so many a second for all requests
    together it does not feel. Used in the event loop only.
    """

    def __init__(self, interval: float) -> None:
        self._interval = interval
        self._chunks: dict[str, list[Chunk]] = {}
        self._errors: dict[str, Exception] = {}
        self._filled = asyncio.Event()
        self._urgent = asyncio.Event()
        self._next_at = 0.0

    def put(self, request_id: str, chunks: list[Chunk], *, is_urgent: bool) -> None:
        self._chunks.setdefault(request_id, []).extend(chunks)
        self._filled.set()
        if is_urgent:
            self._urgent.set()

    def fail(self, request_id: str, error: Exception) -> None:
        """The request ends with this, after all chunks of it."""
        self._errors[request_id] = error
        self.put(request_id, [], is_urgent=True)

    async def take(self, patience: float) -> tuple[Delivery, ...]:
        """What there is to deliver; nothing after so many seconds without anything."""
        loop = asyncio.get_running_loop()
        if not await _is_set(self._filled, patience):
            return ()
        await _is_set(self._urgent, self._next_at - loop.time())
        self._filled.clear()
        self._urgent.clear()
        self._next_at = loop.time() + self._interval
        chunks, self._chunks = self._chunks, {}
        errors, self._errors = self._errors, {}
        return tuple(
            Delivery(request_id=name, chunks=tuple(some), error=errors.get(name))
            for name, some in chunks.items()
        )


async def _is_set(event: asyncio.Event, seconds: float) -> bool:
    """Wait for the event, but no longer than that."""
    if seconds > 0:
        try:
            async with asyncio.timeout(seconds):
                await event.wait()
        except TimeoutError:
            pass
    return event.is_set()
