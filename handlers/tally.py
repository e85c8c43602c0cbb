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


@dataclass(slots=True)
class Tally:
    """Of one model: what ended well, what failed, and what the client or a limit ended."""

    success: Durations = field(default_factory=Durations)
    fail: Durations = field(default_factory=Durations)
    cancel: Durations = field(default_factory=Durations)

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Count what happens inside."""
        started_at = monotonic_ns()
        outcome = self.cancel  # what is neither an end nor an Exception was cut off from outside
        try:
            yield
            outcome = self.success
        except Exception:
            outcome = self.fail
            raise
        finally:
            outcome.count += 1
            outcome.ns += monotonic_ns() - started_at
