"""Attention of one sequence over its cached keys and values, exact in float64's matrix product."""

from dataclasses import dataclass

import torch
from torch import Tensor

from engine.exact.fixed_point import exponential, softly_capped, to_fixed_point

# Each sum of products stays within float64's 53 bits: 2 * 22 + 9 over head_dim up to 512, and
# 2 * 18 + 17 over up to 2^17 positions.
SCORE_BITS = 22
VALUE_BITS = 18
_WEIGHT_BITS = 30  # of softmax's own sum, of weights up to 1
_MAX_SCORES = 1 << 20  # that are held at once


@dataclass(frozen=True, slots=True)
class Cached:
    """One layer's keys and values of a sequence: integers as float32 [H_kv, T, D], scales as
    float64 [H_kv, T, 1]."""

    keys: Tensor
    key_scales: Tensor
    values: Tensor
    value_scales: Tensor

    def write(self, start: int, keys: Tensor, values: Tensor) -> None:
        """Store float32 [T, H_kv, D] from position ``start`` on."""
        places = slice(start, start + len(keys))
        for rows, bits, integers, scales in (
            (keys, SCORE_BITS, self.keys, self.key_scales),
            (values, VALUE_BITS, self.values, self.value_scales),
        ):
            fixed = to_fixed_point(rows.transpose(0, 1), bits)
            integers[:, places] = fixed.integers.float()
            scales[:, places] = fixed.scale


@dataclass(frozen=True, slots=True)
class Attention:
    """How one layer weighs: ``cap`` bounds scores softly, 0 where nothing does; a position sees
    ``window`` of them, its own among them, and where that is 0 all."""

    scaling: float
    cap: float = 0.0
    window: int = 0

    def sees(self, start: int, num_rows: int, num_positions: int) -> Tensor:
        """Whether a row, of positions from ``start`` on, sees a position: [rows, positions]."""
        distance = start + torch.arange(num_rows)[:, None] - torch.arange(num_positions)
        return (distance >= 0) & (distance < (self.window or num_positions))


def attend(queries: Tensor, cached: Cached, start: int, attention: Attention) -> Tensor:
    """Causal attention of float32 queries [T, H, D] at positions from ``start`` on: [T, H, D]."""
    positions = start + len(queries)
    rows = max(1, _MAX_SCORES // (queries.shape[1] * positions))
    keys, values = cached.keys[:, :positions].double(), cached.values[:, :positions].double()
    scales = cached.key_scales[:, :positions], cached.value_scales[:, :positions]
    mixed = []
    for index, part in enumerate(torch.split(queries, rows)):
        seen = attention.sees(start + index * rows, len(part), positions)
        mixed.append(_attend(part, keys, values, scales, seen, attention))
    return torch.cat(mixed)


def _attend(
    queries: Tensor,
    keys: Tensor,
    values: Tensor,
    scales: tuple[Tensor, Tensor],
    seen: Tensor,
    attention: Attention,
) -> Tensor:
    num_rows, num_heads, size = queries.shape
    num_kv_heads, num_positions, _ = keys.shape
    key_scales, value_scales = (scale.transpose(1, 2)[:, None] for scale in scales)
    groups = queries.view(num_rows, num_kv_heads, -1, size).transpose(0, 1)  # [H_kv, T, G, D]
    fixed = to_fixed_point(groups, SCORE_BITS)
    products = (fixed.integers.flatten(1, 2) @ keys.mT).view(
        num_kv_heads, num_rows, -1, num_positions
    )
    scores = (products * fixed.scale * (key_scales * attention.scaling)).float()
    scores = softly_capped(scores, attention.cap)
    scores = scores.masked_fill_(~seen[:, None], float("-inf"))
    weights = exponential(scores - scores.amax(dim=-1, keepdim=True)).double()
    weights = weights.masked_fill_(~seen[:, None], 0.0)
    total = (weights * 2.0**_WEIGHT_BITS).round_().sum(dim=-1, keepdim=True) * 2.0**-_WEIGHT_BITS
    parts = to_fixed_point(weights * value_scales, VALUE_BITS)
    out = (parts.integers.flatten(1, 2) @ values).view(num_kv_heads, num_rows, -1, size)
    return (out * parts.scale / total).float().transpose(0, 1).reshape(num_rows, num_heads, size)
