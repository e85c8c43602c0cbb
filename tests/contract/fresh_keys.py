"""A hook for schemathesis: no request uses the Idempotency-Key of another one."""

import re
from typing import Any
from uuid import uuid4

import schemathesis

_HEADER = "Idempotency-Key"
_VALID = re.compile(r"[!-~]{1,255}")


def before_call(context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    """Which keys were used before, no document can say. What is not valid stays as it is."""
    sent = (case.headers or {}).get(_HEADER)
    if isinstance(sent, str) and _VALID.fullmatch(sent):
        case.headers[_HEADER] = uuid4().hex


schemathesis.hook(before_call)
