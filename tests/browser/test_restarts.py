"""The server stops and starts anew while tabs are open, and all that is in them is restored.

A locked phone finds its session gone as well: the server drops one two minutes after its line broke, for which nobody
waits here. A server that has started anew knows no session when a phone comes back and asks for its own.
"""

from dataclasses import asdict

from browsing import served
from playwright.sync_api import Browser, Locator, Page, expect
from running_app import free_port
from tabs import Watched

import tokviz
from pages import TRAINING_MS, TokensPage, TrainPage, go_to, next_frame, rest
from tokviz.app.answers.visitors.share_codes import Origin, write
from tokviz.app.shields.processes.training_recipes import Recipe
from tokviz.lesson.links import write_link

RECIPE = Recipe(270)
TRAINED_ON, TYPED = "the cat in the hat", "the hat in the cat, the hat"
TEXT = "typed before the phone was locked 🍕"
LINE = "the cat in the hat sat on the mat"


WATCH_FOR_DIALOGS = """
    window.dialogOpened = false;
    const look = () => { window.dialogOpened ||= document.querySelector(".stDialog") !== null; };
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
"""


def test_the_server_stops_and_starts_anew(browser: Browser) -> None:
    """On a phone the Tokens page, at a desk a link to a tokenizer and the Train page, and three that are typed into.

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
        made = open_link(desk.new_page(), url)
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
        # The new server lacks the tokenizers: the tabs' recipes make them again.
        expect_made_again(made)
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


def open_link(page: Page, url: str) -> TokensPage:
    """Open a link to a tokenizer that the server lacks, and wait for what its recipe makes."""
    recipe = write(Origin("made of cats", RECIPE, texts=(TRAINED_ON,)))
    tokens = TokensPage.open(page, write_link(url, {"tokenizer": "gone", "made": f"gone.{recipe}"}, TYPED))
    expect_made(tokens, TYPED)
    return tokens


def expect_made(tokens: TokensPage, text: str) -> None:
    """Expect the tokens of a text under the link's tokenizer."""
    expected = len(tokviz.train(TRAINED_ON, **asdict(RECIPE)).encode(text))
    assert expected != len(tokviz.load("cl100k_base").encode(text))
    expect(tokens.tokenizer).to_have_value("made of cats", timeout=TRAINING_MS)
    expect(tokens.count("tokens")).to_have_text(str(expected))


def expect_made_again(tokens: TokensPage) -> None:
    """Expect the link's tokenizer to be made again with the first key, and to be there after a reload."""
    tokens.editor.press("End")
    tokens.editor.press_sequentially("s")
    expect(tokens.page.get_by_text("The server no longer had “made of cats”, so it was made again.")).to_be_visible()
    expect_made(tokens, f"{TYPED}s")
    tokens.page.reload()
    expect_made(tokens, f"{TYPED}s")


def open_editor(page: Page, address: str) -> Locator:
    """Open a page with an empty text, and return its editor with the focus."""
    page.goto(address)
    editor = page.get_by_label("Your text", exact=True)
    expect(editor).not_to_have_value("")  # the page's example has arrived, which an empty editor would still take
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


def test_a_tokenizer_from_a_file_that_a_restart_took_is_named(page: Page, widgets_url: str, watched: Watched) -> None:
    """Nothing in the tab can make it again, so the page says why it shows another."""
    page.goto(widgets_url)
    page.evaluate(
        """() => {
            sessionStorage.setItem("tokviz:/:own", JSON.stringify([["a".repeat(22), "", "my.model"]]));
            sessionStorage.setItem("tokviz:/", JSON.stringify({ tokenizer: "a".repeat(22), source: "the cat" }));
        }"""
    )
    page.reload()
    expect(page.get_by_text("“my.model” is no longer on this server: train it again")).to_be_visible()
    expect(page.get_by_role("combobox", name="Tokenizer")).to_have_value("cl100k (GPT-4, GPT-3.5)")
    watched.problems.clear()  # the server says that it is gone
