"""Names of request fields as header values: ``X-Ignored-Fields`` and ``X-Capped-Fields``."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self
from urllib.parse import quote

from app.document import Document


@dataclass(frozen=True, slots=True)
class FieldNames:
    """Writes the first names, percent-encoded, each cut between characters to the longest allowed.

    The empty name shows as two quotation marks.
    """

    max_names: int
    max_name_length: int

    @classmethod
    def of(cls, document: Document) -> Self:
        """With the bounds of the document, which are the same in both headers."""
        schema = document["components"]["headers"]["XIgnoredFields"]["schema"]
        return cls(schema["x-max-names"], schema["x-max-name-length"])

    def header(self, names: Sequence[str]) -> bytes:
        return ", ".join(self._encoded(name or '""') for name in names[: self.max_names]).encode()

    def _encoded(self, name: str) -> str:
        encoded = ""
        for character in name[: self.max_name_length]:
            # A decoded query string can hold a lone surrogate, which UTF-8 cannot.
            piece = quote(character, safe=".", errors="replace")
            if len(encoded) + len(piece) > self.max_name_length:
                break
            encoded += piece
        return encoded
