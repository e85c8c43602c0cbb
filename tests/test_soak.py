"""Some of what `make soak` does for half an hour."""

from pathlib import Path

import pytest

from tests.soak import soak

SECONDS = 40


@pytest.mark.slow
def test_a_while_of_everything_at_once_loses_and_leaks_nothing(tmp_path: Path) -> None:
    ledger, before, after, exit_status = soak(SECONDS, tmp_path)
    assert ledger.surprises == []
    assert exit_status == 0
    assert not after.has_grown_too_much(before), (before, after)
    told = " ".join(ledger.outcomes)
    for outcome in ("ask: 200", "ask: 429", "NaN: 424", "exception: 424", "lack memory: 200"):
        assert outcome in told
    assert "stream: 200" in told
    assert "leave: left" in told
    assert "lack time: 408" in told
