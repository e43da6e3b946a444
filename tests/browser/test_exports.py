"""Exports: tokens as files, a standalone page that opens without a network, and printing."""

import csv
import json
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect
from plotly.offline import get_plotlyjs
from tabs import Watched

import tokviz
from pages import TokensPage, css_color, open_file, save
from tokviz import WordTokenizer, export

NASTY = 'I love 🍕, "नमस्ते" 你好\r\n\r\n=1+1\t\x00\ufeff<|endoftext|>  </script><b>مرحبا 12</b>\n\n'


# From the Tokens page


@pytest.fixture
def tokens_page(page: Page, widgets_url: str) -> Page:
    """The Tokens page with a text that is difficult to export."""
    page.goto(widgets_url)
    page.get_by_label("Your text").fill(NASTY)
    page.get_by_role("combobox", name="Tokenizer").fill("gpt2")
    page.keyboard.press("Enter")
    count = len(tokviz.load("gpt2").encode(page.get_by_label("Your text").input_value()))
    expect(page.locator('[data-count="tokens"]')).to_have_text(str(count))
    page.get_by_role("button", name="share").click()
    expect_files(page)
    return page


def expect_files(page: Page) -> None:
    """Wait until the dialog offers a picture and files."""
    expect(page.get_by_role("heading", name="Save the tokens")).to_be_visible()
    expect(page.get_by_role("img", name="What is in sight, as a picture")).to_be_visible()


def test_json_and_csv_match_the_page(tokens_page: Page, tmp_path: Path) -> None:
    text = tokens_page.get_by_label("Your text").input_value()
    ids = tokviz.load("gpt2").encode(text)
    found = json.loads(save(tokens_page, "JSON", tmp_path).read_text("utf-8"))
    assert found["text"] == text
    assert [token["id"] for token in found["tokens"]] == ids
    with save(tokens_page, "CSV", tmp_path).open(encoding="utf-8", newline="") as lines:
        assert [int(row["id"]) for row in csv.DictReader(lines)] == ids
    expect(tokens_page.get_by_text("tokens.csv is saved")).to_be_visible()


def test_saved_page_opens_without_a_network(
    tokens_page: Page, context: BrowserContext, watched: Watched, tmp_path: Path
) -> None:
    text = tokens_page.get_by_label("Your text").input_value()
    tokens_page.get_by_role("button", name="close").click()
    TokensPage(tokens_page).open_settings()
    tokens_page.get_by_label("Color by").select_option("rank")
    tokens_page.get_by_role("button", name="share").click()
    expect_files(tokens_page)
    path = save(tokens_page, "Web page", tmp_path)
    assert path.name == "tokens.html"
    page = open_file(context, path)
    expect(page.get_by_label("Color by")).to_have_value("rank")
    expect(page.locator(".token-view")).to_contain_text("=1+1")
    assert exact_text(page) == text


def test_failed_export_is_reported_and_can_be_retried(
    tokens_page: Page, context: BrowserContext, watched: Watched, tmp_path: Path
) -> None:
    context.set_offline(True)
    tokens_page.get_by_role("button", name="CSV", exact=True).click()
    expect(tokens_page.get_by_text("Not connected: try again in a moment.")).to_be_visible()
    context.set_offline(False)
    watched.problems.clear()
    assert save(tokens_page, "CSV", tmp_path).stat().st_size > 0


# The standalone page


def standalone(context: BrowserContext, folder: Path, text: str, name: str = "gpt2", **how: Any) -> Page:
    path = folder / "tokens.html"
    path.write_text(export.to_html(tokviz.load(name), text, **how), encoding="utf-8")
    return open_file(context, path)


def exact_text(page: Page) -> str:
    return str(page.locator(".token-view .chunk").evaluate_all("chunks => chunks.map((c) => c.textContent).join('')"))


def clipboard(page: Page) -> str:
    """Return the clipboard's text by pasting it into a box of another page."""
    return str(page.evaluate("navigator.clipboard.readText()"))


def test_a_page_from_disk_shows_exactly_the_text(context: BrowserContext, watched: Watched, tmp_path: Path) -> None:
    page = standalone(context, tmp_path, NASTY, allowed_special="all")
    expect(page.get_by_role("heading", name="Tokens of gpt2")).to_be_visible()
    expect(page.locator(".t.special")).to_have_text("<|endoftext|>")
    expect(page.locator(".cut").first).to_have_text("🍕")
    assert exact_text(page) == NASTY
    assert not watched.problems


