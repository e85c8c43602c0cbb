"""Cases from the field, C: answers that have to be the same, or must not be."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from engine import FinishReason, GenerationError
from tests.fake_engine import FakeEngine, chunk
from tests.live_server import post, serving
from tests.streams import STREAM, read_head, read_stream
from tests.tiny_server import PROMPT, TinyServer

pytestmark = pytest.mark.slow

SEEDED = {"do_sample": True, "seed": 123, "temperature": 0.8, "max_new_tokens": 40}
GREEDY = {"max_new_tokens": 40}


def streamed(tiny: TinyServer, parameters: dict[str, Any]) -> str:
    return "".join(event["text_output"] for event in tiny.events(parameters=parameters))


@pytest.mark.parametrize("parameters", [SEEDED, GREEDY], ids=["case 26", "case 29"])
def test_cases_26_and_29_the_same_answer_alone_and_in_a_crowd(
    tiny: TinyServer, parameters: dict[str, Any]
) -> None:
    alone = {tiny.text(**parameters) for _ in range(3)} | {streamed(tiny, parameters)}
    assert len(alone) == 1

    def other(number: int) -> Any:
        prompt = PROMPT * (1 + number % 3) + str(number)
        return tiny.generate(text_input=prompt, parameters={**SEEDED, "seed": number + 1})

    with ThreadPoolExecutor(20) as pool:
        others = [pool.submit(other, number) for number in range(16)]
        ours = [pool.submit(tiny.text, **parameters), pool.submit(streamed, tiny, parameters)]
        crowded = {future.result() for future in ours}
        assert all(future.result()["text_output"] for future in others)

    assert crowded == alone


def test_case_28_without_a_seed_answers_vary(tiny: TinyServer) -> None:
    answers = [tiny.generate(parameters={"do_sample": True}) for _ in range(10)]

    assert len({answer["text_output"] for answer in answers}) > 1
    assert len({answer["details"]["seed"] for answer in answers}) == 10


def test_case_28_the_seed_that_was_made_gives_the_answer_again(tiny: TinyServer) -> None:
    first = tiny.generate(parameters={"do_sample": True})
    again = tiny.generate(parameters={"do_sample": True, "seed": first["details"]["seed"]})

    assert again["text_output"] == first["text_output"]


def test_case_32_the_repetition_penalty_sees_the_prompt(tiny: TinyServer) -> None:
    prompt = "Paris Paris Paris"
    prompt_ids = set(tiny.post("tokenize", {"text_input": prompt}).json()["token_ids"])

    def first_token(**parameters: Any) -> int:
        answer = tiny.generate(
            text_input=prompt, parameters={"perf_stat": True, "max_new_tokens": 1, **parameters}
        )
        [[token_id, _]] = answer["details"]["perf_stat"]
        return int(token_id)

    assert first_token(repetition_penalty=1.0) == first_token()
    # Far above or below 1, the tokens of the prompt are the only or the last ones to be picked.
    assert first_token(repetition_penalty=1e-3) in prompt_ids
    assert first_token(repetition_penalty=1e3) not in prompt_ids


def test_case_33_a_failure_of_the_model_is_an_error_and_no_text() -> None:
    engine = FakeEngine(script=[chunk("a"), chunk("b")], failure=GenerationError("not finite"))
    with serving(engine) as server:
        reply = server.exchange(post(b'{"text_input":"x"}'))
        assert (reply.status, reply.json()["error_type"]) == (424, "Generation Error")
        with server.connection() as connection:
            connection.send(post(b'{"text_input":"x"}', STREAM))
            read_head(connection)
            got = read_stream(connection)
        assert [event.get("error") for event in got.events] == [None, None, "not finite"]
        assert not got.is_complete
        engine.script[-1:] = [chunk("b", finish_reason=FinishReason.LENGTH)]
        engine.failure = None
        assert server.exchange(post(b'{"text_input":"x"}')).json()["text_output"] == "ab"
