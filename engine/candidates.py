"""The filters of sampling: which tokens stay candidates for the next draw.

Each filter takes the candidates that the one before it left and returns fewer. They keep what
transformers' warpers of the same names keep; working on shrinking sets instead of whole masked
rows spares sorting the vocabulary.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

_FIRST_LOOK = 1024  # a nucleus is rarely wider, and topk of this many is far cheaper than a sort
_SMALLEST_TEMPERATURE = float(torch.finfo(torch.float32).tiny)


@dataclass(frozen=True, slots=True)
class Candidates:
    """``token_ids`` [K] and their ``logits`` [K] in float32, in any order."""

    token_ids: Tensor
    logits: Tensor

    @classmethod
    def of_row(cls, logits: Tensor) -> "Candidates":
        """Every token of a row [V] that is possible at all."""
        token_ids = (logits > float("-inf")).nonzero()[:, 0]
        return cls(token_ids, logits[token_ids])

    def take(self, index: Tensor) -> "Candidates":
        return Candidates(self.token_ids[index], self.logits[index])

    def probabilities(self) -> Tensor:
        """Softmax in float64, [K]."""
        return torch.softmax(self.logits.double(), dim=-1)


def scale_by_temperature(candidates: Candidates, temperature: float) -> Candidates:
    """Divide by the temperature, counted from the largest logit so that nothing overflows."""
    below_largest = (candidates.logits - candidates.logits.max()).double()
    scaled = (below_largest / max(temperature, _SMALLEST_TEMPERATURE)).float()
    return Candidates(candidates.token_ids, scaled.clamp_min(torch.finfo(torch.float32).min))


def keep_top_k(candidates: Candidates, top_k: int) -> Candidates:
    """The ``top_k`` likeliest, and whatever ties with the last of them."""
    if top_k >= len(candidates.logits):
        return candidates
    threshold = candidates.logits.topk(top_k).values[-1]
    return candidates.take(candidates.logits >= threshold)


def keep_top_p(candidates: Candidates, top_p: float) -> Candidates:
    """The smallest set of likeliest tokens with ``top_p`` of the mass (arXiv:1904.09751)."""
    probabilities = candidates.probabilities()
    for width in (_FIRST_LOOK, len(probabilities)):
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
    ordered = distance.sort()
    mass = probabilities[ordered.indices].cumsum(0)
    last = int((mass < typical_p).sum().clamp(max=len(mass) - 1))
    return candidates.take(distance <= ordered.values[last])
