"""The Python SDK against a real server."""

from collections.abc import Iterator
from contextlib import aclosing, closing
from pathlib import Path
from typing import Any

import pytest
from genspec_client import AuthenticatedClient, Client
from genspec_client.api.generate import generate, generate_version, infer, stop_infer
from genspec_client.api.health import health_ready
from genspec_client.api.metadata import model_config
from genspec_client.api.text import detokenize, tokenize
from genspec_client.errors import UnexpectedStatus
from genspec_client.events import StreamError, astream, stream
from genspec_client.models import (
    DetokenizeRequest,
    Error,
    FinishReason,
    GenerateEvent,
    GenerateParameters,
    GenerateRequest,
    GenerateResponse,
    InferRequest,
    InferResponse,
    StopRequest,
    TensorParameters,
    TokenizeRequest,
    TokenizeResponse,
    TokenTensor,
    TokenTensorDatatype,
)
from httpx import Timeout

from tests.live_server import wait_until
from tests.sdk.refusals import KEY, failing_later, refusing_servers
from tests.tiny_server import PROMPT, TinyServer

SEED = 2**64 - 1
MIXED = "今天天气很好 🙂🏳️‍🌈 e\u0301 \u2028"


@pytest.fixture(scope="module")
def client(tiny: TinyServer) -> Iterator[Client]:
    with Client(f"http://127.0.0.1:{tiny.live.port}", timeout=Timeout(60)) as made:
        yield made


def request(text: str = PROMPT, **parameters: Any) -> GenerateRequest:
    made = GenerateParameters(details=True, **{"max_new_tokens": 8, **parameters})
    return GenerateRequest(text, parameters=made)


def finish_reason(event: GenerateEvent) -> FinishReason:
    assert event.details
    assert event.details.finish_reason
    return event.details.finish_reason


def test_the_largest_seed_comes_back_and_gives_the_same_text(client: Client) -> None:
    body = request(do_sample=True, seed=SEED)

    first = generate.sync("tiny", client=client, body=body)
    again = generate_version.sync("tiny", "1", client=client, body=body)

    assert isinstance(first, GenerateResponse)
    assert isinstance(again, GenerateResponse)
    assert first.details
    assert first.details.seed == SEED
    assert (first.text_output, again.model_version) == (again.text_output, "1")


@pytest.mark.parametrize("version", [None, "1"])
async def test_a_stream_is_the_text_in_pieces(
    client: Client, tiny: TinyServer, version: str | None
) -> None:
    body = request(MIXED, do_sample=True, seed=SEED, max_new_tokens=32)
    whole = generate.sync("tiny", client=client, body=body)
    assert isinstance(whole, GenerateResponse)

    events = list(stream("tiny", version, client=client, body=body))
    async with Client(f"http://127.0.0.1:{tiny.live.port}") as other:
        on_a_loop = [event async for event in astream("tiny", version, client=other, body=body)]

    for pieces in (events, on_a_loop):
        assert "".join(event.text_output for event in pieces) == whole.text_output
        assert finish_reason(pieces[-1]) is FinishReason.LENGTH
        assert pieces[0].model_version == version
        assert len(pieces) > 8


def test_closing_a_stream_ends_the_generation(client: Client, tiny: TinyServer) -> None:
    with closing(stream("tiny", client=client, body=request(max_new_tokens=100))) as events:
        next(events)

    wait_until(tiny.is_idle)


async def test_closing_a_stream_on_a_loop_ends_the_generation(tiny: TinyServer) -> None:
    async with Client(f"http://127.0.0.1:{tiny.live.port}") as client:
        body = request(max_new_tokens=100)
        async with aclosing(astream("tiny", client=client, body=body)) as events:
            await anext(events)
        wait_until(tiny.is_idle)


def test_a_stream_is_stopped_by_its_id(client: Client) -> None:
    body = request(max_new_tokens=100, ignore_eos=True)
    body.id = "停-1"
    events = stream("tiny", client=client, body=body)
    seen = [next(events)]

    stop_infer.sync("tiny", client=client, body=StopRequest("停-1"))

    seen += events
    assert finish_reason(seen[-1]) is FinishReason.STOP_SEQUENCE
    assert len(seen) < 100


def test_texts_of_every_kind_come_back(client: Client) -> None:
    tokens = tokenize.sync("tiny", client=client, body=TokenizeRequest(MIXED))
    assert isinstance(tokens, TokenizeResponse)

    text = detokenize.sync("tiny", client=client, body=DetokenizeRequest(tokens.token_ids))

    assert text.text_output == MIXED  # type: ignore[union-attr]


def test_tensors_and_metadata(client: Client) -> None:
    parameters = TensorParameters(max_new_tokens=2)
    tensor = TokenTensor("input0", [3], TokenTensorDatatype.UINT32, [5, 6, 7], parameters)
    body = InferRequest([tensor], parameters=GenerateParameters(max_new_tokens=1))

    answer = infer.sync("tiny", client=client, body=body, idempotency_key="once")

    assert isinstance(answer, InferResponse)
    assert answer.outputs[0].shape == [1, 2]
    assert model_config.sync("tiny", client=client).max_iter_times == 128  # type: ignore[union-attr]
    assert health_ready.sync(client=client).ready is True  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("status", "model", "body", "headers"),
    [
        (403, "tiny", request(), {"Origin": "https://elsewhere.example"}),
        (404, "nobody", request(), {}),
        (408, "tiny", request(timeout=0.001, max_new_tokens=100, ignore_eos=True), {}),
        (413, "tiny", request("a" * 7_000_000), {}),
        (422, "tiny", request(top_p=1.5), {}),
        (431, "tiny", request(), {"X-Large": "a" * 70_000}),
    ],
)
def test_what_a_request_is_refused_for(
    tiny: TinyServer, status: int, model: str, body: GenerateRequest, headers: dict[str, str]
) -> None:
    with Client(f"http://127.0.0.1:{tiny.live.port}", headers=headers) as client:
        expect_refusal(client, model, body, status)


def expect_refusal(
    client: Client | AuthenticatedClient, model: str, body: GenerateRequest, status: int
) -> None:
    """Of generate as a value, and of a stream as an exception."""
    answer = generate.sync_detailed(model, client=client, body=body)
    assert answer.status_code == status
    assert isinstance(answer.parsed, Error)
    with pytest.raises(StreamError, match=answer.parsed.error_type.value) as raised:
        list(stream(model, client=client, body=body))
    assert raised.value.status_code == status
    if status == 429:
        assert raised.value.headers["retry-after"] == "7"


def test_what_a_server_refuses_for(tmp_path: Path) -> None:
    with refusing_servers(tmp_path) as urls:
        for status, url in urls.items():
            with Client(url) as client:
                expect_refusal(client, "fake", request(), status)
        with AuthenticatedClient(urls[401], token=KEY) as client:
            answer = generate.sync("fake", client=client, body=request())

    assert isinstance(answer, GenerateResponse)


def test_a_failure_after_the_first_event_ends_the_stream_with_an_exception() -> None:
    with failing_later() as url, Client(url) as client:
        events = stream("fake", client=client, body=request())
        assert [next(events).text_output, next(events).text_output] == ["Hel", "Hel"]
        with pytest.raises(StreamError, match="Generation Error: ") as raised:
            next(events)
    assert raised.value.status_code == 200


def test_an_answer_that_is_not_the_servers(tiny: TinyServer) -> None:
    with Client(f"http://127.0.0.1:{tiny.live.port}/ui") as client:
        with pytest.raises((StreamError, UnexpectedStatus)):
            list(stream("tiny", client=client, body=request()))
