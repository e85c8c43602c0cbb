"""The playground's code does what its button does."""

import shutil
import subprocess
import sys

import pytest
from playwright.sync_api import Page

from tests.browser.playground import Playground

pytestmark = pytest.mark.slow
PROMPT = 'It\'s "quoted" — \\n 你好 😀 $HOME `x` ${y} %s {z}'
TYPES = "--input-type=module"
SEEDS = (7, 2**64 - 1)


def code_of(page: Page, language: str) -> str:
    page.get_by_role("button", name="Copy as").click()
    page.get_by_label("Language of the code").select_option(language)
    code = page.locator("#code-text").text_content() or ""
    page.get_by_role("button", name="Close").click()
    return code


def prepared(playground: Playground, seed: int) -> str:
    """The text that the page itself gets."""
    playground.field("do_sample").check()
    playground.field("seed").fill(str(seed))
    playground.field("stop").fill("it's\n\\\\")
    return playground.generate(PROMPT)


def output(*command: str, given: str | None = None) -> str:
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=20)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_python_gets_the_same_text(playground: Playground) -> None:
    text = prepared(playground, SEEDS[-1])

    assert output(sys.executable, "-c", code_of(playground.page, "Python")) == text


@pytest.mark.parametrize("seed", SEEDS)
def test_typescript_gets_the_same_text(playground: Playground, seed: int) -> None:
    """Without its types, of which it writes none."""
    node = shutil.which("node") or pytest.skip("Node.js is not installed")
    text = prepared(playground, seed)

    assert output(node, TYPES, given=code_of(playground.page, "TypeScript")) == text


def test_curl_gets_the_same_text(playground: Playground) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    text = prepared(playground, SEEDS[-1])
    code = code_of(playground.page, "curl")

    frames = output("sh", "-c", code).strip().split("\n\n")
    shown = playground.page.evaluate(
        "frames => frames.map(each => JSON.parse(each.slice(5)).text_output).join('')", frames
    )
    assert shown == text
    assert '"seed":18446744073709551615' in frames[-1]


def test_the_clipboard_gets_what_is_shown(playground: Playground) -> None:
    page = playground.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy as").click()
    page.get_by_role("button", name="Copy", exact=True).click()
    page.get_by_text("Copied").wait_for()

    assert (
        page.evaluate("navigator.clipboard.readText()") == page.locator("#code-text").text_content()
    )


def test_escape_closes_the_code_and_gives_the_focus_back(playground: Playground) -> None:
    page = playground.page
    button = page.get_by_role("button", name="Copy as")
    button.focus()
    page.keyboard.press("Enter")
    page.get_by_role("dialog", name="The request as code").wait_for()
    page.keyboard.press("Escape")

    assert button.evaluate("each => each === document.activeElement")
