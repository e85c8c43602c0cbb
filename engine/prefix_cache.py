"""Keys and values of ended sequences, kept for prompts that begin with the same tokens.

Blocks of tokens are found by the hash of all tokens up to their end, and compared before they are
used: what is reused is exactly what would be computed.
"""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

CacheT = TypeVar("CacheT")


@dataclass(frozen=True, slots=True, eq=False)
class Entry(Generic[CacheT]):
    """The cache of the tokens that an ended sequence had computed."""

    token_ids: tuple[int, ...]
    cache: CacheT


class PrefixCache(Generic[CacheT]):
    """Holds at most ``max_tokens`` tokens; the entry whose use is longest ago goes first."""

    def __init__(self, max_tokens: int, block_size: int) -> None:
        self._max_tokens = max_tokens
        self._block_size = block_size
        self._entries: OrderedDict[Entry[CacheT], None] = OrderedDict()
        self._owners: dict[int, Entry[CacheT]] = {}  # by the hash of a prefix
        self.num_tokens = 0
        self.num_reused_tokens = 0

    def find(self, token_ids: Sequence[int]) -> tuple[CacheT, int] | None:
        """A cache whose first n tokens are those given, and n: a multiple of the block size,
        less than all tokens, since the last one has to be computed for its logits."""
        best: tuple[Entry[CacheT], int] | None = None
        for num_tokens, key in self._keys(token_ids[:-1]):
            entry = self._owners.get(key)
            if entry is None or entry.token_ids[:num_tokens] != tuple(token_ids[:num_tokens]):
                break
            best = entry, num_tokens
        if best is None:
            return None
        self._entries.move_to_end(best[0])
        self.num_reused_tokens += best[1]
        return best[0].cache, best[1]

    def add(self, token_ids: Sequence[int], cache: CacheT) -> None:
        """Keep the cache of a sequence that ended, where it holds a block that is not kept yet."""
        keys = [key for _, key in self._keys(token_ids)]
        if not keys or len(token_ids) > self._max_tokens or keys[-1] in self._owners:
            return
        entry = Entry(tuple(token_ids), cache)
        self._entries[entry] = None
        self.num_tokens += len(token_ids)
        for key in keys:
            self._owners[key] = entry
        while self.num_tokens > self._max_tokens:
            self._drop(next(iter(self._entries)))

    def _drop(self, entry: Entry[CacheT]) -> None:
        del self._entries[entry]
        self.num_tokens -= len(entry.token_ids)
        for _, key in self._keys(entry.token_ids):
            if self._owners.get(key) is entry:
                del self._owners[key]

    def _keys(self, token_ids: Sequence[int]) -> Iterator[tuple[int, int]]:
        """For each whole block, the number of tokens up to its end and their hash."""
        key = 0
        for end in range(self._block_size, len(token_ids) + 1, self._block_size):
            key = hash((key, *token_ids[end - self._block_size : end]))
            yield end, key