def test_card_works_without_a_server(context: BrowserContext, watched: Watched, tmp_path: Path) -> None:
    page = standalone(context, tmp_path, "hello hello world")
    page.locator(".t", has_text="world").click()
    card = page.get_by_role("region", name="Token", exact=True)
    expect(card).to_contain_text("995")
    expect(card).to_contain_text("20 77 6f 72 6c 64")
    expect(card).to_contain_text("·world")
    expect(card).to_contain_text("1 time")
    page.keyboard.press("ArrowLeft")
    expect(card).to_contain_text("23748")


def test_a_page_from_disk_copies_the_exact_text(context: BrowserContext, watched: Watched, tmp_path: Path) -> None:
    text = NASTY.replace("\x00", "").replace("\r", "")  # clipboards cannot hold a NUL, and some change line ends
    page = standalone(context, tmp_path, text)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="copy the text").click()
    expect(page.get_by_text("copied")).to_be_visible()
    assert clipboard(page) == text


def test_a_page_from_disk_can_be_colored_in_every_way(
    context: BrowserContext, watched: Watched, tmp_path: Path
) -> None:
    page = standalone(context, tmp_path, "The tokenizer tokenizes.")
    seen = set()
    for way in ("id", "rank", "bytes", "pretoken", "alternate"):
        page.get_by_label("Color by").select_option(way)
        seen.add(tuple(page.locator(".t").evaluate_all("all => all.map((one) => one.className)")))
    assert len(seen) == 5
    page.get_by_role("switch", name="marks").uncheck()
    expect(page.locator(".chunks.marks")).to_have_count(0)


def test_unknown_words_are_shown_as_unknown(context: BrowserContext, watched: Watched, tmp_path: Path) -> None:
    path = tmp_path / "words.html"
    path.write_text(export.to_html(WordTokenizer.from_text("the cat"), "the dog"), encoding="utf-8")
    page = open_file(context, path)
    expect(page.locator(".t.unknown")).to_have_text("dog")
    # The words tokenizer has no merges, so there are no ranks to color by.
    expect(page.get_by_label("Color by").locator("option[value=rank]")).to_have_count(0)


def test_long_page_draws_only_near_the_viewport(context: BrowserContext, watched: Watched, tmp_path: Path) -> None:
    page = standalone(context, tmp_path, "A line of a text that goes on and on.\n" * 20_000)
    expect(page.locator(".t").first).to_be_visible()
    assert page.locator(".t").count() < 5_000
    page.locator(".token-view").focus()
    page.keyboard.press("End")
    expect(page.locator(".chunk").last.locator(".t").last).to_be_in_viewport()


# Printing


def test_all_of_a_long_text_is_printed_in_color(context: BrowserContext, watched: Watched, tmp_path: Path) -> None:
    page = standalone(context, tmp_path, "A line of a text that goes on and on.\n" * 400 + "the end")
    expect(page.locator(".t").first).to_be_visible()
    # This listener runs after the view's, so everything must be drawn by then.
    page.evaluate("""() => window.addEventListener("beforeprint", () => {
        const chunks = [...document.querySelectorAll(".chunk")];
        window.printed = [chunks.length, chunks.filter((chunk) => chunk.querySelector(".t")).length];
    })""")
    pages = page.pdf(format="A4").count(b"/Type /Page\n")  # runs the page's print handlers, as the print menu does
    chunks, colored = page.evaluate("window.printed")
    assert chunks == colored > 25
    assert pages > 10
    # After printing, only the part near the viewport is drawn, or the page would stay slow.
    expect(page.locator(".chunk").last.locator(".t")).to_have_count(0)


