"""Swagger UI: every operation can be tried out, and nothing is rounded."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Response, expect

from tests.browser.chromium import Complaints
from tests.documents import operations
from tests.live_server import LiveServer

pytestmark = pytest.mark.slow
LARGEST_SEED = 2**64 - 1
GENERATE = "/v2/models/{model_name}/generate"
# Clicks as fast as the page lets it: with a mouse this takes a minute.
TRY_OUT = """async id => {
  const block = document.getElementById(id);
  const found = async (selector) => {
    for (;;) {
      const each = block.querySelector(selector);
      if (each) return each;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  block.querySelector(".opblock-summary-control").click();
  (await found(".try-out__btn")).click();
  (await found(".execute")).click();
  const status = (await found(".live-responses-table .response .response-col_status")).innerText;
  const model = block.querySelector("[placeholder=model_name]")?.value ?? null;
  block.querySelector(".opblock-summary-control").click();
  return { status: status.split("\\n")[0], model };
}"""
# What an example as it stands cannot have: a request that is running.
EXPECTED = {"stop_infer": 404}
WITH_VERSION = "generate_version"  # the others differ from their sisters as this one does


@pytest.fixture
def swagger_ui(tab: tuple[Page, Complaints], server: LiveServer) -> Iterator[Page]:
    page, complaints = tab
    complaints.expected.append("Failed to load resource")  # Chromium's word for a 404
    page.goto(f"http://127.0.0.1:{server.port}/ui/")
    page.locator(".opblock").first.wait_for()
    yield page
    complaints.check()


def opened_operation(page: Page, operation: dict[str, Any]) -> Locator:
    """Unfolded, with its fields to be filled in."""
    block = page.locator(f"#operations-{operation['tags'][0]}-{operation['operationId']}")
    block.locator(".opblock-summary-control").click()
    block.locator(".try-out__btn").click()
    expect(block.get_by_role("button", name="Execute")).to_be_visible()
    return block


def executed(block: Locator) -> Response:
    """The answer, when it is shown."""
    with block.page.expect_response("**") as response:
        block.get_by_role("button", name="Execute").click()
    shown = block.locator(".live-responses-table .response-col_status").last
    expect(shown).to_contain_text(str(response.value.status))
    return response.value


def kinds(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Path and operation, one of those that differ in nothing that is to be filled in."""
    seen = set()
    for path, method, operation in operations(document):
        given = (
            method,
            "{model_name}" in path,
            operation.get("requestBody"),
            "parameters" in operation,
        )
        if operation["operationId"] == WITH_VERSION:
            yield path, operation
        elif "{model_version}" not in path and str(given) not in seen:
            seen.add(str(given))
            yield path, operation


def test_operations_of_every_kind_can_be_tried_out(
    swagger_ui: Page, document: dict[str, Any]
) -> None:
    chosen = {operation["operationId"]: (path, operation) for path, operation in kinds(document)}
    assert len(chosen) > 8
    for name, (path, operation) in chosen.items():
        tried = swagger_ui.evaluate(TRY_OUT, f"operations-{operation['tags'][0]}-{name}")

        assert int(tried["status"]) == EXPECTED.get(name, 200), name
        assert tried["model"] == ("mock" if "{model_name}" in path else None), name


def test_every_example_can_be_chosen_and_sent(swagger_ui: Page, document: dict[str, Any]) -> None:
    content = document["components"]["requestBodies"]["Generate"]["content"]["application/json"]
    block = opened_operation(swagger_ui, document["paths"][GENERATE]["post"])
    picker = block.locator(".opblock-section-request-body .examples-select select")
    for name, reference in content["examples"].items():
        example = document["components"]["examples"][reference["$ref"].rpartition("/")[2]]
        picker.select_option(name)
        expect(block.locator("textarea")).to_have_value(
            json.dumps(example["value"], indent=2, ensure_ascii=False)
        )
        assert executed(block).status == 200  # also with another body than the last


def test_a_seed_is_sent_and_shown_as_it_was_typed(
    swagger_ui: Page, document: dict[str, Any]
) -> None:
    parameters = {"do_sample": True, "seed": LARGEST_SEED, "details": True}
    block = opened_operation(swagger_ui, document["paths"][GENERATE]["post"])
    block.locator("textarea").fill(json.dumps({"text_input": "hi", "parameters": parameters}))
    answer = executed(block)

    assert json.loads(answer.request.post_data or "")["parameters"] == parameters
    shown = block.locator(".live-responses-table .microlight").first.inner_text()
    assert json.loads(shown) == answer.json() | {"details": json.loads(shown)["details"]}
    assert json.loads(shown)["details"]["seed"] == LARGEST_SEED
    curl = block.locator(".curl-command").inner_text()
    assert str(LARGEST_SEED) in curl


def test_the_schema_shows_the_largest_seed(swagger_ui: Page) -> None:
    model = swagger_ui.locator("#model-GenerateParameters")
    model.locator(".model-toggle").first.click()
    seed = model.locator("tr", has=swagger_ui.get_by_text("seed", exact=True)).first
    seed.locator(".model-toggle").first.click()

    expect(seed).to_contain_text(f"maximum: {LARGEST_SEED}")
