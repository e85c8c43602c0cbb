"""What Prometheus gets: the promised names, in good form, and numbers that are true."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from prometheus_client.core import Metric
from prometheus_client.parser import text_string_to_metric_families

from app.document import load_document
from app.endpoint import METRICS_TYPE
from app.errors import ERROR_TYPES
from app.telemetry.engine_metrics import engine_families
from app.telemetry.record import CLIENT_GONE, NO_OPERATION, NO_REASON
from engine import EngineStats, FinishReason
from tests.app.conftest import client, engine
from tests.documents import operations
from tests.fake_engine import FakeEngine
from tests.live_server import get, post, serving, wait_until

__all__ = ["client", "engine"]

ROOT = Path(__file__).parents[2]
BODY = {"text_input": "hi"}
GENERATE = "/v2/models/fake/generate"
# promtool: units are base units, and written out.
BAD_UNITS = re.compile(r"_(ms|milliseconds|microseconds|minutes|hours|kilobytes|percent|sec)(_|$)")
BOUNDED_LABELS = {
    "operation": {op["operationId"] for _, _, op in operations(load_document())} | {NO_OPERATION},
    "status": {"200", str(CLIENT_GONE)} | {str(status) for status in ERROR_TYPES},
    "finish_reason": {reason.value for reason in FinishReason} | {NO_REASON},
    "outcome": {"finished", "cancelled", "failed"},
}
FREE_LABELS = {"version", "python_version"}  # facts of the deployment
FREE_LABELS |= {"model", "model_version", "architecture", "device", "dtype"}


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


@pytest.fixture
async def used(client: httpx.AsyncClient) -> dict[str, Metric]:
    """The metrics of a server that has answered requests of all kinds."""
    await client.post(GENERATE, json=BODY)
    await client.post(GENERATE, json={"text_input": 1})
    await client.get("/nowhere/genspec-secret")
    await client.get("/v2/models/genspec-secret/ready")
    await client.put(GENERATE)
    await client.get("/v2/health/live")
    await client.get("/openapi.json")
    return await scrape(client)


def test_the_list_in_the_documentation_is_what_is_served(used: dict[str, Metric]) -> None:
    rows = re.findall(
        r"^\| `(genspec_\w+)` \| (\w+) \|([^|]*)\|",
        (ROOT / "docs/metrics.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    listed = {name: (kind, set(re.findall(r"`(\w+)`", labels))) for name, kind, labels in rows}
    served = {
        name: (metric.type, {key for s in metric.samples for key in s.labels} - {"le"})
        for name, metric in used.items()
    }
    assert listed == served


def test_names_units_and_help_keep_the_conventions(used: dict[str, Metric]) -> None:
    for name, metric in used.items():
        assert re.fullmatch(r"genspec_[a-z]+(_[a-z]+)*", name)
        assert not BAD_UNITS.search(name), name
        assert not re.search(r"gauge|counter|histogram|summary", name), name
        assert metric.type in {"counter", "gauge", "histogram"}, name
        assert name.endswith("_total") == (metric.type == "counter"), name
        assert not name.endswith(("_count", "_sum", "_bucket", "_created")), name
        assert re.fullmatch(r"[A-Z].*\.", metric.documentation), name
        assert metric.samples, name
    texts = [metric.documentation for metric in used.values()]
    assert len(set(texts)) == len(texts)


def test_labels_take_only_values_that_the_program_knows(used: dict[str, Metric]) -> None:
    for metric in used.values():
        for sample in metric.samples:
            for label, text in sample.labels.items():
                if label != "le" and label not in FREE_LABELS:
                    assert text in BOUNDED_LABELS[label], (sample.name, label)
                assert "secret" not in text


def test_buckets_only_grow_and_end_with_everything(used: dict[str, Metric]) -> None:
    for metric in used.values():
        buckets: dict[str, list[tuple[float, float]]] = {}
        for s in metric.samples:
            if s.name.endswith("_bucket"):
                key = str({k: v for k, v in s.labels.items() if k != "le"})
                buckets.setdefault(key, []).append((float(s.labels["le"]), s.value))
        assert bool(buckets) == (metric.type == "histogram")
        for series in buckets.values():
            assert series == sorted(series)
            assert [count for _, count in series] == sorted(count for _, count in series)
            assert series[-1][0] == float("inf")


async def test_requests_are_counted_by_operation_status_and_end(
    client: httpx.AsyncClient, used: dict[str, Metric]
) -> None:
    def count(**labels: str) -> float:
        return value(used, "genspec_requests_total", **labels)

    assert count(operation="generate", status="200", finish_reason="length") == 1
    assert count(operation="generate", status="422", finish_reason="none") == 1
    assert count(operation="none", status="405") == 1
    assert count(operation="none", status="404") == 1
    assert count(operation="model_ready", status="404") == 1
    assert count(operation="none", status="200") == 1  # the document itself
    assert value(used, "genspec_request_duration_seconds_count", operation="generate") == 2
    assert value(await scrape(client), "genspec_requests_total", operation="metrics") == 1


def test_times_are_those_of_the_engine(used: dict[str, Metric]) -> None:
    """Two tokens of 2.5 ms each, from an engine that does not know its queue."""
    assert value(used, "genspec_time_to_first_token_seconds_sum") == pytest.approx(0.0025)
    assert value(used, "genspec_time_to_first_token_seconds_count") == 1
    assert value(used, "genspec_inter_token_latency_seconds_sum") == pytest.approx(0.0025)
    assert value(used, "genspec_inter_token_latency_seconds_count") == 1
    assert value(used, "genspec_queue_time_seconds_count") == 0


def test_the_engine_is_shown_as_it_is() -> None:
    stats = EngineStats(
        num_running=3,
        num_waiting=2,
        num_kv_tokens=77,
        num_finished=10,
        num_cancelled=4,
        num_failed=1,
        num_prompt_tokens=50,
        num_generated_tokens=60,
        num_steps=8,
        batch_sizes=((1, 5), (3, 2), (700, 1)),
    )
    metrics = {family.name: family for family in engine_families(stats, ())}

    assert value(metrics, "genspec_running_requests") == 3
    assert value(metrics, "genspec_waiting_requests") == 2
    assert value(metrics, "genspec_kv_cache_tokens") == 77
    assert value(metrics, "genspec_prompt_tokens_total") == 50
    assert value(metrics, "genspec_generated_tokens_total") == 60
    assert value(metrics, "genspec_engine_steps_total") == 8
    assert value(metrics, "genspec_generations_total", outcome="cancelled") == 4
    assert value(metrics, "genspec_batch_size_bucket", le="1") == 5
    assert value(metrics, "genspec_batch_size_bucket", le="4") == 7
    assert value(metrics, "genspec_batch_size_bucket", le="512") == 7
    assert value(metrics, "genspec_batch_size_count") == 8
    assert value(metrics, "genspec_batch_size_sum") == 5 + 6 + 700


def test_a_client_that_leaves_is_counted() -> None:
    with serving(FakeEngine(seconds_per_chunk=0.3)) as server:
        with server.connection() as connection:
            connection.send(post(json.dumps(BODY).encode()))
            wait_until(lambda: server.engine.requests)
        wait_until(lambda: server.engine.num_closed)
        wait_until(lambda: _left(server.exchange(get("/metrics")).body) == 1)


def _left(text: bytes) -> float:
    metrics = parse(text.decode())
    return value(metrics, "genspec_requests_total", operation="generate", status="499")


async def test_two_applications_count_for_themselves(client: httpx.AsyncClient) -> None:
    with serving() as server:
        server.exchange(post(json.dumps(BODY).encode()))
    assert value(await scrape(client), "genspec_requests_total", operation="generate") == 0


async def test_a_page_of_another_site_may_not_read_them(client: httpx.AsyncClient) -> None:
    reply = await client.get("/metrics", headers={"Origin": "https://evil.example"})
    assert reply.status_code == 403


def _queries() -> Iterator[str]:
    dashboard = json.loads((ROOT / "deploy/grafana.json").read_text(encoding="utf-8"))
    for panel in dashboard["panels"]:
        for target in panel.get("targets", ()):
            yield target["expr"]


def test_the_dashboard_asks_for_what_is_served(used: dict[str, Metric]) -> None:
    asked = {name for query in _queries() for name in re.findall(r"genspec_\w+", query)}
    served = {sample.name for metric in used.values() for sample in metric.samples}
    shown = {re.sub(r"_(bucket|sum|count)$", "", name) for name in asked}

    assert asked <= served
    assert used.keys() - shown == {"genspec_build_info"}
    for query in _queries():
        labels = set(re.findall(r"\bby \(([^)]*)\)", query))
        used_labels = {label.strip() for text in labels for label in text.split(",")}
        assert used_labels <= BOUNDED_LABELS.keys() | FREE_LABELS | {"le"}
        assert query.count("(") == query.count(")")
