"""The Train page in a real browser: from a dropped file to a tokenizer on every page, to a file and back."""

import random
import re
import time
import zipfile
from pathlib import Path
from typing import Literal
from urllib.parse import urlencode, urlsplit

import pytest
from conftest import Watched, expect_accessible, free_port, served
from playwright.sync_api import Browser, Page, expect

import tokviz
from tokviz.analysis.holdout import hold_out
from tokviz.app.jobs import Recipe
from tokviz.app.links import write_link
from tokviz.app.recipes import Origin, sample_texts, write
from tokviz.samples import sample

CATS = "the cat in the hat sat on the mat\n" * 40
TEXT = "for item in range(12):  # it's <a>\n    pass"
FORMATS = {
    "Hugging Face's tokenizer.json": False,
    "tiktoken's .tiktoken": True,
    "GPT-2's vocab.bpe and encoder.json": True,
    "minbpe's .model": False,
}
"""Those there are, and whether people have to say what such a file lacks."""
DICE = random.Random(1)
# No two words are alike, so that training takes minutes: longer than any test that needs it to go on.
LONG = "\n".join("".join(DICE.choices("abcdefghijklmnopqrstuvwxyz", k=450)) for _ in range(20_000)).encode()


def open_page(page: Page, app_url: str, settings: str = "") -> None:
    page.goto(f"{app_url}train{settings}")
    expect(page.get_by_role("button", name="Train", exact=True)).to_be_visible()
    rest(page)


def rest(page: Page) -> None:
    expect(page.locator("[data-testid=stApp]")).to_have_attribute("data-test-script-state", "notRunning")


def drop(page: Page, name: str, data: bytes) -> None:
    """Drop a file on the page's field for texts."""
    box = page.get_by_test_id("stFileUploader").filter(has_text="Text files")
    box.locator("input[type=file]").set_input_files({"name": name, "mimeType": "text/plain", "buffer": data})
    expect(page.get_by_role("button", name="Train", exact=True)).to_be_enabled()
    rest(page)


def train(page: Page) -> None:
    page.get_by_role("button", name="Train", exact=True).click()


def expect_trained(page: Page) -> None:
    expect(page.get_by_role("heading", name="Your tokenizers")).to_be_visible()
    expect(page.get_by_role("button", name="Train", exact=True)).to_be_enabled()


def expect_ids(page: Page, ids: list[int]) -> None:
    """That the Tokens page cuts its text into these."""
    shown = page.get_by_role("listbox", name="Token ids").locator(".id")
    expect(shown).to_have_text([str(each) for each in ids])


def type_on_the_tokens_page(page: Page, text: str) -> None:
    page.get_by_role("textbox", name="Your text").fill(text)
    page.get_by_role("switch", name="ids").check()


def test_from_a_dropped_file_to_the_tokens_page_to_a_file_and_back(page: Page, app_url: str, tmp_path: Path) -> None:
    open_page(page, app_url, "?learn-from=Files&size=300&pattern=gpt2&measure-on=Nothing+else")
    drop(page, "cats.txt", CATS.encode("utf-16"))
    train(page)
    expect_trained(page)
    tok = tokviz.train(CATS, vocab_size=300, split_pattern="gpt2")
    expect(page.get_by_text(f"A vocabulary of {len(tok.vocab)};")).to_be_visible()

    with page.expect_download() as download:
        page.get_by_role("button", name="Hugging Face's tokenizer.json").click()
    file = tmp_path / "mine.json"
    download.value.save_as(file)
    assert tokviz.open(file).encode(CATS) == tok.encode(CATS)
    with page.expect_download() as download:
        page.get_by_role("button", name="GPT-2's vocab.bpe and encoder.json").click()
    assert zipfile.ZipFile(download.value.path()).namelist() == ["vocab.bpe", "encoder.json"]

    text = "the rat in the hat"
    page.get_by_role("link", name="See it on the Tokens page").click()
    expect(page.locator(".t").first).to_be_visible()
    expect(page.get_by_role("combobox", name="Tokenizer")).to_have_value("trained on “cats.txt”")
    type_on_the_tokens_page(page, text)
    expect_ids(page, tok.encode(text))

    page.get_by_role("link", name="Train").first.click()
    page.get_by_text("Open a tokenizer from a file").click()
    box = page.get_by_test_id("stFileUploader").filter(has_text="One file")
    box.locator("input[type=file]").set_input_files(file)
    page.get_by_role("button", name="Open it").click()
    expect(page.get_by_role("combobox", name="Tokenizer")).to_have_value("mine.json")
    page.get_by_role("link", name="See it on the Tokens page").click()
    expect(page.locator(".t").first).to_be_visible()
    expect(page.get_by_role("combobox", name="Tokenizer")).to_have_value("mine.json")
    type_on_the_tokens_page(page, text)
    expect_ids(page, tok.encode(text))


