"""The Train page in a real browser: from a dropped file to a tokenizer on every page, to a saved file and back."""

import random
import re
import zipfile
from functools import cache
from pathlib import Path
from string import ascii_lowercase
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from conftest import Watched, expect_accessible, free_port, served
from playwright.sync_api import Browser, FilePayload, Page, expect

import tokviz
from pages import (
    TRAINING_MS,
    TokensPage,
    TrainPage,
    expect_no_sideways_scrolling,
    go_to,
    looks,
    next_frame,
    rest,
    share,
    unfold_text,
)
from tokviz.analysis.holdout import hold_out
from tokviz.app.processes.training import Recipe
from tokviz.app.visitors.links import write_link
from tokviz.app.visitors.share_codes import Origin, sample_texts, write
from tokviz.samples import sample

CATS = "the cat in the hat sat on the mat\n" * 40
TEXT = "for item in range(12):  # it's <a>\n    pass"
FORMATS = {
    "Hugging Face's tokenizer.json": False,
    "tiktoken's .tiktoken": True,
    "GPT-2's vocab.bpe and encoder.json": True,
    "minbpe's .model": False,
}
"""File formats, and whether the page must ask for settings that such a file lacks."""


@cache
def long_text() -> bytes:
    """Return a text whose training takes minutes, as all its words differ: longer than tests need it to be running."""
    dice = random.Random(1)
    return "\n".join("".join(dice.choices(ascii_lowercase, k=450)) for _ in range(10_000)).encode()


def expect_ids(page: Page, ids: list[int]) -> None:
    """Expect these ids on the Tokens page."""
    shown = page.get_by_role("listbox", name="Token ids").locator(".id")
    expect(shown).to_have_text([str(each) for each in ids])


def type_on_the_tokens_page(page: Page, text: str) -> None:
    tokens = TokensPage(page)
    tokens.editor.fill(text)
    tokens.open_settings()
    tokens.show_ids()


def test_from_a_dropped_file_to_the_tokens_page_to_a_file_and_back(page: Page, app_url: str, tmp_path: Path) -> None:
    train = TrainPage.open(page, app_url, "?learn-from=Files&size=300&pattern=gpt2&measure-on=Nothing+else")
    latin = FilePayload(name="notes.txt", mimeType="text/plain", buffer="café".encode("latin-1"))
    train.uploads("Text files").set_input_files(latin)
    expect(page.get_by_text("notes.txt is no text in UTF-8")).to_be_visible()
    page.get_by_role("button", name="Remove notes.txt").click()
    train.drop("cats.txt", CATS.encode("utf-16"))
    train.train()
    tok = tokviz.train(CATS, vocab_size=300, split_pattern="gpt2")
    expect(page.get_by_text(f"A vocabulary of {len(tok.vocab)};")).to_be_visible()

    file = train.saved_as("Hugging Face's tokenizer.json", tmp_path).rename(tmp_path / "mine.json")
    assert tokviz.open(file).encode(CATS) == tok.encode(CATS)
    two = train.saved_as("GPT-2's vocab.bpe and encoder.json", tmp_path)
    assert zipfile.ZipFile(two).namelist() == ["vocab.bpe", "encoder.json"]

    text = "the rat in the hat"
    page.get_by_role("link", name="See it on the Tokens page").click()
    expect(page.locator(".t").first).to_be_visible()
    expect(page.get_by_role("combobox", name="Tokenizer")).to_have_value("trained on “cats.txt”")
    type_on_the_tokens_page(page, text)
    expect_ids(page, tok.encode(text))

    go_to(page, "Train")
    page.get_by_text("Open a tokenizer from a file").click()
    train.uploads("One file").set_input_files(file)
    page.get_by_role("button", name="Open it").click()
    expect(page.get_by_role("combobox", name="Tokenizer")).to_have_value("mine.json")
    page.get_by_role("link", name="See it on the Tokens page").click()
    expect(page.locator(".t").first).to_be_visible()
    expect(page.get_by_role("combobox", name="Tokenizer")).to_have_value("mine.json")
    type_on_the_tokens_page(page, text)
    expect_ids(page, tok.encode(text))


