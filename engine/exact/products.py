"""Exact products of small whole numbers with int8 weights, in bytes where the machine has them."""

import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import torch
from torch import Tensor

# What is multiplied lies within this. FBGEMM moves it to 0..128 and adds two products in 16 bits,
# where the processor has no better instruction: 2 * 128 * 127 is less than 2^15.
DIGIT = 64
_INPUTS = 2048  # DIGIT * 127 * 2048 < 2^24: no sum over so many leaves what float32 holds

Product = Callable[[Tensor], Tensor]


def make_product(weights: Tensor, scales: Tensor) -> Product:
    """From float32 [rows, inputs] of whole numbers to float32 [rows, outputs], by int8 weights
    [outputs, inputs] and an output's scale: the sum, rounded once, times the scale."""
    if has_bytes():
        return ByteProduct(weights, scales)
    check_products()
    return FloatProduct(weights, scales)


class ByteProduct:
    """By FBGEMM, torch's library for int8, which adds up in 32 bits. One byte a weight."""

    def __init__(self, weights: Tensor, scales: Tensor) -> None:
        zeros = torch.zeros(len(weights), dtype=torch.long)
        engine = torch.backends.quantized.engine
        torch.backends.quantized.engine = "fbgemm"
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # torch says that these tensors will go one day
                quantized = torch._make_per_channel_quantized_tensor(
                    weights.contiguous(), scales.double(), zeros, 0
                )
                self._packed: Any = torch.ops.quantized.linear_prepack(quantized, None)
        finally:
            torch.backends.quantized.engine = engine
        self._multiply = torch.ops.quantized.linear_with_input_q_dq_qweight_dq_output_fp32.default

    def __call__(self, x: Tensor) -> Tensor:
        y: Tensor = self._multiply(x, 1.0, DIGIT, self._packed)
        return y


class FloatProduct:
    """In float32's own matrix product, a few inputs at a time. Four bytes a weight."""

    def __init__(self, weights: Tensor, scales: Tensor) -> None:
        self._parts = [part.float() for part in torch.split(weights, _INPUTS, dim=1)]
        self._scales = scales

    def __call__(self, x: Tensor) -> Tensor:
        parts = zip(torch.split(x, _INPUTS, dim=1), self._parts, strict=True)
        sums = [part @ weights.T for part, weights in parts]
        total = sums[0]
        if len(sums) > 1:
            total = torch.stack(sums).sum(dim=0, dtype=torch.float64).float()
        return total.mul_(self._scales)


@cache
def has_bytes() -> bool:
    """Whether torch has FBGEMM here and its sums are exact."""
    if "fbgemm" not in torch.backends.quantized.supported_engines:
        return False
    x, weights = _extremes()
    try:
        y = ByteProduct(weights, torch.ones(len(weights)))(x.float())
    except (AttributeError, RuntimeError):  # another version of torch
        return False
    return torch.equal(y.long(), x @ weights.long().T)


def check_products(multiply: Callable[[Tensor, Tensor], Tensor] = torch.matmul) -> None:
    """Raises RuntimeError where float32's product is not exact: torch can be told to use fewer
    bits."""
    x, weights = _extremes()
    if not torch.equal(multiply(x.float(), weights.float().T).long(), x @ weights.long().T):
        raise RuntimeError(
            "torch multiplies float32 with fewer bits here: decoder=exact cannot run"
        )


def _extremes() -> tuple[Tensor, Tensor]:
    """Whole numbers [rows, inputs] and weights [outputs, inputs], with the largest sums among
    them."""
    generator = torch.Generator().manual_seed(0)
    x = torch.randint(-DIGIT, DIGIT + 1, (7, _INPUTS), generator=generator)
    weights = torch.randint(-127, 128, (40, _INPUTS), generator=generator, dtype=torch.int8)
    x[0], x[1], weights[0], weights[1] = DIGIT, -DIGIT, 127, -127
    return x, weights
