"""The program as it is started, with the embedded model."""

from typing import Any

import httpx
import pytest

from tests.embedded_server import EmbeddedServer
from tests.streams import parse_frame

pytestmark = pytest.mark.e2e

CHINESE = "请用中文写一首关于大海的短诗，并且用很多表情符号 🌊🐳：\n"
SEEDED = {"do_sample": True, "seed": 123, "temperature": 1.0, "top_p": 0.95}


def post(server: EmbeddedServer, operation: str, body: Any) -> httpx.Response:
    reply = httpx.post(f"{server.model_url}/{operation}", json=body, timeout=300)
    assert reply.status_code == 200, reply.text
    return reply


@pytest.mark.parametrize(
    "prompt", ["The capital of France is", CHINESE], ids=["english", "chinese"]
)
@pytest.mark.parametrize("parameters", [{}, SEEDED], ids=["greedy", "seeded"])
def test_a_stream_is_the_whole_text_in_pieces(
    real: EmbeddedServer, prompt: str, parameters: dict[str, Any]
) -> None:
    body = {
        "text_input": prompt,
        "parameters": {"max_new_tokens": 48, "details": True, "perf_stat": True, **parameters},
    }
    whole = post(real, "generate", body).json()
    raw = post(real, "generate_stream", body).content
    events = [parse_frame(frame + b"\n\n") for frame in raw.split(b"\n\n")[:-1]]

    assert "".join(event["text_output"] for event in events) == whole["text_output"] != ""
    assert "�" not in whole["text_output"]
    assert len(events) == whole["details"]["generated_tokens"]
    assert [token_id for token_id, _ in events[-1]["details"]["perf_stat"]] == [
        token_id for token_id, _ in whole["details"]["perf_stat"]
    ]
    assert events[0]["prefill_time"] > 0
    assert all(event["decode_time"] > 0 for event in events[1:])
    assert ["finish_reason" in event["details"] for event in events].index(True) == len(events) - 1


def test_the_tensor_of_a_prompt_is_continued_as_its_text(real: EmbeddedServer) -> None:
    prompt = "Once upon a time"
    tokens = post(real, "tokenize", {"text_input": prompt}).json()
    data = {"datatype": "UINT32", "shape": [1, tokens["num_tokens"]], "data": tokens["token_ids"]}
    [output] = post(real, "infer", {"inputs": [{"name": "input0", **data}]}).json()["outputs"]
    text = post(real, "detokenize", {"token_ids": output["data"]}).json()["text_output"]

    assert text == post(real, "generate", {"text_input": prompt}).json()["text_output"]
    assert [prompt[start:end] for start, end in tokens["offsets"]] == [
        "Once",
        " upon",
        " a",
        " time",
    ]


def test_a_marked_text_is_found_out(real: EmbeddedServer) -> None:
    found = {}
    for is_marked in (True, False):
        parameters = {**SEEDED, "watermark": is_marked, "max_new_tokens": 120, "ignore_eos": True}
        body = {"text_input": "My name is Olivier and I", "parameters": parameters}
        text = post(real, "generate", body).json()["text_output"]
        found[is_marked] = post(real, "detect_watermark", {"text_input": text}).json()

    assert found[True]["watermarked"]
    assert not found[False]["watermarked"]
    assert found[True]["p_value"] < 0.001 < found[False]["p_value"]


def test_the_configuration_is_that_of_the_loaded_model(real: EmbeddedServer) -> None:
    config = httpx.get(f"{real.model_url}/config").json()

    assert config["architecture"] == "LlamaForCausalLM"
    assert config["vocab_size"] == 49152
    assert config["eos_token_id"] == 2
    assert config["device"] in ("cpu", "cuda")
    assert config["decoder"] in ("native", "transformers")
