"""Tokens, texts and marks."""

import asyncio
from typing import Any

import pytest

from app.body import InvalidBodyError
from handlers import ClientGoneError
from tests.fake_engine import FakeEngine
from tests.handlers.calls import call_of, table


async def answer(operation: str, body: dict[str, Any], engine: FakeEngine | None = None) -> Any:
    handlers = table(engine or FakeEngine())
    return await handlers[operation]("fake", call_of(operation, body), "1")


@pytest.mark.parametrize("has_offsets", [True, False])
async def test_a_text_becomes_tokens(has_offsets: bool) -> None:
    engine = FakeEngine(has_offsets=has_offsets)

    assert await answer("tokenize", {"text_input": "ab"}, engine) == {
        "model_name": "fake",
        "model_version": "1",
        "num_tokens": 2,
        "token_ids": (97, 98),
        "offsets": ((0, 1), (1, 2)) if has_offsets else None,
    }


@pytest.mark.parametrize(("given", "text"), [({}, "ab"), ({"skip_special_tokens": False}, "\0ab")])
async def test_tokens_become_a_text(given: dict[str, bool], text: str) -> None:
    body = {"token_ids": [0, 97, 98], **given}

    assert (await answer("detokenize", body))["text_output"] == text


async def test_a_mark_is_scored() -> None:
    assert await answer("detect_watermark", {"text_input": "abc"}) == {
        "num_tokens": 3,
        "green_fraction": 0.5,
        "z_score": 4.5,
        "p_value": 1e-5,
        "watermarked": True,
    }


@pytest.mark.parametrize(
    ("operation", "body", "message"),
    [
        ("tokenize", {}, "text_input: is required"),
        ("tokenize", {"text_input": ""}, "text_input: must have at least 1 character"),
        ("detokenize", {"token_ids": []}, "token_ids: must have at least 1 item"),
        ("detokenize", {"token_ids": [1000]}, "token_ids[0]: must be at most 999"),
        ("detect_watermark", {"text_input": 7}, "text_input: must be a string"),
        ("stop_infer", {"id": None}, "id: must be a string"),
        ("stop_infer", {}, "id: is required"),
    ],
)
def test_bodies_are_checked(operation: str, body: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidBodyError) as caught:
        call_of(operation, body)

    assert str(caught.value) == message


async def test_nobody_waits_for_a_client_that_has_left() -> None:
    class Slow(FakeEngine):
        async def detect_watermark(self, model: str, text: str) -> Any:
            await asyncio.sleep(30)

    call = call_of("detect_watermark", {"text_input": "abc"}, leaves_after=0.01)
    with pytest.raises(ClientGoneError):
        await table(Slow())["detect_watermark"]("fake", call)
