"""Every code block of the documentation is run, or checked for what it is."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from sdk.tools import ToolError
from tests.clients.environments import python_with
from tests.docs.blocks import ROOT, Block, PageError, blocks, english, is_chinese, pages
from tests.docs.checks import CHECKS, check_answer
from tests.docs.shell import Shell
from tests.docs.typescript import Compiled
from tests.docs.unrun import check_unrun, say_how_many
from tests.embedded_server import EmbeddedServer

COMMANDS = ("bash", "python", "ts")
MAY_STAY_UNRUN = 12


def page_id(page: Path) -> str:
    return str(page.relative_to(ROOT))


def with_marks(page: Path) -> Any:
    """A page for which something is installed is a test of clients."""
    needs = any("needs" in block.words or block.language == "ts" for block in blocks(page))
    return pytest.param(page, id=page_id(page), marks=[pytest.mark.clients] if needs else [])


ENGLISH = [page for page in pages() if not is_chinese(page) and blocks(page)]
CHINESE = [page for page in pages() if is_chinese(page)]


@pytest.fixture(scope="module")
def typescript(tmp_path_factory: pytest.TempPathFactory) -> Compiled:
    blocks_of_pages = [block for page in ENGLISH for block in blocks(page)]
    try:
        return Compiled(tmp_path_factory.mktemp("typescript"), blocks_of_pages)
    except ToolError as exc:
        if "error TS" in str(exc):
            raise
        pytest.skip(f"the compiler is not to be had here: {exc}")


class Reader:
    """Does with a page what its reader would."""

    def __init__(self, shell: Shell, request: pytest.FixtureRequest) -> None:
        self.shell = shell
        self.said = ""
        self._request = request

    def do(self, block: Block) -> None:
        if "not run" in block.words:
            check_unrun(block.text)
        elif "background" in block.words:
            self.shell.start(block.text)
        elif block.language in COMMANDS:
            self.said = getattr(self, block.language)(block)
        else:
            CHECKS[block.language](block.text)
            if "file" in block.words:
                (self.shell.folder / block.words["file"]).write_text(block.text, encoding="utf-8")
            if "answer" in block.words:
                check_answer(block.language, block.text, self.said)

    def bash(self, block: Block) -> str:
        return self.shell.bash(block.text)

    def python(self, block: Block) -> str:
        needed = block.words.get("needs", "").split()
        python = (
            python_with(re.split(r"[\[=]", needed[0])[0], *needed) if needed else sys.executable
        )
        script = self.shell.folder / "example.py"
        script.write_text(self.shell.here(block.text), encoding="utf-8")
        return self.shell.run([python, "-W", "error::SyntaxWarning", script.name])

    def ts(self, block: Block) -> str:
        compiled: Compiled = self._request.getfixturevalue("typescript")
        compiled.link_into(self.shell.folder)
        script = self.shell.folder / "example.mjs"
        script.write_text(self.shell.here(compiled.script(block)), encoding="utf-8")
        return self.shell.run(["node", script.name])


@pytest.fixture
def reader(
    tmp_path: Path, real: EmbeddedServer, request: pytest.FixtureRequest
) -> Iterator[Reader]:
    shell = Shell(tmp_path, urlsplit(real.url).port or 0)
    try:
        yield Reader(shell, request)
    finally:
        shell.close()


@pytest.mark.slow
@pytest.mark.e2e
@pytest.mark.parametrize("page", [with_marks(page) for page in ENGLISH])
def test_the_blocks_of_a_page_do_what_it_says(page: Path, reader: Reader) -> None:
    for block in blocks(page):
        try:
            reader.do(block)
        except Exception as exc:
            exc.add_note(f"in the block at {block.place}")
            raise


@pytest.mark.parametrize("page", CHINESE, ids=page_id)
def test_a_translation_has_blocks_that_are_run_in_the_original(page: Path) -> None:
    texts = [(block.language, block.text) for block in blocks(page)]
    run_texts = [(block.language, block.text) for block in blocks(english(page))]
    if page.name == "README.zh.md":  # a shorter one
        run_texts = [one for one in run_texts if one in texts]

    assert texts == run_texts


def test_every_block_is_of_a_kind_that_is_run_or_checked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    reasons = {}
    for page in pages():
        for block in blocks(page):
            assert block.language in {*COMMANDS, *CHECKS}, block.place
            assert "background" not in block.words or block.language == "bash", block.place
            if "not run" in block.words:
                assert block.words["not run"], f"{block.place} has no reason"
                assert block.language == "bash", block.place
                if not is_chinese(page):
                    reasons[block.place] = block.words["not run"]
    say_how_many(reasons, capsys)

    assert 0 < len(reasons) <= MAY_STAY_UNRUN


@pytest.mark.parametrize(
    "text",
    ["    indented\n", "<!-- skip -->\n```bash\nfalse\n```\n"],
    ids=["indented", "unknown word"],
)
def test_no_block_can_hide(text: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")

    with pytest.raises(PageError):
        blocks(page)


def test_what_a_block_says_is_held_against_it() -> None:
    check_answer("text", 'data:{"id":"' + "0" * 32 + '"}', 'data:{"id":"' + "a" * 32 + '"}\n')
    check_answer("json", '{"id":"x","n":1}', '{"id":"y","n":2}')
    for language, shown, said in (
        ("text", "data: 1", "data: 2"),
        ("json", '{"n":1}', '{"n":1,"m":2}'),
        ("json", '{"text_output":" Paris"}', '{"text_output":" Rome"}'),
    ):
        with pytest.raises(AssertionError):
            check_answer(language, shown, said)
