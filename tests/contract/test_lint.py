"""The document as redocly's linter sees it, with the rules of openapi/lint/redocly.yaml."""

import copy
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.documents import documents

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
RULES = ROOT / "openapi" / "lint"
HOME = ROOT / "build" / "lint"  # where the linter is installed, once for each lock file
LOCK = "package-lock.json"
DOCUMENTS = documents()


@pytest.fixture(scope="module")
def linter() -> Path:
    """The program, of the version in the lock file."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip("the linter needs node and npm")
    program = HOME / "node_modules" / ".bin" / "redocly"
    installed, wanted = HOME / "installed.json", (RULES / LOCK).read_text(encoding="utf-8")
    if not installed.is_file() or installed.read_text(encoding="utf-8") != wanted:
        HOME.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", LOCK):
            shutil.copy(RULES / name, HOME / name)
        done = _run(["npm", "ci", "--no-audit", "--no-fund"], HOME)
        if done.returncode:
            pytest.skip(f"the linter is not to be had here: {done.stderr[-500:]}")
        installed.write_text(wanted, encoding="utf-8")
    if _run([str(program), "--version"], HOME).returncode:
        pytest.skip("the linter does not run on this version of node")
    return program


def _run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def lint(linter: Path, document: dict[str, Any], folder: Path) -> set[str]:
    """The rules that are broken."""
    file = folder / "openapi.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    rules = ["--config", str(RULES / "redocly.yaml"), "--max-problems", "1000"]
    done = _run([str(linter), "lint", str(file), "--format", "json", *rules], folder)
    assert "Unused rules" not in done.stderr, done.stderr
    report = json.loads(done.stdout[done.stdout.index("{") :])
    return {f"{it['ruleId']}: {it['message']} {it['location'][0]}" for it in report["problems"]}


@pytest.mark.parametrize("deployment", ["keyed", "usual"])
def test_the_linter_finds_nothing(linter: Path, tmp_path: Path, deployment: str) -> None:
    assert lint(linter, DOCUMENTS[deployment], tmp_path) == set()


Change = Callable[[dict[str, Any]], None]


def _generate(document: dict[str, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = document["paths"]["/v2/models/{model_name}/generate"]["post"]
    return operation


def _schema(document: dict[str, Any], name: str) -> dict[str, Any]:
    schema: dict[str, Any] = document["components"]["schemas"][name]
    return schema


# What breaks each rule of ours, and some of the recommended ones: rules that bite.
PLANTED: dict[str, Change] = {
    "no-invalid-schema-examples": lambda it: _schema(it, "FinishReason").update(example="no"),
    "operation-description": lambda it: _generate(it).pop("description"),
    "operation-singular-tag": lambda it: _generate(it).update(tags=["generate", "text"]),
    "operation-operationId-unique": lambda it: it["paths"]["/metrics"]["get"].update(
        operationId="health_live"
    ),
    "nullable-type-sibling": lambda it: _schema(it, "StopStrings").update(nullable=True),
    "response-contains-header": lambda it: it["components"]["responses"]["Live"].pop("headers"),
    "response-contains-property": lambda it: _schema(it, "Error")["properties"].pop("error"),
    "scalar-property-missing-example": lambda it: _schema(it, "LiveStatus")["properties"][
        "live"
    ].pop("example"),
    "rule/operation-ids-are-snake-case": lambda it: it["paths"]["/v2"]["get"].update(
        operationId="serverMetadata"
    ),
    "rule/properties-are-snake-case": lambda it: _schema(it, "LiveStatus")["properties"].update(
        isLive={"type": "boolean", "description": "A flag.", "example": True}
    ),
    "rule/components-are-pascal-case": lambda it: it["components"]["schemas"].update(
        live_status=copy.deepcopy(_schema(it, "LiveStatus"))
    ),
    "rule/headers-are-kebab-case": lambda it: it["components"]["responses"]["Ready"][
        "headers"
    ].update({"x_ready": {"schema": {"type": "boolean"}, "description": "It."}}),
    "rule/descriptions-are-sentences": lambda it: _schema(it, "Error").update(description="no end"),
}


def test_it_would_find_what_breaks_its_rules(linter: Path, tmp_path: Path) -> None:
    document = copy.deepcopy(DOCUMENTS["usual"])
    for change in PLANTED.values():
        change(document)

    found = {problem.partition(": ")[0] for problem in lint(linter, document, tmp_path)}

    assert PLANTED.keys() - found == set()
