"""Each example of an error is what a server says, on every operation that declares it."""

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from app.document import fold, load_document, resolve
from app.errors import ERROR_TYPES
from tests.contract.provocations import PROVOCATIONS, Target
from tests.documents import example_body, operations

DOCUMENT = fold(
    load_document(),
    {"max_iter_times": 512, "max_token_id": 999, "model_name": "fake", "model_version": "1"},
)
RESPONSES = DOCUMENT["components"]["responses"]
_NUMBER = re.compile(r"\d+(\.\d+)?")  # those in a message are a deployment's


def declared() -> Iterator[tuple[str, int, str]]:
    """Operation, status and response of each error that is declared."""
    for _, _, operation in operations(DOCUMENT):
        for status, response in operation["responses"].items():
            if status != "200":
                name = response["$ref"].rpartition("/")[2]
                yield operation["operationId"], int(status), name


def examples(response: str) -> dict[str, Any]:
    content = RESPONSES[response]["content"]["application/json"]
    if "example" in content:
        return {"example": content["example"]}
    return {name: resolve(DOCUMENT, it)["value"] for name, it in content["examples"].items()}


DECLARED = list(declared())
EXAMPLES = {
    (response, name): value
    for response in dict.fromkeys(response for _, _, response in DECLARED)
    for name, value in examples(response).items()
}
TARGETS = {
    operation["operationId"]: Target(
        operation["operationId"],
        method.upper(),
        path.format(model_name="fake", model_version="1"),
        example_body(DOCUMENT, operation),
    )
    for path, method, operation in operations(DOCUMENT)
}


def test_every_example_has_a_provocation_and_no_other_has() -> None:
    assert PROVOCATIONS.keys() == EXAMPLES.keys()


@pytest.mark.parametrize(("response", "name"), EXAMPLES, ids=lambda part: part)
def test_a_server_says_just_that_of_every_operation_that_declares_it(
    response: str, name: str, tmp_path: Path
) -> None:
    provocation = PROVOCATIONS[response, name]
    asked = [(operation, status) for operation, status, it in DECLARED if it == response]

    requests = [provocation.asking(TARGETS[operation]) for operation, _ in asked]
    with provocation.server(tmp_path) as live, ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(live.exchange, requests))

    for (operation, status), reply in zip(asked, replies, strict=True):
        told = reply.json()
        assert (operation, reply.status) == (operation, status), told
        assert told["error_type"] == ERROR_TYPES[status]
        assert _plain(told) == _plain(EXAMPLES[response, name]), operation


def _plain(error: dict[str, Any]) -> str:
    return _NUMBER.sub("N", json.dumps(error))
