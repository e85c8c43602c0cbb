"""Bodies of generate requests, completed for the usual deployment."""

import json
from typing import Any

import pytest

from app.body import BodySchema, Completed, InvalidBodyError
from tests.documents import documents, request_fields

DOCUMENTS = documents()
SCHEMAS = {name: BodySchema(document, "generate") for name, document in DOCUMENTS.items()}
FIELDS = dict(request_fields(DOCUMENTS["usual"]))


def complete(body: object, deployment: str = "usual") -> Completed:
    return SCHEMAS[deployment].complete(json.dumps(body).encode())


def parameters(**given: Any) -> dict[str, Any]:
    """A body with these parameters and a text."""
    return {"text_input": "a", "parameters": given}


def refusal(body: object) -> str:
    with pytest.raises(InvalidBodyError) as caught:
        complete(body)
    return str(caught.value)


def short(value: object) -> str:
    return str(value)[:24]
