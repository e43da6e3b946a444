"""What all pages have in common: they share the text, open links to it, and present."""

import re

import pytest
from conftest import Watched
from playwright.sync_api import Locator, Page, expect
from test_sharing import packed, smallest_type


def go_to(page: Page, name: str) -> None:
    # A message that is sent when focus leaves can overtake the navigation.
    page.get_by_role("link", name=name, exact=True).first.click(delay=50)


def test_a_link_brings_its_text_to_a_page_of_charts(page: Page, app_url: str, watched: Watched) -> None:
    page.goto(f"{app_url}compression#text={packed(b'brought by a link')}")
    expect(page.get_by_text("17 bytes").first).to_be_visible()  # what is clicked while the page is made can be lost
    page.get_by_text(re.compile("^(Your|The) text")).click()
    box = page.get_by_label("Text", exact=True)
    expect(box).to_have_value("brought by a link")
    assert "#" not in page.url
    # What is typed there afterwards is not taken back by the link.
    box.fill("typed afterwards")
    box.press("Control+Enter")
    expect(page.get_by_text("16 bytes").first).to_be_visible()
    go_to(page, "Tokens")
    expect(page.get_by_label("Your text")).to_have_value("typed afterwards")


def text_box(page: Page) -> Locator:
    """The text of all pages, as pages without an editor show it, unfolded."""
    page.get_by_text(re.compile("^(Your|The) text")).click()
    return page.get_by_label("Text", exact=True)


def write_on_the_tokens_page(page: Page, app_url: str, text: str) -> None:
    page.goto(app_url)
    page.get_by_label("Your text").fill(text)
    expect(page.locator('[data-count="bytes"]')).to_have_text(str(len(text)))
    page.wait_for_timeout(1000)  # by now the page has saved what it remembers


PAGES_WITH_A_BOX = ["compression", "train?learn-from=My+text"]


@pytest.mark.parametrize("where", PAGES_WITH_A_BOX)
def test_a_text_brought_by_a_link_outlives_a_reload(page: Page, app_url: str, where: str) -> None:
    write_on_the_tokens_page(page, app_url, "an older text")
    page.goto(f"{app_url}{where}#text={packed(b'brought by a link')}")
    expect(text_box(page)).to_have_value("brought by a link")
    page.reload()
    expect(text_box(page)).to_have_value("brought by a link")
    page.goto(app_url)
    expect(page.get_by_label("Your text")).to_have_value("brought by a link")


def test_a_link_that_is_put_into_the_address_of_the_same_page_is_opened(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}compression")
    expect(page.get_by_text("What does each merge buy?")).to_be_visible()
    page.goto(f"{app_url}compression#text={packed(b'brought by a link')}")
    expect(text_box(page)).to_have_value("brought by a link")


@pytest.mark.parametrize("where", PAGES_WITH_A_BOX)
def test_a_text_typed_beside_charts_outlives_a_reload(page: Page, app_url: str, where: str) -> None:
    write_on_the_tokens_page(page, app_url, "an older text")
    page.goto(f"{app_url}{where}")
    box = text_box(page)
    expect(box).to_have_value("an older text")
    box.fill("typed here")
    box.press("Control+Enter")
    expect(page.locator("[data-testid=stApp]")).to_have_attribute("data-test-script-state", "notRunning")
    page.get_by_role("button", name="share").click()
    expect(page.get_by_label("Link", exact=True)).to_have_value(re.compile(f"#text={packed(b'typed here')}$"))
    page.reload()
    expect(text_box(page)).to_have_value("typed here")


def test_a_text_that_nobody_typed_is_not_remembered(page: Page, app_url: str) -> None:
    page.goto(app_url)
    page.get_by_role("switch", name="marks").uncheck()  # the session knows a view, and no text
    expect(page.locator(".t").first).to_contain_text("The")
    before = page.get_by_label("Your text").input_value()
    go_to(page, "Compression")
    expect(page.get_by_text("What does each merge buy?")).to_be_visible()
    go_to(page, "Tokens")
    expect(page.get_by_label("Your text")).to_have_value(before)


