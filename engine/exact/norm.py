"""Norms over the last dimension."""

import torch
from torch import Tensor

from engine.exact.fixed_point import constant, sum_of, sum_of_squares


class Norm:
    """RMSNorm, or LayerNorm where there is a bias."""

    def __init__(self, weight: Tensor, bias: Tensor | None, epsilon: float) -> None:
        self._weight, self._bias = weight, bias
        self._epsilon = constant(epsilon, torch.float64)

    def __call__(self, x: Tensor) -> Tensor:
        size = constant(x.shape[-1], torch.float64)
        if self._bias is not None:
            x = x - sum_of(x).div_(size).float()
        mean = sum_of_squares(x).div_(size).add_(self._epsilon)
        y = (x * mean.sqrt_().reciprocal_().float()).mul_(self._weight)
        return y if self._bias is None else y.add_(self._bias)
