"""The sister protocol's spellings give the very answers of ours."""

from typing import Any

import pytest

from tests.answers import strict_json
from tests.e2e.answer import CAPITAL
from tests.real_server import RealServer

Parameters = dict[str, Any]
SPELLINGS: list[tuple[Parameters, Parameters]] = [
    ({"max_tokens": 3}, {"max_new_tokens": 3}),
    ({"max_new_tokens": 3}, {"max_new_tokens": 3}),
    ({"max_tokens": 2000, "stop_words": "."}, {"max_new_tokens": 512, "stop": ["."]}),
    ({"temperature": 0, "do_sample": True}, {}),
    ({"temperature": 1.5, "random_seed": 7}, {"do_sample": True, "temperature": 1.5, "seed": 7}),
    ({"top_p": 0.9, "seed": 9}, {"do_sample": True, "top_p": 0.9, "seed": 9}),
    ({"top_k": 9, "seed": 9}, {"do_sample": True, "top_k": 9, "seed": 9}),
    ({"top_k": 9, "do_sample": False}, {}),
    ({"bad_words": "Paris", "stop_words": ""}, {"bad_words": ["Paris"]}),
    ({"repetition_penalty": 1.5}, {"repetition_penalty": 1.5}),
]


@pytest.mark.parametrize(("outside", "inside"), SPELLINGS, ids=str)
def test_a_spelling_of_the_sister_protocol_means_the_same(
    server: RealServer, outside: Parameters, inside: Parameters
) -> None:
    details = {"details": True}
    spelled = server.ask({"text_input": CAPITAL, "id": "a", **outside, "parameters": details})
    plain = server.ask({"text_input": CAPITAL, "id": "a", "parameters": {**inside, **details}})

    assert spelled.status == plain.status == 200
    assert strict_json(spelled.body) == strict_json(plain.body)
