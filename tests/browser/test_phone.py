"""A phone that was locked: the server has dropped its session, and the text is restored.

The server drops a session two minutes after its line broke. Nobody waits for that here: the server is stopped and
started anew, so it knows no session when the phone comes back and asks for its own.
"""

import re

from browsing import served
from playwright.sync_api import Browser, expect
from running_app import free_port

from pages import TrainPage, next_frame, rest

TEXT = "typed before the phone was locked 🍕"
LINE = "the cat in the hat sat on the mat"


def test_text_and_recipe_survive_a_locked_phone_and_a_server_restart(browser: Browser) -> None:
    """On a phone the Tokens page, at a desk the Train page, whose tokenizer is gone with the server."""
    desk = browser.new_context(reduced_motion="reduce")
    phone = browser.new_context(viewport={"width": 375, "height": 812}, has_touch=True, is_mobile=True)
    page = phone.new_page()
    port = free_port()
    with served(port) as url:
        page.goto(url)
        editor = page.get_by_label("Your text")
        expect(page.locator(".t").first).to_contain_text("The")
        page.get_by_role("combobox", name="Tokenizer").fill("gpt2")
        page.keyboard.press("Enter")
        editor.fill(TEXT)
        expect(page.locator(".token-view")).to_contain_text("typed before")
        train = TrainPage.open(desk.new_page(), url)
        train.write(LINE)
        train.count.fill("3")
        train.train()
    lost = page.get_by_text("Not connected: your text is safe, colors will catch up")
    editor.press_sequentially("!")
    expect(lost).to_be_visible()
    with served(port):
        # A new session, in the page that stayed open.
        expect(lost).to_be_hidden()
        expect(page.locator(".t").last).to_have_text("!")
        expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-connection-state", "CONNECTED")
        expect(page.locator("[data-testid=stApp][data-test-script-state=notRunning]")).to_be_visible()
        expect(page.get_by_label("Your text")).to_have_value(TEXT + "!")
        expect(page.get_by_role("combobox", name="Tokenizer")).to_have_value("GPT-2")
        # Or the phone's system had discarded the page, and reloads it.
        page.reload()
        expect(page.get_by_label("Your text")).to_have_value(TEXT + "!")
        expect(page.get_by_role("combobox", name="Tokenizer")).to_have_value("GPT-2")
        expect(page.locator(".token-view")).to_contain_text("typed before")
        train.page.reload()
        expect(train.text).to_have_value(LINE)
        expect(train.count).to_have_value("3")
        expect(train.result).to_be_hidden()
        train.count.fill("4")
        train.train()
        expect(train.size).to_contain_text("260 tokens: 4 merged")
    phone.close()
    desk.close()


WATCH_FOR_DIALOGS = """
    window.dialogOpened = false;
    const look = () => { window.dialogOpened ||= document.querySelector(".stDialog") !== null; };
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
"""


def test_streamlit_dialog_swallows_no_keys(browser: Browser) -> None:
    """The dialog opens about two seconds after the server has stopped, and would take the focus of any page."""
    with browser.new_context() as context:
        context.add_init_script(WATCH_FOR_DIALOGS)
        editors = []
        with served(free_port()) as url:
            for path in ("", "compare", "replay"):
                page = context.new_page()
                page.goto(f"{url}{path}")
                editors.append(page.get_by_label("Your text", exact=True))
                editors[-1].fill("")
                rest(page)
        for editor in editors:
            editor.focus()
        typed = [""] * len(editors)
        while waiting := [k for k, editor in enumerate(editors) if not editor.page.evaluate("dialogOpened")]:
            for k in waiting:
                editors[k].page.keyboard.type("a")
                typed[k] += "a"
                next_frame(editors[k].page)
            assert len(typed[waiting[0]]) < 5_000, "the dialog never opened"
        for editor, before in zip(editors, typed, strict=True):
            editor.page.keyboard.type("b")
            expect(editor.page.locator(".stDialog")).to_have_count(0)
            editor.page.keyboard.type("c")
            expect(editor).to_have_value(f"{before}bc")


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
        expect(card).to_contain_text("Tap a token")


def test_what_is_tapped_after_typing_is_not_covered(browser: Browser, widgets_url: str) -> None:
    """The card of the caret's token stays in its place, when the editor loses the focus to a tap."""
    with browser.new_context(viewport={"width": 375, "height": 667}, has_touch=True, is_mobile=True) as phone:
        page = phone.new_page()
        page.goto(widgets_url)
        page.get_by_label("Your text").fill("a short text")
        card = page.get_by_role("region", name="Token")
        expect(card).to_have_class(re.compile("pinned"))
        page.locator(".token-view .t").filter(has_text="short").tap()
        expect(card.locator(".big")).to_contain_text("short")
        expect(card).to_be_in_viewport(ratio=0.99)
