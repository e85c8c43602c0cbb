"""One check, and the judgements that checks are made of."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from app.conform.target import Answer, Request
from app.errors import ERROR_TYPES

Judge = Callable[[Sequence[Answer]], str | None]  # what came instead; None: what was expected

MAX_SHOWN = 160  # characters of an answer in a report


@dataclass(frozen=True, slots=True)
class Check:
    """``requests`` are sent one after the other; the last one shows the difference."""

    name: str
    requests: tuple[Request, ...]
    expected: str
    judge: Judge


def shown(answer: Answer) -> str:
    text = answer.body.decode("utf-8", errors="backslashreplace")
    cut = text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
    return f"{answer.status} {cut}" + (" (cut off)" if answer.is_cut else "")


def refused(name: str, request: Request, status: int, header: str | None = None) -> Check:
    """An error of the one shape, with that status."""

    def judge(answers: Sequence[Answer]) -> str | None:
        answer, content = answers[-1], answers[-1].json()
        is_right = (
            answer.status == status
            and isinstance(content, dict)
            and content.keys() == {"error", "error_type"}
            and content["error_type"] == ERROR_TYPES[status]
            and isinstance(content["error"], str)
            and content["error"] != ""
            and answer.headers.get("content-type", "").startswith("application/json")
            and (header is None or header in answer.headers)
        )
        return None if is_right else shown(answer)

    also = f" and {header}" if header else ""
    expected = f"{status} with error and error_type {ERROR_TYPES[status]!r}{also}"
    return Check(name, (request,), expected, judge)


def accepted(
    name: str, request: Request, expected: str = "200", holds: Callable[[Any], bool] | None = None
) -> Check:
    """A good answer in JSON for which ``holds`` is true."""
    return compared(name, (request,), expected, lambda found: holds is None or holds(found[0]))


def compared(
    name: str, requests: tuple[Request, ...], expected: str, holds: Callable[[list[Any]], bool]
) -> Check:
    """Good answers in JSON that have to go together."""

    def judge(answers: Sequence[Answer]) -> str | None:
        contents = [answer.json() for answer in answers]
        bad = [
            answer
            for answer, content in zip(answers, contents, strict=True)
            if answer.status != 200 or not isinstance(content, dict) or "error" in content
        ]
        if bad:
            return shown(bad[0])
        try:
            is_right = holds(contents)
        except (KeyError, TypeError, IndexError):  # something that it should have is not there
            is_right = False
        return None if is_right else " / ".join(map(shown, answers))

    return Check(name, requests, expected, judge)


def told(name: str, request: Request, header: str, value: str | None) -> Check:
    """A good answer with that header; None: without it."""

    def judge(answers: Sequence[Answer]) -> str | None:
        answer = answers[-1]
        if answer.status == 200 and answer.headers.get(header.lower()) == value:
            return None
        return f"{answer.status}, {header}: {answer.headers.get(header.lower())}"

    return Check(name, (request,), f"200, {header}: {value}", judge)


def events_of(answer: Answer) -> list[Any] | None:
    """The JSON objects of a stream; None where a frame is no ``data:`` line and an empty one."""
    if not answer.body.endswith(b"\n\n"):
        return None
    events = []
    for frame in answer.body.removesuffix(b"\n\n").split(b"\n\n"):
        if not frame.startswith(b"data:{") or b"\n" in frame:
            return None
        try:
            events.append(json.loads(frame.removeprefix(b"data:")))
        except ValueError:
            return None
    return events


def streamed(
    name: str, request: Request, expected: str, holds: Callable[[list[Any]], bool]
) -> Check:
    """A whole stream of well-formed events."""

    def judge(answers: Sequence[Answer]) -> str | None:
        answer = answers[-1]
        events = events_of(answer)
        is_stream = answer.headers.get("content-type", "").startswith("text/event-stream")
        if answer.status != 200 or answer.is_cut or events is None or not is_stream:
            return shown(answer)
        try:
            return None if holds(events) else shown(answer)
        except (KeyError, TypeError, IndexError):
            return shown(answer)

    return Check(name, (request,), expected, judge)