def test_it_stands_in_the_list_of_the_compression_page_and_outlives_a_reload(page: Page, app_url: str) -> None:
    open_page(page, app_url, "?size=300")
    train(page)
    expect_trained(page)
    page.get_by_role("link", name="Compression").first.click()
    own = page.get_by_role("button", name="trained on “Code”", exact=True)
    expect(own).to_be_visible()
    own.click()
    expect(page.get_by_text("trained on “Code”:").first).to_be_visible()
    page.reload()  # for Streamlit, a session of its own
    expect(page.get_by_role("button", name="trained on “Code”", exact=True)).to_be_visible()


def share(page: Page) -> str:
    """The link to what is on screen, as the browser of this computer can open it."""
    page.get_by_role("button", name="share").click()
    shared = urlsplit(page.get_by_label("Link", exact=True).input_value())
    page.get_by_role("button", name="close").click()
    return shared._replace(netloc=urlsplit(page.url).netloc).geturl()


def test_links_of_other_pages_bring_it_to_others(page: Page, app_url: str, browser: Browser, watched: Watched) -> None:
    open_page(page, app_url, "?size=300")
    train(page)
    expect_trained(page)
    page.get_by_role("link", name="See it on the Tokens page").click()
    text = "for each in"  # so few tokens that the list of ids has them all
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
        # From then on it is theirs: on all pages, and after a reload.
        rest(other)
        other.reload()
        expect(other.get_by_role("combobox", name="Tokenizer")).to_have_value("trained on “Code”")
        other.get_by_role("link", name="Train").first.click(delay=50)
        expect(other.get_by_role("heading", name="Your tokenizers")).to_be_visible()
        context.close()


@pytest.mark.parametrize("where", ["compare", "replay"])
def test_links_of_other_pages_may_come_with_a_recipe(page: Page, app_url: str, where: str, watched: Watched) -> None:
    made = write(Origin("made of cats", Recipe(280), texts=(CATS,)))
    name = "no-longer-on-this-server"
    fields = {"compare": f"gpt2,{name}"} if where == "compare" else {"tokenizer": name}
    page.goto(write_link(f"{app_url}{where}", {**fields, "made": f"{name}.{made}"}, "the cat"))
    expect(page.locator("input[role=combobox]").filter(visible=True).last).to_have_value("made of cats")
    link = share(page)
    assert made in link
    assert name not in link


def test_a_link_with_what_is_no_recipe_opens_all_the_same(page: Page, app_url: str, watched: Watched) -> None:
    page.goto(f"{app_url}#tokenizer=gone&made=gone.nonsense&sample=prose-en")
    expect(page.get_by_text("This link is damaged; perhaps the end of it was cut off.")).to_be_visible()
    expect(page.get_by_text("This link is for a tokenizer that is not here")).to_be_visible()
    expect(page.get_by_role("combobox", name="Tokenizer")).to_have_value("cl100k (GPT-4, GPT-3.5)")
    watched.problems.clear()  # the refusal


