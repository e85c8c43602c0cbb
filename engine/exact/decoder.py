"""A decoder's layers over packed sequences, in plain torch."""

from collections.abc import Sequence as Sequences

import torch
from torch import Tensor

from engine.exact.fixed_point import softly_capped
from engine.exact.layer import Layer
from engine.exact.parts import Parts
from engine.exact.rotary import Rotary
from engine.exact.spans import Spans
from engine.kv_pool import CachedSpan, KVCache
from engine.packing import PackedWeights


class ExactDecoder:
    """Computes what the native decoder computes, from the same int8 weights, and needs no
    compiler: slower, and with last bits of its own. Raises RuntimeError where torch has no exact
    product."""

    def __init__(self, weights: PackedWeights) -> None:
        assert weights.is_quantized
        parts = Parts(weights)
        self._embedding = parts.embedding()
        attentions = parts.attentions()
        self._layers = [
            Layer(parts, index, attention) for index, attention in enumerate(attentions)
        ]
        # What a layer's rotary embedding depends on is its window alone.
        self._windows = [attention.window for attention in attentions]
        tables = {window: parts.rotary_tables(window) for window in set(self._windows)}
        self._rotaries = {
            window: Rotary(*table) for window, table in tables.items() if table is not None
        }
        self._final_norm = parts.norm("final_norm")
        self._lm_head = parts.linear("lm_head")
        self._logit_cap = parts.logit_cap
        self._heads = (parts.num_layers, parts.num_kv_heads)
        self._head_size = parts.head_size

    @property
    def kv_bytes_per_token(self) -> int:
        num_layers, num_heads = self._heads
        return num_layers * num_heads * 2 * 4 * (self._head_size + 1)

    def new_cache(self, capacity: int) -> KVCache:
        """As ``cached.Cached`` has them."""
        sizes = (self._head_size, 1, self._head_size, 1)
        tensors = tuple(torch.empty(*self._heads, capacity, size) for size in sizes)
        return KVCache(tensors, capacity)

    def forward(
        self, token_ids: Sequences[int], spans: Sequences[CachedSpan], sampled: Sequences[int]
    ) -> Tensor:
        """As NativeDecoder.forward: float32 [S, V] of the rows ``sampled``."""
        positions = torch.cat(
            [torch.arange(span.start, span.start + span.num_tokens) for span in spans]
        )
        factors = {window: rotary.at(positions) for window, rotary in self._rotaries.items()}
        hidden = self._embedding(token_ids, positions)
        step = Spans(spans)
        for layer, window in zip(self._layers, self._windows, strict=True):
            layer.add_to(hidden, step, factors.get(window))
        last = hidden[list(sampled)]
        if self._final_norm is not None:
            last = self._final_norm(last)
        return softly_capped(self._lm_head(last), self._logit_cap)
