"""What streams have to be like: frames, the text, the end."""

from collections.abc import Iterator
from typing import Any

from app.conform.check import Check, Judge, accepted, events_of, shown, streamed
from app.conform.subject import Subject
from app.conform.target import Answer, Request

_BODY = {
    "text_input": "The capital of France is",
    "parameters": {"max_new_tokens": 6, "ignore_eos": True, "details": True},
}


def stream_checks(subject: Subject) -> Iterator[Check]:
    whole = Request("POST", f"{subject.path}/generate", _BODY)
    stream = Request("POST", f"{subject.path}/generate_stream", _BODY)
    operation = subject.document["paths"]["/v2/models/{model_name}/generate_stream"]["post"]
    schema = subject.answer_schema(operation)
    expected = "events data:{json}, each with an empty line after it, and nothing else"
    yield streamed("stream: frames", stream, expected, lambda events: bool(events))
    yield streamed("stream: an event a token", stream, "6 events", lambda it: len(it) == 6)
    yield streamed(
        "stream: events as the document has them",
        stream,
        "StreamEvent",
        lambda events: not any(subject.problem(schema, event) for event in events),
    )
    yield streamed("stream: the end", stream, "finish_reason in the last event alone", _ends_once)
    yield Check("stream: the text", (whole, stream), "the text of generate", _same_text())
    named = Request("POST", f"{subject.path}/versions/{subject.version}/generate_stream", _BODY)
    yield streamed(
        "stream: the version",
        named,
        f"model_version {subject.version}",
        lambda events: {event["model_version"] for event in events} == {subject.version},
    )
    yield from _tensors(subject)


def _ends_once(events: list[Any]) -> bool:
    reasons = [event["details"].get("finish_reason") for event in events]
    return reasons[-1] is not None and not any(reasons[:-1])


def _same_text() -> Judge:
    def judge(answers: Any) -> str | None:
        whole, stream = answers
        events = events_of(stream) or []
        text = "".join(str(event.get("text_output")) for event in events)
        answer = whole.json()
        is_same = isinstance(answer, dict) and answer.get("text_output") == text
        return None if is_same else _both(whole, stream)

    return judge


def _both(first: Answer, second: Answer) -> str:
    return f"{shown(first)} / {shown(second)}"


def _tensors(subject: Subject) -> Iterator[Check]:
    tensor = {"name": "input0", "shape": [1, 3], "datatype": "UINT32", "data": [5, 6, 7]}
    parameters = {"max_new_tokens": 2, "ignore_eos": True}
    body = {"inputs": [tensor], "outputs": [{"name": "o"}], "parameters": parameters}
    yield accepted(
        "infer: token ids",
        Request("POST", f"{subject.path}/infer", body),
        "one tensor o of shape [1, 2]",
        lambda it: (it["outputs"][0]["name"], it["outputs"][0]["shape"]) == ("o", [1, 2]),
    )
