"""The document of the last release, and whether a later one may follow it.

``python -m tests.contract.breaking.released`` keeps the present document as that of a release.
"""

import re
import shutil
import subprocess
from pathlib import Path

import yaml

from app.document import Document
from tests.contract.breaking import breaking_changes

ROOT = Path(__file__).parents[3]
DOCUMENT = ROOT / "openapi" / "generate.yaml"
KEPT = ROOT / "openapi" / "released" / "generate.yaml"


def parsed(text: str) -> Document:
    document: Document = yaml.safe_load(text)
    del document["x-values"]
    return document


def last_tag() -> str | None:
    """Of a release; None in a clone without tags, and before the first release."""
    return _git("describe", "--tags", "--abbrev=0", "--match", "v[0-9]*")


def tagged(tag: str) -> str | None:
    """The document as it was released; None where the clone does not go back so far."""
    return _git("show", f"{tag}:{DOCUMENT.relative_to(ROOT)}")


def _git(*words: str) -> str | None:
    if shutil.which("git") is None:
        return None
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.rstrip("\n") if done.returncode == 0 else None


def undeclared(old: Document, new: Document, changelog: str) -> list[str]:
    """The breaking changes, unless the changelog tells of them and the major version moves."""
    versions = [document["info"]["version"] for document in (old, new)]
    was, is_now = (int(version.partition(".")[0]) for version in versions)
    unreleased = re.search(r"^## Unreleased\n(.*?)(?=^## |\Z)", changelog, re.DOTALL | re.MULTILINE)
    is_told = unreleased is not None and re.search(r"\bbreaking\b", unreleased[1], re.IGNORECASE)
    return [] if is_told and is_now > was else breaking_changes(old, new)


if __name__ == "__main__":
    shutil.copy(DOCUMENT, KEPT)
