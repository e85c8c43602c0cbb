"""The engine of this process: admission and tokenization in front of the worker thread."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from engine.admission import Admission
from engine.config import EngineConfig, read_model_info
from engine.errors import NOT_READY, EngineUnavailableError, ModelNotFoundError
from engine.model_files import check_files
from engine.types import (
    Chunk,
    EngineStats,
    GenerationPlan,
    GenerationRequest,
    ModelInfo,
    TokenizedText,
    WatermarkDetection,
)
from engine.worker import Worker

if TYPE_CHECKING:
    from engine.core import EngineCore
    from engine.generation import Generation
    from engine.intake import Intake
    from engine.text import TextTools

T = TypeVar("T")


class LocalEngine:
    """Serves one transformers model with continuous batching; keeps the Engine protocol.

    Making one reads the model's config.json and nothing else: torch is first imported by the
    worker thread. Raises ModelLoadError where the directory is no model.
    """

    def __init__(self, config: EngineConfig) -> None:
        self._config = config
        self._info = read_model_info(config)
        self._worker = Worker(self._build_core, config.step_timeout)
        # One thread, so that prompts are tokenized in the order of their arrival.
        self._tokenizing = ThreadPoolExecutor(1, thread_name_prefix="genspec-tokenizer")
        # Another one for what is no generation: scoring a long text must not hold prompts up.
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="genspec-text")
        self._intake: Intake | None = None
        self._text_tools: TextTools | None = None
        self._admission = Admission(
            config.max_num_seqs, config.max_waiting, config.max_waiting_tokens
        )
        self._unsubmitted: dict[str, bool] = {}  # request ids, and whether they were cancelled

    def models(self) -> Sequence[ModelInfo]:
        return (self._info,)

    async def start(self) -> None:
        await self._worker.start()

    async def stop(self) -> bool:
        has_ended = await self._worker.stop()
        for executor in (self._tokenizing, self._reading):
            executor.shutdown(wait=False)
        return has_ended

    async def death(self) -> EngineUnavailableError:
        return await self._worker.death()

    async def ready(self, model: str | None = None) -> bool:
        if model is not None and model != self._info.name:
            raise ModelNotFoundError(f"no model of that name: this server has {self._info.name}")
        return self._worker.is_running

    async def cancel(self, request_id: str) -> bool:
        if request_id in self._unsubmitted:
            self._unsubmitted[request_id] = True
            return True
        return self._worker.abort(request_id, shows_rest=True)

    async def stream(
        self, request: GenerationRequest, *, resume: Sequence[int] = ()
    ) -> AsyncIterator[list[Chunk]]:
        arrival = time.monotonic()
        intake = await self._ready_intake(request.model)
        place = self._admission.enter()
        self._unsubmitted[request.request_id] = False
        is_finished = False
        try:
            generation = await asyncio.get_running_loop().run_in_executor(
                self._tokenizing, self._accept, intake, request, arrival
            )
            last_chunk = generation.resume(resume)
            if self._unsubmitted.pop(request.request_id) and last_chunk is None:
                last_chunk = generation.stop()
            if last_chunk is not None:
                yield [last_chunk]
                return
            sequence = generation.sequence
            self._admission.wait(place, sequence.num_prompt_tokens + sequence.max_output_tokens)
            mailbox = self._worker.submit(generation)
            while not is_finished:
                chunks = await mailbox.get()
                self._admission.run(place)
                is_finished = chunks[-1].finish_reason is not None
                yield chunks
        finally:
            self._admission.leave(place, has_finished=is_finished)
            self._unsubmitted.pop(request.request_id, None)
            self._worker.abort(request.request_id, shows_rest=False)

    async def plan(self, request: GenerationRequest) -> GenerationPlan:
        intake = await self._ready_intake(request.model)
        generation = await asyncio.get_running_loop().run_in_executor(
            self._tokenizing, self._accept, intake, request, time.monotonic()
        )
        sequence = generation.sequence
        return GenerationPlan(
            num_prompt_tokens=sequence.num_prompt_tokens,
            max_output_tokens=sequence.max_output_tokens,
        )

    async def tokenize(self, model: str, text: str) -> TokenizedText:
        return await self._read((await self._tools(model)).tokenize, text)

    async def detokenize(
        self, model: str, token_ids: Sequence[int], *, skip_special_tokens: bool
    ) -> str:
        detokenize = partial(
            (await self._tools(model)).detokenize, skip_special_tokens=skip_special_tokens
        )
        return await self._read(detokenize, token_ids)

    async def detect_watermark(self, model: str, text: str) -> WatermarkDetection:
        return await self._read((await self._tools(model)).detect_watermark, text)

    async def stats(self) -> EngineStats:
        core = self._worker.core
        num_running = core.num_running if core else 0
        counters = core.counters if core else None
        return EngineStats(
            num_running=num_running,
            num_waiting=max(0, self._admission.num_in_flight - num_running),
            num_kv_tokens=core.num_kv_tokens if core else 0,
            num_finished=counters.num_finished if counters else 0,
            num_cancelled=counters.num_cancelled if counters else 0,
            num_failed=counters.num_failed if counters else 0,
            num_prompt_tokens=counters.num_prompt_tokens if counters else 0,
            num_generated_tokens=counters.num_generated_tokens if counters else 0,
            num_steps=counters.num_steps if counters else 0,
            num_preemptions=core.num_preemptions if core else 0,
            num_reused_tokens=core.num_reused_tokens if core else 0,
            num_drafted_tokens=core.num_drafted_tokens if core else 0,
            num_accepted_tokens=core.num_accepted_tokens if core else 0,
            # One copy is one operation of the interpreter: the engine's thread cannot come between.
            batch_sizes=tuple(sorted(counters.batch_sizes.copy().items())) if counters else (),
        )

    async def _tools(self, model: str) -> "TextTools":
        if not await self.ready(model) or self._text_tools is None:
            raise EngineUnavailableError(NOT_READY)
        return self._text_tools

    async def _read(self, function: Callable[..., T], argument: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._reading, function, argument)

    async def _ready_intake(self, model: str) -> "Intake":
        if not await self.ready(model) or self._intake is None:
            raise EngineUnavailableError(NOT_READY)
        return self._intake

    def _accept(self, intake: "Intake", request: GenerationRequest, arrival: float) -> "Generation":
        """Not for an engine that has ended while the request waited for its turn here."""
        self._worker.check()
        return intake.accept(request, arrival)

    def _build_core(self) -> "EngineCore":
        """In the worker thread: import torch, load the model and put the parts together."""
        # Before what takes seconds.
        check_files(self._config.model_path, allow_pickles=self._config.allow_pickles)
        from engine.build import build

        parts = build(self._config, self._info)
        self._intake, self._text_tools, self._info = parts.intake, parts.text_tools, parts.info
        return parts.core
