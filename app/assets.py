"""Static files of a package that the server sends to browsers."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

MEDIA_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
}


@dataclass(frozen=True, slots=True)
class Page:
    """What is served at one path."""

    content: bytes
    media_type: str


class Assets:
    """Files of the kinds that browsers load, by name; each is read once, when first asked for."""

    def __init__(self, package: str) -> None:
        self._files = {entry.name: entry for entry in files(package).iterdir() if entry.is_file()}
        self._read = cache(self._page)  # of names that are files: those of clients have no end

    def find(self, name: str) -> Page | None:
        is_served = name in self._files and name[name.rfind(".") :] in MEDIA_TYPES
        return self._read(name) if is_served else None

    def _page(self, name: str) -> Page:
        return Page(self._files[name].read_bytes(), MEDIA_TYPES[name[name.rfind(".") :]])
