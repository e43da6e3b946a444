"""Features of all pages: the shared text, links, and presenter mode."""

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect
from tabs import Watched

from pages import (
    CompressionPage,
    TokensPage,
    TrainPage,
    drop_file,
    go_to,
    header,
    packed,
    rest,
    share,
)
from tokviz.app.streamlit.components import first_text
from tokviz.samples import sample

LINK_FIELDS = urlencode({"text": packed(b"brought by a link")})

# The text of a page, alone


def test_link_loads_its_text_and_is_removed_from_the_address(page: Page, widgets_url: str) -> None:
    page.goto(f"{widgets_url}compression#{LINK_FIELDS}")
    expect(CompressionPage(page).text).to_have_value("brought by a link")
    assert "#" not in page.url
    assert share(page).endswith(f"#{LINK_FIELDS}")


def test_link_pasted_into_the_address_of_the_same_page_is_opened(page: Page, widgets_url: str) -> None:
    page.goto(f"{widgets_url}compression")
    expect(page.get_by_role("button", name="share")).to_be_visible()
    page.goto(f"{widgets_url}compression#{LINK_FIELDS}")
    expect(CompressionPage(page).text).to_have_value("brought by a link")


def test_text_from_a_link_survives_a_reload(page: Page, widgets_url: str) -> None:
    TokensPage.open(page, widgets_url).write("an older text")
    page.goto(f"{widgets_url}compression#{LINK_FIELDS}")
    expect(CompressionPage(page).text).to_have_value("brought by a link")
    page.reload()
    expect(CompressionPage(page).text).to_have_value("brought by a link")
    page.goto(widgets_url)
    expect(TokensPage(page).editor).to_have_value("brought by a link")


def test_typed_text_is_remembered(page: Page, widgets_url: str) -> None:
    page.goto(f"{widgets_url}compression?chart=Merges")
    CompressionPage(page).text.fill("typed beside charts")
    assert share(page).endswith(f"#{urlencode({'text': packed(b'typed beside charts')})}")
    page.goto(widgets_url)
    expect(TokensPage(page).editor).to_have_value("typed beside charts")


def test_default_text_is_not_remembered(page: Page, widgets_url: str) -> None:
    tokens = TokensPage.open(page, widgets_url)
    before = tokens.editor.input_value()
    page.goto(f"{widgets_url}compression?chart=Merges")
    compression = CompressionPage(page)
    expect(compression.text).to_have_value(first_text())
    expect(compression.examples).to_have_value("prose-and-code")
    page.goto(widgets_url)
    expect(tokens.editor).to_have_value(before)


def test_link_to_an_example_loads_it(page: Page, widgets_url: str) -> None:
    page.goto(f"{widgets_url}compression#sample=prose-ja")
    expect(CompressionPage(page).text).to_have_value(sample("prose-ja").text)
    expect(CompressionPage(page).examples).to_have_value("prose-ja")
    assert share(page).endswith("#sample=prose-ja")


def test_an_example_is_not_called_the_readers_text(page: Page, widgets_url: str) -> None:
    page.goto(f"{widgets_url}compression?chart=Merges")
    compression = CompressionPage(page)
    compression.examples.select_option("emoji-faces")
    expect(compression.text).to_have_value(sample("emoji-faces").text)
    compression.text.focus()  # which opens it, and what is said of it
    expect(page.get_by_text("an example: change it, or paste your own")).to_be_visible()
    compression.text.press("End")
    compression.text.press_sequentially("!")
    expect(page.get_by_text("an example:")).to_have_count(0)
    expect(compression.examples).to_have_value("")
    expect(page.get_by_text(f"{len(sample('emoji-faces').text) + 1:,} code points", exact=True)).to_be_visible()


def test_on_paper_stands_how_the_text_begins(page: Page, widgets_url: str) -> None:
    page.goto(f"{widgets_url}compression?chart=Merges")
    compression = CompressionPage(page)
    compression.text.fill("ein Text " * 100)
    page.emulate_media(media="print")
    expect(compression.text).to_be_hidden()
    printed = page.get_by_text(re.compile("^The text, 900 code points: “ein Text"))
    expect(printed).to_have_text(f"The text, 900 code points: “{('ein Text ' * 100)[:200]}…”")
    expect(printed).to_be_visible()


def test_a_dropped_file_is_opened(page: Page, widgets_url: str) -> None:
    page.goto(f"{widgets_url}compression?chart=Merges")
    compression = CompressionPage(page)
    expect(compression.text).to_have_value(first_text())
    drop_file(compression.text, "some.txt", "Grüße".encode())
    expect(compression.text).to_have_value("Grüße")


def test_broken_link_is_reported(page: Page, widgets_url: str) -> None:
    page.goto(f"{widgets_url}compression#text=AAAA_not-deflate")
    expect(page.get_by_role("alert").filter(has_text="This link is damaged")).to_be_visible()


@pytest.mark.parametrize(
    ("where", "problem"),
    [("compression", "This text could not be loaded."), ("replay", "Not connected: try again in a moment.")],
)
def test_link_whose_text_cannot_be_fetched_is_reported(
    page: Page, widgets_url: str, where: str, problem: str, watched: Watched
) -> None:
    page.route("**/_tokviz/sample*", lambda route: route.abort())
    page.goto(f"{widgets_url}{where}#sample=prose-ja")
    expect(page.get_by_role("alert").filter(has_text=problem)).to_be_visible()
    watched.problems.clear()  # the browser's own


