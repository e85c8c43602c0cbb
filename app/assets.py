"""Static files of a package that the server sends to browsers."""

import hashlib
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

MEDIA_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
}
INDEX = "index.html"


@dataclass(frozen=True)
class Page:
    """What is served at one path."""

    content: bytes
    media_type: str

    @cached_property
    def tag(self) -> str:
        """Of the content, for an ETag."""
        return f'"{hashlib.sha256(self.content).hexdigest()[:32]}"'


class Assets:
    """Files of the kinds that browsers load, by name; each is read once, when first asked for.

    The index is none of them: it is made into a page first.
    """

    def __init__(self, package: str) -> None:
        self._files = {entry.name: entry for entry in files(package).iterdir() if entry.is_file()}
        self._read = cache(self._page)  # of names that are files: those of clients have no end

    def find(self, name: str) -> Page | None:
        has_type = name[name.rfind(".") :] in MEDIA_TYPES
        is_served = name in self._files and has_type and name != INDEX
        return self._read(name) if is_served else None

    def index(self) -> Page:
        return self._read(INDEX)

    def _page(self, name: str) -> Page:
        return Page(self._files[name].read_bytes(), MEDIA_TYPES[name[name.rfind(".") :]])
