"""Guessing tokens: what is guessed, when, and that it changes nothing but the number of steps."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.scheduler import Span
from engine.sequence import Sequence as TokenSequence
from engine.speculation import PromptLookup, Speculator
from tests.params import params

TOKENS = st.lists(st.integers(0, 3), min_size=1, max_size=60)


def make_sequence(
    prompt: Sequence[int], *output: int, max_output_tokens: int = 99
) -> TokenSequence:
    sequence = TokenSequence("x", tuple(prompt), params(), 5, max_output_tokens)
    sequence.output_token_ids.extend(output)
    sequence.num_computed_tokens = sequence.num_tokens - 1
    return sequence


def draft(speculator: Speculator, *sequences: TokenSequence, room: int = 99) -> list[int]:
    """The lengths of the drafts that a step of these sequences gets."""
    spans = speculator.extend([Span(sequence, 1) for sequence in sequences], room)
    assert [span.sequence for span in spans] == list(sequences)
    return [len(span.draft_token_ids) for span in spans]


@given(TOKENS, st.integers(1, 6))
def test_a_draft_is_what_followed_the_longest_match_that_stands_last(
    token_ids: list[int], num_tokens: int
) -> None:
    def expected() -> tuple[int, ...]:
        for size in (4, 3, 2, 1):
            for place in range(len(token_ids) - 1, size - 1, -1):
                if token_ids[place - size : place] == token_ids[len(token_ids) - size :]:
                    return tuple(token_ids[place : place + num_tokens])
        return ()

    assert PromptLookup().draft(token_ids, num_tokens) == expected()


@given(TOKENS, st.sets(st.integers(1, 59)))
def test_it_makes_no_difference_when_it_was_asked_before(
    token_ids: list[int], lengths: set[int]
) -> None:
    lookup = PromptLookup()
    for length in sorted(lengths):
        lookup.draft(token_ids[:length], 3)
    assert lookup.draft(token_ids, 5) == PromptLookup().draft(token_ids, 5)


def test_drafts_are_short_until_one_was_right_and_again_after_one_was_wrong() -> None:
    speculator, sequence = Speculator(5), make_sequence(range(20), *range(5))
    lengths = []
    for num_accepted in (2, 5, 3, 0, 2):
        [span] = speculator.extend([Span(sequence, 1)], 99)
        lengths.append(len(span.draft_token_ids))
        speculator.settle(span, num_accepted)
    assert lengths == [2, 5, 5, 2, 2]
    assert speculator.num_drafted_tokens == 16
    assert speculator.num_accepted_tokens == 12


def test_a_forgotten_sequence_begins_anew() -> None:
    speculator, sequence = Speculator(5), make_sequence(range(20), *range(5))
    [span] = speculator.extend([Span(sequence, 1)], 99)
    speculator.settle(span, 2)
    speculator.forget(sequence)
    assert draft(speculator, sequence) == [2]


def repeating(num_sequences: int) -> list[TokenSequence]:
    return [make_sequence(range(20), *range(5)) for _ in range(num_sequences)]


@pytest.mark.parametrize(("num_sequences", "lengths"), [(1, [2]), (2, [1, 0]), (3, [0, 0, 0])])
def test_the_more_sequences_run_the_less_is_guessed(num_sequences: int, lengths: list[int]) -> None:
    assert draft(Speculator(5), *repeating(num_sequences)) == lengths


def test_nothing_is_guessed_beside_a_prompt_or_of_one() -> None:
    speculator = Speculator(5)
    unfinished = make_sequence([1, 2, 3] * 10)
    unfinished.num_computed_tokens = 0
    decoding = make_sequence([1, 2, 3, 1, 2], 3)
    spans = [Span(decoding, 1), Span(unfinished, 20)]
    assert speculator.extend(spans, 99) == spans
    assert speculator.extend([Span(unfinished, 3)], 99) == [Span(unfinished, 3)]


def test_sequences_that_were_guessed_right_share_more_rows() -> None:
    speculator, sequences = Speculator(5), repeating(3)
    for sequence in sequences:
        [span] = speculator.extend([Span(sequence, 1)], 99)
        speculator.settle(span, len(span.draft_token_ids))
    assert draft(speculator, sequences[0]) == [5]
    assert draft(speculator, *sequences[:2]) == [2, 2]
    assert draft(speculator, *sequences) == [1, 1, 1]


@pytest.mark.parametrize("room", [0, 1, 2])
def test_no_more_is_guessed_than_there_is_room_for(room: int) -> None:
    [sequence] = repeating(1)
    assert sum(draft(Speculator(5), sequence, room=room)) <= room


def test_nothing_is_guessed_beyond_the_last_token() -> None:
    for num_left in (1, 2, 3, 4):
        sequence = make_sequence(range(20), *range(5), max_output_tokens=5 + num_left)
        assert draft(Speculator(5), sequence) == [min(2, num_left - 1)]


def test_it_can_be_turned_off() -> None:
    assert draft(Speculator(0), *repeating(1)) == [0]
