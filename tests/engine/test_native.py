"""The native decoder: transformers' numbers, and the same bits whatever stands beside a row."""

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch

from engine import shapes
from engine.attention import ATTENTION_NAME
from engine.compiled_decoder import CompiledDecoder
from engine.fused_runner import FusedRunner
from engine.model_runner import ModelRunner
from engine.native import is_available
from engine.packing import pack, quantize_rows
from engine.runner import Runner
from engine.scheduler import Span
from engine.sequence import Sequence
from tests.params import params
from tests.tiny_models import VOCAB_SIZE, make_model

pytestmark = pytest.mark.skipif(not is_available(), reason="built without a compiler")

SIZES = {"hidden_size": 64, "intermediate_size": 112, "num_attention_heads": 4, "head_dim": 16}
# Windows that end in the middle of a block of keys, and that are shorter and longer than one.
FAMILY: dict[str, dict[str, Any]] = {
    "llama": {"rope_parameters": {"rope_type": "linear", "rope_theta": 1e4, "factor": 2.0}},
    "mistral": {"sliding_window": 21},
    "qwen2": {"use_sliding_window": True, "sliding_window": 5, "max_window_layers": 1},
    "qwen3": {"head_dim": 32},
    "gemma": {"head_dim": 256, "num_attention_heads": 6, "num_key_value_heads": 1},
    "gemma2": {"sliding_window": 21, "attn_logit_softcapping": 5.0, "final_logit_softcapping": 9.0},
    "gemma3_text": {
        "head_dim": 32,
        "query_pre_attn_scalar": 24,
        "attn_logit_softcapping": 1.0,
        "final_logit_softcapping": 9.0,
        "sliding_window": 16,
        "layer_types": ["sliding_attention", "full_attention"],
    },
    "gpt2": {"n_embd": 64, "n_inner": 112},
}
SHAPES = ("qwen3", "gemma3_text", "gpt2")  # what differs most


def make_family_model(architecture: str, **changes: Any) -> Any:
    model = make_model(architecture, **{**SIZES, **FAMILY[architecture], **changes})
    model.set_attn_implementation(ATTENTION_NAME)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name.endswith("bias") or "norm" in name or "ln_" in name:
                parameter.copy_(torch.randn_like(parameter))
    return model


def make_runner(model: Any, num_threads: int = 2, quantize: bool = False) -> FusedRunner:
    assert shapes.is_known(model)
    weights = pack(copy.deepcopy(model), quantize=quantize, max_positions=256)
    decoder = CompiledDecoder(weights, max_tokens=128, max_positions=256, num_threads=num_threads)
    return FusedRunner(decoder, weights, max_prefix_tokens=1000)


def make_sequence(num_tokens: int, seed: int) -> Sequence:
    chooser = random.Random(seed)
    token_ids = tuple(chooser.randrange(3, VOCAB_SIZE) for _ in range(num_tokens))
    return Sequence(str(seed), token_ids, params(), 5, 16)


def last_logits(runner: Runner, num_tokens: int, seed: int, chunks: Iterator[int]) -> torch.Tensor:
    """The logits [V] after a prompt that is computed alone, in chunks of these sizes."""
    sequence = make_sequence(num_tokens, seed)
    logits = torch.empty(0)
    while sequence.num_uncomputed_tokens:
        span = Span(sequence, min(next(chunks), sequence.num_uncomputed_tokens))
        logits = runner.forward([span])
    runner.release(sequence)
    return logits[0]


def every(size: int) -> Iterator[int]:
    while True:
        yield size


@pytest.mark.parametrize("architecture", FAMILY)
def test_logits_agree_with_the_transformers_path(architecture: str) -> None:
    model = make_family_model(architecture)
    runner = make_runner(model)
    for num_tokens in (1, 2, 17, 100):
        expected = last_logits(ModelRunner(model), num_tokens, num_tokens, every(128))
        ours = last_logits(runner, num_tokens, num_tokens, every(128))
        assert (ours - expected).abs().max() <= 1e-4 * expected.abs().max()


@pytest.mark.parametrize("architecture", ["llama", "gemma3_text", "gpt2"])
def test_int8_weights_give_nearly_the_same_distribution(architecture: str) -> None:
    model = make_family_model(architecture)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.div_(8)  # back to logits of an ordinary size
    runner = make_runner(model, quantize=True)
    for num_tokens in (1, 5, 60):
        expected = last_logits(ModelRunner(model), num_tokens, num_tokens, every(128))
        ours = last_logits(runner, num_tokens, num_tokens, every(7))
        kl = torch.nn.functional.kl_div(
            ours.log_softmax(-1), expected.log_softmax(-1), log_target=True, reduction="sum"
        )
        assert float(kl) < 0.01


@pytest.mark.parametrize("intermediate_size", [112, 2048, 20_000])
def test_int8_products_lose_next_to_nothing_but_the_weights_rounding(
    intermediate_size: int,
) -> None:
    model = make_family_model("llama", intermediate_size=intermediate_size)
    rounded = copy.deepcopy(model)
    with torch.no_grad():
        for module in rounded.modules():
            if isinstance(module, torch.nn.Linear):
                weight, scales = quantize_rows(module.weight)
                module.weight.copy_(weight.float() * scales[:, None])
    expected = last_logits(ModelRunner(rounded), 60, 1, every(128))
    ours = last_logits(make_runner(model, quantize=True), 60, 1, every(128))
    error = (ours - expected).norm() / expected.norm()

    assert not torch.equal(ours, expected)
    # The more inputs there are, the fewer bits activations have, so that no sum overflows.
    assert float(error) < 0.003 + 0.005 * (intermediate_size > 8192)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
