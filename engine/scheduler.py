"""Which sequence computes how many tokens in the next step: bookkeeping without torch or clock.

Sequences join and leave at token boundaries (continuous batching, Orca, OSDI 2022), and a prompt
is computed in chunks beside the decoding sequences (Sarathi-Serve, arXiv:2403.02310), so that a
long prompt never holds the others up for more than one chunk.
"""

import heapq
import itertools
from collections.abc import Callable
from collections.abc import Sequence as Sequences
from dataclasses import dataclass

from engine.sequence import Sequence

PLACES_PER_PRIORITY = 64  # that a sequence is behind those of the next better priority


@dataclass(frozen=True, slots=True)
class Span:
    """The next ``num_tokens`` uncomputed tokens of one sequence, to be computed in this step, and
    behind them the tokens of a draft, which are not known to be the sequence's yet."""

    sequence: Sequence
    num_tokens: int
    draft_token_ids: tuple[int, ...] = ()

    @property
    def start(self) -> int:
        return self.sequence.num_computed_tokens

    @property
    def is_last_of_known_tokens(self) -> bool:
        """Whether the logits after this span pick a new token."""
        return self.num_tokens == self.sequence.num_uncomputed_tokens

    @property
    def token_ids(self) -> list[int]:
        """What is computed, the draft included."""
        stop = self.start + self.num_tokens
        return [*self.sequence.token_ids(self.start, stop), *self.draft_token_ids]


class Scheduler:
    """Keeps the waiting sequences, by priority and arrival, and the running ones.

    A priority is so many places in the queue, so that nobody waits for ever: whoever came early
    enough goes first, whatever the priority of those who come later.

    The running sequences never hold more than ``max_kv_tokens`` tokens together: a sequence is
    admitted when its tokens fit, and where the next tokens of all would not, those that came last
    give up their place, to be computed again later. ``max_kv_tokens`` has to hold the longest
    single sequence, or it would never run.
    """

    def __init__(
        self,
        *,
        max_num_seqs: int,
        max_num_batched_tokens: int,
        max_chunk_tokens: int,
        max_kv_tokens: int,
        admit: Callable[[Sequence], None],
        release: Callable[[Sequence], None],
    ) -> None:
        self._max_num_seqs = max_num_seqs
        self._max_num_batched_tokens = max_num_batched_tokens
        self._max_chunk_tokens = max_chunk_tokens
        self._max_kv_tokens = max_kv_tokens
        self._tell_admitted = admit
        self._release = release
        self._arrivals = itertools.count()
        self._places: dict[Sequence, tuple[int, int]] = {}  # in the queue, arrival
        self._waiting: list[tuple[tuple[int, int], Sequence]] = []
        self.running: list[Sequence] = []  # by their place in the queue
        self.num_preemptions = 0

    @property
    def num_waiting(self) -> int:
        return len(self._waiting)

    @property
    def has_work(self) -> bool:
        return bool(self.running or self._waiting)

    def add(self, sequence: Sequence) -> None:
        arrival = next(self._arrivals)
        self._places[sequence] = (arrival + PLACES_PER_PRIORITY * sequence.priority, arrival)
        self._wait(sequence)

    def remove(self, sequence: Sequence) -> None:
        """Forget a sequence, wherever it is, and release what it holds."""
        del self._places[sequence]
        if sequence in self.running:
            self.running.remove(sequence)
        else:
            self._waiting = [entry for entry in self._waiting if entry[1] is not sequence]
            heapq.heapify(self._waiting)
        self._release(sequence)

    def schedule(self) -> list[Span]:
        """Make room, admit what fits, then give each running sequence its share of the step.

        Decoding sequences come first: each needs one token, and a full batch of them always fits.
        The prompts beside them get at most ``max_chunk_tokens`` together, so that they wait less.
        """
        self._preempt()
        self._admit()
        spans = [Span(sequence, 1) for sequence in self.running if _is_decoding(sequence)]
        budget = self._max_num_batched_tokens - len(spans)
        if spans:
            budget = min(budget, self._max_chunk_tokens)
        for sequence in self.running:
            num_tokens = min(sequence.num_uncomputed_tokens, budget)
            if num_tokens > 0 and not _is_decoding(sequence):
                spans.append(Span(sequence, num_tokens))
                budget -= num_tokens
        return spans

    def num_spare_tokens(self, spans: Sequences[Span]) -> int:
        """How many more tokens a step of these spans could compute and hold."""
        num_tokens = sum(span.num_tokens for span in spans)
        return min(
            self._max_num_batched_tokens - num_tokens, self._max_kv_tokens - self._num_kv_tokens()
        )

    def _wait(self, sequence: Sequence) -> None:
        heapq.heappush(self._waiting, (self._places[sequence], sequence))

    def _num_kv_tokens(self) -> int:
        """What the running sequences hold once all their known tokens are computed."""
        return sum(sequence.num_tokens for sequence in self.running)

    def _preempt(self) -> None:
        while self._num_kv_tokens() > self._max_kv_tokens:
            last = max(self.running, key=self._places.__getitem__)
            self.running.remove(last)
            self._release(last)
            self._wait(last)
            self.num_preemptions += 1

    def _admit(self) -> None:
        room = self._max_kv_tokens - self._num_kv_tokens()
        while self._waiting and len(self.running) < self._max_num_seqs:
            # One more for each that runs, or the next step would take back what this one gave.
            num_tokens = self._waiting[0][1].num_tokens
            if self.running and num_tokens + len(self.running) + 1 > room:
                return
            sequence = heapq.heappop(self._waiting)[1]
            self._tell_admitted(sequence)
            self.running.append(sequence)
            room -= num_tokens


def _is_decoding(sequence: Sequence) -> bool:
    return sequence.num_uncomputed_tokens == 1
