"""Every number and flag of ``parameters`` at its bounds, just outside, and in another type."""

from collections.abc import Iterator
from typing import Any

from app.conform.check import Check, accepted, refused
from app.conform.subject import Subject
from app.conform.target import Request
from app.document import merged

_OTHER_TYPE = {"integer": 1.5, "number": "1", "boolean": 1}
_LONG = {"max_new_tokens", "min_new_tokens", "min_length", "max_tokens"}  # would generate much

_TIMES = {"timeout"}  # its least would be kept, with 408


def bound_checks(subject: Subject) -> Iterator[Check]:
    document = subject.document
    declared = document["components"]["schemas"]["GenerateParameters"]["properties"]
    for name, schema in declared.items():
        schema = merged(document, schema)
        kind = schema.get("type")
        if kind not in _OTHER_TYPE or schema.get("x-ignored"):
            continue
        for value in _inside(kind, schema):
            if name not in _TIMES and (name not in _LONG or value in (0, 1)):
                yield accepted(f"{name}: {value}", _request(subject, name, value))
        for value in (*_outside(kind, schema), _OTHER_TYPE[kind]):
            yield refused(f"{name}: {value!r}", _request(subject, name, value), 422)


def _inside(kind: str, schema: dict[str, Any]) -> Iterator[Any]:
    if kind == "boolean":
        yield from (True, False)
        return
    if "minimum" in schema and not schema.get("exclusiveMinimum"):
        yield schema["minimum"]
    if "maximum" in schema:
        yield schema["maximum"]


def _outside(kind: str, schema: dict[str, Any]) -> Iterator[Any]:
    step = 1 if kind == "integer" else 0.001
    if "minimum" in schema:
        is_open = schema.get("exclusiveMinimum")
        yield schema["minimum"] if is_open else schema["minimum"] - step
    if "maximum" in schema:
        yield schema["maximum"] + step


def _request(subject: Subject, name: str, value: Any) -> Request:
    few = {} if name in _LONG else {"max_new_tokens": 1}
    body = {"text_input": "My name is", "parameters": {**few, name: value}}
    return Request("POST", f"{subject.path}/generate", body)
