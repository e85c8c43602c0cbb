"""Dividing by a temperature, for every one that the document allows and every finite logit."""

import math
import sys
from fractions import Fraction

import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.candidates import Candidates, scale_by_temperature
from engine.config import WatermarkConfig
from engine.sampler import Sampler, SamplingState
from engine.sequence import Sequence
from tests.params import params

LARGEST = torch.finfo(torch.float32).max
SMALLEST = 2.0**-149  # the least above 0 that a logit can be
LEAST, MOST = 5e-324, sys.float_info.max
BEYOND_EXP = Fraction(-1000)  # the exponential is 0 there
WATERMARK = WatermarkConfig(hashing_key=1, greenlist_ratio=0.25, bias=2.0)
NOTHING = SamplingState(bad_words_ids=(), ending_token_ids=())
EXTREMES = [LEAST, 1e-310, 1e-45, 1e-38, 1e38, 3e38, 1e39, MOST]


def exact_probabilities(logits: list[float], temperature: float) -> list[float]:
    """By fractions, in which nothing is too large or too small."""
    scaled = [Fraction(logit) - Fraction(max(logits)) for logit in logits]
    exponents = [max(value / Fraction(temperature), BEYOND_EXP) for value in scaled]
    weights = [math.exp(value) for value in exponents]
    return [weight / sum(weights) for weight in weights]


@given(
    logits=st.lists(st.floats(-LARGEST, LARGEST, width=32), min_size=1, max_size=8),
    temperature=st.floats(LEAST, MOST) | st.sampled_from(EXTREMES),
)
@example(logits=[LARGEST, -LARGEST], temperature=3e38)
@example(logits=[LARGEST, -LARGEST, 0.0], temperature=MOST)
@example(logits=[-SMALLEST, 0.0, SMALLEST], temperature=SMALLEST)
@example(logits=[0.0, SMALLEST], temperature=LEAST)
@settings(max_examples=100, deadline=None, derandomize=True)
def test_the_probabilities_are_those_of_exact_numbers(
    logits: list[float], temperature: float
) -> None:
    row = torch.tensor(logits, dtype=torch.float32)
    scaled = scale_by_temperature(Candidates.of_row(row), temperature)
    probabilities = scaled.probabilities()

    assert torch.isfinite(scaled.logits).all()
    assert probabilities[row.argmax()] == probabilities.max() > 0
    expected = exact_probabilities(logits, temperature)
    assert probabilities.tolist() == pytest.approx(expected, abs=1e-6, rel=1e-5)
    assert row.tolist() == logits  # which is the model's, and needed again


@pytest.mark.parametrize("scale", [1e38, 3.0, 1e-44])
def test_extreme_picks_depend_on_their_own_row_alone(scale: float) -> None:
    vocab_size = 500
    logits = torch.randn(len(EXTREMES), vocab_size, generator=torch.Generator().manual_seed(1))
    logits = (logits * scale).clamp(-LARGEST, LARGEST)
    sampler = Sampler(vocab_size, "cpu", WATERMARK)
    filters = {"do_sample": True, "top_p": 0.9, "min_p": 1e-9, "typical_p": 0.95}
    rows = [
        (Sequence("a", (1, 2), params(**filters, seed=7, temperature=temperature), 5, 16), NOTHING)
        for temperature in EXTREMES
    ]
    together = sampler.sample(logits, rows)
    alone = [sampler.sample(logits[i : i + 1], [row])[0] for i, row in enumerate(rows)]

    assert together == alone
    assert all(together)


@pytest.mark.parametrize("temperature", EXTREMES)
def test_the_likeliest_token_alone_is_picked_at_any_temperature(temperature: float) -> None:
    logits = torch.randn(4, 500, generator=torch.Generator().manual_seed(1))
    chosen = params(do_sample=True, top_k=1, seed=7, temperature=temperature)
    rows = [(Sequence(str(row), (1, 2), chosen, 5, 16), NOTHING) for row in range(4)]

    picks = Sampler(500, "cpu", WATERMARK).sample(logits, rows)

    assert [pick and pick.token_id for pick in picks] == logits.argmax(-1).tolist()
