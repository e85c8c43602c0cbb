"""The server's metrics, for Prometheus to fetch."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine import Engine, EngineStats, ModelInfo


@dataclass(frozen=True, slots=True)
class PlainText:
    """An answer that is text and not JSON."""

    text: str


RenderMetrics = Callable[[EngineStats, Sequence[ModelInfo]], str]


class MetricsHandlers:
    """``render`` turns the engine's state, and what else it knows, into Prometheus' format."""

    def __init__(self, engine: Engine, render: RenderMetrics) -> None:
        self._engine = engine
        self._render = render

    async def metrics(self) -> PlainText:
        return PlainText(self._render(await self._engine.stats(), self._engine.models()))
