"""Any page can ask: while presenting, a question about what is in sight, on a slide."""

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from pages import CHARTS_MS, rest

LINKS = {
    "tokens": ("#tokenizer=gpt2&sample=words-contractions", "How many tokens does GPT-2 make of this text?"),
    "compare": ("compare#compare=gpt2,cl100k_base&sample=code-python", "Which of these makes the fewest tokens"),
    "replay": ("replay#story=apply&tokenizer=gpt2&step=0&text=y0jNyckHAA", "Which pair is joined next?"),
}


@pytest.mark.parametrize("name", LINKS)
def test_a_presenter_asks_about_what_is_in_sight_and_returns(page: Page, app_url: str, name: str) -> None:
    link, question = LINKS[name]
    page.set_viewport_size(ViewportSize(width=1280, height=720))
    page.goto(f"{app_url}{link}")
    expect(page.get_by_role("button", name="present", exact=True)).to_be_visible()
    rest(page)
    asking = page.get_by_role("button", name="ask (Q)")
    expect(asking).to_be_hidden()
    page.get_by_role("button", name="present", exact=True).click()
    expect(asking).to_be_visible()
    page.keyboard.press("q")
    slides = page.get_by_role("region", name="Slides")
    expect(slides.locator(".question")).to_contain_text(question, timeout=CHARTS_MS)
    expect(slides.locator(".figure:not([aria-busy])")).to_be_visible()
    page.keyboard.press("r")
    expect(slides.locator(".choice.right")).to_have_count(1)
    page.locator(".slides-bar").get_by_role("link", name="Back to the page").click()
    expect(page.get_by_role("button", name="ask (Q)")).to_be_visible()
