"""Asking an engine, as handlers do."""

import asyncio
import itertools
from collections.abc import Sequence
from typing import Any

from engine import Chunk, Engine, GenerationRequest
from tests.params import params

_ids = itertools.count()


def make_request(
    prompt: str | tuple[int, ...] = "The capital of", model: str = "tiny", **changes: Any
) -> GenerationRequest:
    return GenerationRequest(
        request_id=f"r{next(_ids)}",
        model=model,
        prompt=prompt,
        sampling_params=params(**{"ignore_eos": True, **changes}),
        priority=5,
    )


async def collect(
    engine: Engine, request: GenerationRequest, resume: Sequence[int] = ()
) -> list[Chunk]:
    return [chunk async for chunks in engine.stream(request, resume=resume) for chunk in chunks]


def token_ids(chunks: list[Chunk]) -> list[int]:
    return [chunk.token.token_id for chunk in chunks if chunk.token is not None]


def text(chunks: list[Chunk]) -> str:
    return "".join(chunk.text for chunk in chunks)


async def is_idle(engine: Engine) -> bool:
    for _ in range(200):
        stats = await engine.stats()
        if stats.num_running == stats.num_waiting == stats.num_kv_tokens == 0:
            return True
        await asyncio.sleep(0.01)
    return False
