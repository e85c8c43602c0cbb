"""Headers that inner layers want on the answer, whichever layer gives it."""

from collections.abc import Mapping

from starlette.types import Scope

_EXTENSION = "genspec.answer_headers"  # of the scope


def add_headers(scope: Scope, headers: Mapping[str, str]) -> None:
    """Put these on the answer to this request, be it an error."""
    added = scope["extensions"].setdefault(_EXTENSION, [])
    added += [(name.lower().encode(), value.encode()) for name, value in headers.items()]


def added_headers(scope: Scope) -> list[tuple[bytes, bytes]]:
    """What the inner layers have put on the answer so far."""
    added: list[tuple[bytes, bytes]] = scope["extensions"].get(_EXTENSION, [])
    return added
