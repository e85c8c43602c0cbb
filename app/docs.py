"""The document as served, and Swagger UI for it without a request to any other host."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

import yaml
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from swagger_ui_bundle import swagger_ui_path

from app.errors import ROUTING_MESSAGES, HttpError

# libyaml's dumper where PyYAML has it: several times faster.
_Dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<base href="{base}">
<title>{title}</title>
<link rel="icon" type="image/png" href="favicon-32x32.png">
<link rel="stylesheet" href="swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="swagger-ui-bundle.js"></script>
<script src="start.js"></script>
</body>
</html>
"""
_START = """SwaggerUIBundle({url: "../openapi.json", dom_id: "#swagger-ui", deepLinking: true});
"""
_ASSETS = {
    "swagger-ui.css": "text/css",
    "swagger-ui-bundle.js": "text/javascript",
    "favicon-32x32.png": "image/png",
}
# The page may load and call nothing but this server, and stand in no other page; Swagger UI writes
# styles into its elements.
_POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none';"
    " base-uri 'self'; form-action 'none'; frame-ancestors 'none'"
)
_NO_ROOT = f"{ROUTING_MESSAGES[404]}; for people there is /ui/, for programs /openapi.json"
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}


@dataclass(frozen=True, slots=True)
class Page:
    """What is served at one path."""

    content: bytes
    media_type: str


class DocsMiddleware:
    """Serves ``/openapi.json``, ``/openapi.yaml`` and ``/ui/``; everything else goes on."""

    def __init__(self, app: ASGIApp, document: dict[str, Any]) -> None:
        self._app = app
        self._pages = _pages(document)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] == "/":
            raise HttpError(404, _NO_ROOT)
        page = self._find(scope["path"]) if scope["type"] == "http" else None
        if page is None:
            await self._app(scope, receive, send)
            return
        if scope["method"] not in ("GET", "HEAD"):
            raise HttpError(405, ROUTING_MESSAGES[405], {"Allow": "GET, HEAD"})
        response = Response(page.content, media_type=page.media_type, headers=_HEADERS)
        await response(scope, receive, send)

    def _find(self, path: str) -> Page | None:
        if path in self._pages:
            return self._pages[path]
        folder, _, name = path.rpartition("/")
        return _asset(name) if folder == "/ui" and name in _ASSETS else None


def to_yaml(document: dict[str, Any]) -> str:
    """The document as YAML, in its own order, references and characters kept."""
    text: str = yaml.dump(document, sort_keys=False, allow_unicode=True, width=100, Dumper=_Dumper)
    return text


def to_json(document: dict[str, Any]) -> str:
    """The document as indented JSON."""
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _pages(document: dict[str, Any]) -> dict[str, Page]:
    title = document["info"]["title"]
    return {
        "/openapi.json": Page(to_json(document).encode(), "application/json"),
        "/openapi.yaml": Page(to_yaml(document).encode(), "application/yaml"),
        "/ui": Page(_PAGE.format(base="ui/", title=title).encode(), "text/html"),
        "/ui/": Page(_PAGE.format(base="./", title=title).encode(), "text/html"),
        "/ui/start.js": Page(_START.encode(), "text/javascript"),
    }


@cache
def _asset(name: str) -> Page:
    """Read once, when first asked for."""
    return Page((swagger_ui_path / name).read_bytes(), _ASSETS[name])
