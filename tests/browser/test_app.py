"""The whole app in a real browser: opening, themes, widths, accessibility, and reloads."""

import re

import pytest
from browsing import expect_accessible
from playwright.sync_api import Browser, Locator, Page, expect
from tabs import Watched

from pages import (
    RECTANGLES,
    ComparePage,
    CompressionPage,
    TokensPage,
    code_of,
    count,
    expect_accessible_in_all_looks,
    expect_no_sideways_scrolling,
    go_to,
    paste,
    present,
    small_touch_targets,
)

FIRST_WORD = "The"  # of the text that the landing page opens with


def test_axe_finds_nothing_serious_and_nothing_scrolls_sideways(page: Page, app_url: str) -> None:
    tokens = TokensPage.open(page, app_url)
    tokens.write("averylongword" * 60 + "\n" + "def f(x):\n\treturn x\n")
    expect(tokens.text.locator(".t").first).to_contain_text("aver")
    expect_accessible_in_all_looks(page)
    for width in (768, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        expect_no_sideways_scrolling(page)


def test_a_phone_has_large_touch_targets_and_a_menu_that_closes_once_a_page_is_chosen(
    browser: Browser, app_url: str
) -> None:
    """At least 44 px for every touch target outside running text."""
    with browser.new_context(viewport={"width": 375, "height": 812}, has_touch=True, is_mobile=True) as phone:
        page = TokensPage.open(phone.new_page(), app_url).page
        assert small_touch_targets(page.get_by_test_id("stMain")) == []
        menu, pages = page.get_by_test_id("stExpandSidebarButton"), page.get_by_test_id("stSidebarNavLink")
        menu.click()
        pages.filter(has_text="Compare").click()
        expect(page.locator(".tokviz.compare")).to_be_visible()
        expect(pages.first).not_to_be_in_viewport()
        menu.click()
        expect(pages.first).to_be_in_viewport()
        pages.filter(has_text="Compare").click()  # the page that is open
        expect(pages.first).not_to_be_in_viewport()
        menu.click()
        expect(pages.first).to_be_in_viewport()
        page.go_back()
        expect(page.locator(".tokviz.tokens")).to_be_visible()
        expect(pages.first).not_to_be_in_viewport()


def test_a_phone_says_tap_on_every_page(browser: Browser, app_url: str) -> None:
    with browser.new_context(viewport={"width": 375, "height": 812}, has_touch=True, is_mobile=True) as phone:
        page = phone.new_page()
        for path, part in (("compare", ".explains"), ("compression", ".chart")):
            page.goto(f"{app_url}{path}")
            expect(page.locator(part).first).to_be_visible()
            assert not re.search(r"\b(click|press)|point at", page.locator(".tokviz").inner_text(), re.I)
        page.goto(app_url)
        paste(page.get_by_label("Your text"), "word " * 30_000)
        expect(page.locator(".notice.parts")).to_contain_text("Tap a token to edit there.")


BENEATH = """nav => {
    const own = nav.closest(".tokviz > *");
    return [...own.parentElement.children]
        .filter((each) => each !== own && !each.matches(".introduction, .messages") && each.checkVisibility())
        .filter((each) => each.getBoundingClientRect().bottom > nav.getBoundingClientRect().top)
        .map((each) => each.outerHTML.slice(0, 90));
}"""
"""List the parts of a widget beneath its ways on, leaving out its introduction and messages."""


def test_every_page_ends_with_two_ways_on_and_tokens_with_three(page: Page, app_url: str) -> None:
    two = ("compare", "replay", "train", "chat", "compression", "course", "course#chapter=pairs", "lesson")
    for path, ways in (("", 3), *((name, 2) for name in two)):
        page.goto(f"{app_url}{path}")
        onward = page.get_by_role("navigation", name="What next")
        links = onward.get_by_role("link")
        expect(links).to_have_count(ways)
        beneath = path[:6] in ("", "course")  # what is wanted at times, and the chapters around
        for width in () if beneath else (375, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            assert onward.evaluate(BENEATH) == []
        for link in links.all():
            expect(link).to_have_class("door")
            expect(link).to_have_text(re.compile(".{20,} →$"))
            expect(link).to_have_css("text-decoration-line", "underline")


def controls_above_the_fold(page: Page) -> list[str]:
    found: list[str] = page.evaluate(
        """() => {
            const inside = (root) => [...root.querySelectorAll("*")].flatMap(
                (element) => [element, ...(element.shadowRoot ? inside(element.shadowRoot) : [])]);
            return inside(document.body)
                .filter((element) => element.matches("a[href], button, input, select, textarea, summary"))
                .filter((element) => element.checkVisibility({ visibilityProperty: true }))
                .map((element) => [element, element.getBoundingClientRect()])
                .filter(([, box]) => box.width > 1 && box.top < innerHeight && box.bottom > 0)
                .map(([element]) => element.ariaLabel ?? element.labels?.[0]?.textContent ?? element.innerText);
        }"""
    )
    return found


def lines_in_sight(pane: Locator) -> int:
    """Return how many lines of one pitch stand whole in a pane."""
    lines: int = pane.evaluate(
        """pane => {
            const { paddingTop, lineHeight } = getComputedStyle(pane);
            return Math.floor((pane.clientHeight - parseFloat(paddingTop)) / parseFloat(lineHeight));
        }"""
    )
    return lines


def test_tokens_has_few_controls_and_fifteen_lines_above_the_fold(page: Page, app_url: str) -> None:
    tokens = TokensPage.visit(page, app_url)
    expect(page.get_by_role("link", name=re.compile("GPT-2 takes 26 tokens"))).to_be_in_viewport(ratio=1)
    assert len(controls_above_the_fold(page)) <= 22
    tokens.write(code_of(200))
    for pane in (tokens.editor, tokens.text):
        expect(pane).to_have_css("line-height", "28px")
        assert lines_in_sight(pane) >= 15


def test_compare_opens_with_six_lines_of_text_and_the_bill_above_the_fold(page: Page, app_url: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    compare = ComparePage.open(page, f"{app_url}compare")
    expect(page.get_by_role("region", name="What each kind costs").get_by_role("row").last).to_be_in_viewport(ratio=1)
    expect(compare.fold("The bill")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile(r"^cl100k needs \d+ tokens fewer\. "))
    assert sum(bottom <= 800 for bottom in compare.bottoms(0)) >= 6


def test_everything_is_a_quarter_larger_at_1920_than_at_1280(page: Page, app_url: str) -> None:
    """Type, chips and controls of the page, and the header, in line with the page at both sizes."""
    tokens = TokensPage.open(page, app_url)
    tokens.write("A text that is too long for larger type. " * 40)
    parts = {
        "title": page.get_by_role("heading", level=1),
        "navigation": page.get_by_test_id("stTopNavLink").first.locator("p"),
        "tool": page.get_by_role("button", name="share"),
        "count": tokens.count("tokens"),
        "token": tokens.text.locator(".t").first,
        "select": tokens.examples,
    }

    def measure(width: int, height: int) -> dict[str, float]:
        page.set_viewport_size({"width": width, "height": height})
        return {
            name: part.evaluate("part => parseFloat(getComputedStyle(part).fontSize)") for name, part in parts.items()
        }

    narrow = measure(1280, 800)
    assert narrow["navigation"] == narrow["tool"] == 16
    assert measure(1599, 900) == narrow
    expect_header_in_line(page)
    wide = measure(1920, 1080)
    assert wide == pytest.approx({name: 1.25 * size for name, size in narrow.items()}, rel=0.01)
    expect_header_in_line(page)


CONTENT_REACHES = """(share) => {
    const { bottom } = document.querySelector("[data-testid=stMainBlockContainer]").getBoundingClientRect();
    const { paddingBottom } = getComputedStyle(document.querySelector("[data-testid=stMainBlockContainer]"));
    return bottom - parseFloat(paddingBottom) >= share * innerHeight;
}"""
"""True once the last line of a page's content is that far down the window."""

LOOKS = """() => {
    const kinds = {
        button: ".tokviz .button:not(.play, .primary)",
        primary: ".tokviz .button:is(.play, .primary)",
        play: ".tokviz .play",
        picker: ".tokviz select, .tokviz [role=combobox]",
        field: ".tokviz :is(textarea, input:not([type=checkbox], [type=radio], [type=range], [role=combobox], .glyph))",
        segments: ".tokviz .segments",
        switch: ".tokviz [role=switch]",
        slider: ".tokviz [type=range]",
        more: ".tokviz summary, .lesson summary",
        legend: ".tokviz .legend",
        chip: ".tokviz .chip:not(.special), :is(.lesson, .course) code:not(.cut)",
        token: ".tokviz .t:not(.continued, .continues, .special, .alike)",
        "special token": ".tokviz :is(.t, .chip).special",
        number: ".tokviz .counts dd:not(.head .main *)",
        large: ".tokviz :is(.large, .head .counts .main dd)",
        "way on": ".tokviz .door",
        tab: "[data-testid=stTopNavLink] p",
        heading: "h1",
    };
    const inside = (root) => [...root.querySelectorAll("*")].flatMap(
        (element) => [element, ...(element.shadowRoot ? inside(element.shadowRoot) : [])]);
    const all = inside(document.querySelector("[data-testid=stApp]")).filter((element) => element.checkVisibility());
    const flexible = ["field", "legend", "chip", "token", "special token", "large", "way on", "heading"];
    const ofTokens = ["chip", "token", "special token"];
    const ground = ({ backgroundColor, color }, kind) => kind === "special token" && `${backgroundColor} ${color}`;
    const look = (element, kind) => {
        const style = getComputedStyle(element);
        const { fontSize, fontWeight, borderTopLeftRadius, borderTopWidth, borderTopColor } = style;
        const radius = (parseFloat(borderTopLeftRadius) / parseFloat(fontSize)).toFixed(2);
        return [ofTokens.includes(kind) || fontSize, fontWeight, radius, borderTopWidth, borderTopColor,
                ground(style, kind), !["tab", "play"].includes(kind) || element.offsetWidth,
                flexible.includes(kind) || element.offsetHeight].join(" ");
    };
    return Object.entries(kinds).flatMap(([kind, selector]) => all
        .filter((element) => element.matches(selector) && !element.matches(".writing *")) // its panel is its frame
        .map((element) => [kind === "tab" ? `tab ${element.textContent}` : kind, look(element, kind),
                           element.cloneNode().outerHTML.slice(0, 160)]));
}"""
"""The kind of each control and figure in sight, how it looks, and what it is. A chip has its sentence's size."""
KINDS = 17 + 7  # tabs
"""Kinds of these that are somewhere in sight."""

TOWER_FILLS = """(stage) => stage.querySelector(".tower").offsetHeight >= 0.9 * stage.clientHeight"""
"""True once a tower's blocks, with those of merges to come, take the height of its stage."""


def test_no_page_opens_with_a_blank_lower_third_on_a_wide_screen_and_there_is_one_of_each(
    page: Page, app_url: str
) -> None:
    page.set_viewport_size({"width": 1920, "height": 1080})
    looks: dict[str, dict[str, str]] = {}
    for path in ("", "compare", "compression#merges=9", "train", "chat", "course#chapter=letters", "lesson", "replay"):
        page.goto(f"{app_url}{path}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.wait_for_function(CONTENT_REACHES, arg=0.8)
        page.mouse.move(960, 2)  # at rest
        for kind, look, what in page.evaluate(LOOKS):
            looks.setdefault(kind, {}).setdefault(look, f"{path}: {what}")
    assert len(looks) == KINDS
    assert not {kind: ways for kind, ways in looks.items() if len(ways) > 1}
    present(page, 1920, 1080)  # the replay, whose player and legend stay in sight beneath its tower
    page.wait_for_function(TOWER_FILLS, arg=page.locator(".stage").element_handle())


def test_a_control_has_an_outline_on_hover_and_focus_only(page: Page, app_url: str) -> None:
    tokens = TokensPage.open(page, app_url)
    segments = page.get_by_role("radiogroup").first
    for control in (tokens.examples, page.get_by_role("combobox", name="Tokenizer"), segments):
        page.mouse.move(5, 5)
        expect(control).to_have_css("border-top-color", "rgba(0, 0, 0, 0)")
        control.hover()
        expect(control).to_have_css("border-top-color", "rgb(139, 149, 160)")
    tokens.examples.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    expect(tokens.examples).to_have_css("outline-style", "solid")


def expect_header_in_line(page: Page) -> None:
    """Expect the page's name over the left edge of its title, and the menu over the right edge of its text."""
    left, right, title, end = page.get_by_role("heading", level=1).evaluate(
        """(title) => {
            const box = (selector) => document.querySelector(selector).getBoundingClientRect();
            const header = document.querySelector("[data-testid=stToolbar]");
            const main = document.querySelector("[data-testid=stMainBlockContainer]");
            const { paddingLeft, paddingRight } = getComputedStyle(header);
            return [box("[data-testid=stToolbar]").left + parseFloat(paddingLeft), parseFloat(paddingRight),
                    title.getBoundingClientRect().left, parseFloat(getComputedStyle(main).paddingRight)];
        }"""
    )
    assert left == pytest.approx(title, abs=1)
    assert right == pytest.approx(end, abs=1)


def test_opens_with_a_colored_text_and_keeps_another_over_a_reload_and_a_theme(page: Page, app_url: str) -> None:
    tokens = TokensPage.open(page, app_url)
    expect(page).to_have_title(re.compile(r"^cl100k \d+ · Tokens$"))
    expect(tokens.text.locator(".t").first).to_contain_text(FIRST_WORD)
    tokens.editor.fill("kept over a reload")
    page.reload()
    expect(tokens.editor).to_have_value("kept over a reload")
    expect(tokens.text.locator(".t").first).to_contain_text("kept")
    expect(page).to_have_title(f"cl100k {count('cl100k_base', 'kept over a reload')} · Tokens")
    page.emulate_media(color_scheme="dark")
    expect(page.locator("[data-testid=stApp]")).to_have_css("background-color", "rgb(15, 18, 22)")
    expect(tokens.editor).to_have_value("kept over a reload")
    tokens.editor.press("Control+End")
    tokens.editor.press_sequentially("!")
    expect(tokens.text.locator(".t").last).to_contain_text("!")
    go_to(page, "Compare")
    expect(page).to_have_title(re.compile(r"^GPT-2 \d+, cl100k \d+ · Compare$"))


def test_an_address_that_does_not_exist_has_ways_on(page: Page, watched: Watched, app_url: str) -> None:
    response = page.goto(f"{app_url}comprae")
    assert response
    assert response.status == 404
    watched.problems.clear()  # the browser notes the status
    expect(page).to_have_title("No page here · tokviz")
    expect_accessible(page)
    page.get_by_role("link").first.click()
    expect(page).to_have_url(f"{app_url}compare")
    page.goto(f"{app_url}Tokens#tokenizer=gpt2&sample=code-python")
    expect(page.get_by_role("combobox", name="Tokenizer")).to_have_value("GPT-2")  # what follows # is kept


def test_a_long_text_goes_from_page_to_page(page: Page, app_url: str) -> None:
    tokens = TokensPage.open(page, app_url)
    text = "a long text " * 15_000 + "ends."
    tokens.editor.focus()
    paste(tokens.editor, text)
    expect(page.locator('[data-count="tokens"]')).to_have_text(f"{count('cl100k_base', text):,}")
    measured = page.get_by_text("180,005 bytes into").first
    for name, shown in {"Compression": measured, "Compare": tokens.editor}.items():
        go_to(page, name)
        if name == "Compression":
            CompressionPage(page).ask("What does each merge buy?")
        expect(shown).to_be_visible()
    expect(ComparePage(page).tokens("GPT-2")).to_have_text(f"{count('gpt2', text):,}")


def test_right_to_left_text_has_the_layout_of_plain_text(page: Page, app_url: str) -> None:
    """On the real page, with its fonts and languages, tokens don't change the browser's order of a line."""
    tokens = TokensPage.open(page, app_url)
    tokens.choose("o200k_base")
    page.get_by_role("radio", name="Text", exact=True).check()
    for text in (
        "يستخدم النموذج GPT-2 نحو 50257 رمزًا في 2026.",
        "המודל GPT-2 משתמש ב-50257 אסימונים",
        "First, then عربي 123.",
    ):
        tokens.editor.fill(text)
        chunk = page.locator(".token-view .chunk").filter(has_text=re.compile(re.escape(text[-3:])))
        expect(chunk.locator(".t").nth(3)).to_be_visible()
        colored = chunk.evaluate(RECTANGLES)
        plain = chunk.evaluate(f"""chunk => {{
            const copy = chunk.cloneNode();
            copy.textContent = chunk.textContent;
            chunk.after(copy);
            const found = ({RECTANGLES})(copy);
            copy.remove();
            return found;
        }}""")
        assert [character for character, _ in colored] == [character for character, _ in plain]
        assert [left for _, left in colored] == pytest.approx([left for _, left in plain], abs=1.5)
