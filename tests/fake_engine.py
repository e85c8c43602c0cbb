"""An engine that yields what a test tells it to, and remembers what was asked of it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace

from engine import (
    Chunk,
    EngineStats,
    EngineUnavailableError,
    FinishReason,
    GenerationPlan,
    GenerationRequest,
    ModelInfo,
    Token,
    TokenizedText,
    WatermarkDetection,
)

MODEL = ModelInfo(
    name="fake",
    version="1",
    platform="pytorch_transformers",
    vocab_size=1000,
    max_position_embeddings=4096,
    max_seq_len=2560,
    max_iter_times=512,
    max_prompt_tokens=2048,
    max_num_seqs=16,
    max_waiting=256,
    eos_token_ids=(0,),
    architecture="FakeForCausalLM",
    device="cpu",
    dtype="float32",
    decoder="native",
    is_load_invariant=True,
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
    running: dict[str, asyncio.Event] = field(default_factory=dict)  # set: to be stopped
    has_stopped: bool = False
    dying: asyncio.Event = field(default_factory=asyncio.Event)
    loop: asyncio.AbstractEventLoop | None = None
    has_offsets: bool = True

    def models(self) -> Sequence[ModelInfo]:
        return (MODEL,)

    async def start(self) -> None:
        if self.is_loading:
            await asyncio.Event().wait()
        if self.start_failure is not None:
            raise self.start_failure
        self.is_ready = True

    async def stop(self) -> bool:
        self.is_ready = False
        self.has_stopped = True
        return True

    async def death(self) -> EngineUnavailableError:
        self.loop = asyncio.get_running_loop()
        await self.dying.wait()
        self.is_ready = False
        return EngineUnavailableError("the engine has died")

    def die(self) -> None:
        """From any thread, once the engine has started."""
        assert self.loop is not None
        self.loop.call_soon_threadsafe(self.dying.set)

    async def ready(self, model: str | None = None) -> bool:
        return self.is_ready

    async def plan(self, request: GenerationRequest) -> GenerationPlan:
        if self.failure is not None:
            raise self.failure
        most = request.sampling_params.max_new_tokens
        return GenerationPlan(num_prompt_tokens=len(request.prompt), max_output_tokens=most)

    async def cancel(self, request_id: str) -> bool:
        if request_id not in self.running:
            return False
        self.running[request_id].set()
        return True

    async def tokenize(self, model: str, text: str) -> TokenizedText:
        """A token for each character, its id the character's number in the vocabulary."""
        offsets = tuple((index, index + 1) for index in range(len(text)))
        token_ids = tuple(ord(character) % MODEL.vocab_size for character in text)
        return TokenizedText(token_ids=token_ids, offsets=offsets if self.has_offsets else None)

    async def detokenize(
        self, model: str, token_ids: Sequence[int], *, skip_special_tokens: bool
    ) -> str:
        return "".join(
            chr(token_id) for token_id in token_ids if token_id or not skip_special_tokens
        )

    async def detect_watermark(self, model: str, text: str) -> WatermarkDetection:
        if self.failure is not None:
            raise self.failure
        return WatermarkDetection(
            num_tokens=len(text), green_fraction=0.5, z_score=4.5, p_value=1e-5, is_watermarked=True
        )

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
            num_drafted_tokens=0,
            num_accepted_tokens=0,
            batch_sizes=((1, self.num_yielded),) if self.num_yielded else (),
        )

    async def stream(
        self, request: GenerationRequest, *, resume: Sequence[int] = ()
    ) -> AsyncIterator[list[Chunk]]:
        self.requests.append(request)
        stopped = self.running[request.request_id] = asyncio.Event()
        try:
            for item in self.script:
                if not self.is_ready:
                    raise EngineUnavailableError("the engine is not running")
                if self.seconds_per_chunk:
                    await asyncio.sleep(self.seconds_per_chunk)
                if stopped.is_set():
                    yield [replace(chunk("", finish_reason=FinishReason.STOP_SEQUENCE), token=None)]
                    return
                self.num_yielded += 1
                yield [item]
            if self.failure is not None:
                raise self.failure
        finally:
            del self.running[request.request_id]
            self.num_closed += 1
