"""Every operation of the document, asked with its own example."""

from collections.abc import Iterator, Sequence
from typing import Any

from app.conform.check import Check, shown
from app.conform.subject import Subject
from app.conform.target import Answer, Request
from app.document import resolve

_NOT_ALONE = ("stop_infer", "generate_stream")  # have checks of their own


def operation_checks(subject: Subject) -> Iterator[Check]:
    for path, item in subject.document["paths"].items():
        for method in ("get", "post"):
            operation = item.get(method)
            if operation is None or operation["operationId"].startswith(_NOT_ALONE):
                continue
            filled = path.format(model_name=subject.model, model_version=subject.version)
            request = Request(method.upper(), filled, _example(subject, operation))
            yield _check(subject, operation, request)


def _example(subject: Subject, operation: dict[str, Any]) -> Any:
    if "requestBody" not in operation:
        return None
    body = resolve(subject.document, operation["requestBody"])
    content = body["content"]["application/json"]
    for example in content.get("examples", {}).values():
        return resolve(subject.document, example)["value"]
    return content["example"]


def _check(subject: Subject, operation: dict[str, Any], request: Request) -> Check:
    schema = subject.answer_schema(operation)
    [media_type] = resolve(subject.document, operation["responses"]["200"])["content"]

    def judge(answers: Sequence[Answer]) -> str | None:
        answer = answers[-1]
        if answer.status != 200:
            return shown(answer)
        if not answer.headers.get("content-type", "").startswith(media_type):
            return f"Content-Type: {answer.headers.get('content-type')}"
        if not answer.headers.get("x-request-id"):
            return "no X-Request-Id"
        if media_type != "application/json":
            return None
        problem = subject.problem(schema, answer.json())
        return problem and f"{problem} in {shown(answer)}"

    expected = f"200, {media_type} as the document has it, X-Request-Id"
    return Check(f"{operation['operationId']}: example", (request,), expected, judge)
