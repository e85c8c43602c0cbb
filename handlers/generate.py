"""The generate operations: one request in, one whole answer out."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, cast

from engine import Chunk, Engine, GenerationError, GenerationRequest
from handlers.answer import to_answer
from handlers.call import Call
from handlers.race import race
from handlers.request import to_request


class GenerateHandlers:
    """``request_timeout`` is the server's own limit, in seconds."""

    def __init__(self, engine: Engine, request_timeout: float | None) -> None:
        self._engine = engine
        self._request_timeout = request_timeout

    async def generate(
        self, model_name: str, call: Call, model_version: str | None = None
    ) -> dict[str, Any]:
        """Answer with the whole text, or cancel when the client leaves or the time is over."""
        request = to_request(call.payload, model_name)
        time_limit = self._time_limit(call.payload["parameters"].get("timeout"))
        chunks = await race(self._collect(request), call, time_limit)
        return to_answer(call.payload, request, model_version, chunks)

    def _time_limit(self, requested: float | None) -> float | None:
        limits = [limit for limit in (requested, self._request_timeout) if limit is not None]
        return min(limits, default=None)

    async def _collect(self, request: GenerationRequest) -> list[Chunk]:
        chunks: list[Chunk] = []
        stream = cast(AsyncGenerator[list[Chunk], None], self._engine.stream(request))
        async with aclosing(stream):
            async for batch in stream:
                chunks.extend(batch)
        if not chunks or chunks[-1].finish_reason is None:
            raise GenerationError("the generation ended without a reason")
        return chunks
