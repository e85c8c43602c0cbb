"""Every code block of the documentation is run, or checked for what it is."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.docs.blocks import ROOT, PageError, blocks, english, is_chinese, pages
from tests.docs.checks import CHECKS, check_answer
from tests.docs.reader import COMMANDS, compile_typescript, read
from tests.docs.shell import Shell
from tests.docs.unrun import say_how_many
from tests.embedded_server import EmbeddedServer

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
def readings(
    real: EmbeddedServer, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[Path, Future[None]]]:
    """The pages that are to be tested, two at a time: their programs take most of it to start."""
    wanted: list[Any] = [
        item.callspec.params["page"]
        for item in request.session.items
        if isinstance(item, pytest.Function) and "readings" in item.fixturenames
    ]
    port = urlsplit(real.url).port or 0
    with ThreadPoolExecutor(2) as pool:
        # First of all, so that pages which wait for it do not keep it from being begun.
        has_typescript = any(block.language == "ts" for page in wanted for block in blocks(page))
        folder = tmp_path_factory.mktemp("ts")
        compiled = pool.submit(compile_typescript, folder, wanted) if has_typescript else Future()
        shells = {page: Shell(tmp_path_factory.mktemp("page"), port) for page in wanted}
        yield {page: pool.submit(read, page, shells[page], compiled) for page in wanted}
        pool.shutdown(cancel_futures=True)


@pytest.mark.slow
@pytest.mark.e2e
@pytest.mark.parametrize("page", [with_marks(page) for page in ENGLISH])
def test_the_blocks_of_a_page_do_what_it_says(
    page: Path, readings: dict[Path, Future[None]]
) -> None:
    readings[page].result()


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
