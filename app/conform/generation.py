"""What generations have to be like: ids, versions, details, seeds, limits, other spellings."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from app.conform.check import Check, accepted, compared, told
from app.conform.subject import Subject
from app.conform.target import Request

_TEXT = "The capital of France is"


def generation_checks(subject: Subject) -> Iterator[Check]:
    def ask(path: str = "/generate", **body: Any) -> Request:
        return Request("POST", subject.path + path, {"text_input": _TEXT, **body})

    yield accepted("id: echoed", ask(id="a/ü"), "id a/ü", lambda it: it["id"] == "a/ü")
    yield compared(
        "id: made", (ask(), ask()), "two ids", lambda them: them[0]["id"] != them[1]["id"]
    )
    keys = ["id", "model_name", "model_version", "text_output"]
    yield accepted("answer: keys", ask(), ", ".join(keys), lambda it: list(it) == keys)
    version = f"/versions/{subject.version}/generate"
    head = (subject.model, subject.version)
    yield accepted(
        "version: named", ask(version), repr(head), lambda it: (it[keys[1]], it[keys[2]]) == head
    )
    yield accepted(
        "version: not named", ask(), "model_version null", lambda it: it["model_version"] is None
    )
    yield from _details(ask)
    yield from _seeds(ask, _largest_seed(subject))
    yield from _fields(ask)


def _details(ask: Any) -> Iterator[Check]:
    fixed = {"details": True, "ignore_eos": True, "max_new_tokens": 3}
    ended = {"finish_reason": "length", "generated_tokens": 3}
    ended |= {"first_token_cost": None, "decode_cost": None}
    yield accepted(
        "details: length", ask(parameters=fixed), str(ended), lambda it: it["details"] == ended
    )
    yield accepted(
        "perf_stat: a pair for each token",
        ask(parameters={**fixed, "perf_stat": True}),
        "3 pairs",
        lambda it: [len(pair) for pair in it["details"]["perf_stat"]] == [2, 2, 2],
    )
    yield accepted(
        "logprobs: of each token",
        ask(parameters={**fixed, "logprobs": 2}),
        "3 tokens with 2 alternatives each",
        lambda it: [len(each["top_logprobs"]) for each in it["details"]["tokens"]] == [2, 2, 2],
    )


def _largest_seed(subject: Subject) -> int:
    parameters = subject.document["components"]["schemas"]["GenerateParameters"]
    largest: int = parameters["properties"]["seed"]["maximum"]
    return largest


def _seeds(ask: Any, largest: int) -> Iterator[Check]:
    sampled = {"do_sample": True, "details": True, "max_new_tokens": 16}
    for seed in (7, 2**53 + 1, largest):
        request = ask(parameters={**sampled, "seed": seed})
        yield compared(
            f"seed: {seed}, the same text",
            (request, request),
            f"the same text twice, and the seed {seed} in details",
            partial(_is_repeated, seed),
        )
    made = ask(parameters=sampled)
    yield compared(
        "seed: made",
        (made, made),
        "two seeds below 2^53",
        lambda them: len({_exact_seed(each) for each in them} - {None}) == 2,
    )
    greedy = ask(max_new_tokens=16)
    yield compared(
        "greedy: the same text",
        (greedy, greedy),
        "the same text twice",
        lambda them: them[0]["text_output"] == them[1]["text_output"],
    )


def _is_repeated(seed: int, answers: list[Any]) -> bool:
    texts = {answer["text_output"] for answer in answers}
    return len(texts) == 1 and answers[0]["details"]["seed"] == seed


def _exact_seed(answer: Any) -> int | None:
    """One that every client's numbers can hold."""
    seed: int = answer["details"]["seed"]
    return seed if 0 < seed < 2**53 else None


def _fields(ask: Any) -> Iterator[Check]:
    ignored, capped = "X-Ignored-Fields", "X-Capped-Fields"
    yield told("unknown field: named", ask(temprature=1), ignored, "temprature")
    yield told("no unknown field: nothing named", ask(), ignored, None)
    both = ask(max_new_tokens=3, parameters={"max_new_tokens": 2})
    yield told("two spellings: one named", both, ignored, "max_new_tokens")
    yield told(
        "max_tokens: capped", ask(max_tokens=2**31 - 1, stop=[" ", "。"]), capped, "max_tokens"
    )
    yield told("stream: ignored", ask(stream=True, max_tokens=1), ignored, "stream")
    nulls = {"temperature": None, "top_k": None, "seed": None, "stop": None, "max_new_tokens": 1}
    yield accepted("null: absent", ask(parameters=nulls))
    yield accepted("temperature: 0 at top level", ask(temperature=0, max_tokens=1))
    yield accepted("text_input: a list of one", ask(text_input=["a"], max_tokens=1))
    yield accepted("text_input: Chinese and emoji", ask(text_input="中国的首都是 😀", max_tokens=1))
    dry = ask("/generate?dry_run=true")
    yield accepted(
        "dry run: generates nothing",
        dry,
        "an empty text, and dry_run with num_prompt_tokens",
        lambda it: it["text_output"] == "" and it["dry_run"]["num_prompt_tokens"] > 0,
    )