def test_presenter_mode_persists_across_pages(page: Page, widgets_url: str) -> None:
    TokensPage.open(page, widgets_url)
    page.get_by_role("button", name="present").click()
    expect(header(page)).to_be_hidden()
    page.goto(f"{widgets_url}compression")
    expect(header(page)).to_be_hidden()
    page.keyboard.press("f")
    expect(header(page)).to_be_visible()
    TokensPage.open(page, widgets_url)
    expect(header(page)).to_be_visible()


OUT_OF_ORDER = """async () => {
    const { default: start } = await import("./_page/tokens.js");
    const [, common, shown] = JSON.parse(document.getElementById("given").textContent);
    const host = document.createElement("div");
    document.querySelector("main").replaceChildren(host);
    const parentElement = host.attachShadow({ mode: "open" });
    const show = (number, title) => start({
        data: [number, { ...common, samples: [{ name: "one", title, kind: common.samples[0].kind }] }, shown],
        parentElement, setStateValue: () => {},
    });
    show(3, "the newest");
    show(2, "older");
}"""


def test_data_that_arrive_late_do_not_replace_newer_ones(page: Page, widgets_url: str) -> None:
    TokensPage.open(page, widgets_url)
    page.evaluate(OUT_OF_ORDER)
    expect(page.get_by_label("Examples").locator("option", has_text="the newest")).to_have_count(1)
    expect(page.get_by_label("Examples").locator("option", has_text="older")).to_have_count(0)


# In the app


def test_text_is_shared_by_all_pages(page: Page, app_url: str) -> None:
    """From a link to a page of charts, to the editor, back to charts, and through a reload."""
    compression = CompressionPage.open(page, f"{app_url}compression#{LINK_FIELDS}")
    expect(page.get_by_text("17 bytes").first).to_be_visible()
    expect(compression.text).to_have_value("brought by a link")
    # The link does not undo later typing.
    compression.write("Hello, 🌍! 你好!")
    expect(page.get_by_text("GPT-2: 50,000 merges turn 20 bytes into 12 tokens")).to_be_visible()
    assert share(page).endswith(f"#{urlencode({'text': packed('Hello, 🌍! 你好!'.encode())})}")
    go_to(page, "Tokens")
    tokens = TokensPage(page)
    expect(tokens.editor).to_have_value("Hello, 🌍! 你好!")
    tokens.write("one text for all pages")
    go_to(page, "Compression")
    expect(page.get_by_text("22 bytes").first).to_be_visible()
    expect(page.get_by_role("button", name="share")).to_have_count(1)  # the previous page's button is gone
    link = share(page)
    assert re.search("/compression(\\?[^#]*)?#text=", link)
    assert link.endswith(f"#{urlencode({'text': packed(b'one text for all pages')})}")
    page.reload()
    expect(compression.text).to_have_value("one text for all pages")


def test_text_typed_on_the_train_page_survives_a_reload(page: Page, app_url: str) -> None:
    TokensPage.open(page, app_url).write("an older text")
    train = TrainPage.open(page, app_url)
    expect(train.text).to_have_value("an older text")
    train.write("typed here")
    assert f"text={packed(b'typed here')}" in share(page)
    page.reload()
    expect(train.text).to_have_value("typed here")
    go_to(page, "Tokens")
    expect(TokensPage(page).editor).to_have_value("typed here")  # it is the text of all pages


def test_a_setting_of_the_view_keeps_the_default_text(page: Page, app_url: str) -> None:
    tokens = TokensPage.open(page, app_url)
    page.get_by_role("switch", name="marks").uncheck()
    before = tokens.editor.input_value()
    go_to(page, "Compression")
    expect(page.get_by_role("heading", name="Which languages pay more?")).to_be_visible()
    go_to(page, "Tokens")
    expect(tokens.editor).to_have_value(before)
    expect(page.get_by_role("switch", name="marks")).not_to_be_checked()


def test_changing_pages_leaks_nothing(page: Page, app_url: str) -> None:
    TokensPage.open(page, app_url)
    wire = page.context.new_cdp_session(page)

    def counted() -> tuple[int, int]:
        """The style sheets of presenter mode and the listeners that there are."""
        rest(page)
        wire.send("HeapProfiler.collectGarbage")
        styles = int(page.evaluate("document.adoptedStyleSheets.length"))
        return styles, int(wire.send("Memory.getDOMCounters")["jsEventListeners"])

    def visit_and_return() -> None:
        go_to(page, "Compression")
        expect(page.get_by_role("heading", name="Which languages pay more?")).to_be_visible()
        go_to(page, "Tokens")
        expect(page.locator(".tokviz.tokens .t").first).to_be_visible()  # the page before shows tokens too

    visit_and_return()
    _, listeners = counted()
    for _ in range(3):
        visit_and_return()
    styles, after = counted()
    assert styles == 1
    assert after <= listeners + 12  # Streamlit's own; a widget that leaked its listeners would leak a hundred
