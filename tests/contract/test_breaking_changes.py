"""No change of the document breaks the clients of the last release unless that is said."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.document import load_document
from tests.contract.breaking import breaking_changes
from tests.contract.breaking.released import KEPT, last_tag, parsed, tagged, undeclared

DOCUMENT = load_document()
GENERATE = "/v2/models/{model_name}/generate"
CHANGELOG = Path(__file__).parents[2] / "CHANGELOG.md"
Change = Callable[[dict[str, Any]], object]


def post(document: dict[str, Any], name: str = "generate") -> dict[str, Any]:
    operation: dict[str, Any] = document["paths"][f"/v2/models/{{model_name}}/{name}"]["post"]
    return operation


def schema(document: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = document["components"]["schemas"][name]
    return found


def fields(document: dict[str, Any], name: str = "GenerateParameters") -> dict[str, Any]:
    found: dict[str, Any] = schema(document, name)["properties"]
    return found


def header(document: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = document["components"]["headers"][name]
    return found


TEXT = {"type": "string"}
# Each change breaks clients in this direction, and is harmless in the other.
ONE_WAY: dict[str, tuple[Change, str]] = {
    "a path": (lambda it: it["paths"].pop(GENERATE), f"POST {GENERATE}: is gone"),
    "an operation": (lambda it: it["paths"]["/v2"].pop("get"), "GET /v2: is gone"),
    "a key": (
        lambda it: it["paths"]["/v2/health/live"]["get"].pop("security"),
        "GET /v2/health/live: needs a key now",
    ),
    "a parameter": (lambda it: post(it)["parameters"].pop(0), "query dry_run: is gone"),
    "a parameter's bound": (
        lambda it: it["components"]["parameters"]["IdempotencyKey"]["schema"].update(maxLength=9),
        "header Idempotency-Key: maxLength was 255 and is 9",
    ),
    "a parameter that must be": (
        lambda it: it["components"]["parameters"]["DryRun"].update(required=True),
        "query dry_run: is required now",
    ),
    "a media type of bodies": (
        lambda it: it["components"]["requestBodies"]["Infer"].pop("x-also-json"),
        "body: application/octet-stream is gone",
    ),
    "a status": (lambda it: post(it)["responses"].pop("424"), "generate 424: is gone"),
    "a property of requests": (lambda it: fields(it).pop("top_k"), ".top_k: is gone"),
    "a property of answers": (
        lambda it: fields(it, "EventDetails").pop("seed"),
        ".details.seed: is gone",
    ),
    "a required property of requests": (
        lambda it: schema(it, "GenerateRequest")["required"].append("id"),
        ".id: is required now",
    ),
    "a required property of answers": (
        lambda it: schema(it, "GenerateResponse")["required"].remove("id"),
        ".id: is no longer certain",
    ),
    "a maximum": (lambda it: fields(it)["logprobs"].update(maximum=19), "maximum was 20 and is 19"),
    "a new maximum": (
        lambda it: fields(it)["temperature"].update(maximum=2),
        "maximum was None and is 2",
    ),
    "a minimum": (lambda it: fields(it)["priority"].update(minimum=2), "minimum was 1 and is 2"),
    "an open bound": (
        lambda it: fields(it)["min_p"].update(exclusiveMinimum=True),
        "exclusiveMinimum is new",
    ),
    "a length": (
        lambda it: schema(it, "GenerateRequest")["properties"]["id"].update(maxLength=9),
        "maxLength was None and is 9",
    ),
    "a number of items": (
        lambda it: fields(it)["stop_token_ids"].update(maxItems=9),
        "maxItems was 64 and is 9",
    ),
    "a limit of the deployment": (
        lambda it: fields(it)["logprobs"].update({"x-maximum-from": "max_token_id"}),
        "x-maximum-from was None",
    ),
    "a pattern": (
        lambda it: fields(it, "InferRequest")["id"].update(pattern="^a"),
        "pattern was None and is ^a",
    ),
    "a value of requests": (
        lambda it: fields(it, "StopRequest")["id"].update(enum=["a"]),
        "enum was None and is ['a']",
    ),
    "null in requests": (
        lambda it: fields(it, "GenerateRequest")["seed"].pop("nullable"),
        "null was possible",
    ),
    "null in answers": (
        lambda it: fields(it, "EventDetails")["seed"].update(nullable=True),
        "null was not possible",
    ),
    "an alternative of requests": (
        lambda it: fields(it, "GenerateRequest")["text_input"]["oneOf"].pop(),
        "oneOf: array is gone",
    ),
    "an alternative of answers": (
        lambda it: fields(it, "InferOutput")["data"]["oneOf"].append(TEXT),
        "oneOf: string is new",
    ),
    "items": (
        lambda it: fields(it)["stop_token_ids"].update(
            items=schema(it, "TokenId") | {"minimum": 5}
        ),
        "[]: minimum was 0 and is 5",
    ),
    "a header": (
        lambda it: it["components"]["responses"]["Generated"]["headers"].pop("X-Capped-Fields"),
        "200 X-Capped-Fields: is gone",
    ),
    "a certain header": (lambda it: header(it, "Allow").pop("required"), "is no longer certain"),
    "a value of a header": (
        lambda it: header(it, "WWWAuthenticate")["schema"]["enum"].append("Basic"),
        "401 WWW-Authenticate: enum was ['Bearer']",
    ),
    "a value of events": (
        lambda it: schema(it, "FinishReason")["enum"].append("tired"),
        "generate_stream 200 |oneOf: ",
    ),
}
# These break clients in both directions.
BOTH_WAYS: dict[str, tuple[Change, str]] = {
    "an operation's name": (
        lambda it: post(it).update(operationId="continue_text"),
        "operationId was generate and is continue_text",
    ),
    "a type": (lambda it: fields(it)["seed"].update(type="string"), "was integer uint64"),
    "a format": (lambda it: fields(it)["seed"].update(format="int64"), "is integer int64"),
    "a type of answers": (
        lambda it: fields(it, "GenerateResponse")["text_output"].update(type="array"),
        "was string and is array",
    ),
    "a default": (lambda it: fields(it)["max_new_tokens"].update(default=64), "default was 20"),
    "a new default": (lambda it: fields(it)["typical_p"].update(default=0.5), "default was None"),
    "another spelling": (
        lambda it: fields(it)["max_tokens"].update({"x-alias-of": "min_new_tokens"}),
        "x-alias-of was 'max_new_tokens' and is 'min_new_tokens'",
    ),
    "no effect": (lambda it: fields(it)["seed"].update({"x-ignored": True}), "x-ignored was None"),
    "a media type of answers": (
        lambda it: it["components"]["responses"]["Metrics"]["content"].update(
            {"text/html": it["components"]["responses"]["Metrics"]["content"].pop("text/plain")}
        ),
        "text/plain is gone",
    ),
}
HARMLESS: dict[str, Change] = {
    "a new path": lambda it: it["paths"].update({"/v3": copy.deepcopy(it["paths"]["/v2"])}),
    "a new status": lambda it: post(it)["responses"].update({"418": post(it)["responses"]["404"]}),
    "a new field": lambda it: fields(it).update(new=TEXT),
    "a new field of answers": lambda it: fields(it, "GenerateResponse").update(new=TEXT),
    "a new header": lambda it: it["components"]["responses"]["Live"]["headers"].update(
        {"X-New": {"schema": TEXT}}
    ),
    "another description": lambda it: fields(it)["seed"].update(description="Other words."),
    "another example": lambda it: fields(it)["seed"].update(example=7),
    "a length of answers": lambda it: schema(it, "Error")["properties"]["error"].update(
        maxLength=9
    ),
    "another name of a schema": lambda it: (
        it["components"]["schemas"].update(Other=schema(it, "GenerateResponse")),
        it["components"]["responses"]["Generated"]["content"]["application/json"].update(
            schema={"$ref": "#/components/schemas/Other"}
        ),
    ),
}
BREAKING = ONE_WAY | BOTH_WAYS


def changed(change: Change) -> dict[str, Any]:
    document = copy.deepcopy(DOCUMENT)
    change(document)
    assert document != DOCUMENT
    return document


@pytest.mark.parametrize(("change", "told"), BREAKING.values(), ids=BREAKING.keys())
def test_a_change_that_breaks_clients_is_told(change: Change, told: str) -> None:
    found = breaking_changes(DOCUMENT, changed(change))

    assert any(told in one for one in found), found


@pytest.mark.parametrize("change", [change for change, _ in ONE_WAY.values()], ids=ONE_WAY.keys())
def test_the_change_back_is_harmless(change: Change) -> None:
    assert breaking_changes(changed(change), DOCUMENT) == []


@pytest.mark.parametrize("change", [it for it, _ in BOTH_WAYS.values()], ids=BOTH_WAYS.keys())
def test_what_breaks_both_ways_is_told_both_ways(change: Change) -> None:
    assert breaking_changes(changed(change), DOCUMENT) != []


@pytest.mark.parametrize("change", HARMLESS.values(), ids=HARMLESS.keys())
def test_a_harmless_change_is_not_told(change: Change) -> None:
    assert breaking_changes(DOCUMENT, changed(change)) == []


SAID = "# Changelog\n\n## Unreleased\n\n### Changed\n\n- **Breaking:** no seeds.\n\n## 1.0.0\n"
NOT_SAID = "# Changelog\n\n## Unreleased\n\n- Seeds.\n\n## 1.0.0\n\n- **Breaking:** all of it.\n"


@pytest.mark.parametrize(
    ("version", "changelog", "is_let_through"),
    [("2.0.0", SAID, True), ("2.0.0", NOT_SAID, False), ("1.9.0", SAID, False)],
)
def test_a_breaking_change_needs_the_changelogs_word_and_a_major_version(
    version: str, changelog: str, is_let_through: bool
) -> None:
    old = changed(lambda it: it["info"].update(version="1.8.3"))
    new = changed(lambda it: (fields(it).pop("seed"), it["info"].update(version=version)))

    assert (undeclared(old, new, changelog) == []) == is_let_through


def test_a_harmless_change_needs_neither() -> None:
    assert undeclared(DOCUMENT, changed(HARMLESS["a new field"]), NOT_SAID) == []


def test_the_document_breaks_no_client_of_the_last_release() -> None:
    released = parsed(KEPT.read_text(encoding="utf-8"))
    changelog = CHANGELOG.read_text(encoding="utf-8")

    found = undeclared(released, DOCUMENT, changelog)

    assert found == [], "say Breaking in CHANGELOG.md, and raise the major version"


def test_the_kept_document_is_that_of_the_last_tag() -> None:
    tag = last_tag()
    text = None if tag is None else tagged(tag)
    if text is None:
        pytest.skip("this clone has no tag of a release")

    assert KEPT.read_text(encoding="utf-8").rstrip("\n") == text
