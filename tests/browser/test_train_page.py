"""The Train page in a real browser: a text, a recipe and a button; what is seen meanwhile; and what comes next."""

import random
import re
import zipfile
from functools import cache
from pathlib import Path
from string import ascii_lowercase
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, FilePayload, Locator, Page, expect
from sentencepiece import SentencePieceProcessor
from tabs import Tab, Watched

import tokviz
from pages import (
    TRAINING_MS,
    HeldRequests,
    ReplayPage,
    TokensPage,
    TrainPage,
    drop_files,
    expect_accessible_in_all_looks,
    expect_no_sideways_scrolling,
    go_to,
    next_frame,
    resting_boxes,
    share,
    small_touch_targets,
)
from tokviz.analysis.training.holdout import hold_out
from tokviz.app.answers.visitors.share_codes import Origin, sample_texts, write
from tokviz.app.shields.processes.training_recipes import Recipe
from tokviz.lesson.links import write_link
from tokviz.samples import sample

CATS = "the cat in the hat sat on the mat\n" * 40
LINE = "the cat in the hat sat on the mat"
TEXT = "for item in range(12):  # it's <a>\n    pass"
FORMATS = {
    "Hugging Face's tokenizer.json": False,
    "tiktoken's .tiktoken": True,
    "GPT-2's vocab.bpe and encoder.json": True,
    "minbpe's .model": False,
}
"""File formats, and whether such a file lacks the split pattern and the special tokens."""
LACKING: tokviz.formats.LeftOut = {"split_pattern": "gpt2", "special_tokens": {"<a>": 299}}


@cache
def long_text() -> bytes:
    """Return a text whose training takes minutes, as all its words differ: longer than tests need it to be running."""
    dice = random.Random(1)
    return "\n".join("".join(dice.choices(ascii_lowercase, k=450)) for _ in range(4_000)).encode()


@pytest.fixture
def still(page: Page) -> Page:
    """A page on which nothing moves."""
    page.emulate_media(reduced_motion="reduce")
    return page


# Text, recipe, result


def test_the_class_exercise_takes_two_actions(still: Page, widgets_url: str) -> None:
    """One line, learn from it, see the merges, one after the other, and what they make of the line."""
    train = TrainPage.open(still, widgets_url)
    train.text.fill(LINE)  # in sight at once, and editable
    train.button.click()
    train.expect_trained()
    tok = tokviz.train(LINE, split_pattern="cl100k")
    merges = [tok.vocab[new].decode().replace(" ", "·") for new in tok.merges.values()]
    expect(train.size).to_have_text(f"A vocabulary of {len(tok.vocab)} tokens: {len(merges)} merged, 256 bytes.")
    expect(still.locator(".facts")).to_contain_text("too short to set lines aside")
    expect(still.locator(".problem:not(:empty)")).to_have_count(0)
    still.emulate_media(media="print")  # the result, without the form
    expect(train.size).to_be_visible()
    for form in ("Text", "Recipe"):
        expect(still.locator(f"section[aria-label={form}]")).to_be_hidden()
    still.emulate_media(media="screen")
    expect_tokens(still, len(tok.merges))
    expect(train.newest.locator(".made")).to_have_text(merges[::-1])
    expect_towers(still, tok.encode(LINE))
    merges_learned = still.get_by_role("slider", name="Merges learned")
    merges_learned.press("Home")
    expect_tokens(still, 0)
    expect(train.newest).to_have_count(0)
    expect(still.locator(".tower .block.later")).not_to_have_count(0)
    merges_learned.press("ArrowRight")
    expect_tokens(still, 1)
    expect(train.newest.locator(".made")).to_have_text(merges[:1])
    merges_learned.press("End")
    expect_tokens(still, len(tok.merges))
    # Data of a run that began before the training ended don't name the tokenizer yet.
    still.evaluate("rerun({ tokenizers: [] })")
    expect(train.result).to_be_visible()
    expect(still.get_by_role("region", name="Take it along")).to_be_visible()


def expect_tokens(page: Page, merges: int) -> None:
    """Expect the line's tokens after so many merges."""
    after = tokviz.train(LINE, split_pattern="cl100k", num_merges=merges)
    pieces = [after.vocab[token].decode() for token in after.encode(LINE)]
    expect(page.locator(".picture .token-view .t")).to_have_text(pieces, use_inner_text=False)
    expect(page.locator(".sums .total")).to_have_text(f"{len(pieces)} tokens, from {len(LINE)} bytes")
    says = "Nothing is joined yet"
    if merges:
        (left, right), new = list(after.merges.items())[-1]
        spelled = [after.vocab[token].decode().replace(" ", "·") for token in (left, right, new)]
        says = f"Merge {merges} joins {spelled[0]} + {spelled[1]} into {spelled[2]}: they stood side by side"
    expect(page.locator(".picture .sentence")).to_contain_text(says)


def expect_towers(page: Page, tokens: list[int]) -> None:
    """Expect the first words as towers that end in these tokens."""
    expect(page.locator(".tower .now b")).to_have_count(len(tokens))
    written = page.locator(".tower").evaluate(
        """tower => [...tower.querySelectorAll(".now")].sort((one, other) => one.dataset.at - other.dataset.at)
            .map((block) => Number(block.querySelector("b").textContent))"""
    )
    assert written == tokens
    expect(page.locator(".tower .block:not(.symbol)").first).to_have_class(re.compile("past|now"))


WIDTH_OF_CHOICE = """select => {
    const line = document.createElement("span");
    line.style.font = getComputedStyle(select).font;
    line.textContent = select.selectedOptions[0].textContent;
    document.body.append(line);
    const { width } = line.getBoundingClientRect();
    line.remove();
    return width;
}"""


