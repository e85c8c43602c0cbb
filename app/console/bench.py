"""``genspec bench``: how fast this machine is with this model, alone and with others."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from time import monotonic

from rich.console import Console
from rich.table import Table

from app.console.session import Requests, chunks_of, loaded, working
from app.settings import Settings
from engine import Engine, GenerationRequest, ModelInfo

PROMPT = "Once upon a time there was a small village by the sea where people told stories about"
MIN_REQUESTS = 4  # of a level: one request alone is measured more than once


@dataclass(frozen=True, slots=True)
class Timing:
    """One generation: milliseconds to its first token and between tokens, and its tokens."""

    first_token_ms: float
    inter_token_ms: float
    num_tokens: int


@dataclass(frozen=True, slots=True)
class Level:
    """What came of so many requests at once."""

    num_at_once: int
    seconds: float
    timings: tuple[Timing, ...]

    @property
    def tokens_per_second(self) -> float:
        return sum(timing.num_tokens for timing in self.timings) / self.seconds


async def bench(settings: Settings, engine: Engine, levels: Sequence[int], tokens: int) -> None:
    """Measure each level and print a table. Raises InvalidBodyError, EngineError."""
    requests = Requests(settings, engine)
    body = {"text_input": PROMPT, "parameters": {"max_new_tokens": tokens, "ignore_eos": True}}
    requests.make(body)  # refuses a wrong number of tokens before anything is loaded
    results = []
    async with loaded(engine):
        with working("Warming up"):
            await _measure(engine, requests.make(body))
        for num_at_once in levels:
            with working(f"Measuring {num_at_once} at once"):
                made = [requests.make(body) for _ in range(max(num_at_once, MIN_REQUESTS))]
                results.append(await _level(engine, num_at_once, made))
        model = engine.models()[0]
    Console().print(_table(model, tokens, results))


async def _level(engine: Engine, num_at_once: int, requests: list[GenerationRequest]) -> Level:
    """Clients that ask again as soon as they are answered, until no request is left."""
    waiting = iter(requests)

    async def client() -> list[Timing]:
        return [await _measure(engine, request) for request in waiting]

    started_at = monotonic()
    timings = await asyncio.gather(*(client() for _ in range(num_at_once)))
    seconds = monotonic() - started_at
    return Level(num_at_once, seconds, tuple(timing for some in timings for timing in some))


async def _measure(engine: Engine, request: GenerationRequest) -> Timing:
    times = [
        chunk.token.elapsed_ms
        async for chunk in chunks_of(engine, request)
        if chunk.token is not None
    ]
    return Timing(times[0], median(times[1:]) if len(times) > 1 else 0.0, len(times))


def _table(model: ModelInfo, tokens: int, levels: Sequence[Level]) -> Table:
    table = Table(
        title=f"{model.name} on {model.device} in {model.dtype}, {tokens} tokens each",
        caption="ms: median to the first token, slowest first token, median between tokens",
    )
    for name in ("at once", "first ms", "slowest ms", "between ms", "tokens/s", "tokens/s each"):
        table.add_column(name, justify="right")
    for level in levels:
        first = [timing.first_token_ms for timing in level.timings]
        between = [timing.inter_token_ms for timing in level.timings]
        table.add_row(
            str(level.num_at_once),
            f"{median(first):.0f}",
            f"{max(first):.0f}",
            f"{median(between):.1f}",
            f"{level.tokens_per_second:.1f}",
            f"{level.tokens_per_second / level.num_at_once:.1f}",
        )
    return table
