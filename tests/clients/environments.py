"""Environments of clients that are too heavy for ours: made once, kept in the build folder."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parent
_HOME = SCRIPTS.parents[1] / "build" / "clients"
_INSTALL_SECONDS = 900


def python_with(name: str, *requirements: str) -> str:
    """A Python that has these packages; skips the test where they cannot be installed."""
    home = _HOME / name
    python = home / "bin" / "python"
    if not _has(home, requirements):
        _install([sys.executable, "-m", "venv", "--clear", str(home)])
        _install([str(python), "-m", "pip", "install", "--quiet", *requirements])
        _note(home, requirements)
    return str(python)


def node_with(name: str, *requirements: str) -> Path:
    """A folder whose scripts can import these packages; skips where they cannot be installed."""
    home = _HOME / name
    if not _has(home, requirements):
        home.mkdir(parents=True, exist_ok=True)
        _install(
            ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(home), *requirements]
        )
        _note(home, requirements)
    return home


def _has(home: Path, requirements: tuple[str, ...]) -> bool:
    note = home / "installed.txt"
    return note.is_file() and note.read_text(encoding="utf-8") == "\n".join(requirements)


def _note(home: Path, requirements: tuple[str, ...]) -> None:
    (home / "installed.txt").write_text("\n".join(requirements), encoding="utf-8")


def _install(command: list[str]) -> None:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_INSTALL_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as exc:
        pytest.skip(f"cannot be installed here: {exc}")
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip() or "no word").splitlines()
        pytest.skip(f"cannot be installed here: {said[-1]}")
