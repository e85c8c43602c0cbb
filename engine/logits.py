"""Logits processors: each takes the float32 logits [V] of one row and returns new ones.

They follow transformers' processors of the same names, in transformers' order. Their arithmetic is
done in float64 and cut to float32's finite range, so that extreme but legal parameters, such as a
penalty of 1e-300, order tokens as they would in exact arithmetic instead of making NaNs.
"""

from collections import Counter
from collections.abc import Iterable

import torch
from torch import Tensor

_LARGEST = torch.finfo(torch.float32).max


def penalize_repetition(logits: Tensor, token_ids: Iterable[int], penalty: float) -> Tensor:
    """Divide positive and multiply negative logits of seen tokens (CTRL, arXiv:1909.05858)."""
    ids = torch.tensor(sorted(set(token_ids)), dtype=torch.long, device=logits.device)
    seen = logits[ids].double()
    return _replaced(logits, ids, torch.where(seen < 0, seen * penalty, seen / penalty))


def penalize_output(
    logits: Tensor, output_token_ids: Iterable[int], presence: float, frequency: float
) -> Tensor:
    """Subtract ``presence`` once and ``frequency`` per occurrence of each output token."""
    counts = Counter(output_token_ids)
    ids = torch.tensor(sorted(counts), dtype=torch.long, device=logits.device)
    occurrences = torch.tensor([counts[i] for i in sorted(counts)], dtype=torch.float64)
    penalties = presence + frequency * occurrences.to(logits.device)
    return _replaced(logits, ids, logits[ids].double() - penalties)


def add_bias(logits: Tensor, bias: Iterable[tuple[int, float]]) -> Tensor:
    """Add each token's bias to its logit."""
    pairs = list(bias)
    ids = torch.tensor([token_id for token_id, _ in pairs], device=logits.device)
    values = torch.tensor([value for _, value in pairs], dtype=torch.float64, device=logits.device)
    return _replaced(logits, ids, logits[ids].double() + values)


def ban(logits: Tensor, token_ids: Iterable[int]) -> Tensor:
    """Make tokens impossible."""
    ids = torch.tensor(sorted(set(token_ids)), dtype=torch.long, device=logits.device)
    return logits.index_fill(0, ids, float("-inf"))


def banned_next_tokens(token_ids: list[int], sequences: Iterable[tuple[int, ...]]) -> Iterable[int]:
    """The tokens that would complete one of the banned token sequences."""
    for sequence in sequences:
        *head, last = sequence
        if not head or token_ids[-len(head) :] == head:
            yield last


def _replaced(logits: Tensor, ids: Tensor, values: Tensor) -> Tensor:
    finite = values.clamp(-_LARGEST, _LARGEST).float()
    # A token that the model itself excludes stays excluded whatever its bias.
    return logits.index_copy(0, ids, torch.where(logits[ids] == float("-inf"), logits[ids], finite))
