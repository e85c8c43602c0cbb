"""A JSON Schema of the document, compiled, with messages that name the field and not the value."""

from collections.abc import Iterable
from functools import cached_property, partial
from typing import Any

from app.document import Document
from app.explanation import Explainer, Fault, Path, compiled
from app.strict_json import shown

MAX_NAME_LENGTH = 64

_TYPES = {
    "array": "a list",
    "boolean": "a boolean",
    "integer": "an integer",
    "number": "a number",
    "object": "an object",
    "string": "a string",
}
_BOUNDS = {
    "minimum": "must be at least {}",
    "exclusiveMinimum": "must be greater than {}",
    "maximum": "must be at most {}",
    "exclusiveMaximum": "must be less than {}",
}
_SIZES = {
    "minLength": "must have at least {} character",
    "maxLength": "must have at most {} character",
    "minItems": "must have at least {} item",
    "maxItems": "must have at most {} item",
    "minProperties": "must have at least {} member",
    "maxProperties": "must have at most {} member",
}


class SchemaValidator:
    """Checks values against one schema of a document."""

    def __init__(self, document: Document, schema: dict[str, Any]) -> None:
        self._validator = compiled(schema, document["components"])
        # Made when first asked: most validators never refuse anything, and there are many.
        self._make_explainer = partial(Explainer, document, schema)

    def is_valid(self, value: object) -> bool:
        """Whether the value keeps to the schema."""
        return self._validator.is_valid(value)

    def problem(self, value: object) -> str | None:
        """What is wrong with the value, ``field: problem``; None where nothing is."""
        if self._validator.is_valid(value):
            return None
        return _message(self._explainer.explain(value))

    @cached_property
    def _explainer(self) -> Explainer:
        return self._make_explainer()


def _message(fault: Fault) -> str:
    problem = _problem(fault)
    return f"{_dotted(fault.path)}: {problem}" if fault.path else f"the body {problem}"


def _dotted(path: Path) -> str:
    """The name of the field; quoted and cut where the client's own names make it ugly."""
    parts = [f"[{part}]" if isinstance(part, int) else f".{part}" for part in path]
    name = "".join(parts).removeprefix(".")
    is_plain = name.isascii() and name.isprintable() and len(name) <= MAX_NAME_LENGTH
    return name if is_plain else shown(name)


def _problem(fault: Fault) -> str:
    if fault.keyword == "required":
        return "is required"
    if fault.keyword == "type":
        return f"must be {_either(_TYPES[name] for name in fault.allowed)}"
    if fault.keyword == "enum":
        return f"must be {_either(fault.allowed)}"
    if fault.keyword in _BOUNDS:
        return _BOUNDS[fault.keyword].format(fault.limit)
    if fault.keyword in _SIZES:
        return _SIZES[fault.keyword].format(fault.limit) + ("" if fault.limit == 1 else "s")
    return "is not valid"


def _either(names: Iterable[str]) -> str:
    return " or ".join(dict.fromkeys(names))
