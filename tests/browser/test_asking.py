"""Any page can ask: while presenting, a question about what is in sight, on a slide."""

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from pages import CHARTS_MS, rest
from tokviz.samples import sample

LINKS = {
    "tokens": ("#tokenizer=gpt2&sample=", "words-contractions", "How many tokens does GPT-2 make of this text?"),
    "compare": ("compare#compare=gpt2,cl100k_base&sample=", "code-python", "Which of these makes the fewest tokens"),
    "replay": ("replay#story=apply&tokenizer=gpt2&step=0&sample=", "words-contractions", "Which pair is joined next?"),
    "train": ("train", "", "Which pair is joined next?"),
    "chat": ("chat", "", "How many tokens does"),
    "compression": ("compression", "", "Which of these takes the most tokens with"),
    "a text": ("compression?chart=Merges#sample=", "code-python", "Which of these makes the fewest tokens"),
}
"""Links by their page, with the example that is appended, if any, and the question about it."""

ROOM = re.compile(r"/r/\w{3}-\w{3}-\w{3}$")


def open_link(page: Page, app_url: str, name: str) -> str:
    """Open a link, wait for its text, and return the question about it."""
    link, example, question = LINKS[name]
    page.goto(f"{app_url}{link}{example}")
    if example:
        expect(page.locator('textarea:is([aria-label="Your text"], [aria-label="Text"])')).to_have_value(
            sample(example).text
        )
    if name == "chat":
        expect(page.locator(".token-view .t").first).to_be_visible()
    rest(page)
    return question


@pytest.mark.parametrize("name", LINKS)
def test_a_presenter_asks_about_what_is_in_sight_and_returns(page: Page, app_url: str, name: str) -> None:
    page.set_viewport_size(ViewportSize(width=1280, height=720))
    question = open_link(page, app_url, name)
    asking = page.get_by_role("button", name="Ask (Q)")
    expect(asking).to_be_hidden()
    page.get_by_role("button", name="Present", exact=True).click()
    asking.press("q")  # wherever the focus is
    slides = page.get_by_role("region", name="Slides")
    expect(slides.locator(".question")).to_contain_text(question, timeout=CHARTS_MS)
    expect(slides.locator(".figure:not([aria-busy])")).to_be_visible()
    page.keyboard.press("r")
    expect(slides.locator(".choice.right")).not_to_have_count(0)
    page.locator(".slides-bar").get_by_role("link", name="Back to the page").click()
    expect(page.get_by_role("button", name="Ask (Q)")).to_be_visible()


def test_phones_are_asked_and_answered(page: Page, app_url: str, browser: Browser) -> None:
    def ask(name: str) -> str:
        question = open_link(page, app_url, name)
        if name == "tokens":  # the next page is presented, too
            page.get_by_role("button", name="Present", exact=True).click()
        expect(page.get_by_role("button", name="Ask (Q)")).to_be_visible()
        page.keyboard.press("q")
        expect(slides.locator(".question")).to_contain_text(question, timeout=CHARTS_MS)
        return question

    slides = page.get_by_role("region", name="Slides")
    page.set_viewport_size(ViewportSize(width=1280, height=720))
    context = browser.new_context(viewport=ViewportSize(width=375, height=740))
    phone = context.new_page()
    question = ask("tokens")
    page.get_by_role("button", name="Open a room").click()
    address = slides.locator(".address")
    expect(address).to_have_text(ROOM)
    phone.goto(f"{app_url}r/{address.inner_text().rpartition('/')[2]}")
    expect(phone.get_by_role("heading")).to_contain_text(question)
    phone.get_by_role("button", name=re.compile("^A ")).click()
    page.keyboard.press("ArrowRight")
    expect(slides.locator(".vote-status")).to_have_text("1 of 1 phone has voted")
    page.keyboard.press("r")
    expect(phone.get_by_text(re.compile("the answer is|^Right"))).to_be_visible()
    question = ask("compare")  # with the room still open
    expect(phone.get_by_role("heading")).to_contain_text(question)
    expect(slides.locator(".vote-status")).to_have_text("0 of 1 phone has voted")
    context.close()


@pytest.mark.parametrize("way", ["//evil.example", "\t/evil.example", "/\\evil.example", "https://evil.example"])
def test_a_link_leads_back_to_no_other_site(page: Page, widgets_url: str, way: str) -> None:
    fields = urlencode({"page": "", "tokenizer": "gpt2", "sample": "words-contractions", "back": way})
    page.goto(f"{widgets_url}lesson?for=question#{fields}")
    href = page.get_by_role("link", name="Back to the page").first.evaluate("link => link.href", timeout=CHARTS_MS)
    assert href.startswith(widgets_url)
