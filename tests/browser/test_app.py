"""The app as a whole in a real browser: it opens, in both themes, at every width, for everybody, and stays itself."""

import re
from typing import Literal

import pytest
from conftest import expect_accessible, free_port, served
from playwright.sync_api import Browser, Page, expect
from test_token_view import RECTANGLES

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
    expect_accessible(page)


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


def test_the_app_may_stand_in_a_folder_of_its_host(page: Page) -> None:
    with served(free_port(), "--server.baseUrlPath=tools/tokviz", path="tools/tokviz/") as url:
        open_app(page, url)
        page.get_by_role("textbox", name="Text").fill("typed in a folder")
        expect(page.locator(".t").last).to_contain_text("folder")
        page.get_by_label("Examples").select_option("prose-de")
        expect(page.get_by_role("textbox", name="Text")).not_to_have_value("typed in a folder")


@pytest.mark.parametrize(
    "text",
    ["يستخدم النموذج GPT-2 نحو 50257 رمزًا في 2026.", "המודל GPT-2 משתמש ב-50257 אסימונים", "First, then عربي 123."],
)
def test_right_to_left_text_stands_as_the_browser_lays_out_the_plain_text(page: Page, app_url: str, text: str) -> None:
    """On the whole page, with its fonts and languages: the order of the line is the browser's, tokens or not."""
    open_app(page, app_url)
    page.get_by_role("combobox", name="Tokenizer").fill("o200k_base")
    page.keyboard.press("Enter")
    page.get_by_role("textbox", name="Text").fill(text)
    chunk = page.locator(".token-view .chunk").filter(has_text=re.compile(re.escape(text[-3:])))
    expect(chunk.locator(".t").nth(3)).to_be_visible()
    # A cut character makes room for its bytes; everything else must not move.
    chunk.evaluate("""chunk => { for (const cut of chunk.querySelectorAll(".cut")) cut.style.paddingInline = "0" }""")
    colored = chunk.evaluate(RECTANGLES)
    chunk.evaluate("chunk => { chunk.textContent = chunk.textContent }")
    plain = chunk.evaluate(RECTANGLES)
    assert [character for character, _ in colored] == [character for character, _ in plain]
    assert [left for _, left in colored] == pytest.approx([left for _, left in plain], abs=1.5)
