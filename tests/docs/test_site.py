"""The site builds without a warning, needs nothing of the network, and has the whole document."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.document import load_document, mappings
from app.settings import Settings
from docs_site.interface import interface
from docs_site.settings import settings
from tests.docs.blocks import ROOT
from tests.documents import operations

# What the pages fetch: what a link leads to is not fetched.
FETCHED = re.compile(
    r"<(?:script|img|iframe|link)\b[^>]*?\b(?:src|href)=[\"']?(https?:)?//[^\"'> ]+"
)
IN_STYLES = re.compile(r"(?:@import|url\()\s*[\"']?(?:https?:)?//")
# What a schema may say, each told in the tables or beneath them.
TOLD = {
    *(
        "$ref",
        "additionalProperties",
        "allOf",
        "anyOf",
        "default",
        "description",
        "enum",
        "example",
    ),
    *("exclusiveMinimum", "format", "items", "maxItems", "maxLength", "maxProperties", "maximum"),
    *("minItems", "minLength", "minimum", "nullable", "oneOf", "pattern", "properties"),
    *("required", "type", "x-advised", "x-alias-of", "x-as-list", "x-cap-from"),
    *("x-empty-is-absent", "x-ignored", "x-implies", "x-keys", "x-max-items-from"),
    *("x-maximum-from", "x-only-item", "x-unbounded", "x-zero-means"),
    # Said by the descriptions, or of no interest to a reader.
    *("x-example-from", "x-moves-to", "x-unread"),
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.mark.slow
@pytest.mark.xdist_group("site")
def test_every_page_is_built_in_both_languages(site: Path) -> None:
    built = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    sources = {path.relative_to(ROOT / "docs").as_posix() for path in ROOT.glob("docs/**/*.md")}
    for source in sources:
        page = source.replace(".md", ".html")
        if page.endswith(".zh.html"):
            assert "zh/" + page.replace(".zh.html", ".html") in built
        else:
            assert {page, "zh/" + page} <= built
    assert {"security.html", "benchmarks.html", "changelog.html"} <= built


@pytest.mark.slow
@pytest.mark.xdist_group("site")
def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        fetched = [found[0] for found in FETCHED.finditer(page.read_text(encoding="utf-8"))
                   if 'rel="canonical"' not in found[0]]  # fmt: skip
        assert fetched == [], page
    for style in site.rglob("*.css"):
        assert not IN_STYLES.search(style.read_text(encoding="utf-8")), style


@pytest.mark.slow
@pytest.mark.xdist_group("site")
def test_the_site_says_nothing_twice_over(site: Path) -> None:
    for page in site.rglob("*.html"):
        ids = re.findall(r'\bid="?([^"\s>]+)', page.read_text(encoding="utf-8"))
        own = [name for name in ids if not name.startswith("__")]
        assert len(own) == len(set(own)), page
    assert "<!-- made" not in (site / "interface.html").read_text(encoding="utf-8")


def test_the_reference_has_every_operation_schema_and_field() -> None:
    text, document = interface(), load_document()

    for _, _, operation in operations(document):
        assert f"`{operation['operationId']}`" in text
    for name, schema in document["components"]["schemas"].items():
        part = text.split(f"### {name} {{#", 1)[1].split("\n### ")[0]
        for node in mappings(schema):
            for field in node.get("properties", {}):
                assert f"| `{field}` |" in part, f"{name}.{field}"


def test_the_reference_drops_nothing_that_a_schema_says() -> None:
    document = load_document()
    said = set()
    for schema in document["components"]["schemas"].values():
        said |= set(_keywords(schema))

    assert said <= TOLD


def _keywords(schema: dict[str, Any]) -> set[str]:
    """The keys of a schema and of those in it, without the names of fields and values."""
    inner = [*schema.get("properties", {}).values(), *schema.get("allOf", ())]
    inner += [
        *schema.get("oneOf", ()),
        *schema.get("anyOf", ()),
        schema.get("items", {}),
        schema.get("x-keys", {}),
    ]
    extra = schema.get("additionalProperties")
    inner += [extra] if isinstance(extra, dict) else []
    return set(schema).union(*map(_keywords, inner)) if schema else set()


def test_the_operators_guide_has_every_setting() -> None:
    text = settings()

    for name, field in Settings.model_fields.items():
        assert f"| `{name}` |" in text
        assert str(field.description) in text
