"""A model without a model: its logits are a hash of all tokens that are cached for a sequence."""

from collections.abc import Callable
from collections.abc import Sequence as Sequences

import torch
from torch import Tensor

from engine.scheduler import Span
from engine.sequence import Sequence


class ScriptedRunner:
    """Keeps the Runner protocol, and holds the engine to it.

    A wrong, missing or stale cache shows as an AssertionError or in the text.
    """

    def __init__(self, vocab_size: int, fault: Callable[[Sequences[Span]], None]) -> None:
        self._vocab_size = vocab_size
        self._fault = fault
        self.caches: dict[Sequence, list[int]] = {}

    num_reused_tokens = 0
    is_batch_invariant = True
    kv_bytes_per_token = 1

    @property
    def num_cached_tokens(self) -> int:
        return sum(map(len, self.caches.values()))

    def admit(self, sequence: Sequence) -> None:
        assert sequence not in self.caches
        self.caches[sequence] = []

    def release(self, sequence: Sequence) -> None:
        self.caches.pop(sequence, None)
        sequence.num_computed_tokens = 0

    def forward(self, spans: Sequences[Span]) -> Tensor:
        self._fault(spans)
        rows = []
        for span in spans:
            cache = self.caches[span.sequence]
            del cache[span.start :]  # of a draft that was wrong
            assert cache == span.sequence.token_ids(0, span.start)
            is_last = span.is_last_of_known_tokens
            cache += span.sequence.token_ids(span.start, span.start + span.num_tokens)
            span.sequence.num_computed_tokens += span.num_tokens
            if is_last:
                rows.append(self._logits(cache))
            for token_id in span.draft_token_ids:
                cache.append(token_id)
                rows.append(self._logits(cache))
        return torch.stack(rows) if rows else torch.empty(0, self._vocab_size)

    def _logits(self, token_ids: list[int]) -> Tensor:
        generator = torch.Generator().manual_seed(hash(tuple(token_ids)) % 2**63)
        logits = torch.randn(self._vocab_size, generator=generator) * 3
        logits[3 + token_ids[-1] % 5] += 9  # so that it often says the same again
        return logits
