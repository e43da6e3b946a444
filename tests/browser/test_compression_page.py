"""The Compression page in a real browser: every chart is drawn, in both themes, and can be taken along."""

import json
import re
import struct
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

from playwright.sync_api import FilePayload, Page, expect

import tokviz
from pages import ANSWERS, CompressionPage, TokensPage, go_to, resting_box, share
from tokviz.lesson.links import pack


def test_the_page_is_read_without_touching_it(page: Page, app_url: str) -> None:
    compression = CompressionPage.open(page, f"{app_url}compression")
    rows = compression.questions.locator("label")
    expect(compression.questions.get_by_role("radio")).to_have_count(4)  # the others are one press away
    expect(compression.questions.get_by_role("radio", name="Which languages pay more?")).to_be_checked()
    above = [resting_box(row) for row in rows.all()[:4]]
    page.locator("summary", has_text="More questions").press("Enter")
    expect(compression.questions.get_by_role("radio")).to_have_count(len(ANSWERS))
    assert [resting_box(row) for row in rows.all()[:4]] == above
    expect(rows.locator("b")).to_have_text([*ANSWERS])
    expect(rows.locator(".quiet")).to_have_text([re.compile(r"[^\n]{20,}\.$")])  # of the chosen one
    compression.expect_charts(1)
    expect(page.get_by_role("figure", name="Which languages pay more?")).to_be_visible()
    # Series are named in a legend, or beside their dots where there is room.
    chart = compression.charts.first
    for width, shown, hidden in ((375, ".legend", ".annotation"), (1280, ".annotation", ".legend")):
        page.set_viewport_size({"width": width, "height": 800})
        expect(chart.locator(shown).first).to_be_visible()
        expect(chart.locator(shown).filter(has_text="GPT-2")).to_have_count(1)
        expect(chart.locator(f"{hidden} text").first).to_be_hidden()


def test_the_picture_comes_first_beneath_a_line_of_prose(page: Page, widgets_url: str) -> None:
    compression = CompressionPage.open(page, f"{widgets_url}compression?chart=Merges")
    expect(compression.tokenizers.locator(".slots")).to_have_text("cl100k×o200k×GPT-2×")
    another = page.get_by_role("combobox", name="Add a tokenizer")
    expect(another).to_have_attribute("placeholder", "+ tokenizer")
    expect(another).to_have_css("opacity", "1")
    box = another.bounding_box()
    assert box and box["width"] > 60
    expect_text_beside_the_chart(compression)
    expect_words_that_are_chosen(compression)


def expect_text_beside_the_chart(compression: CompressionPage) -> None:
    """Expect the text to stand beneath the questions that are about it, to cover nothing, and to move nothing."""
    page, text = compression.page, compression.text
    drawing = compression.charts.locator(".main-svg").first
    before, field = resting_box(drawing), resting_box(text)
    assert field["x"] + field["width"] <= before["x"] and field["height"] > 100
    assert resting_box(compression.questions)["y"] + resting_box(compression.questions)["height"] <= field["y"]
    text.click()
    text.press("Control+End")
    assert text.evaluate("box => box.scrollTop") > 0
    assert resting_box(text) == field and resting_box(drawing) == before
    expect(page.get_by_text("an example: change it, or paste your own")).to_be_visible()
    for question in ("Which languages pay more?", "Which formats pay more?"):
        compression.ask(question)
        expect(text).to_be_hidden()  # it is not read
    compression.answer("What does each merge buy?")
    assert resting_box(text) == field and resting_box(drawing) == before
    token = page.get_by_role("listbox", name="Tokens of the text with these merges").locator(".t").nth(1)
    place = resting_box(token)
    token.hover()
    expect(page.locator(".info-bubble:popover-open")).to_contain_text("joins")
    token.click()
    drawer = page.get_by_role("region", name="Token", exact=True)
    expect(drawer.locator(".big")).to_be_visible()
    expect(drawer.locator(".merge-tree")).to_be_visible()
    assert resting_box(token) == place and resting_box(drawing) == before


