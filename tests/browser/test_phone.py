"""A phone that was locked: the server has dropped its session, and the text is restored.

The server drops a session two minutes after its line broke. Nobody waits for that here: the server is stopped and
started anew, so it knows no session when the phone comes back and asks for its own.
"""

import re

from browsing import served
from playwright.sync_api import Browser, Locator, Page, expect
from running_app import free_port

from pages import TokensPage, TrainPage, go_to, next_frame, rest

TEXT = "typed before the phone was locked 🍕"
LINE = "the cat in the hat sat on the mat"


WATCH_FOR_DIALOGS = """
    window.dialogOpened = false;
    const look = () => { window.dialogOpened ||= document.querySelector(".stDialog") !== null; };
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
"""


def test_the_server_stops_and_starts_anew(browser: Browser) -> None:
    """On a phone the Tokens page, at a desk the Train page, and three pages typed into while the server stops.

    The app runs in a folder of its address: starting one takes long.
    """
    desk = browser.new_context(reduced_motion="reduce")
    phone = browser.new_context(viewport={"width": 375, "height": 812}, has_touch=True, is_mobile=True)
    typists = browser.new_context()
    typists.add_init_script(WATCH_FOR_DIALOGS)
    page = phone.new_page()
    port, folder = free_port(), "tools/tokviz"
    with served(port, f"--server.baseUrlPath={folder}", path=f"{folder}/") as url:
        expect_all_of_the_app_in_a_folder(desk.new_page(), url)
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
        editors = [open_editor(typists.new_page(), f"{url}{path}") for path in ("", "compare", "replay")]
    lost = page.get_by_text("Not connected: your text is safe, colors will catch up")
    editor.press_sequentially("!")
    expect_no_key_swallowed(editors)
    typists.close()
    expect(lost).to_be_visible()
    with served(port, f"--server.baseUrlPath={folder}", path=f"{folder}/"):
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
        # The new server lacks the tokenizer: the tab's recipe makes it again.
        expect(train.size).to_contain_text("259 tokens: 3 merged")
        train.count.fill("4")
        train.train()
        expect(train.size).to_contain_text("260 tokens: 4 merged")
    phone.close()
    desk.close()


def expect_all_of_the_app_in_a_folder(page: Page, url: str) -> None:
    """Expect tokens, examples, pages and files where the app is not at the root of its address. Closes the page."""
    tokens = TokensPage.open(page, url)
    tokens.editor.fill("typed in a folder")
    expect(tokens.text.locator(".t").last).to_contain_text("folder")
    tokens.examples.select_option("prose-de")
    expect(tokens.editor).not_to_have_value("typed in a folder")
    go_to(page, "Course")
    page.get_by_role("link", name="The lesson").click()
    pack = page.get_by_role("link", name="Class pack").evaluate("link => link.href")
    assert pack == f"{url}_tokviz/class-pack"
    assert page.request.post(pack).status == 405  # a file to get is there; making it takes ten seconds
    page.close()


def open_editor(page: Page, address: str) -> Locator:
    """Open a page with an empty text, and return its editor with the focus."""
    page.goto(address)
    editor = page.get_by_label("Your text", exact=True)
    editor.fill("")
    rest(page)
    editor.focus()
    return editor


def expect_no_key_swallowed(editors: list[Locator]) -> None:
    """Type until Streamlit's dialog opens on each page, which would take the focus of any, and after.

    It opens about two seconds after the server has stopped.
    """
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
        page.get_by_label("Your text").press("ArrowLeft")
        card = page.get_by_role("region", name="Token")
        expect(card).to_have_class(re.compile("pinned"))
        page.locator(".token-view .t").filter(has_text="short").tap()
        expect(card.locator(".big")).to_contain_text("short")
        expect(card).to_be_in_viewport(ratio=0.99)
