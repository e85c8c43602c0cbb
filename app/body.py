"""A request body, from bytes to the complete values that handlers index without a fallback."""

from dataclasses import dataclass
from typing import Any

from app.completion import complete_body, without_nulls
from app.document import Document, resolve
from app.fields import compile_fields
from app.strict_json import StrictJSONError, parse_strict_json
from app.unread import unread
from app.validation import SchemaValidator


class InvalidBodyError(ValueError):
    """The body is not strict JSON or breaks its schema; the message is fit for the client."""


@dataclass(frozen=True, slots=True)
class Completed:
    """A valid body under its canonical names, every default filled.

    ``ignored`` and ``capped`` hold the dotted names, as the client wrote them, of what had no
    effect and of what was lowered to a limit.
    """

    payload: dict[str, Any]
    ignored: tuple[str, ...]
    capped: tuple[str, ...]


class BodySchema:
    """The JSON body of one operation, compiled once from a folded document.

    ``media_types`` are those that it may have beside the ones that all bodies may have.
    """

    def __init__(self, document: Document, operation_id: str) -> None:
        body = _request_body(document, operation_id)
        schema = body["content"]["application/json"]["schema"]
        self.media_types = frozenset(body.get("x-also-json", ()))
        self._validator = SchemaValidator(document, schema)
        self._fields = compile_fields(document, schema)

    def complete(self, raw: bytes) -> Completed:
        """Parse, validate and complete a body. Raises InvalidBodyError."""
        try:
            body = without_nulls(parse_strict_json(raw), self._fields)
        except StrictJSONError as error:
            raise InvalidBodyError(str(error)) from None
        problem = self._validator.problem(body)
        if problem is not None:
            raise InvalidBodyError(unread(body, self._fields) or problem)
        assert isinstance(body, dict)  # the schema says so
        payload, ignored, capped = complete_body(body, self._fields)
        return Completed(payload, tuple(ignored), tuple(capped))


def body_schema(document: Document, operation_id: str) -> dict[str, Any]:
    """Of the JSON body of an operation."""
    schema: dict[str, Any] = _request_body(document, operation_id)["content"]["application/json"][
        "schema"
    ]
    return schema


def _request_body(document: Document, operation_id: str) -> dict[str, Any]:
    for path in document["paths"].values():
        for operation in path.values():
            if isinstance(operation, dict) and operation.get("operationId") == operation_id:
                return resolve(document, operation["requestBody"])
    raise ValueError(f"no operation {operation_id} in the document")
