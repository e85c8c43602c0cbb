"""Linear layers with int8 weights, summed exactly."""

import torch
from torch import Tensor

from engine.exact.fixed_point import TINY, constant
from engine.exact.products import DIGIT, check_products, make_product
from engine.native import abi

__all__ = ["Linear", "check_products"]

_BASE = 2 * DIGIT + 1  # odd: no number lies half-way between two multiples of it
_LEVELS = DIGIT * _BASE + DIGIT  # the largest number of two digits: activations have 14 bits


class Linear:
    """y = x W^T + b with int8 weights, and activations in two digits, one scale a row."""

    def __init__(
        self, packed: Tensor, scales: Tensor, bias: Tensor | None, num_outputs: int
    ) -> None:
        weights = _unpacked(packed)[:num_outputs]
        self._multiply = make_product(weights, scales[:num_outputs])
        self._bias = None if bias is None else bias[:num_outputs]

    def __call__(self, x: Tensor) -> Tensor:
        """float32 [rows, inputs] to float32 [rows, outputs]."""
        largest = torch.maximum(x.abs().amax(dim=-1, keepdim=True), constant(TINY))
        integers = (x * (constant(_LEVELS) / largest)).round_()
        digits = x.new_empty(2 * len(x), x.shape[1])
        high, low = digits[: len(x)], digits[len(x) :]
        torch.div(integers, constant(_BASE), out=high).round_()
        torch.add(integers, high, alpha=-_BASE, out=low)
        sums = self._multiply(digits)
        y = sums[: len(x)].mul_(constant(_BASE)).add_(sums[len(x) :])
        y.mul_(largest.mul_(constant(1.0 / _LEVELS)))
        return y if self._bias is None else y.add_(self._bias)


def _unpacked(packed: Tensor) -> Tensor:
    """[panels, K, PANEL], in pairs of inputs, to [panels * PANEL, K]."""
    panels, num_inputs, _ = packed.shape
    pairs = packed.view(panels, num_inputs // 2, abi.PANEL, 2)
    return pairs.transpose(1, 2).reshape(panels * abi.PANEL, num_inputs)