def test_trained_tokenizer_is_private_and_survives_pages_and_reloads(
    page: Page, app_url: str, browser: Browser
) -> None:
    TrainPage.open(page, app_url, "?size=300").train()
    go_to(page, "Compression")
    own = page.get_by_role("button", name="trained on “Code”", exact=True)
    expect(own).to_be_visible()
    own.click()
    expect(page.get_by_text("trained on “Code”:").first).to_be_visible()
    page.reload()  # a new session for Streamlit
    expect(page.get_by_role("button", name="trained on “Code”", exact=True)).to_be_visible()
    with browser.new_context() as stranger:
        other = TrainPage.open(stranger.new_page(), app_url)
        expect(other.page.get_by_role("heading", name="Your tokenizers")).to_have_count(0)


def test_compression_link_loads_and_selects_the_trained_tokenizer(page: Page, app_url: str) -> None:
    made = write(Origin("made of cats", Recipe(280), texts=(CATS,)))
    name = "no-longer-on-this-server"
    fields = {"chosen": f"gpt2.{name}", "made": f"{name}.{made}"}
    chosen = page.get_by_role("toolbar", name="Tokenizers").get_by_role("button", pressed=True)
    for _ in range(2):  # the original link, and one shared again from it
        page.goto("about:blank")
        page.goto(write_link(f"{app_url}compression", fields, "the cat"))
        expect(chosen).to_have_text(["GPT-2", "made of cats"], timeout=TRAINING_MS)
        expect(
            page.get_by_text(re.compile(r"made of cats: \d+ merges turn 7 bytes into 2 tokens")).first
        ).to_be_visible()
        expect(page).not_to_have_url(re.compile("#"))
        link = share(page)
        assert made in link
        assert name not in link and "tokenizers=" not in link
        fields = {each: value for each, value in parse_qsl(urlsplit(link).fragment) if each != "text"}


def test_links_of_other_pages_share_the_trained_tokenizer(
    page: Page, app_url: str, browser: Browser, watched: Watched
) -> None:
    TrainPage.open(page, app_url, "?size=300").train()
    page.get_by_role("link", name="See it on the Tokens page").click()
    text = "for each in"  # few enough tokens for the list of ids to show them all
    type_on_the_tokens_page(page, text)
    tok = tokviz.train(hold_out(sample_texts("all code")).learn, vocab_size=300, split_pattern="cl100k")
    expect_ids(page, tok.encode(text))
    page.get_by_role("button", name="share").click()
    expect(page.get_by_role("dialog")).to_contain_text("So is how to make your own tokenizer")
    page.get_by_role("button", name="close").click()
    link = share(page)
    kept = re.search(r"tokenizer=([\w-]+)", link)
    assert kept
    gone = link.replace(kept[1], "no-longer-on-this-server")  # as after a restart

    for opened in (link, gone):
        context = browser.new_context()
        watched.watch(context)
        other = context.new_page()
        other.goto(opened)
        expect(other.get_by_role("combobox", name="Tokenizer")).to_have_value("trained on “Code”")
        expect_ids(other, tok.encode(text))
        # From then on the tokenizer is theirs: on all pages, and after a reload, however soon.
        other.reload()
        expect(other.get_by_role("combobox", name="Tokenizer")).to_have_value("trained on “Code”")
        go_to(other, "Train")
        expect(other.get_by_role("heading", name="Your tokenizers")).to_be_visible()
        context.close()


@pytest.mark.parametrize("where", ["compare", "replay"])
def test_links_of_other_pages_may_contain_a_recipe(page: Page, widgets_url: str, where: str, watched: Watched) -> None:
    made = write(Origin("made of cats", Recipe(280), texts=(CATS,)))
    name = "no-longer-on-this-server"
    fields = {"compare": f"gpt2,{name}"} if where == "compare" else {"tokenizer": name}
    page.goto(write_link(f"{widgets_url}{where}", {**fields, "made": f"{name}.{made}"}, "the cat"))
    picker = page.locator("input[role=combobox]").filter(visible=True).last
    expect(picker).to_have_value("made of cats", timeout=TRAINING_MS)
    link = share(page)
    assert made in link
    assert name not in link


def test_link_with_an_invalid_recipe_opens(page: Page, widgets_url: str, watched: Watched) -> None:
    page.goto(f"{widgets_url}#tokenizer=gone&made=gone.nonsense&sample=prose-en")
    expect(page.get_by_text("This link is damaged; perhaps the end of it was cut off.")).to_be_visible()
    expect(page.get_by_text("This link is for a tokenizer that is not here")).to_be_visible()
    expect(page.get_by_role("combobox", name="Tokenizer")).to_have_value("cl100k (GPT-4, GPT-3.5)")
    watched.problems.clear()  # the refusal


