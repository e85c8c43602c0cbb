"""Keys and values as integers."""

from collections.abc import Sequence as Sequences
from dataclasses import dataclass

import torch
from torch import Tensor

from engine.exact.fixed_point import to_fixed_point

# Each sum of products stays within float64's 53 bits: 2 * 22 + 9 over head_dim up to 512, and
# 2 * 18 + 17 over up to 2^17 positions.
SCORE_BITS = 22
VALUE_BITS = 18


@dataclass(frozen=True, slots=True)
class Cached:
    """Integers [..., H_kv, T, D] and scales [..., H_kv, T, 1], of one layer of one sequence, or of
    several of them in front."""

    keys: Tensor
    key_scales: Tensor
    values: Tensor
    value_scales: Tensor

    def write(self, start: int, keys: Tensor, values: Tensor) -> None:
        """Store float32 [T, H_kv, D] from position ``start`` on; of one layer alone."""
        write([self.between(start, start + len(keys))], keys, values)

    def tensors(self) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        return self.keys, self.key_scales, self.values, self.value_scales

    def between(self, start: int, stop: int) -> "Cached":
        return Cached(*(tensor[..., start:stop, :] for tensor in self.tensors()))

    def unbind(self) -> list["Cached"]:
        """Views along the first dimension."""
        unbound = (tensor.unbind(0) for tensor in self.tensors())
        return [Cached(*tensors) for tensors in zip(*unbound, strict=True)]


def write(places: Sequences[Cached], keys: Tensor, values: Tensor) -> None:
    """Store float32 [T, H_kv, D] of several sequences, which stand in a row."""
    sizes = [place.keys.shape[-2] for place in places]
    parts = []
    for rows, bits in ((keys, SCORE_BITS), (values, VALUE_BITS)):
        fixed = to_fixed_point(rows, bits)
        parts += [fixed.integers, fixed.scale]
    split = (torch.split(part.transpose(0, 1), sizes, dim=1) for part in parts)
    copy(places, [Cached(*tensors) for tensors in zip(*split, strict=True)])


def copy(targets: Sequences[Cached], sources: Sequences[Cached]) -> None:
    """One call for all of them: alone, each would cost more than it moves."""
    torch._foreach_copy_(
        [tensor for target in targets for tensor in target.tensors()],
        [tensor for source in sources for tensor in source.tensors()],
    )
