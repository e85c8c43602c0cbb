from hypothesis import given
from hypothesis import strategies as st

from engine.prefix_cache import PrefixCache

BLOCK = 4


def test_the_longest_known_prefix_of_whole_blocks_is_found() -> None:
    cache: PrefixCache[str] = PrefixCache(100, BLOCK)
    cache.add(range(10), "ten")
    assert cache.find([*range(8), 99, 98]) == ("ten", 8)
    assert cache.find([*range(6), 99]) == ("ten", 4)
    assert cache.find([0, 1, 2]) is None
    assert cache.find([7, *range(1, 10)]) is None


def test_the_last_token_is_always_left_to_compute() -> None:
    cache: PrefixCache[str] = PrefixCache(100, BLOCK)
    cache.add(range(8), "eight")
    assert cache.find(range(8)) == ("eight", 4)
    assert cache.find(range(9)) == ("eight", 8)


def test_a_longer_sequence_takes_over_the_blocks_that_it_shares() -> None:
    cache: PrefixCache[str] = PrefixCache(14, BLOCK)
    cache.add(range(5), "short")
    cache.add(range(9), "long")
    assert cache.find(range(20)) == ("long", 8)
    cache.add(range(100, 105), "other")  # the budget makes "short" go
    assert cache.find(range(20)) == ("long", 8)
    assert cache.num_tokens == 14


def test_what_was_used_longest_ago_goes_first() -> None:
    cache: PrefixCache[str] = PrefixCache(12, BLOCK)
    for begin, name in ((0, "a"), (10, "b"), (20, "c")):
        cache.add(range(begin, begin + 4), name)
    assert cache.find(range(0, 6)) == ("a", 4)
    cache.add(range(30, 34), "d")
    assert cache.find(range(0, 6)) == ("a", 4)
    assert cache.find(range(10, 16)) is None


def test_nothing_is_kept_that_does_not_fit_or_has_no_whole_block() -> None:
    cache: PrefixCache[str] = PrefixCache(6, BLOCK)
    cache.add(range(7), "too long")
    cache.add(range(3), "too short")
    assert cache.num_tokens == 0


@given(
    st.lists(st.lists(st.integers(0, 1), max_size=14), max_size=12),
    st.lists(st.integers(0, 1), min_size=1, max_size=14),
)
def test_what_is_found_always_begins_with_the_tokens_asked_for(
    sequences: list[list[int]], prompt: list[int]
) -> None:
    cache: PrefixCache[tuple[int, ...]] = PrefixCache(30, BLOCK)
    for sequence in sequences:
        cache.add(sequence, tuple(sequence))
        assert cache.num_tokens <= 30
    found = cache.find(prompt)
    if found is not None:
        kept, num_tokens = found
        assert num_tokens % BLOCK == 0
        assert 0 < num_tokens < len(prompt)
        assert list(kept[:num_tokens]) == prompt[:num_tokens]
