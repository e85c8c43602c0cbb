from collections.abc import Iterator
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from tests.browser.chromium import PATIENCE_MS, Complaints, launched
from tests.browser.playground import Playground
from tests.fake_engine import FakeEngine
from tests.live_server import LiveServer, serving, wait_until
from tests.mocks import mock
from tests.wire import get

TOKENS_PER_SECOND = 100.0
VIEWPORT: ViewportSize = {"width": 1280, "height": 800}


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    with launched() as browser:
        yield browser


@pytest.fixture(scope="package")
def server(chromium: Browser) -> Iterator[LiveServer]:
    """The mock, slow enough to be watched and stopped."""
    engine = mock({"tokens_per_second": TOKENS_PER_SECOND})
    with serving(cast(FakeEngine, engine)) as live:
        wait_until(lambda: live.exchange(get("/v2/health/ready")).status == 200)
        yield live


@pytest.fixture(scope="package")
def document(server: LiveServer) -> dict[str, Any]:
    served: dict[str, Any] = server.exchange(get("/openapi.json")).json()
    return served


@pytest.fixture(scope="package")
def tab(chromium: Browser) -> Iterator[tuple[Page, Complaints]]:
    """One for all tests: a new one takes longer than most of them."""
    with chromium.new_context(locale="en-US", reduced_motion="reduce") as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        yield page, Complaints(page)


@pytest.fixture
def page(tab: tuple[Page, Complaints]) -> Iterator[Page]:
    """Without anything of the test before; it must not have complained in the end."""
    page, complaints = tab
    page.set_viewport_size(VIEWPORT)
    page.emulate_media(color_scheme=None)
    yield page
    page.unroute_all()
    page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
    complaints.check()


@pytest.fixture
def faults(tab: tuple[Page, Complaints]) -> list[str]:
    """What the page may complain of: tests that provoke something add to it."""
    return tab[1].expected


@pytest.fixture
def playground(page: Page, server: LiveServer) -> Iterator[Playground]:
    made = Playground(page, f"http://127.0.0.1:{server.port}/")
    yield made
    made.close()