def test_tokenizer_too_large_for_a_link_is_reported(page: Page, app_url: str, browser: Browser) -> None:
    train = TrainPage.open(page, app_url, "?learn-from=Files&size=300&measure-on=Nothing+else")
    train.drop("words.txt", "\n".join("".join(random.choices("abcdefghij", k=9)) for _ in range(2_000)).encode())
    train.train()
    page.get_by_role("link", name="See it on the Tokens page").click()
    expect(page.get_by_role("combobox", name="Tokenizer")).to_have_value("trained on “words.txt”")
    page.get_by_role("button", name="share").click()
    expect(page.get_by_role("dialog")).to_contain_text("save its file on the Train page and send it along")
    page.get_by_role("button", name="close").click()
    other = browser.new_context().new_page()
    other.goto(share(page))  # as long as the server keeps it
    expect(other.get_by_role("combobox", name="Tokenizer")).to_have_value("trained on “words.txt”")
    other.context.close()


def test_progress_is_shown_and_training_can_be_cancelled(page: Page, app_url: str) -> None:
    train = TrainPage.open(page, app_url, "?learn-from=Files&size=100000")
    train.drop("long.txt", long_text())
    train.button.click()
    expect(page.get_by_text("of 99,744")).to_be_visible(timeout=TRAINING_MS)
    bar = page.get_by_role("progressbar")
    expect(bar).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Cancelled. Nothing was kept.")).to_be_visible()
    expect(bar).to_have_count(0)
    expect(train.button).to_be_enabled()


def test_long_trainings_from_one_address_queue_while_typing_works(page: Page, app_url: str, browser: Browser) -> None:
    with browser.new_context() as first, browser.new_context() as second:
        trainers = [first.new_page(), page]
        for person in trainers:
            train = TrainPage.open(person, app_url, "?learn-from=Files&size=200000")
            train.drop("long.txt", long_text())
            train.button.click()
            says = "of 199,744" if person is trainers[0] else "Waiting in line: You are next"
            expect(person.get_by_text(says)).to_be_visible(timeout=TRAINING_MS)

        tokens = TokensPage.open(second.new_page(), app_url)
        tokens.editor.fill("")
        tokens.editor.press_sequentially("typing goes on")
        expect(tokens.text.locator(".t")).to_have_text(["typing", " goes", " on"])
        expect(page.get_by_text("Waiting in line: You are next")).to_be_visible()

        trainers[0].get_by_role("button", name="Cancel").click()
        expect(trainers[0].get_by_text("Cancelled. Nothing was kept.")).to_be_visible()
        expect(page.get_by_text("Waiting in line")).to_have_count(0)
        expect(page.get_by_text("of 199,744")).to_be_visible(timeout=TRAINING_MS)
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_text("Cancelled. Nothing was kept.")).to_be_visible()


def test_settings_are_in_the_address_and_the_vocabulary_is_searched_and_sorted(page: Page, app_url: str) -> None:
    train = TrainPage.open(page, app_url)
    size = page.get_by_role("spinbutton", name="Vocabulary size")
    size.fill("600")
    size.press("Enter")
    page.wait_for_url("**size=600**")
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    expect(size).to_have_value("600")
    rest(page)
    train.train()
    search = page.get_by_role("textbox", name="Search")
    search.fill("return")
    search.press("Enter")
    expect(page.get_by_text("How “").first).to_contain_text("return")
    expect(page.get_by_test_id("stCode").last).to_contain_text("├─")
    page.get_by_role("radio", name="Length").click()
    rest(page)
    expect(page.get_by_test_id("stCode").last).to_contain_text("return")


