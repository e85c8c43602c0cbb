"""The document that the server gives out is true of that server."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from openapi_spec_validator import validate

from app.document import fold, load_document, merged, resolve
from app.document_features import select
from tests.contract.cases.case import INFER, MODEL
from tests.contract.conftest import MAX_NEW_TOKENS
from tests.documents import mappings, request_fields
from tests.real_server import RealServer
from tests.tiny_models import VOCAB_SIZE
from tests.wire import get, post

WRITTEN = select(load_document(), ())
DOCUMENT = fold(
    WRITTEN,
    {
        "max_iter_times": MAX_NEW_TOKENS,
        "max_token_id": VOCAB_SIZE - 1,
        "model_name": MODEL,
        "model_version": "1",
    },
)


def test_json_and_yaml_are_the_same_document_and_it_is_valid(server: RealServer) -> None:
    as_json = json.loads(server.exchange(get("/openapi.json")).body)
    as_yaml = yaml.safe_load(server.exchange(get("/openapi.yaml")).body)

    assert as_json == as_yaml
    validate(as_json)


def test_it_is_the_document_of_the_package_with_the_limits_of_the_deployment(
    server: RealServer,
) -> None:
    assert server.document == DOCUMENT


def test_references_are_kept_and_nothing_inside_the_server_is_told(server: RealServer) -> None:
    text = server.exchange(get("/openapi.json")).body.decode()

    assert text.count('"$ref"') == sum("$ref" in node for node in mappings(WRITTEN))
    assert server.document["servers"] == [{"url": "/"}]
    assert not any(word in text for word in ("handlers.", "app.", "operationId: app", "x-values"))


def test_it_is_served_in_the_order_in_which_it_is_written(server: RealServer) -> None:
    assert list(server.document) == list(WRITTEN)
    assert list(server.document["paths"]) == list(WRITTEN["paths"])


def _request_examples() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Of all operations that answer by themselves, in JSON: streams and stops have tests apart."""
    for path, item in DOCUMENT["paths"].items():
        if "requestBody" in item.get("post", {}) and not path.endswith(("_stream", "stopInfer")):
            content = resolve(DOCUMENT, item["post"]["requestBody"])["content"]["application/json"]
            if "example" in content:
                yield path, "example", content["example"]
            for name, example in content.get("examples", {}).items():
                yield path, name, resolve(DOCUMENT, example)["value"]


@pytest.mark.parametrize(("path", "name", "body"), list(_request_examples()))
def test_every_example_of_a_request_is_answered(
    server: RealServer, path: str, name: str, body: dict[str, Any]
) -> None:
    real_path = path.format(model_name=MODEL, model_version="1")

    reply = server.exchange(post(real_path, json.dumps(body).encode()))

    assert reply.status == 200
    if "model_version" in reply.json():
        assert reply.json()["model_version"] == ("1" if "model_version" in path else None)
    assert "x-capped-fields" not in reply.headers


FIELDS = dict(request_fields(DOCUMENT))


@pytest.mark.parametrize("name", FIELDS)
def test_every_example_of_a_field_is_taken(server: RealServer, name: str) -> None:
    few = {} if "_tokens" in name or "_length" in name else {"max_new_tokens": 2}
    body: dict[str, Any] = {"text_input": "a", **({} if name == "parameters" else few)}
    *parents, field = name.split(".")
    place = body.setdefault("parameters", {}) if parents else body
    place[field] = FIELDS[name]["example"]

    reply = server.ask(body)

    assert reply.status == 200
    ignored = reply.headers.get("x-ignored-fields", "")
    assert ignored == (name if "x-ignored" in FIELDS[name] else "")


@pytest.mark.parametrize("name", ["InferInput", "TokenTensor", "TextTensor"])
def test_a_tensor_of_the_examples_of_its_fields_is_answered(server: RealServer, name: str) -> None:
    fields = DOCUMENT["components"]["schemas"][name]["properties"]
    tensor = {field: merged(DOCUMENT, schema)["example"] for field, schema in fields.items()}

    reply = server.exchange(post(INFER, json.dumps({"inputs": [tensor]}).encode()))

    assert reply.status == 200, reply.body


def test_openapi_core_had_its_say(server: RealServer) -> None:
    before = server.judge.num_judged
    server.exchange(get("/v2/health/live"))
    assert server.judge.num_judged == before + 1
