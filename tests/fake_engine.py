"""An engine that yields what a test tells it to, and remembers what was asked of it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

from engine import (
    Chunk,
    EngineStats,
    EngineUnavailableError,
    FinishReason,
    GenerationRequest,
    ModelInfo,
    Token,
)

MODEL = ModelInfo(
    name="fake",
    version="1",
    vocab_size=1000,
    max_position_embeddings=4096,
    max_seq_len=2560,
    max_prompt_tokens=2048,
    eos_token_ids=(0,),
    architecture="FakeForCausalLM",
    device="cpu",
    dtype="float32",
)


def chunk(text: str, token_id: int = 7, finish_reason: FinishReason | None = None) -> Chunk:
    """One token that took 2.5 ms; its logprob is there whether asked for or not."""
    token = Token(token_id=token_id, text=text, elapsed_ms=2.5, logprob=-0.5, top_logprobs=())
    return Chunk(token=token, text=text, num_prompt_tokens=3, finish_reason=finish_reason)


def chunks(*texts: str) -> list[Chunk]:
    """A chunk for each text; the last one ends the generation at its length."""
    plain = [chunk(text) for text in texts[:-1]]
    return [*plain, chunk(texts[-1], finish_reason=FinishReason.LENGTH)]


@dataclass
class FakeEngine:
    """Keeps the Engine protocol.

    Yields ``script`` chunk by chunk, each after ``seconds_per_chunk``, then raises ``failure``
    if there is one. ``start_failure`` fails the start, and ``is_loading`` lets it last for ever.
    """

    script: list[Chunk] = field(default_factory=lambda: chunks("Hel", "lo"))
    seconds_per_chunk: float = 0.0
    failure: Exception | None = None
    start_failure: Exception | None = None
    is_loading: bool = False
    is_ready: bool = False
    requests: list[GenerationRequest] = field(default_factory=list)
    num_yielded: int = 0
    num_closed: int = 0
    has_stopped: bool = False

    def models(self) -> Sequence[ModelInfo]:
        return (MODEL,)

    async def start(self) -> None:
        if self.is_loading:
            await asyncio.Event().wait()
        if self.start_failure is not None:
            raise self.start_failure
        self.is_ready = True

    async def stop(self) -> None:
        self.is_ready = False
        self.has_stopped = True

    async def ready(self, model: str | None = None) -> bool:
        return self.is_ready

    async def cancel(self, request_id: str) -> bool:
        return False

    async def stats(self) -> EngineStats:
        return EngineStats(
            num_running=len(self.requests) - self.num_closed,
            num_waiting=0,
            num_kv_tokens=0,
            num_finished=0,
            num_cancelled=0,
            num_failed=0,
            num_prompt_tokens=3 * len(self.requests),
            num_generated_tokens=self.num_yielded,
            num_steps=self.num_yielded,
            num_preemptions=0,
            num_reused_tokens=0,
            batch_sizes=((1, self.num_yielded),) if self.num_yielded else (),
        )

    async def stream(
        self, request: GenerationRequest, *, resume: Sequence[int] = ()
    ) -> AsyncIterator[list[Chunk]]:
        self.requests.append(request)
        try:
            for item in self.script:
                if not self.is_ready:
                    raise EngineUnavailableError("the engine is not running")
                if self.seconds_per_chunk:
                    await asyncio.sleep(self.seconds_per_chunk)
                self.num_yielded += 1
                yield [item]
            if self.failure is not None:
                raise self.failure
        finally:
            self.num_closed += 1
