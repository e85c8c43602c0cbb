"""The native decoder: transformers' numbers, whatever the threads and the sizes."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from engine import native, shapes
from engine.model_runner import ModelRunner
from engine.native import NativeDecoder, abi, is_available, library
from engine.packing import PackedWeights, pack, quantize_rows
from tests.engine.packed_runners import (
    FAMILY,
    SHAPES,
    every,
    fuse,
    last_logits,
    make_family_model,
    make_runner,
)

pytestmark = pytest.mark.skipif(not is_available(), reason="built without a compiler")


@pytest.mark.parametrize("architecture", FAMILY)
def test_logits_agree_with_the_transformers_path(architecture: str) -> None:
    model = make_family_model(architecture)
    runner = make_runner(model)
    for num_tokens in (1, 2, 17, 100):
        expected = last_logits(ModelRunner(model), num_tokens, num_tokens, every(128))
        ours = last_logits(runner, num_tokens, num_tokens, every(128))
        assert (ours - expected).abs().max() <= 1e-4 * expected.abs().max()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("architecture", SHAPES)
def test_embeddings_stored_in_any_width_are_read_right(
    architecture: str, dtype: torch.dtype
) -> None:
    model = make_family_model(architecture, tie_word_embeddings=False)
    with torch.no_grad():
        embeddings = model.get_input_embeddings().weight
        embeddings.copy_(embeddings.to(dtype))
        if dtype is torch.bfloat16:
            embeddings[0, 0] = 2.0**40  # of a token that does not occur; too large for float16
    packed = pack(copy.deepcopy(model), quantize=False, max_positions=256)
    assert packed.tensors["embeddings"].dtype is dtype

    expected = last_logits(ModelRunner(model), 60, 1, every(128))
    ours = last_logits(make_runner(model), 60, 1, every(128))

    assert (ours - expected).abs().max() <= 1e-4 * expected.abs().max()


# Beyond the normal numbers of float16, and beyond what float16 holds at all.
EXTREMES = {torch.float16: (2.0**-24, -6.0e-8, 65504.0), torch.bfloat16: (2.0**-130, 1e30, -3e38)}


@pytest.mark.parametrize("dtype", EXTREMES)
@pytest.mark.parametrize("architecture", SHAPES)
def test_weights_stored_in_16_bits_give_the_same_bits_as_in_32(
    architecture: str, dtype: torch.dtype
) -> None:
    model = make_family_model(architecture, tie_word_embeddings=False)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(parameter.to(dtype))
            if parameter.dim() > 1:  # so that what should be bfloat16 does not fit into float16
                parameter.view(-1)[0] = EXTREMES[dtype][0]
        for row, number in enumerate(
            EXTREMES[dtype]
        ):  # in three columns' sums, and in theirs alone
            model.lm_head.weight[row, 5] = torch.tensor(number).to(dtype)
    weights = pack(copy.deepcopy(model), quantize=False, max_positions=256)
    wide = PackedWeights(
        weights.sizes,
        {
            name: tensor.float() if name.endswith("weights") else tensor
            for name, tensor in weights.tensors.items()
        },
    )
    dtypes = {tensor.dtype for name, tensor in weights.tensors.items() if name.endswith("weights")}
    assert dtypes == {dtype}

    for num_tokens in (1, 2, 3, 4, 5, 6, 7, 8, 20, 100):  # every kind of tile
        narrow, expected = (
            last_logits(fuse(packed), num_tokens, num_tokens, every(128))
            for packed in (weights, wide)
        )
        assert torch.equal(narrow, expected)
        assert narrow.isfinite().all() or dtype is torch.bfloat16


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


def test_rows_are_quantized_to_within_half_a_step() -> None:
    weight = torch.randn(40, 64) * torch.logspace(-6, 6, 40)[:, None]
    weight[3] = 0
    quantized, scales = quantize_rows(weight)
    error = (quantized.float() * scales[:, None] - weight).abs()
    assert (error <= 0.5001 * scales[:, None]).all()
    assert int(quantized.abs().max()) == 127


@pytest.mark.parametrize("architecture", SHAPES)
@pytest.mark.parametrize("num_threads", [1, 2, 3, 9])  # more than there are cores, too
def test_no_bit_depends_on_the_number_of_threads(num_threads: int, architecture: str) -> None:
    model = make_family_model(architecture)
    expected = last_logits(make_runner(model, num_threads=4), 60, 1, every(9))
    assert torch.equal(
        last_logits(make_runner(model, num_threads=num_threads), 60, 1, every(128)), expected
    )


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


def test_a_library_of_other_sources_is_not_taken_for_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    library._library.cache_clear()
    monkeypatch.setattr(abi, "Span", abi.Batch)
    try:
        with pytest.raises(RuntimeError, match="compiled from other sources: install genspec"):
            is_available()
    finally:
        library._library.cache_clear()


CPUINFO = Path("/proc/cpuinfo")
AVX2 = {"avx2", "fma", "f16c"}
AVX512 = {*AVX2, "avx512f", "avx512bw", "avx512vl", "avx512dq"}
# The best of them first; the portable one needs nothing.
INSTRUCTIONS = {
    "avx512vnni": {*AVX512, "avx512_vnni"},
    "avx512": AVX512,
    "avx2": AVX2,
    "portable": set[str](),
}


@pytest.mark.skipif(not CPUINFO.exists(), reason="needs /proc/cpuinfo")
def test_the_best_instructions_of_the_processor_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    flags = set(CPUINFO.read_text(encoding="utf-8").split())
    teams: list[NativeDecoder] = []

    class Kept(NativeDecoder):
        def __init__(self, *words: Any) -> None:
            super().__init__(*words)
            teams.append(self)

    monkeypatch.setattr(native, "NativeDecoder", Kept)
    make_runner(make_family_model("llama"))

    best = next(name for name, needed in INSTRUCTIONS.items() if needed <= flags)
    assert [team.instructions for team in teams] == [best]
