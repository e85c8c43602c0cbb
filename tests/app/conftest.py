"""Servers and clients for tests of the HTTP side, all in front of a fake engine."""

import warnings
from collections.abc import AsyncIterator, Iterator

import httpx
import pytest

with warnings.catch_warnings():  # connexion imports a deprecated name of jsonschema
    warnings.simplefilter("ignore", DeprecationWarning)
    from app.server import create_app
from app.settings import Settings
from tests.fake_engine import FakeEngine
from tests.live_server import LiveServer, serving


@pytest.fixture(scope="module")
def live() -> Iterator[LiveServer]:
    """One server with the usual settings, for tests that leave nothing behind in it."""
    with serving() as server:
        yield server


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine(is_ready=True)


@pytest.fixture
async def client(engine: FakeEngine) -> AsyncIterator[httpx.AsyncClient]:
    """The application without a socket, around ``engine``."""
    transport = httpx.ASGITransport(app=create_app(Settings(), engine))
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as made:
        yield made
