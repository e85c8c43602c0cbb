"""Guesses what a sequence says next from what it has said, so that a step brings several tokens.

Prompt lookup (Saxena 2023; Yang et al., arXiv:2304.04487): where the last few tokens have stood
before, those that followed them then are the draft. The model computes the draft's rows beside
the last token's, and a drafted token is kept where it is the very one that would have been picked:
the draw of a token depends on the seed and its place alone. So a draft changes no text where a
row's logits do not depend on the rows beside it, and only there may it be made.
"""

from collections.abc import Sequence as Sequences
from dataclasses import dataclass, field, replace

from engine.scheduler import Span
from engine.sequence import Sequence

_LONGEST_MATCH = 4  # tokens
_FIRST_DRAFT = 2  # tokens of a sequence whose last draft was not kept whole
# Rows of a step up to which one more costs little: with few rows a step waits for the weights.
_CHEAP_ROWS = 3
_WORTHWHILE_ROWS = 6  # where drafts have just been kept


class PromptLookup:
    """The last place of each group of up to four tokens of one sequence."""

    def __init__(self) -> None:
        self._places: dict[tuple[int, ...], int] = {}  # of the token after the group
        self._num_indexed = 0

    def draft(self, token_ids: Sequences[int], num_tokens: int) -> tuple[int, ...]:
        """At most ``num_tokens`` that followed the last ones before; the longest match counts.

        ``token_ids`` are those of the call before and what has come since.
        """
        for place in range(max(1, self._num_indexed), len(token_ids)):
            for size in range(1, min(_LONGEST_MATCH, place) + 1):
                self._places[tuple(token_ids[place - size : place])] = place
        self._num_indexed = len(token_ids)
        for size in range(min(_LONGEST_MATCH, len(token_ids)), 0, -1):
            found = self._places.get(tuple(token_ids[-size:]))
            if found is not None:
                return tuple(token_ids[found : found + num_tokens])
        return ()


@dataclass(slots=True)
class _State:
    lookup: PromptLookup = field(default_factory=PromptLookup)
    was_right: bool = False  # the whole of the last draft


class Speculator:
    """Adds drafts of at most ``max_draft_tokens`` to the spans of a step; 0 turns it off."""

    def __init__(self, max_draft_tokens: int) -> None:
        self._max_draft_tokens = max_draft_tokens
        self._states: dict[Sequence, _State] = {}
        self.num_drafted_tokens = 0
        self.num_accepted_tokens = 0

    def extend(self, spans: list[Span], room: int) -> list[Span]:
        """The spans with drafts, of at most ``room`` tokens in all, where that is worthwhile."""
        room = min(room, _WORTHWHILE_ROWS - sum(span.num_tokens for span in spans))
        if not self._max_draft_tokens or room <= 0:
            return spans
        extended = []
        for index, span in enumerate(spans):
            span = self._with_draft(span, room, len(spans) - index)
            room -= len(span.draft_token_ids)
            extended.append(span)
        return extended

    def settle(self, span: Span, num_accepted: int) -> None:
        """Learn how much of a span's draft was kept."""
        num_drafted = len(span.draft_token_ids)
        self.num_drafted_tokens += num_drafted
        self.num_accepted_tokens += num_accepted
        state = self._states.get(span.sequence)  # none where the sequence has just ended
        if num_drafted and state is not None:
            state.was_right = num_accepted == num_drafted

    def forget(self, sequence: Sequence) -> None:
        self._states.pop(sequence, None)

    def _with_draft(self, span: Span, room: int, num_sharing: int) -> Span:
        sequence = span.sequence
        if not span.is_last_of_known_tokens or not sequence.output_token_ids:
            return span
        state = self._states.setdefault(sequence, _State())
        wanted = self._max_draft_tokens
        if not state.was_right:
            wanted = min(wanted, _FIRST_DRAFT)
            room -= _WORTHWHILE_ROWS - _CHEAP_ROWS
        # The last token of all needs no draft: it is what this step computes anyway.
        num_left = sequence.max_output_tokens - sequence.num_output_tokens - 1
        num_tokens = min(wanted, num_left, -(-room // num_sharing))
        if num_tokens <= 0:
            return span
        token_ids = sequence.token_ids(0, sequence.num_tokens)
        return replace(span, draft_token_ids=state.lookup.draft(token_ids, num_tokens))
