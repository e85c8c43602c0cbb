"""A model in this process, for one command."""

import json
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from contextlib import aclosing, asynccontextmanager, contextmanager
from typing import Any, cast

from rich.console import Console

from app.body import BodySchema
from app.deployment import folded_document
from app.settings import Settings
from engine import Chunk, Engine, GenerationRequest
from handlers.request import to_request

OPERATION = "generate"  # whose bodies are what the commands ask for


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show on a terminal, and only there, that something takes its time."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    with console.status(f"{what} ...", refresh_per_second=4):
        yield


@asynccontextmanager
async def loaded(engine: Engine) -> AsyncIterator[None]:
    """The engine, started, and stopped at the end. Raises ModelLoadError."""
    # Not stopped where this is interrupted: that would wait until all is loaded.
    with working(f"Loading {engine.models()[0].name}"):
        await engine.start()
    try:
        yield
    finally:
        await engine.stop()


class Requests:
    """Makes requests as a server would: the document checks them and fills in what is absent."""

    def __init__(self, settings: Settings, engine: Engine) -> None:
        self._model = engine.models()[0].name
        self._schema = BodySchema(folded_document(settings, engine.models()), OPERATION)

    def make(self, body: Mapping[str, Any]) -> GenerationRequest:
        """Raises InvalidBodyError, naming the field."""
        completed = self._schema.complete(json.dumps(body).encode())
        return to_request(completed.payload, completed.payload["text_input"], self._model)


async def chunks_of(engine: Engine, request: GenerationRequest) -> AsyncIterator[Chunk]:
    """The chunks of one generation, which ends when nobody takes them any more."""
    stream = cast(AsyncGenerator[list[Chunk], None], engine.stream(request))
    async with aclosing(stream) as steps:
        async for chunks in steps:
            for chunk in chunks:
                yield chunk
