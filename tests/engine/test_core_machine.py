"""Any sequence of submits, steps, cancels, preemptions and faults keeps the engine's promises."""

from collections.abc import Sequence as Sequences
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from engine import Chunk, GenerationError, GenerationRequest, WatermarkConfig
from engine.core import EngineCore
from engine.intake import Intake
from engine.sampler import Sampler
from engine.scheduler import Scheduler, Span
from engine.speculation import Speculator
from tests.engine.calls import make_request
from tests.engine.scripted_runner import ScriptedRunner
from tests.fake_engine import MODEL
from tests.faulty_engine import allocate_too_much
from tests.tiny_models import byte_level_tokenizer

MAX_NUM_SEQS, MAX_STEP_TOKENS, LONGEST = 3, 8, 32
INFO = replace(MODEL, vocab_size=300, max_seq_len=LONGEST, max_iter_times=20, max_prompt_tokens=20)
MAX_KV_TOKENS = LONGEST + 12  # so that two long ones are too many
WATERMARK = WatermarkConfig(hashing_key=7, greenlist_ratio=0.5, bias=4.0)
Key = tuple[tuple[int, ...], tuple[tuple[str, Any], ...]]  # prompt and parameters


@cache
def intake() -> Intake:
    return Intake(byte_level_tokenizer(), INFO)


def make_core(
    runner: ScriptedRunner, max_kv_tokens: int, max_draft_tokens: int
) -> tuple[EngineCore, Scheduler]:
    scheduler = Scheduler(
        max_num_seqs=MAX_NUM_SEQS,
        max_num_batched_tokens=MAX_STEP_TOKENS,
        max_chunk_tokens=MAX_STEP_TOKENS // 2,
        max_kv_tokens=max_kv_tokens,
        admit=runner.admit,
        release=runner.release,
    )
    sampler = Sampler(INFO.vocab_size, "cpu", WATERMARK)
    return EngineCore(scheduler, runner, sampler, Speculator(max_draft_tokens)), scheduler


@cache
def lonely(key: Key) -> tuple[tuple[int | None, str, str | None], ...]:
    """What the request gets where it is the only one and nothing fails."""
    core, _ = make_core(ScriptedRunner(INFO.vocab_size, lambda _spans: None), 1000, 0)
    core.add(intake().accept(to_request(key), 0.0))
    chunks = []
    while core.has_work:
        for output in core.step():
            assert isinstance(output.result, Chunk)
            chunks.append(output.result)
    return tuple(map(shown, chunks))


def shown(chunk: Chunk) -> tuple[int | None, str, str | None]:
    return chunk.token.token_id if chunk.token else None, chunk.text, chunk.finish_reason


def to_request(key: Key, priority: int = 5) -> GenerationRequest:
    prompt, changes = key
    return replace(make_request(prompt, **dict(changes)), priority=priority)


PROMPTS = st.lists(st.integers(3, 299), min_size=1, max_size=20).map(tuple)
CHANGES = st.fixed_dictionaries(
    {
        "do_sample": st.booleans(),
        "seed": st.integers(1, 9),
        "max_new_tokens": st.integers(1, 20),
        "ignore_eos": st.booleans(),
        "stop": st.sampled_from([(), ("a",), ("th", "e ")]),
        "repetition_penalty": st.sampled_from([1.0, 1.3]),
    }
).map(lambda changes: tuple(changes.items()))


