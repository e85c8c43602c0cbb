"""Metrics as Prometheus would read them."""

import httpx
from prometheus_client.core import Metric
from prometheus_client.parser import text_string_to_metric_families

from app.endpoint import METRICS_TYPE

GENERATE = "/v2/models/fake/generate"
BODY = {"text_input": "hi"}


def parse(text: str) -> dict[str, Metric]:
    """By the name as written in the TYPE line, with ``_total`` of counters."""
    families = text_string_to_metric_families(text)
    return {f.name + ("_total" if f.type == "counter" else ""): f for f in families}


async def scrape(client: httpx.AsyncClient) -> dict[str, Metric]:
    reply = await client.get("/metrics")
    assert reply.status_code == 200
    assert reply.headers["content-type"] == METRICS_TYPE
    return parse(reply.text)


def value(metrics: dict[str, Metric], sample: str, **labels: str) -> float:
    """Of the one sample that has these labels; 0 where there is none."""
    found = [
        s.value
        for metric in metrics.values()
        for s in metric.samples
        if s.name == sample and labels.items() <= s.labels.items()
    ]
    assert len(found) <= 1
    return sum(found)
