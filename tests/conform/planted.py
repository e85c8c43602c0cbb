"""A server that keeps the contract but for one planted fault."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send


@dataclass
class Exchange:
    """One answer, which a fault changes in place. ``sent`` is the request's body."""

    path: str
    sent: bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    def change(self, **members: Any) -> None:
        """Members of the answer's JSON object; None: left out."""
        content = {**json.loads(self.body), **members}
        self.body = json.dumps({k: v for k, v in content.items() if v is not ...}).encode()


Fault = Callable[[Exchange], None]
Request = Callable[[bytes], bytes]


class Planted:
    """``fault`` sees every answer, ``request`` every request's body before the server does."""

    fault: Fault | None = None
    request: Request = staticmethod(lambda body: body)
    keys: set[str]

    def __init__(self) -> None:
        self.keys = set()

    def clear(self) -> None:
        self.fault, self.request = None, lambda body: body

    def wrap(self, app: ASGIApp) -> ASGIApp:
        async def planted(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                await app(scope, receive, send)
                return
            self.keys |= {v.decode() for n, v in scope["headers"] if n == b"authorization"}
            body = await _whole(receive)
            exchange = Exchange(scope["path"], body)
            changed = self.request(body)
            scope["headers"] = [h for h in scope["headers"] if h[0] != b"content-length"]
            await app(scope, _again(changed, receive), _kept(exchange))
            if self.fault is not None:
                self.fault(exchange)
            await _answer(exchange, send)

        return planted


async def _whole(receive: Receive) -> bytes:
    parts, more = b"", True
    while more:
        message = await receive()
        parts += message.get("body", b"")
        more = message.get("more_body", False)
    return parts


def _again(body: bytes, receive: Receive) -> Receive:
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def give() -> Message:
        return messages.pop() if messages else await receive()

    return give


def _kept(exchange: Exchange) -> Send:
    async def keep(message: Message) -> None:
        if message["type"] == "http.response.start":
            exchange.status = message["status"]
            pairs = message["headers"]
            exchange.headers = {n.decode().lower(): v.decode("latin-1") for n, v in pairs}
        else:
            exchange.body += message.get("body", b"")

    return keep


async def _answer(exchange: Exchange, send: Send) -> None:
    headers = {**exchange.headers, "content-length": str(len(exchange.body))}
    pairs = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": exchange.status, "headers": pairs})
    await send({"type": "http.response.body", "body": exchange.body})
