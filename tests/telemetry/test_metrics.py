"""What Prometheus gets are true numbers."""

import json

import httpx
import pytest
from prometheus_client.core import Metric

from app.telemetry.engine_metrics import engine_families
from engine import EngineStats
from tests.fake_engine import FakeEngine
from tests.live_server import get, post, serving, wait_until
from tests.telemetry.scraping import BODY, parse, scrape, value


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
        num_preemptions=6,
        num_reused_tokens=160,
        num_drafted_tokens=21,
        num_accepted_tokens=13,
        batch_sizes=((1, 5), (3, 2), (700, 1)),
    )
    metrics = {family.name: family for family in engine_families(stats, ())}

    assert value(metrics, "genspec_running_requests") == 3
    assert value(metrics, "genspec_waiting_requests") == 2
    assert value(metrics, "genspec_kv_cache_tokens") == 77
    assert value(metrics, "genspec_prompt_tokens_total") == 50
    assert value(metrics, "genspec_generated_tokens_total") == 60
    assert value(metrics, "genspec_engine_steps_total") == 8
    assert value(metrics, "genspec_preemptions_total") == 6
    assert value(metrics, "genspec_prefix_cache_reused_tokens_total") == 160
    assert value(metrics, "genspec_draft_tokens_total") == 21
    assert value(metrics, "genspec_accepted_draft_tokens_total") == 13
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
