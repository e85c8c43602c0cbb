"""The native decoder over packed weights: tensors in, tensors out."""

from collections.abc import Sequence as Sequences

import torch
from torch import Tensor

from engine import native
from engine.binding import bind
from engine.kv_pool import BLOCK, CachedSpan, KVCache
from engine.native import abi
from engine.packing import PackedWeights


class CompiledDecoder:
    """A model for the decoder in C++, and its team of threads. One forward pass at a time."""

    def __init__(
        self, weights: PackedWeights, *, max_tokens: int, max_positions: int, num_threads: int
    ) -> None:
        assert abi.BLOCK == BLOCK
        self._model = bind(weights)
        # What half precision loses is far below what int8 weights lose.
        self._kv_dtype = torch.float16 if weights.is_quantized else torch.float32
        self._decoder = native.NativeDecoder(
            self._model.struct, max_tokens, max_positions, num_threads
        )

    @property
    def kv_bytes_per_token(self) -> int:
        shape = self._model.struct.shape
        size = shape.layers * shape.kv_heads * shape.head_dim
        return int(2 * size * self._kv_dtype.itemsize)

    def new_cache(self, capacity: int) -> KVCache:
        """Keys [layers, H_kv, blocks, D, BLOCK] and values [layers, H_kv, capacity, D]."""
        shape = self._model.struct.shape
        heads, size = (shape.layers, shape.kv_heads), shape.head_dim
        keys = torch.empty(*heads, capacity // BLOCK, size, BLOCK, dtype=self._kv_dtype)
        values = torch.empty(*heads, capacity, size, dtype=self._kv_dtype)
        return KVCache((keys, values), capacity)

    def forward(
        self, token_ids: Sequences[int], spans: Sequences[CachedSpan], sampled: Sequences[int]
    ) -> Tensor:
        logits = torch.empty(len(sampled), self._model.struct.lm_head.outputs)
        self._decoder.forward(
            token_ids,
            [_native(span) for span in spans],
            sampled,
            logits.data_ptr(),
        )
        return logits


def _native(span: CachedSpan) -> abi.Span:
    keys, values = span.cache.tensors
    return abi.Span(
        keys=keys.data_ptr(),
        values=values.data_ptr(),
        capacity=span.cache.capacity,
        offset=span.offset,
        tokens=span.num_tokens,
        start=span.start,
    )
