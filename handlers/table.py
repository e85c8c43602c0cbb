"""Which function answers which operation of the document."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from engine import Engine
from handlers.capabilities import CapabilityHandlers
from handlers.events import EventStream
from handlers.generate import GenerateHandlers
from handlers.generations import Generations
from handlers.health import HealthHandlers
from handlers.infer import InferHandlers
from handlers.metadata import MetadataHandlers
from handlers.metrics import MetricsHandlers, PlainText, RenderMetrics
from handlers.running import RunningRequests
from handlers.stop import StopHandlers
from handlers.tally import Tally
from handlers.text import TextHandlers

Handler = Callable[..., Awaitable[Mapping[str, Any] | EventStream | PlainText]]


def operations(
    engine: Engine,
    *,
    document_info: Mapping[str, Any],
    declared_capabilities: Mapping[str, Any],
    is_draining: Callable[[], bool],
    has_failed: Callable[[], bool],
    request_timeout: float,
    render_metrics: RenderMetrics,
) -> dict[str, Handler]:
    """Handlers by operationId, bound to the engine."""
    running = RunningRequests()
    tally = Tally()
    generations = Generations(engine, running, tally, request_timeout)
    generate = GenerateHandlers(generations)
    health = HealthHandlers(engine, is_draining, has_failed)
    metadata = MetadataHandlers(engine, tally, document_info)
    capabilities = CapabilityHandlers(engine, declared_capabilities)
    infer = InferHandlers(generations)
    stop = StopHandlers(engine, running)
    text = TextHandlers(engine, request_timeout)
    return {
        **_versioned("generate", generate.generate),
        **_versioned("generate_stream", generate.generate_stream),
        **_versioned("infer", infer.infer),
        **_versioned("stop_infer", stop.stop),
        **_versioned("tokenize", text.tokenize),
        **_versioned("detokenize", text.detokenize),
        **_versioned("detect_watermark", text.detect_watermark),
        "health_live": health.live,
        "health_ready": health.ready,
        "metrics": MetricsHandlers(engine, render_metrics).metrics,
        "server_metadata": metadata.server,
        "model_metadata": metadata.model,
        "model_version_metadata": metadata.model,
        "model_ready": health.model_ready,
        "model_version_ready": health.model_ready,
        "model_config": metadata.config,
        "model_version_config": metadata.config,
        "model_capabilities": capabilities.capabilities,
        "model_version_capabilities": capabilities.capabilities,
        "model_stats": metadata.stats,
        "model_version_stats": metadata.stats,
    }


def _versioned(name: str, handler: Handler) -> dict[str, Handler]:
    """The operation with and without a version in its path."""
    return {name: handler, f"{name}_version": handler}
