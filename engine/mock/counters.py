"""What the mock has done, in the numbers of an engine."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from engine.types import Chunk, EngineStats


@dataclass(slots=True)
class Ending:
    """Of one request, as it goes on."""

    is_well: bool = False


class Counters:
    """Each token is a step of its own."""

    def __init__(self) -> None:
        self._num_running = 0
        self._num_finished = 0
        self._num_cancelled = 0
        self._num_failed = 0
        self._num_prompt_tokens = 0
        self._num_tokens = 0

    @contextmanager
    def counting(self, num_prompt_tokens: int) -> Iterator[Ending]:
        """A request, while it runs; it is told whether it ends well."""
        self._num_running += 1
        self._num_prompt_tokens += num_prompt_tokens
        ending = Ending()
        try:
            yield ending
        except Exception:
            self._num_failed += 1
            raise
        finally:
            self._num_running -= 1
            self._num_finished += ending.is_well
        self._num_cancelled += not ending.is_well

    def add(self, chunk: Chunk) -> None:
        self._num_tokens += chunk.token is not None

    def stats(self, num_in_flight: int) -> EngineStats:
        return EngineStats(
            num_running=self._num_running,
            num_waiting=num_in_flight - self._num_running,
            num_kv_tokens=0,
            num_finished=self._num_finished,
            num_cancelled=self._num_cancelled,
            num_failed=self._num_failed,
            num_prompt_tokens=self._num_prompt_tokens,
            num_generated_tokens=self._num_tokens,
            num_steps=self._num_tokens,
            num_preemptions=0,
            num_reused_tokens=0,
            num_drafted_tokens=0,
            num_accepted_tokens=0,
            batch_sizes=((1, self._num_tokens),) if self._num_tokens else (),
        )
