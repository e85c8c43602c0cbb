"""Programs of others, installed once into folders of their own, and kept there."""

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path


class ToolError(Exception):
    """A program cannot be installed, or failed; with what it said last."""


def python_with(home: Path, requirements: Sequence[str]) -> Path:
    """The folder of the programs of an environment that has these packages of PyPI."""
    with _one_at_a_time(home):
        if not _has(home, requirements):
            try:
                _install_with_uv(home, requirements)
            except ToolError:  # uv does not read pip's settings: where they name a mirror, pip does
                run([sys.executable, "-m", "venv", "--clear", str(home)])
                run([str(home / "bin" / "pip"), "install", "--quiet", *requirements])
            _note(home, requirements)
    return home / "bin"


def _install_with_uv(home: Path, requirements: Sequence[str]) -> None:
    """In a tenth of pip's time."""
    uv = str(Path(sys.executable).with_name("uv"))
    run([uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(home)])
    python = str(home / "bin" / "python")
    run([uv, "pip", "install", "--quiet", "--python", python, *requirements])


def node_with(home: Path, requirements: Sequence[str]) -> Path:
    """The same of npm; ``home`` is where its modules can be imported."""
    with _one_at_a_time(home):
        if not _has(home, requirements):
            home.mkdir(parents=True, exist_ok=True)
            run(["npm", "install", "--no-audit", "--no-fund", "--prefix", str(home), *requirements])
            _note(home, requirements)
    return home / "node_modules" / ".bin"


def run(command: Sequence[str], folder: Path | None = None, path: Path | None = None) -> None:
    """Run one program to its end; ``path`` is where it looks for others first."""
    environment = os.environ | ({"PATH": f"{path}:{os.environ['PATH']}"} if path else {})
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
    except OSError as exc:
        raise ToolError(f"{command[0]}: {exc}") from exc
    if done.returncode:
        raise ToolError(f"{command[0]}: {(done.stdout + done.stderr).strip()[-4000:]}")


@contextmanager
def _one_at_a_time(home: Path) -> Iterator[None]:
    """Several processes want the same programs: one installs them, the others wait for it."""
    home.parent.mkdir(parents=True, exist_ok=True)
    with home.with_name(f"{home.name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _has(home: Path, wanted: Sequence[str]) -> bool:
    note = home / "installed.txt"
    return note.is_file() and note.read_text(encoding="utf-8") == "\n".join(wanted)


def _note(home: Path, wanted: Sequence[str]) -> None:
    (home / "installed.txt").write_text("\n".join(wanted), encoding="utf-8")
