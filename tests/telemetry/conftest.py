"""A server without a socket, and its metrics after some use."""

from collections.abc import AsyncIterator

import httpx
import pytest
from prometheus_client.core import Metric

from app.server import create_app
from app.settings import Settings
from tests.fake_engine import FakeEngine
from tests.telemetry.scraping import BODY, GENERATE, scrape


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    app = create_app(Settings(), FakeEngine(is_ready=True))
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as made:
        yield made


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
