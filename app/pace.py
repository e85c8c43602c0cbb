"""How fast the mock seems to be."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Of one request, whatever runs beside it."""

    load_seconds: float
    prompt_tokens_per_second: float
    tokens_per_second: float