def test_app_is_printed_dark_on_white_without_controls_or_clipping(page: Page, app_url: str) -> None:
    tokens = TokensPage.open(page, app_url)
    tokens.choose("gpt2")
    tokens.write("A line of a text that goes on and on.\n" * 200)
    expect(tokens.count("tokens")).to_have_text("2,400")
    white, ink = "rgb(255, 255, 255)", css_color("light", "ink")
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        page.emulate_media(media="print", color_scheme=scheme)
        expect(page.get_by_test_id("stApp")).to_have_css("background-color", white)
        expect(page.get_by_role("heading", name="A language model never sees letters")).to_have_css("color", ink)
        expect(tokens.text).to_have_css("color", ink)
        expect(tokens.text.locator(".t").first).to_have_css("background-color", css_color("light", "tint-0"))
        expect(tokens.text.locator(".t").first).to_have_css("print-color-adjust", "exact")
    words = page.locator(":not(.term)")  # terms that can be asked about stay, as words
    for control in (tokens.editor, page.get_by_role("button").and_(words), page.get_by_role("switch")):
        expect(control.filter(visible=True)).to_have_count(0)
    expect(tokens.tokenizer).to_have_value("GPT-2")
    expect(tokens.count("tokens")).to_be_visible()
    page.set_viewport_size({"width": 700, "height": 900})
    cut = page.locator(".token-view, .token-view .chunk").evaluate_all(
        """all => all.filter((box) => box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth)
            .map((box) => [box.className, box.scrollHeight, box.clientHeight, box.scrollWidth, box.clientWidth])"""
    )
    assert cut == [], cut


PAPER: ViewportSize = {"width": 680, "height": 1010}  # A4 at 96 dots per inch, within margins of 15 mm


def test_the_compared_text_is_printed_without_cutting_a_line_from_its_cuts(
    context: BrowserContext, watched: Watched, tmp_path: Path
) -> None:
    text = "A line that is longer than a sheet of paper is wide, so it is wrapped: supercalifragilistic 2026!\n" * 40
    path = tmp_path / "comparison.html"
    names = ["gpt2", "cl100k_base", "o200k_base"]
    path.write_text(export.comparison_to_html(tokviz.compare(text, names)), encoding="utf-8")
    page = open_file(context, path)
    page.set_viewport_size(PAPER)
    page.emulate_media(color_scheme="dark")
    expect(page.locator(".compared .t").first).to_be_visible()
    page.emulate_media(media="print")
    # At once, as when a browser prints: a frame later, what is far from the viewport may be plain again.
    layers, inside = page.evaluate(
        """() => {
            dispatchEvent(new Event("beforeprint"));
            const all = [...document.querySelectorAll(".layer")];
            const rights = (tokens) =>
                [...tokens].flatMap((one) => [...one.getClientRects()].map(({ right }) => right));
            // Each layer is within its own lines, which no page break cuts.
            const isInside = (layer) => {
                const { top, height } = layer.getBoundingClientRect();
                const line = parseFloat(getComputedStyle(layer).lineHeight);
                const shift = parseFloat(getComputedStyle(layer).top);
                return Math.abs(shift) < line / 2 && Math.abs(height / line - Math.round(height / line)) < 0.01;
            };
            const ofLayer = (number) => document.querySelectorAll(`[data-layer='${number}'] .t`);
            return [[0, 1, 2].map((number) => rights(ofLayer(number))), all.every(isInside)];
        }"""
    )
    for boxes in layers:
        assert len(boxes) >= 40 * 20
        assert max(boxes) <= PAPER["width"]
    assert inside


@pytest.mark.parametrize("online", [True, False])
def test_a_notebook_as_a_web_page_shows_a_chart_or_its_answer(
    context: BrowserContext, watched: Watched, tmp_path: Path, online: bool
) -> None:
    chart = tokviz.figures.measurements(tokviz.measure("It's 4567 cats", ["gpt2", "cl100k_base"]), "fertility")
    cell = chart._repr_mimebundle_()["text/html"]
    (tmp_path / "notebook.html").write_text(f"<!doctype html><meta charset=utf-8><main>{cell}</main>", "utf-8")
    page = context.new_page()
    page.set_viewport_size({"width": 620, "height": 600})
    script = {"body": get_plotlyjs(), "headers": {"Access-Control-Allow-Origin": "*"}}
    page.route("https://cdn.plot.ly/**", lambda route: route.fulfill(**script) if online else route.abort())
    page.goto((tmp_path / "notebook.html").as_uri())
    answer = page.locator("p", has_text=chart.answer)
    if online:
        expect(page.locator(".main-svg").first).to_be_visible()
        expect(answer).to_be_hidden()
        assert page.evaluate("document.documentElement.scrollWidth") <= 620
    else:
        expect(answer).to_be_visible()
        watched.problems.clear()  # Plotly could not be fetched
