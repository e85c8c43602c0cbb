"""Pages of other sites: refused, unless their origin is listed.

A browser sends what HTML forms can send without asking first, and we read such bodies as JSON,
so the origin has to be checked on every request and not only in preflights.
"""

from collections.abc import Collection

from starlette.types import ASGIApp, Receive, Scope, Send

from app.errors import HttpError

_DEFAULT_PORTS = {"http": ":80", "https": ":443"}


class CrossSiteMiddleware:
    """Raises HttpError (403) for a cross-site request of an origin that is not listed."""

    def __init__(self, app: ASGIApp, allowed_origins: Collection[str]) -> None:
        self._app = app
        self._allows_all = "*" in allowed_origins
        self._allowed_origins = frozenset(origin.lower() for origin in allowed_origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._allows_all:
            self._check(scope)
        await self._app(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        origins, hosts, is_cross_site = [], [], False
        for name, value in scope["headers"]:
            if name == b"origin":
                origins.append(value.decode("latin-1").lower())
            elif name == b"host":
                hosts.append(value.decode("latin-1").lower())
            elif name == b"sec-fetch-site":
                is_cross_site = is_cross_site or value.strip().lower() == b"cross-site"
        if not origins and not is_cross_site:
            return
        own = {_without_default_port(scope["scheme"], f"{scope['scheme']}://{h}") for h in hosts}
        if not origins or not all(self._is_allowed(scope, origin, own) for origin in origins):
            raise HttpError(403, "requests from pages of this origin are not allowed")

    def _is_allowed(self, scope: Scope, origin: str, own: set[str]) -> bool:
        return (
            origin in self._allowed_origins or _without_default_port(scope["scheme"], origin) in own
        )


def _without_default_port(scheme: str, origin: str) -> str:
    return origin.removesuffix(_DEFAULT_PORTS.get(scheme, ""))
