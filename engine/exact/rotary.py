"""Rotary embedding in the half-split layout (arXiv:2104.09864)."""

import torch
from torch import Tensor


class Rotary:
    """Cosines and sines [positions, D]."""

    def __init__(self, cosines: Tensor, sines: Tensor) -> None:
        self._cosines = cosines
        # The first half is turned by the second one negated: the sign may stand here as well.
        self._sines = torch.cat(
            (-sines[:, : sines.shape[1] // 2], sines[:, sines.shape[1] // 2 :]), 1
        )

    def at(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        """The factors of heads at these positions, [T, 1, D]."""
        return self._cosines[positions, None], self._sines[positions, None]


def rotated(x: Tensor, cosines: Tensor, sines: Tensor) -> Tensor:
    """Heads [T, H, D], by what ``Rotary.at`` gives."""
    first, second = x.chunk(2, dim=-1)
    return (x * cosines).add_(torch.cat((second, first), dim=-1).mul_(sines))
