"""Numbers as integers with one scale a row: their sums do not depend on the order of adding.

Floating point holds integers up to 2^53 (float64) or 2^24 (float32) exactly, whatever the order in
which a library adds them; what is done element by element is rounded the same way everywhere.
"""

from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor

_FLOAT64_BITS = 53
SQUARE_BITS = 20  # of numbers that are squared and summed, up to 2^13 of them
TINY = 1e-30  # a row of nothing larger counts as zeros: 2^22 / TINY is still a float32

_STEP_BITS = 11  # of the table of exponentials: within half a step, exp(r) is 1 + r to 2^-25
# Added to |x| < 128, it leaves x in steps of 2^-11 in the low bits: float32 has 24 of them, and the
# sum lies between 2^12 and 2^13.
_SHIFT = 1.5 * 2.0 ** (23 - _STEP_BITS)
_TABLE_BITS = 8 + _STEP_BITS  # from -128 to 128
_MASK = (1 << _TABLE_BITS) - 1


@cache
def constant(number: float, dtype: torch.dtype = torch.float32) -> Tensor:
    """A tensor of it: of a number of Python torch makes one at every operation, and converts it,
    which takes as long as the operation."""
    return torch.tensor(number, dtype=dtype)


@dataclass(frozen=True, slots=True)
class FixedPoint:
    """``integers`` [..., n] times ``scale`` [..., 1]: floats of whole numbers."""

    integers: Tensor
    scale: Tensor


def to_fixed_point(x: Tensor, bits: int) -> FixedPoint:
    """The last dimension of float32 x, rounded to ``bits``, at most 22, of its largest element.

    What is not finite makes the whole row not a number.
    """
    largest = x.abs().amax(dim=-1, keepdim=True)
    factor = constant(2.0**bits) / torch.maximum(largest, constant(TINY))
    return FixedPoint((x * factor).round_(), largest.mul_(constant(2.0**-bits)))


def sum_of_squares(x: Tensor) -> Tensor:
    """float64 [..., 1]."""
    assert 2 * SQUARE_BITS + x.shape[-1].bit_length() <= _FLOAT64_BITS
    fixed = to_fixed_point(x, SQUARE_BITS)
    integers, scale = fixed.integers.double(), fixed.scale.double()
    return integers.mul_(integers).sum(dim=-1, keepdim=True).mul_(scale).mul_(scale)


def sum_of(x: Tensor) -> Tensor:
    """float64 [..., 1]."""
    fixed = to_fixed_point(x, SQUARE_BITS)
    return fixed.integers.sum(dim=-1, keepdim=True, dtype=torch.float64).mul_(fixed.scale)


def exponential(x: Tensor) -> Tensor:
    """exp of float32 from a table: a library's own may round an element otherwise where it stands
    elsewhere in memory."""
    x = x.clamp(-87.0, 88.0)
    shifted = x + constant(_SHIFT)
    # What is not a number has a place too, and stays none by the rest.
    places = shifted.view(torch.int32) & constant(_MASK, torch.int32)
    y = _table().index_select(0, places.reshape(-1)).view(x.shape)
    rest = x.sub_(shifted.sub_(constant(_SHIFT)))
    return y.mul_(rest.add_(constant(1.0)))


@cache
def _table() -> Tensor:
    """exp in steps, those of negative numbers behind the others, as the low bits have them.

    From operations that IEEE 754 defines, so that no two machines can have other tables.
    """
    half = 1 << (_TABLE_BITS - 1)
    places = torch.arange(2 * half, dtype=torch.float64)
    x = torch.where(places < half, places, places - 2 * half) * 2.0**-_STEP_BITS
    x = x / 256
    y = torch.ones_like(x)
    for power in range(14, 0, -1):  # |x| <= 1/2: what is left out is below 2^-53
        y = y * x / power + 1.0
    for _ in range(8):  # exp(x / 256)^256
        y = y * y
    return y.float()


def softly_capped(x: Tensor, cap: float) -> Tensor:
    """cap * tanh(x / cap); x itself where there is no cap."""
    return cap * (1.0 - 2.0 / (1.0 + exponential(x * (2.0 / cap)))) if cap else x


def gelu(x: Tensor) -> Tensor:
    """In its approximation by tanh (arXiv:1606.08415)."""
    return x / (1.0 + exponential((x * x * x * 0.044715 + x) * -1.5957691216057308))


def silu(x: Tensor) -> Tensor:
    return x / exponential(-x).add_(constant(1.0))
