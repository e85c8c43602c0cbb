"""Attention over cached keys and values, exact in float64's matrix product."""

from dataclasses import dataclass
from functools import lru_cache

import torch
from torch import Tensor

from engine.exact.cached import SCORE_BITS, VALUE_BITS, Cached
from engine.exact.fixed_point import constant, exponential, softly_capped, to_fixed_point

__all__ = ["Attention", "Cached", "attend", "attend_side_by_side"]

_WEIGHT_LEVELS = 2.0**24  # of softmax's own sum, of weights up to 1
_MAX_SCORES = 1 << 20  # that are held at once


@dataclass(frozen=True, slots=True)
class Attention:
    """How one layer weighs: ``cap`` bounds scores softly, 0 where nothing does; a position sees
    ``window`` of them, its own among them, and where that is 0 all."""

    scaling: float
    cap: float = 0.0
    window: int = 0


def attend(queries: Tensor, cached: Cached, start: int, attention: Attention) -> Tensor:
    """Causal attention of float32 queries [T, H, D] at positions from ``start`` on: [T, H, D]."""
    positions = start + len(queries)
    seen_part = cached.between(0, positions)
    whole = Cached(
        seen_part.keys[None].double(),
        seen_part.key_scales[None],
        seen_part.values[None].double(),
        seen_part.value_scales[None],
    )
    rows = max(1, _MAX_SCORES // (queries.shape[1] * positions))
    mixed = []
    for part in torch.split(queries, rows):
        seen = _seen((start,), len(part), positions, attention.window)
        mixed.append(_attend(part[None], whole, seen, attention)[0])
        start += len(part)
    return mixed[0] if len(mixed) == 1 else torch.cat(mixed)


def attend_side_by_side(
    queries: Tensor, cached: Cached, starts: tuple[int, ...], attention: Attention
) -> Tensor:
    """Attention of one row of each of several sequences, [S, H, D], at positions ``starts``, over
    float64 keys and values [S, H_kv, T, D], with zeros where a sequence has none."""
    seen = _seen(starts, 1, cached.keys.shape[2], attention.window)
    return _attend(queries[:, None], cached, seen, attention)[:, 0]


@lru_cache(maxsize=8)  # the layers of a step ask for the same
def _seen(starts: tuple[int, ...], num_rows: int, num_positions: int, window: int) -> Tensor | None:
    """Whether a row of a sequence, of positions from its start on, sees a position: [sequences, 1,
    rows, 1, positions]. None where all see all."""
    rows = torch.tensor(starts)[:, None] + torch.arange(num_rows)
    distance = rows[:, None, :, None, None] - torch.arange(num_positions)
    seen = (distance >= 0) & (distance < (window or num_positions))
    return None if bool(seen.all()) else seen


def _attend(queries: Tensor, cached: Cached, seen: Tensor | None, attention: Attention) -> Tensor:
    """Of queries [S, T, H, D]."""
    num_sequences, num_rows, num_heads, size = queries.shape
    num_kv_heads, num_positions = cached.keys.shape[1:3]
    shape = (num_sequences, num_kv_heads, num_rows, num_heads // num_kv_heads)
    fixed = to_fixed_point(queries, SCORE_BITS)
    integers, scale = (
        part.view(num_sequences, num_rows, *shape[1::2], -1).transpose(1, 2)
        for part in (fixed.integers, fixed.scale)
    )  # [S, H_kv, T, G, -1]
    products = integers.double().flatten(2, 3) @ cached.keys.mT
    scores = products.float().view(*shape, num_positions)
    scores.mul_(scale * constant(attention.scaling)).mul_(cached.key_scales.mT[:, :, None])
    weights = _weights(softly_capped(scores, attention.cap), seen)
    levels = (weights * constant(_WEIGHT_LEVELS)).round_()
    total = levels.sum(dim=-1, keepdim=True, dtype=torch.float64)
    parts = to_fixed_point(weights.mul_(cached.value_scales.mT[:, :, None]), VALUE_BITS)
    out = (parts.integers.double().flatten(2, 3) @ cached.values).view(*shape, size)
    out.mul_(parts.scale * (constant(_WEIGHT_LEVELS, torch.float64) / total))
    return out.float().transpose(1, 2).reshape(queries.shape)


def _weights(scores: Tensor, seen: Tensor | None) -> Tensor:
    """Softmax's, before they are divided by their sum."""
    if seen is None:
        return exponential(scores.sub_(scores.amax(dim=-1, keepdim=True)))
    scores = scores.masked_fill_(~seen, float("-inf"))
    weights = exponential(scores.sub_(scores.amax(dim=-1, keepdim=True)))
    return weights.masked_fill_(~seen, 0.0)
