"""What a step found out about the tokens that it computed before they were known."""

from collections.abc import Sequence as Sequences
from dataclasses import dataclass

from torch import Tensor

from engine.sampler import Pick
from engine.scheduler import Span
from engine.sequence import Sequence


@dataclass(slots=True)
class Draft:
    """The rows of logits of one span, of which the next one to be looked at is ``row``."""

    span: Span
    row: int
    num_accepted: int = 0
    is_open: bool = True

    @property
    def sequence(self) -> Sequence:
        return self.span.sequence

    def check(self, pick: Pick | None, *, ends: bool) -> None:
        """Take what was picked for the row. Where the draft said so, the next row counts too."""
        drafted = self.span.draft_token_ids[self.num_accepted : self.num_accepted + 1]
        self.is_open = not ends and pick is not None and drafted == (pick.token_id,)
        if self.is_open:
            self.row += 1
            self.num_accepted += 1
            self.sequence.num_computed_tokens += 1


def drafts_of(spans: Sequences[Span]) -> list[Draft]:
    """A draft, which may be empty, for each span that has logits, after its forward pass."""
    drafts = []
    row = 0
    for span in spans:
        if span.sequence.num_uncomputed_tokens == 0:  # none is left of the known ones
            drafts.append(Draft(span, row))
            row += 1 + len(span.draft_token_ids)
    return drafts


def rows_of(drafts: Sequences[Draft], logits: Tensor) -> Tensor:
    """The logits [len(drafts), V] that are to be looked at now."""
    rows = [draft.row for draft in drafts]
    return logits if rows == list(range(len(logits))) else logits[rows]
