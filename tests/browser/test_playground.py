"""The playground: typing, streaming, stopping, seeds, comparison and errors."""

import json
from math import exp
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.chromium import opened
from tests.browser.playground import STREAM, Playground, num_running, parameters
from tests.live_server import LiveServer, wait_until
from tests.wire import post

pytestmark = pytest.mark.slow
LARGEST_SEED = 2**64 - 1
PROMPT = "Es war einmal"


def answer_of_the_server(server: LiveServer, body: dict[str, Any]) -> dict[str, Any]:
    """What the same request gets without a browser."""
    raw = json.dumps({name: value for name, value in body.items() if name != "id"}).encode()
    answer: dict[str, Any] = server.exchange(post("/v2/models/mock/generate", raw)).json()
    return answer


def test_every_field_has_a_control_with_what_the_document_says(
    playground: Playground, document: dict[str, Any]
) -> None:
    playground.open_more()
    for name, field in parameters(document).items():
        if name == "details":  # always sent: it tells the seed
            continue
        box = playground.field(name)
        expect(box).to_be_visible()
        if field.get("type") == "boolean":
            assert box.is_checked() == field["default"], name
        elif isinstance(field.get("default"), int | float):
            assert float(box.input_value()) == field["default"], name
        else:
            assert box.input_value() == "", name
        expect(box).to_have_accessible_name(name)
        if "description" in field:
            expect(box).to_have_accessible_description(field["description"].replace("`", ""))


def test_a_slider_goes_from_bound_to_bound(
    playground: Playground, document: dict[str, Any]
) -> None:
    most = parameters(document)["max_new_tokens"]["maximum"]
    slider = playground.page.get_by_role("slider", name="max_new_tokens")

    slider.press("End")
    assert playground.field("max_new_tokens").input_value() == str(most)
    slider.press("Home")
    assert playground.field("max_new_tokens").input_value() == "1"
    low, high = parameters(document)["temperature"]["x-advised"]
    slider = playground.page.get_by_role("slider", name="temperature")
    slider.press("End")
    assert float(playground.field("temperature").input_value()) == high
    slider.press("Home")
    assert float(playground.field("temperature").input_value()) == low


def test_a_text_streams_and_is_the_servers(playground: Playground, server: LiveServer) -> None:
    with playground.running(PROMPT, 40):
        early = playground.text()
        expect(playground.part("text")).not_to_have_text(early)

    text = playground.text()
    assert text.startswith(early)
    assert text == answer_of_the_server(server, playground.requests[0])["text_output"]
    assert playground.part("tokens").text_content() == "40"
    assert playground.part("reason").text_content() == "token limit reached"
    ttft = playground.part("ttft").text_content() or ""
    assert 0 < float(ttft.removesuffix(" ms")) < 5000
    assert 0 < float(playground.part("speed").text_content() or "") < 200


def test_only_what_was_changed_is_sent(playground: Playground) -> None:
    playground.field("top_k").fill("7")
    playground.field("max_new_tokens").fill("3")
    playground.field("max_new_tokens").fill("20")
    playground.field("stop").fill("\\n\\n\nEnd")
    playground.generate(PROMPT)

    (body,) = playground.requests
    assert body.pop("id")
    assert body == {
        "text_input": PROMPT,
        "parameters": {"do_sample": True, "top_k": 7, "stop": ["\n\n", "End"], "details": True},
    }


def test_the_stop_button_ends_the_generation_on_the_server(
    playground: Playground, server: LiveServer
) -> None:
    with playground.running(PROMPT, 500):
        assert num_running(server) == 1
        playground.stop.click()

    wait_until(lambda: num_running(server) == 0)
    assert playground.part("reason").text_content() == "stopped"
    assert 0 < int(playground.part("tokens").text_content() or "") < 500
    expect(playground.run).to_be_focused()  # what had the focus is disabled now


def test_escape_stops_and_the_prompt_keeps_the_focus(
    playground: Playground, server: LiveServer
) -> None:
    with playground.running(PROMPT, 500):
        playground.page.keyboard.press("Escape")

    wait_until(lambda: num_running(server) == 0)
    expect(playground.prompt).to_be_focused()


