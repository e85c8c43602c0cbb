"""Prometheus metrics of one application; docs/metrics.md lists them."""

import platform
from collections.abc import Iterable, Iterator, Sequence

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import Metric
from prometheus_client.registry import Collector

from app.telemetry.engine_metrics import engine_families
from app.telemetry.record import RequestRecord
from engine import Chunk, EngineStats, ModelInfo

# From a small model on a GPU to a long prompt on a CPU; seconds.
FIRST_TOKEN_BUCKETS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60)
INTER_TOKEN_BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.5, 1, 2)
REQUEST_BUCKETS = (0.005, 0.02, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60, 120, 300, 600)
QUEUE_BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300)


class Metrics:
    """What is counted here as it happens, and rendered together with the engine's own counts.

    Labels take only values that the program or the document knows, never what a client sent.
    """

    def __init__(self, version: str) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "genspec_requests",
            "Requests that have ended, by operation, HTTP status and end of the generation.",
            ("operation", "status", "finish_reason"),
            registry=self._registry,
        )
        self._durations = Histogram(
            "genspec_request_duration_seconds",
            "Seconds from the arrival of a request to the end of its answer.",
            ("operation",),
            buckets=REQUEST_BUCKETS,
            registry=self._registry,
        )
        self._first_token = self._histogram(
            "genspec_time_to_first_token_seconds",
            "Seconds from a generation's arrival at the engine to its first token.",
            FIRST_TOKEN_BUCKETS,
        )
        self._inter_token = self._histogram(
            "genspec_inter_token_latency_seconds",
            "Seconds from one token of a generation to the next.",
            INTER_TOKEN_BUCKETS,
        )
        self._queue_time = self._histogram(
            "genspec_queue_time_seconds",
            "Seconds from a generation's arrival at the engine to the start of its prefill.",
            QUEUE_BUCKETS,
        )
        self._set_build_info(version)

    def _histogram(self, name: str, text: str, buckets: Sequence[float]) -> Histogram:
        return Histogram(name, text, buckets=buckets, registry=self._registry)

    def _set_build_info(self, version: str) -> None:
        info = Gauge(
            "genspec_build_info",
            "Always 1; the labels name the versions.",
            ("version", "python_version"),
            registry=self._registry,
        )
        info.labels(version, platform.python_version()).set(1)

    def observe_token(self, chunk: Chunk, *, is_first: bool) -> None:
        """Take the engine's own times of one token."""
        if chunk.token is None:
            return
        seconds = chunk.token.elapsed_ms / 1000
        if not is_first:
            self._inter_token.observe(seconds)
            return
        self._first_token.observe(seconds)
        if chunk.queue_ms is not None:
            self._queue_time.observe(chunk.queue_ms / 1000)

    def observe_request(self, record: RequestRecord) -> None:
        """Take a request that has ended."""
        labels = (record.operation, str(record.status), record.finish_reason)
        self._requests.labels(*labels).inc()
        self._durations.labels(record.operation).observe(record.duration)

    def render(self, stats: EngineStats, models: Iterable[ModelInfo]) -> str:
        """All metrics in Prometheus' text format 0.0.4."""
        return generate_latest(_Snapshot(self._registry, engine_families(stats, models))).decode()


class _Snapshot(Collector):
    """A registry's metrics and some others, without the `_created` samples that nothing reads."""

    def __init__(self, registry: CollectorRegistry, others: Iterable[Metric]) -> None:
        self._registry = registry
        self._others = others

    def collect(self) -> Iterator[Metric]:
        for metric in self._registry.collect():
            samples = [s for s in metric.samples if not s.name.endswith("_created")]
            kept = Metric(metric.name, metric.documentation, metric.type, metric.unit)
            kept.samples = samples
            yield kept
        yield from self._others
