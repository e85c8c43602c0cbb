"""From the thread, or the process, of an engine to one stream."""

import asyncio

from engine.types import Chunk


class Mailbox:
    """What one stream waits on. Filled and emptied in the event loop only."""

    def __init__(self) -> None:
        self._results: list[Chunk | Exception] = []
        self._filled = asyncio.Event()

    def put(self, result: Chunk | Exception) -> None:
        self._results.append(result)
        self._filled.set()

    async def get(self) -> list[Chunk]:
        """All chunks since the last call. Raises the error that ended the request, if one did."""
        await self._filled.wait()
        self._filled.clear()
        results, self._results = self._results, []
        chunks = [result for result in results if isinstance(result, Chunk)]
        errors = [result for result in results if isinstance(result, Exception)]
        if errors and not chunks:
            raise errors[0]
        if errors:
            self.put(errors[0])
        return chunks
