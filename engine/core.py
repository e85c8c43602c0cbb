"""The generation loop: schedule, forward, sample, commit. One thread owns it."""

import logging
import time
from collections.abc import Sequence as Sequences

from torch import Tensor

from engine.drafts import drafts_of, rows_of
from engine.errors import GenerationError
from engine.faults import halves, is_out_of_memory
from engine.generation import Generation
from engine.runner import Runner
from engine.sampler import Pick, Sampler, SamplingState
from engine.scheduler import Scheduler, Span
from engine.sequence import Sequence
from engine.speculation import Speculator
from engine.step_output import Counters, StepOutput

logger = logging.getLogger(__name__)

MAX_FAILED_STEPS = 3  # in a row; more would be no accidents


class EngineCore:
    """Runs many generations over one model, one token of each a step."""

    def __init__(
        self, scheduler: Scheduler, runner: Runner, sampler: Sampler, speculator: Speculator
    ) -> None:
        self._scheduler = scheduler
        self._speculator = speculator
        self._runner = runner
        self._sampler = sampler
        self._generations: dict[Sequence, Generation] = {}
        self._num_failed_steps = 0  # since the last one of which something was computed
        self._is_split = False  # the last step
        self.counters = Counters()

    @property
    def has_work(self) -> bool:
        return self._scheduler.has_work

    @property
    def is_broken(self) -> bool:
        """Whether so many steps in a row failed that no other can be expected to succeed."""
        return self._num_failed_steps >= MAX_FAILED_STEPS

    @property
    def num_running(self) -> int:
        return len(self._scheduler.running)

    @property
    def num_waiting(self) -> int:
        return self._scheduler.num_waiting

    @property
    def num_preemptions(self) -> int:
        return self._scheduler.num_preemptions

    @property
    def num_reused_tokens(self) -> int:
        return self._runner.num_reused_tokens

    @property
    def num_drafted_tokens(self) -> int:
        return self._speculator.num_drafted_tokens

    @property
    def num_accepted_tokens(self) -> int:
        return self._speculator.num_accepted_tokens

    @property
    def num_kv_tokens(self) -> int:
        return self._runner.num_cached_tokens

    def add(self, generation: Generation) -> None:
        self._generations[generation.sequence] = generation
        self._scheduler.add(generation.sequence)

    def abort(self, request_id: str) -> Generation | None:
        """Forget a request at once; None where it is not in flight any more."""
        for sequence, generation in self._generations.items():
            if sequence.request_id == request_id:
                self._remove(sequence)
                self.counters.num_cancelled += 1
                return generation
        return None

    def step(self) -> list[StepOutput]:
        """Compute one batch. A failure of the model ends the requests of that batch alone."""
        spans = self._scheduler.schedule()
        spans = self._speculator.extend(spans, self._scheduler.num_spare_tokens(spans))
        self._count(spans)
        self._num_failed_steps += 1
        was_split, self._is_split = self._is_split, False
        outputs = self._compute(spans)
        if self._is_split and not was_split:  # said once, however many steps go on like that
            logger.warning("no memory for a step of %d sequences: it was split", len(spans))
        return outputs

    def _compute(self, spans: Sequences[Span]) -> list[StepOutput]:
        """Where memory does not suffice for all spans at once, it may for half of them."""
        try:
            logits = self._runner.forward(spans)
        except Exception as error:  # whatever torch raises: the others and the loop go on
            parts = halves(spans) if is_out_of_memory(error) else ()
            if not parts:
                logger.exception("a step of %d sequences failed", len(spans))
                return [self._fail(span.sequence) for span in spans]
            self._is_split = True
        else:
            self._num_failed_steps = 0
            return self._commit(spans, logits)
        # Here the exception, which keeps all that the failed attempt had allocated, is gone.
        return [output for part in parts for output in self._compute_rest(part)]

    def _compute_rest(self, spans: Sequences[Span]) -> list[StepOutput]:
        """The other half of a sequence that has failed is none any more."""
        alive = [span for span in spans if span.sequence in self._generations]
        return self._compute(alive) if alive else []

    def _count(self, spans: Sequences[Span]) -> None:
        """Note what the step is made of; next to nothing beside the step itself."""
        counters = self.counters
        counters.num_steps += 1
        counters.batch_sizes[len(spans)] = counters.batch_sizes.get(len(spans), 0) + 1
        now = time.monotonic()
        for span in spans:
            if self._generations[span.sequence].leave_queue(now):
                counters.num_prompt_tokens += span.sequence.num_prompt_tokens

    def _commit(self, spans: Sequences[Span], logits: Tensor) -> list[StepOutput]:
        """Pick each span's next token, and where it was drafted the one after it, and so on."""
        outputs = []
        drafts = drafts_of(spans)
        while drafts:
            rows = [(draft.sequence, self._generations[draft.sequence].state) for draft in drafts]
            picks = self._picks(rows_of(drafts, logits), rows)
            for draft, pick in zip(drafts, picks, strict=True):
                output = self._advance_or_fail(draft.sequence, pick)
                outputs.append(output)
                draft.check(pick, ends=output.is_last)
            for draft in drafts:
                if not draft.is_open:
                    self._speculator.settle(draft.span, draft.num_accepted)
            drafts = [draft for draft in drafts if draft.is_open]
        return outputs

    def _advance_or_fail(self, sequence: Sequence, pick: Pick | None) -> StepOutput:
        return self._fail(sequence) if pick is None else self._advance(sequence, pick)

    def _picks(
        self, logits: Tensor, rows: Sequences[tuple[Sequence, SamplingState]]
    ) -> list[Pick | None]:
        """One for each row; None where it has none, or where picking it alone fails."""
        try:
            return self._sampler.sample(logits, rows)
        except Exception:
            logger.exception("picking %d tokens failed", len(rows))
        if len(rows) <= 1:
            return [None] * len(rows)
        alone = [self._picks(logits[row : row + 1], [rows[row]]) for row in range(len(rows))]
        return [pick for [pick] in alone]

    def _advance(self, sequence: Sequence, pick: Pick) -> StepOutput:
        try:
            chunk = self._generations[sequence].add(pick)
        except Exception:
            logger.exception("a token could not be taken")
            return self._fail(sequence)
        self.counters.num_generated_tokens += 1
        if chunk.finish_reason is not None:
            self._remove(sequence)
            self.counters.num_finished += 1
        return StepOutput(sequence.request_id, chunk)

    def _fail(self, sequence: Sequence) -> StepOutput:
        self._remove(sequence)
        self.counters.num_failed += 1
        return StepOutput(
            sequence.request_id, GenerationError("the model failed to compute the next token")
        )

    def _remove(self, sequence: Sequence) -> None:
        del self._generations[sequence]
        self._speculator.forget(sequence)
        self._scheduler.remove(sequence)
