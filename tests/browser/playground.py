"""The playground as a person uses it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Locator, Page, Request, expect

from tests.live_server import LiveServer
from tests.wire import get

STREAM = "**/generate_stream"


class Playground:
    """Opened, and ready to generate."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.requests: list[dict[str, Any]] = []
        page.on("request", self._keep)
        page.goto(url)
        expect(page.locator("#readiness")).to_have_text("ready")

    def _keep(self, request: Request) -> None:
        if request.url.endswith("/generate_stream"):
            self.requests.append(json.loads(request.post_data or ""))

    def close(self) -> None:
        self.page.remove_listener("request", self._keep)

    @property
    def prompt(self) -> Locator:
        return self.page.get_by_role("textbox", name="Prompt")

    @property
    def run(self) -> Locator:
        return self.page.get_by_role("button", name="Generate")

    @property
    def stop(self) -> Locator:
        return self.page.get_by_role("button", name="Stop", exact=True)

    def answer(self, index: int = 0) -> Locator:
        return self.page.locator(".answer").nth(index)

    def text(self, index: int = 0) -> str:
        return self.part("text", index).text_content() or ""

    def part(self, name: str, index: int = 0) -> Locator:
        return self.answer(index).locator(f"[data-part={name}]")

    def field(self, name: str, letter: str = "A") -> Locator:
        """Its box, in the settings of that letter."""
        place = self.page.locator(f"#panel-{letter} .field[data-name={name}]")
        return place.locator("input:not([type=range]), textarea").first

    def open_more(self, letter: str = "A") -> None:
        self.page.locator(f"#panel-{letter} summary").click()

    def generate(self, prompt: str | None = None) -> str:
        """The text, when it is there as a whole."""
        if prompt is not None:
            self.prompt.fill(prompt)
        self.run.click()
        self.wait()
        return self.text()

    def wait(self) -> None:
        expect(self.run).to_be_enabled()

    @contextmanager
    def running(self, prompt: str, num_tokens: int) -> Iterator[None]:
        """Within a long generation, after its first tokens."""
        self.field("max_new_tokens").fill(str(num_tokens))
        self.open_more()
        self.field("ignore_eos").check()
        self.prompt.fill(prompt)
        self.prompt.press("Control+Enter")
        expect(self.part("text")).not_to_be_empty()
        yield
        self.wait()


def num_running(server: LiveServer) -> int:
    """How many sequences are computed or wait."""
    (entry,) = server.exchange(get("/v2/models/mock/stats")).json()["model_stats"]
    return int(entry["num_running"] + entry["num_waiting"])


def parameters(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The fields of ``parameters`` that have an effect."""
    fields = document["components"]["schemas"]["GenerateParameters"]["properties"]
    return {
        name: field
        for name, field in fields.items()
        if not field.keys() & {"x-alias-of", "x-ignored"}
    }