def test_a_stop_that_the_server_does_not_hear_closes_the_connection(
    playground: Playground, server: LiveServer, faults: list[str]
) -> None:
    faults.append("Failed to load resource")
    playground.page.route("**/stopInfer", lambda route: route.abort())
    with playground.running(PROMPT, 500):
        playground.stop.click()

    wait_until(lambda: num_running(server) == 0)
    assert playground.part("reason").text_content() == "stopped"
    expect(playground.part("error")).to_be_hidden()


def test_a_stop_string_is_told_from_a_stop_by_hand(playground: Playground) -> None:
    text = playground.generate(PROMPT)
    playground.field("stop").fill(text.split()[3])
    playground.generate()

    assert text.startswith(playground.text())
    assert playground.part("reason").text_content() == "a stop string or token came"


def test_a_seed_is_sent_and_shown_as_it_was_typed(playground: Playground) -> None:
    playground.field("do_sample").check()
    playground.field("seed").fill(str(LARGEST_SEED))
    playground.generate(PROMPT)

    assert playground.requests[0]["parameters"]["seed"] == LARGEST_SEED
    assert playground.part("seed").text_content() == str(LARGEST_SEED)


def test_a_replay_repeats_a_text_that_was_drawn(playground: Playground) -> None:
    playground.field("do_sample").check()
    drawn = playground.generate(PROMPT)
    seed = playground.part("seed").text_content()
    another = playground.generate()

    playground.field("seed").fill(seed or "")
    playground.generate()
    playground.page.get_by_role("button", name=f"Replay with seed {seed}").click()
    playground.wait()

    assert playground.text() == drawn != another
    assert playground.requests[-1]["parameters"]["seed"] == int(seed or "")


def test_two_settings_are_compared_on_one_prompt(
    playground: Playground, server: LiveServer
) -> None:
    playground.field("seed").fill("1")
    playground.field("do_sample").check()
    playground.page.get_by_label("Compare two settings").check()
    tab = playground.page.get_by_role("tab", name="Settings A")
    tab.press("ArrowRight")
    expect(playground.page.get_by_role("tab", name="Settings B")).to_be_focused()
    playground.field("seed", "B").fill("2")
    playground.generate(PROMPT)

    first, second = sorted(playground.requests, key=lambda body: body["parameters"]["seed"])
    assert first["parameters"] == {"do_sample": True, "seed": 1, "details": True}
    assert second["parameters"] == {"do_sample": True, "seed": 2, "details": True}
    assert first["text_input"] == second["text_input"] == PROMPT
    assert playground.text(0) == answer_of_the_server(server, first)["text_output"]
    assert playground.text(1) == answer_of_the_server(server, second)["text_output"]
    assert playground.part("chips", 1).inner_text().split("\n") == ["do_sample true", "seed 2"]


def test_tokens_are_shaded_and_tell_what_else_was_likely(
    playground: Playground, server: LiveServer
) -> None:
    playground.page.get_by_label("Shade tokens by probability").check()
    playground.generate(PROMPT)
    tokens = answer_of_the_server(server, playground.requests[0])["details"]["tokens"]

    shown = playground.answer().locator(".token")
    assert shown.all_text_contents() == [token["text"] for token in tokens]
    shades = shown.evaluate_all("all => all.map(each => each.style.getPropertyValue('--p'))")
    assert [float(each) for each in shades] == pytest.approx(
        [exp(token["logprob"]) for token in tokens], abs=1e-4
    )
    playground.part("text").press("ArrowRight")
    playground.part("text").press("ArrowRight")
    expect(playground.answer().locator(".token.chosen")).to_have_count(1)
    rows = playground.part("alternatives").locator("tbody tr").all_text_contents()
    assert len(rows) >= len(tokens[1]["top_logprobs"]) == 2
    assert rows[0].endswith(f"{100 * exp(tokens[1]['top_logprobs'][0]['logprob']):.1f} %")