class CoreMachine(RuleBasedStateMachine):
    """``alive`` is what the engine has to answer yet."""

    @initialize()
    def start(self) -> None:
        self.runner = ScriptedRunner(INFO.vocab_size, self.fail)
        self.core, self.scheduler = make_core(self.runner, MAX_KV_TOKENS, 5)
        self.keys: dict[str, Key] = {}
        self.alive: dict[str, list[tuple[int | None, str, str | None]]] = {}
        self.next_fault: str | None = None
        self.num_ended = 0
        self.num_failed_steps = 0

    def fail(self, spans: Sequences[Span]) -> None:
        """Between the engine and its model."""
        fault, self.next_fault = self.next_fault, None
        if fault == "exception":
            raise RuntimeError("a fault of the model")
        if fault == "memory":
            self.next_fault = "memory" if sum(span.num_tokens for span in spans) > 2 else None
            if self.next_fault:
                allocate_too_much()

    @rule(prompt=PROMPTS, changes=CHANGES, priority=st.integers(1, 5))
    def submit(
        self, prompt: tuple[int, ...], changes: tuple[tuple[str, Any], ...], priority: int
    ) -> None:
        request = to_request((prompt, changes), priority)
        self.keys[request.request_id] = prompt, changes
        self.alive[request.request_id] = []
        self.core.add(intake().accept(request, 0.0))

    @precondition(lambda self: self.alive)
    @rule(data=st.data())
    def cancel(self, data: st.DataObject) -> None:
        request_id = data.draw(st.sampled_from(sorted(self.alive)))
        generation = self.core.abort(request_id)
        assert generation is not None
        said = "".join(text for _, text, _ in self.alive.pop(request_id)) + generation.stop().text
        whole = "".join(text for _, text, _ in lonely(self.keys[request_id]))
        assert whole.startswith(said) or dict(self.keys[request_id][1])["stop"]
        assert self.core.abort(request_id) is None
        self.num_ended += 1

    @rule(fault=st.sampled_from([None, None, None, "memory", "exception"]))
    def step(self, fault: str | None) -> None:
        self.advance(fault)

    def advance(self, fault: str | None) -> None:
        if not self.core.has_work:
            return
        self.next_fault = fault
        outputs = self.core.step()
        self.next_fault = None
        self.num_failed_steps = self.num_failed_steps + 1 if fault == "exception" else 0
        for output in outputs:
            self.take(output.request_id, output.result, fault)

    def take(self, request_id: str, result: object, fault: str | None) -> None:
        chunks = self.alive[request_id]
        if isinstance(result, Chunk):
            chunks.append(shown(result))
            expected = lonely(self.keys[request_id])
            assert tuple(chunks) == expected[: len(chunks)]
            has_ended = result.finish_reason is not None
            assert has_ended == (len(chunks) == len(expected))
        else:
            assert isinstance(result, GenerationError)
            assert fault == "exception"
            has_ended = True
        if has_ended:
            del self.alive[request_id]
            self.num_ended += 1

    @invariant()
    def nobody_is_lost_and_limits_hold(self) -> None:
        if not hasattr(self, "core"):
            return
        running = self.scheduler.running
        assert len(running) + self.scheduler.num_waiting == len(self.alive)
        assert {seq.request_id for seq in running} <= self.alive.keys()
        assert len(self.keys) == len(self.alive) + self.num_ended
        assert len(running) <= MAX_NUM_SEQS
        assert self.runner.num_cached_tokens <= MAX_KV_TOKENS
        assert self.runner.caches.keys() == set(running)
        assert self.core.is_broken == (self.num_failed_steps >= 3)

    def teardown(self) -> None:
        """Whatever came before, everybody is answered in the end."""
        if not hasattr(self, "core"):
            return
        for _ in range(LONGEST * len(self.alive)):
            self.advance(None)
        assert not self.alive
        assert not self.core.has_work
        assert not self.runner.caches


@pytest.mark.parametrize("do_sample", [False, True])
def test_drafts_save_steps_and_change_no_text(do_sample: bool) -> None:
    changes = {"do_sample": do_sample, "seed": 3, "max_new_tokens": 20, "ignore_eos": True}
    key: Key = ((5, 6, 7), tuple(changes.items()))
    core, _ = make_core(ScriptedRunner(INFO.vocab_size, lambda _spans: None), 1000, 5)
    core.add(intake().accept(to_request(key), 0.0))
    chunks = []
    while core.has_work:
        chunks += [output.result for output in core.step()]

    assert tuple(shown(chunk) for chunk in chunks if isinstance(chunk, Chunk)) == lonely(key)
    assert core.num_accepted_tokens > 0
    assert core.counters.num_steps == 20 - core.num_accepted_tokens


CoreMachine.TestCase.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)
TestCoreMachine = pytest.mark.slow(CoreMachine.TestCase)
