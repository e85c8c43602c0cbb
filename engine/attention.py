"""The attention function that any transformers decoder calls in our engine.

transformers lets a model call an attention function by name (its AttentionInterface). Ours gets
the tokens of all sequences packed in one row, writes each sequence's keys and values to its own
cache and attends within that cache. A row of the batch never sees another one.
"""

from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor
from transformers import AttentionInterface

from engine.kv_cache import SequenceKVCache

ATTENTION_NAME = "genspec"


@dataclass(frozen=True, slots=True)
class PackedSpan:
    """Tokens [offset, offset + num_tokens) of the packed row; ``start`` is the first position."""

    cache: SequenceKVCache
    offset: int
    num_tokens: int
    start: int


class UnsupportedAttentionError(Exception):
    """The model asks for an attention that this function does not compute."""


def packed_attention(
    module: torch.nn.Module,
    query: Tensor,  # [1, H, N, D]
    key: Tensor,  # [1, H_kv, N, D]
    value: Tensor,  # [1, H_kv, N, D_v]
    attention_mask: Tensor | None,
    scaling: float | None = None,
    softcap: float | None = None,
    sliding_window: int | None = None,
    packed_spans: tuple[PackedSpan, ...] = (),
    **kwargs: Any,
) -> tuple[Tensor, None]:
    """Causal attention of packed sequences. Returns [1, N, H, D_v]."""
    if attention_mask is not None or any(kwargs.get(name) is not None for name in _UNKNOWN):
        raise UnsupportedAttentionError
    layer = int(module.layer_idx)  # type: ignore[arg-type]
    out = query.new_empty((query.shape[2], query.shape[1], value.shape[3]))
    for span in packed_spans:
        rows = slice(span.offset, span.offset + span.num_tokens)
        keys, values = span.cache.write(layer, span.start, key[0, :, rows], value[0, :, rows])
        if sliding_window is not None and span.num_tokens == 1:
            keys, values = keys[:, -sliding_window:], values[:, -sliding_window:]
        attended = _attend(query[0, :, rows], keys, values, scaling, softcap, sliding_window)
        out[rows] = attended.transpose(0, 1)
    return out.unsqueeze(0), None


# Sinks, additive position biases and the like: refused at load, never ignored.
_UNKNOWN = ("s_aux", "position_bias", "alibi", "block_sequence_ids")


def _attend(
    query: Tensor,  # [H, T, D]
    keys: Tensor,  # [H_kv, S, D]
    values: Tensor,  # [H_kv, S, D_v]
    scaling: float | None,
    softcap: float | None,
    sliding_window: int | None,
) -> Tensor:
    """The last T of S positions attend to all that they may see. Returns [H, T, D_v]."""
    num_heads, num_queries, _ = query.shape
    num_groups = num_heads // keys.shape[0]
    mask = _causal_mask(num_queries, keys.shape[1], sliding_window, query.device)
    # The query heads of one key head become more query rows: no key is ever repeated.
    grouped = query.reshape(keys.shape[0], num_groups * num_queries, -1)
    if mask is not None:
        mask = mask.repeat(num_groups, 1)
    if softcap is None:
        attended = F.scaled_dot_product_attention(
            grouped[None], keys[None], values[None], attn_mask=mask, scale=scaling
        )[0]
    else:
        attended = _softcapped_attention(grouped, keys, values, mask, scaling, softcap)
    return attended.reshape(num_heads, num_queries, -1)


def _causal_mask(
    num_queries: int, num_keys: int, sliding_window: int | None, device: torch.device
) -> Tensor | None:
    """True where query row t, at position S - T + t, may look; None where it may look anywhere."""
    if num_queries == 1:
        return None
    positions = torch.arange(num_keys - num_queries, num_keys, device=device)[:, None]
    key_positions = torch.arange(num_keys, device=device)[None, :]
    mask = key_positions <= positions
    if sliding_window is not None:
        mask &= key_positions > positions - sliding_window
    return mask


def _softcapped_attention(
    query: Tensor,
    keys: Tensor,
    values: Tensor,
    mask: Tensor | None,
    scaling: float | None,
    softcap: float,
) -> Tensor:
    """Attention with logits squashed by softcap * tanh(x / softcap) (Gemma 2)."""
    scale = query.shape[-1] ** -0.5 if scaling is None else scaling
    scores = torch.tanh(query @ keys.transpose(1, 2) * scale / softcap) * softcap
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1, dtype=torch.float32).to(values.dtype) @ values


AttentionInterface.register(ATTENTION_NAME, packed_attention)
