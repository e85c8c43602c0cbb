"""How each example of an error in the document is brought about, by its response and name."""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from engine import EngineOverloadedError, GenerationError
from handlers import operations as real_operations
from tests.fake_engine import FakeEngine, chunks
from tests.keys import add_key
from tests.live_server import LiveServer, serving, wait_until
from tests.mocks import mock
from tests.wire import Connection, head, post

KEY, LIMIT = "a-key-of-this-test", 5
MANY = 40  # connections; as many more are told that they are too many


@dataclass(frozen=True)
class Target:
    """One operation, and a request that would be answered well."""

    operation_id: str
    method: str
    path: str
    body: dict[str, Any] | None

    def request(self, *lines: str) -> bytes:
        start = f"{self.method} {self.path}"
        if self.body is None:
            return head(start, *lines)
        return post(self.path, json.dumps(self.body).encode(), *lines)

    def with_member(self, name: str, value: object) -> bytes:
        assert self.body is not None
        return post(self.path, json.dumps({**self.body, name: value}).encode())


Asking = Callable[[Target], bytes]
Server = Callable[[Path], Any]  # a context of a LiveServer; the folder is for its files


@contextmanager
def ready(engine: FakeEngine | None = None, **settings: Any) -> Iterator[LiveServer]:
    with serving(engine, **settings) as live:
        wait_until(lambda: live.engine.is_ready)
        yield live


def usual(_folder: Path) -> Any:
    return ready(header_timeout=0.3)


def failing(failure: Exception) -> Server:
    return lambda _folder: ready(FakeEngine(script=[], failure=failure))


class SlowEngine(FakeEngine):
    """Never done."""

    async def tokenize(self, *_: Any, **__: Any) -> Any:
        await asyncio.Event().wait()

    detokenize = detect_watermark = tokenize


def slow(_folder: Path) -> Any:
    engine = SlowEngine(script=chunks("a", "b"), seconds_per_chunk=60)
    return ready(engine, request_timeout=0.2)


def loading(_folder: Path) -> Any:
    engine: Any = mock({"load_seconds": 600.0}, model_name="fake")
    return serving(engine)


@contextmanager
def draining(_folder: Path) -> Iterator[LiveServer]:
    with ready() as live:
        live.lifecycle.begin_draining()
        yield live


@contextmanager
def dead(_folder: Path) -> Iterator[LiveServer]:
    """Its engine has died, and the end of the process is held up."""
    with ready() as live:
        live.lifecycle.on_failure = lambda: None
        live.engine.die()
        wait_until(live.lifecycle.has_failed)
        yield live


@contextmanager
def full(_folder: Path) -> Iterator[LiveServer]:
    with ready(max_connections=MANY) as live, ExitStack() as held:
        for _ in range(MANY):
            connection = held.enter_context(Connection(live.port))
            connection.send(head("GET /v2"))  # answered, and kept open
            connection.read()
        yield live


@contextmanager
def broken(_folder: Path) -> Iterator[LiveServer]:
    """Every handler fails in a way that nobody has foreseen."""

    async def fail(**_: Any) -> Any:
        raise RuntimeError("a fault")

    def operations(*words: Any, **named: Any) -> Mapping[str, Any]:
        return dict.fromkeys(real_operations(*words, **named), fail)

    with patch("app.server.operations", operations), ready() as live:
        yield live


@contextmanager
def keyed(folder: Path) -> Iterator[LiveServer]:
    """The one key has used up its minute."""
    keys = folder / "keys.json"
    line = add_key(keys, "one", KEY, requests_per_minute=LIMIT).strip()
    with ready(api_keys_file=keys) as live:
        for _ in range(LIMIT):
            live.exchange(post("/v2/models/fake/tokenize", b'{"text_input":"a"}', line))
        yield live


@dataclass(frozen=True)
class Provocation:
    """``asking`` makes the bytes that a server of this kind refuses so."""

    asking: Asking = Target.request
    server: Server = field(default=usual)


def elsewhere(target: Target) -> bytes:
    path = target.path.replace("/models/fake", "/models/nope")
    return Target(target.operation_id, target.method, path, target.body).request()


PROVOCATIONS: dict[tuple[str, str], Provocation] = {
    ("BadRequest", "example"): Provocation(lambda it: it.request("no header")),
    ("Unauthorized", "example"): Provocation(server=keyed),
    ("Forbidden", "example"): Provocation(lambda it: it.request("Origin: https://evil.example")),
    ("NotFound", "model"): Provocation(elsewhere),
    ("NotRunning", "model"): Provocation(elsewhere),
    ("NotRunning", "not_running"): Provocation(),
    ("MethodNotAllowed", "example"): Provocation(lambda it: head(f"PUT {it.path}")),
    ("RequestTimeout", "answer"): Provocation(server=slow),
    ("RequestTimeout", "arrival"): Provocation(lambda it: it.request()[:20]),
    ("ArrivalTimeout", "arrival"): Provocation(lambda it: it.request()[:20]),
    ("PayloadTooLarge", "example"): Provocation(
        lambda it: head(f"POST {it.path}", "Content-Length: 300000000")
    ),
    ("UnsupportedMediaType", "example"): Provocation(
        lambda it: it.request("Content-Type: text/plain")
    ),
    ("InputValidationError", "no_body"): Provocation(lambda it: post(it.path, b"")),
    ("ParameterValidationError", "no_body"): Provocation(lambda it: post(it.path, b"")),
    ("ParameterValidationError", "broken_bound"): Provocation(
        lambda it: it.with_member("parameters", {"top_p": 1.5})
    ),
    ("GenerationError", "example"): Provocation(
        server=failing(GenerationError("the model failed to compute the next token"))
    ),
    ("Overloaded", "example"): Provocation(
        server=failing(
            EngineOverloadedError("the queue is full: 9 requests are running or waiting", 7)
        )
    ),
    ("KeyOverloaded", "example"): Provocation(
        lambda it: it.request(f"Authorization: Bearer {KEY}"), keyed
    ),
    ("HeadersTooLarge", "example"): Provocation(lambda it: it.request(f"X: {'x' * 70_000}")),
    ("InternalError", "example"): Provocation(server=broken),
    ("ServiceUnavailable", "not_ready"): Provocation(server=loading),
    ("ServiceUnavailable", "shutting_down"): Provocation(server=draining),
    ("ServiceUnavailable", "too_many_connections"): Provocation(server=full),
    ("ShuttingDown", "shutting_down"): Provocation(server=draining),
    ("ShuttingDown", "too_many_connections"): Provocation(server=full),
    ("EngineFailed", "engine_failed"): Provocation(server=dead),
    ("EngineFailed", "too_many_connections"): Provocation(server=full),
    ("TooManyConnections", "too_many_connections"): Provocation(server=full),
}
