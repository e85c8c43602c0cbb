"""The interface reference: the whole document as Markdown, with nothing said by hand."""

import json
from collections.abc import Iterator
from typing import Any

from app.document import Document, load_document, resolve
from app.document_features import KEYS
from docs_site.schemas import anchor, bounds, code, fields, kind, link, one_line, table, value

_VERSION = "/versions/{model_version}"
_METHODS = ("get", "post")


def interface() -> str:
    """Operations by topic, then errors, then schemas."""
    document = load_document()
    parts = [_topic(document, tag) for tag in document["tags"]]
    return "\n".join([*parts, _errors(document), _headers(document), _schemas(document)])


def _topic(document: Document, tag: dict[str, Any]) -> str:
    head = f"## {tag['name'].capitalize()}\n\n{tag['description']}\n"
    return "\n".join([head, *_operations(document, tag["name"])])


def _operations(document: Document, tag: str) -> Iterator[str]:
    for path, item in document["paths"].items():
        if _VERSION in path:
            continue  # told beside its twin
        for method in _METHODS:
            operation = item.get(method)
            if operation and tag in operation["tags"]:
                twin = document["paths"].get(_versioned(path), {}).get(method)
                yield _operation(document, path, method, item, twin)


def _versioned(path: str) -> str:
    return path.replace("/{model_name}", "/{model_name}" + _VERSION)


def _operation(
    document: Document, path: str, method: str, item: dict[str, Any], twin: dict[str, Any] | None
) -> str:
    operation = item[method]
    name = operation["operationId"]
    lines = [f"### {operation['summary']} {{#{name}}}", ""]
    lines += [f"`{method.upper()} {path}`, operation `{name}`.", ""]
    if twin:
        lines += [f"The same of a version: `{_versioned(path)}`, `{twin['operationId']}`.", ""]
    lines += [one_line(operation["description"]), ""]
    given = [*item.get("parameters", ()), *operation.get("parameters", ())]
    if given:
        lines += [_parameters([resolve(document, one) for one in given])]
    if "requestBody" in operation:
        lines += [_body(document, resolve(document, operation["requestBody"]))]
    return "\n".join([*lines, _answers(document, operation)])


def _parameters(given: list[dict[str, Any]]) -> str:
    rows = [
        (
            f"`{one['name']}`",
            one["in"],
            value(one["schema"], is_required=one.get("required", False)),
            code(one["example"]),
            one_line(one["description"]),
        )
        for one in given
    ]
    return table(("parameter", "in", "value", "example", "meaning"), rows)


def _body(document: Document, body: dict[str, Any]) -> str:
    lines = []
    for media, content in body["content"].items():
        also = "".join(f", also sent as `{one}`" for one in body.get("x-also-json", ()))
        lines += [f"Body: {kind(content['schema'])}, `{media}`{also}.", ""]
        lines += _examples(document, content, "json")
    return "\n".join(lines)


def _examples(document: Document, content: dict[str, Any], language: str) -> Iterator[str]:
    named = {"": {"value": content["example"]}} if "example" in content else {}
    for example in (named or content.get("examples", {})).values():
        shown = resolve(document, example)
        text = shown["value"]
        if not isinstance(text, str):
            text = json.dumps(text, ensure_ascii=False, indent=2)
        if "summary" in shown:
            yield f"{shown['summary']}:\n"
        yield f"```{language}\n{text.rstrip()}\n```\n"


def _answers(document: Document, operation: dict[str, Any]) -> str:
    lines = []
    for media, content in resolve(document, operation["responses"]["200"])["content"].items():
        schema = content.get("x-event-schema", content["schema"])
        of = "events of " if "x-event-schema" in content else ""
        lines += [f"Answer: {of}{kind(schema)}, `{media}`.", ""]
        lines += _examples(document, content, "json" if media == "application/json" else "text")
    failures = ", ".join(sorted(set(operation["responses"]) - {"200"}))
    return "\n".join([*lines, f"[Errors](#errors): {failures}.", ""])


def _errors(document: Document) -> str:
    rows = []
    for status, answer in sorted(_failures(document).items()):
        content = answer["content"]["application/json"]
        shown = [resolve(document, example) for example in content.get("examples", {}).values()]
        for error in (
            [content["example"]] if "example" in content else [it["value"] for it in shown]
        ):
            rows.append(
                (status, f"`{error['error_type']}`", _meaning(answer), f"`{error['error']}`")
            )
    text = f"Every one of them is an {link('/Error')}.\n"
    return f"## Errors\n\n{text}\n" + table(("status", "`error_type`", "when", "example"), rows)


def _meaning(part: dict[str, Any]) -> str:
    only = " With API keys only." if part.get("x-only-with") == KEYS else ""
    return one_line(part["description"]) + only


def _failures(document: Document) -> dict[str, dict[str, Any]]:
    """The answers that are no success, each once; the general one before that of some."""
    found: dict[str, dict[str, Any]] = {}
    for item in document["paths"].values():
        for method in _METHODS:
            for status, reference in item.get(method, {}).get("responses", {}).items():
                if not status.startswith("2"):
                    found.setdefault(status, resolve(document, reference))
    return found


def _headers(document: Document) -> str:
    names = sorted(
        {
            (name, reference["$ref"])
            for answer in document["components"]["responses"].values()
            for name, reference in answer["headers"].items()
        }
    )
    rows = []
    for name, reference in names:
        header = resolve(document, {"$ref": reference})
        example = code(header["example"])
        rows.append((f"`{name}`", kind(header["schema"]), example, _meaning(header)))
    return "## Headers of answers\n\n" + table(("header", "type", "example", "meaning"), rows)


def _schemas(document: Document) -> str:
    parts = ["## Schemas\n"]
    for name, schema in document["components"]["schemas"].items():
        parts += [f"### {name} {{#{anchor(name)}}}\n", one_line(schema["description"]) + "\n"]
        parts += [_schema(schema)]
    return "\n".join(parts)


def _schema(schema: dict[str, Any]) -> str:
    if "properties" in schema:
        return fields(schema)
    lines = [f"It is {said}." for said in [kind(schema)] if said]
    lines += [f"Bounds: {said}." for said in [bounds(schema)] if said]
    if isinstance(schema.get("additionalProperties"), dict):
        inner = schema["additionalProperties"]
        lines.append(f"Values: {kind(inner)}; {bounds(inner)}.")
    if isinstance(schema.get("x-keys"), dict):
        lines.append(f"Keys: {kind(schema['x-keys'])}, as decimal digits.")
    own = [fields(part) for part in schema.get("allOf", ()) if "properties" in part]
    required = [name for part in schema.get("allOf", ()) for name in part.get("required", ())]
    if required:
        lines.append("Always there: " + ", ".join(f"`{name}`" for name in required) + ".")
    if "example" in schema:
        lines.append(f"Example: {code(schema['example'])}.")
    return "\n\n".join([" ".join(lines), *own]) + "\n"
