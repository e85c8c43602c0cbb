"""Answers that are kept for a while, in memory of a bounded size."""

from collections import OrderedDict
from dataclasses import dataclass
from time import monotonic

from app.shared_run import Answer

Key = tuple[str | None, str]  # name of the API key, and the client's own key
ENTRY_BYTES = 1024  # of an entry beside its answer's body: keys, headers, the objects themselves


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer, and the digest of the request that it answers."""

    digest: bytes
    answer: Answer
    until: float


class KeptAnswers:
    """The oldest go first. ``lifetime`` is in seconds, and the same for all."""

    def __init__(self, lifetime: float, max_bytes: int) -> None:
        self._lifetime = lifetime
        self._max_bytes = max_bytes
        self._kept: OrderedDict[Key, Kept] = OrderedDict()
        self.num_bytes = 0

    def find(self, key: Key) -> Kept | None:
        self._drop_expired()
        return self._kept.get(key)

    def keep(self, key: Key, digest: bytes, answer: Answer) -> None:
        """An answer that alone is too large is not kept, and drives out nothing."""
        self._drop_expired()
        if _size(answer) > self._max_bytes:
            return
        self._kept[key] = Kept(digest, answer, monotonic() + self._lifetime)
        self.num_bytes += _size(answer)
        while self.num_bytes > self._max_bytes:
            self._drop_oldest()

    def _drop_expired(self) -> None:
        now = monotonic()
        while self._kept and next(iter(self._kept.values())).until <= now:
            self._drop_oldest()

    def _drop_oldest(self) -> None:
        _, kept = self._kept.popitem(last=False)
        self.num_bytes -= _size(kept.answer)


def _size(answer: Answer) -> int:
    return len(answer.body) + ENTRY_BYTES
