"""Tokenizers that the reader adds on the pages that show one: from files of all kinds, and from the hub."""

import re
import xml.etree.ElementTree as ET
from base64 import b64encode

import pytest
from engine_files import family, sentencepiece_model
from playwright.sync_api import Locator, Page, Route, expect

import tokviz
from pages import ComparePage, ReplayPage, TokensPage, drop_files
from tokviz.app.answers.visitors.kept_tokenizers import registry

TEXT = "the lowest"
VOCABULARY = {"vocab.json": b'{"t": 0, "h": 1, "e": 2, "th": 3, "\xc4\xa0": 4, "l": 5, "o": 6, "w": 7, "s": 8}'}
MERGES = {"merges.txt": b"#version: 0.2\nt h\n"}
HUB_MODEL = "hf:owner/name"


def use(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Open it as a tokenizer?").get_by_role("button", name="use the tokenizer")


def test_two_files_that_belong_together_are_dropped_at_once_or_one_after_the_other(
    page: Page, widgets_url: str
) -> None:
    tokens = TokensPage.open(page, widgets_url)
    tokens.write(TEXT)
    drop_files(tokens.text, MERGES | VOCABULARY)
    use(page).click()
    expect(tokens.tokenizer).to_have_value("vocab.json and merges.txt (9 tokens)")
    expect(tokens.count("tokens")).to_have_text("9")
    tokens.choose("gpt2")
    drop_files(tokens.text, VOCABULARY)
    half = page.get_by_role("dialog", name="Open it as a text?")
    expect(half).to_contain_text("open it together with its merges.txt")
    drop_files(half, MERGES)
    use(page).click()
    expect(tokens.count("tokens")).to_have_text("9")


def test_a_vocabulary_of_tiktoken_asks_for_its_split_pattern(page: Page, widgets_url: str) -> None:
    tokens = TokensPage.open(page, widgets_url)
    tokens.write("ab ab")
    pieces = [bytes([value]) for value in range(256)] + [b"ab", b"ab ", b"ab ab"]
    lines = b"".join(b"%s %d\n" % (b64encode(piece), rank) for rank, piece in enumerate(pieces))
    drop_files(tokens.text, {"mine.tiktoken": lines})
    pattern = page.get_by_label("Split pattern")
    expect(pattern).to_have_value("cl100k")
    pattern.select_option("none")
    use(page).click()
    expect(tokens.count("tokens")).to_have_text("1")


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"a.txt": b"one", "b.txt": b"two"}, "Open one file at a time."),
        ({"model.safetensors": b"\0" * 9}, "model.safetensors holds a model's weights: open the tokenizer.json"),
        ({"photo.png": b"\x89PNG\r\n\x1a\n"}, "“photo.png” seems to be a picture (PNG)."),
    ],
)
def test_what_is_no_tokenizer_and_no_text_gets_one_sentence(
    page: Page, widgets_url: str, files: dict[str, bytes], sentence: str
) -> None:
    tokens = TokensPage.open(page, widgets_url)
    drop_files(tokens.text, files)
    expect(page.get_by_role("alert").filter(has_text=sentence)).to_be_visible()


def test_compare_adds_a_file_to_what_is_compared(page: Page, widgets_url: str) -> None:
    compare = ComparePage.open(page, f"{widgets_url}compare")
    compare.editor.fill(TEXT)
    drop_files(compare.editor, {"small.model": sentencepiece_model(model_type="unigram")})
    use(page).click()
    expect(page.get_by_role("combobox", name="Compared tokenizer (2)")).to_have_value("small.model")
    expect(compare.tokens("small.model")).not_to_be_empty()
    assert page.evaluate("sent.adopted.length") == 1


def test_merge_replay_shows_the_steps_of_a_file(page: Page, widgets_url: str) -> None:
    replay = ReplayPage.open(page, f"{widgets_url}replay")
    replay.text.fill(TEXT)
    replay.wait_for_answer()
    for files, region, introduction in (
        ({"small.model": sentencepiece_model(model_type="unigram")}, "Lattice", "Unigram joins nothing."),
        ({"tokenizer.json": family("bert")}, "Longest matches", "WordPiece joins nothing."),
        ({"bpe.model": sentencepiece_model(model_type="bpe")}, "Player", "Byte pair encoding begins"),
    ):
        drop_files(replay.widget, files)
        use(page).click()
        expect(page.get_by_role("region", name=region, exact=True)).to_be_visible()
        expect(page.get_by_role("combobox", name="Tokenizer")).to_have_value(re.compile(f"^{next(iter(files))}"))
        expect(page.get_by_text(introduction)).to_be_visible()
        if region == "Lattice":
            with page.expect_download() as saved:
                page.locator(".views").get_by_role("button", name="SVG", exact=True).click()
            texts = [each.text for each in ET.parse(saved.value.path()).iter("{http://www.w3.org/2000/svg}text")]
            assert {"\u2581low", "the"} <= set(texts)


@pytest.mark.parametrize(("path", "picker"), [("compare", "Reference"), ("replay", "Tokenizer")])
def test_pickers_fetch_a_model_by_name_where_the_server_allows_it(
    page: Page, widgets_url: str, path: str, picker: str
) -> None:
    tokenizer = registry.register(tokviz.train(TEXT, num_merges=3, split_pattern="gpt2"), "owner/name")

    def allow(route: Route) -> None:
        route.fulfill(body=route.fetch().text().replace('"hub": false', '"hub": true'), content_type="text/html")

    page.route(f"{widgets_url}{path}", allow)
    described = registry.describe(tokenizer).as_data()
    page.route(re.compile("_tokviz/hub-tokenizer"), lambda route: route.fulfill(json=described))
    page.goto(f"{widgets_url}{path}")
    box = page.get_by_role("combobox", name=picker, exact=True)
    box.fill(HUB_MODEL)
    expect(page.get_by_text("Press Enter to fetch the tokenizer of this model")).to_be_visible()
    box.press("Enter")
    expect(box).to_have_value("owner/name")
    assert page.evaluate("sent.adopted") == [tokenizer]
