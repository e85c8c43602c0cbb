"""What one API key may use at a time and in a minute."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic

from app.errors import HttpError

WINDOW_SECONDS = 60
RETRY_SECONDS = 1  # when a running request may have ended


@dataclass(slots=True)
class KeyQuota:
    """Counts the requests of one key. A window begins with its first request."""

    num_running: int = 0
    num_in_window: int = 0
    window_ends_at: float = 0.0

    def count(self, limit: int) -> dict[str, str]:
        """Take one of the minute's requests; returns the headers that tell what is left.

        Raises HttpError (429) with the same headers where none is.
        """
        now = monotonic()
        if now >= self.window_ends_at:
            self.window_ends_at = now + WINDOW_SECONDS
            self.num_in_window = 0
        is_over = self.num_in_window >= limit
        if not is_over:
            self.num_in_window += 1
        seconds = str(math.ceil(self.window_ends_at - now))
        headers = {
            "RateLimit-Limit": str(limit),
            "RateLimit-Remaining": str(max(0, limit - self.num_in_window)),
            "RateLimit-Reset": seconds,
        }
        if is_over:
            message = f"the {limit} requests a minute of this key are used up"
            raise HttpError(429, message, {**headers, "Retry-After": seconds})
        return headers

    @contextmanager
    def running(self, limit: int | None) -> Iterator[None]:
        """One request, for as long as it runs. Raises HttpError (429) beyond the limit."""
        if limit is not None and self.num_running >= limit:
            message = f"{limit} requests of this key run already, and no more may"
            raise HttpError(429, message, {"Retry-After": str(RETRY_SECONDS)})
        self.num_running += 1
        try:
            yield
        finally:
            self.num_running -= 1
