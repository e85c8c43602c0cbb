"""The first thing that is wrong with a value, found without a list of all that is.

jsonschema_rs keeps every error of every alternative of a ``oneOf``, each with memory of its own: a
small body with many wrong items would take gigabytes. So choices are left out of what it sees
here, and each of their alternatives is looked at by itself, up to its own first error.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import jsonschema_rs

from app.document import Document, resolve

Path = tuple[str | int, ...]
Choice = tuple[list[dict[str, Any]], Any, Path]  # the alternatives, the value, and where it stands

_SHAPE_KEYWORDS = ("type", "minItems", "maxItems")


@dataclass(frozen=True, slots=True)
class Fault:
    """One broken rule: ``allowed`` types or values, or the ``limit`` that was passed."""

    path: Path
    keyword: str
    allowed: tuple[str, ...] = ()
    limit: int | float | None = None


class Explainer:
    """Explains what breaks one schema of a document."""

    def __init__(self, document: Document, schema: dict[str, Any]) -> None:
        self._document = document
        self._schema = schema
        self._components = _without_choices(document["components"])
        self._validators: dict[int, jsonschema_rs.Draft4Validator] = {}

    def explain(self, value: object) -> Fault:
        """The first fault of a value that is not valid."""
        return self._first(self._schema, value, ()) or Fault((), "oneOf")

    def _first(self, schema: dict[str, Any], value: object, path: Path) -> Fault | None:
        try:
            self._validator(schema).validate(value)
        except jsonschema_rs.ValidationError as error:
            return _to_fault(error, path)
        faults = (self._choice(*choice) for choice in self._choices(schema, value, path))
        return next((fault for fault in faults if fault is not None), None)

    def _validator(self, schema: dict[str, Any]) -> jsonschema_rs.Draft4Validator:
        key = id(schema)  # a part of the document, which stays
        if key not in self._validators:
            self._validators[key] = compiled(_without_choices(schema), self._components)
        return self._validators[key]

    def _choices(self, schema: dict[str, Any], value: object, path: Path) -> Iterator[Choice]:
        """Every ``oneOf`` that the value, or something in it, has to keep to."""
        schema = resolve(self._document, schema)
        if "oneOf" in schema:
            yield schema["oneOf"], value, path
        for part in schema.get("allOf", ()):
            yield from self._choices(part, value, path)
        if isinstance(value, dict):
            for name, member in schema.get("properties", {}).items():
                if name in value:
                    yield from self._choices(member, value[name], (*path, name))
        if isinstance(value, list) and self._has_choices(schema.get("items", {})):
            for index, item in enumerate(value):
                yield from self._choices(schema["items"], item, (*path, index))

    def _has_choices(self, schema: dict[str, Any]) -> bool:
        schema = resolve(self._document, schema)
        parts = [*schema.get("allOf", ()), *schema.get("properties", {}).values()]
        parts += [schema["items"]] if "items" in schema else []
        return "oneOf" in schema or any(map(self._has_choices, parts))

    def _choice(
        self, alternatives: list[dict[str, Any]], value: object, path: Path
    ) -> Fault | None:
        """Where the value breaks every alternative: the fault in the one that it was meant for.

        That is one whose enumerations it keeps to, then one where only a size or range is wrong,
        then one that has the value's own type.
        """
        faults: list[Fault] = []
        meant: list[Fault] = []
        for alternative in alternatives:
            fault = self._first(alternative, value, path)
            if fault is None:
                return None
            faults.append(fault)
            if self._keeps_to_enumerations(alternative, value):
                meant.append(fault)
        meant = meant or faults
        for fault in meant:
            if fault.keyword not in _SHAPE_KEYWORDS:
                return fault
        for fault in meant:
            if fault.keyword != "type" or fault.path != path:
                return fault
        return Fault(path, "type", tuple(name for fault in meant for name in fault.allowed))

    def _keeps_to_enumerations(self, alternative: dict[str, Any], value: object) -> bool:
        members = resolve(self._document, alternative).get("properties", {})
        return isinstance(value, dict) and all(
            value[name] in member["enum"]
            for name, member in members.items()
            if name in value and "enum" in member
        )


def compiled(schema: dict[str, Any], components: object) -> jsonschema_rs.Draft4Validator:
    """A validator of the schema, whose references lead into the components."""
    return jsonschema_rs.Draft4Validator({"allOf": [schema], "components": components})


def _without_choices(node: Any) -> Any:
    if isinstance(node, dict):
        return {name: _without_choices(part) for name, part in node.items() if name != "oneOf"}
    return [_without_choices(part) for part in node] if isinstance(node, list) else node


def _to_fault(error: jsonschema_rs.ValidationError, path: Path) -> Fault:
    kind: Any = error.kind  # one class for each keyword, with members of its own
    path = (*path, *error.instance_path)
    if kind.name == "required":
        path = (*path, kind.property)
    allowed = kind.types if kind.name == "type" else getattr(kind, "options", ())
    return Fault(path, kind.name, tuple(map(str, allowed)), getattr(kind, "limit", None))