def test_every_format_is_saved_and_opened_on_the_page(page: Page, app_url: str, tmp_path: Path) -> None:
    train = TrainPage.open(page, app_url, "?size=300&pattern=gpt2&specials=%3Ca%3E")
    train.train()
    saved = {title: saved_as(train, title, tmp_path) for title in FORMATS}
    as_trained = tokviz.open(tmp_path / "tokenizer.json")
    page.get_by_text("Open a tokenizer from a file").click()
    upload = page.get_by_test_id("stFileUploader").filter(has_text="One file")
    for title, lacks in FORMATS.items():
        upload.locator("input[type=file]").set_input_files(saved[title])
        rest(page)
        if lacks:
            patterns = page.get_by_role("combobox", name="Split pattern").nth(1)
            patterns.scroll_into_view_if_needed()
            next_frame(page)
            patterns.click()  # only after scrolling, which closes an open list
            page.get_by_role("option", name="gpt2").click()
            rest(page)
            special = page.get_by_role("textbox", name="Special tokens and their ids")
            special.fill("<a> 299")
            special.press("Control+Enter")
            rest(page)
        page.get_by_role("button", name="Open it").click()
        label = " and ".join(sorted(file.name for file in saved[title]))
        expect(page.get_by_role("combobox", name="Tokenizer")).to_have_value(label)
        rest(page)
        (again,) = saved_as(train, "Hugging Face's tokenizer.json", tmp_path / "again")
        opened = tokviz.open(again)
        assert opened.encode(TEXT, allowed_special="all") == as_trained.encode(TEXT, allowed_special="all"), title
        assert opened.vocab == as_trained.vocab
        expect(upload.get_by_role("button", name=re.compile("Remove"))).to_have_count(0)  # cleared for the next file


def saved_as(train: TrainPage, title: str, folder: Path) -> list[Path]:
    """Save the files of a download button; two files come as a zip file."""
    file = train.saved_as(title, folder)
    if file.suffix != ".zip":
        return [file]
    with zipfile.ZipFile(file) as archive:
        archive.extractall(folder)
        return [folder / name for name in archive.namelist()]


def test_a_pattern_is_checked_as_it_is_typed_and_the_other_settings_stay(page: Page, app_url: str) -> None:
    learned = sample("prose-en")
    settings = {"pattern": "my own", "size": 321, "specials": "<a>", "sample": learned.title}
    TrainPage.open(page, app_url, f"?{urlencode(settings)}")
    box = page.get_by_role("textbox", name="A regular expression")
    preview = page.get_by_test_id("stCode").first
    button = page.get_by_role("button", name="Train", exact=True)
    box.fill("[a-z")
    expect(page.get_by_role("alert")).to_contain_text("at position 4")
    expect(button).to_be_disabled()
    box.press_sequentially("]+| ")
    capital, rest_of_it, second = re.match(r"([A-Z])([a-z]+) ([a-z]+) ", learned.text).groups()  # type: ignore[union-attr]
    expect(preview).to_have_text(re.compile(rf"^{capital} \| {rest_of_it} \| · \| {second} \| · "))
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(button).to_be_enabled()
    expect(page.get_by_role("spinbutton", name="Vocabulary size")).to_have_value("321")
    expect(page.get_by_role("textbox", name="Special tokens")).to_have_value("<a>")
    page.wait_for_url("**size=321**")


MARKDOWN = (
    "![](https://evil.example/x.png) [sign in again](https://evil.example) https://evil.example a@evil.example "
    "*a* _b_ `c` :red[d] $e$ :cat: :streamlit: -> <b>f</b>"
)


def test_settings_from_a_link_are_shown_literally(page: Page, app_url: str) -> None:
    half = MARKDOWN.index("a@evil")  # only the beginning of a long pattern is quoted
    for part in (MARKDOWN[:half], MARKDOWN[half:]):
        TrainPage.open(page, app_url, f"?{urlencode({'pattern': 'my own', 'pattern-own': f'({part}'})}")
        alert = page.get_by_role("alert")
        expect(alert).to_contain_text(f"({part.strip()}")
        expect(alert.locator("a, img, b, em, .katex")).to_have_count(0)


def test_labels_from_a_link_are_shown_literally(page: Page, app_url: str, watched: Watched) -> None:
    made = write(Origin(MARKDOWN[:100], Recipe(280), texts=(CATS,)))
    page.goto(write_link(app_url, {"tokenizer": "gone", "made": f"gone.{made}"}, "the cat"))
    expect(page.get_by_role("combobox", name="Tokenizer")).to_have_value(MARKDOWN[:100], timeout=TRAINING_MS)
    go_to(page, "Compression")
    own = page.get_by_role("toolbar", name="Tokenizers").get_by_role("button").last
    expect(own).to_have_text(MARKDOWN[:100])
    expect(own.locator("a, img")).to_have_count(0)
    go_to(page, "Train")
    chosen = page.get_by_role("combobox", name="Tokenizer")
    expect(chosen).to_have_value(MARKDOWN[:100])
    expect(page.get_by_role("button", name="minbpe's .model")).to_be_visible()  # the last part of the page
    rest(page)
    chosen.focus()
    next_frame(page)  # scrolling closes an open list
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("option")).to_have_text(MARKDOWN[:100])


