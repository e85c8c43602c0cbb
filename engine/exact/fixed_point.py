"""Numbers as integers with one scale a row: their sums do not depend on the order of adding.

Floating point holds integers up to 2^53 (float64) or 2^24 (float32) exactly, whatever the order in
which a library adds them; what is done element by element is rounded the same way everywhere.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

_FLOAT64_BITS = 53
SQUARE_BITS = 20  # of numbers that are squared and summed, up to 2^13 of them


@dataclass(frozen=True, slots=True)
class FixedPoint:
    """``integers`` times ``scale``: float64 [..., n] of whole numbers, and float64 [..., 1]."""

    integers: Tensor
    scale: Tensor


def to_fixed_point(x: Tensor, bits: int) -> FixedPoint:
    """The last dimension of x, rounded to ``bits`` bits of its largest element.

    What is not finite makes the whole row not a number.
    """
    x = x.double()
    largest = x.abs().amax(dim=-1, keepdim=True)
    factor = torch.where(largest == 0, 0.0, 2.0**bits / largest)
    return FixedPoint((x * factor).round_(), largest * 2.0**-bits)


def sum_of_squares(x: Tensor) -> Tensor:
    """float64 [..., 1]."""
    assert 2 * SQUARE_BITS + x.shape[-1].bit_length() <= _FLOAT64_BITS
    fixed = to_fixed_point(x, SQUARE_BITS)
    total = fixed.integers.square_().sum(dim=-1, keepdim=True)
    return total * fixed.scale * fixed.scale


def sum_of(x: Tensor) -> Tensor:
    """float64 [..., 1]."""
    fixed = to_fixed_point(x, SQUARE_BITS)
    return fixed.integers.sum(dim=-1, keepdim=True) * fixed.scale


def exponential(x: Tensor) -> Tensor:
    """exp of float32 as 2^n times a polynomial (Cephes), one rounded operation after the other:
    a library's own may round an element otherwise where it stands elsewhere in memory."""
    x = x.clamp(-87.0, 88.0)
    n = (x * 1.44269504088896341 + 0.5).floor_()
    r = x - n * 0.693359375 + n * 2.12194440e-4
    p = r * 1.9875691500e-4 + 1.3981999507e-3
    for coefficient in (8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1):
        p = p * r + coefficient
    y = p * r * r + r + 1.0
    return y * (n.to(torch.int32) + 127).bitwise_left_shift_(23).view(torch.float32)


def softly_capped(x: Tensor, cap: float) -> Tensor:
    """cap * tanh(x / cap); x itself where there is no cap."""
    return cap * (1.0 - 2.0 / (1.0 + exponential(x * (2.0 / cap)))) if cap else x


def gelu(x: Tensor) -> Tensor:
    """In its approximation by tanh (arXiv:1606.08415)."""
    return x / (1.0 + exponential((x * x * x * 0.044715 + x) * -1.5957691216057308))


def silu(x: Tensor) -> Tensor:
    return x / (1.0 + exponential(-x))
