"""Nothing is left out of the document, and a document that leaves something out is told so."""

from collections.abc import Callable
from typing import Any

import pytest

from app.document import load_document
from tests.contract.completeness import gaps, named

TEXT = {"type": "string", "maxLength": 5, "description": "A text.", "example": "a"}
RANGE = {"type": "integer", "format": "int32", "minimum": 0, "maximum": 1}
NUMBER = {**RANGE, "description": "A number.", "example": 1}
LIST = {"type": "array", "items": TEXT, "maxItems": 5, "description": "Some.", "example": ["a"]}
Change = Callable[[dict[str, Any]], None]


def test_everything_is_described_bounded_and_shown_by_an_example() -> None:
    assert gaps(load_document()) == []


def test_it_was_looked_at() -> None:
    places = {place for place, _ in named(load_document())}

    assert len(places) > 150
    assert places >= {
        "parameters.IdempotencyKey",
        "headers.RetryAfter",
        "schemas.GenerateParameters.top_k",
        "schemas.GeneratedToken.top_logprobs",  # within an `allOf`
    }


@pytest.mark.parametrize(
    ("property_", "gap"),
    [
        ({**TEXT, "description": " "}, "it: description"),
        ({key: TEXT[key] for key in ("type", "maxLength", "description")}, "it: example"),
        ({**TEXT, "maxLength": None}, "it: maxLength, pattern, enum or format"),
        ({**NUMBER, "minimum": None}, "it: minimum"),
        ({**NUMBER, "maximum": None}, "it: maximum"),
        ({**NUMBER, "format": None}, "it: format"),
        ({**LIST, "maxItems": None}, "it: maxItems"),
        ({**LIST, "items": None}, "it: items"),
        ({**LIST, "items": {"type": "string"}}, "it[]: maxLength, pattern, enum or format"),
        ({**TEXT, "type": None, "maxLength": None}, "it: type"),
        ({**TEXT, "type": None, "anyOf": [{"type": "string"}]}, "it|: maxLength, pattern"),
        ({**TEXT, "x-unbounded": "it is"}, "it: x-unbounded beside bounds"),
        ({**TEXT, "maxLength": None, "x-unbounded": " "}, "it: a reason in x-unbounded"),
    ],
)
def test_what_a_property_lacks_is_told(property_: dict[str, Any], gap: str) -> None:
    whole = {key: value for key, value in property_.items() if value is not None}

    [told] = gaps(document(whole))

    assert told.startswith(f"schemas.Thing.{gap}")


@pytest.mark.parametrize("property_", [TEXT, NUMBER, LIST])
def test_what_lacks_nothing_is_not(property_: dict[str, Any]) -> None:
    assert gaps(document(property_)) == []


def no_answer(content: dict[str, Any]) -> None:
    del content["example"]


def no_answers(content: dict[str, Any]) -> None:
    content["examples"] = {}
    del content["example"]


@pytest.mark.parametrize("change", [no_answer, no_answers])
def test_an_answer_without_an_example_is_told(change: Change) -> None:
    changed = document(TEXT)
    change(changed["paths"]["/thing"]["get"]["responses"]["200"]["content"]["application/json"])

    assert gaps(changed) == ["get /thing 200 application/json: example"]


def test_a_header_and_a_parameter_are_looked_at_where_they_stand() -> None:
    changed = document(TEXT)
    operation = changed["paths"]["/thing"]["get"]
    operation["parameters"] = [{"name": "it", "in": "query", "schema": {"type": "string"}}]
    operation["responses"]["200"]["headers"] = {"X-It": {"schema": {"type": "string"}}}

    told = gaps(changed)

    for place in ("get /thing it", "get /thing 200 X-It"):
        for gap in ("description", "example", "maxLength, pattern, enum or format"):
            assert f"{place}: {gap}" in told


def document(property_: dict[str, Any]) -> dict[str, Any]:
    """A document with one schema that has this one property."""
    content = {"schema": {"$ref": "#/components/schemas/Thing"}, "example": {}}
    answer = {"description": "It.", "content": {"application/json": content}}
    schema = {"type": "object", "properties": {"it": property_}}
    return {
        "paths": {"/thing": {"get": {"responses": {"200": answer}}}},
        "components": {"responses": {}, "schemas": {"Thing": schema}},
    }
