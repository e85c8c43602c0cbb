"""A request body, from bytes to the complete values that handlers index without a fallback."""

from dataclasses import dataclass
from typing import Any

from app.completion import complete_body, without_nulls
from app.document import Document, resolve
from app.fields import compile_fields
from app.strict_json import StrictJSONError, parse_strict_json
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
    """The JSON body of one operation, compiled once from a folded document."""

    def __init__(self, document: Document, operation_id: str) -> None:
        schema = _body_schema(document, operation_id)
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
            raise InvalidBodyError(problem)
        assert isinstance(body, dict)  # the schema says so
        payload, ignored, capped = complete_body(body, self._fields)
        return Completed(payload, tuple(ignored), tuple(capped))


def _body_schema(document: Document, operation_id: str) -> dict[str, Any]:
    for path in document["paths"].values():
        for operation in path.values():
            if isinstance(operation, dict) and operation.get("operationId") == operation_id:
                body = resolve(document, operation["requestBody"])
                schema: dict[str, Any] = body["content"]["application/json"]["schema"]
                return schema
    raise ValueError(f"no operation {operation_id} in the document")
