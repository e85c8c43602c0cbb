"""Which sequence computes how many tokens in the next step: bookkeeping without torch or clock.

Sequences join and leave at token boundaries (continuous batching, Orca, OSDI 2022), and a prompt
is computed in chunks beside the decoding sequences (Sarathi-Serve, arXiv:2403.02310), so that a
long prompt never holds the others up for more than one chunk.
"""

import heapq
import itertools
from dataclasses import dataclass

from engine.sequence import Sequence


@dataclass(frozen=True, slots=True)
class Span:
    """The next ``num_tokens`` uncomputed tokens of one sequence, to be computed in this step."""

    sequence: Sequence
    num_tokens: int

    @property
    def start(self) -> int:
        return self.sequence.num_computed_tokens

    @property
    def is_last_of_known_tokens(self) -> bool:
        """Whether the logits after this span pick a new token."""
        return self.num_tokens == self.sequence.num_uncomputed_tokens


class Scheduler:
    """Keeps the waiting sequences, by priority and arrival, and the running ones."""

    def __init__(self, max_num_seqs: int, max_num_batched_tokens: int) -> None:
        self._max_num_seqs = max_num_seqs
        self._max_num_batched_tokens = max_num_batched_tokens
        self._arrivals = itertools.count()
        self._waiting: list[tuple[int, int, Sequence]] = []
        self.running: list[Sequence] = []

    @property
    def num_waiting(self) -> int:
        return len(self._waiting)

    @property
    def has_work(self) -> bool:
        return bool(self.running or self._waiting)

    def add(self, sequence: Sequence) -> None:
        heapq.heappush(self._waiting, (sequence.priority, next(self._arrivals), sequence))

    def remove(self, sequence: Sequence) -> None:
        """Forget a sequence, wherever it is."""
        if sequence in self.running:
            self.running.remove(sequence)
            return
        self._waiting = [entry for entry in self._waiting if entry[2] is not sequence]
        heapq.heapify(self._waiting)

    def schedule(self) -> list[Span]:
        """Admit what fits, then give each running sequence its share of the step.

        Decoding sequences come first: each needs one token, and a full batch of them always fits.
        """
        while self._waiting and len(self.running) < self._max_num_seqs:
            self.running.append(heapq.heappop(self._waiting)[2])
        budget = self._max_num_batched_tokens
        spans = []
        for sequence in sorted(self.running, key=lambda seq: seq.num_uncomputed_tokens > 1):
            num_tokens = min(sequence.num_uncomputed_tokens, budget)
            if num_tokens > 0:
                spans.append(Span(sequence, num_tokens))
                budget -= num_tokens
        return spans
