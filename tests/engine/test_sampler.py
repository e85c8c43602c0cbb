"""The distribution that a token is drawn from, against transformers' own logits processors."""

from functools import cache
from typing import Any

import pytest
import torch
from transformers import LogitsProcessorList
from transformers.generation import logits_process as hf

from engine.candidates import Candidates
from engine.config import WatermarkConfig
from engine.random import uniform
from engine.sampler import Sampler, SamplingState
from engine.sequence import Sequence
from tests.params import params

VOCAB_SIZE = 2000
WATERMARK = WatermarkConfig(hashing_key=15485863, greenlist_ratio=0.25, bias=2.0)
PROMPT = (5, 6, 7, 5)
OUTPUT = [8, 9, 8, 8]


def make_logits(seed: int, scale: float = 3.0) -> torch.Tensor:
    return torch.randn(VOCAB_SIZE, generator=torch.Generator().manual_seed(seed)) * scale


def make_sequence(output: list[int] | None = None, **changes: Any) -> Sequence:
    sequence = Sequence("a", PROMPT, params(**changes), 5, 16)
    sequence.output_token_ids.extend(OUTPUT if output is None else output)
    return sequence


@cache
def make_sampler() -> Sampler:
    return Sampler(VOCAB_SIZE, "cpu", WATERMARK)


# Of numpy's Philox; another number here would change every seeded answer.
PINNED_DRAWS = [0.5170052385149787, 0.3628162495103908, 0.23494158814525556, 0.45240445913376093]

NOTHING = SamplingState(bad_words_ids=(), ending_token_ids=())


def dense(candidates: Candidates) -> torch.Tensor:
    """Probabilities over the whole vocabulary, [V]."""
    row = torch.zeros(VOCAB_SIZE, dtype=torch.float64)
    row[candidates.token_ids] = candidates.probabilities()
    return row


def expected(logits: torch.Tensor, *processors: Any) -> torch.Tensor:
    input_ids = torch.tensor([[*PROMPT, *OUTPUT]])
    scores = LogitsProcessorList(processors)(input_ids, logits[None].clone())
    return torch.softmax(scores[0].double(), dim=-1)


CASES: dict[str, tuple[dict[str, Any], list[Any]]] = {
    "temperature": ({"temperature": 0.7}, [hf.TemperatureLogitsWarper(0.7)]),
    "top_k": ({"top_k": 10}, [hf.TopKLogitsWarper(10)]),
    "top_k beyond": ({"top_k": VOCAB_SIZE - 1}, [hf.TopKLogitsWarper(VOCAB_SIZE - 1)]),
    "top_p": ({"top_p": 0.8}, [hf.TopPLogitsWarper(0.8)]),
    "top_p tiny": ({"top_p": 1e-9}, [hf.TopPLogitsWarper(1e-9)]),
    "min_p": ({"min_p": 0.1}, [hf.MinPLogitsWarper(0.1)]),
    "typical_p": ({"typical_p": 0.5}, [hf.TypicalLogitsWarper(0.5)]),
    "repetition_penalty": (
        {"repetition_penalty": 1.7},
        [hf.RepetitionPenaltyLogitsProcessor(1.7)],
    ),
    "repetition reward": (
        {"repetition_penalty": 0.5},
        [hf.RepetitionPenaltyLogitsProcessor(0.5)],
    ),
    "all of the contract's example": (
        {
            "repetition_penalty": 1.1,
            "temperature": 0.9,
            "top_k": 50,
            "top_p": 0.9,
            "min_p": 0.01,
            "typical_p": 0.5,
        },
        [
            hf.RepetitionPenaltyLogitsProcessor(1.1),
            hf.TemperatureLogitsWarper(0.9),
            hf.TopKLogitsWarper(50),
            hf.TopPLogitsWarper(0.9),
            hf.MinPLogitsWarper(0.01),
            hf.TypicalLogitsWarper(0.5),
        ],
    ),
    "watermark": (
        {"watermark": True},
        [hf.WatermarkLogitsProcessor(VOCAB_SIZE, "cpu", 0.25, 2.0, 15485863)],
    ),
    "watermark after the filters": (
        {"watermark": True, "top_k": 20},
        [
            hf.TopKLogitsWarper(20),
            hf.WatermarkLogitsProcessor(VOCAB_SIZE, "cpu", 0.25, 2.0, 15485863),
        ],
    ),
    "logit_bias": (
        {"logit_bias": ((3, 4.0), (9, -2.5))},
        [hf.SequenceBiasLogitsProcessor([[[3], 4.0], [[9], -2.5]])],
    ),
}


