"""Messages name the field and the rule, never the value."""

from typing import Any

import pytest

from app.validation import MAX_NAME_LENGTH, SchemaValidator

DOCUMENT: dict[str, Any] = {"components": {"schemas": {"Name": {"type": "string"}}}}
TEXTS = {
    "oneOf": [
        {"type": "string", "maxLength": 3},
        {"type": "array", "maxItems": 2, "items": {"type": "string", "maxLength": 3}},
    ]
}

CASES: list[tuple[dict[str, Any], object, str]] = [
    ({"type": "integer"}, 1.0, "must be an integer"),
    ({"type": "integer"}, True, "must be an integer"),
    ({"type": "number"}, False, "must be a number"),
    ({"type": "string"}, None, "must be a string"),
    ({"type": "boolean"}, "true", "must be a boolean"),
    ({"type": "array"}, {}, "must be a list"),
    ({"type": "object"}, [], "must be an object"),
    ({"$ref": "#/components/schemas/Name"}, 1, "must be a string"),
    ({"minimum": 2}, 1, "must be at least 2"),
    ({"maximum": 2}, 3, "must be at most 2"),
    ({"maximum": 1}, 1.0000000000000002, "must be at most 1"),
    ({"maximum": 18446744073709551615}, 2**64, "must be at most 18446744073709551615"),
    ({"maximum": 2147483647}, 10**300, "must be at most 2147483647"),
    ({"minimum": 0, "exclusiveMinimum": True}, 0, "must be greater than 0"),
    ({"maximum": 1, "exclusiveMaximum": True}, 1, "must be less than 1"),
    ({"minLength": 1}, "", "must have at least 1 character"),
    ({"maxLength": 2}, "abc", "must have at most 2 characters"),
    ({"minItems": 2}, [1], "must have at least 2 items"),
    ({"maxItems": 1}, [1, 2], "must have at most 1 item"),
    ({"maxProperties": 1}, {"a": 1, "b": 2}, "must have at most 1 member"),
    ({"minProperties": 1}, {}, "must have at least 1 member"),
    ({"enum": ["a", "b"]}, "guess", "must be a or b"),
    (TEXTS, 1, "must be a string or a list"),
    (TEXTS, "long", "must have at most 3 characters"),
    (TEXTS, ["a", "b", "c"], "must have at most 2 items"),
    ({"pattern": "^a$"}, "b", "is not valid"),
]


def _validator(schema: dict[str, Any]) -> SchemaValidator:
    return SchemaValidator(DOCUMENT, {"type": "object", "properties": {"field": schema}})


@pytest.mark.parametrize(("schema", "value", "message"), CASES)
def test_a_problem_is_told_by_its_field(
    schema: dict[str, Any], value: object, message: str
) -> None:
    assert _validator(schema).problem({"field": value}) == f"field: {message}"


def test_what_is_valid_has_no_problem() -> None:
    assert _validator(TEXTS).problem({"field": ["a"], "other": None}) is None


def test_the_body_itself_is_named_as_such() -> None:
    assert _validator({}).problem([1]) == "the body must be an object"


def test_a_missing_field_is_named_with_its_place() -> None:
    inner = {"type": "object", "required": ["name"]}
    assert _validator(inner).problem({"field": {}}) == "field.name: is required"


def test_items_are_named_by_their_index() -> None:
    problem = _validator(TEXTS).problem({"field": ["a", 7]})
    assert problem == "field[1]: must be a string"


@pytest.mark.parametrize("name", ["n" * (MAX_NAME_LENGTH + 1), "line\nbreak", "\x1b[31m", "名"])
def test_ugly_names_of_the_client_are_quoted_and_cut(name: str) -> None:
    validator = _validator({"additionalProperties": {"type": "number"}})
    problem = validator.problem({"field": {name: "x"}})
    assert problem is not None
    assert problem.isascii()
    assert problem.isprintable()
    assert len(problem) < 2 * MAX_NAME_LENGTH
