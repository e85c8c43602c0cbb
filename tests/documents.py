"""The document, folded with the limits of a few deployments."""

from collections.abc import Iterator
from typing import Any

from app.document import Document, fold, load_document, merged, resolve
from app.document_features import select

NAMES: dict[str, int | str] = {"model_name": "tiny", "model_version": "7"}
USUAL = NAMES | {"max_iter_times": 512, "max_token_id": 49151}
LIMITS = {
    "usual": USUAL,
    "tiny": NAMES | {"max_iter_times": 5, "max_token_id": 59},
    "least": NAMES | {"max_iter_times": 1, "max_token_id": 0},
    "huge": NAMES | {"max_iter_times": 2**40, "max_token_id": 2**40},
}


def documents() -> dict[str, Document]:
    """The document as written, folded with each set of limits, and of a server with keys."""
    written = load_document()
    usual = select(written, ())
    folded = {name: fold(usual, limits) for name, limits in LIMITS.items()}
    return {"written": written, "keyed": fold(written, USUAL)} | folded


def operations(document: Document) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Path, method and declaration of each operation."""
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method != "parameters":
                yield path, method, operation


def example_body(document: Document, operation: dict[str, Any]) -> Any:
    """The first example of the operation's body, None where it has none."""
    if "requestBody" not in operation:
        return None
    content = resolve(document, operation["requestBody"])["content"]["application/json"]
    for example in content.get("examples", {}).values():
        return resolve(document, example)["value"]
    return content["example"]


def mappings(node: object) -> Iterator[dict[str, Any]]:
    """Every JSON object in a document."""
    if isinstance(node, dict):
        yield node
    if isinstance(node, dict | list):
        for child in node.values() if isinstance(node, dict) else node:
            yield from mappings(child)


def request_fields(document: Document) -> Iterator[tuple[str, dict[str, Any]]]:
    """Dotted name and merged schema of each field of a generate request."""
    schemas = document["components"]["schemas"]
    for prefix, name in (("", "GenerateRequest"), ("parameters.", "GenerateParameters")):
        for field, schema in schemas[name]["properties"].items():
            yield prefix + field, merged(document, schema)
