"""What the first layer is given."""

from collections.abc import Sequence as Sequences

import torch
import torch.nn.functional as F
from torch import Tensor


class Embedding:
    """``weights`` [V, hidden] times a scale; where there are ``positions`` [positions, hidden], a
    token's is added."""

    def __init__(self, weights: Tensor, scale: float, positions: Tensor | None) -> None:
        self._weights, self._scale, self._positions = weights, scale, positions

    def __call__(self, token_ids: Sequences[int], positions: Tensor) -> Tensor:
        """float32 [T, hidden], of its own memory."""
        hidden = F.embedding(torch.tensor(token_ids), self._weights).float() * self._scale
        return hidden if self._positions is None else hidden.add_(self._positions[positions])
