"""The Compression page in a real browser: every chart is drawn, in both themes, and only on request."""

from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import pytest
from conftest import Watched, expect_accessible
from playwright.sync_api import Page, expect

from pages import CompressionPage, TokensPage, expect_no_sideways_scrolling, go_to, next_frame, save, share
from tokviz.app.visitors.links import pack

# For each question, the first heading of its answer, and the number of its charts.
ANSWERS = {
    "Merges": ("What does each merge buy?", 1),
    "Vocabulary size": ("How large should the vocabulary be?", 1),
    "This text": ("Which tokenizer suits this text?", 1),
    "Languages": ("Which languages pay more?", 1),
    "Formats": ("Which formats pay more?", 3),
    "Vocabulary": ("How long are the tokens?", 3),
    "Token use": ("Which tokens does this text use?", 1),
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_chart_is_drawn_and_accessible(page: Page, app_url: str, scheme: Literal["light", "dark"]) -> None:
    page.emulate_media(color_scheme=scheme)
    compression = CompressionPage.open(page, f"{app_url}compression")
    for question, (heading, number) in ANSWERS.items():
        compression.ask(question)
        # Until the session responds, the page still has the charts of the previous question, soon faded.
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        compression.expect_charts(number)
        expect(page.get_by_role("figure", name="?")).to_have_count(number)
        for width in (375, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            next_frame(page)
            expect_no_sideways_scrolling(page)
            expect_accessible(page, f"{question}, {width} px wide")


def test_chart_library_is_loaded_only_for_charts(page: Page, app_url: str) -> None:
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    TokensPage.open(page, app_url)
    page.wait_for_load_state("networkidle")
    assert not [url for url in loaded if "plotly" in url.lower()]
    go_to(page, "Compression")
    CompressionPage(page).expect_charts(1)
    assert [url for url in loaded if "plotly" in url.lower()]


def test_a_link_leads_straight_to_a_question(page: Page, app_url: str, watched: Watched) -> None:
    CompressionPage.open(page, f"{app_url}compression?chart=Formats", ANSWERS["Formats"][1])
    expect(page.get_by_role("link", name="Tokens").first).to_be_visible()  # app.py's navigation is around the page


def test_link_restores_question_and_tokenizers_and_table_is_saved(page: Page, app_url: str, tmp_path: Path) -> None:
    compression = CompressionPage.open(page, f"{app_url}compression")
    for name in ("GPT-2", "Bytes"):
        page.get_by_role("button", name=name, exact=True).click()
    compression.ask("This text")
    expect(page.get_by_role("heading", name="Which tokenizer suits this text?")).to_be_visible()
    link = urlsplit(share(page))
    chosen = compression.tokenizers.get_by_role("button", pressed=True)
    before = chosen.all_inner_texts()
    assert before == ["cl100k", "o200k", "Bytes"]
    # An unknown tokenizer is left out.
    page.goto("about:blank")
    page.goto(link._replace(query=f"{link.query}&tokenizers=none-such").geturl())
    expect(page.get_by_role("heading", name="Which tokenizer suits this text?")).to_be_visible()
    expect(page.get_by_text("a tokenizer that isn't here: “none-such”")).to_be_visible()
    compression.expect_charts(1)
    expect(chosen).to_have_text(before)
    page.get_by_text("The numbers").click()
    path = save(page, "Download as CSV", tmp_path)
    lines = path.read_text("utf-8").splitlines()
    assert path.name == "this-text.csv"
    assert lines[0].startswith("text,tokenizer,tokens,bytes") and len(lines) == 4


def test_old_link_with_an_unknown_tokenizer_keeps_its_text_and_names_it(page: Page, app_url: str) -> None:
    query = "chart=This+text&tokenizers=GPT-2&tokenizers=llama3"
    compression = CompressionPage.open(
        page, f"{app_url}compression?{query}#text={pack('seven words are in this old link')}"
    )
    expect(page.get_by_text("This link names a tokenizer that isn't here: “llama3”.")).to_be_visible()
    compression.expect_charts(1)
    expect(compression.tokenizers.get_by_role("button", pressed=True)).to_have_text(["GPT-2"])
    page.get_by_text("The text").first.click()
    expect(compression.text).to_have_value("seven words are in this old link")


def test_a_text_too_long_for_a_link_is_opened_from_a_file(page: Page, app_url: str, tmp_path: Path) -> None:
    compression = CompressionPage.open(page, f"{app_url}compression?chart=This+text")
    page.get_by_text("Your text").first.click()
    long = "".join(chr(0x4E00 + 7919 * place % 20_000) for place in range(9_000))
    compression.write(long)
    expect(page.get_by_text("The text", exact=True)).to_be_visible()
    page.get_by_role("button", name="share").click()
    dialog = page.get_by_role("dialog", name="Share")
    expect(dialog).to_contain_text("the file is opened there, in the box beneath the text")
    expect(dialog).not_to_contain_text("drop the file here")
    expect(dialog).not_to_contain_text("The text is in the link itself")
    with page.expect_download() as saved:
        dialog.get_by_role("button", name="save the text").click()
    path = tmp_path / "text.txt"
    saved.value.save_as(path)
    link = dialog.get_by_label("Link", exact=True).input_value()
    page.goto("about:blank")
    page.goto(urlsplit(link)._replace(netloc=urlsplit(app_url).netloc).geturl())
    compression.expect_charts(1)
    page.locator("[data-testid=stFileUploader] input[type=file]").first.set_input_files(path)
    expect(compression.text).to_have_value(long)


PAPER = 680
"""Width of A4 within margins of 15 mm, in pixels."""

# For each chart, how far it and its text reach from its left edge, and what cuts it off. In one evaluation, as when a
# browser prints, because the page may redraw its chart in between.
PRINTED = """() => {
    dispatchEvent(new Event("beforeprint"));
    const box = (node) => node.getBoundingClientRect();
    const above = (node) => (node ? [node, ...above(node.parentElement)] : []);
    return [...document.querySelectorAll(".stPlotlyChart .main-svg:first-of-type")].map((drawing) => {
        const { left, right, bottom, width } = box(drawing);
        const texts = [...drawing.parentElement.querySelectorAll("text")].filter((text) => box(text).width);
        const isCut = (node) => box(node).right < right - 1 || box(node).bottom < bottom - 1;
        const cutting = above(drawing.parentElement)
            .filter((node) => getComputedStyle(node).overflow !== "visible" && isCut(node));
        const reach = Math.max(...texts.map((text) => box(text).right)) - left;
        const empty = box(drawing.closest("[data-testid=stElementContainer]")).bottom - bottom;
        return { width, reach, empty, cutting: cutting.map((node) => node.cloneNode().outerHTML) };
    });
}"""


@pytest.mark.parametrize(("question", "charts"), [("Merges", 1), ("Languages", 1), ("Formats", 3)])
def test_charts_are_printed_completely_and_dark_on_white(page: Page, app_url: str, question: str, charts: int) -> None:
    page.emulate_media(color_scheme="dark")
    CompressionPage.open(page, f"{app_url}compression?chart={question}", charts)
    expect(page.get_by_role("button", name="share")).to_be_visible()  # the frame, which resizes the charts, has loaded
    page.emulate_media(media="print")
    printed = page.evaluate(PRINTED)
    assert len(printed) == charts
    for chart in printed:
        assert chart["cutting"] == []
        assert 0.8 * PAPER < chart["width"] <= PAPER
        assert 0 <= chart["empty"] < 20
        assert 0 < chart["reach"] <= chart["width"]
    # Also in one evaluation: an element redrawn between finding and reading it has no color.
    colors = page.evaluate(
        """() => [...document.querySelectorAll(
            ".js-plotly-plot text, [data-testid=stText], [data-testid=stText] *",
        )].map((each) => getComputedStyle(each)[each instanceof SVGElement ? "fill" : "color"])"""
    )
    assert set(colors) == {"rgb(27, 31, 36)"}
