"""What every engine is asked to do. Standard library alone: the peers' environments import it."""

from dataclasses import dataclass
from random import Random

WORKLOADS = ("single", "c8", "c16")
WARM_UP = "warm"

# Ids below this are ordinary tokens of every vocabulary that is compared.
_TOKEN_IDS = range(300, 7000)
_PROMPT_TOKENS = (16, 512)
_NEW_TOKENS = (16, 256)
_REQUESTS_EACH = 2  # requests for each that is in flight


@dataclass(frozen=True, slots=True)
class Request:
    prompt: tuple[int, ...]
    num_new_tokens: int


@dataclass(frozen=True, slots=True)
class Workload:
    """Greedy requests whose answers have exactly the wanted length; ``concurrency`` in flight."""

    requests: tuple[Request, ...]
    concurrency: int


def make_workload(name: str, round_number: int) -> Workload:
    """The lengths depend on the name alone, the tokens on the round too."""
    lengths = Random(name)
    if name == "single":
        return _workload([(128, 128)], 1, name, round_number)
    if name == WARM_UP:
        pairs = [(lengths.randint(16, 64), lengths.randint(4, 8)) for _ in range(16)]
        return _workload(pairs, 16, name, round_number)
    concurrency = int(name.removeprefix("c"))
    pairs = [
        (lengths.randint(*_PROMPT_TOKENS), lengths.randint(*_NEW_TOKENS))
        for _ in range(_REQUESTS_EACH * concurrency)
    ]
    return _workload(pairs, concurrency, name, round_number)


def _workload(
    lengths: list[tuple[int, int]], concurrency: int, name: str, round_number: int
) -> Workload:
    tokens = Random(f"{name} {round_number}")
    requests = tuple(
        Request(tuple(tokens.choices(_TOKEN_IDS, k=num_prompt_tokens)), num_new_tokens)
        for num_prompt_tokens, num_new_tokens in lengths
    )
    return Workload(requests, concurrency)
