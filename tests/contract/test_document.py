"""The document is valid for every tool that reads it, whatever deployment it is folded for."""

import asyncio
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from connexion import AsyncApp
from connexion.resolver import Resolver
from openapi_core import OpenAPI
from openapi_schema_validator import OAS30Validator
from openapi_spec_validator import validate

from app.document import Document, load_document, merged, resolve
from app.document_features import select
from app.errors import ERROR_TYPES
from engine import FinishReason
from tests.documents import documents, example_body, mappings, operations

DOCUMENTS = documents()
WRITTEN = DOCUMENTS["written"]
OPERATIONS = {operation["operationId"]: operation for _, _, operation in operations(WRITTEN)}

every_document = pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS.keys())
every_operation = pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS.keys())


@every_document
def test_openapi_spec_validator_takes_the_document(document: Document) -> None:
    validate(document)


@every_document
def test_openapi_core_takes_the_document(document: Document) -> None:
    OpenAPI.from_dict(document).check_spec()


@every_document
def test_connexion_routes_every_operation_of_the_document(document: Document) -> None:
    called: list[str] = []

    def find(operation_id: str) -> Any:
        async def handler(**path: str) -> dict[str, bool]:
            called.append(operation_id)
            return {"live": True}

        return handler

    async def call(method: str, path: str, body: Any) -> None:
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            await client.request(method, path, json=body)

    app = AsyncApp("test")
    app.add_api(select(document, ()), resolver=Resolver(find))  # checking keys is our own work
    for path, method, operation in operations(document):
        body = example_body(document, operation)
        asyncio.run(call(method, path.replace("{", "").replace("}", ""), body))
    assert called == [operation["operationId"] for _, _, operation in operations(document)]


@every_document
def test_every_example_and_default_is_valid_for_its_schema(document: Document) -> None:
    pairs = list(_examples(document))
    assert len(pairs) > 100
    for schema, value in pairs:
        OAS30Validator({"allOf": [schema], "components": document["components"]}).validate(value)


def _examples(document: Document) -> Iterator[tuple[dict[str, Any], Any]]:
    for node in mappings(document):
        schema = node.get("schema", node)
        for key in {"example", "default"} & node.keys():
            yield schema, node[key]
        if "schema" in node:
            for example in node.get("examples", {}).values():
                yield schema, resolve(document, example)["value"]


@every_document
def test_every_component_is_used(document: Document) -> None:
    used = {node["$ref"] for node in mappings(document) if "$ref" in node}
    for requirement in document.get("security", ()):
        used |= {f"#/components/securitySchemes/{name}" for name in requirement}
    for kind, components in document["components"].items():
        for name in components:
            assert f"#/components/{kind}/{name}" in used


@every_document
def test_no_two_places_of_the_document_share_an_object(document: Document) -> None:
    assert not re.search(r"[&*]id\d", yaml.safe_dump(document))


def test_every_property_and_parameter_has_a_description() -> None:
    for node in mappings(WRITTEN):
        for schema in node.get("properties", {}).values():
            assert merged(WRITTEN, schema)["description"].strip()
    for parameter in WRITTEN["components"]["parameters"].values():
        assert parameter["description"]


def test_every_component_schema_is_described_and_has_a_type() -> None:
    for name, schema in WRITTEN["components"]["schemas"].items():
        assert schema["description"], name
        assert {"type", "allOf", "oneOf"} & schema.keys(), name


@every_operation
def test_an_operation_has_one_tag_and_a_snake_case_name(operation: dict[str, Any]) -> None:
    [tag] = operation["tags"]
    assert tag in [declared["name"] for declared in WRITTEN["tags"]]
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", operation["operationId"])
    assert operation["summary"]
    assert operation["description"]


def test_operation_names_are_unique() -> None:
    assert len(OPERATIONS) == len(list(operations(WRITTEN)))


