"""Parts of the document that only some deployments have."""

from collections.abc import Collection
from typing import Any

from app.document import Document

FEATURE = "x-only-with"
KEYS = "keys"  # requests need an API key


def select(document: Document, features: Collection[str]) -> Document:
    """A copy without the components of other features, and without whatever refers to them."""
    missing = {
        f"#/components/{kind}/{name}"
        for kind, components in document["components"].items()
        for name, component in components.items()
        if FEATURE in component and component[FEATURE] not in features
    }
    selected: Document = _without(document, missing)
    components = selected["components"]
    for reference in missing:
        _, _, kind, name = reference.split("/")
        del components[kind][name]
    if not components.get("securitySchemes", True):
        del components["securitySchemes"]
        _drop_security(selected)
    return selected


def _without(node: Any, references: set[str]) -> Any:
    if isinstance(node, dict):
        return {
            key: _without(child, references)
            for key, child in node.items()
            if not (isinstance(child, dict) and child.get("$ref") in references)
        }
    if isinstance(node, list):
        return [_without(child, references) for child in node]
    return node


def _drop_security(document: Document) -> None:
    document["security"] = []  # which says that none is needed
    for path_item in document["paths"].values():
        for operation in path_item.values():
            if isinstance(operation, dict):
                operation.pop("security", None)
