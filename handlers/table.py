"""Which function answers which operation of the document."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from engine import Engine
from handlers.generate import GenerateHandlers
from handlers.health import HealthHandlers
from handlers.metadata import MetadataHandlers
from handlers.metrics import MetricsHandlers, PlainText, RenderMetrics

Handler = Callable[..., Awaitable[dict[str, Any] | PlainText]]


def operations(
    engine: Engine,
    *,
    document_info: Mapping[str, Any],
    is_draining: Callable[[], bool],
    request_timeout: float | None,
    render_metrics: RenderMetrics,
) -> dict[str, Handler]:
    """Handlers by operationId, bound to the engine."""
    generate = GenerateHandlers(engine, request_timeout)
    health = HealthHandlers(engine, is_draining)
    metadata = MetadataHandlers(engine, document_info)
    return {
        "generate": generate.generate,
        "generate_version": generate.generate,
        "health_live": health.live,
        "health_ready": health.ready,
        "metrics": MetricsHandlers(engine, render_metrics).metrics,
        "server_metadata": metadata.server,
        "model_metadata": metadata.model,
        "model_version_metadata": metadata.model,
        "model_ready": health.model_ready,
        "model_version_ready": health.model_ready,
    }
