"""Keeps a workload's requests in flight, and the times of their tokens."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median, quantiles

from benchmarks.peers.workload import Request, Workload

# The CPU time of all threads of the process tells more than the clock where others are at work.
CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}


@dataclass(slots=True)
class _Progress:
    begin: float
    first: float | None = None
    last: float = 0.0
    num_tokens: int = 0


class ClosedLoop:
    """Hands out requests, never more than the workload's concurrency at once.

    An engine takes requests with ``next_request`` until it gives None, and reports tokens with
    ``received`` as they become readable; the last token of a request makes room for the next.
    """

    def __init__(self, workload: Workload, clock: Callable[[], float]) -> None:
        self._workload = workload
        self._clock = clock
        self._progress: list[_Progress] = []
        self._gaps: list[float] = []  # between tokens of the same request
        self._num_finished = 0

    @property
    def is_finished(self) -> bool:
        return self._num_finished == len(self._workload.requests)

    def next_request(self) -> tuple[int, Request] | None:
        """A request and its index, if one may start now."""
        index = len(self._progress)
        in_flight = index - self._num_finished
        if index == len(self._workload.requests) or in_flight == self._workload.concurrency:
            return None
        self._progress.append(_Progress(self._clock()))
        return index, self._workload.requests[index]

    def received(self, index: int, num_tokens: int) -> bool:
        """Count new tokens of a request; True when it has all of them. ValueError if too many."""
        now = self._clock()
        progress = self._progress[index]
        if progress.first is not None:
            self._gaps.append(now - progress.last)
        progress.first = progress.first or now
        progress.last = now
        progress.num_tokens += num_tokens
        missing = self._workload.requests[index].num_new_tokens - progress.num_tokens
        if missing < 0:
            raise ValueError(f"request {index} has {-missing} tokens too many")
        self._num_finished += missing == 0
        return missing == 0

    def figures(self) -> dict[str, float]:
        """Seconds and tokens/s; ``ttft`` and ``decode`` (after the first token) are medians, and
        ``gap``s are what a request waits for its next token."""
        if not self.is_finished:
            raise ValueError("some requests have not got all their tokens")
        begin = min(progress.begin for progress in self._progress)
        seconds = max(progress.last for progress in self._progress) - begin
        num_tokens = sum(progress.num_tokens for progress in self._progress)
        firsts = [(progress.first or 0.0) - progress.begin for progress in self._progress]
        decoding = [
            (progress.num_tokens - 1) / (progress.last - (progress.first or 0.0))
            for progress in self._progress
        ]
        gaps = quantiles(self._gaps, n=100)
        return {
            "seconds": seconds,
            "throughput": num_tokens / seconds,
            "ttft": median(firsts),
            "decode": median(decoding),
            "gap p50": gaps[49],
            "gap p90": gaps[89],
            "gap p99": gaps[98],
            "gap max": max(self._gaps),
        }