def expect_pieces(page: Page, merges: int) -> None:
    """Expect the text that the page opens with in the tokens that so many merges make of it."""
    text = sample("training-rain").text
    after = tokviz.train(text, split_pattern="cl100k", num_merges=merges)
    pieces = [after.vocab[token].decode() for token in after.encode(text)]
    drawn = page.locator(".picture .token-view .t").all_inner_texts()
    assert "".join(drawn).replace("·", " ").replace("↵", "").split() == text.split()
    expect(page.locator(".picture .token-view .t")).to_have_count(len(pieces))


def test_the_page_opens_with_what_was_learned_and_plays_it_when_asked(page: Page, widgets_url: str) -> None:
    train = TrainPage.open(page, widgets_url)
    merges = page.get_by_role("slider", name="Merges learned")
    expect(merges).to_have_value("37")  # it does not begin by itself
    expect(page.locator(".track .ticks path").first).to_have_attribute("d", re.compile("(M[0-9]+ 0V1){37}"))
    page.get_by_role("button", name="Play").click()
    expect(merges).to_have_value(re.compile("^[1-9]$"))  # from the first on, one by one
    page.get_by_role("button", name="Pause").click()
    at = int(merges.input_value())
    expect_pieces(page, at)
    made = tokviz.train(sample("training-rain").text, split_pattern="cl100k", num_merges=at)
    newest = made.vocab[max(made.vocab)].decode()
    expect(page.locator(".picture .t.newest").first).to_have_text(newest, use_inner_text=False)
    bottom = page.get_by_role("slider", name="Merges learned").bounding_box()
    assert bottom and bottom["y"] + bottom["height"] < 720, "the picture and its slider are above the fold"
    merges.press("ArrowRight")
    expect_pieces(page, at + 1)
    merges.press("End")
    expect_pieces(page, 37)
    expect(train.size).to_have_text("A vocabulary of 293 tokens: 37 merged, 256 bytes.")
    expect(page.get_by_role("region", name="Take it along")).to_be_hidden()


def test_another_text_moves_nothing_and_what_was_learned_fades_until_there_is_more(
    still: Page, widgets_url: str
) -> None:
    train = TrainPage.open(still, widgets_url)
    expect(still.locator(".tower .block").first).to_be_visible()
    expect(train.sum).to_contain_text("37 merges")
    before = resting_boxes(still.locator(".outcome"))
    places = "all => all.map((each) => each.getBoundingClientRect().y)"
    parts = still.locator(".source > *, .recipe > *, .tower-box, .doors")
    places_before = parts.evaluate_all(places)
    picture = still.locator(".picture")
    for text in ("T", f"{LINE} " * 99, ""):
        train.text.fill(text)
        expect(picture).to_have_css("opacity", "0.6")
        if text == "T":
            expect(train.sum).to_contain_text("No two neighbors occur twice yet")
            train.button.click()
            expect(still.locator(".source .problem")).to_contain_text("No two neighbors occur twice yet")
            expect(still.locator(".source .problem")).to_have_css("color", "rgb(179, 38, 30)")
        assert resting_boxes(still.locator(".outcome")) == before
        assert parts.evaluate_all(places) == places_before
    train.source.select_option("training-rain")  # what was learned is of this
    expect(picture).to_have_css("opacity", "1")


def test_what_was_learned_is_said_where_it_was_asked_for(still: Page, widgets_url: str) -> None:
    """Lines that are set aside don't count, and a text may give fewer merges than are asked for."""
    train = TrainPage.open(still, widgets_url)
    text = "".join(f"{number**3} cubes of {number}\n" for number in range(300))
    train.write(text)
    learned = hold_out([text]).learn
    expect(train.count).to_have_attribute("placeholder", re.compile("^[1-9]"))
    fits = int(train.count.get_attribute("placeholder") or "")
    train.train()
    expect(still.get_by_role("slider", name="Merges learned")).to_have_attribute("max", str(fits))
    expect(train.sum).to_contain_text(f"256 bytes + {fits} merges")
    most = len(tokviz.train(learned, num_merges=9_000, split_pattern="cl100k").merges)
    train.count.fill("9000")
    expect(train.sum).to_contain_text("256 bytes + 9,000 merges")
    train.button.click()
    expect(train.sum).to_have_text(
        f"256 bytes + {most:,} merges = {256 + most:,} different tokens. The text gave no more of the 9,000 asked for.",
        timeout=TRAINING_MS,
    )
    expect(train.size).to_contain_text(f"{most:,} merged")


def test_a_token_says_what_it_is_and_moves_nothing(still: Page, widgets_url: str) -> None:
    """A bubble where it is pointed at, a drawer once it is pressed; what was just joined stays underlined."""
    train = TrainPage.open(still, widgets_url)
    tok = tokviz.train(train.text.input_value(), split_pattern="cl100k")
    joined = still.locator(".picture .t.newest")
    expect(joined.first).to_have_text(tok.vocab[max(tok.vocab)].decode(), use_inner_text=False)
    count, widget = joined.count(), still.locator(".tokviz.train")
    before = resting_boxes(widget)
    token = still.locator(".picture .t").filter(has_text="river").first
    token.hover()
    bubble, drawer = still.locator(".info-bubble:popover-open"), still.get_by_role("region", name="Token", exact=True)
    [number] = tok.encode(" river")
    expect(bubble.locator(".named b")).to_have_text(str(number))
    expect(bubble).to_contain_text(f"merge {number - 255} joins")
    assert resting_boxes(widget) == before
    token.click()
    expect(drawer.locator(".merge-tree")).to_be_visible()
    assert resting_boxes(widget) == before
    still.get_by_role("button", name="Let go of this token").click()
    expect(drawer).to_be_hidden()
    still.mouse.move(0, 0)
    expect(bubble).to_have_count(0)
    expect(joined).to_have_count(count)


