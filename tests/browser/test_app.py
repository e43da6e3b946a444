"""The app as a whole in a real browser: it opens, in both themes, at every width, for everybody, and stays itself."""

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

FIRST_WORD = "The"  # of the text that the landing page opens with


def open_app(page: Page, app_url: str) -> None:
    """Open the landing page and wait for its colored tokens."""
    page.goto(app_url)
    expect(page.get_by_role("textbox", name="Text")).to_be_visible()
    expect(page.locator(".t").first).to_contain_text(FIRST_WORD)


def test_opens_on_a_text_that_is_colored(page: Page, app_url: str) -> None:
    open_app(page, app_url)
    expect(page).to_have_title("tokviz")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 1280])
def test_axe_finds_nothing_serious(page: Page, app_url: str, scheme: Literal["light", "dark"], width: int) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    open_app(page, app_url)
    found = Axe().run(page).response["violations"]
    serious = [
        f"{violation['id']}: {violation['help']}: {[node['html'][:200] for node in violation['nodes'][:3]]}"
        for violation in found
        if violation["impact"] in ("serious", "critical")
    ]
    assert not serious, "\n".join(serious)


@pytest.mark.parametrize("width", [375, 768, 1280, 1920])
def test_nothing_scrolls_sideways(page: Page, app_url: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    open_app(page, app_url)
    page.get_by_role("textbox", name="Text").fill("averylongword" * 60 + "\n" + "def f(x):\n\treturn x\n")
    expect(page.locator(".t").first).to_contain_text("aver")
    main = page.get_by_test_id("stMain")
    assert main.evaluate("element => element.scrollWidth <= element.clientWidth")


def test_touch_targets_are_large_enough_on_a_phone(browser: Browser, app_url: str) -> None:
    """44 px, for everything outside the running text that one taps."""
    phone = browser.new_context(viewport={"width": 375, "height": 812}, has_touch=True, is_mobile=True)
    page = phone.new_page()
    open_app(page, app_url)
    small = page.locator("[data-testid=stMain]").evaluate(
        """main => {
            const inside = (root) => [...root.querySelectorAll("*")].flatMap(
                (element) => [element, ...(element.shadowRoot ? inside(element.shadowRoot) : [])]);
            return inside(main)
                .filter((element) => element.matches("button, select, summary, input:not([type=hidden]), a[href]"))
                .map((element) => element.closest("label") ?? element)
                .map((element) => [element.outerHTML.slice(0, 80), element.getBoundingClientRect()])
                .filter(([, box]) => box.width && box.height && Math.min(box.width, box.height) < 43.5)
                .map(([html, box]) => `${html}: ${box.width} x ${box.height}`);
        }"""
    )
    phone.close()
    assert small == []


def test_a_reload_keeps_the_text(page: Page, app_url: str) -> None:
    open_app(page, app_url)
    page.get_by_role("textbox", name="Text").fill("kept over a reload")
    expect(page.locator(".t").first).to_contain_text("kept")
    page.reload()
    expect(page.get_by_role("textbox", name="Text")).to_have_value("kept over a reload")
    expect(page.locator(".t").first).to_contain_text("kept")


def test_the_theme_may_change_while_one_types(page: Page, app_url: str) -> None:
    open_app(page, app_url)
    editor = page.get_by_role("textbox", name="Text")
    editor.fill("light and dark")
    page.emulate_media(color_scheme="dark")
    expect(page.locator("[data-testid=stApp]")).to_have_css("background-color", "rgb(15, 18, 22)")
    expect(editor).to_have_value("light and dark")
    editor.press_sequentially("!")
    expect(page.locator(".t").last).to_contain_text("!")
