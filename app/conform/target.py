"""The server that is looked at, over HTTP."""

import http.client
import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from app.settings import SettingsError

_JSON = {"Content-Type": "application/json"}


@dataclass(frozen=True, slots=True)
class Request:
    """``body`` is sent as it is where it is bytes, else as JSON."""

    method: str
    path: str
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=lambda: _JSON)

    @property
    def raw(self) -> bytes | None:
        if self.body is None or isinstance(self.body, bytes):
            return self.body
        return json.dumps(self.body, ensure_ascii=False).encode()

    def as_curl(self, url: str) -> str:
        """What shows the same to anybody."""
        words = ["curl", "-sN", "-i", "-X", self.method, url + self.path]
        if self.raw is not None:
            words += [word for name, value in self.headers.items() for word in _header(name, value)]
            words += ["--data-binary", self.raw.decode("utf-8", errors="backslashreplace")]
        return shlex.join(words)


def _header(name: str, value: str) -> tuple[str, str]:
    return "-H", f"{name}: {value}" if value else f"{name}:"


@dataclass(frozen=True, slots=True)
class Answer:
    """``is_cut``: the connection ended before the answer did."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    is_cut: bool

    def json(self) -> Any:
        """None where the body is none."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None


class Target:
    """``timeout`` is in seconds, of each answer. ``key`` is an API key, if the server wants one."""

    def __init__(self, url: str, key: str | None, timeout: float) -> None:
        """Raises SettingsError."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise SettingsError(f"url: {url} is no address like http://127.0.0.1:8000")
        self.url = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"
        self._prefix = parts.path.rstrip("/")
        is_tls = parts.scheme == "https"
        self._make = http.client.HTTPSConnection if is_tls else http.client.HTTPConnection
        self._address = parts.hostname, parts.port
        self._timeout = timeout
        self._key = key

    def ask(self, request: Request) -> Answer:
        """One request on a connection of its own. Raises OSError, http.client.HTTPException."""
        host, port = self._address
        connection = self._make(host, port, timeout=self._timeout)
        headers = {name: value for name, value in request.headers.items() if value}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        try:
            connection.request(request.method, self._prefix + request.path, request.raw, headers)
            reply = connection.getresponse()
            try:
                body, is_cut = reply.read(), False
            except http.client.IncompleteRead as exc:
                body, is_cut = exc.partial, True
            fields = {name.lower(): value for name, value in reply.getheaders()}
            return Answer(reply.status, fields, body, is_cut)
        finally:
            connection.close()