def test_a_large_sample_is_a_choice(still: Page, widgets_url: str) -> None:
    train = TrainPage.open(still, widgets_url)
    expect(train.source).to_have_value("training-rain")
    train.source.select_option("python-docs")
    expect(train.sum).to_have_text(
        "256 bytes + 1,000 merges = 1,256 different tokens. The length of the text decides, unless you type a number."
    )
    still.set_viewport_size({"width": 375, "height": 800})
    arrow = 40  # with the padding
    assert train.source.evaluate(WIDTH_OF_CHOICE) + arrow < train.source.evaluate("select => select.clientWidth")
    still.set_viewport_size({"width": 1280, "height": 800})
    train.train()
    expect(train.size).to_have_text("A vocabulary of 1,256 tokens: 1,000 merged, 256 bytes.")
    expect(still.get_by_role("table").first).to_contain_text("which it has not seen")
    learned, apart = still.locator(".packed tbody small").all_inner_texts()
    expect(still.locator(".total")).to_have_text(re.compile(f"tokens, from {learned}$"))
    expect(still.locator(".facts")).to_contain_text(
        f"Every tenth line is not counted: {apart}, set aside to measure on."
    )
    expect(still.get_by_role("link", name="Watch it read a text")).to_be_visible()  # it is too long to watch it learn
    doors = still.get_by_role("navigation", name="What next").get_by_role("link")
    assert doors.evaluate_all("all => new Set(all.map((one) => Math.round(one.getBoundingClientRect().y))).size") == 1
    still.get_by_role("button", name="share").click()
    expect(still.get_by_label("Link", exact=True)).to_be_visible()


def test_late_result_is_dropped_while_another_training_runs(still: Page, widgets_url: str) -> None:
    replays, runs = (HeldRequests(still, f"**/_tokviz/{route}?*") for route in ("replay", "train"))
    train = TrainPage.open(still, widgets_url)
    late = [replays.take() for _ in range(2)]  # of what the page opens with
    train.write(LINE)
    train.button.click()
    runs.take()
    for each in late:
        with still.expect_response("**/_tokviz/replay?*"):
            each.continue_()
    next_frame(still)
    expect(still.get_by_text("Starting", exact=True)).to_be_visible()
    expect(train.result).to_be_hidden()
    for held in (replays, runs):
        held.end()


def test_sample_that_does_not_come_says_so(still: Page, widgets_url: str, watched: Watched) -> None:
    train = TrainPage.open(still, widgets_url)
    says = still.locator(".says")
    expect(says).to_contain_text("Rain")
    still.route("**/_tokviz/train/sample*", lambda route: route.abort())
    train.source.select_option("python-docs")
    expect(says).to_have_text("This text could not be loaded. Try again in a moment.")
    watched.problems.clear()  # the request


def test_typing_replaces_a_sample_s_text(page: Page, widgets_url: str) -> None:
    train = TrainPage.open(page, widgets_url)
    expect(train.text).not_to_have_value("")
    train.text.click()
    page.wait_for_function("() => document.querySelector('#widget').shadowRoot.activeElement.selectionEnd > 200")
    page.keyboard.type("low lower lowest")
    expect(train.text).to_have_value("low lower lowest")
    expect(train.source).to_have_value("")
    tok = tokviz.train("low lower lowest", split_pattern="cl100k")
    expect(train.sum).to_have_text(
        f"256 bytes + {len(tok.merges)} merges = {len(tok.vocab)} different tokens. "
        "The length of the text decides, unless you type a number."
    )
    expect(train.cut.locator("span")).to_have_text(["low", "·lower", "·lowest"])


def test_no_pre_token_is_broken_and_no_line_is_cut(still: Page, widgets_url: str) -> None:
    train = TrainPage.open(still, widgets_url)
    train.write("low lower lowest widest newest convenient " * 12)
    train.train()
    still.get_by_text("more settings").click()
    lines = """box => [...box.querySelectorAll("span, .t")].flatMap(part => [...part.getClientRects()])
        .map(({ top, bottom }) => [top, bottom])"""
    for width in (375, 1280):
        still.set_viewport_size({"width": width, "height": 900})
        next_frame(still)
        pieces = train.cut.evaluate(lines)
        assert len(pieces) == train.cut.locator("span").count()
        assert len({round(bottom - top) for top, bottom in pieces}) == 1  # each in one line
        assert len({top for top, _ in pieces}) > 3  # not all lines are in sight
        for box in (train.cut, still.locator(".picture .token-view")):
            edge = box.evaluate("box => box.getBoundingClientRect().bottom")
            assert not [part for part in box.evaluate(lines) if part[0] < edge - 1 and part[1] > edge + 1]


def test_the_mark_of_a_line_end_is_whole_after_a_full_line(still: Page, widgets_url: str) -> None:
    train = TrainPage.open(still, widgets_url)
    still.set_viewport_size({"width": 375, "height": 900})
    ends = """view => {
        const { left, right } = view.getBoundingClientRect();
        return [...view.querySelectorAll(".newline")].map((end) => {
            const [at, mark] = [end.getBoundingClientRect().left, parseFloat(getComputedStyle(end, "::before").width)];
            const from = end.matches(".rtl") ? at - mark : at;
            return from >= left && from + mark <= right;
        });
    }"""
    for letter in ("x", "שלום"):
        train.text.fill("".join(f"{letter * (length // len(letter))}\n" for length in range(24, 40)))
        train.train()
        expect(still.locator(".picture :is(.t, .cut)").first).to_have_text(re.compile(f"^{letter[0]}"))
        drawn = still.locator(".picture .token-view").evaluate(ends)
        assert len(drawn) > 8 and all(drawn)


def test_a_text_without_repetition_says_what_to_do(page: Page, widgets_url: str) -> None:
    train = TrainPage.open(page, widgets_url)
    train.text.fill("abc")
    expect(train.sum).to_have_text("No two neighbors occur twice yet: type more, such as a word twice.")


def test_no_text_is_reported_beneath_the_text(page: Page, widgets_url: str) -> None:
    train = TrainPage.open(page, widgets_url)
    train.text.fill("")
    train.button.click()
    problem = page.locator(".source .problem")
    expect(problem).to_have_text("There is nothing to learn from yet: type a text, or choose one.")
    train.text.fill("a")
    expect(problem).to_be_hidden()


