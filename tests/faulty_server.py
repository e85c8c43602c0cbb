"""``python -m tests.faulty_server serve ...``: the program, with faults that a seed asks for.

Tells how many tasks its event loop has, when a signal asks.
"""

import asyncio
import signal
import subprocess
import sys
import time
from pathlib import Path

import app.deployment
from app.cli import main
from tests.faulty_engine import FaultyEngine

_TASKS = "asyncio tasks: "


def _tell_tasks(_number: int, _frame: object) -> None:
    print(f"{_TASKS}{len(asyncio.all_tasks())}", flush=True)


def asyncio_tasks(process: "subprocess.Popen[bytes]", log: Path) -> int:
    """Ask the server that runs as this process."""
    num_told = log.read_text().count(_TASKS)
    process.send_signal(signal.SIGUSR1)
    deadline = time.monotonic() + 10
    while log.read_text().count(_TASKS) == num_told:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return int(log.read_text().rpartition(_TASKS)[2].split()[0])


if __name__ == "__main__":
    signal.signal(signal.SIGUSR1, _tell_tasks)
    app.deployment.LocalEngine = FaultyEngine  # type: ignore[attr-defined]
    sys.exit(main(sys.argv[1:]))
