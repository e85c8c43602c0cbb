"""Runs the model over the spans of one step: packed tokens in, logits of the last ones out."""

from collections.abc import Sequence as Sequences
from typing import Any

import torch
from torch import Tensor

from engine.attention import PackedSpan
from engine.kv_cache import SequenceKVCache
from engine.scheduler import Span
from engine.sequence import Sequence

# These rotary embeddings scale by the longest position of the whole forward pass, so that a
# neighbour would change a sequence's numbers: such models compute one sequence at a time.
_BATCH_DEPENDENT_ROPE = ("dynamic", "longrope")


class ModelRunner:
    """Owns the model and the KV cache of each sequence; used by one thread only."""

    def __init__(self, model: torch.nn.Module) -> None:
        self._model = model
        self._device = next(model.parameters()).device
        self._can_pack = not _uses_batch_dependent_rope(model.config)
        self._caches: dict[Sequence, SequenceKVCache] = {}
        self._kv_bytes_per_token = 0

    is_batch_invariant = False  # matrix products round differently at different sizes

    def admit(self, sequence: Sequence) -> None:
        """A sequence is about to run."""
        self._caches[sequence] = SequenceKVCache()

    @property
    def num_reused_tokens(self) -> int:
        """None: only where keys do not depend on neighbours are they anybody's but their own."""
        return 0

    def release(self, sequence: Sequence) -> None:
        """Free the sequence's keys and values."""
        self._caches.pop(sequence, None)
        sequence.num_computed_tokens = 0

    @property
    def num_cached_tokens(self) -> int:
        # Asked for by other threads: a copy of the keys is one operation of the interpreter.
        return sum(sequence.num_computed_tokens for sequence in tuple(self._caches))

    @property
    def kv_bytes_per_token(self) -> int:
        """Known after the first forward pass, since layers differ; 0 before."""
        return self._kv_bytes_per_token

    @torch.inference_mode()
    def forward(self, spans: Sequences[Span]) -> Tensor:
        """Compute the spans' tokens and cache their keys and values.

        Returns float32 logits [S, V], a row for each span that is the last of its sequence's
        known tokens, in their order.
        """
        groups = [spans] if self._can_pack else [[span] for span in spans]
        logits = [self._forward_packed(group) for group in groups]
        for span in spans:
            span.sequence.num_computed_tokens += span.num_tokens
        return torch.cat(logits)

    def _forward_packed(self, spans: Sequences[Span]) -> Tensor:
        token_ids: list[int] = []
        positions: list[int] = []
        sampled_rows: list[int] = []
        packed_spans = []
        for span in spans:
            stop = span.start + span.num_tokens
            cache = self._caches.setdefault(span.sequence, SequenceKVCache())
            packed_spans.append(PackedSpan(cache, len(token_ids), span.num_tokens, span.start))
            token_ids.extend(span.sequence.token_ids(span.start, stop))
            positions.extend(range(span.start, stop))
            if span.is_last_of_known_tokens:
                sampled_rows.append(len(token_ids) - 1)
        output = self._model(
            input_ids=self._tensor([token_ids]),
            position_ids=self._tensor([positions]),
            use_cache=False,
            # No row to sample still needs one: zero rows are not a shape every kernel takes.
            logits_to_keep=self._tensor(sampled_rows or [0]),
            packed_spans=tuple(packed_spans),
        )
        self._kv_bytes_per_token = packed_spans[0].cache.bytes_per_token
        logits: Tensor = output.logits[0, : len(sampled_rows)]
        return logits.float()

    def _tensor(self, values: Any) -> Tensor:
        return torch.tensor(values, dtype=torch.long, device=self._device)


def _uses_batch_dependent_rope(config: Any) -> bool:
    text_config = config.get_text_config()
    parameters = getattr(text_config, "rope_parameters", None) or {}
    nested = [value for value in parameters.values() if isinstance(value, dict)]
    return any(rope.get("rope_type") in _BATCH_DEPENDENT_ROPE for rope in (parameters, *nested))