def test_a_recipe_is_followed(still: Page, widgets_url: str) -> None:
    train = TrainPage.open(still, widgets_url)
    train.write(CATS)
    still.get_by_role("combobox", name="What is counted").select_option("size")
    train.count.fill("22")
    still.get_by_text("more settings").click()
    still.get_by_role("combobox", name="Split").select_option("words")
    still.get_by_role("combobox", name="Start from").select_option("characters")
    still.get_by_role("switch", name="words end in a mark").check()
    still.get_by_role("textbox", name="Mark").fill("_")
    still.get_by_role("combobox", name="Ties go to").select_option("lowest-ids")
    still.get_by_role("textbox", name="Special tokens").fill("<s>")
    still.get_by_role("combobox", name="Measure on").select_option("nothing else")
    expect(train.sum).to_have_text(re.compile(r"\+ 1 special = 22 different tokens$"))
    train.train()
    tok = tokviz.train(
        CATS, vocab_size=22, split_pattern="words", alphabet="characters", end_of_word="_", tie_break="lowest-ids",
        special_tokens=["<s>"],
    )  # fmt: skip
    merged = len(tok.merges)
    expect(train.size).to_have_text(f"A vocabulary of 22 tokens: {merged} merged, {21 - merged} characters, 1 special.")
    expect(still.locator(".merges .made").first).to_have_text(re.compile("_|[a-z]"))


def test_a_pattern_is_checked_as_it_is_typed(page: Page, widgets_url: str, watched: Watched) -> None:
    train = TrainPage.open(page, widgets_url)
    train.write("The cat sat")
    page.get_by_text("more settings").click()
    page.get_by_role("combobox", name="Split").select_option("my own")
    box = page.get_by_role("textbox", name="Pattern")
    box.fill("[a-z")
    expect(page.get_by_role("alert").filter(has_text="at position 4")).to_be_visible()
    refused = page.locator(".setting", has=box).locator("+ .problem")  # beneath its field
    expect(refused).to_contain_text("at position 4")
    expect(page.locator(".picture")).to_have_css("opacity", "0.6")  # what it shows is of an earlier recipe
    box.fill("[a-z]+| ")
    expect(train.cut.locator("span")).to_have_text(["T", "he", "·", "cat", "·", "sat"])
    expect(page.get_by_role("alert").filter(has_text="position")).to_have_count(0)
    page.get_by_role("list", name="Alternatives").get_by_role("switch").first.uncheck()
    expect(train.cut.locator("span")).to_have_text(["The", "·", "cat", "·", "sat"])
    expect(page.locator(".cuts .changed")).to_have_text(["The"])
    watched.problems.clear()  # the refusal


# While it trains


def test_a_training_is_seen_goes_on_over_a_reload_and_can_be_cancelled(page: Page, widgets_url: str) -> None:
    train = TrainPage.open(page, widgets_url)
    train.drop("long.txt", long_text())
    train.count.fill("190000")
    text = page.locator(".picture .token-view .t")
    train.button.press("Enter")
    expect(text).to_have_count(600)  # the beginning, of which each byte is a token
    cancel = page.get_by_role("button", name="cancel")
    expect(cancel).to_be_focused()
    expect(text.first).to_be_visible()  # the picture stays while it trains
    doing = page.locator(".doing")
    expect(doing).to_have_text(re.compile("^Merge .* of 190,000"), timeout=TRAINING_MS)
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(train.newest).to_have_count(12, timeout=TRAINING_MS)
    expect(text.first).to_be_visible()
    expect(text).not_to_have_count(600)
    before = doing.inner_text()
    newest = train.newest.first.inner_text()
    expect(doing).not_to_have_text(before)
    expect(train.newest.first).not_to_have_text(newest, timeout=TRAINING_MS)  # the newest merges appear
    expect(train.button).to_be_hidden()
    page.reload()
    expect(doing).to_contain_text("of 190,000", timeout=TRAINING_MS)
    cancel.press("Enter")
    expect(page.locator(".recipe .note")).to_have_text("Cancelled. Nothing was kept.")
    expect(page.get_by_role("progressbar")).to_have_count(0)
    expect(train.button).to_be_focused()


# Other libraries


def test_byte_fallback_is_switched_on_the_result(still: Page, widgets_url: str) -> None:
    """SentencePiece from the page: options in its words, the same text with byte fallback off and on, and a file."""
    train = TrainPage.open(still, widgets_url)
    train.text.fill(f"{CATS}a rare 🍕")
    still.get_by_text("more settings").click()
    still.get_by_role("combobox", name="Algorithm").select_option("SentencePiece BPE")
    still.get_by_role("spinbutton", name="character_coverage").fill("0.999")
    still.get_by_role("switch", name="add_dummy_prefix").uncheck()
    expect(still.get_by_role("combobox", name="Split")).to_be_hidden()
    train.button.click()
    pieces = still.get_by_label("Its pieces", exact=True)
    expect(pieces.locator(".unknown")).to_have_text("<unk>", timeout=TRAINING_MS)
    with still.expect_download() as download:
        still.get_by_role("button", name="SentencePiece's tokenizer.model").click()
    library = SentencePieceProcessor(model_file=str(download.value.path()))
    tried = still.get_by_role("textbox", name="Text to try it on")
    expect(tried).to_have_value(re.compile("🍕"))
    tried.fill("the 🍕")
    spelled = [
        "<unk>" if library.is_unknown(token) else piece
        for piece, token in zip(library.encode("the 🍕", out_type=str), library.encode("the 🍕"), strict=True)
    ]
    expect(pieces.locator("span")).to_have_text(spelled)
    still.get_by_role("switch", name="Byte fallback", exact=True).check()
    expect(pieces.locator(".byte")).to_have_text(["<0xF0>", "<0x9F>", "<0x8D>", "<0x95>"])
    expect(still.get_by_text("Decoding gives the text back.")).to_be_visible()
    expect(still.get_by_role("region", name="What each option did")).to_contain_text("add_dummy_prefix: off")
    table = still.get_by_role("table").filter(has_text="characters lost as <unk>")
    expect(table.get_by_role("row", name=re.compile("^decoding gives the text back"))).to_contain_text("noyesyes")
    still.get_by_text("Its pieces").click()
    first = still.get_by_role("region", name="Pieces").locator("tbody tr").first
    expect(first).to_have_text(re.compile("^0<unk>unknown"))
    expect(sorted_by(still)).to_have_text(["id", "score", "length", "times used"])
    expect_no_sideways_scrolling(still)