@pytest.mark.parametrize("quantize", [False, True])
def test_a_number_that_is_none_spoils_its_own_row_alone(number: float, quantize: bool) -> None:
    model = make_family_model("llama")
    runner = make_runner(model, quantize=quantize)
    good, bad = make_sequence(9, 1), make_sequence(9, 2)
    alone = last_logits(runner, 9, 1, every(128))
    [token_id] = bad.token_ids(8, 9)
    assert token_id not in good.token_ids(0, 9)
    runner._embeddings[token_id, 5] = number

    logits = runner.forward([Span(bad, 9), Span(good, 9)])

    assert not logits[0].isfinite().any()
    assert torch.equal(logits[1], alone)


def test_rows_are_quantized_to_within_half_a_step() -> None:
    weight = torch.randn(40, 64) * torch.logspace(-6, 6, 40)[:, None]
    weight[3] = 0
    quantized, scales = quantize_rows(weight)
    error = (quantized.float() * scales[:, None] - weight).abs()
    assert (error <= 0.5001 * scales[:, None]).all()
    assert int(quantized.abs().max()) == 127


@pytest.mark.parametrize("quantize", [False, True])
@pytest.mark.parametrize("architecture", FAMILY)
def test_no_bit_depends_on_how_a_prompt_is_cut(architecture: str, quantize: bool) -> None:
    runner = make_runner(make_family_model(architecture), quantize=quantize)
    whole = last_logits(runner, 100, 1, every(128))
    for size in (1, 2, 3, 7, 64, 99):
        assert torch.equal(last_logits(runner, 100, 1, every(size)), whole)


@pytest.mark.parametrize("architecture", SHAPES)
@pytest.mark.parametrize("num_threads", [1, 2, 3, 9])  # more than there are cores, too
def test_no_bit_depends_on_the_number_of_threads(num_threads: int, architecture: str) -> None:
    model = make_family_model(architecture)
    expected = last_logits(make_runner(model, 4), 60, 1, every(9))
    assert torch.equal(last_logits(make_runner(model, num_threads), 60, 1, every(128)), expected)


@pytest.mark.parametrize("quantize", [False, True])
@pytest.mark.parametrize("architecture", FAMILY)
def test_no_bit_depends_on_the_neighbours(architecture: str, quantize: bool) -> None:
    runner = make_runner(make_family_model(architecture), quantize=quantize)
    chooser = random.Random(5)
    lengths = {seed: chooser.randrange(1, 90) for seed in range(24)}
    alone = {seed: last_logits(runner, n, seed, every(128)) for seed, n in lengths.items()}
    waiting = [make_sequence(n, seed) for seed, n in lengths.items()]
    running: list[Sequence] = []
    while waiting or running:
        while waiting and len(running) < chooser.randrange(1, 9):
            running.append(waiting.pop())
        spans = [
            Span(sequence, min(sequence.num_uncomputed_tokens, chooser.randrange(1, 14)))
            for sequence in running
        ]
        done = [span.sequence for span in spans if span.is_last_of_known_tokens]
        logits = runner.forward(spans)
        for row, sequence in enumerate(done):
            assert torch.equal(logits[row], alone[int(sequence.request_id)])
            running.remove(sequence)
            runner.release(sequence)


@pytest.mark.parametrize("quantize", [False, True])
@pytest.mark.parametrize("architecture", SHAPES)
def test_a_row_has_the_same_bits_among_1_to_64_rows(architecture: str, quantize: bool) -> None:
    runner = make_runner(make_family_model(architecture), quantize=quantize)
    expected = last_logits(runner, 1, 0, every(1))
    for num_rows in range(1, 65):
        sequences = [make_sequence(1, seed) for seed in range(num_rows)]
        logits = runner.forward([Span(sequence, 1) for sequence in sequences])
        assert torch.equal(logits[0], expected)
        for sequence in sequences:
            runner.release(sequence)


@pytest.mark.parametrize(
    "change",
    [
        lambda config: setattr(config, "hidden_act", "gelu"),
        lambda config: setattr(config, "model_type", "granite"),
        lambda config: setattr(config, "layer_types", ["sliding_attention"] * 2),
        lambda config: config.rope_parameters.update(rope_type="dynamic"),
    ],
)
def test_what_it_does_not_compute_goes_to_transformers(change: Callable[[Any], None]) -> None:
    model = make_family_model("qwen2")
    assert shapes.is_known(model)
    change(model.config)
    assert not shapes.is_known(model)


@pytest.mark.parametrize("quantize", [False, True])
@pytest.mark.parametrize("architecture", SHAPES)
def test_no_bit_depends_on_a_prefix_that_was_kept(architecture: str, quantize: bool) -> None:
    runner = make_runner(make_family_model(architecture), quantize=quantize)
    expected = last_logits(runner, 100, 1, every(100))
    for num_shared in (15, 16, 17, 64, 99, 100):
        donor = make_sequence(100, 1)
        donor.prompt_token_ids = donor.prompt_token_ids[:num_shared]
        runner.forward([Span(donor, num_shared)])
        runner.release(donor)
        sequence = make_sequence(100, 1)
        before = runner.num_reused_tokens
        runner.admit(sequence)
        assert runner.num_reused_tokens - before == sequence.num_computed_tokens
        logits = runner.forward([Span(sequence, sequence.num_uncomputed_tokens)])
        assert torch.equal(logits[0], expected)
        runner.release(sequence)
    assert runner.num_reused_tokens > 0


def test_released_sequences_leave_nothing_behind() -> None:
    runner = make_runner(make_family_model("llama"))
    sequence = make_sequence(30, 1)
    runner.forward([Span(sequence, 30)])
    assert runner.num_cached_tokens == 30
    runner.release(sequence)
    assert runner.num_cached_tokens == 0
    assert sequence.num_computed_tokens == 0
