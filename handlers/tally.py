"""How generations have ended, and how long they took."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic_ns


@dataclass(slots=True)
class Durations:
    """A number of generations and the nanoseconds that they took together."""

    count: int = 0
    ns: int = 0

    def add(self, ns: int) -> None:
        self.count += 1
        self.ns += ns


@dataclass(slots=True)
class Wait:
    """How long one generation waited before it was computed, once that is known."""

    ns: int = 0


@dataclass(slots=True)
class Tally:
    """Of one model: what ended well, what failed, and what the client or a limit ended.

    ``queue`` and ``compute_infer`` are the two parts of what ended well. What clients that sum up
    want to know besides, the time for inputs and outputs, is in the latter.
    """

    success: Durations = field(default_factory=Durations)
    fail: Durations = field(default_factory=Durations)
    cancel: Durations = field(default_factory=Durations)
    queue: Durations = field(default_factory=Durations)
    compute_input: Durations = field(default_factory=Durations)
    compute_infer: Durations = field(default_factory=Durations)
    compute_output: Durations = field(default_factory=Durations)

    @contextmanager
    def timed(self) -> Iterator[Wait]:
        """Count what happens inside."""
        started_at = monotonic_ns()
        wait = Wait()
        outcome = self.cancel  # what is neither an end nor an Exception was cut off from outside
        try:
            yield wait
            outcome = self.success
        except Exception:
            outcome = self.fail
            raise
        finally:
            ns = monotonic_ns() - started_at
            outcome.add(ns)
            if outcome is self.success:
                self.queue.add(min(wait.ns, ns))
                self.compute_input.add(0)
                self.compute_output.add(0)
                self.compute_infer.add(ns - min(wait.ns, ns))