def test_link_with_a_short_text_gives_the_same_tokenizer(page: Page, app_url: str, browser: Browser) -> None:
    text = "Größe: the cat in the hat 🎩\nsat on the mat & the <b>bat</b>\n"
    train = TrainPage.open(
        page, app_url, "?learn-from=My+text&size=280&pattern=my+own&ties=lowest-ids&measure-on=Nothing+else"
    )
    pattern = page.get_by_role("textbox", name="A regular expression")
    pattern.fill(r"\w+|[^\w]+?(?=\w)|.")
    pattern.press("Enter")
    train.write(text)
    link = share(page)
    expected = tokviz.train(text, vocab_size=280, split_pattern=r"\w+|[^\w]+?(?=\w)|.", tie_break="lowest-ids")
    ours = train.trained_file()
    with browser.new_context() as stranger:
        other = stranger.new_page()
        other.goto(link)
        expect(other.get_by_role("spinbutton", name="Vocabulary size")).to_have_value("280")
        expect(unfold_text(other)).to_have_value(text)
        assert "#" not in other.url
        theirs = TrainPage(other).trained_file()
    assert theirs == ours
    assert tokviz.formats.read({"tokenizer.json": theirs}).merges == expected.merges


def test_short_dropped_file_is_in_the_link_as_text(page: Page, app_url: str, browser: Browser) -> None:
    train = TrainPage.open(page, app_url, "?learn-from=Files&size=300&measure-on=Nothing+else")
    train.drop("cats.txt", CATS.encode())
    link = share(page)
    with browser.new_context() as stranger:
        other = stranger.new_page()
        other.goto(link)
        expect(unfold_text(other)).to_have_value(CATS)
        theirs = TrainPage(other).trained_file()
    assert (
        tokviz.formats.read({"tokenizer.json": theirs}).merges
        == tokviz.train(CATS, vocab_size=300, split_pattern="cl100k").merges
    )


def test_text_too_long_for_a_link_is_saved_as_a_file(page: Page, app_url: str, browser: Browser) -> None:
    text = "".join(f"{number**7} " for number in range(2000))
    train = TrainPage.open(page, app_url, "?learn-from=My+text&size=300&measure-on=Nothing+else")
    train.write(text)
    page.get_by_role("button", name="share").click()
    expect(page.get_by_text("too long for a link")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="save the text").click()
    page.get_by_role("button", name="close").click()
    link = share(page)
    assert "#" not in link
    with browser.new_context() as stranger:
        other = stranger.new_page()
        other.goto(link)
        expect(other.get_by_role("spinbutton", name="Vocabulary size")).to_have_value("300")
        TrainPage(other).drop("text.txt", Path(download.value.path()).read_bytes())
        theirs = TrainPage(other).trained_file()
    assert (
        tokviz.formats.read({"tokenizer.json": theirs}).merges
        == tokviz.train(text, vocab_size=300, split_pattern="cl100k").merges
    )


def test_settings_survive_a_server_restart(page: Page, watched: Watched) -> None:
    port = free_port()
    with served(port) as url:
        train = TrainPage.open(page, url, "?size=300")
        train.train()
    with served(port):
        size = page.get_by_role("spinbutton", name="Vocabulary size")
        expect(size).to_have_value("300")
        size.fill("310")
        size.press("Enter")
        expect(page.get_by_role("heading", name="Your tokenizers")).to_have_count(0)
        train.train()
        expect(page.get_by_text("A vocabulary of 310;")).to_be_visible()
    watched.problems.clear()  # requests that were lost


def test_axe_finds_nothing_serious_and_nothing_scrolls_sideways(page: Page, app_url: str) -> None:
    train = TrainPage.open(page, app_url, "?size=300&alphabet=characters&pattern=my+own")
    train.train()
    for look in looks(page):
        expect_accessible(page, look)
        expect_no_sideways_scrolling(page)
