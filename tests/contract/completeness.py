"""What a document leaves out that a reader, a client or a fuzzer would miss, by its place."""

from collections.abc import Iterator
from typing import Any

from app.document import Document, merged, resolve
from tests.documents import operations

Node = dict[str, Any]
Named = tuple[str, Node]

_NUMBERS = ("integer", "number")
_STRING_BOUNDS = {"maxLength", "pattern", "enum", "format"}
_LIMITS = {"maximum", "x-maximum-from", "x-cap-from"}
_CHOICES = ("oneOf", "anyOf")


def gaps(document: Document) -> list[str]:
    """``place: what is missing``, in document order."""
    return [*_described(document), *_bounded(document), *_exemplified(document)]


def _described(document: Document) -> Iterator[str]:
    for place, node in named(document):
        view = merged(document, node)
        if not str(view.get("description", "")).strip():
            yield f"{place}: description"
        if "example" not in view:
            yield f"{place}: example"


def _bounded(document: Document) -> Iterator[str]:
    for place, node in [*named(document), *_components(document)]:
        yield from _unbounded(document, place, node.get("schema", node))


def _exemplified(document: Document) -> Iterator[str]:
    for path, method, operation in operations(document):
        bodies = dict(operation["responses"])
        if "requestBody" in operation:
            bodies["body"] = operation["requestBody"]
        for kind, body in bodies.items():
            for media_type, content in resolve(document, body)["content"].items():
                if not content.get("examples") and "example" not in content:
                    yield f"{method} {path} {kind} {media_type}: example"


def named(document: Document) -> Iterator[Named]:
    """Every parameter, header and property, each where it is declared."""
    components = document["components"]
    for kind in ("parameters", "headers"):
        for name, node in components.get(kind, {}).items():
            yield f"{kind}.{name}", node
    for path, method, operation in operations(document):
        for parameter in [*document["paths"][path].get("parameters", ()), *_own(operation)]:
            if "$ref" not in parameter:
                yield f"{method} {path} {parameter['name']}", parameter
        for status, response in operation["responses"].items():
            yield from _inline_headers(f"{method} {path} {status}", response)
    for name, response in components["responses"].items():
        yield from _inline_headers(f"responses.{name}", response)
    for name, schema in components["schemas"].items():
        yield from _properties(f"schemas.{name}", schema)


def _own(operation: Node) -> list[Node]:
    own: list[Node] = operation.get("parameters", [])
    return own


def _inline_headers(place: str, response: Node) -> Iterator[Named]:
    for name, header in response.get("headers", {}).items():
        if "$ref" not in header:
            yield f"{place} {name}", header


def _properties(place: str, schema: Node) -> Iterator[Named]:
    """Of a schema and of those within it; what a reference leads to has a place of its own."""
    for name, property_ in schema.get("properties", {}).items():
        yield f"{place}.{name}", property_
        yield from _properties(f"{place}.{name}", property_)
    for key in (*_CHOICES, "allOf"):
        for part in schema.get(key, ()):
            yield from _properties(place, part)
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            yield from _properties(f"{place}[]", schema[key])


def _components(document: Document) -> Iterator[Named]:
    for name, schema in document["components"]["schemas"].items():
        yield f"schemas.{name}", schema


def _unbounded(document: Document, place: str, schema: Node) -> Iterator[str]:
    """What has no bound in a schema and in what it is made of, its properties left out."""
    view = merged(document, schema)
    missing = list(_missing_bounds(view))
    if "x-unbounded" in view:
        if not missing:
            yield f"{place}: x-unbounded beside bounds"
        if not str(view["x-unbounded"]).strip():
            yield f"{place}: a reason in x-unbounded"
    else:
        yield from (f"{place}: {bound}" for bound in missing)
    for key in _CHOICES:
        for alternative in view.get(key, ()):
            yield from _unbounded(document, f"{place}|", alternative)
    for key in ("items", "additionalProperties"):
        if isinstance(view.get(key), dict):
            yield from _unbounded(document, f"{place}[]", view[key])


def _missing_bounds(view: Node) -> Iterator[str]:
    kind = view.get("type")
    if kind == "string" and not _STRING_BOUNDS & view.keys():
        yield "maxLength, pattern, enum or format"
    if kind in _NUMBERS and "enum" not in view:
        if "minimum" not in view:
            yield "minimum"
        if not _LIMITS & view.keys():
            yield "maximum"
        if "format" not in view:
            yield "format"
    if kind == "array":
        yield from () if "maxItems" in view else ("maxItems",)
        yield from () if "items" in view else ("items",)
    if kind == "object" and "additionalProperties" in view and "maxProperties" not in view:
        yield "maxProperties"
    is_choice = any(key in view for key in _CHOICES)
    if kind is None and not is_choice and not view.get("x-ignored"):
        yield "type"
