"""The playground for everybody: keyboard, screen readers, colours, languages, screens, keys."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.chromium import opened
from tests.browser.playground import Playground
from tests.fake_engine import FakeEngine
from tests.keys import add_key
from tests.live_server import LiveServer, serving
from tests.mocks import mock

pytestmark = pytest.mark.slow
PROMPT = "Once upon a time"
KEY = "gsk_playground"
REACHABLE = """() => [...document.querySelectorAll(
  'a[href], button:enabled, input:enabled, select, textarea, summary, [tabindex="0"]')]
  .filter(each => each.checkVisibility() && each.tabIndex >= 0).length"""
FOCUSED = """() => {
  const all = [...document.querySelectorAll('*')];
  return all.indexOf(document.activeElement);
}"""
LUMINANCE = """selector => {
  const [r, g, b] = getComputedStyle(document.querySelector(selector))
    .backgroundColor.match(/[0-9.]+/g).map(Number);
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
}"""


def faults_of(page: Page) -> list[str]:
    """What axe finds wrong: rule and element."""
    found = Axe().run(page).response["violations"]
    return [f"{rule['id']}: {node['html'][:150]}" for rule in found for node in rule["nodes"]]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_fault(playground: Playground, theme: str) -> None:
    page = playground.page
    page.get_by_label("Theme").select_option(theme)
    page.get_by_label("Shade tokens by probability").check()
    page.get_by_label("Compare two settings").check()
    playground.open_more()
    page.get_by_role("button", name="About top_p").first.click()
    playground.generate(PROMPT)
    playground.answer().locator(".token").first.click()
    playground.field("priority").fill("x")

    assert faults_of(page) == []


def test_axe_finds_no_fault_in_the_code(playground: Playground) -> None:
    playground.page.get_by_role("button", name="Copy as").click()

    assert faults_of(playground.page) == []


def test_the_tab_key_reaches_everything_and_leaves_again(playground: Playground) -> None:
    page = playground.page
    playground.open_more()
    page.locator("body").evaluate("() => document.activeElement.blur()")
    count = page.evaluate(REACHABLE)
    reached = set()
    for _ in range(count):
        page.keyboard.press("Tab")
        reached.add(page.evaluate(FOCUSED))

    assert len(reached - {0, 1, -1}) == count > 40


def test_the_focus_shows(playground: Playground) -> None:
    playground.prompt.focus()
    playground.page.keyboard.press("Tab")

    outline = playground.run.evaluate("each => getComputedStyle(each).outlineStyle")
    assert outline == "solid"


def test_it_follows_the_systems_colours_until_told_otherwise(playground: Playground) -> None:
    page = playground.page
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(LUMINANCE, "body") < 0.2
    page.emulate_media(color_scheme="light")
    assert page.evaluate(LUMINANCE, "body") > 0.8
    page.get_by_label("Theme").select_option("dark")
    assert page.evaluate(LUMINANCE, "body") < 0.2
    page.reload()
    assert page.evaluate(LUMINANCE, "body") < 0.2


def test_it_speaks_chinese(playground: Playground) -> None:
    page = playground.page
    page.get_by_label("Language", exact=True).select_option("zh")
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    page.reload()
    expect(page.get_by_role("button", name="生成")).to_be_visible()
    expect(page).to_have_title("genspec mock: 试验场")
    page.get_by_label("提示词").fill(PROMPT)
    page.get_by_role("button", name="生成").click()
    expect(page.locator("#announcer")).to_contain_text("20 个词元，达到词元上限")
    expect(page.get_by_label("temperature", exact=True).first).to_have_accessible_description(
        "越低越偏向可能性大的词元，越高越随机。"
    )


def test_a_chinese_browser_gets_chinese(chromium: Browser, server: LiveServer) -> None:
    with opened(chromium, locale="zh-CN") as page:
        page.goto(f"http://127.0.0.1:{server.port}/")
        expect(page.get_by_role("button", name="生成")).to_be_visible()


def test_both_languages_say_everything(playground: Playground) -> None:
    english, chinese, hints, fields = playground.page.evaluate(
        """async () => {
          const { EN } = await import("./playground/texts-en.js");
          const { ZH, FIELDS_ZH } = await import("./playground/texts-zh.js");
          const names = [...document.querySelectorAll("#panel-A .field")].map(e => e.dataset.name);
          return [EN, ZH, Object.keys(FIELDS_ZH), names];
        }"""
    )

    assert english.keys() == chinese.keys()
    for key, text in english.items():
        assert text.count("{") == chinese[key].count("{"), key
    assert sorted(hints) == sorted(fields)


@pytest.mark.parametrize("width", [320, 768])
def test_nothing_is_wider_than_a_small_screen(playground: Playground, width: int) -> None:
    page = playground.page
    page.set_viewport_size({"width": width, "height": 800})
    page.get_by_label("Compare two settings").check()
    playground.open_more()
    playground.field("stop").fill("x" * 200)
    playground.generate("x" * 300)

    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.fixture(scope="module")
def keyed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    path: Path = tmp_path_factory.mktemp("keys") / "keys.json"
    add_key(path, "people", KEY)
    with serving(cast(FakeEngine, mock()), api_keys_file=path) as live:
        yield live


def test_a_key_is_asked_for_and_kept_in_the_session_alone(
    page: Page, keyed: LiveServer, faults: list[str]
) -> None:
    faults.append("Failed to load resource")
    playground = Playground(page, f"http://127.0.0.1:{keyed.port}/")
    box = page.get_by_label("API key")
    playground.generate(PROMPT)
    expect(playground.answer().get_by_role("alert")).to_contain_text("401")
    expect(box).to_be_focused()

    box.fill(KEY)
    assert playground.generate()
    assert page.evaluate("Object.values(sessionStorage)") == [KEY]
    assert page.evaluate("Object.keys(localStorage)") == []
    page.reload()
    expect(box).to_have_value(KEY)
    page.get_by_role("button", name="Copy as").click()
    code = page.locator("#code-text").text_content() or ""
    assert KEY not in code
    assert "$GENSPEC_API_KEY" in code
    playground.close()


def test_no_key_is_asked_for_where_none_is_needed(playground: Playground) -> None:
    expect(playground.page.get_by_label("API key")).to_be_hidden()


def test_json_keeps_every_integer(playground: Playground) -> None:
    text = (
        '{"a":18446744073709551615,'
        '"b":[-9007199254740993,1.5,1e3,"\\"12345678901234567890"],"c":{},'
        r'"d":"\u0069nteger:1","e":"\u0069nteger-1-1:1"}'  # no mark of ours, however it is written
    )
    back = playground.page.evaluate(
        """async text => {
          const { parse, stringify } = await import("./playground/json.js");
          return [stringify(parse(text)), stringify(parse(text), 2), typeof parse(text).a];
        }""",
        text,
    )

    assert json.loads(back[0]) == json.loads(text)
    assert back[1] == json.dumps(json.loads(text), indent=2).replace("1000.0", "1000")
    assert back[2] == "bigint"
