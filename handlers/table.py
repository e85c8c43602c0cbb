"""Which function answers which operation of the document."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from engine import Engine
from handlers.events import EventStream
from handlers.generate import GenerateHandlers
from handlers.generations import Generations
from handlers.health import HealthHandlers
from handlers.metadata import MetadataHandlers
from handlers.running import RunningRequests

Handler = Callable[..., Awaitable[dict[str, Any] | EventStream]]


def operations(
    engine: Engine,
    *,
    document_info: Mapping[str, Any],
    is_draining: Callable[[], bool],
    request_timeout: float,
) -> dict[str, Handler]:
    """Handlers by operationId, bound to the engine."""
    running = RunningRequests()
    generations = Generations(engine, running, request_timeout)
    generate = GenerateHandlers(generations)
    health = HealthHandlers(engine, is_draining)
    metadata = MetadataHandlers(engine, document_info)
    return {
        "generate": generate.generate,
        "generate_version": generate.generate,
        "generate_stream": generate.generate_stream,
        "generate_stream_version": generate.generate_stream,
        "health_live": health.live,
        "health_ready": health.ready,
        "server_metadata": metadata.server,
        "model_metadata": metadata.model,
        "model_version_metadata": metadata.model,
        "model_ready": health.model_ready,
        "model_version_ready": health.model_ready,
    }