def sorted_by(page: Page) -> Locator:
    return page.get_by_role("region", name="Pieces").get_by_role("combobox", name="Sort by").locator("option")


def test_pieces_are_sorted_only_by_what_they_have(still: Page, widgets_url: str) -> None:
    """WordPiece has no scores, and of a file it is not known how often a piece was used."""
    train = TrainPage.open(still, widgets_url)
    expect(train.sum).not_to_be_empty()
    drop_files(still.locator(".train"), {"vocab.txt": b"[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\ncat\n##s\n"})
    still.get_by_role("dialog").get_by_role("button", name="use the tokenizer").click()
    still.get_by_text("Its pieces").click()
    expect(sorted_by(still)).to_have_text(["id", "length"])
    head = still.get_by_role("region", name="Pieces").locator("thead th:visible")
    expect(head).to_have_text(["id", "piece", "kind"])


# The vocabulary


def test_the_vocabulary_is_searched_and_sorted(still: Page, widgets_url: str, watched: Watched) -> None:
    train = TrainPage.open(still, widgets_url)
    text = CATS.replace("\n", "\n\n") + "für für für"
    train.write(text)
    train.train()
    tok = tokviz.train(text, num_merges=1_000, split_pattern="cl100k")
    still.get_by_text("Its vocabulary").click()
    search = still.get_by_role("searchbox", name="Search the vocabulary")
    by = still.get_by_role("combobox", name="Search by")
    tokens = still.locator(".vocabulary tbody .token")

    def expect_found(how: str, query: str, found: list[bytes]) -> None:
        search.fill("")  # what is typed may mean nothing in another search
        by.select_option(how)
        search.fill(query)
        expect(tokens).to_have_text([token.decode().replace(" ", "·").replace("\n", "↵") for token in found])

    made = [tok.vocab[new] for new in tok.merges.values()]  # by merge; single bytes come after
    expect(still.locator(".vocabulary thead th")).to_have_text(
        [
            "merge",
            "token",
            "joins",
            "bytes",
            "times used in its text",
            "times its pair occurred",
            "other pairs as frequent",
            "id",
        ]
    )
    expect_found("text", "at", [token for token in made if b"at" in token])
    expect_found("regular expression", "^.at$", [token for token in made if re.fullmatch(b".at", token)])
    expect_found("text with \\n, \\u00e9", r"\n\n", [token for token in made if b"\n\n" in token])
    expect_found("bytes in hex", "c3 bc", [token for token in made if b"\xc3\xbc" in token])
    expect_found("id", "116", [b"t"])
    search.fill("")
    by.select_option("text")
    search.fill("t")
    still.get_by_role("combobox", name="Sort by").select_option("length")
    expect(tokens.first).to_have_text(
        max((token for token in made if b"t" in token), key=len).decode().replace(" ", "·")
    )
    search.fill("")
    show = still.get_by_role("combobox", name="Show", exact=True)
    show.select_option("not used in its text")
    script = still.get_by_role("combobox", name="Script")
    script.select_option("Latin letters")
    unused = [row for row in tokviz.audit(tok, [text]).unused if row.kind == "Latin letters"]
    says = still.locator(".vocabulary").get_by_role("status")
    expect(says).to_have_text(f"{len(unused)} of {len(tok.vocab)} tokens")
    show.select_option("all tokens")
    script.select_option("any script")
    expect(says).to_have_text(f"{len(tok.vocab)} tokens")
    search.fill("t")
    still.get_by_role("button", name="·the", exact=True).click()
    expect(still.locator(".merge-tree")).to_be_visible()
    expect(still.locator(".tree-pane")).to_contain_text("How merge")
    expect_failing_searches_move_nothing(still)
    watched.problems.clear()  # the refusals


def expect_failing_searches_move_nothing(page: Page) -> None:
    """Expect no rows, and a sentence, and the page not to jump, when a search means nothing."""
    search = page.get_by_role("searchbox", name="Search the vocabulary")
    by = page.get_by_role("combobox", name="Search by")
    tokens = page.locator(".vocabulary tbody .token")
    search.fill("")
    expect(tokens).to_have_count(100)
    search.evaluate("search => search.scrollIntoView({ block: 'center' })")
    next_frame(page)
    before = search.bounding_box()
    for how, wrong in (("bytes in hex", "zz"), ("regular expression", "(")):
        by.select_option("text")
        search.fill("the")
        expect(tokens).not_to_have_count(0)
        by.select_option(how)
        search.fill(wrong)
        expect(tokens).to_have_count(0)
        expect(page.locator(".vocabulary").get_by_role("status")).to_have_text(re.compile(r"\w.*\.$"))
        expect(page.get_by_role("button", name="show more")).to_have_count(0)
        assert search.bounding_box() == before
    search.fill("t")
    expect(tokens).not_to_have_count(0)


# Next


