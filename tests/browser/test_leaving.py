"""Input made just before a change of page is kept. The order of messages is controlled by the tests."""

import re
import time

from browsing import TIMEOUT_MS
from playwright.sync_api import Page, WebSocketRoute, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from tabs import Watched

from pages import TRAINING_MS, CompressionPage, HeldRequests, TokensPage, go_to
from tokviz.app.answers.visitors.share_codes import Origin, write
from tokviz.app.shields.processes.training_recipes import Recipe
from tokviz.lesson.links import write_link


class Wire:
    """The WebSocket to the session. While held, messages to the server are delayed, then sent all at once."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._held: list[str | bytes] | None = None
        page.route_web_socket(re.compile("_stcore/stream"), self._connect)

    def _connect(self, line: WebSocketRoute) -> None:
        self._server = line.connect_to_server()
        line.on_message(self._send)

    def _send(self, message: str | bytes) -> None:
        if self._held is None:
            self._server.send(message)
        else:
            self._held.append(message)

    def hold(self) -> None:
        self._held = []

    def wait_for(self, said: str) -> None:
        """Wait until a message that says this is held."""
        begun = time.monotonic()
        while not any(said.encode() in message.SerializeToString() for message in self._reruns()):
            assert time.monotonic() - begun < TIMEOUT_MS / 1000, f"the session was not told {said!r}"
            self._page.evaluate("0")  # lets Playwright process messages

    def requested_pages(self) -> set[str]:
        """The pages that the messages held are for."""
        return {message.rerun_script.page_script_hash for message in self._reruns()}

    def _reruns(self) -> list[BackMsg]:
        messages = [BackMsg.FromString(each) for each in self._held or () if isinstance(each, bytes)]
        return [message for message in messages if message.HasField("rerun_script")]

    def release(self) -> None:
        held, self._held = self._held or [], None
        for message in held:
            self._server.send(message)


def test_text_typed_just_before_or_after_the_click_that_leaves_is_kept(page: Page, app_url: str) -> None:
    tokens = TokensPage.open(page, app_url)
    expect(page.locator(".t").first).to_contain_text("The")
    tokens.editor.fill("typed last")
    # Like a tap: the editor loses focus and the link is followed immediately.
    page.get_by_role("link", name="Compression").evaluate("link => { document.activeElement.blur(); link.click() }")
    expect(page.get_by_role("heading", name="What merges buy, and what a text costs")).to_be_visible()
    CompressionPage(page).ask("What does each merge buy?")
    expect(page.get_by_text("10 bytes").first).to_be_visible()
    go_to(page, "Tokens")
    expect(tokens.text.locator(".t").first).to_contain_text("typed")
    # What is sent after the click does not lead back.
    tokens.editor.focus()
    link = page.get_by_role("link", name="Compression").element_handle()
    tokens.editor.evaluate(
        """(box, link) => {
            link.click();
            box.value = "typed later";
            box.dispatchEvent(new Event("input", { bubbles: true }));
            box.blur();
        }""",
        link,
    )
    expect(page.get_by_role("heading", name="What merges buy, and what a text costs")).to_be_visible()
    CompressionPage(page).ask("What does each merge buy?")
    expect(page.get_by_text("11 bytes").first).to_be_visible()


def test_page_changes_only_after_the_session_received_the_text(page: Page, app_url: str) -> None:
    wire = Wire(page)
    page.goto(app_url)
    expect(page.locator(".t").first).to_contain_text("The")
    wire.hold()
    page.get_by_label("Your text").fill("typed last")
    page.get_by_role("link", name="Compression").click()
    wire.wait_for("typed last")
    assert len(wire.requested_pages()) == 1  # the old page
    wire.release()
    CompressionPage(page).ask("What does each merge buy?")
    expect(page.get_by_text("10 bytes").first).to_be_visible()


def test_tokenizer_from_a_link_opened_just_before_leaving_is_kept(page: Page, app_url: str, watched: Watched) -> None:
    wire = Wire(page)
    recipe = write(Origin("made of cats", Recipe(280), texts=("the cat in the hat",)))
    asked = HeldRequests(page, "**/_tokviz/made*")
    page.goto(write_link(app_url, {"tokenizer": "gone", "made": f"gone.{recipe}"}, "the cat"))
    expect(page.get_by_text("Making the tokenizer of this link")).to_be_visible()
    expect(page.locator("[data-testid=stApp]")).to_have_attribute("data-test-script-state", "notRunning")
    wire.hold()
    asked.take().continue_()
    expect(page.get_by_role("combobox", name="Tokenizer")).to_have_value("made of cats", timeout=TRAINING_MS)
    page.get_by_role("link", name="Compression").click()
    wire.wait_for("adopted")
    assert len(wire.requested_pages()) == 1  # the old page
    asked.end()  # on a slow machine the next page asks for it again
    wire.release()
    expect(page.get_by_role("button", name="Remove made of cats")).to_have_count(1)
