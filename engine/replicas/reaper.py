"""Ends what a front leaves behind when it has ended, however it did. A program of its own.

Ray's own processes notice that, but some of them only after minutes. Knows nothing but the standard
library, so that it starts at once and takes next to no memory.
"""

import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator

ROUNDS, SECONDS_BETWEEN_ROUNDS = 50, 0.1  # a process may start another one in its last moment


def processes_of(folder: str, mark: bytes) -> Iterator[int]:
    """Those that have the variable, or a file of the folder open: some overwrite what they were
    started with, and all write a log there. One that has ended has neither."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                is_marked = mark in file.read().split(b"\0")
            if is_marked or any(path.startswith(f"{folder}/") for path in open_files(name)):
                yield int(name)
        except OSError:  # ended meanwhile, or not ours
            continue


def open_files(process: str) -> Iterator[str]:
    for number in os.listdir(f"/proc/{process}/fd"):
        try:
            yield os.readlink(f"/proc/{process}/fd/{number}")
        except OSError:  # closed meanwhile
            continue


def reap(folder: str, mark: bytes, front: int) -> None:
    """All but the front itself, which may have more to do."""
    for _ in range(ROUNDS):
        found = [pid for pid in processes_of(folder, mark) if pid not in (front, os.getpid())]
        for pid in found:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        if not found:
            break
        time.sleep(SECONDS_BETWEEN_ROUNDS)
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    parent = os.getppid()
    sys.stdin.buffer.read()  # to its end, which is that of the front
    reap(sys.argv[1], sys.argv[2].encode(), parent)
