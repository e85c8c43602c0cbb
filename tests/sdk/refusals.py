"""Servers that refuse in each way that a client can bring about."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from engine import EngineOverloadedError, EngineUnavailableError, GenerationError
from tests.fake_engine import FakeEngine, chunks
from tests.keys import add_key
from tests.live_server import serving, wait_until

KEY = "a-key-of-this-test"
FAILURES: dict[int, Exception] = {
    424: GenerationError("the logits are not finite"),
    429: EngineOverloadedError("the queue is full", 7),
    500: RuntimeError("a fault"),
    503: EngineUnavailableError("the engine is not running"),
}


@contextmanager
def refusing_servers(folder: Path) -> Iterator[dict[int, str]]:
    """The address of a server for each status."""
    keys = folder / "keys.json"
    add_key(keys, "one", KEY)
    with ExitStack() as stack:
        live = {
            status: stack.enter_context(serving(FakeEngine(script=[], failure=failure)))
            for status, failure in FAILURES.items()
        }
        live[401] = stack.enter_context(serving(api_keys_file=keys))
        for server in live.values():
            wait_until(lambda engine=server.engine: engine.is_ready)
        yield {status: f"http://127.0.0.1:{server.port}" for status, server in live.items()}


@contextmanager
def failing_later() -> Iterator[str]:
    """The address of a server that fails after two events."""
    engine = FakeEngine(script=chunks("Hel", "lo")[:1] * 2, failure=FAILURES[424])
    with serving(engine) as live:
        wait_until(lambda: engine.is_ready)
        yield f"http://127.0.0.1:{live.port}"
