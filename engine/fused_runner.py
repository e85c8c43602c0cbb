"""Runs models from packed weights; the same steps as ModelRunner, fused."""

from collections.abc import Sequence as Sequences
from typing import Protocol

import torch
from torch import Tensor

from engine.kv_pool import CachedSpan, KVCache, KVPool
from engine.scheduler import Span
from engine.sequence import Sequence


class Decoder(Protocol):
    """Computes all layers of packed tokens in one call."""

    @property
    def kv_bytes_per_token(self) -> int: ...

    def new_cache(self, capacity: int) -> KVCache:
        """Room for the keys and values of so many tokens, a multiple of ``kv_pool.BLOCK``."""
        ...

    def forward(
        self, token_ids: Sequences[int], spans: Sequences[CachedSpan], sampled: Sequences[int]
    ) -> Tensor:
        """Run the spans' tokens through all layers and write their keys and values. Returns float32
        logits [S, V] of those tokens whose places are in ``sampled``."""
        ...


class FusedRunner:
    """Owns a decoder and the KV cache of each sequence; used by one thread only."""

    def __init__(self, decoder: Decoder, *, max_prefix_tokens: int) -> None:
        self._decoder = decoder
        self._pool = KVPool(decoder.new_cache, max_prefix_tokens)

    is_batch_invariant = True  # both decoders add up the same however many rows there are

    def admit(self, sequence: Sequence) -> None:
        """Take over what is kept of a sequence that began with the same tokens."""
        self._pool.admit(sequence)

    def release(self, sequence: Sequence) -> None:
        """Free the sequence's keys and values, or keep them for the next one that can use them."""
        self._pool.release(sequence)

    @property
    def num_reused_tokens(self) -> int:
        """Tokens that were taken over instead of computed, since the start."""
        return self._pool.num_reused_tokens

    @property
    def num_cached_tokens(self) -> int:
        return self._pool.num_cached_tokens

    @property
    def kv_bytes_per_token(self) -> int:
        return self._decoder.kv_bytes_per_token

    @torch.inference_mode()
    def forward(self, spans: Sequences[Span]) -> Tensor:
        """As ModelRunner.forward: float32 logits [S, V] of the spans' last known tokens, and behind
        each those of its draft."""
        token_ids: list[int] = []
        sampled: list[int] = []
        cached = []
        for span in spans:
            added = span.token_ids
            cache = self._pool.with_room_for(span.sequence, span.start + len(added))
            cached.append(CachedSpan(cache, len(token_ids), len(added), span.start))
            token_ids.extend(added)
            if span.is_last_of_known_tokens:
                num_sampled = 1 + len(span.draft_token_ids)
                sampled.extend(range(len(token_ids) - num_sampled, len(token_ids)))
        logits = self._decoder.forward(token_ids, cached, sampled)
        for span in spans:
            span.sequence.num_computed_tokens += span.num_tokens
        return logits
