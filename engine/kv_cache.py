"""The keys and values of one sequence, one growing pair of tensors a layer."""

import torch
from torch import Tensor

_BLOCK = 64  # tokens; capacities are multiples of it


class SequenceKVCache:
    """Contiguous keys and values of one sequence, so that attention reads views, never copies.

    A layer's tensors are made at its first write, since the numbers and sizes of heads are the
    layer's own affair, and grow by doubling, so that writing n tokens costs O(n) in all.
    """

    def __init__(self) -> None:
        self._layers: dict[int, tuple[Tensor, Tensor]] = {}

    @property
    def bytes_per_token(self) -> int:
        """Bytes of one position over all layers that have been written."""
        pairs = [tensor for pair in self._layers.values() for tensor in pair]
        return sum(t.shape[0] * t.shape[2] * t.element_size() for t in pairs)

    def write(self, layer: int, start: int, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """Store [H, T, D] keys and values at positions [start, start + T).

        Returns views [H, start + T, D] of all keys and values up to there.
        """
        stop = start + keys.shape[1]
        key_cache, value_cache = self._with_room_for(layer, stop, keys, values)
        key_cache[:, start:stop] = keys
        value_cache[:, start:stop] = values
        return key_cache[:, :stop], value_cache[:, :stop]

    def _with_room_for(
        self, layer: int, num_tokens: int, keys: Tensor, values: Tensor
    ) -> tuple[Tensor, Tensor]:
        pair = self._layers.get(layer)
        if pair is not None and pair[0].shape[1] >= num_tokens:
            return pair
        old_capacity = pair[0].shape[1] if pair is not None else 0
        capacity = -(-max(num_tokens, 2 * old_capacity) // _BLOCK) * _BLOCK
        grown = tuple(
            _grown(pair[index] if pair is not None else None, like, capacity)
            for index, like in enumerate((keys, values))
        )
        self._layers[layer] = (grown[0], grown[1])
        return self._layers[layer]


def _grown(old: Tensor | None, like: Tensor, capacity: int) -> Tensor:
    grown = like.new_empty((like.shape[0], capacity, like.shape[2]), requires_grad=False)
    if old is not None:
        grown[:, : old.shape[1]] = old
    return torch.as_tensor(grown)
