"""The keys and values of running sequences, and of ended ones that a new prompt may begin like."""

from collections.abc import Callable
from dataclasses import dataclass

from torch import Tensor

from engine.prefix_cache import PrefixCache
from engine.sequence import Sequence

BLOCK = 16  # tokens that are kept or taken over together
_CAPACITY_STEP = 4 * BLOCK  # tokens; capacities are multiples of it
_GROWTH = 1.25  # of a capacity that is too small: copying costs O(1) a token


@dataclass(frozen=True, slots=True)
class KVCache:
    """Tensors [layers, H_kv, places, ...] of one sequence, with a place for each token or each
    block of them."""

    tensors: tuple[Tensor, ...]
    capacity: int  # tokens

    def take_over(self, other: "KVCache", num_tokens: int) -> None:
        """Copy the first tokens, whole blocks of them."""
        for own, theirs in zip(self.tensors, other.tensors, strict=True):
            places = num_tokens // (other.capacity // theirs.shape[2])
            own[:, :, :places] = theirs[:, :, :places]


@dataclass(frozen=True, slots=True)
class CachedSpan:
    """Tokens of one sequence that stand together in a batch, from row ``offset`` on."""

    cache: KVCache
    offset: int
    num_tokens: int
    start: int  # position of the first


class KVPool:
    """The cache of each sequence. ``new_cache`` makes one for so many tokens."""

    def __init__(self, new_cache: Callable[[int], KVCache], max_prefix_tokens: int) -> None:
        self._new_cache = new_cache
        self._caches: dict[Sequence, KVCache] = {}
        self._prefixes: PrefixCache[KVCache] = PrefixCache(max_prefix_tokens, BLOCK)

    def admit(self, sequence: Sequence) -> None:
        """Take over what is kept of a sequence that began with the same tokens."""
        token_ids = sequence.token_ids(0, sequence.num_tokens)
        found = self._prefixes.find(token_ids)
        if found is None:
            return
        kept, num_tokens = found
        self.with_room_for(sequence, len(token_ids)).take_over(kept, num_tokens)
        sequence.num_computed_tokens = num_tokens

    def release(self, sequence: Sequence) -> None:
        """Free the sequence's keys and values, or keep them for the next one that can use them."""
        cache = self._caches.pop(sequence, None)
        if cache is not None:
            self._prefixes.add(sequence.token_ids(0, sequence.num_computed_tokens), cache)
        sequence.num_computed_tokens = 0

    @property
    def num_reused_tokens(self) -> int:
        """Tokens that were taken over instead of computed, since the start."""
        return self._prefixes.num_reused_tokens

    @property
    def num_cached_tokens(self) -> int:
        # Asked for by other threads: a copy of the keys is one operation of the interpreter.
        return sum(sequence.num_computed_tokens for sequence in tuple(self._caches))

    def with_room_for(self, sequence: Sequence, num_tokens: int) -> KVCache:
        cache = self._caches.get(sequence)
        if cache is not None and cache.capacity >= num_tokens:
            return cache
        wanted = max(num_tokens, int(_GROWTH * cache.capacity) if cache is not None else 0)
        grown = self._new_cache(-(-wanted // _CAPACITY_STEP) * _CAPACITY_STEP)
        if cache is not None:
            grown.take_over(cache, cache.capacity)
        self._caches[sequence] = grown
        return grown
