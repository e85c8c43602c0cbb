"""Names of request fields as header values: ``X-Ignored-Fields`` and ``X-Capped-Fields``."""

from collections.abc import Sequence
from urllib.parse import quote

MAX_NAMES = 20
MAX_NAME_LENGTH = 64


def field_names_header(names: Sequence[str]) -> bytes:
    """The first names, percent-encoded, each cut between characters to the longest allowed.

    The empty name shows as two quotation marks.
    """
    return ", ".join(_encoded(name or '""') for name in names[:MAX_NAMES]).encode("ascii")


def _encoded(name: str) -> str:
    encoded = ""
    for character in name[:MAX_NAME_LENGTH]:
        # A decoded query string can hold a lone surrogate, which UTF-8 cannot.
        piece = quote(character, safe=".", errors="replace")
        if len(encoded) + len(piece) > MAX_NAME_LENGTH:
            break
        encoded += piece
    return encoded
