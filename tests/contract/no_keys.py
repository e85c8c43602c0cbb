"""A hook for schemathesis: it sends no Idempotency-Key, since it cannot know which are used up."""

from typing import Any

import schemathesis

_REFERENCE = {"$ref": "#/components/parameters/IdempotencyKey"}


def before_load_schema(context: Any, raw_schema: dict[str, Any]) -> None:
    """The header has tests of its own."""
    for path_item in raw_schema["paths"].values():
        for operation in path_item.values():
            if isinstance(operation, dict) and _REFERENCE in operation.get("parameters", ()):
                operation["parameters"].remove(_REFERENCE)


schemathesis.hook(before_load_schema)
