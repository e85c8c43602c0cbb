"""Schemas of the document as Markdown: what a value may be, in words."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

Schema = dict[str, Any]

# Keys of a schema, and what they say of its values.
_BOUNDS = {
    "minLength": "length ≥ {}",
    "maxLength": "length ≤ {}",
    "minItems": "items ≥ {}",
    "maxItems": "items ≤ {}",
    "maxProperties": "members ≤ {}",
    "pattern": "matches `{}`",
    "x-maximum-from": "at most the deployment's `{}`",
    "x-max-items-from": "at most the deployment's `{}` of them",
    "x-unbounded": "no bound: {}",
    "x-cap-from": "larger ones become the deployment's `{}`",
    "x-alias-of": "another spelling of `{}`",
}
_FLAGS = {
    "x-ignored": "has no effect",
    "x-only-item": "a list of one is its item",
    "x-as-list": "one is a list of one",
    "x-empty-is-absent": "empty is absent",
}


def anchor(name: str) -> str:
    """Of the part about a schema."""
    return f"schema-{name.lower()}"


def link(reference: str) -> str:
    name = reference.rpartition("/")[2]
    return f"[{name}](#{anchor(name)})"


def kind(schema: Schema) -> str:
    """The type of a value, with links to named schemas."""
    return _kind(schema) + (" or null" if schema.get("nullable") else "")


def _kind(schema: Schema) -> str:
    if "$ref" in schema:
        return link(schema["$ref"])
    if alternatives := _alternatives(schema):
        return " or ".join(kind(part) for part in alternatives)
    if "allOf" in schema:
        return " and ".join(kind(part) for part in schema["allOf"] if "$ref" in part)
    if schema.get("type") == "array":
        return f"list of {kind(schema['items'])}"
    named = schema.get("type", "any")
    return f"{named} ({schema['format']})" if "format" in schema else str(named)


def _alternatives(schema: Schema) -> tuple[Schema, ...]:
    return (*schema.get("oneOf", ()), *schema.get("anyOf", ()))


def bounds(schema: Schema) -> str:
    """What a value must keep to."""
    return "; ".join(_bounds(schema))


def _bounds(schema: Schema) -> Iterator[str]:
    for key, sign, strict in (
        ("minimum", "≥", "exclusiveMinimum"),
        ("maximum", "≤", "exclusiveMaximum"),
    ):
        if key in schema:
            shown = {"≥": ">", "≤": "<"}[sign] if schema.get(strict) else sign
            yield f"{shown} {schema[key]}"
    if "enum" in schema:
        yield "one of " + ", ".join(code(value) for value in schema["enum"])
    for key, text in _BOUNDS.items():
        if key in schema:
            yield text.format(schema[key])
    if "x-advised" in schema:
        low, high = schema["x-advised"]
        yield f"sensible from {code(low)} to {code(high)}"
    if "x-implies" in schema:
        yield f"sets {code(schema['x-implies'])}"
    if "x-zero-means" in schema:
        yield f"0 sets {code(schema['x-zero-means'])}"
    yield from (text for key, text in _FLAGS.items() if schema.get(key))
    for part in (*_alternatives(schema), *([schema["items"]] if "items" in schema else [])):
        if inner := bounds(part):
            yield f"each {kind(part)}: {inner}"


def value(schema: Schema, *, is_required: bool) -> str:
    """Type, bounds and default in a table's cell."""
    lines = [kind(schema) + (", required" if is_required else ""), bounds(schema)]
    if "default" in schema:
        lines.append(f"default {code(schema['default'])}")
    return "<br>".join(filter(None, lines))


def code(value: Any) -> str:
    """A JSON value in a table's cell."""
    text = json.dumps(value, ensure_ascii=False).replace("|", "\\|")
    return f"`{text}`"


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A table without its empty columns."""
    used = [i for i in range(len(head)) if any(row[i] for row in rows)]
    lines = [[row[i] for i in used] for row in (head, ("---",) * len(head), *rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def fields(schema: Schema) -> str:
    """The members of an object, a row each."""
    required = schema.get("required", ())
    rows = [
        (
            f"`{name}`",
            value(field, is_required=name in required),
            code(field["example"]) if "example" in field else "",
            one_line(field.get("description", "")),
        )
        for name, field in schema["properties"].items()
    ]
    return table(("field", "value", "example", "meaning"), rows)


def one_line(text: str) -> str:
    return " ".join(text.split())
