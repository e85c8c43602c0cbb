"""A disk of some kibibytes, in memory."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(folder: Path, kibibytes: int) -> Iterator[None]:
    """Mounted at the folder. Skips the test where that is not allowed."""
    options = ["-t", "tmpfs", "-o", f"size={kibibytes}k", "tmpfs", str(folder)]
    try:
        subprocess.run(["mount", *options], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("mounting a disk in memory takes rights that this user lacks")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
