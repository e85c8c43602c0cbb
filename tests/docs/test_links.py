"""Links of every page, on a code host and on the site: those within lead somewhere."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from docs_site.hooks import OUTSIDE
from tests.docs.blocks import ROOT, is_chinese, pages

PAGES = [*pages(), *(ROOT / source for source in OUTSIDE)]


def tokens(page: Path) -> list[Token]:
    return MarkdownIt().enable("table").parse(page.read_text(encoding="utf-8"))


def links(page: Path) -> Iterator[str]:
    for token in tokens(page):
        for child in token.children or ():
            target = child.attrGet("href") or child.attrGet("src")
            if target is not None:
                yield str(target)


def anchors(page: Path) -> set[str]:
    """Of its headings, as code hosts make them."""
    parsed = pairwise(tokens(page))
    heads = [after.content for token, after in parsed if token.type == "heading_open"]
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for link in links(page):
        parts = urlsplit(link)
        if parts.scheme:
            assert parts.scheme in ("http", "https"), link
            assert re.fullmatch(r"[\w.-]+\.[a-z]+|127\.0\.0\.1", parts.hostname or ""), link
            assert not re.search(r"[\s<>\"\\^`{|}]", unquote(link)), link
            continue
        assert not link.startswith("/"), link
        target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
        assert target.exists(), link
        is_made = target.suffix == ".md" and "<!-- made: " in target.read_text(encoding="utf-8")
        if parts.fragment and not is_made:  # those of made parts are checked by mkdocs
            assert unquote(parts.fragment) in anchors(target), link


def test_the_readmes_link_to_each_other() -> None:
    assert "README.zh.md" in links(ROOT / "README.md")
    assert "README.md" in links(ROOT / "README.zh.md")


def test_the_main_pages_are_there_in_chinese() -> None:
    docs = ROOT / "docs"
    main = [docs / "index.md", docs / "operating.md"]
    main += [*docs.glob("how-to/*.md"), *docs.glob("migrating/*.md")]

    for page in main:
        if not is_chinese(page):
            assert page.with_suffix(".zh.md").is_file(), page
