"""One raw request, and what has to come back."""

import re
from dataclasses import dataclass

from tests.wire import post

MODEL = "tiny"  # of tests/contract/conftest.py: 400 tokens in its vocabulary
GENERATE = f"/v2/models/{MODEL}/generate"
INFER = f"/v2/models/{MODEL}/infer"

FEW_TOKENS = '"max_new_tokens":2,'

Text = str | re.Pattern[str]


@dataclass(frozen=True, kw_only=True)
class Case:
    """``error`` is the exact text of the answer's `error`, or a pattern for all of it.

    ``ignored`` and ``capped`` are what X-Ignored-Fields and X-Capped-Fields say; None: absent.
    """

    name: str
    raw: bytes
    status: int
    error: Text | None = None
    ignored: str | None = None
    capped: str | None = None
    allow: str | None = None


def good(name: str, body: str | bytes, **told: str) -> Case:
    """A body that is answered 200; ``told`` is what the answer's headers tell about fields."""
    return Case(name=name, raw=post(GENERATE, _encoded(body)), status=200, **told)


def bad(name: str, body: str | bytes, error: Text) -> Case:
    """A body that is answered 422."""
    return Case(name=name, raw=post(GENERATE, _encoded(body)), status=422, error=error)


def good_parameter(fragment: str, **told: str) -> Case:
    """A member of `parameters`, as JSON text; asks for few tokens unless it is about that."""
    few = "" if "_tokens" in fragment else FEW_TOKENS
    return good(f"parameters {fragment}", _with_parameters(few + fragment), **told)


def bad_parameter(fragment: str, error: Text) -> Case:
    return bad(f"parameters {fragment[:60]}", _with_parameters(fragment), error)


def good_member(fragment: str, **told: str) -> Case:
    """A member of the body beside its text, as JSON text; asks for few tokens likewise."""
    few = "" if "_tokens" in fragment else FEW_TOKENS
    return good(f"body {fragment}", _with_members(few + fragment), **told)


def bad_member(fragment: str, error: Text) -> Case:
    return bad(f"body {fragment[:60]}", _with_members(fragment), error)


def _with_members(fragment: str) -> str:
    return f'{{"text_input":"My name is",{fragment}}}'


def _with_parameters(fragment: str) -> str:
    return _with_members(f'"parameters":{{{fragment}}}')


def _encoded(body: str | bytes) -> bytes:
    return body if isinstance(body, bytes) else body.encode("utf-8")
