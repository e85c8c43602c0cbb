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
        self.find = cache(self._find)

    def _find(self, name: str) -> Page | None:
        media_type = MEDIA_TYPES.get(name[name.rfind(".") :])
        if media_type is None or name not in self._files:
            return None
        return Page(self._files[name].read_bytes(), media_type)
