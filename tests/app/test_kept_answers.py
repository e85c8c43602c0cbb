"""The memory of answers: for how long, and how much."""

import pytest

from app import kept_answers
from app.kept_answers import ENTRY_BYTES, KeptAnswers
from app.shared_run import Answer


def answer(num_bytes: int = 0) -> Answer:
    return Answer({"type": "http.response.start", "status": 200, "headers": []}, b"x" * num_bytes)


def test_an_answer_is_forgotten_after_its_lifetime(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(kept_answers, "monotonic", lambda: now)
    kept = KeptAnswers(lifetime=10, max_bytes=10_000)
    kept.keep((None, "a"), b"1", answer())
    now += 9
    assert kept.find((None, "a")) is not None
    now += 1
    assert kept.find((None, "a")) is None
    assert kept.num_bytes == 0


def test_the_oldest_go_first_when_the_memory_is_full() -> None:
    kept = KeptAnswers(lifetime=10, max_bytes=3 * ENTRY_BYTES)
    for name in "abcd":
        kept.keep((None, name), b"1", answer())
    assert [kept.find((None, name)) is not None for name in "abcd"] == [False, True, True, True]
    kept.keep((None, "e"), b"1", answer(ENTRY_BYTES))
    assert [kept.find((None, name)) is not None for name in "bcde"] == [False, False, True, True]


def test_an_answer_larger_than_the_memory_drives_out_nothing() -> None:
    kept = KeptAnswers(lifetime=10, max_bytes=2 * ENTRY_BYTES)
    kept.keep((None, "a"), b"1", answer())
    kept.keep((None, "b"), b"1", answer(ENTRY_BYTES + 1))
    assert kept.find((None, "a")) is not None
    assert kept.find((None, "b")) is None


def test_memory_stays_bounded_however_many_answers_come() -> None:
    kept = KeptAnswers(lifetime=10, max_bytes=100_000)
    for number in range(5000):
        kept.keep((None, str(number)), b"1", answer(number % 500))
        assert kept.num_bytes <= 100_000
