"""The line protocol of a worker: one engine, loaded once, in a process and environment of its own.

The worker writes ``{"ready": true}``; then for each line ``{"workload": NAME, "round": N, "clock":
NAME}`` on standard input it runs that workload and writes its figures as one line of JSON. It ends
with its input. Libraries that print go to standard error.
"""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks.peers.closed_loop import CLOCKS, ClosedLoop
from benchmarks.peers.workload import make_workload

Run = Callable[[ClosedLoop], None]


def serve(load: Callable[[], Run], process_ids: Callable[[], list[int]] = lambda: []) -> None:
    """Load the engine and answer until the input ends; ``process_ids`` are its helper processes."""
    channel = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    run = load()
    channel.write('{"ready": true}\n')
    for line in sys.stdin:
        order = json.loads(line)
        workload = make_workload(order["workload"], order["round"])
        loop = ClosedLoop(workload, CLOCKS[order["clock"]])
        run(loop)
        peak = sum(map(peak_rss_mb, [os.getpid(), *process_ids()]))
        channel.write(json.dumps(loop.figures() | {"peak_rss_mb": peak}) + "\n")


def peak_rss_mb(process_id: int) -> float:
    """The most memory that a process has held so far, in units of 10^6 bytes."""
    status = Path(f"/proc/{process_id}/status").read_text(encoding="utf-8")
    kibibytes = status.partition("VmHWM:")[2].split()[0]
    return int(kibibytes) * 1024 / 1e6