def test_from_a_file_to_the_tokens_page_to_a_file_and_back(
    still: Page, app_url: str, tmp_path: Path, watched: Watched
) -> None:
    page = still
    train = TrainPage.open(page, app_url)
    latin = FilePayload(name="notes.txt", mimeType="text/plain", buffer="café".encode("latin-1"))
    page.get_by_label("Text files to learn from").set_input_files(latin)
    train.button.click()
    expect(page.get_by_text("notes.txt is no text in UTF-8").first).to_be_visible()
    watched.problems.clear()  # the refusal
    train.drop("cats.txt", CATS.encode("utf-16"))
    train.count.fill("30")
    train.train()
    tok = tokviz.train(CATS.splitlines(keepends=True)[0] * 36, num_merges=30, split_pattern="cl100k")
    expect(page.get_by_text(f"A vocabulary of {len(tok.vocab)} tokens")).to_be_visible()
    file = train.saved_as("Hugging Face's tokenizer.json", tmp_path).rename(tmp_path / "mine.json")
    assert tokviz.open(file).encode(CATS) == tok.encode(CATS)
    two = train.saved_as("GPT-2's vocab.bpe and encoder.json", tmp_path)
    assert zipfile.ZipFile(two).namelist() == ["vocab.bpe", "encoder.json"]

    text = "the rat in the hat"
    page.get_by_role("link", name="Read a text with it").click()
    expect(page.locator(".t").first).to_be_visible()
    expect(page.get_by_role("combobox", name="Tokenizer")).to_have_value("trained on “cats.txt”")
    TokensPage(page).editor.fill(text)
    TokensPage(page).expect_ids(tok.encode(text))

    go_to(page, "Train")
    expect(train.button).to_be_visible()
    page.get_by_label("A text file").set_input_files(file)
    page.get_by_role("button", name="use the tokenizer").click()
    expect(train.chosen.locator("option:checked")).to_have_text("mine.json")
    page.get_by_role("link", name="Read a text with it").click()
    expect(page.get_by_role("combobox", name="Tokenizer")).to_have_value("mine.json")


def test_every_format_is_saved(still: Page, widgets_url: str, tmp_path: Path) -> None:
    settings = "?size=300&pattern=gpt2&specials=%3Ca%3E&measure-on=Nothing+else"
    train = TrainPage.open(still, widgets_url, settings)
    expect(still).not_to_have_url(re.compile("size"))
    still.reload()  # the page remembers what the address said
    expect(train.count).to_have_value("300")
    train.train()
    trained = tokviz.train(sample_texts("all code"), vocab_size=300, split_pattern="gpt2", special_tokens=["<a>"])
    for title, lacks in FORMATS.items():
        files = {path.name: path.read_bytes() for path in saved_as(train, title, tmp_path)}
        opened = tokviz.formats.read(files, **(LACKING if lacks else {}))
        assert opened.encode(TEXT, allowed_special="all") == trained.encode(TEXT, allowed_special="all"), title
        assert opened.vocab == trained.vocab


def saved_as(train: TrainPage, title: str, folder: Path) -> list[Path]:
    """Save the files of a button; two files come as a zip file."""
    file = train.saved_as(title, folder)
    if file.suffix != ".zip":
        return [file]
    with zipfile.ZipFile(file) as archive:
        archive.extractall(folder)
        return [folder / name for name in archive.namelist()]


# Links that train


def shared_training(page: Page, url: str, text: str) -> str:
    train = TrainPage.open(page, url)
    train.write(text)
    train.count.fill("9")
    page.get_by_text("more settings").click()
    page.get_by_role("combobox", name="Split").select_option("words")
    return share(page)


def test_a_shared_training_trains_by_itself_and_says_so(still: Page, widgets_url: str, browser: Browser) -> None:
    """It trains once, however many open the link."""
    text = "Größe: the cat in the hat 🎩\nsat on the mat & the <b>bat</b>\n"
    link = shared_training(still, widgets_url, text)
    started = []
    with browser.new_context(reduced_motion="reduce") as room:
        room.on(
            "response", lambda answer: started.append(answer.json()["id"]) if answer.url.endswith("shared=1") else None
        )
        pages = [room.new_page(), room.new_page()]
        for page in pages:
            page.goto(link)
            expect(page.locator(".note")).to_contain_text("This link trains a tokenizer: 9 merges from")
        for page in pages:
            train = TrainPage(page)
            train.expect_trained()
            expect(train.text).to_have_value(text)
            assert "#" not in page.url
        theirs = train.file()
    assert len(started) == 2 and len(set(started)) == 1
    expected = tokviz.train(text, num_merges=9, split_pattern="words")
    assert tokviz.formats.read({"tokenizer.json": theirs}).merges == expected.merges


def test_an_earlier_link_fills_the_form_and_waits(still: Page, widgets_url: str) -> None:
    settings = {
        "learn-from": "My text",
        "size": 280,
        "pattern": "none",
        "ties": "lowest-ids",
        "measure-on": "Nothing else",
    }
    still.goto(write_link(f"{widgets_url}train?{urlencode(settings)}", {}, LINE))
    train = TrainPage(still)
    expect(train.text).to_have_value(LINE)
    expect(train.count).to_have_value("280")
    expect(train.sum).to_have_text("256 bytes + 24 merges = 280 different tokens")
    assert urlsplit(still.url).query == urlsplit(still.url).fragment == ""
    expect(train.button).to_be_enabled()
    expect(train.result).to_be_hidden()
    train.train()
    expected = tokviz.train(LINE, vocab_size=280, tie_break="lowest-ids")
    expect(train.size).to_contain_text(f"{len(expected.vocab)} tokens: {len(expected.merges)} merged")


def test_short_file_is_in_the_link_as_text(still: Page, widgets_url: str, tab: Tab) -> None:
    train = TrainPage.open(still, widgets_url)
    train.source.select_option("files")
    expect(train.text).to_have_value("")
    train.drop("cats.txt", CATS.encode())
    for source in ("training-rain", "files"):
        train.source.select_option(source)
    expect(train.text).to_have_value(CATS)
    link = share(still)
    assert tab.clean()
    still.goto(link)
    train.expect_trained()
    expect(train.text).to_have_value(CATS)


