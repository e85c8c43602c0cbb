"""The request that the wire contract itself prints."""

from typing import Any

from tests.answers import strict_json
from tests.real_server import RealServer
from tests.wire import get

PARAMETERS: dict[str, Any] = {
    "details": True,
    "do_sample": True,
    "max_new_tokens": 250,
    "repetition_penalty": 1.1,
    "seed": 123,
    "temperature": 1,
    "top_k": 10,
    "top_p": 0.99,
    "batch_size": 100,
    "typical_p": 0.5,
    "watermark": False,
    "perf_stat": False,
}
REQUEST = {"id": "a123", "text_input": "My name is Olivier and I", "parameters": PARAMETERS}


def answer_to(server: RealServer, request: dict[str, Any]) -> dict[str, Any]:
    reply = server.ask(request)
    assert reply.status == 200
    assert "x-ignored-fields" not in reply.headers
    answer: dict[str, Any] = strict_json(reply.body)
    return answer


def test_it_is_answered_with_real_text_and_again_the_same(as_it_comes: RealServer) -> None:
    first, second = answer_to(as_it_comes, REQUEST), answer_to(as_it_comes, REQUEST)

    assert first == second
    assert list(first) == ["id", "model_name", "model_version", "text_output", "details"]
    assert (first["id"], first["model_version"]) == ("a123", None)
    assert first["model_name"] == "smollm2-135m-instruct"
    details = first["details"]
    names = ["finish_reason", "generated_tokens", "first_token_cost", "decode_cost", "seed"]
    assert list(details) == names
    assert details["seed"] == 123
    assert (details["first_token_cost"], details["decode_cost"]) == (None, None)
    is_cut = details["finish_reason"] == "length"
    assert is_cut == (details["generated_tokens"] == 250)
    assert len(first["text_output"].split()) > 5


def test_the_seed_that_was_made_gives_the_text_again(server: RealServer) -> None:
    parameters = {**PARAMETERS, "max_new_tokens": 40}
    del parameters["seed"]
    first = answer_to(server, {**REQUEST, "parameters": parameters})
    other = answer_to(server, {**REQUEST, "parameters": parameters})

    seed = first["details"]["seed"]
    again = answer_to(server, {**REQUEST, "parameters": {**parameters, "seed": seed}})

    assert 1 <= seed < 2**53
    assert again == first
    assert other["details"]["seed"] != seed
    assert other["text_output"] != first["text_output"]


def test_the_version_in_the_path_comes_back(server: RealServer) -> None:
    answer = server.generate("a", max_new_tokens=1)
    metadata = server.exchange(get(f"/v2/models/{server.model}")).json()

    assert answer["model_version"] is None
    assert metadata["versions"] == ["1"]
