"""Faults that servers of this interface have had, each with a check that has to find it."""

import itertools
import json
import re
from collections.abc import Callable
from typing import Any

from tests.conform.planted import Exchange, Fault, Request

_numbers = itertools.count()


def status(old: int, new: int) -> Fault:
    def fault(it: Exchange) -> None:
        it.status = new if it.status == old else it.status

    return fault


def header(name: str, value: str | None = None) -> Fault:
    """Without the header, or with another value where it is there."""

    def fault(it: Exchange) -> None:
        if it.headers.pop(name, None) is not None and value is not None:
            it.headers[name] = value

    return fault


def member(pattern: str, at: int = 200, **members: Any) -> Fault:
    """Another value in answers of that status; ``...`` leaves the member out."""

    def fault(it: Exchange) -> None:
        if it.status == at and re.search(pattern, it.path):
            it.change(**members)

    return fault


def stream(change: Callable[[bytes], bytes]) -> Fault:
    def fault(it: Exchange) -> None:
        if it.path.endswith("_stream") and it.status == 200:
            it.body = change(it.body)

    return fault


def sent(old: str, new: str) -> Request:
    """A request that is taken for another one."""
    return lambda body: re.sub(old.encode(), new.encode(), body)


def refuse_nulls(it: Exchange) -> None:
    if b"null" in it.sent:
        it.status, it.body = 422, b'{"error":"null","error_type":"Input Validation Error"}'


def round_seed(it: Exchange) -> None:
    if b'"seed":' in it.body and it.status == 200 and it.path.endswith("/generate"):
        details = json.loads(it.body)["details"]
        it.change(details={**details, "seed": int(float(details["seed"]))})


def change_text(it: Exchange) -> None:
    if it.path.endswith("/generate") and it.status == 200:
        it.change(text_output=f"{next(_numbers)}")


FAULTS: dict[str, tuple[str, Fault]] = {
    "400 for 422": ("body: no JSON", status(422, 400)),
    "500 for an unknown model": ("model: unknown", status(404, 500)),
    "422 for 415": ("Content-Type: text/plain", status(415, 422)),
    "404 for 405": ("method: GET generate", status(405, 404)),
    "no Allow": ("method: GET generate", header("allow")),
    "no error_type": ("body: no text", member(".", 422, error_type=...)),
    "another error_type": ("body: no text", member(".", 422, error_type="Bad Request")),
    "a member more in errors": ("body: nothing", member(".", 422, detail="x")),
    "an empty error": ("version: unknown", member(".", 404, error="")),
    "errors as text": ("body: NaN", header("content-type", "text/plain")),
    "an id of its own": ("id: echoed", member("generate$", id="x")),
    "one id for all": ("id: made", member("generate$", id="x")),
    "no version": ("version: named", member("generate$", model_version=None)),
    "always a version": ("version: not named", member("generate$", model_version="1")),
    "no text": ("generate: example", member("generate$", text_output=...)),
    "a member more": ("answer: keys", member("generate$", usage=1)),
    "an error in a good answer": ("null: absent", member("generate$", error="")),
    "a rounded seed": (f"seed: {2**64 - 1}, the same text", round_seed),
    "another text each time": ("seed: 7, the same text", change_text),
    "greedy by chance": ("greedy: the same text", change_text),
    "unknown fields in silence": ("unknown field: named", header("x-ignored-fields")),
    "capped in silence": ("max_tokens: capped", header("x-capped-fields")),
    "no request id": ("health_live: example", header("x-request-id")),
    "nulls refused": ("null: absent", refuse_nulls),
    "a blank after data:": ("stream: frames", stream(lambda b: b.replace(b"data:", b"data: "))),
    "one line break": ("stream: frames", stream(lambda b: b.replace(b"\n\n", b"\n"))),
    "an end marker": ("stream: frames", stream(lambda b: b + b"data:[DONE]\n\n")),
    "an event name": ("stream: frames", stream(lambda b: b"event: x\n" + b)),
    "a lost event": ("stream: an event a token", stream(lambda b: b.partition(b"\n\n")[2])),
    "a lost text": ("stream: the text", stream(lambda b: b.partition(b"\n\n")[2])),
    "a stream as text": ("stream: frames", header("content-type", "text/plain")),
    "no reason": ("stream: the end", stream(lambda b: b.replace(b'"finish_reason"', b'"why"'))),
    "another member": ("stream: events", stream(lambda b: b.replace(b'"text_output"', b'"text"'))),
    "no version in events": (
        "stream: the version",
        stream(lambda b: b.replace(b'"model_version":"1"', b'"model_version":null')),
    ),
    "a flat shape": ("infer: token ids", member("infer$", outputs=[{"name": "o", "shape": [2]}])),
    "no versions": ("model_metadata: example", member("models/mock$", versions=...)),
    "ready as text": ("health_ready: example", member("health/ready$", ready="yes")),
    "no finish in stop": ("stop: an id", status(404, 200)),
    "a dry run with text": ("dry run: generates nothing", member("generate$", text_output="x")),
    "metrics as JSON": ("metrics: example", header("content-type", "application/json")),
    "not ready": ("model_ready: example", status(200, 503)),
}
REQUESTS: dict[str, tuple[str, Request]] = {
    "top_p above 1": ("top_p: 1.001", sent(r'"top_p": 1\.001', '"top_p": 1')),
    "temperature of 0": ("temperature: 0", sent(r'"temperature": 0\b', '"temperature": 1')),
    "one token too many": ("max_new_tokens: 513", sent(": 513", ": 512")),
    "no seed of 0": ("seed: 0", sent('"seed": 0', '"seed": 1')),
    "seeds of 63 bits": (f"seed: {2**64 - 1}", sent(str(2**64 - 1), str(2**64))),
    "numbers for flags": ("details: 1", sent('"details": 1', '"details": true')),
    "text for numbers": ("top_p: '1'", sent('"top_p": "1"', '"top_p": 1')),
    "top_p of 1 refused": ("top_p: 1", sent('"top_p": 1}', '"top_p": 2}')),
    "lists of texts": ("body: two texts", sent(r'\["a","b"\]', '["a"]')),
    "names twice": ("body: a name twice", sent('"a","text_input":', "")),
}
