"""A JSON Schema of the document, compiled, with messages that name the field and not the value."""

from typing import Any

import jsonschema_rs

from app.document import Document
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
        # The components go along, so that references inside the schema resolve.
        whole = {"allOf": [schema], "components": document["components"]}
        self._validator = jsonschema_rs.Draft4Validator(whole)

    def is_valid(self, value: object) -> bool:
        """Whether the value keeps to the schema."""
        return self._validator.is_valid(value)

    def problem(self, value: object) -> str | None:
        """What is wrong with the value, ``field: problem``; None where nothing is."""
        if self._validator.is_valid(value):
            return None
        return _message(next(self._validator.iter_errors(value)))


def _message(error: Any) -> str:
    error = _branch(error)
    path = list(error.instance_path)
    if error.kind.name == "required":
        path.append(error.kind.property)
    problem = _problem(error.kind)
    return f"{_dotted(path)}: {problem}" if path else f"the body {problem}"


def _branch(error: Any) -> Any:
    """Where a value breaks every alternative: the error of the one that it was meant for.

    That is one whose enumerations it keeps to, then one where only a size or range is wrong, then
    one that has the value's own type.
    """
    if error.kind.name != "oneOf":
        return error
    alternatives = list(error.kind.context)
    meant = [errors for errors in alternatives if not any(_is_enum(each) for each in errors)]
    firsts = [errors[0] for errors in meant or alternatives]
    for first in firsts:
        if first.kind.name not in ("type", "minItems", "maxItems"):
            return _branch(first)
    for first in firsts:
        if first.kind.name != "type" or first.instance_path != error.instance_path:
            return first
    return error


def _is_enum(error: Any) -> bool:
    return bool(error.kind.name == "enum")


def _dotted(path: list[str | int]) -> str:
    """The name of the field; quoted and cut where the client's own names make it ugly."""
    parts = [f"[{part}]" if isinstance(part, int) else f".{part}" for part in path]
    name = "".join(parts).removeprefix(".")
    is_plain = name.isascii() and name.isprintable() and len(name) <= MAX_NAME_LENGTH
    return name if is_plain else shown(name)


def _problem(kind: Any) -> str:
    if kind.name == "required":
        return "is required"
    if kind.name == "type":
        return f"must be {_either(kind.types)}"
    if kind.name == "oneOf":
        return f"must be {_either([first.kind.types[0] for first, *_ in kind.context])}"
    if kind.name in _BOUNDS:
        return _BOUNDS[kind.name].format(kind.limit)
    if kind.name in _SIZES:
        return _SIZES[kind.name].format(kind.limit) + ("" if kind.limit == 1 else "s")
    return "is not valid"


def _either(types: list[str]) -> str:
    return " or ".join(dict.fromkeys(_TYPES[name] for name in types))
