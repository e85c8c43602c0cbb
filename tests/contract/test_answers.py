"""What good answers hold, whatever the model says."""

from typing import Any

import pytest

from tests.contract.cases.case import GENERATE, MODEL
from tests.contract.conftest import MAX_NEW_TOKENS
from tests.real_server import RealServer
from tests.wire import post

VERSIONED = f"/v2/models/{MODEL}/versions/1/generate"
IDS = ["a123", " ", "7", 'a"b\nc\u0000\u2028', "中文 😀", "i" * 70_000, "\ufeff", "</script>"]
SEEDS = [1, 7, 10**15, 2**53, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1]
SAMPLED = {"do_sample": True, "details": True, "max_new_tokens": 12, "ignore_eos": True}
COSTS = ("first_token", "decode")
# Few enough tokens that the model's end token does not come before any of them.
LENGTHS: list[tuple[dict[str, Any], dict[str, Any], int]] = [
    ({}, {}, 20),
    ({"max_tokens": 3}, {}, 3),
    ({}, {"max_tokens": 3}, 3),
    ({"max_tokens": 3}, {"max_new_tokens": 5}, 5),
    ({"max_new_tokens": 4}, {"max_tokens": 3}, 4),
    ({"max_new_tokens": 4}, {"max_new_tokens": 5}, 5),
    ({"max_tokens": 4}, {"max_tokens": 5}, 5),
    ({"max_tokens": 2000}, {}, MAX_NEW_TOKENS),
    ({}, {"max_tokens": 2147483647}, MAX_NEW_TOKENS),
]


def answer_to(server: RealServer, **body: Any) -> dict[str, Any]:
    reply = server.ask({"text_input": "My name is", **body})
    assert reply.status == 200, reply.body
    answer: dict[str, Any] = reply.json()
    return answer


@pytest.mark.parametrize("client_id", IDS, ids=lambda sent: ascii(sent[:20]))
def test_the_id_comes_back_as_it_was_sent(server: RealServer, client_id: str) -> None:
    assert answer_to(server, id=client_id, max_tokens=1)["id"] == client_id


def test_without_an_id_each_answer_gets_one_of_its_own(server: RealServer) -> None:
    made = {answer_to(server, max_tokens=1, **sent)["id"] for sent in ({}, {}, {"id": None})}

    assert len(made) == 3
    assert "" not in made


@pytest.mark.parametrize("seed", SEEDS)
def test_a_seed_comes_back_exactly_and_gives_the_text_again(server: RealServer, seed: int) -> None:
    first, second = (answer_to(server, parameters={**SAMPLED, "seed": seed}) for _ in range(2))

    assert first["details"]["seed"] == seed
    assert second["text_output"] == first["text_output"]


def test_neighbouring_seeds_give_other_texts(server: RealServer) -> None:
    texts = {answer_to(server, parameters={**SAMPLED, "seed": n})["text_output"] for n in SEEDS}

    assert len(texts) == len(SEEDS)


def test_without_a_seed_the_text_varies_and_the_seed_is_told(server: RealServer) -> None:
    answers = [answer_to(server, parameters=SAMPLED) for _ in range(5)]
    seeds = [answer["details"]["seed"] for answer in answers]

    assert len({answer["text_output"] for answer in answers}) > 1
    assert len(set(seeds)) == 5
    assert all(1 <= seed < 2**53 for seed in seeds)
    assert "seed" not in answer_to(server, parameters={"details": True})["details"]


@pytest.mark.parametrize(("outside", "inside", "expected"), LENGTHS, ids=str)
def test_how_many_tokens_come_of_which_spelling(
    server: RealServer, outside: dict[str, Any], inside: dict[str, Any], expected: int
) -> None:
    asked = {"details": True, "ignore_eos": True, **inside}

    details = answer_to(server, **outside, parameters=asked)["details"]

    assert (details["generated_tokens"], details["finish_reason"]) == (expected, "length")


def test_keys_stand_in_the_order_of_the_interface(server: RealServer) -> None:
    everything = {**SAMPLED, "perf_stat": True, "logprobs": 1}
    answer = answer_to(server, parameters=everything)

    assert list(answer) == ["id", "model_name", "model_version", "text_output", "details"]
    assert list(answer["details"]) == [
        *("finish_reason", "generated_tokens", "first_token_cost", "decode_cost"),
        *("perf_stat", "seed", "tokens"),
    ]


@pytest.mark.parametrize(
    ("parameters", "has_details", "has_timings"),
    [
        ({}, False, False),
        ({"details": False, "logprobs": 2}, False, False),
        ({"details": True}, True, False),
        ({"perf_stat": True}, True, True),
        ({"details": True, "perf_stat": True}, True, True),
    ],
    ids=str,
)
def test_details_come_only_when_asked_for(
    server: RealServer, parameters: dict[str, Any], has_details: bool, has_timings: bool
) -> None:
    answer = answer_to(server, parameters={"max_new_tokens": 3, "ignore_eos": True, **parameters})

    assert ("details" in answer) == has_details
    details = answer.get("details", {})
    assert ("perf_stat" in details) == has_timings
    assert all((details.get(f"{part}_cost") is not None) == has_timings for part in COSTS)
    assert len(details.get("perf_stat", [])) == (3 if has_timings else 0)


@pytest.mark.parametrize(("path", "version"), [(GENERATE, None), (VERSIONED, "1")])
def test_the_version_is_the_one_in_the_path(
    server: RealServer, path: str, version: str | None
) -> None:
    answer = server.exchange(post(path, b'{"text_input":"a","max_tokens":1}')).json()

    assert (answer["model_name"], answer["model_version"]) == (MODEL, version)


def test_the_prompt_is_not_part_of_the_answer(server: RealServer) -> None:
    whole = answer_to(server, parameters={"max_new_tokens": 8})["text_output"]
    part = answer_to(server, parameters={"max_new_tokens": 4})["text_output"]

    assert not whole.startswith("My name is")
    assert whole.startswith(part.rstrip("\ufffd"))


def test_a_dry_run_counts_and_checks_like_the_request_itself(server: RealServer) -> None:
    dry = f"{GENERATE}?dry_run=true"
    text = b'{"text_input":"The capital of France is"}'
    told = server.exchange(post(dry, text)).json()["dry_run"]
    tokens = server.exchange(post(f"/v2/models/{MODEL}/tokenize", text)).json()
    too_long = b'{"text_input":"' + b"a b c d " * 500 + b'"}'
    refusals = [server.exchange(post(path, too_long)) for path in (dry, GENERATE)]

    assert told["num_prompt_tokens"] == tokens["num_tokens"]
    assert [reply.status for reply in refusals] == [422, 422]
    assert refusals[0].json() == refusals[1].json()


def test_the_port_was_open_before_the_model_was_loaded(server: RealServer) -> None:
    assert server.first_statuses == (200, 503)


def test_the_log_holds_one_short_line_for_each_request_and_none_of_its_words(
    server: RealServer,
) -> None:
    server.ask({"text_input": "xyzzy" * 20, "id": "plugh" * 50, "frob" * 50: 1})
    server.exchange(post(GENERATE, b'{"text_input":"xyzzy\xff' + b"xyzzy" * 1000))

    log = server.log.read_text(encoding="utf-8")
    assert "xyzzy" not in log
    assert "plugh" not in log
    assert max(map(len, log.splitlines())) < 600