def test_one_that_is_too_large_for_a_link_is_said_to_be(page: Page, app_url: str, browser: Browser) -> None:
    open_page(page, app_url, "?learn-from=Files&size=300&measure-on=Nothing+else")
    drop(page, "words.txt", "\n".join("".join(DICE.choices("abcdefghij", k=9)) for _ in range(2_000)).encode())
    train(page)
    expect_trained(page)
    page.get_by_role("link", name="See it on the Tokens page").click()
    expect(page.get_by_role("combobox", name="Tokenizer")).to_have_value("trained on “words.txt”")
    page.get_by_role("button", name="share").click()
    expect(page.get_by_role("dialog")).to_contain_text("save its file on the Train page and send it along")
    page.get_by_role("button", name="close").click()
    other = browser.new_context().new_page()
    other.goto(share(page))  # as long as the server keeps it
    expect(other.get_by_role("combobox", name="Tokenizer")).to_have_value("trained on “words.txt”")
    other.context.close()


def test_nobody_else_sees_it(page: Page, app_url: str, browser: Browser) -> None:
    open_page(page, app_url, "?size=300")
    train(page)
    expect_trained(page)
    stranger = browser.new_context().new_page()
    open_page(stranger, app_url)
    expect(stranger.get_by_role("heading", name="Your tokenizers")).to_have_count(0)
    stranger.context.close()


def test_progress_is_shown_and_cancelling_takes_less_than_a_second(page: Page, app_url: str) -> None:
    open_page(page, app_url, "?learn-from=Files&size=100000")
    drop(page, "long.txt", LONG)
    train(page)
    expect(page.get_by_text("of 99,744")).to_be_visible()
    bar = page.get_by_role("progressbar")
    expect(bar).to_be_visible()
    begun = time.monotonic()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Cancelled. Nothing was kept.")).to_be_visible()
    assert time.monotonic() - begun < 5
    expect(bar).to_have_count(0)
    expect(page.get_by_role("button", name="Train", exact=True)).to_be_enabled()


def test_two_people_train_while_a_third_types_and_a_fourth_waits(page: Page, app_url: str, browser: Browser) -> None:
    with browser.new_context() as first, browser.new_context() as second, browser.new_context() as third:
        trainers = [first.new_page(), second.new_page()]
        for person in trainers:
            open_page(person, app_url, "?learn-from=Files&size=200000")
            drop(person, "long.txt", LONG)
            train(person)
            expect(person.get_by_text("of 199,744")).to_be_visible()
        open_page(page, app_url, "?size=300")
        train(page)
        expect(page.get_by_text("Waiting in line: You are next")).to_be_visible()

        typist = third.new_page()
        typist.goto(app_url)
        expect(typist.locator(".t").first).to_be_visible()
        text = "typing goes on"
        typist.get_by_role("textbox", name="Your text").fill("")
        typist.get_by_role("textbox", name="Your text").press_sequentially(text)
        expect(typist.get_by_role("listbox", name="Tokens").locator(".t")).to_have_text(["typing", " goes", " on"])
        expect(page.get_by_text("Waiting in line: You are next")).to_be_visible()

        trainers[0].get_by_role("button", name="Cancel").click()
        expect(page.get_by_text("Waiting in line")).to_have_count(0)
        trainers[1].get_by_role("button", name="Cancel").click()
        expect(trainers[1].get_by_text("Cancelled. Nothing was kept.")).to_be_visible()
        expect_trained(page)


def test_a_file_that_is_no_text_is_refused_by_name(page: Page, app_url: str) -> None:
    open_page(page, app_url, "?learn-from=Files")
    box = page.get_by_test_id("stFileUploader").filter(has_text="Text files")
    box.locator("input[type=file]").set_input_files(
        {"name": "notes.txt", "mimeType": "text/plain", "buffer": "café".encode("latin-1")}
    )
    expect(page.get_by_text("notes.txt is no text in UTF-8")).to_be_visible()


def test_the_vocabulary_is_searched_and_sorted_and_a_row_has_its_tree(page: Page, app_url: str) -> None:
    open_page(page, app_url, "?size=600")
    train(page)
    expect_trained(page)
    search = page.get_by_role("textbox", name="Search")
    search.fill("return")
    search.press("Enter")
    expect(page.get_by_text("How “").first).to_contain_text("return")
    expect(page.get_by_test_id("stCode").last).to_contain_text("├─")
    page.get_by_role("radio", name="Length").click()
    rest(page)
    expect(page.get_by_test_id("stCode").last).to_contain_text("return")


