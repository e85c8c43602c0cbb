"""The memory for keys and values, planned at the start."""

import pytest

from engine import ModelLoadError
from engine.kv_budget import plan_kv_tokens
from tests.engine.conftest import MakeConfig

BYTES_PER_TOKEN = 1000


@pytest.fixture(autouse=True)
def free_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three million bytes are free."""
    monkeypatch.setattr("engine.kv_budget._free_bytes", lambda _device: 3_000_000)


def plan(make_config: MakeConfig, **changes: object) -> int:
    config = make_config(**{"max_prefix_tokens": 100, **changes})
    return plan_kv_tokens(config, 4096, BYTES_PER_TOKEN, "cpu")


def test_a_full_batch_of_the_longest_sequences_is_planned_where_it_fits(
    make_config: MakeConfig,
) -> None:
    assert plan(make_config, max_seq_len=150) == 4 * 151


def test_no_more_than_the_share_of_the_free_memory_is_planned(make_config: MakeConfig) -> None:
    # Half of the bytes, of which a token takes half as many again while its cache grows.
    assert plan(make_config, max_seq_len=300) == 1000 - 100
    assert plan(make_config, max_seq_len=300, kv_memory_fraction=0.25) == 500 - 100


def test_mapped_weights_are_not_free_memory(
    make_config: MakeConfig,
) -> None:
    config = make_config(max_prefix_tokens=100, max_seq_len=300)
    assert plan_kv_tokens(config, 4096, BYTES_PER_TOKEN, "cpu", 900_000) == 700 - 100
    with pytest.raises(ModelLoadError, match="room for 0 tokens"):
        plan_kv_tokens(config, 4096, BYTES_PER_TOKEN, "cpu", 4_000_000)


def test_a_number_that_was_set_is_taken(make_config: MakeConfig) -> None:
    assert plan(make_config, max_kv_tokens=77777) == 77777


@pytest.mark.parametrize(
    ("changes", "room"),
    [
        ({"max_seq_len": 900}, 900),
        ({"max_kv_tokens": 256}, 256),
        ({"kv_memory_fraction": 0.01}, -80),
    ],
)
def test_a_budget_without_room_for_the_longest_sequence_is_refused_with_numbers(
    make_config: MakeConfig, changes: dict[str, object], room: int
) -> None:
    with pytest.raises(ModelLoadError) as caught:
        plan(make_config, **changes)
    longest = changes.get("max_seq_len", 256)
    assert isinstance(longest, int)
    assert f"{max(0, room)} tokens, less than the {longest + 1} of" in str(caught.value)
    assert "(1000 bytes a token)" in str(caught.value)