def expect_words_that_are_chosen(compression: CompressionPage) -> None:
    """Expect each tokenizer to be left out by its button, and another to be found in the list, also with keys."""
    page = compression.page
    page.get_by_role("button", name="Remove o200k", exact=True).press("Enter")
    expect(compression.chosen).to_have_text(["cl100k", "GPT-2"])
    expect(page.get_by_role("button", name="Remove GPT-2", exact=True)).to_be_focused()
    page.keyboard.press("Tab")
    expect(compression.another).to_be_focused()
    page.keyboard.type("deepseek")
    assert compression.tokenizers.get_by_role("option").all_inner_texts()[0].startswith("DeepSeek V3")
    page.keyboard.press("Enter")
    expect(compression.chosen).to_have_text(["cl100k", "GPT-2", "DeepSeek V3"])
    expect(compression.another).to_have_value("")
    compression.choose("cl100k", "GPT-2", "DeepSeek V3")
    expect(compression.chosen).to_have_count(0)
    expect(compression.another).to_be_focused()
    expect(page.locator(".answers > .problem")).to_have_text("Choose a tokenizer that has merges.")
    compression.another.press("ArrowDown")
    expect(compression.tokenizers.get_by_role("option", name="cl100k")).to_be_visible()
    page.keyboard.press("Escape")
    compression.choose("GPT-2")
    expect(compression.chosen).to_have_text(["GPT-2"])


def test_the_first_chart_is_whole_above_the_fold(page: Page, app_url: str) -> None:
    compression = CompressionPage.open(page, f"{app_url}compression?chart=Merges")
    drawing = resting_box(compression.charts.locator(".main-svg").first)
    assert drawing["y"] + drawing["height"] < 800
    assert resting_box(page.locator(".controls"))["height"] < 50  # one line
    play, track, known = (
        resting_box(part)
        for part in (page.get_by_role("button", name="Play"), page.get_by_label("Merges known"), page.locator(".known"))
    )
    assert play["y"] + play["height"] <= 720  # on a small laptop
    assert play["x"] + play["width"] <= track["x"] and track["x"] + track["width"] <= known["x"]  # in one row
    assert max(play["y"], track["y"], known["y"]) < min(each["y"] + each["height"] for each in (play, track, known))
    counted = resting_box(page.locator(".tokens-left"))
    assert (
        counted["x"] == resting_box(page.locator(".tokens-left .rolling"))["x"] == resting_box(page.locator(".of"))["x"]
    )
    says = resting_box(compression.node.locator("section .says"))
    assert says["y"] > drawing["y"] + drawing["height"]
    # On a phone the questions stand two by two, and the chart begins on the first screen.
    page.set_viewport_size({"width": 375, "height": 800})
    field, questions, drawn = (
        resting_box(each) for each in (compression.text, compression.questions, compression.charts.first)
    )
    assert field["height"] < 90 and questions["height"] < 160 and drawn["y"] < 700


def test_a_chart_with_its_table(page: Page, widgets_url: str) -> None:
    compression = CompressionPage.open(page, f"{widgets_url}compression?chart=This+text")
    expect_table_for_the_keyboard(compression)


def expect_table_for_the_keyboard(compression: CompressionPage) -> None:
    """Expect what is drawn to be in the table beneath it, which is reached with keys."""
    page = compression.page
    expect(page.get_by_role("figure")).to_have_accessible_name(re.compile("Its numbers are in the table beneath it.$"))
    rows = page.get_by_role("region", name="The numbers")
    expect(rows).to_be_hidden()
    page.get_by_text("The numbers", exact=True).press("Enter")
    expect(rows).to_be_visible()
    page.keyboard.press("Tab")
    expect(rows).to_be_focused()
    assert rows.get_by_role("row").count() == 1 + compression.chosen.count()
    drawn = compression.charts.locator(".bartext").all_text_contents()
    head = rows.get_by_role("columnheader").all_inner_texts()
    cells = [row.get_by_role("cell").all_inner_texts() for row in rows.get_by_role("row").all()[1:]]
    shown = [f"{float(row[head.index('bytes per token')]):.2f}" for row in cells]
    assert sorted(shown) == sorted(drawn)
    compression.write("another text")
    expect(rows.get_by_role("row").nth(1)).to_contain_text("12")  # its bytes
    expect(rows).to_be_visible()


def save(page: Page, label: str, folder: Path) -> Path:
    with page.expect_download() as saved:
        page.get_by_title(label).click()
    path = folder / saved.value.suggested_filename
    saved.value.save_as(path)
    return path