@pytest.mark.parametrize("scale", [0.3, 3.0, 30.0])
@pytest.mark.parametrize("name", CASES)
def test_distribution_equals_that_of_transformers(name: str, scale: float) -> None:
    changes, processors = CASES[name]
    for seed in range(5):
        logits = make_logits(seed, scale)
        sequence = make_sequence(do_sample=True, **changes)
        ours = dense(make_sampler().distribution(logits, sequence, NOTHING))
        torch.testing.assert_close(ours, expected(logits, *processors), atol=1e-6, rtol=1e-4)


@pytest.mark.parametrize("output", [OUTPUT, [1, 2], [2, 3], []])
def test_bad_words_end_no_banned_token_sequence(output: list[int]) -> None:
    bad_words = ((7,), (1, 2, 3), (2, 3), (7, 5, 1))
    logits = make_logits(1)
    sequence = make_sequence(output=output, do_sample=True)
    ours = dense(make_sampler().distribution(logits, sequence, SamplingState(bad_words, ())))
    processor = hf.NoBadWordsLogitsProcessor([list(word) for word in bad_words])
    scores = processor(torch.tensor([[*PROMPT, *output]]), logits[None].clone())[0]
    torch.testing.assert_close(ours, torch.softmax(scores.double(), -1), atol=1e-6, rtol=1e-4)


def test_ending_tokens_are_impossible_until_the_minimum_is_out() -> None:
    state = SamplingState(bad_words_ids=(), ending_token_ids=(4, 11))
    logits = make_logits(2)
    logits[4] = 100.0
    for minimum, is_banned in ((len(OUTPUT), False), (len(OUTPUT) + 1, True)):
        sequence = make_sequence(do_sample=True, min_new_tokens=minimum)
        probabilities = dense(make_sampler().distribution(logits, sequence, state))
        assert (float(probabilities[4]) == 0) is is_banned


def test_presence_and_frequency_penalties_count_output_tokens_only() -> None:
    logits = make_logits(3)
    sequence = make_sequence(do_sample=True, presence_penalty=0.5, frequency_penalty=0.25)
    penalised = logits.clone()
    penalised[8] -= 0.5 + 3 * 0.25
    penalised[9] -= 0.5 + 0.25
    ours = dense(make_sampler().distribution(logits, sequence, NOTHING))
    torch.testing.assert_close(ours, torch.softmax(penalised.double(), -1), atol=1e-9, rtol=1e-6)


@pytest.mark.parametrize("temperature", [1e-3, 1e-6, 1e-38, 5e-324])
def test_a_tiny_temperature_is_greedy(temperature: float) -> None:
    logits = make_logits(4)
    sequence = make_sequence(do_sample=True, temperature=temperature)
    (pick,) = make_sampler().sample(logits[None], [(sequence, NOTHING)])
    assert pick is not None
    assert pick.token_id == int(logits.argmax())


@pytest.mark.parametrize(
    "changes",
    [
        {"temperature": 1e308},
        {"repetition_penalty": 1e308},
        {"repetition_penalty": 5e-324},
        {"repetition_penalty": 1e308, "logit_bias": ((5, 100.0),)},
        {"min_p": 1.0},
        {"typical_p": 5e-324},
        {"top_p": 5e-324, "top_k": 1},
    ],
    ids=str,
)
@pytest.mark.parametrize("do_sample", [True, False])
def test_extreme_parameters_still_pick_a_token(changes: dict[str, Any], do_sample: bool) -> None:
    sequence = make_sequence(do_sample=do_sample, **changes)
    (pick,) = make_sampler().sample(make_logits(5)[None], [(sequence, NOTHING)])
    assert pick is not None
    assert 0 <= pick.token_id < VOCAB_SIZE