def test_a_page_of_charts_shares_the_text_of_all_pages(page: Page, app_url: str) -> None:
    page.goto(app_url)
    page.get_by_label("Your text").fill("one text for all pages")
    expect(page.locator(".t").last).to_contain_text("pages")
    page.get_by_label("Your text").blur()
    go_to(page, "Compression")
    expect(page.get_by_text("What does each merge buy?")).to_be_visible()
    expect(page.get_by_role("button", name="share")).to_have_count(1)  # that of the page before is gone
    page.get_by_role("button", name="share").click()
    link = page.get_by_label("Link", exact=True).input_value()
    assert re.search("/compression(\\?[^#]*)?#text=", link)
    assert link.endswith(f"text={packed(b'one text for all pages')}")


def test_what_is_typed_beside_charts_is_what_is_shared(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}compression")
    page.get_by_text(re.compile("^(Your|The) text")).click()
    box = page.get_by_label("Text", exact=True)
    box.fill("typed here")
    box.press("Control+Enter")
    expect(page.get_by_text("10 bytes").first).to_be_visible()
    page.get_by_role("button", name="share").click()
    link = page.get_by_label("Link", exact=True)
    expect(link).to_have_value(re.compile(f"#text={packed(b'typed here')}$"))


def test_a_broken_link_is_told_and_the_page_opens(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}compression#text=AAAA_not-deflate")
    expect(page.get_by_role("alert").filter(has_text="This link is damaged")).to_be_visible()
    expect(page.get_by_text("What does each merge buy?")).to_be_visible()


@pytest.mark.parametrize("where", ["compression", "replay"])
def test_a_link_whose_text_can_not_be_fetched_says_so(page: Page, app_url: str, where: str, watched: Watched) -> None:
    page.route("**/_tokviz/sample*", lambda route: route.abort())
    page.goto(f"{app_url}{where}#sample=prose-ja")
    expect(page.get_by_role("alert").filter(has_text="Not connected: try again in a moment.")).to_be_visible()
    watched.problems.clear()  # the browser's own


def test_charts_are_large_enough_to_present(page: Page, app_url: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{app_url}compression?chart=Formats")
    label = page.locator(".js-plotly-plot .ytick text").first
    expect(label).to_have_css("font-size", "15px")
    page.get_by_role("button", name="present").click()
    expect(label).to_have_css("font-size", "21px")
    assert smallest_type(page) == []
    page.get_by_role("button", name="leave").click()
    expect(label).to_have_css("font-size", "15px")


def test_presenter_mode_holds_across_pages(page: Page, app_url: str) -> None:
    page.goto(app_url)
    page.get_by_role("button", name="present").click()
    header = page.get_by_test_id("stHeader")
    expect(header).to_be_hidden()
    page.goto(f"{app_url}compression")
    expect(page.get_by_text("What does each merge buy?")).to_be_visible()
    expect(header).to_be_hidden()
    page.keyboard.press("f")
    expect(header).to_be_visible()


@pytest.mark.parametrize("gone", ["listeners", "widgets"])
def test_ten_changes_of_page_leave_nothing_behind(page: Page, app_url: str, gone: str) -> None:
    page.goto(app_url)
    expect(page.locator(".t").first).to_be_visible()
    wire = page.context.new_cdp_session(page)

    def counted() -> int:
        wire.send("HeapProfiler.collectGarbage")
        if gone == "widgets":
            styles = "[...document.head.querySelectorAll('style')].filter((s) => s.textContent.includes('presenting'))"
            return int(page.evaluate(f"{styles}.length"))
        return int(wire.send("Memory.getDOMCounters")["jsEventListeners"])

    def there_and_back() -> None:
        go_to(page, "Compression")
        expect(page.get_by_text("What does each merge buy?")).to_be_visible()
        go_to(page, "Tokens")
        expect(page.locator(".t").first).to_be_visible()

    there_and_back()
    page.wait_for_timeout(1000)
    before = counted()
    for _ in range(9):
        there_and_back()
    page.wait_for_timeout(1000)
    # Streamlit's own parts leave some behind; a widget that left its listeners would leave hundreds.
    assert counted() <= before + (0 if gone == "widgets" else 100)
