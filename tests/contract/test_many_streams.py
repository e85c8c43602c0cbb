"""A hundred streams of a real engine, half of whose clients leave at any moment."""

import json
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.live_server import post, wait_until
from tests.streams import read_chunks, read_head
from tests.tiny_server import MODEL_URL, TinyServer, tiny_server

pytestmark = pytest.mark.slow

NUM_STREAMS = 100
NUM_TOKENS = 40


def body(number: int) -> dict[str, object]:
    parameters = {"max_new_tokens": NUM_TOKENS, "ignore_eos": True, "do_sample": bool(number % 3)}
    return {
        "id": str(number),
        "text_input": f"Once upon a time {number}",
        "parameters": {**parameters, "seed": number + 1},
    }


def follow(server: TinyServer, number: int, num_events: int | None) -> str | None:
    """The text of the whole stream, or None after leaving when so many events have come."""
    with server.live.connection() as connection:
        raw = json.dumps(body(number)).encode()
        connection.send(post(raw, f"{MODEL_URL}/generate_stream"))
        if num_events == 0:
            return None
        assert read_head(connection).status == 200
        text = ""
        for count, chunk in enumerate(read_chunks(connection), start=1):
            if not chunk:
                return text
            text += json.loads(chunk.removeprefix(b"data:"))["text_output"]
            if count == num_events:
                return None
    raise AssertionError("the stream was cut")


@pytest.mark.slow
def test_whoever_leaves_leaves_nothing_behind(tiny_path: Path) -> None:
    chance = random.Random(4)
    leaving = {number: chance.randrange(NUM_TOKENS) for number in range(0, NUM_STREAMS, 2)}
    with tiny_server(tiny_path, max_queue=NUM_STREAMS) as server:
        with ThreadPoolExecutor(NUM_STREAMS) as pool:
            texts = list(pool.map(lambda n: follow(server, n, leaving.get(n)), range(NUM_STREAMS)))
        wait_until(server.is_idle)

        assert [n for n, text in enumerate(texts) if text is None] == sorted(leaving)
        for number in range(1, 20, 2):
            whole = server.post("generate", body(number)).json()["text_output"]
            assert texts[number] == whole
        ended = server.stats()["inference_stats"]
        assert ended["fail"]["count"] == 0
        assert ended["success"]["count"] + ended["cancel"]["count"] <= NUM_STREAMS + 10
        assert server.is_alive()
