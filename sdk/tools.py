"""The generators, installed once into the build folder, of the versions in ``tools.toml``."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

SDK = Path(__file__).parent
_HOME = SDK.parent / "build" / "sdk"
_VERSIONS: dict[str, dict[str, str]] = tomllib.loads((SDK / "tools.toml").read_text("utf-8"))


class ToolError(Exception):
    """A generator cannot be installed, or failed; with what it said last."""


def python_tools() -> Path:
    """The folder of the programs from PyPI."""
    home, wanted = _HOME / "python", [f"{name}=={it}" for name, it in _VERSIONS["python"].items()]
    if not _has(home, wanted):
        run([sys.executable, "-m", "venv", "--clear", str(home)])
        run([str(home / "bin" / "pip"), "install", "--quiet", *wanted])
        _note(home, wanted)
    return home / "bin"


def node_tools() -> Path:
    """The folder of the programs from npm."""
    home, wanted = _HOME / "node", [f"{name}@{it}" for name, it in _VERSIONS["node"].items()]
    if not _has(home, wanted):
        home.mkdir(parents=True, exist_ok=True)
        run(["npm", "install", "--no-audit", "--no-fund", "--prefix", str(home), *wanted])
        _note(home, wanted)
    return home / "node_modules" / ".bin"


def run(command: list[str], folder: Path | None = None, path: Path | None = None) -> None:
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


def _has(home: Path, wanted: list[str]) -> bool:
    note = home / "installed.txt"
    return note.is_file() and note.read_text(encoding="utf-8") == "\n".join(wanted)


def _note(home: Path, wanted: list[str]) -> None:
    (home / "installed.txt").write_text("\n".join(wanted), encoding="utf-8")
