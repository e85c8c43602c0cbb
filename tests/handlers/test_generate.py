"""One generation: its answer, its end, and what ends it early."""

import asyncio
import math
from collections.abc import MutableMapping
from dataclasses import replace
from time import monotonic
from typing import Any

import pytest

from engine import (
    EngineUnavailableError,
    FinishReason,
    GenerationError,
    InvalidRequestError,
    RequestTimeoutError,
    Token,
    TokenLogprob,
)
from handlers import Call, ClientGoneError
from handlers.generate import GenerateHandlers
from handlers.generations import Generations
from handlers.running import RunningRequests
from handlers.tally import Tally
from tests.fake_engine import FakeEngine, chunk, chunks
from tests.handlers.bodies import complete


def call(
    body: str = '{"text_input":"hi"}', leaves_after: float = math.inf, *, is_dry_run: bool = False
) -> Call:
    """A request of a client that leaves after so many seconds."""

    async def receive() -> MutableMapping[str, Any]:
        await (asyncio.sleep(leaves_after) if leaves_after < math.inf else asyncio.Event().wait())
        return {"type": "http.disconnect"}

    return Call(
        payload=complete(body),
        query={"dry_run": is_dry_run},
        ignored=("parameters.x",),
        capped=(),
        arrived_at=monotonic(),
        receive=receive,
    )


def handlers(engine: FakeEngine, time_limit: float = 60) -> GenerateHandlers:
    engine.is_ready = True
    return GenerateHandlers(Generations(engine, RunningRequests(), Tally(), time_limit))


async def answer(engine: FakeEngine, body: str, version: str | None = None) -> dict[str, Any]:
    return await handlers(engine).generate("fake", call(body), version)


async def test_the_plain_answer_has_its_keys_in_order() -> None:
    result = await answer(FakeEngine(), '{"text_input":"hi","id":"a123"}')

    assert list(result.items()) == [
        ("id", "a123"),
        ("model_name", "fake"),
        ("model_version", None),
        ("text_output", "Hello"),
    ]


async def test_the_version_of_the_path_is_named_and_ids_are_made() -> None:
    first, second = [await answer(FakeEngine(), '{"text_input":"hi"}', "1") for _ in range(2)]

    assert first["model_version"] == "1"
    assert first["id"] != second["id"]


async def test_details_without_timings() -> None:
    body = '{"text_input":"hi","parameters":{"details":true}}'

    assert list((await answer(FakeEngine(), body))["details"].items()) == [
        ("finish_reason", "length"),
        ("generated_tokens", 2),
        ("first_token_cost", None),
        ("decode_cost", None),
    ]


async def test_timings_come_from_the_tokens() -> None:
    engine = FakeEngine(script=chunks("a", "b", "c"))
    body = '{"text_input":"hi","parameters":{"perf_stat":true}}'

    details = (await answer(engine, body))["details"]

    assert details["first_token_cost"] == 2.5
    assert details["decode_cost"] == 5.0
    assert details["perf_stat"] == [[7, 2], [7, 2], [7, 2]]


@pytest.mark.parametrize("seed", [5, None])
async def test_a_sampled_answer_tells_its_seed(seed: int | None) -> None:
    engine = FakeEngine()
    given = f',"seed":{seed}' if seed else ""
    body = f'{{"text_input":"hi","parameters":{{"do_sample":true,"details":true{given}}}}}'

    details = (await answer(engine, body))["details"]

    assert details["seed"] == engine.requests[0].sampling_params.seed
    assert seed in (None, details["seed"])


async def test_logprobs_are_told_for_each_token_as_json_can_have_them() -> None:
    top = (TokenLogprob(token_id=1, text="b", logprob=-math.inf),)
    token = Token(token_id=7, text="a", elapsed_ms=1.0, logprob=-0.5, top_logprobs=top)
    last = replace(chunk("a", finish_reason=FinishReason.EOS_TOKEN), token=token)
    body = '{"text_input":"hi","parameters":{"details":true,"logprobs":1}}'

    (told,) = (await answer(FakeEngine(script=[last]), body))["details"]["tokens"]

    (likeliest,) = told.pop("top_logprobs")
    assert told == {"token_id": 7, "text": "a", "logprob": -0.5}
    assert (likeliest["token_id"], likeliest["text"]) == (1, "b")
    assert math.isfinite(likeliest["logprob"])


async def test_a_generation_stopped_before_its_first_token() -> None:
    last = replace(chunk("", finish_reason=FinishReason.STOP_SEQUENCE), token=None)
    body = '{"text_input":"hi","parameters":{"perf_stat":true}}'

    result = await answer(FakeEngine(script=[last]), body)

    assert result["text_output"] == ""
    assert result["details"] == {
        "finish_reason": "stop_sequence",
        "generated_tokens": 0,
        "first_token_cost": None,
        "decode_cost": None,
        "perf_stat": [],
    }


@pytest.mark.parametrize("script", [[], [chunk("a")]])
async def test_a_generation_that_just_stops_coming_is_an_error(script: list[Any]) -> None:
    with pytest.raises(GenerationError):
        await answer(FakeEngine(script=script), '{"text_input":"hi"}')


async def test_the_iterator_is_closed_whatever_happens() -> None:
    for engine, made, time_limit, error in [
        (FakeEngine(failure=EngineUnavailableError("dead")), call(), 60, EngineUnavailableError),
        (FakeEngine(seconds_per_chunk=5.0), call(), 0.05, RequestTimeoutError),
        (FakeEngine(seconds_per_chunk=5.0), call(leaves_after=0.05), 60, ClientGoneError),
    ]:
        with pytest.raises(error):
            await handlers(engine, time_limit).generate("fake", made)
        assert (len(engine.requests), engine.num_closed) == (1, 1)


async def test_time_is_counted_from_the_arrival() -> None:
    late = replace(call(), arrived_at=monotonic() - 100)
    engine = FakeEngine(seconds_per_chunk=5.0)

    with pytest.raises(RequestTimeoutError):
        await handlers(engine, 99).generate("fake", late)


async def test_a_dry_run_tells_what_would_apply_and_generates_nothing() -> None:
    engine = FakeEngine()
    body = '{"text_input":"hi","id":"a1","parameters":{"max_new_tokens":7}}'
    result = await handlers(engine).generate("fake", call(body, is_dry_run=True), "1")

    assert list(result) == ["id", "model_name", "model_version", "text_output", "dry_run"]
    assert (result["id"], result["model_version"], result["text_output"]) == ("a1", "1", "")
    assert result["dry_run"] == {
        "num_prompt_tokens": 2,
        "max_output_tokens": 7,
        "parameters": complete(body)["parameters"],
        "ignored_fields": ("parameters.x",),
        "capped_fields": (),
    }
    assert engine.requests == []


async def test_a_dry_run_is_refused_as_the_request_would_be() -> None:
    engine = FakeEngine(failure=InvalidRequestError("text_input", "is too long"))

    with pytest.raises(InvalidRequestError):
        await handlers(engine).generate("fake", call(is_dry_run=True))