def test_greedy_ignores_the_filters_but_not_the_penalties() -> None:
    logits = make_logits(6)
    logits[8] = logits.max() + 1
    cases: list[tuple[dict[str, Any], bool]] = [
        ({"temperature": 9.0, "top_k": 3, "top_p": 0.1}, False),
        ({"repetition_penalty": 1e3}, True),
        ({"presence_penalty": 2.0}, True),
    ]
    for changes, is_penalised in cases:
        (pick,) = make_sampler().sample(logits[None], [(make_sequence(**changes), NOTHING)])
        assert pick is not None
        assert (pick.token_id != 8) is is_penalised


@pytest.mark.parametrize("poison", [float("nan"), float("inf")])
def test_a_row_that_is_not_finite_is_refused_and_its_neighbours_are_not(poison: float) -> None:
    logits = torch.stack([make_logits(seed) for seed in range(3)])
    logits[1, 77] = poison
    rows = [(make_sequence(), NOTHING) for _ in range(3)]
    picks = make_sampler().sample(logits, rows)
    assert [pick is None for pick in picks] == [False, True, False]


def test_nothing_left_to_pick_is_refused() -> None:
    logits = torch.full((1, VOCAB_SIZE), float("-inf"))
    logits[0, 3] = 1.0
    state = SamplingState(bad_words_ids=((3,),), ending_token_ids=())
    sampled = make_sequence(do_sample=True)
    assert make_sampler().sample(logits, [(sampled, state)]) == [None]


def test_a_pick_depends_on_its_own_row_seed_and_index_alone() -> None:
    sequences = [
        make_sequence(output=[0] * index, do_sample=True, seed=2**64 - 1 - index, top_p=0.95)
        for index in range(8)
    ]
    logits = torch.stack([make_logits(index) for index in range(8)])
    rows = [(sequence, NOTHING) for sequence in sequences]
    together = make_sampler().sample(logits, rows)
    alone = [make_sampler().sample(logits[i : i + 1], [rows[i]])[0] for i in range(8)]
    assert together == alone


def test_draws_follow_the_distribution() -> None:
    logits = make_logits(7, scale=1.0)
    logits[20:] = float("-inf")
    counts = torch.zeros(VOCAB_SIZE, dtype=torch.float64)
    num_draws = 4000
    for seed in range(1, num_draws + 1):
        sequence = make_sequence(do_sample=True, seed=seed)
        (pick,) = make_sampler().sample(logits[None], [(sequence, NOTHING)])
        assert pick is not None
        counts[pick.token_id] += 1
    probabilities = torch.softmax(logits.double(), -1)
    spread = (num_draws * probabilities * (1 - probabilities)).sqrt()
    assert ((counts - num_draws * probabilities).abs() <= 5 * spread + 1e-9).all()


def test_logprobs_are_the_models_own() -> None:
    logits = make_logits(8)
    logprobs = torch.log_softmax(logits, -1)
    sequence = make_sequence(do_sample=True, temperature=0.1, repetition_penalty=5.0, logprobs=3)
    (pick,) = make_sampler().sample(logits[None], [(sequence, NOTHING)])
    assert pick is not None
    assert pick.logprob == pytest.approx(float(logprobs[pick.token_id]))
    assert [token_id for token_id, _ in pick.top] == logprobs.topk(3).indices.tolist()
    assert [logprob for _, logprob in pick.top] == pytest.approx(logprobs.topk(3).values.tolist())


def test_uniform_draws_are_pinned_since_seeds_are_a_promise() -> None:
    draws = [uniform(123, 0), uniform(123, 1), uniform(2**64 - 1, 0), uniform(1, 2**40)]
    assert draws == PINNED_DRAWS


def test_neighbouring_seeds_and_indices_draw_unrelated_numbers() -> None:
    grid = torch.tensor([[uniform(2**53 + s, i) for i in range(64)] for s in range(64)])
    assert len(set(grid.flatten().tolist())) > 4090
    assert abs(float(grid.mean()) - 0.5) < 0.02
    assert abs(float(torch.corrcoef(grid).fill_diagonal_(0).mean())) < 0.02
