"""The OpenAPI document: read from the package, completed with a deployment's limits."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

Document = dict[str, Any]

# What a limit named by an extension key is written to.
LIMIT_KEYS = {
    "x-maximum-from": "maximum",
    "x-max-items-from": "maxItems",
    "x-example-from": "example",
    "x-cap-from": "x-cap",
}
# Those that lower a bound, each with the bound that it may not pass.
_LEAST = {"x-maximum-from": "minimum", "x-max-items-from": "minItems"}

# libyaml's loader where PyYAML has it: ten times faster on a document of this size.
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def load_document() -> Document:
    """The document as it is written, a tree of the caller's own; no two places share an object."""
    document: Document = json.loads(_written())
    return document


@cache
def _written() -> str:
    """As JSON; read once, for the package does not change under a process."""
    text = files("openapi").joinpath("generate.yaml").read_text(encoding="utf-8")
    document = yaml.load(text, Loader=_Loader)
    del document["x-values"]  # only holds what the anchors share
    return json.dumps(document)


def limit_names(document: Document) -> frozenset[str]:
    """Names of the deployment limits that the document refers to."""
    return frozenset(
        node[key] for node in mappings(document) for key in LIMIT_KEYS.keys() & node.keys()
    )


def fold(document: Document, limits: Mapping[str, int | str]) -> Document:
    """Return a copy with the deployment's limits put in.

    Defaults and examples follow: numbers above their new maximum are lowered to it, names become
    the deployment's. Raises ValueError when a limit is missing, or is below the minimum of a
    field it belongs to.
    """
    folded = _copy(document)
    if missing := limit_names(folded) - limits.keys():
        raise ValueError(f"limits are missing: {', '.join(sorted(missing))}")
    for node in mappings(folded):
        for key in LIMIT_KEYS.keys() & node.keys():
            _apply(node, key, limits[node[key]])
    for node in mappings(folded):
        _fit_examples(folded, node)
    return folded


def resolve(document: Document, node: dict[str, Any]) -> dict[str, Any]:
    """Follow a local ``$ref``, if the node is one."""
    while "$ref" in node:
        target: Any = document
        for part in node["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        node = target
    return node


def merged(document: Document, schema: dict[str, Any]) -> dict[str, Any]:
    """One view of a schema: what its ``$ref`` and ``allOf`` say, with its own keys on top."""
    schema = resolve(document, schema)
    view: dict[str, Any] = {}
    for part in schema.get("allOf", ()):
        for key, value in merged(document, part).items():
            if key == "properties":
                value = {**view.get(key, {}), **value}
            view[key] = value
    view.update((key, value) for key, value in schema.items() if key != "allOf")
    return view


def _copy(document: Document) -> Document:
    copied: Document = json.loads(json.dumps(document))
    return copied


def mappings(node: object) -> Iterator[dict[str, Any]]:
    """Every JSON object in the tree, in document order."""
    if isinstance(node, dict):
        yield node
        for child in tuple(node.values()):
            yield from mappings(child)
    elif isinstance(node, list):
        for child in node:
            yield from mappings(child)


def _apply(node: dict[str, Any], key: str, limit: int | str) -> None:
    bound = LIMIT_KEYS[key]
    if key in _LEAST:
        least = node.get(_LEAST[key], limit)
        if limit < least:
            raise ValueError(f"{node[key]}: must be at least {least}, not {limit}")
        limit = min(limit, node[bound])
    node[bound] = limit


def _fit_examples(document: Document, node: dict[str, Any]) -> None:
    """Fit what a schema, or an object with a schema, holds as default or examples."""
    schema = node.get("schema", node)
    if not isinstance(schema, dict):
        return
    named = node.get("examples", {}) if "schema" in node else {}
    for example in named.values():
        example = resolve(document, example)
        example["value"] = _fitted(document, schema, example["value"])
    for key in {"default", "example"} & node.keys():
        node[key] = _fitted(document, schema, node[key])


def _fitted(document: Document, schema: dict[str, Any], value: Any) -> Any:
    """The value with everything that the deployment limits changed to what it allows."""
    schema = merged(document, schema)
    for alternative in (*schema.get("oneOf", ()), *schema.get("anyOf", ())):
        value = _fitted(document, alternative, value)
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        return {
            name: _fitted(document, properties[name], item) if name in properties else item
            for name, item in value.items()
        }
    if isinstance(value, list) and "items" in schema:
        most = schema["maxItems"] if "x-max-items-from" in schema else len(value)
        return [_fitted(document, schema["items"], item) for item in value[:most]]
    if isinstance(value, str) and "x-example-from" in schema:
        return schema["example"]
    if isinstance(value, int) and "x-maximum-from" in schema:
        return min(value, schema["maximum"])
    return value
