"""Greedy tokens of our batched, cached, chunked forward pass against transformers' generate."""

import random
from typing import Any

import pytest
import torch

import engine.load_check
from engine.attention import ATTENTION_NAME
from engine.errors import ModelLoadError
from engine.model_runner import ModelRunner
from engine.scheduler import Scheduler
from engine.sequence import Sequence
from tests.params import params
from tests.tiny_models import ARCHITECTURES, VOCAB_SIZE, make_model

NUM_NEW_TOKENS = 24


def generate(
    model: Any,
    prompts: list[list[int]],
    max_num_batched_tokens: int,
    max_kv_tokens: int = 10_000,
) -> list[list[int]]:
    """Greedy tokens of every prompt, run as one crowd; the second half joins later."""
    runner = ModelRunner(model)
    scheduler = Scheduler(
        max_num_seqs=len(prompts),
        max_num_batched_tokens=max_num_batched_tokens,
        max_chunk_tokens=max_num_batched_tokens,
        max_kv_tokens=max_kv_tokens,
        admit=runner.admit,
        release=runner.release,
    )
    sequences = [
        Sequence(str(index), tuple(prompt), params(), 5, NUM_NEW_TOKENS)
        for index, prompt in enumerate(prompts)
    ]
    late = sequences[len(sequences) // 2 :]
    for sequence in sequences[: len(sequences) // 2]:
        scheduler.add(sequence)
    for step in range(10_000):
        if step == 3:
            for sequence in late:
                scheduler.add(sequence)
        if step > 3 and not scheduler.has_work:
            break
        run_step(scheduler, runner)
    return [sequence.output_token_ids for sequence in sequences]


def run_step(scheduler: Scheduler, runner: ModelRunner) -> None:
    spans = scheduler.schedule()
    if not spans:
        return
    picking = [span.sequence for span in spans if span.is_last_of_known_tokens]
    logits = runner.forward(spans)
    assert logits.shape == (len(picking), VOCAB_SIZE)
    for sequence, token_id in zip(picking, logits.argmax(-1).tolist(), strict=True):
        sequence.output_token_ids.append(token_id)
        if sequence.num_output_tokens == NUM_NEW_TOKENS:
            scheduler.remove(sequence)


def reference(model: Any, prompt: list[int]) -> list[int]:
    output = model.generate(
        torch.tensor([prompt]),
        attention_mask=torch.ones(1, len(prompt)),
        do_sample=False,
        min_new_tokens=NUM_NEW_TOKENS,
        max_new_tokens=NUM_NEW_TOKENS,
        eos_token_id=None,
        pad_token_id=0,
    )
    return output[0, len(prompt) :].tolist()  # type: ignore[no-any-return]


# The daily check has one of each kind: rotary positions, learned ones, and sliding windows.
DAILY = ("llama", "gpt2", "gemma3_text")


@pytest.mark.parametrize(
    "architecture",
    [pytest.param(name, marks=() if name in DAILY else pytest.mark.slow) for name in ARCHITECTURES],
)
def test_greedy_tokens_equal_those_of_transformers(architecture: str) -> None:
    model = make_model(architecture)
    chooser = random.Random(1)
    prompts = [
        [chooser.randrange(3, VOCAB_SIZE) for _ in range(length)] for length in (1, 2, 5, 13, 40)
    ]
    expected = [reference(model, prompt) for prompt in prompts]
    model.set_attn_implementation(ATTENTION_NAME)
    for max_num_batched_tokens in (6, 512):
        assert generate(model, prompts, max_num_batched_tokens) == expected
    # Too small a cache for all: some are preempted and computed again.
    assert generate(model, prompts, 64, max_kv_tokens=100) == expected


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_check_at_load_passes_what_is_supported(architecture: str) -> None:
    model = make_model(architecture)
    model.set_attn_implementation(ATTENTION_NAME)
    engine.load_check.check_attention(model)
    assert model.config._attn_implementation == ATTENTION_NAME


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("architecture", ["bloom", "mamba", "gpt_oss"])
def test_the_check_at_load_refuses_what_would_answer_wrongly(architecture: str) -> None:
    model = make_model(architecture)
    with pytest.raises(ModelLoadError, match="is not supported"):
        engine.load_check.check_attention(model)


def test_rope_that_depends_on_the_longest_sequence_is_computed_one_sequence_at_a_time() -> None:
    model = make_model("llama")
    model.config.rope_parameters = {"rope_type": "dynamic", "rope_theta": 1e4, "factor": 2.0}
    model.set_attn_implementation(ATTENTION_NAME)
    sizes: list[int] = []
    model.register_forward_pre_hook(
        lambda _module, _args, kwargs: sizes.append(len(kwargs["packed_spans"])), with_kwargs=True
    )
    generate(model, [[3, 4], [5, 6]], 64)
    assert set(sizes) == {1}