def test_a_chart_is_taken_as_a_picture_and_its_table_as_csv(page: Page, app_url: str, tmp_path: Path) -> None:
    """Plotly's library is loaded only for charts, and once."""
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    TokensPage.open(page, app_url)
    page.wait_for_load_state("networkidle")
    assert not [url for url in loaded if "plotly" in url.lower()]
    go_to(page, "Compression")
    compression = CompressionPage(page)
    compression.expect_charts(1)
    compression.answer("Which tokenizer suits this text?")
    lines = save(page, "as CSV", tmp_path).read_text("utf-8").splitlines()
    assert lines[0].startswith("text,tokenizer,tokens,bytes") and len(lines) == 4
    themes: tuple[tuple[Literal["light", "dark"], str], ...] = (
        ("light", "fill: rgb(255, 255, 255)"),
        ("dark", "fill: rgb(15, 18, 22)"),
    )
    for scheme, background in themes:
        page.emulate_media(color_scheme=scheme)
        expect(page.get_by_test_id("stApp")).to_have_css("color-scheme", scheme)
        expect_pictures(page, tmp_path, background)
    assert len([url for url in loaded if "plotly.min" in url.lower()]) == 1


def expect_pictures(page: Page, folder: Path, background: str) -> None:
    """Expect a chart, saved as SVG and as PNG, to have its words and the background of the theme."""
    path = save(page, "as SVG", folder)
    assert path.name == "which-tokenizer-suits-this-text.svg"
    root = ElementTree.fromstring(path.read_text("utf-8"))
    texts = [text for element in root.iter("{http://www.w3.org/2000/svg}text") for text in element.itertext()]
    assert "Which tokenizer suits this text?" in texts and "GPT-2" in texts
    backgrounds = [rect.get("style", "") for rect in root.iter("{http://www.w3.org/2000/svg}rect")]
    assert background in backgrounds[0]
    picture = save(page, "as PNG", folder).read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert struct.unpack(">I", picture[16:20]) == (2 * round(float(root.get("width") or 0)),)


def test_link_restores_question_and_tokenizers(page: Page, widgets_url: str) -> None:
    compression = CompressionPage.open(page, f"{widgets_url}compression")
    compression.choose("GPT-2", "Bytes")
    compression.ask("Which tokenizer suits this text?")
    expect(page.get_by_role("heading", name="Which tokenizer suits this text?")).to_be_visible()
    expected = {"chart": ["This text"], "tokenizers": ["cl100k", "o200k", "Bytes"]}
    assert parse_qs(urlsplit(page.url).query) == expected
    link = urlsplit(share(page))
    chosen = compression.chosen
    expect(chosen).to_have_text(["cl100k", "o200k", "Bytes"])
    # An unknown tokenizer is left out.
    page.goto("about:blank")
    page.goto(link._replace(query=f"{link.query}&tokenizers=none-such").geturl())
    expect(page.get_by_role("heading", name="Which tokenizer suits this text?")).to_be_visible()
    expect(page.get_by_text("a tokenizer that isn't here: “none-such”")).to_be_visible()
    compression.expect_charts(1)
    expect(chosen).to_have_text(["cl100k", "o200k", "Bytes"])
    # Another question and back.
    for question in ("Which tokens does this text use?", "Which tokenizer suits this text?"):
        compression.answer(question)
        expect(compression.questions.get_by_role("radio", name=question)).to_be_checked()
        assert parse_qs(urlsplit(page.url).query)["chart"] == [ANSWERS[question][0]]


STANDS_STILL = """dot => new Promise((resolve) => {
    let [before, same] = ["", 0];
    const look = () => {
        const { x, y } = dot.getBoundingClientRect();
        same = `${x} ${y}` === before ? same + 1 : 0;
        before = `${x} ${y}`;
        if (same > 10) resolve(dot.isConnected);
        else requestAnimationFrame(look);
    };
    look();
})"""
"""False if the chart was drawn anew meanwhile, which also takes the label from what is pointed at."""


