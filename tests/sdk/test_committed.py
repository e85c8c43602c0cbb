"""What is committed is what the document gives."""

import tomllib
from pathlib import Path

import pytest

from app.document import load_document
from sdk.generate import COMMITTED, files, generate
from sdk.tools import SDK, ToolError

pytestmark = [pytest.mark.clients, pytest.mark.slow]


@pytest.mark.parametrize("language", COMMITTED)
def test_the_document_gives_what_is_committed(language: str, tmp_path: Path) -> None:
    generator, folder, by_hand = COMMITTED[language]
    try:
        generate(generator, tmp_path / "out", typed_events=language == "typescript")
    except ToolError as exc:
        pytest.skip(f"the generator is not to be had here: {exc}")

    made, committed = files(tmp_path / "out", frozenset()), files(folder, by_hand)

    assert made.keys() == committed.keys(), "run `make sdk`"
    assert [name for name in made if made[name] != committed[name]] == [], "run `make sdk`"


def test_the_python_package_has_the_documents_version() -> None:
    project = tomllib.loads((SDK / "python" / "pyproject.toml").read_text(encoding="utf-8"))

    assert project["project"]["version"] == load_document()["info"]["version"]
