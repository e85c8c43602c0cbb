"""OpenTelemetry traces: one tree of spans a request, made when it has ended from its record.

opentelemetry is optional, so nothing of it is imported before ``make_tracing`` finds it wanted.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.settings import SettingsError
from app.telemetry.record import GenerationRecord, RequestRecord

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span

ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
PROTOCOLS = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
HEADERS = (b"traceparent", b"tracestate")  # of W3C's trace context


@dataclass(frozen=True, slots=True)
class Phase:
    """A part of a request, in seconds of ``time.monotonic``; ``problem`` says why it failed."""

    name: str
    start: float
    end: float
    problem: str | None = None


class Tracing:
    """Makes spans with a provider of its own; nothing global is set."""

    def __init__(self, provider: TracerProvider) -> None:
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        self._provider = provider
        self._tracer = provider.get_tracer("genspec")
        self._propagator = TraceContextTextMapPropagator()
        self._spans: dict[int, Span] = {}  # of running requests, by the identity of the record

    def begin(self, record: RequestRecord, headers: Iterable[tuple[bytes, bytes]]) -> None:
        """Open the span of a request, in the trace that its headers name, if they do."""
        from opentelemetry.trace import SpanKind

        context = self._propagator.extract(_carrier(headers))
        span = self._tracer.start_span(
            "request", context, SpanKind.SERVER, start_time=record.started_ns
        )
        self._spans[id(record)] = span
        record.trace_id = f"{span.get_span_context().trace_id:032x}"

    def end(self, record: RequestRecord) -> None:
        """Close the span of a request, with a span below it for each of its phases."""
        from opentelemetry.trace import StatusCode, set_span_in_context

        span = self._spans.pop(id(record))
        context = set_span_in_context(span)
        for phase in phases(record):
            child = self._tracer.start_span(
                phase.name, context, start_time=_to_ns(record, phase.start)
            )
            if phase.problem is not None:
                child.set_status(StatusCode.ERROR, phase.problem)
            child.end(_to_ns(record, phase.end))
        span.update_name(record.operation)
        span.set_attributes(_attributes(record))
        if record.status >= 500:  # what a client does wrong is no error of a server's span
            span.set_status(StatusCode.ERROR)
        span.end(_to_ns(record, record.started_at + record.duration))

    def shutdown(self) -> None:
        """Send what has not been sent yet."""
        self._provider.shutdown()


def phases(record: RequestRecord) -> Iterator[Phase]:
    """validate, queue, prefill and decode, as far as the request came."""
    end = record.started_at + record.duration
    if record.body_from is not None:
        problem = None if record.body_until is not None else "refused"
        yield Phase("validate", record.body_from, record.body_until or end, problem)
    if record.generation is not None:
        yield from _generation_phases(record.generation, end)


def _generation_phases(generation: GenerationRecord, end: float) -> Iterator[Phase]:
    start = generation.started_at
    if generation.queue_ms is None and generation.first_token_ms is None:
        yield Phase("queue", start, end, "ended before its first token")
        return
    left_queue = start + (generation.queue_ms or 0.0) / 1000
    if generation.queue_ms is not None:
        yield Phase("queue", start, left_queue)
    if generation.first_token_ms is None:
        yield Phase("prefill", left_queue, end, "ended before its first token")
        return
    first_token = start + generation.first_token_ms / 1000
    yield Phase("prefill", left_queue, first_token)
    if generation.num_generated_tokens > 1:
        yield Phase("decode", first_token, first_token + generation.decode_ms / 1000)


def _attributes(record: RequestRecord) -> dict[str, str | int | list[str]]:
    """By OpenTelemetry's conventions where they have a name; never a text of the client."""
    attributes: dict[str, str | int | list[str]] = {
        "http.request.method": record.method,
        "http.response.status_code": record.status,
        "genspec.request_id": record.request_id,
    }
    if record.generation is not None:
        attributes |= {
            "gen_ai.request.model": record.generation.model,
            "gen_ai.usage.input_tokens": record.generation.num_prompt_tokens,
            "gen_ai.usage.output_tokens": record.generation.num_generated_tokens,
            "gen_ai.response.finish_reasons": [record.finish_reason],
        }
    return attributes


def _to_ns(record: RequestRecord, seconds: float) -> int:
    return record.started_ns + round((seconds - record.started_at) * 1e9)


def _carrier(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    carrier: dict[str, str] = {}
    for name, value in headers:
        if name in HEADERS:
            key, text = name.decode(), value.decode("latin-1")
            # Two of traceparent become one that is not valid, which starts a new trace.
            carrier[key] = f"{carrier[key]},{text}" if key in carrier else text
    return carrier


def make_tracing(version: str) -> Tracing | None:
    """As the OTEL_* variables say; None where they ask for no traces. Raises SettingsError."""
    exporter = _wanted_exporter()
    if exporter is None:
        return None
    try:
        from app.telemetry.exporting import make_provider
    except ImportError:
        raise SettingsError(
            "OTEL_TRACES_EXPORTER: traces need an optional part; run: pip install 'genspec[otel]'"
        ) from None
    return Tracing(make_provider(exporter, version))


def _wanted_exporter() -> str | None:
    """``otlp``, ``console`` or None. An endpoint alone asks for otlp. Raises SettingsError."""
    if os.environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return None
    has_endpoint = any(os.environ.get(name) for name in ENDPOINTS)
    name = os.environ.get("OTEL_TRACES_EXPORTER") or ("otlp" if has_endpoint else "none")
    if name not in ("otlp", "console", "none"):
        raise SettingsError(f"OTEL_TRACES_EXPORTER: must be otlp, console or none, not {name[:32]}")
    protocol = next((os.environ[key] for key in PROTOCOLS if os.environ.get(key)), "http/protobuf")
    if name == "otlp" and protocol != "http/protobuf":
        raise SettingsError(
            f"OTEL_EXPORTER_OTLP_PROTOCOL: must be http/protobuf, not {protocol[:32]}"
        )
    return None if name == "none" else name
