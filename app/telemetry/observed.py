"""An engine whose generations are measured on their way to the handlers."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from typing import Any, cast

from app.telemetry.metrics import Metrics
from app.telemetry.record import GenerationRecord, current_record
from engine import Chunk, Engine, GenerationRequest


def observed(engine: Engine, metrics: Metrics) -> Engine:
    """The same engine; ``metrics`` and the record of the request see what it generates."""
    return cast(Engine, _ObservedEngine(engine, metrics))


class _ObservedEngine:
    """Everything but ``stream`` is the engine's own, whatever it can do."""

    def __init__(self, engine: Engine, metrics: Metrics) -> None:
        self._engine = engine
        self._metrics = metrics

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    async def stream(
        self, request: GenerationRequest, *, resume: Sequence[int] = ()
    ) -> AsyncIterator[list[Chunk]]:
        generation = GenerationRecord(request.model, request.prompt)
        if (record := current_record.get()) is not None:
            record.generation = generation
        stream = self._engine.stream(request, resume=resume)
        async with aclosing(cast(AsyncGenerator[list[Chunk], None], stream)) as chunks_of_steps:
            async for chunks in chunks_of_steps:
                for chunk in chunks:
                    is_first = generation.first_token_ms is None
                    self._metrics.observe_token(chunk, is_first=is_first)
                    generation.add(chunk)
                yield chunks
