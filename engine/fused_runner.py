"""Runs Llama-like models through the native decoder; the same steps as ModelRunner, fused."""

from collections.abc import Sequence as Sequences
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from engine import native
from engine.native import abi
from engine.packing import PackedWeights, bind
from engine.prefix_cache import PrefixCache
from engine.scheduler import Span
from engine.sequence import Sequence

_CAPACITY_STEP = 4 * abi.BLOCK  # tokens; capacities are multiples of it
_GROWTH = 1.25  # of a capacity that is too small: copying costs O(1) a token
_MODEL_TYPES = ("llama", "mistral", "qwen2", "qwen3")


def supports(model: Any) -> bool:
    """Whether the native decoder computes exactly this kind of model."""
    config = model.config
    if config.model_type not in _MODEL_TYPES or not native.is_available():
        return False
    attention = model.model.layers[0].self_attn
    sizes = (config.hidden_size, config.intermediate_size, attention.head_dim)
    layer_types = getattr(config, "layer_types", None) or ()
    rope = getattr(config, "rope_parameters", None) or {}
    return bool(
        next(model.parameters()).dtype == torch.float32
        and next(model.parameters()).device.type == "cpu"
        and all(size % 16 == 0 for size in sizes)
        and attention.head_dim <= 256
        and config.hidden_act == "silu"
        and abs(attention.scaling - attention.head_dim**-0.5) < 1e-9
        and "sliding_attention" not in layer_types
        and (layer_types or getattr(config, "sliding_window", None) is None)
        and rope.get("rope_type", "default") in ("default", "linear", "llama3", "yarn")
        and rope.get("partial_rotary_factor", 1.0) == 1.0
    )


@dataclass(slots=True)
class _Cache:
    keys: Tensor  # [layers, H_kv, capacity / BLOCK, D, BLOCK]
    values: Tensor  # [layers, H_kv, capacity, D]

    @property
    def capacity(self) -> int:
        return self.values.shape[2]


class FusedRunner:
    """Owns the packed model and the KV cache of each sequence; used by one thread only."""

    def __init__(
        self,
        weights: PackedWeights,
        *,
        max_tokens: int,
        max_positions: int,
        max_prefix_tokens: int,
        num_threads: int,
    ) -> None:
        self._model = bind(weights)
        self._embeddings = weights.tensors["embeddings"]
        # What half precision loses is far below what int8 weights lose.
        self._kv_dtype = torch.float16 if weights.is_quantized else torch.float32
        self._decoder = native.NativeDecoder(
            self._model.struct, max_tokens, max_positions, num_threads
        )
        self._caches: dict[Sequence, _Cache] = {}
        self._prefixes: PrefixCache[_Cache] = PrefixCache(max_prefix_tokens, abi.BLOCK)

    def admit(self, sequence: Sequence) -> None:
        """Take over what is kept of a sequence that began with the same tokens."""
        token_ids = sequence.token_ids(0, sequence.num_tokens)
        found = self._prefixes.find(token_ids)
        if found is None:
            return
        kept, num_tokens = found
        cache = self._with_room_for(sequence, len(token_ids))
        num_blocks = num_tokens // abi.BLOCK
        cache.keys[:, :, :num_blocks] = kept.keys[:, :, :num_blocks]
        cache.values[:, :, :num_tokens] = kept.values[:, :, :num_tokens]
        sequence.num_computed_tokens = num_tokens

    def release(self, sequence: Sequence) -> None:
        """Free the sequence's keys and values, or keep them for the next one that can use them."""
        cache = self._caches.pop(sequence, None)
        if cache is not None:
            self._prefixes.add(sequence.token_ids(0, sequence.num_computed_tokens), cache)
        sequence.num_computed_tokens = 0

    @property
    def num_reused_tokens(self) -> int:
        """Tokens that were taken over instead of computed, since the start."""
        return self._prefixes.num_reused_tokens

    @property
    def num_cached_tokens(self) -> int:
        # Asked for by other threads: a copy of the keys is one operation of the interpreter.
        return sum(sequence.num_computed_tokens for sequence in tuple(self._caches))

    @property
    def kv_bytes_per_token(self) -> int:
        shape = self._model.struct.shape
        size = shape.layers * shape.kv_heads * shape.head_dim
        return int(2 * size * self._kv_dtype.itemsize)

    @torch.inference_mode()
    def forward(self, spans: Sequences[Span]) -> Tensor:
        """As ModelRunner.forward: float32 logits [S, V] of the spans' last known tokens."""
        token_ids: list[int] = []
        sampled: list[int] = []
        native_spans = []
        for span in spans:
            stop = span.start + span.num_tokens
            native_spans.append(self._native_span(span, len(token_ids), stop))
            token_ids.extend(span.sequence.token_ids(span.start, stop))
            if span.is_last_of_known_tokens:
                sampled.append(len(token_ids) - 1)
        hidden = F.embedding(torch.tensor(token_ids), self._embeddings).float()
        logits = torch.empty(len(sampled), self._model.struct.lm_head.outputs)
        self._decoder.forward(
            hidden.data_ptr(), len(token_ids), native_spans, sampled, logits.data_ptr()
        )
        for span in spans:
            span.sequence.num_computed_tokens += span.num_tokens
        return logits

    def _native_span(self, span: Span, offset: int, stop: int) -> abi.Span:
        cache = self._with_room_for(span.sequence, stop)
        return abi.Span(
            keys=cache.keys.data_ptr(),
            values=cache.values.data_ptr(),
            capacity=cache.capacity,
            offset=offset,
            tokens=span.num_tokens,
            start=span.start,
        )

    def _with_room_for(self, sequence: Sequence, num_tokens: int) -> _Cache:
        cache = self._caches.get(sequence)
        if cache is not None and cache.capacity >= num_tokens:
            return cache
        old_capacity = cache.capacity if cache is not None else 0
        wanted = max(num_tokens, int(_GROWTH * old_capacity))
        capacity = -(-wanted // _CAPACITY_STEP) * _CAPACITY_STEP
        shape = self._model.struct.shape
        heads = (shape.layers, shape.kv_heads)
        grown = _Cache(
            torch.empty(
                *heads, capacity // abi.BLOCK, shape.head_dim, abi.BLOCK, dtype=self._kv_dtype
            ),
            torch.empty(*heads, capacity, shape.head_dim, dtype=self._kv_dtype),
        )
        if cache is not None:
            grown.keys[:, :, : old_capacity // abi.BLOCK] = cache.keys
            grown.values[:, :, :old_capacity] = cache.values
        self._caches[sequence] = grown
        return grown
