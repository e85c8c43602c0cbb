"""The exact decoder's shortcuts: bytes, a table, and sequences side by side, change no bit."""

import pytest
import torch

from engine.exact import products
from engine.exact.fixed_point import exponential
from engine.exact.linear import Linear
from engine.exact.products import DIGIT, ByteProduct, FloatProduct, has_bytes
from engine.packing import pack_panels, quantize_rows
from engine.scheduler import Span
from tests.engine.packed_runners import (
    SHAPES,
    every,
    last_logits,
    make_family_model,
    make_runner,
    make_sequence,
)

BYTES = pytest.mark.skipif(not has_bytes(), reason="torch has no exact products of bytes here")


@BYTES
@pytest.mark.parametrize("num_inputs", [2, 64, 2048, 9000])
def test_bytes_and_float32_give_the_same_products(num_inputs: int) -> None:
    torch.manual_seed(num_inputs)
    x = torch.randint(-DIGIT, DIGIT + 1, (9, num_inputs)).float()
    weights = torch.randint(-127, 128, (70, num_inputs), dtype=torch.int8)
    x[0], x[1], weights[0], weights[1] = DIGIT, -DIGIT, 127, -127
    scales = torch.rand(70)

    y = ByteProduct(weights, scales)(x)

    assert torch.equal(FloatProduct(weights, scales)(x), y)
    assert torch.equal((x.double() @ weights.double().T).float() * scales, y)


@BYTES
@pytest.mark.parametrize("num_inputs", [64, 4864])
def test_a_layer_without_bytes_gives_the_same(
    num_inputs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    quantized, scales = quantize_rows(torch.randn(70, num_inputs))
    x = torch.randn(9, num_inputs)
    y = Linear(pack_panels(quantized), scales, None, 70)(x)

    monkeypatch.setattr(products, "has_bytes", lambda: False)

    assert torch.equal(Linear(pack_panels(quantized), scales, None, 70)(x), y)


@pytest.mark.parametrize("error", [1.0, float("nan")])
def test_products_of_bytes_that_are_wrong_are_noticed(
    error: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = lambda weights, scales: lambda x: x @ weights.float().T + error  # noqa: E731
    monkeypatch.setattr(products, "ByteProduct", wrong)
    assert not has_bytes.__wrapped__()


def test_an_exponential_is_the_same_wherever_it_stands() -> None:
    x = torch.randn(3000) * 30
    whole = exponential(x)
    for start in range(1, 40):
        assert torch.equal(exponential(x[start:]), whole[start:])
        assert torch.equal(exponential(x[start : start + 1]), whole[start : start + 1])


@pytest.mark.parametrize("architecture", SHAPES)
def test_the_next_token_of_sequences_side_by_side_is_that_of_each_alone(architecture: str) -> None:
    runner = make_runner(make_family_model(architecture), "exact", quantize=True)
    lengths = (2, 90, 3, 47, 100, 46, 9, 120, 88, 2)
    sequences = [make_sequence(length, seed) for seed, length in enumerate(lengths)]
    for sequence in sequences:
        runner.forward([Span(sequence, sequence.num_uncomputed_tokens - 1)])

    logits = runner.forward([Span(sequence, 1) for sequence in sequences])

    for seed, length in enumerate(lengths):
        assert torch.equal(last_logits(runner, length, seed, every(128)), logits[seed])


def test_what_is_not_a_number_stays_with_its_sequence_among_others() -> None:
    model = make_family_model("llama")
    good, bad = make_sequence(9, 1), make_sequence(9, 2)
    alone = last_logits(make_runner(model, "exact", quantize=True), 9, 1, every(128))
    [token_id] = bad.token_ids(8, 9)
    assert token_id not in good.token_ids(0, 9)
    with torch.no_grad():
        model.get_input_embeddings().weight[token_id, 5] = float("nan")
    runner = make_runner(model, "exact", quantize=True)
    for sequence in (good, bad):
        runner.forward([Span(sequence, 8)])

    logits = runner.forward([Span(bad, 1), Span(good, 1)])

    assert not logits[0].isfinite().any()
    assert torch.equal(logits[1], alone)
