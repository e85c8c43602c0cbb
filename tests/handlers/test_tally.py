"""What is counted of generations, and how their time is split."""

from contextlib import suppress

import pytest

from handlers.tally import Tally

HOUR = 3600 * 10**9


@pytest.mark.parametrize("wait_ns", [0, 1, HOUR])
def test_what_ended_well_waited_or_was_computed(wait_ns: int) -> None:
    tally = Tally()
    with tally.timed() as wait:
        wait.ns = wait_ns

    assert tally.success.count == tally.queue.count == tally.compute_infer.count == 1
    assert tally.queue.ns == min(wait_ns, tally.success.ns)
    assert tally.queue.ns + tally.compute_infer.ns == tally.success.ns


def test_the_wait_of_what_failed_is_not_counted() -> None:
    tally = Tally()
    with suppress(KeyError), tally.timed() as wait:
        wait.ns = 1
        raise KeyError

    assert (tally.fail.count, tally.queue.count, tally.compute_infer.count) == (1, 0, 0)
