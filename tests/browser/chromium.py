"""Debian's or anybody's Chromium, driven by Playwright; no browser is downloaded."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
ARGUMENTS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
PATIENCE_MS = 20_000
expect.set_options(timeout=PATIENCE_MS)


def find_chromium() -> str:
    """Where it is; skips the test where there is none."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip(f"no browser is installed: none of {', '.join(NAMES)}")
    return found


@contextmanager
def launched() -> Iterator[Browser]:
    path = find_chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


class Complaints:
    """What a page says on its console; nothing is to be said but what a test provokes."""

    def __init__(self, page: Page) -> None:
        self._texts: list[str] = []
        self.expected: list[str] = []
        page.on("console", lambda message: self._texts.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self._texts.append(str(error)))

    def check(self) -> None:
        """Of what came since the last time."""
        texts, expected = self._texts[:], self.expected[:]
        self._texts.clear()
        self.expected.clear()
        assert [text for text in texts if not any(map(text.__contains__, expected))] == []


@contextmanager
def opened(browser: Browser, **options: Any) -> Iterator[Page]:
    """A page in a context of its own."""
    with browser.new_context(**options) as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        complaints = Complaints(page)
        yield page
        complaints.check()
