"""The document as served, and the pages made from it, without a request to any other host."""

import json
from collections.abc import Mapping
from typing import Any

import yaml
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from app.assets import Assets, Page
from app.errors import ROUTING_MESSAGES, HttpError

# libyaml's dumper where PyYAML has it: several times faster.
_Dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)

_PLAYGROUND = Assets("app.playground")
_SWAGGER_UI = Assets("app.swagger_ui")
_FOLDERS = {"/playground": _PLAYGROUND, "/ui": _SWAGGER_UI}
# A page may load and call nothing but this server, and stand in no other page; Swagger UI writes
# styles into its elements.
_POLICY = (
    "default-src 'self'; style-src 'self'{styles}; img-src 'self' data:; object-src 'none';"
    " base-uri 'self'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY.format(styles=""),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_SWAGGER_UI_HEADERS = {
    **_HEADERS,
    "Content-Security-Policy": _POLICY.format(styles=" 'unsafe-inline'"),
}


class DocsMiddleware:
    """Serves the document, ``/`` and ``/ui/`` with what they load; everything else goes on."""

    def __init__(self, app: ASGIApp, document: dict[str, Any]) -> None:
        self._app = app
        self._pages = _pages(document)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        page = self._find(scope["path"]) if scope["type"] == "http" else None
        if page is None:
            await self._app(scope, receive, send)
            return
        if scope["method"] not in ("GET", "HEAD"):
            raise HttpError(405, ROUTING_MESSAGES[405], {"Allow": "GET, HEAD"})
        is_swagger_ui = scope["path"].startswith("/ui")
        headers = _SWAGGER_UI_HEADERS if is_swagger_ui else _HEADERS
        response = _answer(page, scope, headers)
        await response(scope, receive, send)

    def _find(self, path: str) -> Page | None:
        if path in self._pages:
            return self._pages[path]
        folder, _, name = path.rpartition("/")
        return _FOLDERS[folder].find(name) if folder in _FOLDERS else None


def _answer(page: Page, scope: Scope, headers: Mapping[str, str]) -> Response:
    """The page, or that the browser has it already: it asks each time, since a page is as new as
    the server."""
    headers = {**headers, "ETag": page.tag, "Cache-Control": "no-cache"}
    if _has(page, Headers(scope=scope).getlist("if-none-match")):
        return Response(status_code=304, headers=headers)
    return Response(page.content, media_type=page.media_type, headers=headers)


def _has(page: Page, known: list[str]) -> bool:
    """Whether one of these lists of ETags names the page, or all there may be."""
    tags = {tag.strip().removeprefix("W/") for line in known for tag in line.split(",")}
    return not tags.isdisjoint({page.tag, "*"})


def to_yaml(document: dict[str, Any]) -> str:
    """The document as YAML, in its own order, references and characters kept."""
    text: str = yaml.dump(document, sort_keys=False, allow_unicode=True, width=100, Dumper=_Dumper)
    return text


def to_json(document: dict[str, Any]) -> str:
    """The document as indented JSON."""
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _pages(document: dict[str, Any]) -> dict[str, Page]:
    return {
        "/openapi.json": Page(to_json(document).encode(), "application/json"),
        "/openapi.yaml": Page(to_yaml(document).encode(), "application/yaml"),
        "/": _index(_PLAYGROUND, "./"),
        "/ui": _index(_SWAGGER_UI, "ui/"),
        "/ui/": _index(_SWAGGER_UI, "./"),
    }


def _index(assets: Assets, base: str) -> Page:
    """The page itself, with what its links are relative to."""
    page = assets.index()
    return Page(page.content.replace(b"{base}", base.encode()), page.media_type)
