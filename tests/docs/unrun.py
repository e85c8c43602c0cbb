"""What is checked of commands that are not run, as far as the programs for it are here."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.docs.blocks import ROOT

# How the file or target that a command names is checked in its stead.
_UNIT = ROOT / "deploy/genspec.service"
_COMPOSE = re.compile(r"docker compose -f (\S+)")
_MAKE = re.compile(r"^make (.+?)(?: *#.*)?$", re.MULTILINE)
_IN_CHECKOUT = re.compile(r"pip install (?:-\S+ )*(\./\S+)")


def check_unrun(text: str) -> None:
    """The shell can read it, and what it names is there and can be read too."""
    subprocess.run(["bash", "-n", "-c", text], check=True)
    for command in _checks(text):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    for file in _COMPOSE.findall(text):
        _check_compose(ROOT / file)
    for folder in _IN_CHECKOUT.findall(text):
        assert (ROOT / folder / "pyproject.toml").is_file(), folder


def _checks(text: str) -> Iterator[list[str]]:
    for words in _MAKE.findall(text):
        yield ["make", "--dry-run", *words.split()]
    if "systemctl" in text and shutil.which("systemd-analyze"):
        yield [shutil.which("bash") or "bash", "-c", _verify_unit()]


def _verify_unit() -> str:
    """The unit with a program that is there in place of the one that is not installed here."""
    return (
        f"folder=$(mktemp -d) && sed 's|^ExecStart=.*|ExecStart=/bin/true|' {_UNIT}"
        " > $folder/genspec.service && systemd-analyze verify $folder/genspec.service"
    )


def _check_compose(path: Path) -> None:
    service = yaml.safe_load(path.read_text(encoding="utf-8"))["services"]["genspec"]
    context = path.parent / service["build"]["context"]
    assert (context / service["build"]["dockerfile"]).is_file()


def say_how_many(reasons: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print(f"\n{len(reasons)} blocks are not run:")
        for place, reason in reasons.items():
            print(f"  {place}: {reason}")
