"""Hooks for schemathesis; named in schemathesis.toml, and loaded by it alone."""

import re
from typing import Any

import schemathesis
from schemathesis.core.failures import Failure

from tests.answers import Judge, strict_json
from tests.contract import no_keys  # noqa: F401  (registers its hook)
from tests.wire import Reply

_PROMPT_TOO_LONG = re.compile(rb'"text_input: has \d+ tokens, and at most \d+ are allowed')
_JUDGES: dict[int, Judge] = {}  # by identity: schemas have no hash


def before_load_schema(context: Any, raw_schema: dict[str, Any]) -> None:
    """Only what is served can be asked for: any other name is a negative case."""
    for parameter in raw_schema["components"]["parameters"].values():
        if parameter["in"] != "path":
            continue
        parameter["schema"] = {"type": "string", "enum": [parameter["example"]]}


def filter_failure(context: Any, failure: Failure, case: Any, response: Any) -> bool:
    """How many tokens a text has is up to the model: no document can say it."""
    is_too_long = response.status_code == 422 and _PROMPT_TOO_LONG.search(response.content)
    return not (is_too_long and "positive" in failure.operation.lower())


def rules_of_every_answer(context: Any, response: Any, case: Any) -> None:
    """The one error shape, strict JSON, no echo, a request id; and openapi-core's opinion.

    Events are no JSON: streams have tests of their own.
    """
    if response.headers.get("content-type", [""])[0].startswith("text/event-stream"):
        return
    fields = tuple((name, value) for name, values in response.headers.items() for value in values)
    body = response.request.body or b""
    body = body if isinstance(body, bytes) else str(body).encode()
    line = f"{response.request.method} {response.request.path_url} HTTP/1.1\r\n\r\n"
    judge = _judge(case.operation.schema)
    judge.check(line.encode() + body, Reply(response.status_code, fields, response.content))


def id_is_echoed(context: Any, response: Any, case: Any) -> None:
    is_json = response.headers.get("content-type", [""])[0] == "application/json"
    if response.status_code != 200 or case.method != "POST" or not is_json:
        return
    answer = strict_json(response.content)
    sent = strict_json(response.request.body).get("id")
    if "id" in answer:  # operations on texts have none
        assert answer["id"] == sent if sent else answer["id"]  # to infer an empty one is none


def _judge(schema: Any) -> Judge:
    key = id(schema)
    if key not in _JUDGES:
        _JUDGES[key] = Judge(schema.raw_schema)
    return _JUDGES[key]


schemathesis.hook(before_load_schema)
schemathesis.hook(filter_failure)
schemathesis.check(rules_of_every_answer)
schemathesis.check(id_is_echoed)