def test_a_link_leads_straight_to_a_question_and_pointing_at_a_dot_says_what_it_is(page: Page, app_url: str) -> None:
    compression = CompressionPage.open(page, f"{app_url}compression?chart=Formats", 3)
    expect(page.get_by_role("link", name="Tokens").first).to_be_visible()  # app.py's navigation is around the page
    chart = compression.charts.first
    dot = chart.locator(".points path").last
    dot.scroll_into_view_if_needed()
    while not dot.evaluate(STANDS_STILL):
        pass
    dot.hover(force=True)
    label = chart.locator(".hovertext")
    expect(label).to_contain_text(re.compile("GPT-2: .* tokens?.* bytes"))
    place, said = resting_box(dot), resting_box(label)
    assert abs(place["y"] - said["y"]) < 60  # it is said where it is pointed at
    page.mouse.move(5, 5)
    expect(label).to_have_count(0)


def test_old_link_with_an_unknown_tokenizer_keeps_its_text_and_names_it(page: Page, widgets_url: str) -> None:
    query = "chart=This+text&tokenizers=GPT-2&tokenizers=llama3"
    compression = CompressionPage.open(
        page, f"{widgets_url}compression?{query}#text={pack('seven words are in this old link')}"
    )
    expect(page.get_by_text("This link names a tokenizer that isn't here: “llama3”.")).to_be_visible()
    compression.expect_charts(1)
    expect(compression.chosen).to_have_text(["GPT-2"])
    expect(compression.text).to_have_value("seven words are in this old link")


DATA = Path(__file__).parents[1] / "data" / "made_before" / "compression_links.json"
MADE_BEFORE = [made for made in json.loads(DATA.read_text("utf-8")) if "made=" not in made["link"]]


def test_links_made_before_open_the_same(page: Page, widgets_url: str) -> None:
    """Question, tokenizers and text; all are read in tests/js/compression-link.test.js."""
    for made in MADE_BEFORE[1:4:2]:
        link = urlsplit(made["link"])._replace(scheme="http", netloc=urlsplit(widgets_url).netloc).geturl()
        page.goto("about:blank")
        compression = CompressionPage.open(page, link, len(made["headings"]))
        expect(compression.text).to_have_value(made["text"])
        for heading in made["headings"]:
            expect(page.get_by_role("heading", name=heading)).to_be_visible()
        expect(compression.chosen).to_have_count(len(made["tokenizers"]))
        assert sorted(compression.chosen.all_inner_texts()) == sorted(made["tokenizers"])


def test_a_text_too_long_for_a_link_is_opened_from_a_file(page: Page, widgets_url: str, tmp_path: Path) -> None:
    compression = CompressionPage.open(page, f"{widgets_url}compression?chart=This+text")
    long = "".join(chr(0x4E00 + 7919 * place % 20_000) for place in range(9_000))
    compression.write(long)
    page.get_by_role("button", name="share").click()
    dialog = page.get_by_role("dialog", name="Share")
    expect(dialog).to_contain_text("drop the file here to open it")
    with page.expect_download() as saved:
        dialog.get_by_role("button", name="save the text").click()
    path = tmp_path / "text.txt"
    saved.value.save_as(path)
    page.goto("about:blank")
    CompressionPage.open(page, f"{widgets_url}compression?chart=This+text")
    page.get_by_label("A text file").set_input_files(path)
    expect(compression.text).to_have_value(long)
    compression.expect_charts(1)
    expect(page.get_by_text(f"{len(tokviz.load('gpt2').encode(long)):,}").first).to_be_visible()


def test_texts_of_the_readers_own_are_compared(page: Page, widgets_url: str) -> None:
    CompressionPage.open(page, f"{widgets_url}compression?chart=Languages")
    page.get_by_text("Compare texts of your own").click()
    files = page.get_by_label("Text files")
    sent = [("one.txt", "Größe".encode("utf-16")), ("2", b"size")]
    files.set_input_files([FilePayload(name=name, mimeType="text/plain", buffer=data) for name, data in sent])
    expect(page.get_by_role("heading", name="The text in one and 2")).to_be_visible()
    expect(page.get_by_role("cell", name="Größe")).to_be_visible()
    expect(files).to_be_visible()
    page.get_by_role("switch", name="Beside the passages").check()
    expect(page.locator(".answers .problem", has_text="“one” has 1 line and “English” has 6")).to_be_visible()
    files.set_input_files(FilePayload(name="old.txt", mimeType="text/plain", buffer="Größe".encode("latin-1")))
    expect(page.get_by_text("“old.txt” seems to be text in an older encoding, not in UTF-8.")).to_be_visible()
