"""``genspec generate``: one text, printed while it comes."""

import json
import sys
from collections.abc import Mapping
from time import monotonic
from typing import Any

from app.console.session import Requests, chunks_of, loaded
from app.settings import Settings
from engine import Engine, GenerationRequest


async def generate(settings: Settings, engine: Engine, body: Mapping[str, Any]) -> None:
    """Print the continuation. Raises InvalidBodyError, EngineError, ModelLoadError."""
    request = Requests(settings, engine).make(body)
    async with loaded(engine):
        await _print(engine, request)


async def _print(engine: Engine, request: GenerationRequest) -> None:
    started_at = monotonic()
    texts, tokens, end = [], [], None
    async for chunk in chunks_of(engine, request):
        sys.stdout.write(chunk.text)
        sys.stdout.flush()
        texts.append(chunk.text)
        tokens += [chunk.token] if chunk.token is not None else []
        end = chunk.finish_reason
    if not "".join(texts).endswith("\n"):
        sys.stdout.write("\n")
        sys.stdout.flush()
    if sys.stderr.isatty() and tokens:
        seconds = monotonic() - started_at
        print(
            f"[{len(tokens)} tokens in {seconds:.1f} s, {len(tokens) / seconds:.1f} tokens/s,"
            f" first after {tokens[0].elapsed_ms / 1000:.2f} s, ended by {end}]",
            file=sys.stderr,
        )


def to_body(text: str, fields: Mapping[str, str]) -> dict[str, Any]:
    """A request's body from the words of a command line; the document says which are numbers."""
    return {"text_input": text} | {name: _value(name, word) for name, word in fields.items()}


def _value(name: str, word: str) -> Any:
    """A stop string may look like a number; all other fields here are numbers."""
    if name == "stop":
        return word
    try:
        return json.loads(word)
    except ValueError:
        return word  # which the document refuses with a word on the right type
