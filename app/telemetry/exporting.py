"""Where traces go. Importing this needs the optional opentelemetry packages."""

import os

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter


def make_provider(exporter: str, version: str) -> TracerProvider:
    """Sends spans by ``otlp`` or to the ``console``; the packages read their OTEL_* variables."""
    attributes = {"service.version": version}
    named = ("OTEL_SERVICE_NAME" in os.environ) or (
        "service.name=" in os.environ.get("OTEL_RESOURCE_ATTRIBUTES", "")
    )
    if not named:
        attributes["service.name"] = "genspec"
    provider = TracerProvider(resource=Resource.create(attributes))
    sink = OTLPSpanExporter() if exporter == "otlp" else ConsoleSpanExporter()
    provider.add_span_processor(BatchSpanProcessor(sink))
    return provider