@every_operation
def test_an_operation_speaks_one_media_type_with_named_schemas(operation: dict[str, Any]) -> None:
    """Errors are JSON everywhere; one operation has an answer that is not."""
    bodies = list(operation["responses"].items())
    if "requestBody" in operation:
        bodies.append(("body", operation["requestBody"]))
    for kind, body in bodies:
        [(media_type, content)] = resolve(WRITTEN, body)["content"].items()
        schema = content.get("x-event-schema", content["schema"])
        is_text = kind == "200" and operation["operationId"] == "metrics"
        is_stream = "x-event-schema" in content
        expected = "text/plain" if is_text else "application/json"
        assert media_type == ("text/event-stream" if is_stream else expected)
        assert schema["$ref"].startswith("#/components/schemas/")
        assert "example" in content or "examples" in content


@every_operation
def test_every_answer_carries_a_request_id(operation: dict[str, Any]) -> None:
    for answer in operation["responses"].values():
        headers = resolve(WRITTEN, answer)["headers"]
        assert resolve(WRITTEN, headers["X-Request-Id"])["required"]


@every_operation
def test_every_error_has_the_one_shape_and_the_type_of_its_status(
    operation: dict[str, Any],
) -> None:
    answers = {int(status): resolve(WRITTEN, a) for status, a in operation["responses"].items()}
    for status in answers.keys() - {200}:
        content = answers[status]["content"]["application/json"]
        assert content["schema"] == {"$ref": "#/components/schemas/Error"}
        named = content.get("examples", {}).values()
        shown = [content["example"]] if "example" in content else []
        shown += [resolve(WRITTEN, example)["value"] for example in named]
        assert {error["error_type"] for error in shown} == {ERROR_TYPES[status]}


def test_refusals_that_need_a_header_declare_it() -> None:
    responses = WRITTEN["components"]["responses"]
    assert "Allow" in responses["MethodNotAllowed"]["headers"]
    assert "Retry-After" in responses["Overloaded"]["headers"]
    assert "Retry-After" in responses["KeyOverloaded"]["headers"]
    assert "WWW-Authenticate" in responses["Unauthorized"]["headers"]


def test_an_operation_with_a_limit_on_keys_asks_for_one() -> None:
    for operation in OPERATIONS.values():
        if "429" in operation["responses"]:
            assert "security" not in operation  # that of the whole document holds


@pytest.mark.parametrize(
    "path", [path for path, _, _ in operations(WRITTEN) if "{model_name}" in path]
)
def test_a_path_with_a_model_exists_with_and_without_a_version(path: str) -> None:
    versioned = "/versions/{model_version}"
    twin = path.replace(versioned, "") if versioned in path else _with_version(path)
    for method in WRITTEN["paths"][path].keys() - {"parameters"}:
        ours, theirs = WRITTEN["paths"][path][method], WRITTEN["paths"][twin][method]
        assert ours["responses"] == theirs["responses"]
        assert ours.get("requestBody") == theirs.get("requestBody")
        assert ours["tags"] == theirs["tags"]


def _with_version(path: str) -> str:
    return path.replace("{model_name}", "{model_name}/versions/{model_version}")


def test_enumerations_are_those_that_the_program_has() -> None:
    schemas = WRITTEN["components"]["schemas"]
    assert schemas["FinishReason"]["enum"] == [reason.value for reason in FinishReason]
    assert set(schemas["ErrorType"]["enum"]) == set(ERROR_TYPES.values())


def test_the_document_has_the_version_of_the_package() -> None:
    project = Path(__file__).parents[2].joinpath("pyproject.toml").read_text(encoding="utf-8")
    assert WRITTEN["info"]["version"] == tomllib.loads(project)["project"]["version"]


def test_the_document_has_nothing_that_a_template_engine_would_change() -> None:
    text = yaml.safe_dump(load_document())
    assert not any(braces in text for braces in ("{{", "{%", "{#"))
