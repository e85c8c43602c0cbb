"""Pages of other sites: which are refused, and what the listed ones get."""

from collections.abc import AsyncIterator

import httpx
import pytest

from app.server import create_app
from app.settings import Settings
from tests.fake_engine import FakeEngine
from tests.live_server import GENERATE

LISTED = "https://app.example.org"
PREFLIGHT = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "x-a"}


@pytest.fixture
async def listing(engine: FakeEngine) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a server that lists one origin."""
    app = create_app(Settings.model_validate({"cors_origins": LISTED}), engine)
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://test:8000") as made:
        yield made


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://test:8000"},
        {"Origin": "http://test"},
        {"Origin": "http://test:8000.evil.example"},
        {"Origin": f"{LISTED}.evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Origin": "https://evil.example", "Sec-Fetch-Site": "same-origin"},
    ],
)
async def test_other_sites_are_refused(
    listing: httpx.AsyncClient, engine: FakeEngine, headers: dict[str, str]
) -> None:
    reply = await listing.post(GENERATE, json={"text_input": "hi"}, headers=headers)

    assert (reply.status_code, reply.json()["error_type"]) == (403, "Forbidden")
    assert "access-control-allow-origin" not in reply.headers
    assert reply.headers["x-request-id"]
    assert engine.requests == []


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://test:8000"},
        {"Origin": "http://TEST:8000", "Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": LISTED, "Sec-Fetch-Site": "cross-site"},
    ],
)
async def test_our_own_and_listed_pages_are_answered(
    listing: httpx.AsyncClient, headers: dict[str, str]
) -> None:
    reply = await listing.post(GENERATE, json={"text_input": "hi"}, headers=headers)

    assert reply.status_code == 200


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("http://test", "http://test:80"),
        ("http://test:80", "http://test"),
        ("https://test", "https://test"),
    ],
)
async def test_the_default_port_may_be_left_out(
    client: httpx.AsyncClient, url: str, origin: str
) -> None:
    reply = await client.get(f"{url}/v2/health/live", headers={"Origin": origin})

    assert reply.status_code == 200


@pytest.mark.parametrize(("path", "status"), [(GENERATE, 422), ("/nope", 404), ("/v2", 405)])
async def test_a_listed_page_may_read_errors_too(
    listing: httpx.AsyncClient, path: str, status: int
) -> None:
    reply = await listing.post(path, content=b"{", headers={"Origin": LISTED})

    assert reply.status_code == status
    assert reply.headers["access-control-allow-origin"] == LISTED
    assert "X-Request-Id" in reply.headers["access-control-expose-headers"]


async def test_a_preflight_of_a_listed_page_is_granted(listing: httpx.AsyncClient) -> None:
    reply = await listing.options(GENERATE, headers={"Origin": LISTED, **PREFLIGHT})

    assert (reply.status_code, reply.content) == (204, b"")
    assert reply.headers["access-control-allow-origin"] == LISTED
    assert "POST" in reply.headers["access-control-allow-methods"]
    assert "access-control-allow-credentials" not in reply.headers
    assert "Origin" in reply.headers["vary"]
    assert reply.headers["access-control-allow-headers"] == "x-a"


async def test_a_preflight_of_another_page_is_refused(listing: httpx.AsyncClient) -> None:
    headers = {"Origin": "https://evil.example", **PREFLIGHT}

    assert (await listing.options(GENERATE, headers=headers)).status_code == 403


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Access-Control-Request-Method": "DELETE"}, 405),
        ({"Access-Control-Request-Private-Network": "true"}, 403),
    ],
)
async def test_a_preflight_for_what_is_not_there_is_refused_in_the_one_shape(
    listing: httpx.AsyncClient, headers: dict[str, str], status: int
) -> None:
    reply = await listing.options(GENERATE, headers={"Origin": LISTED, **PREFLIGHT, **headers})

    assert reply.status_code == status
    assert reply.json().keys() == {"error", "error_type"}
    assert "access-control-allow-origin" not in reply.headers


async def test_a_star_lets_every_page_in(engine: FakeEngine) -> None:
    app = create_app(Settings.model_validate({"cors_origins": "*"}), engine)
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app=app), base_url="http://test"
    ) as client:
        reply = await client.post(
            GENERATE, json={"text_input": "hi"}, headers={"Origin": "https://any.example"}
        )

    assert reply.headers["access-control-allow-origin"] == "*"
