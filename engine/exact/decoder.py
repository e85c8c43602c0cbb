"""The Llama family's block over packed sequences, in plain torch."""

from collections.abc import Sequence as Sequences

import torch
from torch import Tensor

from engine.exact.attention import Cached, attend
from engine.exact.fixed_point import exponential, sum_of_squares
from engine.exact.linear import Linear
from engine.kv_pool import CachedSpan, KVCache
from engine.packing import PackedWeights


class ExactDecoder:
    """Computes what the native decoder computes, from the same int8 weights, without a compiler:
    slower, in 4 bytes a weight, and with bits of its own that are the same on every machine."""

    def __init__(self, weights: PackedWeights) -> None:
        assert weights.is_quantized
        self._tensors = weights.tensors
        self._sizes = {name: int(size) for name, size in weights.sizes.items()}
        self._epsilon = float(weights.sizes["epsilon"])
        hidden, intermediate = self._sizes["hidden"], self._sizes["intermediate"]
        heads = self._sizes["heads"] + 2 * self._sizes["kv_heads"]
        outputs = {
            "qkv": heads * self._sizes["head_dim"],
            "attention_out": hidden,
            "gate_up": 2 * intermediate,
            "down": hidden,
        }
        self._linears = {
            f"layers.{index}.{name}": self._linear(f"layers.{index}.{name}", outputs[name])
            for index in range(self._sizes["layers"])
            for name in outputs
        }
        self._linears["lm_head"] = self._linear("lm_head", len(weights.tensors["embeddings"]))

    @property
    def kv_bytes_per_token(self) -> int:
        heads = self._sizes["layers"] * self._sizes["kv_heads"]
        return heads * 2 * (self._sizes["head_dim"] * 4 + 8)

    def new_cache(self, capacity: int) -> KVCache:
        heads = (self._sizes["layers"], self._sizes["kv_heads"], capacity)
        size = self._sizes["head_dim"]
        pair = [torch.empty(*heads, size), torch.empty(*heads, 1, dtype=torch.float64)]
        return KVCache((*pair, *(torch.empty_like(tensor) for tensor in pair)), capacity)

    def forward(
        self, hidden: Tensor, spans: Sequences[CachedSpan], sampled: Sequences[int]
    ) -> Tensor:
        """As NativeDecoder.forward: float32 [S, V] of the rows ``sampled``."""
        places = [torch.arange(span.start, span.start + span.num_tokens) for span in spans]
        positions = torch.cat(places)
        for index in range(self._sizes["layers"]):
            name = f"layers.{index}"
            hidden = hidden + self._attention(hidden, name, index, spans, positions)
            hidden = hidden + self._mlp(hidden, name)
        last = self._norm(hidden[list(sampled)], "final_norm")
        return self._linears["lm_head"](last)

    def _attention(
        self,
        hidden: Tensor,
        name: str,
        index: int,
        spans: Sequences[CachedSpan],
        positions: Tensor,
    ) -> Tensor:
        heads, kv_heads = self._sizes["heads"], self._sizes["kv_heads"]
        qkv = self._linears[f"{name}.qkv"](self._norm(hidden, f"{name}.input_norm"))
        split = qkv.view(len(qkv), heads + 2 * kv_heads, self._sizes["head_dim"])
        queries, keys, values = torch.split(split, [heads, kv_heads, kv_heads], dim=1)
        queries = self._positioned(queries, f"{name}.query_norm", positions)
        keys = self._positioned(keys, f"{name}.key_norm", positions)
        mixed = []
        for span in spans:
            rows = slice(span.offset, span.offset + span.num_tokens)
            cached = Cached(*(tensor[index] for tensor in span.cache.tensors))
            cached.write(span.start, keys[rows], values[rows])
            mixed.append(attend(queries[rows], cached, span.start))
        return self._linears[f"{name}.attention_out"](torch.cat(mixed).flatten(1))

    def _positioned(self, x: Tensor, norm: str, positions: Tensor) -> Tensor:
        """Rotary embedding of heads [T, H, D] in the half-split layout (arXiv:2104.09864)."""
        if norm in self._tensors:
            x = self._norm(x, norm)
        cosines, sines = (self._tensors[name][positions, None] for name in ("cosines", "sines"))
        first, second = x.chunk(2, dim=-1)
        return x * cosines + torch.cat((-second, first), dim=-1) * sines

    def _mlp(self, hidden: Tensor, name: str) -> Tensor:
        wide = self._linears[f"{name}.gate_up"](self._norm(hidden, f"{name}.output_norm"))
        gate, up = wide.chunk(2, dim=-1)
        return self._linears[f"{name}.down"](gate / (1.0 + exponential(-gate)) * up)

    def _norm(self, x: Tensor, name: str) -> Tensor:
        mean = (sum_of_squares(x) / x.shape[-1] + self._epsilon).float()
        return x * (1.0 / mean.sqrt()) * self._tensors[name]

    def _linear(self, name: str, num_outputs: int) -> Linear:
        tensors = self._tensors
        return Linear(
            tensors[f"{name}.weights"],
            tensors[f"{name}.scales"],
            tensors.get(f"{name}.bias"),
            num_outputs,
        )
