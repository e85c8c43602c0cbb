"""The differences, as a table in one of several formats."""

import html
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from xml.etree import ElementTree


@dataclass(frozen=True, slots=True)
class Difference:
    check: str
    expected: str
    got: str
    request: str  # a command that shows it


@dataclass(frozen=True, slots=True)
class Report:
    url: str
    checks: Sequence[str]  # the names of all that were made
    differences: Sequence[Difference]

    @property
    def summary(self) -> str:
        return f"{self.url}: {len(self.checks)} checks, {len(self.differences)} differences"


def as_text(report: Report) -> str:
    rows = [
        "\n".join(
            (
                each.check,
                f"  expected  {each.expected}",
                f"  got       {each.got}",
                f"  request   {each.request}\n",
            )
        )
        for each in report.differences
    ]
    return "\n".join([*rows, report.summary]) + "\n"


def as_json(report: Report) -> str:
    content = {
        "url": report.url,
        "num_checks": len(report.checks),
        "differences": [asdict(each) for each in report.differences],
    }
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def as_junit(report: Report) -> str:
    found = {each.check: each for each in report.differences}
    suite = ElementTree.Element(
        "testsuite",
        name=report.url,
        tests=str(len(report.checks)),
        failures=str(len(found)),
        errors="0",
    )
    for name in report.checks:
        case = ElementTree.SubElement(suite, "testcase", classname="conform", name=_plain(name))
        if name in found:
            each = found[name]
            text = f"expected {each.expected}, got {each.got}"
            failure = ElementTree.SubElement(case, "failure", message=_plain(text))
            failure.text = _plain(each.request)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def as_html(report: Report) -> str:
    rows = "".join(
        f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in asdict(each).values())}</tr>\n"
        for each in report.differences
    )
    title = html.escape(report.summary)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{title}</title></head>\n"
        f"<body><h1>{title}</h1>\n<table>\n"
        "<tr><th>check</th><th>expected</th><th>got</th><th>request</th></tr>\n"
        f"{rows}</table></body></html>\n"
    )


def _plain(text: str) -> str:
    """XML has no control characters."""
    return "".join(character if character.isprintable() else "\ufffd" for character in text)


FORMATS: Mapping[str, Callable[[Report], str]] = {
    "text": as_text,
    "json": as_json,
    "junit": as_junit,
    "html": as_html,
}
