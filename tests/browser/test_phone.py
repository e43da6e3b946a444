"""A phone, on which a token is tapped and its card is read."""

import re

from playwright.sync_api import Browser, expect

from pages import CompressionPage, resting_box


def test_tapped_token_and_its_card_are_both_visible(browser: Browser, widgets_url: str) -> None:
    with browser.new_context(viewport={"width": 375, "height": 667}, has_touch=True, is_mobile=True) as phone:
        page = phone.new_page()
        page.goto(widgets_url)
        token = page.locator(".token-view .t").filter(has_text="was")
        token.scroll_into_view_if_needed()
        token.tap()
        card = page.get_by_role("region", name="Token")
        expect(card).to_contain_text("merge")  # loads last, and makes the card grow
        expect(card).to_be_in_viewport(ratio=0.99)
        for name in ("The", "was", "crumbs"):  # each in turn, though the card is open
            token = page.locator(".token-view .t").filter(has_text=re.compile(rf"^\W?{name}$"))
            token.tap()
            expect(card.locator(".big")).to_contain_text(name)
            sheet, box = card.bounding_box(), token.bounding_box()
            assert sheet and box
            assert box["y"] + box["height"] < sheet["y"]
        page.get_by_role("button", name="Let go of this token").tap()
        expect(card).to_be_hidden()


def test_what_is_tapped_after_typing_is_not_covered(browser: Browser, widgets_url: str) -> None:
    """Nothing moves under the finger when the editor loses the focus to a tap."""
    with browser.new_context(viewport={"width": 375, "height": 667}, has_touch=True, is_mobile=True) as phone:
        page = phone.new_page()
        page.goto(widgets_url)
        page.get_by_label("Your text").fill("a short text")
        page.get_by_label("Your text").press("ArrowLeft")
        card = page.get_by_role("region", name="Token")
        page.locator(".token-view .t").filter(has_text="short").tap()
        expect(card.locator(".big")).to_contain_text("short")
        expect(card).to_be_in_viewport(ratio=0.99)


def test_tapped_question_stays_under_the_finger(browser: Browser, app_url: str) -> None:
    """The text field and the answer appear beneath the questions."""
    with browser.new_context(viewport={"width": 375, "height": 812}, has_touch=True, is_mobile=True) as phone:
        compression = CompressionPage.open(phone.new_page(), f"{app_url}compression")
        questions = compression.questions.locator("label")
        before = [resting_box(each) for each in questions.all()[:4]]
        questions.filter(has_text="Which tokenizer suits this text?").tap()
        expect(compression.page.get_by_role("figure", name=re.compile("Bars of"))).to_be_visible()
        compression.expect_charts(1)
        assert [resting_box(each) for each in questions.all()[:4]] == before
        asked = resting_box(compression.questions)
        text, chart = resting_box(compression.text), resting_box(compression.charts.first)
        assert asked["y"] + asked["height"] <= text["y"] and text["y"] + text["height"] <= chart["y"] < 812
