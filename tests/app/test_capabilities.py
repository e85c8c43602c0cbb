"""The capability document is made from the folded document and from nothing else."""

from typing import Any

import pytest

from app.capabilities import declared_capabilities
from app.document import fold, load_document, resolve
from app.document_features import select
from tests.documents import LIMITS, mappings, operations
from tests.live_server import LiveServer
from tests.wire import get

DOCUMENT = fold(select(load_document(), ()), LIMITS["usual"])
PARAMETERS = {entry["name"]: entry for entry in declared_capabilities(DOCUMENT)["parameters"]}


def test_every_field_of_parameters_is_there_once_under_its_own_name() -> None:
    properties = DOCUMENT["components"]["schemas"]["GenerateParameters"]["properties"]

    own = [name for name, schema in properties.items() if "x-alias-of" not in schema]
    assert list(PARAMETERS) == own
    others = {name for entry in PARAMETERS.values() for name in entry["other_names"]}
    aliases = {f"parameters.{name}" for name in properties.keys() - set(own)}
    assert aliases <= others
    assert {"max_tokens", "top_k", "random_seed"} <= others


@pytest.mark.parametrize("deployment", ["usual", "tiny"])
def test_limits_are_those_of_the_deployment(deployment: str) -> None:
    document = fold(select(load_document(), ()), LIMITS[deployment])
    found = {each["name"]: each for each in declared_capabilities(document)["parameters"]}

    limits = LIMITS[deployment]
    assert found["max_new_tokens"]["schema"]["maximum"] == limits["max_iter_times"]
    assert found["top_k"]["schema"]["maximum"] == limits["max_token_id"]
    assert found["stop_token_ids"]["schema"]["items"]["maximum"] == limits["max_token_id"]


def test_schemas_have_no_references_and_no_keys_of_ours() -> None:
    for entry in PARAMETERS.values():
        for node in mappings(entry["schema"]):
            assert not [key for key in node if key == "$ref" or key.startswith("x-")]
    assert PARAMETERS["stop"]["schema"]["oneOf"][1]["maxItems"] == 16
    assert [name for name, entry in PARAMETERS.items() if entry["is_ignored"]] == [
        *("stream", "accumulate_tokens", "end_id", "pad_id", "exclude_input_in_output")
    ]


def test_formats_are_those_of_every_operation_on_a_model() -> None:
    formats = {each["operation"]: each for each in declared_capabilities(DOCUMENT)["formats"]}

    expected = {
        operation["operationId"]
        for path, _, operation in operations(DOCUMENT)
        if "{model_name}" in path and "{model_version}" not in path
    }
    assert formats.keys() == expected
    assert formats["generate_stream"] == {
        "operation": "generate_stream",
        "method": "POST",
        "path": "/v2/models/tiny/generate_stream",
        "request": ["application/json"],
        "answer": ["text/event-stream"],
    }
    assert formats["model_stats"]["request"] == []


def test_the_server_answers_with_it_and_with_what_computes_the_model(live: LiveServer) -> None:
    answers = [
        live.exchange(get(f"/v2/models/fake{version}/capabilities")).json()
        for version in ("", "/versions/1")
    ]

    assert answers[0] == answers[1]
    answer: dict[str, Any] = answers[0]
    assert answer["parameters"][0]["name"] == "details"
    assert (answer["device"], answer["determinism"]) == ("cpu", "batch_invariant")
    seed = next(each for each in answer["parameters"] if each["name"] == "seed")
    written = resolve(DOCUMENT, DOCUMENT["components"]["schemas"]["GenerateParameters"])
    assert seed["schema"]["maximum"] == written["properties"]["seed"]["maximum"]
