"""The query of a request, from its bytes to the values of the parameters that are declared."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from app.document import Document, resolve
from app.errors import HttpError
from app.validation import SchemaValidator

_NOTHING_ELSE: Document = {"components": {}}  # such schemas refer to nothing
_BOOLEANS = {"true": True, "false": False, "1": True, "0": False}


@dataclass(frozen=True, slots=True)
class Query:
    """Complete values by name, and the names, as ``query.NAME``, of what is not declared."""

    values: Mapping[str, Any]
    ignored: tuple[str, ...]


class QuerySchema:
    """The query parameters of one operation. Only booleans are known so far."""

    def __init__(self, document: Document, operation: Mapping[str, Any]) -> None:
        declared = [resolve(document, each) for each in operation.get("parameters", ())]
        schemas = {each["name"]: each["schema"] for each in declared if each["in"] == "query"}
        if any(schema["type"] != "boolean" for schema in schemas.values()):
            raise ValueError("a query parameter must be a boolean")
        query = {"type": "object", "properties": schemas}
        self._validator = SchemaValidator(
            _NOTHING_ELSE, {"type": "object", "properties": {"query": query}}
        )
        self._defaults = {name: schema["default"] for name, schema in schemas.items()}

    def complete(self, raw: bytes) -> Query:
        """Raises HttpError (422)."""
        pairs = parse_qsl(raw.decode("latin-1"), keep_blank_values=True) if raw else []
        known = [(name, text) for name, text in pairs if name in self._defaults]
        given = {name: _BOOLEANS.get(text, text) for name, text in known}
        if len(given) < len(known):
            raise HttpError(422, "query: each parameter may be given once")
        problem = self._validator.problem({"query": given})
        if problem is not None:
            raise HttpError(422, problem)
        ignored = dict.fromkeys(f"query.{name}" for name, _ in pairs if name not in given)
        return Query({**self._defaults, **given}, tuple(ignored))