def test_settings_are_in_the_address(page: Page, app_url: str) -> None:
    open_page(page, app_url)
    size = page.get_by_role("spinbutton", name="Vocabulary size")
    size.fill("321")
    size.press("Enter")
    page.wait_for_url("**size=321**")
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    expect(page.get_by_role("spinbutton", name="Vocabulary size")).to_have_value("321")


def test_every_format_is_saved_and_opened_on_the_page(page: Page, app_url: str, tmp_path: Path) -> None:
    open_page(page, app_url, "?size=300&pattern=gpt2&specials=%3Ca%3E")
    train(page)
    expect_trained(page)
    saved = {title: saved_as(page, title, tmp_path) for title in FORMATS}
    as_trained = tokviz.open(tmp_path / "tokenizer.json")
    page.get_by_text("Open a tokenizer from a file").click()
    upload = page.get_by_test_id("stFileUploader").filter(has_text="One file")
    for title, lacks in FORMATS.items():
        upload.locator("input[type=file]").set_input_files(saved[title])
        rest(page)
        if lacks:
            patterns = page.get_by_role("combobox", name="Split pattern").nth(1)
            patterns.scroll_into_view_if_needed()
            page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            patterns.click()  # only after the scrolling, which closes a list that is open
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
        (again,) = saved_as(page, "Hugging Face's tokenizer.json", tmp_path / "again")
        opened = tokviz.open(again)
        assert opened.encode(TEXT, allowed_special="all") == as_trained.encode(TEXT, allowed_special="all"), title
        assert opened.vocab == as_trained.vocab
        expect(upload.get_by_role("button", name=re.compile("Remove"))).to_have_count(0)  # empty for the next one


def saved_as(page: Page, title: str, folder: Path) -> list[Path]:
    """The files that a button gives; two come in a zip file."""
    folder.mkdir(exist_ok=True)
    with page.expect_download() as download:
        page.get_by_role("button", name=title).click()
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    if file.suffix != ".zip":
        return [file]
    with zipfile.ZipFile(file) as archive:
        archive.extractall(folder)
        return [folder / name for name in archive.namelist()]


def test_a_pattern_is_checked_as_it_is_typed_and_the_other_settings_stay(page: Page, app_url: str) -> None:
    learned = sample("prose-en")
    settings = {"pattern": "my own", "size": 321, "specials": "<a>", "sample": learned.title}
    open_page(page, app_url, f"?{urlencode(settings)}")
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


def test_what_a_link_brings_is_shown_letter_by_letter(page: Page, app_url: str, watched: Watched) -> None:
    open_page(page, app_url, f"?{urlencode({'pattern': 'my own', 'pattern-own': f'({MARKDOWN}'})}")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text(f"({MARKDOWN}")
    expect(alert.locator("a, img, b, em, .katex")).to_have_count(0)


def test_labels_that_a_link_brings_are_shown_letter_by_letter(page: Page, app_url: str, watched: Watched) -> None:
    made = write(Origin(MARKDOWN[:100], Recipe(280), texts=(CATS,)))
    page.goto(write_link(app_url, {"tokenizer": "gone", "made": f"gone.{made}"}, "the cat"))
    expect(page.get_by_role("combobox", name="Tokenizer")).to_have_value(MARKDOWN[:100])
    rest(page)
    page.get_by_role("link", name="Compression").first.click(delay=50)
    own = page.get_by_role("toolbar", name="Tokenizers").get_by_role("button").last
    expect(own).to_have_text(MARKDOWN[:100])
    expect(own.locator("a, img")).to_have_count(0)
    rest(page)
    page.get_by_role("link", name="Train").first.click(delay=50)
    chosen = page.get_by_role("combobox", name="Tokenizer")
    expect(chosen).to_have_value(MARKDOWN[:100])
    chosen.press("ArrowDown")
    expect(page.get_by_role("option")).to_have_text(MARKDOWN[:100])


def paste(page: Page, text: str) -> None:
    page.get_by_text(re.compile("^(Your|The) text")).click()
    box = page.get_by_label("Text", exact=True)
    box.fill(text)
    box.press("Control+Enter")
    expect(page.get_by_test_id("stCode").first).to_have_text(re.compile(f"^{re.escape(text[:1])}"))
    rest(page)


