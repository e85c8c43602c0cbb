"""The bound of the queue, and when to come back."""

import pytest

from engine import EngineOverloadedError
from engine.admission import Admission


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def make(max_tokens: int = 1000, clock: Clock | None = None) -> Admission:
    return Admission(2, 3, max_tokens, clock or Clock())


def retry_after(admission: Admission) -> int:
    with pytest.raises(EngineOverloadedError) as caught:
        admission.enter()
    return caught.value.retry_after


def test_as_many_as_run_and_wait_are_let_in_and_another_when_one_leaves() -> None:
    admission = make()
    places = [admission.enter() for _ in range(5)]
    with pytest.raises(EngineOverloadedError, match="5 requests are running or waiting"):
        admission.enter()
    admission.leave(places[0], has_finished=False)
    admission.enter()
    assert admission.num_in_flight == 5


def test_who_waits_may_not_hold_more_tokens_than_allowed() -> None:
    admission = make(max_tokens=100)
    places = [admission.enter() for _ in range(4)]
    admission.run(places[0])
    admission.run(places[1])
    admission.wait(places[2], 80)
    with pytest.raises(EngineOverloadedError, match="requests of 80 tokens are waiting"):
        admission.wait(places[3], 21)
    admission.wait(places[3], 20)
    with pytest.raises(EngineOverloadedError, match="100 tokens"):
        admission.enter()
    admission.run(places[2])
    assert admission.num_in_flight == 4
    admission.enter()


def test_a_request_that_can_run_at_once_may_be_of_any_size() -> None:
    admission = make(max_tokens=0)
    for _ in range(2):
        admission.wait(admission.enter(), 5000)
    with pytest.raises(EngineOverloadedError, match="tokens are waiting"):
        admission.enter()


def test_what_was_refused_for_its_tokens_leaves_nothing_behind() -> None:
    admission = make(max_tokens=10)
    places = [admission.enter() for _ in range(3)]
    with pytest.raises(EngineOverloadedError):
        admission.wait(places[2], 11)
    admission.leave(places[2], has_finished=False)
    admission.wait(admission.enter(), 10)


def test_another_attempt_makes_sense_when_the_queue_has_been_worked_off() -> None:
    """Two run and three wait, and one finishes every four seconds."""
    clock = Clock()
    admission = make(clock=clock)
    places = [admission.enter() for _ in range(5)]
    for _ in range(200):
        clock.now += 4
        admission.leave(places.pop(0), has_finished=True)
        places.append(admission.enter())
    assert retry_after(admission) == 12
    clock.now += 400
    assert retry_after(admission) > 12  # nothing has finished since


def test_idle_time_is_no_part_of_the_rate() -> None:
    clock = Clock()
    admission = make(clock=clock)
    for _ in range(200):
        clock.now += 1000
        place = admission.enter()
        clock.now += 2
        admission.leave(place, has_finished=True)
    for _ in range(5):
        admission.enter()
    assert retry_after(admission) == 6


def test_before_anything_was_measured_a_request_is_thought_to_take_a_second() -> None:
    """Two run at once, and three wait."""
    admission = make()
    for _ in range(5):
        admission.enter()
    assert retry_after(admission) == 2
