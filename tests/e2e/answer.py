"""A good answer with details and timings, in the terms of tests."""

from dataclasses import dataclass
from typing import Any

from tests.real_server import RealServer

CAPITAL = "The capital of France is"
# A turn of a chat, which this model ends by itself within a few tokens.
TURN = "<|im_start|>user\nSay yes.<|im_end|>\n<|im_start|>assistant\n"


@dataclass(frozen=True)
class Answer:
    text: str
    token_ids: list[int]
    finish_reason: str
    details: dict[str, Any]


def ask(server: RealServer, text: str, **parameters: Any) -> Answer:
    """Must be answered 200; ``perf_stat`` is on for the token ids."""
    answer = server.generate(text, **{"perf_stat": True, **parameters})
    details = answer["details"]
    token_ids = [token_id for token_id, _ in details["perf_stat"]]
    assert details["generated_tokens"] == len(token_ids)
    return Answer(answer["text_output"], token_ids, details["finish_reason"], details)
