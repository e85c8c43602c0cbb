"""Keeps loaded workers, of which one runs at a time; the others are stopped, not just idle."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Self

import psutil

from benchmarks.peers.workload import WARM_UP

ROOT = Path(__file__).parents[2]


class WorkerError(Exception):
    """A worker ended before it had answered; the message ends with what it wrote last."""


@dataclass(frozen=True, slots=True)
class Engine:
    """A row of the table: ``command`` runs its worker; ``is_own`` where it is this project's."""

    name: str
    command: Sequence[str]
    is_own: bool


class Worker:
    """One engine's process group, stopped whenever it has nothing to do."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._log = TemporaryFile()
        self._process = subprocess.Popen(
            engine.command,
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT), "TOKENIZERS_PARALLELISM": "false"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            start_new_session=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._signal(signal.SIGKILL)
        self._process.wait()
        self._log.close()

    def load(self) -> None:
        """Wait until it is ready, and warm it up."""
        self._read()
        self.run("single", -1, "wall")
        self.run(WARM_UP, -1, "wall")

    def run(self, workload: str, round_number: int, clock: str) -> dict[str, Any]:
        """Its figures, with ``others``: the CPU seconds a second that other processes used."""
        self._signal(signal.SIGCONT)
        begin, own, all_of_us = time.perf_counter(), self._cpu_seconds(), _busy_seconds()
        assert self._process.stdin is not None
        order = {"workload": workload, "round": round_number, "clock": clock}
        print(json.dumps(order), file=self._process.stdin)
        self._process.stdin.flush()
        figures = self._read()
        elsewhere = (_busy_seconds() - all_of_us) - (self._cpu_seconds() - own)
        self._signal(signal.SIGSTOP)
        return figures | {"others": max(0.0, elsewhere) / (time.perf_counter() - begin)}

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            self._log.seek(0)
            tail = self._log.read().decode(errors="replace")[-2000:]
            raise WorkerError(f"the worker of {self.engine.name} ended:\n{tail}")
        figures: dict[str, Any] = json.loads(line)
        return figures

    def _signal(self, number: signal.Signals) -> None:
        try:
            os.killpg(self._process.pid, number)
        except ProcessLookupError:
            pass  # it has ended, which the next read will tell

    def _cpu_seconds(self) -> float:
        process = psutil.Process(self._process.pid)
        times = [each.cpu_times() for each in (process, *process.children(recursive=True))]
        return sum(each.user + each.system for each in times)


def _busy_seconds() -> float:
    times = psutil.cpu_times()
    return float(sum(times) - times.idle - times.iowait - times.guest - times.guest_nice)


def measure(
    engines: Sequence[Engine], workloads: Sequence[str], num_rounds: int, clock: str
) -> list[dict[str, Any]]:
    """Load every engine, then A B C A B C: one record for each engine, workload and round."""
    records = []
    with ExitStack() as stack:
        workers = []
        for engine in engines:
            worker = stack.enter_context(Worker(engine))
            worker.load()
            workers.append(worker)
        for round_number in range(num_rounds):
            for workload in workloads:
                for worker in workers:
                    identity = {
                        "engine": worker.engine.name,
                        "is_own": worker.engine.is_own,
                        "workload": workload,
                    }
                    records.append(identity | worker.run(workload, round_number, clock))
    return records
