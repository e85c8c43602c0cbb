"""The filters of sampling: which tokens stay candidates for the next draw.

Each filter takes the candidates that the one before it left and returns fewer. They keep what
transformers' warpers of the same names keep; working on shrinking sets instead of whole masked
rows spares sorting the vocabulary.
"""

from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor

# A nucleus is rarely wider than the first, and topk of so few is far cheaper than a sort.
_LOOKS = (64, 1024, 8192)
_SMALLEST_LOGIT = torch.finfo(torch.float32).min
# A GPU multiplies by the inverse, which what is smaller has not. Divided by this, any two logits
# that differ are as far apart as can be.
_SMALLEST_TEMPERATURE = torch.finfo(torch.float64).tiny


@dataclass(frozen=True, slots=True)
class Candidates:
    """``token_ids`` [K] and their ``logits`` [K] in float32, in any order."""

    token_ids: Tensor
    logits: Tensor

    @classmethod
    def of_row(cls, logits: Tensor) -> "Candidates":
        """Every token of a row [V] that is possible at all."""
        if logits.min() > float("-inf"):  # as nearly always; far cheaper to see than to gather
            return cls(_all_token_ids(len(logits), logits.device), logits)
        token_ids = (logits > float("-inf")).nonzero()[:, 0]
        return cls(token_ids, logits[token_ids])

    def take(self, index: Tensor) -> "Candidates":
        return Candidates(self.token_ids[index], self.logits[index])

    def probabilities(self) -> Tensor:
        """Softmax in float64, [K]."""
        return torch.softmax(self.logits.double(), dim=-1)


@cache
def _all_token_ids(vocab_size: int, device: torch.device) -> Tensor:
    return torch.arange(vocab_size, device=device)


def scale_by_temperature(candidates: Candidates, temperature: float) -> Candidates:
    """Divide by the temperature, counted from the largest logit so that nothing overflows.

    In float64 from the start: two logits in float32 can be further apart than that can say.
    """
    if temperature == 1:
        return candidates
    scaled = candidates.logits.to(torch.float64, copy=True)  # in place from here: rows are long
    scaled -= scaled.max()
    scaled /= max(temperature, _SMALLEST_TEMPERATURE)
    return Candidates(candidates.token_ids, scaled.float().clamp_min_(_SMALLEST_LOGIT))


def keep_top_k(candidates: Candidates, top_k: int) -> Candidates:
    """The ``top_k`` likeliest, and whatever ties with the last of them."""
    if top_k >= len(candidates.logits):
        return candidates
    likeliest = candidates.logits.topk(top_k + 1)
    if likeliest.values[-1] < likeliest.values[-2]:
        return candidates.take(likeliest.indices[:-1].sort().values)
    return candidates.take(candidates.logits >= likeliest.values[-2])


def keep_top_p(candidates: Candidates, top_p: float) -> Candidates:
    """The smallest set of likeliest tokens with ``top_p`` of the mass (arXiv:1904.09751)."""
    probabilities = candidates.probabilities()
    for width in (*_LOOKS, len(probabilities)):
        likeliest = probabilities.topk(min(width, len(probabilities)))
        mass_before = likeliest.values.cumsum(0) - likeliest.values
        num_kept = int((mass_before < top_p).sum())
        if num_kept < width:
            break
    return candidates.take(likeliest.indices[: max(1, num_kept)])


def keep_min_p(candidates: Candidates, min_p: float) -> Candidates:
    """Tokens at least ``min_p`` times as likely as the likeliest (arXiv:2407.01082)."""
    probabilities = candidates.probabilities()
    return candidates.take(probabilities >= min_p * probabilities.max())


def keep_typical(candidates: Candidates, typical_p: float) -> Candidates:
    """The tokens whose information is nearest the entropy, up to ``typical_p`` of the mass
    (locally typical sampling, arXiv:2202.00666), and whatever ties with the last of them."""
    log_probabilities = torch.log_softmax(candidates.logits.double(), dim=-1)
    probabilities = log_probabilities.exp()
    entropy = -(log_probabilities * probabilities).nansum()
    distance = (-log_probabilities - entropy).abs()
    for width in (*_LOOKS, len(distance)):
        nearest = distance.topk(min(width, len(distance)), largest=False)
        mass = probabilities[nearest.indices].cumsum(0)
        last = int((mass < typical_p).sum())
        if last < len(mass):
            break
    return candidates.take(distance <= nearest.values[min(last, len(mass) - 1)])
