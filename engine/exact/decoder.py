"""A decoder's blocks over packed sequences, in plain torch."""

from collections.abc import Sequence as Sequences

import torch
import torch.nn.functional as F
from torch import Tensor

from engine.exact.attention import Attention, Cached, attend
from engine.exact.fixed_point import gelu, silu, softly_capped, sum_of, sum_of_squares
from engine.exact.linear import Linear, check_products
from engine.kv_pool import CachedSpan, KVCache
from engine.packing import PackedWeights


class ExactDecoder:
    """Computes what the native decoder computes, from the same int8 weights, without a compiler:
    slower, in 4 bytes a weight, and with last bits of its own. Raises RuntimeError where torch's
    products are not float32's."""

    def __init__(self, weights: PackedWeights) -> None:
        assert weights.is_quantized
        check_products()
        self._tensors = weights.tensors
        sizes = weights.sizes
        self._sizes = {name: int(size) for name, size in sizes.items()}
        self._epsilon, self._logit_cap = sizes["epsilon"], sizes["logit_cap"]
        self._embedding_scale = sizes["embedding_scale"]
        self._windows = weights.tensors["windows"].tolist()
        self._attentions = [
            Attention(sizes["scaling"], sizes["score_cap"], window) for window in self._windows
        ]
        heads = self._sizes["heads"] + 2 * self._sizes["kv_heads"]
        outputs = {
            "qkv": heads * self._sizes["head_dim"],
            "attention_out": self._sizes["hidden"],
            "gate_up": (1 + self._sizes["is_gated"]) * self._sizes["intermediate"],
            "down": self._sizes["hidden"],
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
        self, token_ids: Sequences[int], spans: Sequences[CachedSpan], sampled: Sequences[int]
    ) -> Tensor:
        """As NativeDecoder.forward: float32 [S, V] of the rows ``sampled``."""
        places = [torch.arange(span.start, span.start + span.num_tokens) for span in spans]
        positions = torch.cat(places)
        hidden = self._embed(torch.tensor(token_ids), positions)
        for index in range(self._sizes["layers"]):
            name = f"layers.{index}"
            mixed = self._attention(hidden, name, index, spans, positions)
            hidden = hidden + self._norm(mixed, f"{name}.attention_norm")
            hidden = hidden + self._norm(self._mlp(hidden, name), f"{name}.mlp_norm")
        last = self._norm(hidden[list(sampled)], "final_norm")
        return softly_capped(self._linears["lm_head"](last), self._logit_cap)

    def _embed(self, token_ids: Tensor, positions: Tensor) -> Tensor:
        hidden = F.embedding(token_ids, self._tensors["embeddings"]).float() * self._embedding_scale
        table = self._tensors.get("positions")
        return hidden if table is None else hidden + table[positions]

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
        tables = self._rotary_tables(index, positions)
        queries = rotated(self._norm(queries, f"{name}.query_norm"), *tables)
        keys = rotated(self._norm(keys, f"{name}.key_norm"), *tables)
        mixed = []
        for span in spans:
            rows = slice(span.offset, span.offset + span.num_tokens)
            cached = Cached(*(tensor[index] for tensor in span.cache.tensors))
            cached.write(span.start, keys[rows], values[rows])
            mixed.append(attend(queries[rows], cached, span.start, self._attentions[index]))
        return self._linears[f"{name}.attention_out"](torch.cat(mixed).flatten(1))

    def _rotary_tables(self, index: int, positions: Tensor) -> tuple[Tensor, ...]:
        """Cosines and sines [T, 1, D] of a layer, or nothing where there are none."""
        local = "local_" if self._windows[index] and "local_cosines" in self._tensors else ""
        names = (f"{local}cosines", f"{local}sines")
        return tuple(
            self._tensors[name][positions, None] for name in names if name in self._tensors
        )

    def _mlp(self, hidden: Tensor, name: str) -> Tensor:
        wide = self._linears[f"{name}.gate_up"](self._norm(hidden, f"{name}.output_norm"))
        activate = gelu if self._sizes["is_gelu"] else silu
        if not self._sizes["is_gated"]:
            return self._linears[f"{name}.down"](activate(wide))
        gate, up = wide.chunk(2, dim=-1)
        return self._linears[f"{name}.down"](activate(gate) * up)

    def _norm(self, x: Tensor, name: str) -> Tensor:
        """RMSNorm, or LayerNorm where there is a bias, or x where there is no such norm."""
        weight, bias = self._tensors.get(name), self._tensors.get(f"{name}_bias")
        if weight is None:
            return x
        if bias is not None:
            x = x - (sum_of(x) / x.shape[-1]).float()
        mean = (sum_of_squares(x) / x.shape[-1] + self._epsilon).float()
        y = x * (1.0 / mean.sqrt()) * weight
        return y if bias is None else y + bias

    def _linear(self, name: str, num_outputs: int) -> Linear:
        tensors = self._tensors
        return Linear(
            tensors[f"{name}.weights"],
            tensors[f"{name}.scales"],
            tensors.get(f"{name}.bias"),
            num_outputs,
        )


def rotated(x: Tensor, *tables: Tensor) -> Tensor:
    """Heads [T, H, D] after rotary embedding in the half-split layout (arXiv:2104.09864), with
    cosines and sines [T, 1, D]; x where there are no tables."""
    if not tables:
        return x
    cosines, sines = tables
    first, second = x.chunk(2, dim=-1)
    return x * cosines + torch.cat((-second, first), dim=-1) * sines
