"""The mock: keeps the Engine protocol, answers in the time of a model, and needs none."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from time import monotonic

from engine.admission import Admission
from engine.errors import (
    NOT_READY,
    SHUTTING_DOWN,
    EngineUnavailableError,
    InvalidRequestError,
)
from engine.mock.config import MockConfig, model_info
from engine.mock.counters import Counters
from engine.mock.faults import Fault, asked_for
from engine.mock.generation import MockGeneration
from engine.mock.lorem import detect
from engine.mock.slots import Slots, Turn
from engine.mock.vocabulary import decode, encode, offsets
from engine.types import (
    Chunk,
    EngineStats,
    GenerationPlan,
    GenerationRequest,
    ModelInfo,
    TokenizedText,
    WatermarkDetection,
)


@dataclass(slots=True, eq=False)
class _Run:
    turn: Turn
    stopped: asyncio.Event = field(default_factory=asyncio.Event)

    def stop(self) -> None:
        self.stopped.set()
        if not self.turn.done():
            self.turn.set_result(False)


class MockEngine:
    """Answers with filler text that the prompt and the seed alone decide."""

    def __init__(self, config: MockConfig) -> None:
        self._config = config
        self._info = model_info(config)
        self._is_running = False
        self._runs: dict[str, _Run] = {}
        self._slots = Slots(config.max_num_seqs)
        self._admission = Admission(
            config.max_num_seqs, config.max_waiting, config.max_waiting_tokens
        )
        self._counters = Counters()

    def models(self) -> Sequence[ModelInfo]:
        return (self._info,)

    async def start(self) -> None:
        await asyncio.sleep(self._config.load_seconds)
        self._is_running = True

    async def stop(self) -> bool:
        self._is_running = False
        for run in self._runs.values():
            run.stop()
        return True

    async def death(self) -> EngineUnavailableError:
        """Never: there is nothing in here that could die."""
        await asyncio.Event().wait()
        return EngineUnavailableError("the mock has ended")

    async def ready(self, model: str | None = None) -> bool:
        return self._is_running

    async def plan(self, request: GenerationRequest) -> GenerationPlan:
        self._check_running()
        prompt_ids = self._prompt_ids(request.prompt)
        return GenerationPlan(
            num_prompt_tokens=len(prompt_ids),
            max_output_tokens=self._most(request, len(prompt_ids)),
        )

    async def stream(
        self, request: GenerationRequest, *, resume: Sequence[int] = ()
    ) -> AsyncIterator[list[Chunk]]:
        arrival = monotonic()
        plan = await self.plan(request)
        place = self._admission.enter()
        run = self._runs[request.request_id] = _Run(self._slots.ask(request.priority))
        is_finished = False
        try:
            self._admission.wait(place, plan.num_prompt_tokens + plan.max_output_tokens)
            if await run.turn:
                self._admission.run(place)
            with self._counters.counting(plan.num_prompt_tokens) as ended:
                async for chunk in self._chunks(request, plan, run, arrival, len(resume)):
                    self._counters.add(chunk)
                    is_finished = chunk.finish_reason is not None
                    ended.is_well = is_finished
                    yield [chunk]
        finally:
            self._admission.leave(place, has_finished=is_finished)
            self._slots.give_back(run.turn)
            del self._runs[request.request_id]

    async def cancel(self, request_id: str) -> bool:
        if request_id not in self._runs:
            return False
        self._runs[request_id].stop()
        return True

    async def tokenize(self, model: str, text: str) -> TokenizedText:
        self._check_running()
        return await asyncio.to_thread(
            lambda: TokenizedText(token_ids=encode(text), offsets=tuple(offsets(text)))
        )

    async def detokenize(
        self, model: str, token_ids: Sequence[int], *, skip_special_tokens: bool
    ) -> str:
        self._check_running()
        return decode(token_ids)

    async def detect_watermark(self, model: str, text: str) -> WatermarkDetection:
        self._check_running()
        token_ids = encode(text)
        if len(token_ids) > self._info.max_seq_len:
            problem = f"has {len(token_ids)} tokens, and at most {self._info.max_seq_len} are"
            raise InvalidRequestError("text_input", f"{problem} scored (max_seq_len)")
        return detect(token_ids, self._config.watermark)

    async def stats(self) -> EngineStats:
        return self._counters.stats(self._admission.num_in_flight)

    async def _chunks(
        self,
        request: GenerationRequest,
        plan: GenerationPlan,
        run: _Run,
        arrival: float,
        num_known: int,
    ) -> AsyncIterator[Chunk]:
        prompt_ids = self._prompt_ids(request.prompt)
        params = request.sampling_params
        watermark = self._config.watermark
        generation = MockGeneration(prompt_ids, params, plan.max_output_tokens, watermark, arrival)
        fault = asked_for(decode(prompt_ids))
        seconds = plan.num_prompt_tokens / self._config.prompt_tokens_per_second
        for _ in range(num_known):
            generation.step()
        chunk = None
        while chunk is None or chunk.finish_reason is None:
            await self._pass_time(run, seconds, fault, generation.num_tokens)
            chunk = generation.stop() if run.stopped.is_set() else generation.step()
            yield chunk
            seconds = 1 / self._config.tokens_per_second

    async def _pass_time(self, run: _Run, seconds: float, fault: Fault | None, now: int) -> None:
        """Until the next token, unless the request is stopped. Raises what the fault raises."""
        is_due = fault is not None and now >= fault.after
        if fault is not None and is_due and not fault.is_hang and not run.stopped.is_set():
            raise fault.error()
        try:
            async with asyncio.timeout(None if is_due else seconds):
                await run.stopped.wait()
        except TimeoutError:
            pass
        if not self._is_running:
            raise EngineUnavailableError(SHUTTING_DOWN)

    def _check_running(self) -> None:
        if not self._is_running:
            raise EngineUnavailableError(NOT_READY)

    def _prompt_ids(self, prompt: str | tuple[int, ...]) -> tuple[int, ...]:
        """Raises InvalidRequestError."""
        token_ids = encode(prompt) if isinstance(prompt, str) else prompt
        most = self._info.max_prompt_tokens
        if len(token_ids) > most:
            field_name = "text_input" if isinstance(prompt, str) else "inputs"
            problem = f"has {len(token_ids)} tokens, and at most {most} are allowed"
            raise InvalidRequestError(field_name, f"{problem} (max_seq_len less max_iter_times)")
        return token_ids

    def _most(self, request: GenerationRequest, num_prompt_tokens: int) -> int:
        room = self._info.max_seq_len - num_prompt_tokens
        return min(request.sampling_params.max_new_tokens, room)