def trained_file(page: Page) -> bytes:
    """What the page gives as tokenizer.json after training."""
    train(page)
    expect_trained(page)
    rest(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Hugging Face's tokenizer.json").click()
    return Path(download.value.path()).read_bytes()


def test_a_short_text_travels_in_the_link_and_gives_the_same_tokenizer(
    page: Page, app_url: str, browser: Browser
) -> None:
    text = "Größe: the cat in the hat 🎩\nsat on the mat & the <b>bat</b>\n"
    open_page(page, app_url, "?learn-from=My+text&size=280&pattern=my+own&ties=lowest-ids&measure-on=Nothing+else")
    pattern = page.get_by_role("textbox", name="A regular expression")
    pattern.fill(r"\w+|[^\w]+?(?=\w)|.")
    pattern.press("Enter")
    paste(page, text)
    link = share(page)
    expected = tokviz.train(text, vocab_size=280, split_pattern=r"\w+|[^\w]+?(?=\w)|.", tie_break="lowest-ids")
    ours = trained_file(page)
    with browser.new_context() as stranger:
        other = stranger.new_page()
        other.goto(link)
        expect(other.get_by_role("spinbutton", name="Vocabulary size")).to_have_value("280")
        other.get_by_text(re.compile("^(Your|The) text")).click()
        expect(other.get_by_label("Text", exact=True)).to_have_value(text)
        assert "#" not in other.url
        theirs = trained_file(other)
    assert theirs == ours
    assert tokviz.formats.read({"tokenizer.json": theirs}).merges == expected.merges


def test_a_dropped_file_that_is_short_travels_in_the_link_as_text(page: Page, app_url: str, browser: Browser) -> None:
    open_page(page, app_url, "?learn-from=Files&size=300&measure-on=Nothing+else")
    drop(page, "cats.txt", CATS.encode())
    link = share(page)
    with browser.new_context() as stranger:
        other = stranger.new_page()
        other.goto(link)
        other.get_by_text(re.compile("^(Your|The) text")).click()
        expect(other.get_by_label("Text", exact=True)).to_have_value(CATS)
        theirs = trained_file(other)
    assert (
        tokviz.formats.read({"tokenizer.json": theirs}).merges
        == tokviz.train(CATS, vocab_size=300, split_pattern="cl100k").merges
    )


def test_a_text_too_long_for_a_link_is_saved_and_sent_along(page: Page, app_url: str, browser: Browser) -> None:
    text = "".join(f"{number**7} " for number in range(2000))
    open_page(page, app_url, "?learn-from=My+text&size=300&measure-on=Nothing+else")
    paste(page, text)
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
        drop(other, "text.txt", Path(download.value.path()).read_bytes())
        theirs = trained_file(other)
    assert (
        tokviz.formats.read({"tokenizer.json": theirs}).merges
        == tokviz.train(text, vocab_size=300, split_pattern="cl100k").merges
    )


def test_a_server_that_is_started_anew_keeps_the_settings(page: Page, watched: Watched) -> None:
    port = free_port()
    with served(port) as url:
        open_page(page, url, "?size=300")
        train(page)
        expect_trained(page)
    with served(port):
        size = page.get_by_role("spinbutton", name="Vocabulary size")
        expect(size).to_have_value("300")
        size.fill("310")
        size.press("Enter")
        expect(page.get_by_role("heading", name="Your tokenizers")).to_have_count(0)
        train(page)
        expect_trained(page)
        expect(page.get_by_text("A vocabulary of 310;")).to_be_visible()
    watched.problems.clear()  # requests that were lost


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 1280])
def test_axe_finds_nothing_serious(page: Page, app_url: str, scheme: Literal["light", "dark"], width: int) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    open_page(page, app_url, "?size=300&alphabet=characters&pattern=my+own")
    train(page)
    expect_trained(page)
    rest(page)
    expect_accessible(page)
    main = page.get_by_test_id("stMain")
    assert main.evaluate("element => element.scrollWidth <= element.clientWidth")