def test_text_too_long_for_a_link_is_saved_as_a_file(still: Page, widgets_url: str, tab: Tab) -> None:
    text = "".join(f"{number**7} " for number in range(2000))
    train = TrainPage.open(still, widgets_url)
    train.write(text)
    train.count.fill("44")
    still.get_by_role("button", name="share").click()
    expect(still.get_by_text("too long for a link")).to_contain_text("button “Files”")
    with still.expect_download() as download:
        still.get_by_role("button", name="save the text").click()
    saved = Path(download.value.path()).read_bytes()
    still.get_by_role("button", name="close").click()
    link = share(still)
    assert tab.clean()
    still.goto(link)
    expect(still.locator(".note")).to_have_text("This link trains on a file: choose it, then press Train.")
    train.drop("text.txt", saved)
    made = tokviz.formats.read({"tokenizer.json": train.trained_file()})
    assert made.merges == tokviz.train(text, num_merges=44, split_pattern="cl100k").merges


# All pages


def test_from_a_training_to_the_other_pages_to_a_stranger_and_back(
    still: Page, app_url: str, browser: Browser, watched: Watched
) -> None:
    page = still
    train = TrainPage.open(page, app_url)
    button = train.button.bounding_box()
    assert button and button["y"] + button["height"] < 720, "the button is above the fold"
    train.write(LINE)
    train.train()
    tok = tokviz.train(LINE, split_pattern="cl100k")
    ids = tok.encode("the hat on")
    read_with_what_was_trained(page, tok, "the hat on")

    # Nobody else gets the tokenizer, except by a link: also when the server does not have it any more.
    page.get_by_role("button", name="share").click()
    expect(page.get_by_role("dialog")).to_contain_text("The link also says how to make your own tokenizer")
    page.get_by_role("button", name="close").click()
    with browser.new_context() as context:
        watched.watch(context)
        open_as_a_stranger(context.new_page(), app_url, share(page), ids)

    # Back at home, a second one of the same name; and each is removed.
    size = f"{len(tok.vocab)} tokens"
    go_to(page, "Train")
    expect(train.size).to_contain_text(size)
    train.write("low lower lowest")
    train.train()
    expect(train.chosen.locator("option")).to_have_text(["trained on “my text”", "trained on “my text”, 2"])
    go_to(page, "Tokens")  # what was trained last is the chosen tokenizer
    expect(page.get_by_role("combobox", name="Tokenizer")).to_have_value("trained on “my text”, 2")
    go_to(page, "Compression")
    theirs = page.get_by_role("group", name="Tokenizers")
    expect(theirs.locator(".slots b").last).to_have_text("trained on “my text”, 2", timeout=TRAINING_MS)
    go_to(page, "Compare")
    expect(page.get_by_role("combobox", name=re.compile("^Compared")).last).to_have_value("trained on “my text”, 2")
    go_to(page, "Train")
    page.get_by_role("button", name="Remove it").click()
    expect(train.chosen).to_have_count(0)
    expect(train.size).to_contain_text(size)
    page.get_by_role("button", name="Remove it").click()
    expect(train.result).to_be_hidden()
    page.reload()
    expect(train.button).to_be_visible()
    expect(train.result).to_be_hidden()


def read_with_what_was_trained(page: Page, tok: tokviz.BPETokenizer, text: str) -> None:
    """Follow the links beneath the result of a training: what comes next is of its text. Ends on the Tokens page."""
    page.get_by_role("link", name="Watch it being learned").click()
    expect(ReplayPage(page).track).to_have_attribute("max", str(len(tok.merges)))
    page.go_back()
    doors = page.get_by_role("navigation", name="What next").get_by_role("link")
    expect(doors).to_have_count(2)
    newest, others = tok.vocab[max(tok.vocab)].decode().replace(" ", "·"), len(tokviz.load("gpt2").encode(LINE))
    expect(doors.first).to_contain_text(f"“{newest}” came last, as merge {len(tok.merges)}.")
    expect(doors.last).to_contain_text(f"it makes {len(tok.encode(LINE))} tokens; GPT-2, {others}.")
    doors.last.click()
    tokenizer = page.get_by_role("combobox", name="Tokenizer")
    expect(tokenizer).to_have_value("trained on “my text”")
    expect(TokensPage(page).editor).to_have_value(LINE)
    TokensPage(page).editor.fill(text)
    TokensPage(page).expect_ids(tok.encode(text))
    page.reload()  # a new session for Streamlit
    expect(tokenizer).to_have_value("trained on “my text”")
    TokensPage(page).expect_ids(tok.encode(text))


def open_as_a_stranger(stranger: Page, app_url: str, link: str, ids: list[int]) -> None:
    """Open a link to a trained tokenizer that the server has forgotten. It becomes the stranger's own."""
    TrainPage.open(stranger, app_url)
    expect(stranger.get_by_role("region", name="Take it along")).to_be_hidden()
    kept = re.search(r"tokenizer=([\w-]+)", link)
    assert kept
    stranger.goto(link.replace(kept[1], "no-longer-on-this-server"))
    theirs = stranger.get_by_role("combobox", name="Tokenizer")
    expect(theirs).to_have_value("trained on “my text”")
    TokensPage(stranger).expect_ids(ids)
    stranger.reload()  # it is on all pages, and there after a reload, however soon
    expect(theirs).to_have_value("trained on “my text”")


def test_compression_link_loads_and_selects_the_trained_tokenizer(page: Page, app_url: str) -> None:
    made = write(Origin("made of cats", Recipe(280), texts=(CATS,)))
    name = "no-longer-on-this-server"
    fields = {"chosen": f"gpt2.{name}", "made": f"{name}.{made}"}
    chosen = page.get_by_role("group", name="Tokenizers").locator(".slots b")
    page.goto(write_link(f"{app_url}compression", fields, "the cat"))
    expect(chosen).to_have_text(["GPT-2", "made of cats"], timeout=TRAINING_MS)
    expect(page.get_by_text(re.compile(r"made of cats: \d+ merges turn 7 bytes into 2 tokens")).first).to_be_visible()
    expect(page).not_to_have_url(re.compile("#"))
    # It shares the same link again, but for the tokenizer's name.
    shared = share(page)
    again = urlsplit(shared)
    assert again.path == "/compression"
    own = re.fullmatch(r"gpt2\.([\w-]+)", dict(parse_qsl(again.fragment))["chosen"])
    assert own and own[1] != name
    assert set(again.fragment.replace(own[1], name).split("&")) == set(
        urlsplit(write_link(app_url, fields, "the cat")).fragment.split("&")
    )


