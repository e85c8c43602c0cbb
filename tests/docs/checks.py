"""What is checked of blocks that are not commands, and of answers."""

import doctest
import json
import re
import tomllib
from collections.abc import Callable
from typing import Any

import yaml

from tests.answers import strict_json
from tests.docs.blocks import ROOT

_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
_MADE_ID = re.compile(r"\b[0-9a-f]{32}\b")


def check_json(text: str) -> Any:
    return strict_json(text.encode())


def check_diff(text: str) -> None:
    """It changes the document as it is now, and the result is YAML."""
    lines = text.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if line[0] in " -")
    after = "".join(line[1:] for line in lines if line[0] in " +")
    document = (ROOT / "openapi/generate.yaml").read_text(encoding="utf-8")
    assert document.count(before) == 1, before
    assert yaml.safe_load(document) != yaml.safe_load(document.replace(before, after))


# Languages of blocks that are shown, not run.
CHECKS: dict[str, Callable[[str], Any]] = {
    "diff": check_diff,
    "ini": str,
    "json": check_json,
    "text": str,
    "toml": tomllib.loads,
    "yaml": yaml.safe_load,
}


def check_answer(language: str, shown: str, said: str) -> None:
    """What is shown as an answer is the answer: JSON in shape and texts, anything else in full.

    In plain text ``...`` stands for anything, and an id that the server made for any other.
    """
    if language == "json":
        assert _shape(check_json(shown)) == _shape(json.loads(said)), said
        return
    want, got = (_MADE_ID.sub("ID", text) for text in (shown, said))
    assert doctest.OutputChecker().check_output(want, got, _FLAGS), said


def _shape(value: Any, name: str = "") -> Any:
    """The value with numbers and ids by their type alone; texts of the model and errors stay."""
    if isinstance(value, dict):
        return {key: _shape(item, key) for key, item in value.items()}
    if isinstance(value, list):
        return [_shape(item, name) for item in value]
    if isinstance(value, str) and name != "id":
        return value
    return type(value).__name__
