"""The parts of a decoder, by name, from packed weights."""

import torch
from torch import Tensor

from engine.exact.attention import Attention
from engine.exact.embedding import Embedding
from engine.exact.linear import Linear
from engine.exact.norm import Norm
from engine.packing import PackedWeights


class Parts:
    """Makes them; ``sizes`` are those of the weights."""

    def __init__(self, weights: PackedWeights) -> None:
        self._tensors, self._sizes = weights.tensors, weights.sizes
        self.num_layers = int(weights.sizes["layers"])
        self.num_heads = int(weights.sizes["heads"])
        self.num_kv_heads = int(weights.sizes["kv_heads"])
        self.head_size = int(weights.sizes["head_dim"])
        self.is_gated = bool(weights.sizes["is_gated"])
        self.is_gelu = bool(weights.sizes["is_gelu"])
        self.logit_cap = weights.sizes["logit_cap"]

    def embedding(self) -> Embedding:
        scale, positions = self._sizes["embedding_scale"], self._tensors.get("positions")
        return Embedding(self._tensors["embeddings"], scale, positions)

    def linear(self, name: str) -> Linear:
        weights, scales = self._tensors[f"{name}.weights"], self._tensors[f"{name}.scales"]
        num_outputs = self._num_outputs(name.rpartition(".")[2])
        return Linear(weights, scales, self._tensors.get(f"{name}.bias"), num_outputs)

    def norm(self, name: str) -> Norm | None:
        """None where there is none of this name."""
        weight, bias = self._tensors.get(name), self._tensors.get(f"{name}_bias")
        return None if weight is None else Norm(weight, bias, self._sizes["epsilon"])

    def head_norm(self, name: str) -> Norm | None:
        """One for the heads of queries and keys together, which have weights of their own."""
        query, key = (self._tensors.get(f"{name}.{kind}_norm") for kind in ("query", "key"))
        if query is None or key is None:
            return None
        weights = [query.expand(self.num_heads, -1), key.expand(self.num_kv_heads, -1)]
        return Norm(torch.cat(weights), None, self._sizes["epsilon"])

    def attentions(self) -> list[Attention]:
        """Of each layer."""
        scaling, cap = self._sizes["scaling"], self._sizes["score_cap"]
        return [Attention(scaling, cap, window) for window in self._tensors["windows"].tolist()]

    def rotary_tables(self, window: int) -> tuple[Tensor, Tensor] | None:
        """Cosines and sines [positions, D] of layers with such a window."""
        kind = "local_" if window and "local_cosines" in self._tensors else ""
        if f"{kind}cosines" not in self._tensors:
            return None
        return self._tensors[f"{kind}cosines"], self._tensors[f"{kind}sines"]

    def _num_outputs(self, matrix: str) -> int:
        """Without those that fill the last panel."""
        hidden = int(self._sizes["hidden"])
        gates = 1 + self.is_gated
        return {
            "qkv": (self.num_heads + 2 * self.num_kv_heads) * self.head_size,
            "attention_out": hidden,
            "gate_up": gates * int(self._sizes["intermediate"]),
            "down": hidden,
            "lm_head": len(self._tensors["embeddings"]),
        }[matrix]
