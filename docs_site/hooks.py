"""Hooks of mkdocs: pages from outside docs/, and what pages get from the program.

The pages are read on a code host too. There a link leads out of `docs/` to a file of the
repository; here to the page that is made of that file.
"""

import posixpath
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files

from docs_site.interface import interface
from docs_site.settings import settings

ROOT = Path(__file__).parents[1]

# Files of the repository that are pages too.
OUTSIDE = {
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
    "benchmarks/README.md": "benchmarks.md",
}
# Where a page has the comment `<!-- made: NAME -->`, this is put in.
MADE: dict[str, Callable[[], str]] = {"interface": interface, "settings": settings}

_MARK = re.compile(r"<!-- made: (\w+) -->")
_LINK = re.compile(r"\[(?P<text>[^\]\[]*)\]\((?P<path>[\w./-]+)(?P<anchor>#[^)\s]*)?\)")
_DOCS = "docs/"


@event_priority(-200)  # after the translations' plugin, which knows real files only
def on_files(files: Files, config: MkDocsConfig, **_: Any) -> Files:
    """Adds the pages that are files of the repository."""
    for source, page in OUTSIDE.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / source)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    return complete(markdown, page.file.src_uri)


def complete(markdown: str, uri: str) -> str:
    """A page as it is built: with what is made, and with links that lead to pages."""
    source = next((path for path, page in OUTSIDE.items() if page == uri), _DOCS + uri)
    linked = _LINK.sub(lambda found: _linked(found, source, uri), markdown)
    return _MARK.sub(lambda found: MADE[found[1]](), linked)


def _linked(found: re.Match[str], source: str, uri: str) -> str:
    """The link as the site has it: a file of the repository that is no page is only named."""
    target = posixpath.normpath(posixpath.join(posixpath.dirname(source), found["path"]))
    page = OUTSIDE.get(target, target.removeprefix(_DOCS))
    if page == target:
        return found["text"]
    path = posixpath.relpath(page, posixpath.dirname(uri) or ".")
    return f"[{found['text']}]({path}{found['anchor'] or ''})"