@pytest.mark.parametrize("where", ["tokens", "compare", "replay"])
def test_links_of_other_pages_may_contain_a_recipe(page: Page, widgets_url: str, where: str, watched: Watched) -> None:
    made = write(Origin("made of cats", Recipe(280), texts=(CATS,)))
    name = "no-longer-on-this-server"
    fields = {"compare": f"gpt2,{name}"} if where == "compare" else {"tokenizer": name}
    path = "" if where == "tokens" else where
    page.goto(write_link(f"{widgets_url}{path}", {**fields, "made": f"{name}.{made}"}, "the cat"))
    picker = page.get_by_role("combobox", name=re.compile("^(Tokenizer|Compared.*)$")).last
    expect(picker).to_have_value("made of cats", timeout=TRAINING_MS)
    link = share(page)
    assert made in link
    assert name not in link
    if where == "tokens":  # the server has it now, under the name in this link
        page.goto("about:blank")
        page.goto(link)
        expect(picker).to_have_value("made of cats")


def test_link_with_an_invalid_recipe_opens(page: Page, widgets_url: str, watched: Watched) -> None:
    page.goto(f"{widgets_url}#tokenizer=gone&made=gone.nonsense&sample=prose-en")
    expect(page.get_by_text("This link is damaged; perhaps the end of it was cut off.")).to_be_visible()
    expect(page.get_by_text("This link is for a tokenizer that is not here")).to_be_visible()
    expect(page.get_by_role("combobox", name="Tokenizer")).to_have_value("cl100k (GPT-4, GPT-3.5)")
    watched.problems.clear()  # the refusal


def test_tokenizer_too_large_for_a_link_is_reported(still: Page, widgets_url: str, tab: Tab) -> None:
    train = TrainPage.open(still, widgets_url)
    train.drop("words.txt", "\n".join("".join(random.choices("abcdefghij", k=9)) for _ in range(1_000)).encode())
    train.train()
    address = still.get_by_role("link", name="Read a text with it").get_attribute("href")
    tokenizer = still.get_by_role("combobox", name="Tokenizer")
    still.goto(urljoin(still.url, address))
    expect(tokenizer).to_have_value("trained on “words.txt”")
    still.get_by_role("button", name="share").click()
    expect(still.get_by_role("dialog")).to_contain_text("save its file on the Train page and send it along")
    still.get_by_role("button", name="close").click()
    link = share(still)
    assert tab.clean()
    still.goto(link)  # as long as the server keeps it
    expect(tokenizer).to_have_value("trained on “words.txt”")


def test_long_trainings_from_one_address_queue_while_typing_works(
    page: Page, widgets_url: str, browser: Browser, context: BrowserContext
) -> None:
    # The queue knows browsers by the cookie that Streamlit sets.
    context.add_cookies([{"name": "_streamlit_xsrf", "value": "second", "url": widgets_url}])
    with browser.new_context() as first:
        first.add_cookies([{"name": "_streamlit_xsrf", "value": "first", "url": widgets_url}])
        trainers = [first.new_page(), page]
        for person in trainers:
            train = TrainPage.open(person, widgets_url)
            train.drop("long.txt", long_text())
            train.count.fill("190000")
            train.button.click()
            says = "of 190,000" if person is trainers[0] else "Waiting in line: You are next"
            expect(person.locator(".doing")).to_contain_text(says, timeout=TRAINING_MS)
        tokens = TokensPage.open(context.new_page(), widgets_url)
        tokens.editor.fill("")
        tokens.editor.press_sequentially("typing goes on")
        expect(tokens.text.locator(".t")).to_have_text(["typing", " goes", " on"])
        trainers[0].get_by_role("button", name="cancel").click()
        expect(trainers[0].locator(".note")).to_have_text("Cancelled. Nothing was kept.")
        expect(page.locator(".doing")).to_contain_text("of 190,000", timeout=TRAINING_MS)
        page.get_by_role("button", name="cancel").click()
        expect(page.get_by_text("Cancelled. Nothing was kept.")).to_be_visible()


MARKDOWN = (
    "![](https://evil.example/x.png) [sign in again](https://evil.example) https://evil.example a@evil.example "
    "*a* _b_ `c` :red[d] $e$ :cat: :streamlit: -> <b>f</b>"
)


def test_labels_from_a_link_are_shown_literally(page: Page, app_url: str, watched: Watched) -> None:
    made = write(Origin(MARKDOWN[:100], Recipe(280), texts=(CATS,)))
    page.goto(write_link(app_url, {"tokenizer": "gone", "made": f"gone.{made}"}, "the cat"))
    expect(page.get_by_role("combobox", name="Tokenizer")).to_have_value(MARKDOWN[:100], timeout=TRAINING_MS)
    go_to(page, "Compression")
    own = page.get_by_role("group", name="Tokenizers").locator(".slot b").last
    expect(own).to_have_text(MARKDOWN[:100])
    expect(own.locator("a, img")).to_have_count(0)


def test_axe_finds_nothing_serious_and_nothing_scrolls_sideways(still: Page, app_url: str) -> None:
    page = still
    train = TrainPage.open(page, app_url, "?size=300&alphabet=characters&pattern=my+own")
    train.train()
    page.get_by_text("more settings").click()
    page.get_by_text("Its vocabulary").click()
    page.locator(".vocabulary .token").first.click()
    expect(page.locator(".merge-tree")).to_be_visible()
    expect_accessible_in_all_looks(page)
    page.set_viewport_size({"width": 375, "height": 800})
    assert small_touch_targets(page.locator(".train")) == []