def test_an_example_fills_prompt_and_settings(
    playground: Playground, document: dict[str, Any]
) -> None:
    examples = document["components"]["examples"]
    triton = examples["Triton"]
    playground.page.get_by_label("Example").select_option(triton["summary"])

    assert playground.prompt.input_value() == triton["value"]["text_input"]
    assert playground.field("max_new_tokens").input_value() == str(triton["value"]["max_tokens"])
    assert playground.field("seed").input_value() == str(triton["value"]["random_seed"])
    assert playground.field("stop").input_value() == "\\n\\n"
    assert playground.field("do_sample").is_checked()  # implied by its temperature
    playground.page.get_by_label("Example").select_option(examples["Minimal"]["summary"])
    assert playground.field("seed").input_value() == ""


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("overloaded", "429 · Overloaded"),
        ("failure", "424 · Generation Error"),
    ],
)
def test_an_error_is_told_with_its_status(
    playground: Playground, faults: list[str], fault: str, message: str
) -> None:
    faults.append("Failed to load resource")
    playground.generate(f"[mock: {fault}]")

    alert = playground.answer().get_by_role("alert")
    expect(alert).to_contain_text(message)
    if fault == "overloaded":
        expect(alert).to_contain_text("Try again in")


def test_a_failure_within_a_stream_keeps_the_text(
    playground: Playground, faults: list[str]
) -> None:
    faults.append("ERR_INCOMPLETE_CHUNKED_ENCODING")  # the server cuts the connection
    playground.generate("[mock: failure after 5]")

    assert len(playground.text().split()) >= 4
    expect(playground.answer().get_by_role("alert")).to_contain_text("Generation Error")


def test_no_server_is_told_in_words(playground: Playground, faults: list[str]) -> None:
    faults.append("Failed to load resource")
    playground.page.route(STREAM, lambda route: route.abort())
    playground.generate(PROMPT)

    expect(playground.answer().get_by_role("alert")).to_contain_text("cannot be reached")


def test_a_value_out_of_bounds_is_not_sent(playground: Playground) -> None:
    box = playground.field("top_p")
    box.fill("1.5")

    expect(box).to_have_attribute("aria-invalid", "true")
    expect(playground.page.get_by_text("must be at most 1", exact=True)).to_be_visible()
    playground.prompt.fill(PROMPT)
    playground.run.click()
    expect(playground.page.locator("#failure")).to_have_text("Correct top_p first.")
    expect(box).to_be_focused()
    assert playground.requests == []
    box.fill("0.5")
    playground.generate()
    assert len(playground.requests) == 1
    expect(playground.page.locator("#failure")).to_be_hidden()


def test_what_the_server_refuses_is_shown_at_its_field(
    playground: Playground, faults: list[str]
) -> None:
    faults.append("Failed to load resource")
    playground.open_more()
    box = playground.field("stop_token_ids")
    box.fill("999999999")
    playground.generate(PROMPT)

    expect(playground.answer().get_by_role("alert")).to_contain_text("422")
    expect(box).to_have_attribute("aria-invalid", "true")


def test_listeners_hear_sentences_and_the_end(playground: Playground) -> None:
    text = playground.generate(PROMPT)

    told = playground.page.locator("#announcer[aria-live=polite]")
    expect(told).to_contain_text("20 tokens, token limit reached.")
    assert (told.text_content() or "").startswith(text)


def test_a_prompt_that_is_empty_is_asked_for(playground: Playground) -> None:
    playground.prompt.fill("")
    playground.run.click()

    expect(playground.page.get_by_role("alert")).to_have_text("Write a prompt first.")
    expect(playground.prompt).to_be_focused()


def test_nothing_of_it_survives_in_another_page(chromium: Browser, server: LiveServer) -> None:
    """Language and theme alone are kept, and the key of the session not beyond it."""
    with opened(chromium, locale="en-US") as page:
        Playground(page, f"http://127.0.0.1:{server.port}/").generate(PROMPT)
        assert page.evaluate("Object.keys(localStorage)") == []
        assert page.evaluate("Object.keys(sessionStorage)") == []
        assert page.context.cookies() == []
