"""What both decoders of packed weights promise: a row's bits are its own."""

import random
from typing import Any

import pytest
import torch

from engine.native import is_available
from engine.scheduler import Span
from engine.sequence import Sequence
from tests.engine.packed_runners import (
    FAMILY,
    SHAPES,
    every,
    last_logits,
    make_family_model,
    make_runner,
    make_sequence,
)

Kind = dict[str, Any]
NATIVE = pytest.mark.skipif(not is_available(), reason="built without a compiler")
KINDS = [
    pytest.param({"decoder": "native"}, id="native-float32", marks=NATIVE),
    pytest.param({"decoder": "native", "quantize": True}, id="native-int8", marks=NATIVE),
    # Slow for the daily check, where the sums of tests/engine/test_exact.py stand for it.
    pytest.param({"decoder": "exact", "quantize": True}, id="exact-int8", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
@pytest.mark.parametrize("kind", KINDS)
def test_a_number_that_is_none_spoils_its_own_row_alone(number: float, kind: Kind) -> None:
    model = make_family_model("llama", tie_word_embeddings=False)
    alone = last_logits(make_runner(model, **kind), 9, 1, every(128))
    good, bad = make_sequence(9, 1), make_sequence(9, 2)
    [token_id] = bad.token_ids(8, 9)
    assert token_id not in good.token_ids(0, 9)
    with torch.no_grad():
        model.get_input_embeddings().weight[token_id, 5] = number
    runner = make_runner(model, **kind)

    logits = runner.forward([Span(bad, 9), Span(good, 9)])

    assert not logits[0].isfinite().any()
    assert torch.equal(logits[1], alone)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("architecture", FAMILY)
def test_no_bit_depends_on_how_a_prompt_is_cut(architecture: str, kind: Kind) -> None:
    runner = make_runner(make_family_model(architecture), **kind)
    whole = last_logits(runner, 100, 1, every(128))
    for size in (1, 2, 3, 7, 64, 99):
        assert torch.equal(last_logits(runner, 100, 1, every(size)), whole)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("architecture", FAMILY)
def test_no_bit_depends_on_the_neighbours(architecture: str, kind: Kind) -> None:
    runner = make_runner(make_family_model(architecture), **kind)
    chooser = random.Random(5)
    lengths = {seed: chooser.randrange(1, 90) for seed in range(24)}
    alone = {seed: last_logits(runner, n, seed, every(128)) for seed, n in lengths.items()}
    waiting = [make_sequence(n, seed) for seed, n in lengths.items()]
    running: list[Sequence] = []
    while waiting or running:
        while waiting and len(running) < chooser.randrange(1, 9):
            running.append(waiting.pop())
        spans = [
            Span(sequence, min(sequence.num_uncomputed_tokens, chooser.randrange(1, 14)))
            for sequence in running
        ]
        done = [span.sequence for span in spans if span.is_last_of_known_tokens]
        logits = runner.forward(spans)
        for row, sequence in enumerate(done):
            assert torch.equal(logits[row], alone[int(sequence.request_id)])
            running.remove(sequence)
            runner.release(sequence)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("architecture", SHAPES)
def test_a_row_has_the_same_bits_among_1_to_64_rows(architecture: str, kind: Kind) -> None:
    runner = make_runner(make_family_model(architecture), **kind)
    expected = last_logits(runner, 1, 0, every(1))
    for num_rows in range(1, 65):
        sequences = [make_sequence(1, seed) for seed in range(num_rows)]
        logits = runner.forward([Span(sequence, 1) for sequence in sequences])
        assert torch.equal(logits[0], expected)
        for sequence in sequences:
            runner.release(sequence)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("architecture", SHAPES)
def test_no_bit_depends_on_a_prefix_that_was_kept(architecture: str, kind: Kind) -> None:
    runner = make_runner(make_family_model(architecture), **kind)
    expected = last_logits(runner, 100, 1, every(100))
    for num_shared in (15, 16, 17, 64, 99, 100):
        donor = make_sequence(100, 1)
        donor.prompt_token_ids = donor.prompt_token_ids[:num_shared]
        runner.forward([Span(donor, num_shared)])
        runner.release(donor)
        sequence = make_sequence(100, 1)
        before = runner.num_reused_tokens
        runner.admit(sequence)
        assert runner.num_reused_tokens - before == sequence.num_computed_tokens
        logits = runner.forward([Span(sequence, sequence.num_uncomputed_tokens)])
        assert torch.equal(logits[0], expected)
        runner.release(sequence)
    assert runner.num_reused_tokens > 0


@pytest.mark.parametrize("kind", KINDS)
def test_released_sequences_leave_nothing_behind(kind: Kind) -> None:
    runner = make_runner(make_family_model("llama"), **kind)
    sequence = make_sequence(30, 1)
    runner.forward([Span(sequence, 30)])
    assert runner.num_cached_tokens == 30
    runner.release(sequence)
    assert runner.num_cached_tokens == 0
    assert sequence.num_computed_tokens == 0
