"""Terms of the field: each page explains those that it uses, by mouse, keyboard and finger."""

import re
from collections.abc import Iterator

import pytest
from browsing import expect_accessible
from glossary import TERMS
from playwright.sync_api import Browser, Page, expect
from widget_pages import ADDRESSES

from pages import TokensPage, expect_answers, expect_no_sideways_scrolling, looks, present
from tokviz.course.chapters import CHAPTERS

PLACES = (*ADDRESSES, *(f"course#chapter={name}" for name in CHAPTERS))

# Terms in what the page says itself, and those that it explains. Readers' texts, what is made of them, and menus are
# left out, as are links that lead to where a term is explained.
READ = """(terms) => {
    const roots = [...document.querySelectorAll("*")].map(({ shadowRoot }) => shadowRoot).filter(Boolean);
    const others = "a, bdi, textarea, select, svg, code, .mono, .token-view, .stage, .unseen, .around, .picker label";
    const used = new Set(), explained = [];
    for (const root of [document.body, ...roots]) {
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        for (let text = walker.nextNode(); text; text = walker.nextNode()) {
            const around = text.parentElement;
            if (around.matches("script, style") || around.closest(others) || !around.checkVisibility()) continue;
            const told = around.closest("[data-term]")?.dataset.term ?? (around.matches(".term") ? text.data : null);
            if (told) explained.push(told.toLowerCase());
            const isIn = (term) => new RegExp(`(?<![\\\\w-])${term}s?(?![\\\\w-])`, "i").test(text.data);
            terms.filter(isIn).forEach((term) => used.add(term));
        }
    }
    return [[...used], explained];
}"""


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    with browser.new_context(viewport={"width": 375, "height": 812}, has_touch=True, is_mobile=True) as context:
        yield context.new_page()


def one(term: str) -> str:
    """Return a term as it stands in the list."""
    return term if term in LOWER else term.removesuffix("s")


LOWER = {term.lower() for term in TERMS}


@pytest.mark.parametrize("place", PLACES)
def test_a_page_explains_each_of_its_terms_once(page: Page, widgets_url: str, place: str) -> None:
    page.goto(widgets_url + place)
    if not place:
        TokensPage(page).open_settings()  # whose words are explained there
    expect(page.locator(".term").first).to_be_visible()
    expect_answers(page)
    used, written = page.evaluate(READ, sorted(TERMS))
    explained = [one(term) for term in written]
    assert len(set(explained)) == len(explained)
    assert set(explained) <= LOWER
    parts = {part for term in explained for part in (term, *term.split())}  # "special token" explains "token"
    assert {term.lower() for term in used} <= parts


def test_a_term_is_explained_to_the_keyboard_and_goes_with_escape(page: Page, widgets_url: str) -> None:
    page.goto(widgets_url + "chat")
    term = page.get_by_role("button", name="chat template")
    explanation = page.get_by_text("A small program that makes one text")
    term.focus()
    expect(explanation).to_be_in_viewport(ratio=1)
    expect(term).to_have_accessible_description(re.compile("A small program"))
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="An example")).to_be_focused()
    page.keyboard.press("Escape")
    expect(explanation).to_have_count(0)
    expect(term).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_text("A special token: it tells a model")).to_be_visible()
    page.locator("textarea").first.focus()
    expect(page.locator(".explanation")).to_have_count(0)


def test_a_switch_says_what_it_does_and_what_it_is_about(page: Page, widgets_url: str) -> None:
    page.goto(widgets_url + "compare")
    switch = page.get_by_role("switch", name="special tokens")
    switch.hover()
    expect(page.locator(".explanation")).to_contain_text(
        "as control tokens, not as text. A token that stands for no text"
    )
    switch.click()
    expect(switch).to_be_checked()
    expect(switch).to_have_accessible_description(re.compile("^Read .* An example$"))


def test_heads_of_columns_say_what_the_numbers_mean(page: Page, widgets_url: str) -> None:
    page.goto(widgets_url + "compression?chart=Merges")
    page.get_by_text("The numbers").click()
    page.get_by_role("button", name="saved by doubling").click()
    expect(page.locator(".explanation")).to_contain_text(re.compile("the share of the tokens that the second half"))
    page.goto(widgets_url + "compression?chart=This+text")
    page.get_by_role("button", name="fertility").first.click()
    expect(page.locator(".explanation")).to_contain_text("Tokens per word.")


def test_escape_ends_an_explanation_before_it_ends_presenting(page: Page, widgets_url: str) -> None:
    page.goto(widgets_url + "course#chapter=letters")
    present(page)
    page.get_by_role("button", name="UTF-8", exact=True).focus()
    expect(page.locator(".explanation")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".explanation")).to_have_count(0)
    expect(page.locator(".tokviz.present")).to_have_count(1)


@pytest.mark.parametrize("place", ["chat", "lesson"])
def test_an_explanation_is_accessible_and_stays_on_the_screen(page: Page, app_url: str, place: str) -> None:
    page.goto(app_url + place)
    term = page.locator(".term").last
    expect(term).to_be_visible()
    page.wait_for_load_state("networkidle")
    for look in looks(page, (1280, 375)):
        term.evaluate("term => (term.blur(), term.focus())")
        expect(page.locator(".explanation")).to_be_in_viewport(ratio=1)
        expect_no_sideways_scrolling(page)
        expect_accessible(page, look, colors_only=look.startswith("dark"))


def test_a_tap_explains_and_another_ends_it(phone: Page, widgets_url: str) -> None:
    phone.goto(widgets_url + "chat")
    phone.get_by_role("button", name="prompt", exact=True).tap()
    explanation = phone.get_by_text("The text that a model is given")
    expect(explanation).to_be_in_viewport(ratio=1)
    phone.get_by_role("heading", level=1).tap()
    expect(explanation).to_be_hidden()


def test_on_paper_a_term_is_a_word_like_others(page: Page, widgets_url: str) -> None:
    page.goto(widgets_url + "chat")
    term = page.get_by_role("button", name="prompt", exact=True)
    term.focus()
    page.emulate_media(media="print")
    expect(term).to_have_css("text-decoration-line", "none")
    expect(page.locator(".explanation")).to_be_hidden()
