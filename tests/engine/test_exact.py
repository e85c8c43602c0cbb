"""The decoder in plain torch: the native one's numbers, and sums that no order can change."""

import copy
from collections.abc import Iterator

import pytest
import torch
from transformers.pytorch_utils import Conv1D

from engine.exact.attention import Attention, Cached, attend
from engine.exact.fixed_point import exponential, sum_of_squares, to_fixed_point
from engine.exact.linear import Linear, check_products
from engine.model_runner import ModelRunner
from engine.packing import pack_panels, quantize_rows
from tests.engine.packed_runners import (
    FAMILY,
    every,
    last_logits,
    make_family_model,
    make_runner,
)


def make_linear(weight: torch.Tensor) -> Linear:
    quantized, scales = quantize_rows(weight)
    return Linear(pack_panels(quantized), scales, None, len(weight))


def make_cached(num_tokens: int, num_heads: int, size: int) -> Cached:
    heads = (num_heads, num_tokens)
    pair = torch.empty(*heads, size), torch.empty(*heads, 1, dtype=torch.float64)
    return Cached(*pair, *(torch.empty_like(tensor) for tensor in pair))


def round_rows(weight: torch.Tensor) -> torch.Tensor:
    quantized, scales = quantize_rows(weight)
    return quantized.float() * scales[:, None]


@pytest.mark.parametrize("architecture", FAMILY)
def test_logits_are_those_of_transformers_with_the_rounded_weights(architecture: str) -> None:
    model = make_family_model(architecture)
    rounded = copy.deepcopy(model)
    for module in rounded.modules():  # not embeddings, also where they are the same weights
        if isinstance(module, torch.nn.Linear):
            module.weight = torch.nn.Parameter(round_rows(module.weight.detach()))
        elif isinstance(module, Conv1D):  # the other way round
            module.weight = torch.nn.Parameter(round_rows(module.weight.detach().T).T)
    expected = last_logits(ModelRunner(rounded), 60, 1, every(128))

    ours = last_logits(make_runner(model, "exact", quantize=True), 60, 1, every(128))

    assert float((ours - expected).norm() / expected.norm()) < 2e-3


@pytest.fixture
def as_many_threads_as_before() -> Iterator[None]:
    num_threads = torch.get_num_threads()
    yield
    torch.set_num_threads(num_threads)


@pytest.mark.usefixtures("as_many_threads_as_before")
def test_no_bit_depends_on_the_number_of_threads() -> None:
    runner = make_runner(make_family_model("llama", hidden_size=256), "exact", quantize=True)
    found = []
    for num_threads in (1, 2, 3):
        torch.set_num_threads(num_threads)
        found.append(last_logits(runner, 90, 1, every(128)))
    assert torch.equal(found[0], found[1])
    assert torch.equal(found[0], found[2])


@pytest.mark.parametrize("num_inputs", [64, 1024, 4864])
def test_a_product_is_exact_in_any_order_of_its_inputs(num_inputs: int) -> None:
    torch.manual_seed(num_inputs)
    weight, x = torch.randn(70, num_inputs), torch.randn(9, num_inputs)
    weight[3], x[3] = 1.0, -1.0  # the largest sum that there is
    order = torch.randperm(num_inputs)

    y = make_linear(weight)(x)

    assert torch.equal(make_linear(weight[:, order])(x[:, order]), y)
    quantized, scales = quantize_rows(weight)
    exact = x.double() @ (quantized * scales[:, None].double()).T
    assert float((y - exact).norm() / exact.norm()) < 1e-3


def test_products_of_fewer_bits_are_noticed() -> None:
    check_products()
    with pytest.raises(RuntimeError, match="fewer bits"):
        check_products(lambda x, weight: (x.bfloat16() @ weight.bfloat16()).float())


def test_attention_is_exact_in_any_order_of_positions_and_features() -> None:
    torch.manual_seed(1)
    keys, values = torch.randn(200, 2, 64) * 3, torch.randn(200, 2, 64)
    query = torch.randn(1, 6, 64)  # after all of them
    cached = make_cached(200, 2, 64)
    cached.write(0, keys, values)
    out = attend(query, cached, 199, Attention(1 / 8))

    places, features = torch.randperm(200), torch.randperm(64)
    other = make_cached(200, 2, 64)
    other.write(0, keys[places][..., features], values[places])
    assert torch.equal(attend(query[..., features], other, 199, Attention(1 / 8)), out)

    per_head = query.view(2, 3, 64).double() @ keys.permute(1, 2, 0).double() / 8
    expected = per_head.softmax(-1) @ values.transpose(0, 1).double()
    assert float((out.view(2, 3, 64) - expected).abs().max()) < 1e-4


def test_sums_of_squares_are_those_of_float64() -> None:
    x = torch.randn(50, 8000) * torch.logspace(-9, 9, 50)[:, None]
    assert torch.allclose(sum_of_squares(x)[:, 0], x.double().square().sum(-1), rtol=1e-5)


def test_zeros_stay_zeros() -> None:
    fixed = to_fixed_point(torch.zeros(2, 5), 20)
    assert not fixed.integers.any()
    assert not fixed.scale.any()
    assert not make_linear(torch.randn(4, 64))(torch.zeros(2, 64)).any()


def test_exponentials_are_right_to_float32() -> None:
    x = torch.linspace(-87, 88, 100_001)
    assert torch.allclose(exponential(x), x.double().exp().float(), rtol=3e-7)
