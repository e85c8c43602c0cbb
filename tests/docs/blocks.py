"""The code blocks of the documentation, and what a comment above one says of it.

markdown-it finds them, so a block in a list or a quotation is one too. The comments are read by
nobody but the tests: code hosts and the site leave them out.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[2]
FOLDERS = ("docs", "sdk/python", "sdk/typescript")
# The words that a comment may begin with; the rest is their value.
WORDS = ("answer", "background", "file", "needs", "not run", "made")


class PageError(Exception):
    """A page has what nothing can check."""


@dataclass(frozen=True)
class Block:
    """A fenced block. Of ``words``, ``not run`` has the reason, ``file`` the name, and so on."""

    page: Path
    line: int
    language: str
    text: str
    words: dict[str, str]

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def pages() -> list[Path]:
    """Every page that may have blocks; the English ones first."""
    found = list(ROOT.glob("README*.md"))
    found += [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.md")]
    return sorted(found, key=lambda path: (is_chinese(path), path))


def is_chinese(page: Path) -> bool:
    return page.name.endswith(".zh.md")


def english(page: Path) -> Path:
    """The page that this one translates."""
    return page.with_name(page.name.replace(".zh.md", ".md"))


@cache
def blocks(page: Path) -> tuple[Block, ...]:
    """Raises PageError for a block that is only indented, or a comment of no known word."""
    found, words = [], dict[str, str]()
    for token in MarkdownIt().parse(page.read_text(encoding="utf-8")):
        line = (token.map or [0])[0] + 1
        if token.type == "code_block":
            raise PageError(f"{page}:{line}: an indented block has no language; fence it")
        if token.type == "html_block":
            words = _words(token.content, f"{page}:{line}")
        elif token.type == "fence":
            found.append(Block(page, line, token.info.strip(), token.content, words))
            words = {}
        elif token.type.endswith("_open"):
            words = {}
    return tuple(found)


def _words(html: str, place: str) -> dict[str, str]:
    words = {}
    for text in re.findall(r"<!--\s*(.*?)\s*-->", html, re.DOTALL):
        word, _, value = text.partition(":")
        if word not in WORDS:
            raise PageError(f"{place}: the comment is none of {', '.join(WORDS)}")
        words[word] = value.strip()
    return words
