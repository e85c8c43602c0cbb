"""What a folded document says of a model: its parameters with their limits, and its formats."""

from collections.abc import Iterator
from typing import Any

from app.body import body_schema
from app.document import Document, merged, resolve
from app.fields import Field, compile_fields

_METHODS = ("get", "post")
_VERSIONED = "{model_version}"


def declared_capabilities(document: Document) -> dict[str, Any]:
    """``parameters``, ``formats`` and ``datatypes`` as the capability document has them."""
    return {
        "parameters": _parameters(document),
        "formats": list(_formats(document)),
        "datatypes": document["components"]["schemas"]["DataType"]["enum"],
    }


def _parameters(document: Document) -> list[dict[str, Any]]:
    schema = body_schema(document, "generate")
    fields = compile_fields(document, schema)
    members = fields["parameters"].members
    spellings = [*members.values(), *fields.values()]
    properties = merged(document, merged(document, schema)["properties"]["parameters"])[
        "properties"
    ]
    return [
        {
            "name": name,
            "other_names": [other.name for other in spellings if _is_alias(other, known)],
            "is_ignored": known.is_ignored,
            "schema": _inlined(document, properties[name]),
        }
        for name, known in members.items()
        if not known.is_alias
    ]


def _is_alias(other: Field, known: Field) -> bool:
    return other.is_alias and other.target == known.path


def _inlined(document: Document, node: Any) -> Any:
    """A schema without references and without our own keys."""
    if isinstance(node, list):
        return [_inlined(document, item) for item in node]
    if not isinstance(node, dict):
        return node
    view = merged(document, node)
    return {key: _inlined(document, value) for key, value in view.items() if key[:2] != "x-"}


def _formats(document: Document) -> Iterator[dict[str, Any]]:
    """Of the operations on a model; those with a version take and give the same."""
    model_name = document["components"]["parameters"]["ModelName"]["example"]
    for path, item in document["paths"].items():
        if "{model_name}" not in path or _VERSIONED in path:
            continue
        for method in item.keys() & set(_METHODS):
            operation = item[method]
            body = resolve(document, operation.get("requestBody", {}))
            yield {
                "operation": operation["operationId"],
                "method": method.upper(),
                "path": path.format(model_name=model_name),
                "request": list(body.get("content", {})),
                "answer": list(resolve(document, operation["responses"]["200"])["content"]),
            }
