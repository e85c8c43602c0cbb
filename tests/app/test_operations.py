"""The operations beside generate, over sockets, with and without a version in the path."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from openapi_schema_validator import OAS30Validator

from app.document import Document, resolve
from tests.documents import example_body, operations
from tests.fake_engine import FakeEngine, chunks
from tests.handlers.calls import DOCUMENT
from tests.live_server import LiveServer, serving, wait_until
from tests.wire import Reply, get, post

MODEL = "/v2/models/fake"


def send(server: LiveServer, path: str, body: Any, *headers: str) -> Reply:
    return server.exchange(post(path, json.dumps(body).encode(), *headers))


def plain_operations(document: Document) -> list[tuple[str, str, dict[str, Any]]]:
    """Those whose answer is JSON and that need nothing to run beside them."""
    return [
        (path, method, operation)
        for path, method, operation in operations(document)
        if not any(word in path for word in ("stream", "stop", "metrics"))
    ]


@pytest.mark.parametrize(
    ("path", "method", "operation"),
    plain_operations(DOCUMENT),
    ids=[operation["operationId"] for _, _, operation in plain_operations(DOCUMENT)],
)
def test_the_example_of_every_operation_is_answered_as_the_document_says(
    live: LiveServer, path: str, method: str, operation: dict[str, Any]
) -> None:
    path = path.format(model_name="fake", model_version="1")
    body = example_body(DOCUMENT, operation)
    reply = send(live, path, body) if method == "post" else live.exchange(get(path))

    assert reply.status == 200
    answer = resolve(DOCUMENT, operation["responses"]["200"])
    schema = answer["content"]["application/json"]["schema"]
    validator = OAS30Validator({"allOf": [schema], "components": DOCUMENT["components"]})
    assert list(validator.iter_errors(reply.json())) == []
    declared = resolve(DOCUMENT, schema)
    assert [*reply.json()] == [name for name in declared["properties"] if name in reply.json()]


def test_config_tells_how_the_model_is_set_up(live: LiveServer) -> None:
    config = live.exchange(get(f"{MODEL}/config")).json()

    assert config["model_name"] == "fake"
    assert (config["max_seq_len"], config["max_iter_times"]) == (2560, 512)
    assert (config["eos_token_id"], config["eos_token_ids"]) == (0, [0])
    assert (config["decoder"], config["deterministic_under_load"]) == ("native", True)


def test_stats_count_how_generations_end() -> None:
    with serving(FakeEngine()) as server:
        for _ in range(2):
            send(server, f"{MODEL}/generate", {"text_input": "hi"})
        server.engine.failure, server.engine.script = KeyError(), []
        send(server, f"{MODEL}/generate", {"text_input": "hi"})
        (entry,) = server.exchange(get(f"{MODEL}/stats")).json()["model_stats"]

    ended = {name: took["count"] for name, took in entry["inference_stats"].items()}
    parts = {name: ended.pop(name) for name in tuple(ended) if name[:7] in ("queue", "compute")}
    assert ended == {"success": 2, "fail": 1, "cancel": 0}
    assert parts == dict.fromkeys(("queue", "compute_input", "compute_infer", "compute_output"), 2)
    assert entry["inference_count"] == 2
    assert entry["inference_stats"]["success"]["ns"] > 0


def test_a_running_request_is_stopped() -> None:
    engine = FakeEngine(script=chunks(*"abcdefghij" * 100), seconds_per_chunk=0.01)
    with ThreadPoolExecutor() as pool, serving(engine) as server:
        body = {"id": "a1", "text_input": "hi", "parameters": {"details": True}}
        running = pool.submit(send, server, f"{MODEL}/generate", body)
        wait_until(lambda: engine.num_yielded > 3)
        stopped = send(server, f"{MODEL}/versions/1/stopInfer", {"id": "a1"})

        assert (stopped.status, stopped.json()) == (200, {"id": "a1"})
        assert running.result().json()["details"]["finish_reason"] == "stop_sequence"
        assert send(server, f"{MODEL}/stopInfer", {"id": "a1"}).status == 404


@pytest.mark.parametrize("body", [{}, {"id": ""}, {"id": 7}, {"id": None}, []])
def test_a_stop_without_an_id_is_refused(live: LiveServer, body: Any) -> None:
    assert send(live, f"{MODEL}/stopInfer", body).status == 422


def test_binary_tensors_are_refused_with_a_word_on_json(live: LiveServer) -> None:
    headers = ("Inference-Header-Content-Length: 9", "Content-Type: application/octet-stream")
    reply = send(live, f"{MODEL}/infer", {}, *headers)

    assert (reply.status, reply.json()["error_type"]) == (422, "Input Validation Error")
    assert "JSON" in reply.json()["error"]


@pytest.mark.parametrize(
    ("member", "kind"),
    [
        ({"binary_data_size": 6}, "binary tensors are"),
        ({"shared_memory_region": "prompts", "shared_memory_byte_size": 6}, "shared memory is"),
    ],
)
def test_a_tensor_without_data_in_json_is_refused_with_a_word_on_json(
    live: LiveServer, member: dict[str, Any], kind: str
) -> None:
    tensor = {"name": "text_input", "shape": [1], "datatype": "BYTES", "parameters": member}
    reply = send(live, f"{MODEL}/infer", {"inputs": [tensor]})

    error = f"inputs[0].parameters.{next(iter(member))}: {kind} not read; send JSON data"
    assert (reply.status, reply.json()["error"]) == (422, error)
    assert send(live, f"{MODEL}/infer", {"inputs": [{**tensor, "data": ["hi"]}]}).status == 200


def test_octets_are_read_as_json_where_tensors_are(live: LiveServer) -> None:
    """What tritonclient's asynchronous client says of all that it sends."""
    tensor = {"name": "text_input", "shape": [1], "datatype": "BYTES", "data": ["hi"]}
    octets = "Content-Type: application/octet-stream"

    for path in (MODEL, f"{MODEL}/versions/1"):
        assert send(live, f"{path}/infer", {"inputs": [tensor]}, octets).status == 200
        assert send(live, f"{path}/generate", {"text_input": "hi"}, octets).status == 415


def test_json_to_its_end_has_no_binary_tensors(live: LiveServer) -> None:
    """What Triton's C++ client, and so perf_analyzer, says of a body without any."""
    tensor = {"name": "text_input", "shape": [1], "datatype": "BYTES", "data": ["hi"]}
    body = {"id": "", "inputs": [tensor]}
    length = len(json.dumps(body))

    headers = f"Inference-Header-Content-Length: {length}"
    reply = send(live, f"{MODEL}/infer", body, headers)
    assert reply.status == 200
    assert reply.json()["id"]
    headers = f"Inference-Header-Content-Length: {length - 1}"
    assert send(live, f"{MODEL}/infer", body, headers).status == 422


def test_a_configuration_says_nothing_that_means_another_thing_elsewhere(live: LiveServer) -> None:
    """Triton's clients take a max_batch_size for how many texts one request may have."""
    config = live.exchange(get(f"{MODEL}/config")).json()

    assert "max_batch_size" not in config
