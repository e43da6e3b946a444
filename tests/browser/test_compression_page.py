"""The Compression page in a real browser: every chart draws, in both themes, and only where asked for."""

import re
from typing import Literal
from urllib.parse import urlsplit

import pytest
from conftest import Watched, expect_accessible
from playwright.sync_api import Page, expect

# Each question, and how many charts answer it.
CHARTS = {
    "Merges": 1,
    "Vocabulary size": 1,
    "This text": 1,
    "Languages": 1,
    "Formats": 3,
    "Vocabulary": 3,
    "Token use": 1,
}


def open_page(page: Page, app_url: str) -> None:
    """Come to the page as people do, from the landing page."""
    page.goto(app_url)
    expect(page.locator(".t").first).to_be_visible()
    page.get_by_role("link", name="Compression").first.click()
    expect(page.get_by_role("heading", name="What merges buy, and who pays")).to_be_visible()
    expect_charts(page, CHARTS["Merges"])


def ask(page: Page, question: str) -> None:
    page.get_by_role("radiogroup", name="Question").get_by_role("radio", name=question, exact=True).click()


def expect_charts(page: Page, number: int) -> None:
    """So many charts are drawn, with data in each."""
    expect(page.locator("[data-testid=stApp]")).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.locator(".js-plotly-plot:has(.overplot .trace)")).to_have_count(number)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 1280])
def test_every_chart_draws(page: Page, app_url: str, scheme: Literal["light", "dark"], width: int) -> None:
    page.emulate_media(color_scheme=scheme)
    open_page(page, app_url)
    page.set_viewport_size({"width": width, "height": 800})
    for question, number in CHARTS.items():
        ask(page, question)
        expect_charts(page, number)
        main = page.get_by_test_id("stMain")
        assert main.evaluate("element => element.scrollWidth <= element.clientWidth"), question
        expect(page.get_by_role("figure", name="?")).to_have_count(number)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 1280])
def test_axe_finds_nothing_serious(page: Page, app_url: str, scheme: Literal["light", "dark"], width: int) -> None:
    page.emulate_media(color_scheme=scheme)
    open_page(page, app_url)
    page.set_viewport_size({"width": width, "height": 800})
    for question, number in CHARTS.items():
        ask(page, question)
        expect_charts(page, number)
        expect_accessible(page)


def test_the_charts_library_is_loaded_only_where_a_chart_is(page: Page, app_url: str) -> None:
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    page.goto(app_url)
    expect(page.locator(".t").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert not [url for url in loaded if "plotly" in url.lower()]
    page.get_by_role("link", name="Compression").first.click()
    expect_charts(page, 1)
    assert [url for url in loaded if "plotly" in url.lower()]


def test_a_text_goes_from_page_to_page(page: Page, app_url: str) -> None:
    open_page(page, app_url)
    page.get_by_text(re.compile("^(Your|The) text")).click()
    box = page.get_by_role("textbox", name="Text")
    box.fill("Hello, 🌍! 你好!")
    box.press("Control+Enter")
    expect(page.get_by_text("GPT-2: 50,000 merges turn 20 bytes into 12 tokens")).to_be_visible()
    page.get_by_role("link", name="Tokens").first.click()
    expect(page.get_by_role("textbox", name="Text")).to_have_value("Hello, 🌍! 你好!")


def test_a_table_comes_as_a_file(page: Page, app_url: str) -> None:
    open_page(page, app_url)
    ask(page, "This text")
    expect(page.get_by_role("heading", name="Which tokenizer suits this text?")).to_be_visible()
    page.get_by_text("The numbers").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as CSV", exact=True).click()
    assert download.value.suggested_filename == "this-text.csv"
    lines = download.value.path().read_text("utf-8").splitlines()
    assert lines[0].startswith("text,tokenizer,tokens,bytes") and len(lines) == 4


def test_a_link_leads_straight_to_a_question(page: Page, app_url: str, watched: Watched) -> None:
    page.goto(f"{app_url}compression?chart=Formats")
    expect_charts(page, CHARTS["Formats"])
    expect(page.get_by_role("link", name="Tokens").first).to_be_visible()  # app.py is around the page


def test_the_link_restores_question_and_tokenizers(page: Page, app_url: str, watched: Watched) -> None:
    open_page(page, app_url)
    page.get_by_role("button", name="GPT-2", exact=True).click()
    page.get_by_role("button", name="Bytes", exact=True).click()
    ask(page, "This text")
    expect(page.get_by_role("heading", name="Which tokenizer suits this text?")).to_be_visible()
    page.get_by_role("button", name="share").click()
    link = urlsplit(page.get_by_label("Link", exact=True).input_value())
    page.get_by_role("button", name="close").click()
    chosen = page.get_by_role("toolbar", name="Tokenizers").get_by_role("button", pressed=True)
    before = chosen.all_inner_texts()
    assert before == ["cl100k", "o200k", "Bytes"]
    # One that isn't there is left out.
    query = f"{link.query}&tokenizers=none-such"
    page.goto("about:blank")
    page.goto(link._replace(netloc=urlsplit(app_url).netloc, query=query).geturl())
    expect(page.get_by_role("heading", name="Which tokenizer suits this text?")).to_be_visible()
    expect_charts(page, 1)
    assert chosen.all_inner_texts() == before


def test_a_chart_is_printed_whole_and_dark_on_white(page: Page, app_url: str) -> None:
    page.emulate_media(color_scheme="dark")
    open_page(page, app_url)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    chart = page.locator(".svg-container")
    drawn = chart.evaluate("chart => chart.getBoundingClientRect().width")
    page.emulate_media(media="print")
    paper = 680  # A4 within margins of 15 mm
    assert drawn * float(chart.evaluate("chart => getComputedStyle(chart).zoom")) <= paper < drawn
    colors = page.locator(".js-plotly-plot text, [data-testid=stText], [data-testid=stText] *").evaluate_all(
        "all => all.map((each) => getComputedStyle(each)[each instanceof SVGElement ? 'fill' : 'color'])"
    )
    assert set(colors) == {"rgb(27, 31, 36)"}
