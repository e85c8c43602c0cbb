"""One layer: attention and MLP, each added to what they were given."""

from torch import Tensor

from engine.exact.attention import Attention
from engine.exact.fixed_point import gelu, silu
from engine.exact.norm import Norm
from engine.exact.parts import Parts
from engine.exact.rotary import rotated
from engine.exact.spans import Spans


class Layer:
    def __init__(self, parts: Parts, index: int, attention: Attention) -> None:
        name = f"layers.{index}"
        self._index, self._attention = index, attention
        self._heads = [parts.num_heads, parts.num_kv_heads]
        self._head_size = parts.head_size
        self._input_norm = parts.norm(f"{name}.input_norm")
        self._qkv = parts.linear(f"{name}.qkv")
        self._head_norm = parts.head_norm(name)
        self._attention_out = parts.linear(f"{name}.attention_out")
        self._attention_norm = parts.norm(f"{name}.attention_norm")
        self._output_norm = parts.norm(f"{name}.output_norm")
        self._gate_up = parts.linear(f"{name}.gate_up")
        self._down = parts.linear(f"{name}.down")
        self._mlp_norm = parts.norm(f"{name}.mlp_norm")
        self._activate = gelu if parts.is_gelu else silu
        self._is_gated = parts.is_gated

    def add_to(self, hidden: Tensor, spans: Spans, rotary: tuple[Tensor, Tensor] | None) -> None:
        """Change float32 [T, hidden] in place; ``rotary`` are the factors of its positions."""
        mixed = self._attend(_normed(hidden, self._input_norm), spans, rotary)
        hidden.add_(_normed(mixed, self._attention_norm))
        wide = self._gate_up(_normed(hidden, self._output_norm))
        hidden.add_(_normed(self._down(self._activated(wide)), self._mlp_norm))

    def _attend(self, x: Tensor, spans: Spans, rotary: tuple[Tensor, Tensor] | None) -> Tensor:
        num_queries, num_keys = self._heads
        heads = self._qkv(x).view(len(x), -1, self._head_size)
        turned, values = heads[:, : num_queries + num_keys], heads[:, num_queries + num_keys :]
        turned = _normed(turned, self._head_norm)
        if rotary is not None:
            turned = rotated(turned, *rotary)
        queries, keys = turned[:, :num_queries], turned[:, num_queries:]
        mixed = spans.attend(self._index, queries, keys, values, self._attention)
        return self._attention_out(mixed.flatten(1))

    def _activated(self, wide: Tensor) -> Tensor:
        if not self._is_gated:
            return self._activate(wide)
        gate, up = wide.chunk(2, dim=-1)
        return self._activate(gate).mul_(up)


def _normed(x: Tensor, norm: Norm | None) -> Tensor:
    return x if norm is None else norm(x)
