"""The Merge replay page as a class uses it. The drawing at any step is compared with the package and the reference."""

import base64
import random
import re
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import pytest
import reference
from playwright.sync_api import Browser, BrowserContext, Error, Locator, Page, expect
from tabs import Tab, Watched

import tokviz
from pages import (
    CAT,
    HeldRequests,
    ReplayPage,
    drop_file,
    expect_accessible_in_all_looks,
    expect_no_sideways_scrolling,
    header,
    next_frame,
    open_file,
    paste,
    rest,
    resting_box,
    small_touch_targets,
)
from tokviz.pretokens import splitting
from tokviz.pretokens.alternatives import without
from tokviz.samples import sample
from tokviz.widgets.columns import apply_columns
from tokviz.widgets.html import standalone_page
from tokviz.widgets.wire import pack


@pytest.fixture
def replay(page: Page, widgets_url: str) -> ReplayPage:
    """The page with its initial text."""
    return ReplayPage.open(page, f"{widgets_url}replay")


@pytest.fixture
def still(replay: ReplayPage) -> ReplayPage:
    """The same with reduced motion."""
    replay.page.emulate_media(reduced_motion="reduce")
    return replay


@pytest.fixture
def in_app(page: Page, app_url: str) -> ReplayPage:
    """The page in the app, under its title and introduction, with reduced motion."""
    page.emulate_media(reduced_motion="reduce")
    return ReplayPage.open(page, f"{app_url}replay")


def tokens_of(played: tokviz.Replay, k: int) -> list[tuple[int, int]]:
    starts = (played.removed_at >= k).nonzero()[0].tolist()
    return list(zip(starts, played.state(k).tolist(), strict=True))


# Drawing

# Places of elements on the stage.
BOXES = """all => all.map((node) => {
    const [one, stage] = [node, node.closest(".stage")].map((each) => each.getBoundingClientRect());
    return [one.x - stage.x, one.y - stage.y];
})"""


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("I'll tokenize pizza 🍕! She'd say: déjà vu", "rank"),
        ("I'll tokenize pizza 🍕! She'd say: déjà vu", "pretoken"),
    ],
)
def test_random_seeks_equal_playing_through(still: ReplayPage, text: str, order: Literal["rank", "pretoken"]) -> None:
    still.choose("gpt2")
    still.setting("Order").select_option(order)
    played = tokviz.load("gpt2").replay(text, order=order)
    still.write(text, len(played))
    chance = random.Random(5)
    for k in chance.sample(range(len(played) + 1), min(12, len(played))):
        still.seek(k)
        assert still.drawn() == tokens_of(played, k)
    begin = max(0, len(played) - 12)
    still.seek(begin)
    for k in range(begin + 1, len(played) + 1):
        still.next.click()
        still.at(k)
        assert still.drawn() == tokens_of(played, k)
        expect(still.figure("tokens left")).to_have_text(f"{played.token_counts[k]:,}")
    vocab = tokviz.load("gpt2").vocab
    assert b"".join(vocab[token] for _, token in still.drawn()) == text.encode()
    assert [token for _, token in still.drawn()] == tokviz.load("gpt2").encode(text)


def test_marked_pair_is_the_one_that_joins(still: ReplayPage) -> None:
    still.choose("gpt2")
    text = "unbelievable banana"
    played = tokviz.load("gpt2").replay(text)
    still.write(text, len(played))
    for k in range(len(played)):
        still.seek(k)
        step = played[k]
        assert [token for _, token in still.drawn("next")] == [step.left, step.right] * step.places


def test_before_the_merges_come_the_text_and_its_pretokens(still: ReplayPage) -> None:
    still.choose("gpt2")
    still.write("I'll go 12!", len(tokviz.load("gpt2").replay("I'll go 12!")))
    still.seek(-2)
    expect(still.caption).to_have_text("This is the text: 11 characters, which are 11 bytes in UTF-8.")
    letters = still.stage.locator(".symbol .label")
    expect(letters).to_have_text(list("I'll·go·12!"))
    before = letters.evaluate_all(BOXES)
    still.next.click()
    pieces = still.stage.locator(".pretoken")
    names = ["letters", "'s, 't, 're and such", "letters", "numbers", "neither letters nor numbers"]
    assert [piece.get_attribute("title") for piece in pieces.all()] == names
    assert letters.evaluate_all(BOXES) == before  # nothing moves
    rows = still.pairs.locator("tbody tr").all_inner_texts()
    matched = ["letters\tI ·go", "'s, 't, 're and such\t'll", "numbers\t·12", "neither letters nor numbers\t!"]
    assert rows == matched
    still.next.click()
    still.at(0)
    assert letters.evaluate_all(BOXES) == before


def test_texts_that_cannot_be_drawn_letter_by_letter_begin_as_running_text(still: ReplayPage) -> None:
    """Arabic letters join; and of a tower that is scrolled, only some of the text would be in sight."""
    for text in ("مرحبا بالعالم", sample("prose-en").text[:250]):
        still.write(text, len(tokviz.load("cl100k_base").replay(text)))
        still.seek(-2)
        expect(still.stage.locator(".whole-text")).to_be_visible()
        assert still.stage.locator(".whole-text").evaluate("node => node.textContent") == text
        still.seek(-1)
        assert (
            still.stage.locator(".pretoken-text").evaluate_all("all => all.map((each) => each.textContent).join('')")
            == text
        )
        still.seek(0)
        expect(still.stage).to_have_attribute("data-drawing", "tower")


def test_apply_shows_the_rank_of_each_pair_and_the_lowest_wins(still: ReplayPage) -> None:
    still.choose("gpt2")
    text = "unbelievable"
    tok = tokviz.load("gpt2")
    ranks = {pair: rank for rank, pair in enumerate(tok.merges)}
    played = tok.replay(text)
    still.write(text, len(played))
    for k in range(len(played) + 1):
        still.seek(k)
        here = {pair for pair in pairwise(played.state(k).tolist()) if pair in ranks}
        expected = [f"{ranks[pair] + 1:,}" for pair in sorted(here, key=ranks.__getitem__)][:10]
        assert [row[-1] for row in still.bars()] == expected


def test_counts_and_ties_equal_a_recount(still: ReplayPage) -> None:
    ties = "greatest-bytes"
    text = "she sells sea shells by the sea shore, she does"
    still.learn()
    still.learn_text.fill(text)
    still.setting("Ties").select_option(ties)
    trained = reference.train(text, num_merges=20, tie_break=ties)
    total = len(trained.history)
    expect(still.track).to_have_attribute("max", str(total))
    sequence = list(text.encode())
    for k, learned in enumerate(trained.history):
        still.seek(k)
        counts = reference.count_pairs([sequence])
        assert [int(row[1].split()[0]) for row in still.bars()] == sorted(counts.values(), reverse=True)[:10]
        left, right = (trained.vocab[token].decode().replace(" ", "·") for token in (learned.left, learned.right))
        assert still.bars()[0][0] == f"{left} + {right}"
        if learned.tied:
            expect(still.pairs).to_contain_text(f"{learned.tied + 1} pairs tied")
        else:
            expect(still.pairs).not_to_contain_text("tied")
        assert still.pairs.locator(".tied").count() == (min(10, learned.tied + 1) if learned.tied else 0)
        rest = sorted(counts.values(), reverse=True)[10:]
        often = sum(count > 1 for count in rest)
        if often:
            expect(still.pairs).to_contain_text(re.compile(f"{often} more pairs? occurs? twice or more"))
        if len(rest) > often:
            expect(still.pairs).to_contain_text(re.compile(f"{len(rest) - often} (more pairs? occurs? )?once"))
        times = "time" if learned.count == 1 else "times"
        expect(still.caption).to_contain_text(f"{learned.count} {times}")
        expect(still.caption).to_contain_text(f"token {learned.new}.")
        expect(still.page.locator("[data-figure='tokens left']")).to_have_text(str(len(sequence)))
        sequence = reference.join(sequence, (learned.left, learned.right), learned.new)


def test_bars_are_relative_to_the_highest_count_of_all_steps(still: ReplayPage) -> None:
    """So that counts are seen to fall."""
    still.learn("low, lower, newest, widest")
    training = tokviz.train(WORDS, num_merges=20, alphabet="characters", end_of_word="</w>").training
    assert training
    counts = [step.count for step in training]
    for k in (0, 4, len(counts) - 1):
        still.seek(k)
        bar = still.pairs.locator(".bar i").first
        assert float(bar.evaluate("bar => bar.style.getPropertyValue('--share')")) == pytest.approx(
            counts[k] / max(counts), abs=0.001
        )


def test_the_table_of_pairs_says_what_its_numbers_are(still: ReplayPage) -> None:
    still.seek(0)
    heads = still.pairs.get_by_role("columnheader")
    expect(heads).to_have_text(["pair", "times in the text", "learned as merge no."])
    expect(heads.last).to_be_visible()
    still.learn()
    expect(heads).to_have_text(["pair", "times in the text"])


def test_a_text_with_fewer_merges_than_asked_for_says_so(still: ReplayPage) -> None:
    still.learn()
    still.unfold()
    note = still.page.get_by_text("this text has only 4")
    expect(note).to_be_visible()
    still.setting("Merges").fill("3")
    still.setting("Merges").press("Tab")
    still.wait_for_answer()
    expect(note).to_be_hidden()


def test_an_emptied_box_says_nothing_of_its_merges(still: ReplayPage) -> None:
    still.learn()
    still.unfold()
    note = still.page.get_by_text("this text has only")
    expect(note).to_be_visible()
    still.learn_text.fill("")
    expect(still.player).to_be_hidden()
    expect(note).to_be_hidden()


def test_without_a_text_there_is_nothing_to_play(still: ReplayPage) -> None:
    before = resting_box(still.track)
    still.text.fill("")
    expect(still.caption).to_have_text("There is no text yet: type one, or choose one.")
    for is_presented in (False, True):
        if is_presented:
            still.page.get_by_role("button", name="present").click()
        for part in (still.play, still.track, still.played):
            expect(part).to_be_hidden()
    still.page.get_by_role("button", name="leave").click()
    still.write("ab", 1)
    assert resting_box(still.track) == before


PASTED = {
    "code": (sample("code-python").text * 9)[:9_000],
    "Arabic": sample("prose-ar").text[:140],
    "Chinese": sample("prose-zh-hans").text[:90],
    "short": "ab",
}


def test_pasting_moves_neither_words_nor_player_and_opens_a_text_at_its_beginning(in_app: ReplayPage) -> None:
    page = in_app.page
    page.set_viewport_size({"width": 1280, "height": 800})
    boxes = "all => all.map((each) => ['x', 'y', 'width', 'height'].map((edge) => each.getBoundingClientRect()[edge]))"
    kept = page.locator(".prose > :visible, .caption, .head .segments, .timeline:visible, .moves:visible .button")
    before = kept.evaluate_all(boxes)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    for name, text in PASTED.items():
        page.evaluate("text => navigator.clipboard.writeText(text)", text)
        in_app.text.press("ControlOrMeta+a")
        in_app.text.press("ControlOrMeta+v")
        steps = len(tokviz.load("cl100k_base").replay(text))
        expect(in_app.track).to_have_attribute("max", str(steps))
        in_app.at(0)
        assert kept.evaluate_all(boxes) == before
        assert in_app.text.evaluate("box => box.scrollTop") == 0
        first = in_app.stage.locator("[data-at='0']").first
        assert resting_box(first)["y"] < 560
        if name in ("Arabic", "Chinese"):
            rows = "all => all.map((each) => each.getBoundingClientRect()).filter(({ bottom }) => bottom < 800)"
            tops = in_app.stage.locator(".now").evaluate_all(rows + ".map(({ top }) => top)")
            assert len(set(tops)) >= 3, "rows in sight"


def test_settings_open_beneath_and_scroll_nothing(in_app: ReplayPage) -> None:
    page = in_app.page
    page.set_viewport_size({"width": 1280, "height": 900})
    parts = page.locator(".source, .head, .deck, .deck *, .beside-player")
    boxes = "all => all.map((each) => JSON.stringify(each.getBoundingClientRect()))"
    rest(page)
    resting_box(in_app.stage)
    before = parts.evaluate_all(boxes)
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("region", name="How it is shown")).to_be_visible()
    assert parts.evaluate_all(boxes) == before


def test_a_printed_replay_has_its_step_and_no_controls(still: ReplayPage) -> None:
    still.seek(2)
    still.page.emulate_media(media="print")
    for name in ("The text at this step", "Player"):
        expect(still.page.locator(f"[aria-label='{name}']")).to_be_visible()
    expect(still.page.get_by_role("combobox", name="Tokenizer")).to_be_visible()
    for control in ("button", "select", "input[type=range]", "input[type=radio]", "input[type=checkbox]"):
        expect(still.widget.locator(f"{control}:visible")).to_have_count(0)
    expect(still.text).to_have_css("border-top-style", "none")
    still.stage.locator(".symbol.now").first.dispatch_event("click")
    expect(still.card).to_be_visible()


def test_letters_have_their_key_in_sight(still: ReplayPage) -> None:
    still.learn("aaabdaaabac, the textbook's")
    key = still.page.get_by_role("note", name="Letters")
    for k, entries in ((0, []), (2, ["Z = aa", "Y = ab"]), (3, ["Z = aa", "Y = ab", "X = ZY"])):
        still.seek(k)
        expect(key.locator("code")).to_have_text(entries)
    still.setting("Symbols as").select_option("text")
    expect(key).to_be_hidden()


def test_controls_fit_one_line_with_the_whole_stage_in_sight(still: ReplayPage) -> None:
    """On a common laptop, with the track; the rest is behind one fold."""
    still.page.set_viewport_size({"width": 1366, "height": 768})
    still.seek(3)
    for part in (still.stage, still.play, still.track):
        expect(part).to_be_in_viewport(ratio=1)
    tops = still.page.locator(".controls :is(.button, .track, .counter):visible").evaluate_all(
        "all => all.map((one) => Math.round(one.getBoundingClientRect().top))"
    )
    assert max(tops) - min(tops) <= 6
    controls = still.player.locator(":is(button, select, input):visible")
    assert controls.count() - still.player.locator(".beneath :is(button, select, input):visible").count() == 7


def test_the_player_covers_nothing_of_the_stage_when_the_page_opens(in_app: ReplayPage) -> None:
    in_app.page.set_viewport_size({"width": 1280, "height": 800})
    for story in ("apply", "learn"):
        if story == "learn":
            in_app.learn("low, lower, newest, widest")
        in_app.page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 0)")
        for k in (0, 5):
            in_app.seek(k)
            stage, player = resting_box(in_app.stage), resting_box(in_app.page.locator(".timeline:visible"))
            assert player["y"] + player["height"] <= stage["y"]
            expect(in_app.track).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1280, 1024), (1920, 1080), (375, 740)])
def test_sentence_stage_legend_and_player_are_in_sight_and_next_scrolls_nothing(
    in_app: ReplayPage, width: int, height: int
) -> None:
    page = in_app.page
    page.set_viewport_size({"width": width, "height": height})
    parts = [
        in_app.text,
        in_app.caption,
        page.locator(".controls:visible"),
        in_app.stage,
        page.locator(".signs"),
    ]
    for _ in range(2):
        boxes = [resting_box(part) for part in parts]
        for above, below in pairwise(boxes):
            assert above["y"] + above["height"] <= below["y"]
        assert boxes[0]["y"] > 60  # the app's header
        last = boxes[-1 if width > 1000 else -2]
        assert last["y"] + last["height"] <= height
        assert boxes[3]["width"] >= boxes[2]["width"]
        if width > 1000:
            expect(in_app.played).to_be_in_viewport(ratio=1)
        in_app.next.click()
        page.keyboard.press("ArrowRight")
        in_app.at(11)
        assert page.get_by_test_id("stMain").evaluate("main => main.scrollTop") == 0
        in_app.seek(9)


def test_what_is_watched_is_a_sentence_in_print_too(still: ReplayPage) -> None:
    prose = still.page.locator(".prose")
    still.page.emulate_media(media="print")
    expect(prose.get_by_text("reads", exact=True).last).to_be_visible()
    still.page.emulate_media(media="screen")
    still.watch("learn")
    expect(still.learn_text).to_have_value(CAT)
    still.page.emulate_media(media="print")
    expect(prose.get_by_text("A tokenizer")).to_be_visible()
    expect(prose.get_by_text("learns from", exact=True).last).to_be_visible()


def test_on_a_phone_nothing_moves_but_the_pair_stays_in_sight(page: Page, app_url: str) -> None:
    """When the page opens, the whole short text is in sight, and the play button.

    Each step shows its pair, and scrolls no more than that takes.
    """
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": 375, "height": 740})
    replay = ReplayPage.open(page, f"{app_url}replay")
    expect(replay.play).to_be_in_viewport(ratio=1)
    for k in (-2, -1):
        replay.seek(k)
        page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 0)")
        symbols, moves = resting_box(replay.stage.locator(".symbols")), resting_box(page.locator(".moves:visible"))
        assert moves["y"] + moves["height"] <= symbols["y"] < symbols["y"] + symbols["height"] <= 740
    replay.next.click()
    expect(replay.stage).to_have_attribute("data-drawing", "flow")  # its tower would have to be scrolled
    text = "She sells seashells by the seashore, and the shells she sells are seashells."
    played = tokviz.load("cl100k_base").replay(text)
    replay.write(text, len(played))
    replay.seek(0)
    replay.next.click()
    replay.at(1)
    top = resting_box(replay.stage)["y"]
    for k in range(1, len(played)):
        replay.at(k)
        shown = replay.stage.bounding_box()
        assert shown and shown["y"] == pytest.approx(top, abs=1)
        pairs = [box for box in (each.bounding_box() for each in replay.stage.locator(".next").all()) if box]
        low = min(shown["y"] + shown["height"], 740)
        assert any(shown["y"] <= box["y"] and box["y"] + box["height"] <= low for box in pairs), f"step {k}"
        replay.next.click()


def test_overlaps_are_explained(still: ReplayPage) -> None:
    still.learn()
    still.learn_text.fill("aaabdaaabac")
    expect(still.caption).to_contain_text("With aaabdaaabac")
    still.seek(0)
    expect(still.caption).to_contain_text("stand side by side 4 times")
    expect(still.caption).to_contain_text("Because some overlap, 2 places can be joined.")


def test_textbook_letters(still: ReplayPage) -> None:
    still.learn("aaabdaaabac, the textbook's")
    still.setting("Last step").click()
    still.at(3)
    assert still.labels() == ["X", "d", "X", "a", "c"]


WORDS = " ".join(["low"] * 5 + ["lower"] * 2 + ["newest"] * 6 + ["widest"] * 3)
DOGS = "dog. dog! dog? dog. dog! dog?"
MARKED = {"alphabet": "characters", "end_of_word": "</w>"}


@pytest.mark.parametrize(
    ("example", "text", "options", "first"),
    [
        ("the cat in the hat", CAT, {}, b"th"),
        ("aaabdaaabac, the textbook's", "aaabdaaabac", {"tie_break": "lowest-ids"}, b"aa"),
        ("low, lower, newest, widest", WORDS, MARKED, b"es"),
        ("dogs, without a split", DOGS, {}, b"do"),
        ("dogs, with GPT-2's split", DOGS, {"split_pattern": "gpt2"}, b"do"),
    ],
)
def test_classic_examples(still: ReplayPage, example: str, text: str, options: dict[str, Any], first: bytes) -> None:
    still.learn(example)
    trained = tokviz.train(text, num_merges=20, **{"split_pattern": None, **options})
    expect(still.learn_text).to_have_value(text)
    expect(still.track).to_have_attribute("max", str(len(trained.merges)))
    still.setting("Last step").click()
    words = dict.fromkeys(trained.pretokens(text))  # equal ones are drawn once
    assert [token for _, token in still.drawn()] == [token for word in words for token in trained.encode(word)]
    assert trained.vocab[trained.replay(text)[0].new] == first


def test_symbols_as_hex_and_ids(still: ReplayPage) -> None:
    still.choose("gpt2")
    still.write("é!", 1)
    still.seek(0)
    assert still.labels() == ["c3", "a9", "!"]
    still.setting("Symbols as").select_option("ids")
    assert still.labels() == ["127", "102", "0"]
    still.seek(1)
    still.setting("Symbols as").select_option("hex")
    assert still.labels() == ["c3 a9", "21"]


@pytest.mark.parametrize(("text", "overlaps"), [("aaa", True), ("aa", False), ("aa.aa", False)])
def test_pairs_that_overlap_are_explained_when_a_text_is_read(still: ReplayPage, text: str, overlaps: bool) -> None:
    still.choose("gpt2")
    played = tokviz.load("gpt2").replay(text)
    assert played[0].left == played[0].right
    still.write(text, len(played))
    still.seek(0)
    expect(still.caption).to_contain_text("was learned earliest")
    assert ("Where pairs overlap, they are joined from the left." in still.caption.inner_text()) == overlaps


@pytest.mark.parametrize("text", ["x", "a" * 10_000, "😀" * 1_000, "שלום עולם " * 30])
def test_odd_texts_are_drawn_right(still: ReplayPage, text: str) -> None:
    still.choose("gpt2")
    played = tokviz.load("gpt2").replay(text)
    still.write(text, len(played))
    for k in {0, len(played) // 2, len(played)}:
        still.seek(k)
        drawn, expected = still.drawn(), tokens_of(played, k)
        assert drawn == [token for token in expected if token in set(drawn)]
        assert bool(drawn) == bool(expected)
        if len(played.symbols) > 1_200:
            assert still.page.locator(".overview").is_visible()
            assert len(drawn) <= 1_200


def test_window_of_a_long_text_contains_the_next_merge(still: ReplayPage) -> None:
    text = "".join(f"{sample('code-python').text}\n\n\n{sample('prose-en').text * 3}" for _ in range(4))
    played = tokviz.load("cl100k_base").replay(text)
    still.write(text, len(played))
    expect(still.page.locator(".overview")).to_be_visible()
    chance = random.Random(7)
    for height in (800, 1400):
        still.page.set_viewport_size({"width": 1280, "height": height})
        for k in [0, *chance.sample(range(len(played)), 8), len(played) - 1]:
            still.seek(k)
            drawn, expected = still.drawn(), tokens_of(played, k)
            begin = expected.index(drawn[0])
            assert drawn == expected[begin : begin + len(drawn)]
            stage = still.stage.bounding_box()
            boxes = still.stage.locator(".join-l").evaluate_all(
                "all => all.map((node) => [node.getBoundingClientRect().top, node.getBoundingClientRect().bottom])"
            )
            assert stage
            assert any(stage["y"] <= top and bottom <= stage["y"] + stage["height"] for top, bottom in boxes)


def test_of_200_lines_15_are_in_sight_and_the_stage_scrolls_nothing(in_app: ReplayPage) -> None:
    text = "".join(f"    values[{i}] = total + {i}  # a line\n" for i in range(200))
    played = tokviz.load("cl100k_base").replay(text)
    in_app.write(text, len(played))
    for k in (3, len(played) // 2):
        in_app.seek(k)
        in_app.next.click()
        in_app.at(k + 1)
        stage, player = resting_box(in_app.stage), resting_box(in_app.page.locator(".timeline:visible"))
        tops: list[float] = in_app.stage.locator(".sym").evaluate_all(
            "all => all.flatMap((node) => [...node.getClientRects()].map(({ top }) => Math.round(top)))"
        )
        in_sight = {
            top for top in tops if player["y"] + player["height"] <= top < in_app.page.evaluate("innerHeight") - 28
        }
        assert len(in_sight) >= 15
        assert player["y"] + player["height"] <= stage["y"]
        assert in_app.stage.evaluate("stage => stage.scrollHeight <= stage.clientHeight")


def test_running_text_equals_the_text(still: ReplayPage) -> None:
    text = "one two\n" * 20
    steps = len(tokviz.load("cl100k_base").replay(text))
    still.write(text, steps)
    still.use_flow()
    for k in (0, steps):
        still.seek(k)
        assert still.stage.locator(".symbols").evaluate("symbols => symbols.textContent") == text


def test_a_seek_draws_the_stage_once(still: ReplayPage) -> None:
    """Even to another part of a long text. Drawing is measured by the elements inserted into the page."""
    text = sample("prose-en").text * 40
    played = tokviz.load("cl100k_base").replay(text, order="pretoken")
    still.setting("Order").select_option("pretoken")
    still.write(text, len(played))
    still.seek(0)
    still.page.evaluate("window.added = 0")
    still.stage.locator(".symbols").evaluate(
        """symbols => new MutationObserver((changes) => {
            for (const { addedNodes } of changes) added += addedNodes.length;
        }).observe(symbols, { childList: true })"""
    )
    still.seek(len(played) // 2)
    assert still.page.evaluate("added") == len(still.drawn()) > 100


def test_right_to_left_text_has_its_direction_from_the_first_byte(still: ReplayPage) -> None:
    text = "مرحبا abc"
    still.write(text, len(tokviz.load("cl100k_base").replay(text)))
    for k in (-2, -1, 0, 3):
        still.seek(k)
        expect(still.stage.locator(".symbols, .tower")).to_have_css("direction", "rtl")
    still.use_flow()
    expect(still.stage.locator(".symbols")).to_have_css("direction", "rtl")
    first, second = (still.stage.locator(".sym").nth(i).bounding_box() for i in (0, 1))
    assert first
    assert second
    assert second["x"] < first["x"]


def test_cut_character_shows_its_bytes_and_glyph(still: ReplayPage) -> None:
    """In running text: each stretch of bytes in hex, and the character at its first byte."""
    still.choose("gpt2")
    text = "🍕 مرحبا 안녕 é"
    played = tokviz.load("gpt2").replay(text)
    still.write(text, len(played))
    still.use_flow()
    for k in (0, len(played) // 3, len(played)):
        still.seek(k)
        shown = still.stage.locator(".hex").evaluate_all(
            "all => all.map((node) => [node.innerText, node.dataset.glyph ?? '', node.className])"
        )
        ends = pairwise(played.tokenization(k).byte_offsets.tolist())
        assert shown == [part for start, end in ends for part in cut_parts(text, start, end)]


def cut_parts(text: str, start: int, end: int) -> list[list[str]]:
    """Return what a token of these bytes shows of the characters that it cuts: bytes, the character, its classes."""
    parts = []
    at = 0
    for character in text:
        before, at = at, at + len(character.encode())
        covered = text.encode()[max(before, start) : min(at, end)]
        if covered and covered != character.encode():
            goes_on, cut = start > before, end < at
            kinds = ["hex", *(["goes-on"] if goes_on else []), *(["cut-short"] if cut else [])]
            parts.append([covered.hex(" "), character if cut and not goes_on else "", " ".join(kinds)])
    return parts


def test_a_text_over_the_limit_is_refused_and_its_beginning_offered(still: ReplayPage) -> None:
    paste(still.text, "word " * 21_000)
    expect(still.page.get_by_text("This text has 105,000 bytes; a replay shows 100,000 at most.")).to_be_visible()
    still.page.get_by_role("button", name="use its beginning").click()
    expect(still.page.get_by_text("The first 100,000 of 105,000 bytes are replayed.")).to_be_visible()
    expect(still.track).to_be_visible()


def test_file_of_a_text_too_long_for_a_link_is_replayed(still: ReplayPage) -> None:
    text = " ".join(str(number**7) for number in range(1500))
    still.write(text, len(tokviz.load("cl100k_base").replay(text)))
    still.page.get_by_role("button", name="share").click()
    with still.page.expect_download() as saved:
        still.page.get_by_role("button", name="save the text").click()
    still.page.keyboard.press("Escape")
    still.write("low lower", len(tokviz.load("cl100k_base").replay("low lower")))
    drop_file(still.widget, "a.txt", Path(saved.value.path()).read_bytes())
    expect(still.text).to_have_value(text)
    expect(still.track).to_have_attribute("max", str(len(tokviz.load("cl100k_base").replay(text))))


def test_file_dropped_while_learning_becomes_the_training_text(still: ReplayPage) -> None:
    own = still.text.input_value()
    still.learn()
    drop_file(still.widget, "a.txt", "Grüße, 世界".encode())
    expect(still.learn_text).to_have_value("Grüße, 世界")
    expect(still.page.get_by_role("combobox", name="Examples")).to_have_value("")
    still.watch("apply")
    expect(still.text).to_have_value(own)


def test_non_text_files_are_refused_by_name(still: ReplayPage) -> None:
    still.page.get_by_label("A text file").set_input_files(
        {"name": "a.pdf", "mimeType": "", "buffer": b"%PDF-1.7\n\xe2\xe3\xcf\xd3"}
    )
    expect(still.page.get_by_text("“a.pdf” seems to be a PDF document")).to_be_visible()


def test_line_ends_of_a_file_are_kept(still: ReplayPage, widgets_url: str) -> None:
    drop_file(still.widget, "a.txt", b"one\r\ntwo")
    expect(still.track).to_have_attribute("max", str(len(tokviz.load("cl100k_base").replay("one\r\ntwo"))))
    still.page.goto(widgets_url)
    expect(still.page.locator('[data-count="bytes"]')).to_have_text("8")


def test_line_ends_of_a_file_are_kept_during_editing(still: ReplayPage) -> None:
    drop_file(still.widget, "a.txt", b"one\r\ntwo")
    notice = still.page.get_by_text("This text came with carriage returns")
    expect(notice).to_be_visible()
    still.seek(-2)
    still.text.press("Control+End")
    still.text.press_sequentially("\\ 3")
    expect(still.caption).to_have_text("This is the text: 10 characters, which are 11 bytes in UTF-8.")
    still.text.fill("one")
    expect(still.caption).to_have_text("This is the text: 3 characters, which are 3 bytes in UTF-8.")
    expect(notice).to_be_hidden()


def test_line_ends_of_a_training_text_are_kept_during_editing(still: ReplayPage) -> None:
    still.learn()
    drop_file(still.widget, "a.txt", b"one\r\ntwo")
    expect(still.figure("tokens left")).to_have_text("8")
    still.learn_text.press("Control+End")
    still.learn_text.press_sequentially("z")
    expect(still.figure("tokens left")).to_have_text("9")


def test_late_response_is_dropped_when_the_text_was_deleted(still: ReplayPage) -> None:
    still.page.clock.install()
    still.learn()
    expect(still.track).to_be_visible()
    held = HeldRequests(still.page, "**/_tokviz/replay/learn*")
    still.learn_text.fill("a text that is soon gone")
    late = held.take()
    still.learn_text.fill("")
    expect(still.track).to_be_hidden()
    answer = late.fetch()
    with suppress(Error):  # the page may have aborted the request
        late.fulfill(response=answer)
    still.page.clock.run_for(2000)
    expect(still.track).to_be_hidden()
    expect(still.page.get_by_text("No answer yet")).to_be_hidden()
    # The next text is requested as usual.
    held.end()
    still.learn_text.fill("low lower lowest")
    expect(still.track).to_be_visible()


def test_late_example_is_dropped_when_another_text_is_watched(still: ReplayPage) -> None:
    held = HeldRequests(still.page, "**/_tokviz/sample*")
    still.page.get_by_role("combobox", name="Examples").select_option("code-python")
    late = held.take()
    still.learn()
    with still.page.expect_response("**/_tokviz/sample*"):
        late.continue_()
    next_frame(still.page)
    expect(still.learn_text).to_have_value(CAT)
    held.end()


def test_training_text_has_the_same_limit(still: ReplayPage) -> None:
    still.learn()
    paste(still.learn_text, "é" * 60_000)
    expect(still.page.get_by_text("This text has 120,000 bytes; a replay shows 100,000 at most.")).to_be_visible()
    still.page.get_by_role("button", name="use its beginning").click()
    expect(still.track).to_be_visible()
    expect(still.learn_text).to_have_value("é" * 50_000)


# The player


# Seconds that three merges take at each speed. At the slower speeds the first comes early.
SECONDS = {"0.5": 4.8, "1": 2.4, "2": 1.2, "4": 0.75, "16": 0.19, "60": 0.05, "all": 2.4}


def test_plays_to_the_end_at_each_speed(replay: ReplayPage) -> None:
    replay.page.clock.install()
    replay.learn()
    replay.learn_text.fill("aaabdaaabac")
    expect(replay.track).to_have_attribute("max", "3")
    replay.page.clock.pause_at(replay.page.evaluate("Date.now()") + 1000)
    for speed, seconds in SECONDS.items():
        replay.seek(0)
        replay.setting("Speed").select_option(speed)
        replay.play.click()
        replay.page.clock.run_for(round(seconds * 500))
        assert replay.step() < 3, speed
        replay.page.clock.run_for(round(seconds * 500) + 200)
        replay.at(3)
        expect(replay.play).to_be_visible()
        assert [token for _, token in replay.drawn()] == tokviz.train("aaabdaaabac").encode("aaabdaaabac")


def test_merge_is_joined_before_counts_change(replay: ReplayPage) -> None:
    replay.learn()
    replay.page.evaluate("window.seen = []")
    replay.widget.evaluate(
        """widget => {
            const note = (what) => seen.push([what, performance.now()]);
            const watch = (node, what) => new MutationObserver(() => note(what)).observe(
                node, { subtree: true, childList: true, attributes: true, attributeFilter: ["class"] });
            watch(widget.querySelector(".tower"), "stage");
            watch(widget.querySelector(".bars table"), "counts");
        }"""
    )
    replay.next.click()
    expect(replay.stage.locator(".new")).to_have_count(2)
    expect(replay.stage.locator(".next")).to_have_count(4)
    seen = replay.page.evaluate("seen")
    assert [what for what, _ in seen] == ["stage", "counts", "stage"]
    assert seen[2][1] - seen[0][1] < 1_000


def test_keys_work_while_the_player_has_focus(replay: ReplayPage) -> None:
    replay.learn()
    replay.page.evaluate("window.leaked = []; document.addEventListener('keydown', (event) => leaked.push(event.key))")
    replay.stage.focus()
    for key, step in [
        ("Space", 1),
        ("ArrowRight", 2),
        ("PageDown", 3),
        ("ArrowLeft", 2),
        ("PageUp", 1),
        ("End", 4),
        ("Home", 0),
    ]:
        replay.page.keyboard.press(key)
        replay.at(step)
    replay.page.keyboard.press("?")
    expect(replay.page.get_by_role("note", name="Keys")).to_be_visible()
    replay.page.keyboard.press("p")
    expect(replay.page.get_by_role("button", name="Pause")).to_be_visible()
    replay.page.keyboard.press("P")
    expect(replay.play).to_be_visible()
    replay.page.keyboard.press("r")
    replay.page.keyboard.press("c")
    assert replay.page.evaluate("leaked") == []


def test_keys_are_ignored_while_typing(replay: ReplayPage) -> None:
    replay.learn()
    replay.seek(2)
    replay.learn_text.focus()
    replay.page.keyboard.press("End")
    replay.page.keyboard.type(" p?")
    expect(replay.learn_text).to_have_value(f"{CAT} p?")
    replay.page.get_by_text("All merges").click()
    search = replay.page.get_by_label("Find a merge")
    search.press_sequentially("p ?")
    expect(search).to_have_value("p ?")
    expect(replay.page.get_by_role("note", name="Keys")).to_be_hidden()


def test_keys_step_from_anywhere_on_the_page(replay: ReplayPage) -> None:
    replay.learn()
    for presenting in (False, True):
        if presenting:
            replay.page.get_by_role("button", name="present").click()
        replay.page.evaluate("document.activeElement.blur()")
        for key, step in (("Home", 0), ("Space", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("PageDown", 2)):
            replay.page.keyboard.press(key)
            replay.at(step)


def test_the_page_opens_before_a_merge_of_what_merges_have_made(replay: ReplayPage) -> None:
    played = tokviz.load("cl100k_base").replay(replay.text.input_value())
    k = replay.step()
    made = {played[step].new for step in range(k)}
    assert {played[k].left, played[k].right} <= made


def test_undone_step_shows_no_delayed_changes(replay: ReplayPage) -> None:
    replay.learn()
    replay.at(0)
    caption, tokens, pairs = replay.caption.inner_text(), replay.drawn(), replay.bars()
    replay.page.clock.install()
    replay.next.click()
    replay.back.click()
    replay.page.clock.run_for(2000)
    replay.at(0)
    expect(replay.caption).to_have_text(caption)
    assert (replay.drawn(), replay.bars()) == (tokens, pairs)


def test_playback_continues_from_a_scrubbed_position(replay: ReplayPage) -> None:
    replay.page.clock.install()
    replay.write("unbelievable unbelievable", len(tokviz.load("cl100k_base").replay("unbelievable unbelievable")))
    replay.seek(0)
    replay.setting("Speed").select_option("2")
    replay.page.clock.pause_at(replay.page.evaluate("Date.now()") + 1000)
    replay.play.click()
    for sought in (0, 8, 2):
        replay.track.fill(str(sought))
        replay.at(sought)
        replay.page.clock.run_for(1000)
        assert replay.step() in range(sought + 1, sought + 4)
    expect(replay.page.get_by_role("button", name="Pause")).to_be_visible()


def test_the_track_is_at_its_start_until_the_first_merge(still: ReplayPage) -> None:
    for k in (-2, -1, 0, 1):
        still.seek(k)
        expect(still.track).to_have_value(str(max(0, k)))
    expect(still.track).to_have_attribute("min", "0")
    still.seek(-1)
    still.next.click()
    expect(still.page.locator(".counter:visible")).to_have_text(re.compile("^0 of"))
    expect(still.track).to_have_value("0")


# The thumb's width, which is that of the scale's two margins, and where ticks are drawn.
THUMB = """track => {
    const [, size, unit] = /([\\d.]+)(rem|px)/.exec(getComputedStyle(track).getPropertyValue("--thumb"));
    return size * (unit === "rem" ? parseFloat(getComputedStyle(document.documentElement).fontSize) : 1);
}"""
TICKS = """ticks => {
    const { x, width } = ticks.getBoundingClientRect();
    return Array.from(ticks.firstChild.getAttribute("d").matchAll(/M(\\d+) /g), ([, at]) => x + width * at / 1000);
}"""


@pytest.mark.parametrize("presenting", [False, True])
def test_ticks_are_aligned_with_the_track(still: ReplayPage, presenting: bool) -> None:
    text = sample("prose-en").text[:100]
    total = len(tokviz.load("cl100k_base").replay(text))
    still.write(text, total)
    if presenting:
        still.page.get_by_role("button", name="present").click()
    track = resting_box(still.track)
    wide = still.track.evaluate(THUMB)
    ticks = still.page.locator(".ticks").evaluate(TICKS)
    places = still.setting("Jump to").locator("option").evaluate_all("all => all.map(({ value }) => value)")
    expected = [track["x"] + wide / 2 + (track["width"] - wide) * int(k) / total for k in places if k and int(k) >= 0]
    assert ticks == pytest.approx(expected, abs=1)


def test_reduced_motion_draws_everything_at_once(still: ReplayPage) -> None:
    still.learn()
    still.next.click()
    running, bars, marked = still.widget.evaluate(
        "node => [node.getAnimations({ subtree: true }).length, node.querySelector('tbody tr').innerText,"
        " node.querySelectorAll('.stage .next').length]"
    )
    assert (running, marked) == (0, 4)
    assert bars.startswith("th + e")


def test_theme_switch_and_rerun_do_not_disturb_playback(replay: ReplayPage) -> None:
    text = "unbelievable unbelievable"
    replay.write(text, len(tokviz.load("cl100k_base").replay(text)))
    replay.seek(0)
    replay.widget.evaluate(
        """node => {
            window.steps = [];
            new MutationObserver(() => steps.push(Number(node.dataset.step)))
                .observe(node, { attributeFilter: ["data-step"] });
        }"""
    )
    replay.setting("Speed").select_option("2")
    replay.play.click()
    replay.page.wait_for_function("steps.length >= 1")
    replay.page.emulate_media(color_scheme="dark")
    replay.page.wait_for_function("steps.length >= 3")
    replay.page.evaluate("rerun({ tokenizers: [] })")
    replay.page.emulate_media(color_scheme="light")
    replay.page.wait_for_function("steps.length >= 6")
    assert replay.page.evaluate("steps.slice(0, 6)") == [1, 2, 3, 4, 5, 6]
    expect(replay.page.get_by_role("button", name="Pause")).to_be_visible()


def test_disposed_widget_leaks_nothing(replay: ReplayPage) -> None:
    replay.learn()
    replay.page.keyboard.press("f")
    replay.page.keyboard.press("f")
    replay.setting("Speed").select_option("0.5")
    replay.play.click()
    frames, taken = replay.page.evaluate(
        """async () => {
            const host = document.getElementById("widget");
            const leave = rerun({});
            host.remove();
            leave();
            while (document.documentElement.dataset.page) await new Promise((resolve) => setTimeout(resolve));
            let frames = 0;
            const real = window.requestAnimationFrame;
            window.requestAnimationFrame = (work) => { frames++; return real(work); };
            await new Promise((resolve) => real(() => real(() => real(resolve))));
            const press = new KeyboardEvent("keydown", { key: "PageDown", bubbles: true, cancelable: true });
            document.body.dispatchEvent(press);
            return [frames, press.defaultPrevented];
        }"""
    )
    assert (frames, taken) == (0, False)


def test_reload_restores_the_step(still: ReplayPage) -> None:
    text = "dog. dog! dog? dog. dog! dog?"
    still.learn("dogs, without a split")
    expect(still.track).to_have_attribute("max", str(len(tokviz.train(text, num_merges=20).merges)))
    still.seek(3)
    still.page.reload()
    expect(still.learn_text).to_have_value(text)
    still.at(3)


# Predict


def test_predict_right_and_wrong(still: ReplayPage) -> None:
    still.write("unbelievable", len(tokviz.load("cl100k_base").replay("unbelievable")))
    still.seek(0)
    still.ask_with_choices()
    expect(still.caption).to_contain_text("Which of these pairs was learned earliest?")
    expect(still.choices).to_have_count(4)
    first = tokviz.load("cl100k_base").replay("unbelievable")[0]
    vocab = tokviz.load("cl100k_base").vocab
    winner = f"{vocab[first.left].decode()} + {vocab[first.right].decode()}"
    still.choices.filter(has_text=winner).click()
    expect(still.page.get_by_text("Right.", exact=True)).to_be_visible()
    expect(still.caption).to_contain_text("was learned earliest")
    expect(still.page.get_by_text("1 of 1 right")).to_be_visible()
    still.next.click()
    second = tokviz.load("cl100k_base").replay("unbelievable")[1]
    winner = f"{vocab[second.left].decode()} + {vocab[second.right].decode()}"
    still.choices.filter(has_not_text=winner).first.click()
    expect(still.page.get_by_text(f"No. {winner} is merge {second.rank + 1:,}")).to_be_visible()
    expect(still.page.get_by_text("1 of 2 right")).to_be_visible()


def test_the_game_begins_at_the_first_merge_and_goes_on_from_the_scenes_before(still: ReplayPage) -> None:
    still.seek(-2)
    still.played.check()
    still.at(0)
    expect(still.caption).to_contain_text("Which two neighbors were learned first?")
    still.page.keyboard.press("PageUp")
    still.at(-1)
    expect(still.caption).to_contain_text("you will be asked which pair is joined first")
    still.page.get_by_role("button", name="Go on").click()
    still.at(0)


def test_player_and_game_are_visible_when_the_page_opens(in_app: ReplayPage) -> None:
    page = in_app.page
    page.set_viewport_size({"width": 1366, "height": 768})
    for control in (in_app.caption, in_app.play, in_app.track):
        expect(control).to_be_in_viewport(ratio=1)
    in_app.write("unbelievable", len(tokviz.load("cl100k_base").replay("unbelievable")))
    in_app.seek(0)
    in_app.played.check()
    for width, height in ((1366, 768), (1280, 720), (375, 667)):
        page.set_viewport_size({"width": width, "height": height})
        in_app.watched.check()
        page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 0)")
        in_app.played.check()
        expect(in_app.caption).to_be_in_viewport(ratio=1)
        expect(in_app.give).to_be_in_viewport(ratio=1)
        in_app.give.click(trial=True)  # fails if something covers it
        question, stage, first = map(resting_box, (in_app.caption, in_app.stage, in_app.give))
        assert question["y"] + question["height"] <= first["y"] < first["y"] + first["height"] <= stage["y"]


def test_all_that_is_asked_about_is_in_sight(in_app: ReplayPage) -> None:
    """A text whose tower would be scrolled is running text while its merges are guessed."""
    in_app.page.set_viewport_size({"width": 1280, "height": 800})
    in_app.learn("a paragraph")
    in_app.seek(0)
    expect(in_app.stage).to_have_attribute("data-drawing", "tower")
    in_app.played.check()
    expect(in_app.give).to_be_visible()
    expect(in_app.caption).to_be_in_viewport(ratio=1)
    assert len(in_app.drawn()) == len(in_app.learn_text.input_value())
    resting_box(in_app.stage)
    assert in_app.stage.evaluate("stage => stage.scrollHeight <= stage.clientHeight")
    expect(in_app.stage).to_be_in_viewport(ratio=1)
    in_app.watched.check()
    expect(in_app.stage).to_have_attribute("data-drawing", "tower")


def test_predict_accepts_every_tied_pair(still: ReplayPage) -> None:
    still.learn()
    still.ask_with_choices()
    counts = reference.count_pairs([list(CAT.encode())])
    most = max(counts.values())
    names = still.choices.locator(".mono").all_inner_texts()
    tied = [i for i, name in enumerate(names) if counts[_pair(name)] == most]
    assert len(tied) > 1
    still.choices.nth(tied[-1]).click()
    expect(still.page.locator(".verdict")).to_contain_text("Right.")
    expect(still.page.locator(".verdict")).to_contain_text("all of them count as right")
    assert still.page.locator(".choice.right").count() == len(tied)


def _pair(name: str) -> tuple[int, int]:
    left, right = (part.replace("·", " ") for part in name.split(" + "))
    return ord(left), ord(right)


def test_predict_reveals_nothing_before_the_answer(still: ReplayPage) -> None:
    still.learn()
    still.ask_with_choices()
    still.page.get_by_text("All merges").click()
    still.setting("First step").click()
    for k in range(4):
        still.at(k)
        expect(still.caption).to_contain_text("Which pair stands together most often?")
        said = still.player.aria_snapshot()
        assert not re.search(r"no pair|tied|become|in front", said), said
        assert not [token for token in range(256 + k, 260) if f"token {token}" in said]
        assert still.page.locator(".merge-list li").count() == k
        assert still.stage.locator(".next").count() == 0
        assert still.bars() == []
        assert (
            still.setting("Jump to")
            .locator("option")
            .evaluate_all("(all, k) => all.every(({ value }) => Number(value) <= k)", k)
        )
        still.next.click()  # reveals the answer without a guess
        expect(still.caption).to_contain_text("They become")
        still.next.click()
    expect(still.caption).to_contain_text("learning stops after 4 merges")


@pytest.mark.parametrize("order", ["rank", "pretoken"])
def test_predict_reveals_nothing_when_applying_a_tokenizer(
    still: ReplayPage, order: Literal["rank", "pretoken"]
) -> None:
    text = "to see is to believe"
    tok = tokviz.load("cl100k_base")
    played = tok.replay(text, order=order)
    still.setting("Order").select_option(order)
    still.write(text, len(played))
    still.ask_with_choices()
    still.page.get_by_text("All merges").click()
    asked = 0
    for k in range(len(played)):
        still.seek(k)
        if "Which of these pairs was learned earliest?" not in still.caption.inner_text():
            continue  # a single pair left is not asked
        asked += 1
        said = still.player.aria_snapshot()
        assert not re.search(rf"merge {played[k].rank + 1:,}\b(?!,\d)", said)
        assert f"token {played[k].new}" not in said
        assert not re.search(r"become|learned earliest: merge|no merge", said), said
        assert still.page.locator(".merge-list li").count() == k
        assert still.stage.locator(".next").count() == 0
        assert still.bars() == []
    assert asked > 3


@pytest.mark.parametrize("by", ["drag", "mouse", "touch", "keys"])
def test_the_stage_is_played(browser: Browser, widgets_url: str, by: str) -> None:
    """A right pair joins at all of its places, and a dot fills; a wrong one has its numbers above it."""
    tok = tokviz.load("cl100k_base")
    text = "the theme of the thesis"
    played = tok.replay(text)
    context = browser.new_context(has_touch=by == "touch", reduced_motion="reduce" if by == "keys" else "no-preference")
    still = ReplayPage.open(context.new_page(), f"{widgets_url}replay")
    still.write(text, len(played))
    with still.page.expect_response(re.compile(r"/dragging\.js")):  # which comes with the game
        still.played.check()
    still.at(0)

    def block(at: int) -> Locator:
        return still.stage.locator(f'.now[data-at="{at}"]')

    def pick(at: int) -> None:
        if by == "touch":
            block(at).tap()
        elif by != "keys":
            block(at).click()
        elif still.stage.locator(".block:focus").count():
            here = int(still.stage.locator(".block:focus").get_attribute("data-at") or "")
            starts = [start for start, _ in still.drawn()]
            steps = starts.index(at) - starts.index(here)
            for _ in range(abs(steps)):
                still.page.keyboard.press("ArrowRight" if steps > 0 else "ArrowLeft")
            still.page.keyboard.press("Enter")
        else:
            block(at).focus()
            still.page.keyboard.press("Enter")

    def join(one: int, other: int) -> None:
        if by != "drag":
            pick(one)
            return pick(other)
        here, there = (resting_box(block(at)) for at in (one, other))
        still.page.mouse.move(here["x"] + here["width"] / 2, here["y"] + here["height"] / 2)
        still.page.mouse.down()
        still.page.mouse.move(there["x"] + there["width"] / 2, here["y"] + here["height"] / 2, steps=4)
        expect(still.stage.locator("[data-aim]")).to_have_attribute("data-at", str(other))
        return still.page.mouse.up()

    def pair_at(k: int, step: int) -> tuple[int, int]:
        """First symbols of the first two neighbors that are the pair of a step."""
        pair = played[step].left, played[step].right
        tokens = still.drawn()
        return next((a, b) for (a, one), (b, other) in pairwise(tokens) if (one, other) == pair)

    parts = [still.caption, still.stage, still.page.locator(".predict"), still.page.locator(".beside-player")]
    before = [resting_box(part) for part in parts]
    wrong = next(k for k in range(1, len(played)) if all(token < 256 for token in (played[k].left, played[k].right)))
    yours, one_here = f"{played[wrong].rank + 1:,}", f"{played[0].rank + 1:,}"
    refused = pair_at(0, wrong)
    join(*refused)
    brief = still.page.locator(".brief")
    expect(brief).to_have_text(f"yours {yours}, one here has {one_here}")
    expect(still.caption).to_contain_text(f"is merge {yours}, one here is merge {one_here}: the lower number")
    expect(still.page.get_by_text("0 of 1 right")).to_be_visible()
    said, below = resting_box(brief), resting_box(block(refused[0]))
    assert abs(said["y"] + said["height"] - below["y"]) < 4
    assert [resting_box(part) for part in parts] == before
    still.at(0)
    first, second = pair_at(0, 0)
    pick(first)
    expect(still.stage.locator(".picked")).to_have_attribute("data-at", str(first))
    expect(brief).to_be_hidden()
    pick(first)  # and let go
    join(second, first)
    still.at(1)
    expect(still.page.get_by_text("0 of 1 right")).to_be_visible()  # at the second attempt
    expect(still.caption).to_contain_text("Right: ")
    assert [token for _, token in still.drawn()] == played.state(1).tolist()
    join(*pair_at(1, 1))
    still.at(2)
    dots = still.page.locator(".dots i")
    expect(dots).to_have_count(len(played))
    expect(dots.nth(1)).to_have_class("right")
    still.give.click()
    still.at(3)
    expect(still.page.get_by_text("1 of 3 right")).to_be_visible()
    expect(still.caption).to_contain_text(f" is merge {played[2].rank + 1:,}. What is next?")
    assert [resting_box(part) for part in parts] == before
    assert still.choices.count() == 0
    context.close()


def test_running_text_is_played_with_keys(still: ReplayPage) -> None:
    """The arrow keys walk along its tokens from anywhere; in Learn the counts say what is wrong."""
    still.learn("a paragraph")
    still.seek(0)
    still.played.check()
    expect(still.stage).to_have_attribute("data-drawing", "flow")
    expect(still.caption).to_be_in_viewport(ratio=1)
    press = still.page.keyboard.press
    focused = still.stage.locator(".sym:focus")
    expect(focused).to_have_attribute("data-at", "0")
    pairs = list(pairwise(still.learn_text.input_value()))
    most = pairs.index(max(pairs, key=lambda pair: pairs.count(pair) if pair[1] != " " else 0))
    for key in ("Enter", "ArrowRight", "Enter"):
        press(key)
    expect(still.caption).to_contain_text(
        f"T + h stand together {pairs.count(pairs[0])} times, another pair {pairs.count(pairs[most])} times."
    )
    expect(still.page.get_by_text("0 of 1 right")).to_be_visible()
    press("ArrowDown")  # to the next line
    first, beneath = (still.stage.locator(".sym").first.bounding_box(), focused.bounding_box())
    assert first and beneath and beneath["y"] > first["y"] + first["height"] / 2
    press("ArrowUp")
    expect(focused).to_have_attribute("data-at", "1")
    press("End")
    expect(focused).to_have_attribute("data-at", str(len(pairs)))
    press("Space")  # picks, as Enter does
    expect(still.stage.locator(".picked")).to_have_attribute("data-at", str(len(pairs)))
    for key in ("Space", "Home"):
        press(key)
    expect(focused).to_have_attribute("data-at", "0")
    still.at(0)
    expect(still.play).to_be_hidden()  # the dots take the place of the track
    for key in (*["ArrowRight"] * most, "Enter", "ArrowRight", "Enter"):
        press(key)
    still.at(1)
    expect(still.page.get_by_text("0 of 1 right")).to_be_visible()
    expect(focused).to_have_attribute("data-at", str(most))
    assert len(still.drawn("new")) == pairs.count(pairs[most])


def test_the_game_ends_with_tokens_and_score_and_goes_on(still: ReplayPage) -> None:
    """By keys: again, or with the same word as another tokenizer reads it."""
    text = "the"
    played = tokviz.load("cl100k_base").replay(text)
    still.write(text, len(played))
    still.stage.locator(".now").first.click()
    expect(still.stage.locator(".on")).to_have_count(1)
    still.at(0)  # what is there is selected, and nothing moves
    still.played.press("Space")
    expect(still.stage.locator(".on")).to_have_count(0)
    focused = still.stage.locator(".block:focus")
    for k in range(len(played)):
        pair = played[k].left, played[k].right
        at = next(at for (at, one), (_, other) in pairwise(still.drawn()) if (one, other) == pair)
        expect(focused).to_have_count(1)
        still.page.keyboard.press("Home")
        while int(focused.get_attribute("data-at") or "") < at:
            still.page.keyboard.press("ArrowRight")
        for key in ("Enter", "ArrowRight", "Enter"):
            still.page.keyboard.press(key)
        still.at(k + 1)
    expect(still.page.get_by_text(f"1 token, {len(played)} of {len(played)} right")).to_be_visible()
    again = still.page.get_by_role("button", name="Again")
    expect(again).to_be_focused()
    again.press("Enter")
    still.at(0)
    expect(still.page.locator(".score")).to_be_empty()
    for k in range(len(played)):
        still.give.click()
        still.at(k + 1)
    still.page.get_by_role("button", name="The same as GPT-2 reads it").click()
    still.wait_for_answer()
    expect(still.text).to_have_value(text)
    expect(still.page.get_by_role("combobox", name="Tokenizer")).to_have_value(re.compile("GPT-2"))
    still.at(0)
    expect(still.give).to_be_visible()


def test_on_a_phone_the_stage_is_played_and_choices_are_at_hand(browser: Browser, widgets_url: str) -> None:
    context = browser.new_context(
        has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844}, reduced_motion="reduce"
    )
    phone = ReplayPage.open(context.new_page(), f"{widgets_url}replay")
    text = "My dog said haha and then My cat said haha too"
    phone.write(text, len(tokviz.load("cl100k_base").replay(text)))
    phone.played.check()
    phone.at(0)
    tops = []
    for at, _ in [*phone.drawn()[3:5], *phone.drawn()[3:5]]:
        phone.stage.locator(f'.now[data-at="{at}"], .sym[data-at="{at}"]').tap()
        tops.append(phone.stage.evaluate("stage => stage.offsetTop"))
    expect(phone.page.locator(".brief")).to_be_in_viewport(ratio=1)
    assert len(set(tops)) == 1
    expect(phone.give).to_be_in_viewport(ratio=1)
    phone.watched.check()
    phone.ask_with_choices()
    for position in range(3):
        phone.at(position)
        letters = phone.stage.locator(".sym")
        asked = letters.evaluate_all(BOXES)
        expect(phone.choices.first).to_be_in_viewport(ratio=1)
        phone.choices.nth(position).tap()
        expect(phone.page.locator(".choice:enabled")).to_have_count(0)
        assert letters.evaluate_all(BOXES) == asked
        following = phone.page.get_by_role("button", name="Next pair")
        expect(following).to_be_in_viewport(ratio=1)
        expect(phone.page.locator(".verdict")).to_be_in_viewport(ratio=0.9)  # it has room for a line more
        following.tap()
    expect(phone.page.locator(".choice:enabled")).not_to_have_count(0)
    context.close()


def test_a_text_of_ones_own_opens_at_its_beginning_and_then_shows_what_joins(still: ReplayPage) -> None:
    still.page.set_viewport_size({"width": 1280, "height": 600})
    text = "".join(f"{one}{other}o " for one in "bdgklmp" for other in "eauy") + "the"
    still.write(text, len(tokviz.load("cl100k_base").replay(text)))
    still.at(0)
    expect(still.stage).to_have_attribute("data-drawing", "tower")
    expect(still.stage.locator('.now[data-at="0"]')).to_be_in_viewport(ratio=1)
    expect(still.stage.locator(".next").first).not_to_be_in_viewport()
    still.next.click()
    still.seek(0)
    expect(still.stage.locator(".next").first).to_be_in_viewport(ratio=1)


def test_the_game_is_begun_and_left_by_a_switch_and_its_controls_are_never_where_letters_were(
    still: ReplayPage,
) -> None:
    still.seek(0)
    first = still.stage.locator(".now").first
    before = resting_box(first)
    expect(still.watched).to_be_checked()
    still.played.check()
    stage, given = resting_box(still.stage), resting_box(still.give)
    assert given["y"] + given["height"] <= stage["y"]
    assert resting_box(first) == before
    still.watched.check()
    expect(still.give).to_be_hidden()
    expect(still.track).to_be_visible()


def test_digits_answer_a_question(still: ReplayPage) -> None:
    still.write("unbelievable", len(tokviz.load("cl100k_base").replay("unbelievable")))
    still.ask_with_choices()
    still.stage.focus()
    still.page.keyboard.press("2")
    expect(still.choices.nth(1)).to_have_class(re.compile("chosen"))
    still.page.keyboard.press("?")
    expect(still.page.get_by_role("note", name="Keys")).to_contain_text("1 to 4")


def test_playing_stops_at_each_question(still: ReplayPage) -> None:
    still.learn()
    still.ask_with_choices()
    still.setting("Speed").select_option("60")
    still.choices.first.click()
    still.play.click()
    still.at(1)
    expect(still.play).to_be_visible()
    expect(still.caption).to_contain_text("Which pair stands together most often?")


# Changing the training text


def merges_of(text: str, num_merges: int = 20) -> list[bytes]:
    tok = tokviz.train(text, num_merges=num_merges)
    return [tok.vocab[256 + rank] for rank in range(tok.num_merges)]


NOTE_ANIMATED = """() => {
    const { animate } = Element.prototype;
    window.animated = [];
    Element.prototype.animate = function (...given) {
        animated.push(this.textContent);
        return animate.apply(this, given);
    };
}"""
"""Note the texts of elements that are animated: a mark lasts a moment."""


def test_typing_in_the_training_text_says_and_marks_what_it_changes(still: ReplayPage) -> None:
    still.learn()
    typed = f"{CAT} at the mat"
    before, after = merges_of(CAT), merges_of(typed)
    assert (before.index(b"at"), after.index(b"at")) == (3, 0)
    assert set(after) - set(before) == {b"at "}
    still.page.evaluate(NOTE_ANIMATED)
    still.page.evaluate("performance.now = () => 1e6")  # typing has no pause, however busy the machine is
    still.learn_text.press("End")
    still.learn_text.press_sequentially(typed.removeprefix(CAT))
    still.at(len(after))  # the tower has all of its merges
    said = f"With ·at·the·mat, a + t comes 1st instead of 4th; at + · is new, {len(after)}th."
    expect(still.caption).to_have_text(said)
    still.page.wait_for_function("animated.some((text) => text.startsWith('at·'))")
    changes = still.page.locator(".changes li")
    expect(changes).to_have_text(["a + t comes 1st instead of 4th", f"at + · is new, {len(after)}th"])
    still.back.click()
    expect(still.caption).to_contain_text("They become")
    still.learn_text.press("End")
    still.learn_text.press("Backspace")
    expect(still.caption).to_contain_text("With ·at·the·ma, ")  # typing goes on: the same text before it
    still.at(len(after) - 1)


def test_a_text_that_is_kept_is_compared_merge_by_merge_and_after_a_reload(still: ReplayPage) -> None:
    still.learn()
    still.page.get_by_role("button", name="keep this one").click()
    expect(still.caption).to_contain_text("Now change the text: ")
    expect(still.learn_text).to_be_in_viewport()
    typed = "the fat cat sat on the hat"
    still.learn_text.fill(typed)
    before, after = merges_of(CAT), merges_of(typed)

    def expect_both() -> None:
        rows = still.page.locator(".pair-of-lists tbody tr")
        expect(rows).to_have_count(max(len(before), len(after)))
        for number, merges in ((0, before), (1, after)):
            tokens = rows.locator(f"td:nth-of-type({number + 1}) code")
            expect(tokens).to_have_text([token.decode().replace(" ", "·") for token in merges])
        expect(still.page.locator(".pair-of-lists .gone code")).to_have_count(len(set(before) - set(after)))
        expect(still.page.locator(".pair-of-lists .new code")).to_have_count(len(set(after) - set(before)))

    expect_both()
    still.learn_text.blur()
    still.page.reload()
    expect_both()
    still.page.get_by_role("button", name="forget it").click()
    expect(still.page.locator(".corpora")).to_be_hidden()


def test_alternatives_of_the_split_pattern_are_switched_off(still: ReplayPage, tab: Tab, watched: Watched) -> None:
    """The cuts change in place; a pattern that is wrong says so where it is written."""
    text = "In 2026 I pay 12345."
    still.learn()
    still.learn_text.fill(text)
    still.setting("Split").select_option("cl100k")
    cut = still.page.get_by_label("How the text is cut").locator("span")
    alternatives = still.page.get_by_role("list", name="Alternatives").get_by_role("switch")

    def pieces(pattern: str | None) -> list[str]:
        return [piece.replace(" ", "·") for piece in splitting.split(text, pattern)]

    expect(cut).to_have_text(pieces(splitting.PATTERNS["cl100k"]))
    alternatives.nth(2).focus()
    still.page.keyboard.press("Space")
    left = without(splitting.PATTERNS["cl100k"], {2})
    expect(cut).to_have_text(pieces(left))
    expect(still.page.locator(".cuts .changed")).to_have_text(["2026", "12345"])
    expect(alternatives.nth(2)).to_be_focused()
    expect(still.track).to_have_attribute("max", str(len(tokviz.train(text, num_merges=20, split_pattern=left).merges)))
    opened = open_as_stranger(tab, still.share())
    opened.unfold()
    expect(opened.page.get_by_label("How the text is cut").locator("span")).to_have_text(pieces(left))
    still.setting("Split").select_option("my own")
    pattern = still.page.locator(".folded").get_by_role("textbox", name="Pattern")
    pattern.fill("(a")
    expect(still.page.locator(".folded .problem")).to_contain_text("does not compile: missing )")
    pattern.fill(r"\d|\D+")
    expect(cut).to_have_text(pieces(r"\d|\D+"))
    expect(still.page.locator(".folded .problem")).to_be_hidden()
    watched.problems.clear()  # the refusal


@pytest.mark.parametrize("by", ["mouse", "touch"])
def test_a_text_is_kept_and_an_alternative_switched_off_by_hand(browser: Browser, widgets_url: str, by: str) -> None:
    """By mouse, and on a phone by touch with reduced motion; tests of keys stand nearby."""
    text = "In 2026 I pay 12345."
    size = {"width": 375, "height": 812} if by == "touch" else {"width": 1280, "height": 800}
    with browser.new_context(viewport=size, has_touch=by == "touch", reduced_motion="reduce") as context:  # type: ignore[arg-type]
        still = ReplayPage.open(context.new_page(), f"{widgets_url}replay")

        def press(target: Locator) -> None:
            if by == "touch":
                target.tap()
            else:
                target.click()

        still.page.route("**/corpora.js*", lambda route: route.abort())  # what compares texts, at first
        still.learn()
        expect(still.page.get_by_role("alert")).to_contain_text("could not be compared")
        still.page.unroute("**/corpora.js*")
        press(still.page.get_by_role("button", name="keep this one"))
        expect(still.caption).to_contain_text("Now change the text: ")
        still.learn_text.fill(text)
        expect(still.page.locator(".pair-of-lists tbody tr")).not_to_have_count(0)
        still.setting("Split").select_option("cl100k")
        alternative = still.page.get_by_role("list", name="Alternatives").get_by_role("switch").nth(2)
        press(alternative)
        expect(alternative).not_to_be_checked()
        left = splitting.split(text, without(splitting.PATTERNS["cl100k"], {2}))
        cut = still.page.get_by_label("How the text is cut").locator("span")
        expect(cut).to_have_text([piece.replace(" ", "·") for piece in left])
        press(alternative)
        whole = splitting.split(text, splitting.PATTERNS["cl100k"])
        expect(cut).to_have_text([piece.replace(" ", "·") for piece in whole])


def test_an_emptied_training_text_leaves_the_settings(still: ReplayPage) -> None:
    still.learn()
    still.learn_text.fill("")
    still.page.get_by_label("Split").select_option("gpt2")
    still.learn_text.fill("low lower lowest")
    expect(still.stage).to_be_visible()
    expect(still.setting("Split")).to_have_value("gpt2")


# Other parts of the page


def test_following_a_token_shows_its_tree_and_jumps_to_its_merges(still: ReplayPage) -> None:
    still.learn()
    still.seek(3)
    made = still.stage.locator(".now").and_(still.stage.locator('[data-at="0"]'))
    made.evaluate("(block) => block.scrollIntoView({ block: 'center' })")  # from beneath the controls
    made.click()
    follow = still.card
    expect(follow.get_by_role("img")).to_have_attribute("aria-label", "the· = the + ·")
    expect(follow.get_by_role("button", name=re.compile("Go to step"))).to_have_count(3)
    follow.get_by_role("button", name="Go to step 2, which makes the").click()
    still.at(1)
    expect(follow.get_by_role("img")).to_have_attribute("aria-label", "th = t + h")
    follow.get_by_role("button", name="Token after").click()
    expect(follow).to_contain_text("a single byte, a token from the start")


def test_unmerged_symbol_is_called_a_byte_or_a_character(still: ReplayPage) -> None:
    still.learn()
    still.learn_text.fill("für für")
    for alphabet, leaf in [("characters", "ü: a single character"), ("bytes", "c3: a single byte")]:
        still.setting("Alphabet").select_option(alphabet)
        expect(still.stage.locator(".symbol").nth(1)).to_have_text(leaf.split(":")[0])
        still.stage.locator(".symbol").nth(1).click()
        expect(still.card).to_contain_text(f"no: {leaf.split(': ')[1]}, a token from the start")


def test_the_list_of_merges_is_searched_by_text_and_by_rank(still: ReplayPage) -> None:
    still.choose("gpt2")
    text = "unbelievable"
    tok = tokviz.load("gpt2")
    played = tok.replay(text)
    still.write(text, len(played))
    still.page.get_by_text("All merges").click()
    search = still.page.get_by_label("Find a merge")
    items = still.page.locator(".merge-list li")
    expect(items).to_have_count(len(played))
    holding = [step for step in range(len(played)) if b"el" in tok.vocab[played[step].new]]
    search.fill("el")
    expect(items).to_have_count(len(holding))
    search.fill(f"{played[2].rank + 1:,}")
    expect(items).to_have_count(1)
    expect(items).to_contain_text(f"merge {played[2].rank + 1:,}, token {played[2].new}")
    items.get_by_role("button").click()
    still.at(2)
    search.fill("no such text")
    expect(still.page.get_by_text("No merge here fits that.")).to_be_visible()


def test_learned_merges_are_tried_on_a_new_word_at_the_same_step(still: ReplayPage) -> None:
    still.learn()
    still.seek(2)
    still.tool("try these merges on a new word").click()
    expect(still.text).to_be_focused()
    expect(still.text).to_have_value("hat")  # a word to begin with
    still.text.fill("then")
    expect(still.widget).to_have_attribute("data-story", "apply")
    tok = tokviz.train(CAT, num_merges=2)
    expect(still.track).to_have_attribute("max", str(len(tok.replay("then"))))
    still.setting("Last step").click()
    assert [token for _, token in still.drawn()] == tok.encode("then")
    expect(still.page.get_by_text("A tokenizer with the first 2 merges of “the cat in the hat”")).to_be_visible()
    still.watch("learn")
    expect(still.widget).to_have_attribute("data-story", "learn")
    still.at(2)


def test_character_missing_in_the_learned_alphabet_is_named(still: ReplayPage, watched: Watched) -> None:
    still.learn("low, lower, newest, widest")
    still.tool("try these merges on a new word").click()
    still.text.fill("lowly")
    expect(still.page.get_by_role("alert")).to_contain_text("Character 'y' (U+0079) at position 4")
    watched.problems.clear()  # the browser notes the refusal


def test_decoding_takes_tokens_apart_up_to_bytes_and_text(still: ReplayPage) -> None:
    tok = tokviz.load("cl100k_base")
    text = "I'll tokenize pizza 🍕!"
    still.write(text, len(tok.replay(text)))
    still.seek(2)
    still.switch("decode").check()
    numbers = still.labels()
    assert numbers == [str(token) for token in tok.encode(text)]
    expect(still.caption).to_contain_text(f"A model gives {len(numbers)} numbers.")
    track = still.page.get_by_role("slider", name="Stage of decoding")
    last = int(track.get_attribute("max") or 0)
    for position in range(1, last - 1):
        still.page.get_by_role("button", name="Next", exact=True).click()
        ids = [int(label) for label in still.labels()]
        assert tok.decode(ids) == text
        spelled = [tok.decode([token]).replace(" ", "·") for token in ids]  # "�" for parts of a character
        for letters, wanted in zip(still.labels("small"), spelled, strict=True):
            assert letters == wanted or "�" in wanted
        assert len(ids) > len(numbers)
        numbers = still.labels()
        expect(still.page.locator(".way-back .counter")).to_have_text(f"{position} of {last}")
    expect(still.caption).to_contain_text("Each is a single byte.")
    still.stage.focus()
    still.page.keyboard.press("PageDown")
    assert still.labels() == [f"{byte:02x}" for byte in text.encode()]
    still.page.keyboard.press("PageDown")
    expect(still.caption).to_have_text("Read as UTF-8, the bytes are text again.")
    expect(still.page.locator(".decoded")).to_have_text(text.replace(" ", "·"))
    expect(still.stage.locator(".character")).to_have_text("🍕")
    still.page.get_by_role("button", name="back to the merges").click()
    still.at(2)
    assert still.drawn() == tokens_of(tok.replay(text), 2)


def test_decoding_shows_where_a_cut_makes_the_replacement_character(still: ReplayPage) -> None:
    tok = tokviz.load("gpt2")
    still.choose("gpt2")
    text = "hi 🍕"
    still.write(text, len(tok.replay(text)))
    still.seek(0)
    still.stage.focus()
    still.page.keyboard.press("d")
    still.page.get_by_role("button", name="The text").click()
    result = still.page.locator(".decoded")
    expect(result).to_have_text("hi·🍕")
    cut = still.page.get_by_label("How many of the numbers")
    ids = tok.encode(text)
    for count in range(len(ids), 0, -1):
        cut.fill(str(count))
        expect(result).to_have_text(tok.decode(ids[:count]).replace(" ", "·"))
        assert (still.stage.locator(".broken").count() > 0) == ("�" in tok.decode(ids[:count]))
    cut.fill("2")
    expect(still.caption).to_have_text(
        "Read as UTF-8, f0 9f is only a part of a character: the rest is in the numbers that were left out. "
        "Programs show � for such bytes."
    )
    first = still.stage.locator(".block.now").first
    first.click()  # leaves out what comes after its token
    expect(result).to_have_text(tok.decode(ids[:1]))
    first.click()
    expect(result).to_have_text("hi·🍕")


def test_decoding_waits_while_a_class_guesses(still: ReplayPage) -> None:
    still.learn()
    still.played.check()
    switch = still.switch("decode")
    expect(switch).to_be_disabled()
    reason = still.page.get_by_text("decode: after the last question")
    expect(reason).to_be_visible()
    still.stage.focus()
    still.page.keyboard.press("d")
    expect(still.stage).to_have_attribute("data-scene", "symbols")
    still.setting("Last step").click()
    expect(switch).to_be_enabled()
    expect(reason).to_be_hidden()
    still.use_flow()
    expect(still.page.get_by_text("decode: only with the tower")).to_be_visible()


def test_running_text_is_decoded_by_looking_up_its_first_ids(still: ReplayPage) -> None:
    still.choose("gpt2")
    text = "hi 🍕"
    still.write(text, len(tokviz.load("gpt2").replay(text)))
    still.setting("Last step").click()
    expect(still.page.get_by_text("The way back: decode")).to_be_hidden()
    still.use_flow()
    expect(still.switch("decode")).to_be_disabled()
    still.page.get_by_text("The way back: decode").click()
    decode = still.page.locator(".decode")
    expect(decode).to_contain_text("Every character is whole.")
    decode.get_by_label("How many of the ids").fill("2")
    expect(decode).to_contain_text("�")
    expect(decode).to_contain_text("f0 9f")
    expect(decode).to_contain_text("the rest of the character is in the ids that were left out")
    decode.get_by_role("button", name="do it step by step").click()
    expect(decode.locator(".decode-row")).to_have_count(1)


def test_invisible_characters_are_named_for_screen_readers(still: ReplayPage) -> None:
    still.learn()
    still.seek(2)
    expect(still.player.get_by_role("status").first).to_contain_text("the and space stand together 2 times")
    assert "the, space, c, a, t, space, i, n, space, the, space, h, a, t" in still.player.aria_snapshot()
    still.ask_with_choices()
    expect(still.choices.first).to_have_accessible_name("A: the + space")


def test_decoding_shows_a_replacement_character_for_each_invalid_piece(still: ReplayPage) -> None:
    """As many as the browser's own decoder gives."""
    still.choose("gpt2")
    still.write("🍕", len(tokviz.load("gpt2").replay("🍕")))
    still.seek(0)
    still.use_flow()
    still.page.get_by_text("The way back: decode").click()
    expect(still.page.get_by_text("the first 4 ids")).to_be_visible()  # the pane opens with all ids
    for first, signs in ((3, "�"), (4, "")):
        still.page.get_by_label("How many of the ids").fill(str(first))
        shown = still.page.locator(".decode-row").last.inner_text()
        assert shown.count("�") - shown.count("as �") == len(signs)


def test_live_region_describes_steps_and_summarizes_fast_playback(replay: ReplayPage) -> None:
    replay.learn()
    spoken = replay.player.get_by_role("status").first
    expect(spoken).to_contain_text("t and h stand together 2 times")
    replay.setting("Speed").select_option("16")
    spoken.evaluate(
        "node => { window.said = 0; new MutationObserver(() => said++).observe(node, { childList: true }) }"
    )
    replay.play.click()
    replay.at(4)
    expect(spoken).to_contain_text("Step 4 of 4: 10 tokens.")
    assert replay.page.evaluate("said") == 1


def test_standalone_columns_need_no_server(replay: ReplayPage) -> None:
    """Mounted as in a standalone page or a notebook."""
    tok = tokviz.load("gpt2")
    held = base64.b64encode(pack(*apply_columns(tok.replay("hello hello")))).decode()
    asked: list[str] = []
    replay.page.on("request", lambda request: asked.append(request.url) if "_tokviz/replay" in request.url else None)
    steps = replay.page.evaluate(
        """async (held) => {
            const { mount } = await import(new URL("_tokviz/static/replay/widget.js", location.origin).href);
            const root = document.createElement("div");
            document.body.append(root);
            const data = { replay: held, start: { steps: { apply: 1, learn: 0 } } };
            const widget = mount(root, data, { text() {}, state() {} });
            const tokens = [...root.querySelectorAll(".now")].sort((one, other) => one.dataset.at - other.dataset.at);
            const ids = tokens.map(({ dataset }) => Number(dataset.id));
            const { step } = root.querySelector(".replay").dataset;
            const found = [step, root.querySelector("textarea"), ids];
            widget.dispose();
            return [...found, root.childElementCount];
        }""",
        held,
    )
    assert steps == ["1", None, tok.replay("hello hello").state(1).tolist(), 0]
    assert asked == []


def test_the_player_opens_from_disk_without_a_network(
    context: BrowserContext, watched: Watched, tmp_path: Path
) -> None:
    tok = tokviz.load("gpt2")
    text = "I'll replay </script> 🍕"
    played = tok.replay(text)
    data = {"replay": pack(*apply_columns(tok.replay(text))), "start": {"steps": {"apply": 3, "learn": 0}}}
    file = tmp_path / "replay.html"
    file.write_text(standalone_page("replay", data, "A replay"), "utf-8")
    page = open_file(context, file)
    replay = ReplayPage(page)
    replay.at(3)
    assert replay.drawn() == tokens_of(played, 3)
    page.keyboard.press("End")
    assert [token for _, token in replay.drawn()] == tok.encode(text)
    page.keyboard.press("PageUp")  # on a standalone page the player needs no focus
    replay.at(len(played) - 1)


def test_saved_page_keeps_its_step_and_plays_without_a_network(
    still: ReplayPage, context: BrowserContext, tmp_path: Path
) -> None:
    still.write("hello world", len(tokviz.load("cl100k_base").replay("hello world")))
    still.seek(3)
    with still.page.expect_download() as download:
        still.tool("take it away").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    drawn = still.drawn()
    taken = ReplayPage(open_file(context, file))
    taken.at(3)
    assert taken.drawn() == drawn


def test_a_notebook_shows_the_player(context: BrowserContext, watched: Watched, tmp_path: Path) -> None:
    tok = tokviz.train(CAT, num_merges=4)
    file = tmp_path / "notebook.html"
    file.write_text(f"<!doctype html><meta charset=utf-8>{tok.replay(CAT)._repr_html_()}", "utf-8")
    page = context.new_page()
    page.goto(file.as_uri())
    frame = page.frame_locator("iframe")
    expect(frame.locator(".replay")).to_have_attribute("data-step", "-2")
    expect(page.get_by_text("If you see no player above")).to_be_hidden()
    frame.get_by_role("slider", name="Step").press("End")
    expect(frame.locator(".replay")).to_have_attribute("data-step", "4")
    frame.get_by_role("slider", name="Step").press("Home")
    frame.get_by_role("radio", name="Play it yourself").check()
    for at in (CAT.index("t"), CAT.index("t") + 1):  # t + h stand together twice, and are seen first
        frame.locator(f'.stage .now[data-at="{at}"]').click()
    expect(frame.locator(".replay")).to_have_attribute("data-step", "1")
    expect(frame.get_by_text("1 of 1 right")).to_be_visible()
    frame.get_by_text("All merges").click()  # makes the page higher
    expect(frame.locator("details[open]").first).to_be_visible()
    page.wait_for_function(
        """() => {
            const frame = document.querySelector("iframe");
            return Math.abs(frame.clientHeight - frame.contentDocument.body.getBoundingClientRect().height) <= 1;
        }"""
    )


@pytest.mark.parametrize(
    ("policy", "says"),
    [
        ("script-src 'unsafe-inline'", "script-src in that program's Content Security Policy lacks blob:"),
        ("script-src 'none'", ""),
    ],
)
def test_a_player_that_may_not_run_says_why(
    context: BrowserContext, watched: Watched, tmp_path: Path, policy: str, says: str
) -> None:
    file = tmp_path / "notebook.html"
    html = tokviz.train(CAT, num_merges=4).replay(CAT)._repr_html_()
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    file.write_text(f"<!doctype html><meta charset=utf-8>{meta}{html}", "utf-8")
    page = context.new_page()
    page.goto(file.as_uri())
    expect(page.get_by_text("If you see no player above")).to_be_visible()
    if says:
        expect(page.frame_locator("iframe").get_by_text(says)).to_be_visible()
    watched.problems.clear()  # the browser reports what it forbids


# Links


def open_as_stranger(tab: Tab, link: str) -> ReplayPage:
    """Open a link in the tab, once that has forgotten everything."""
    assert tab.clean()
    tab.page.emulate_media(reduced_motion="reduce")
    tab.page.goto(link)
    return ReplayPage(tab.page)


def test_link_restores_the_exact_step(still: ReplayPage, tab: Tab) -> None:
    still.choose("gpt2")
    still.write(" strawberry 🍓", len(tokviz.load("gpt2").replay(" strawberry 🍓")))
    still.seek(5)
    still.setting("Symbols as").select_option("ids")
    drawn = still.drawn()
    opened = open_as_stranger(tab, still.share())
    opened.at(5)
    expect(opened.text).to_have_value(" strawberry 🍓")
    expect(opened.page.get_by_role("combobox", name="Tokenizer")).to_have_value("GPT-2")
    expect(opened.page.get_by_label("Symbols as")).to_have_value("ids")
    assert opened.drawn() == drawn
    assert "#" not in opened.page.url


def test_link_restores_learning_and_trying(still: ReplayPage, tab: Tab) -> None:
    still.learn("low, lower, newest, widest")
    still.seek(5)
    learned = still.drawn()
    to_learning = still.share()
    still.tool("try these merges on a new word").click()
    still.text.fill("lowest")
    expect(still.widget).to_have_attribute("data-story", "apply")
    to_trying = still.share()
    opened = open_as_stranger(tab, to_learning)
    expect(opened.widget).to_have_attribute("data-story", "learn")
    opened.at(5)
    assert opened.drawn() == learned
    opened = open_as_stranger(tab, to_trying)
    expect(opened.text).to_have_value("lowest")
    expect(opened.page.get_by_text("A tokenizer with the first 5 merges of “low low low")).to_be_visible()


def test_a_broken_link_opens_the_page_with_a_note(page: Page, widgets_url: str) -> None:
    page.goto(f"{widgets_url}replay#story=nonsense&step=many&text=AAAA_not-deflate")
    expect(page.get_by_role("alert").filter(has_text="This link is damaged")).to_be_visible()
    expect(ReplayPage(page).stage).to_be_visible()


# Appearance


def test_axe_finds_nothing_serious(still: ReplayPage) -> None:
    still.page.get_by_text("All merges").click()
    still.seek(4)
    still.stage.locator(".symbol.now").first.click()
    still.seek(4)
    expect_accessible_in_all_looks(still.page, "Apply")
    still.switch("decode").check()
    expect_accessible_in_all_looks(still.page, "Decode")
    still.page.get_by_role("button", name="back to the merges").click()
    for k in (-2, -1):
        still.seek(k)
        expect_accessible_in_all_looks(still.page, f"Scene {k}")
    still.page.set_viewport_size({"width": 1280, "height": 720})
    still.learn()
    still.played.check()
    still.give.click()
    expect_accessible_in_all_looks(still.page, "Learn")
    still.page.set_viewport_size({"width": 1280, "height": 720})
    still.use_flow()
    expect_accessible_in_all_looks(still.page, "Running text that is played")


def test_nothing_scrolls_sideways(still: ReplayPage) -> None:
    text = ("averylongword" * 20)[:250]
    still.write(text, len(tokviz.load("cl100k_base").replay(text)))
    for width in (375, 768, 1280, 1920):
        still.page.set_viewport_size({"width": width, "height": 800})
        for k in (-2, -1, 0, 5):
            still.seek(k)
            expect_no_sideways_scrolling(still.page)
            assert still.stage.evaluate("element => element.scrollWidth <= element.clientWidth"), width


def test_a_phone_has_large_touch_targets_and_tokens_to_tap(browser: Browser, widgets_url: str) -> None:
    with browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True) as context:
        phone = context.new_page()
        replay = ReplayPage.open(phone, f"{widgets_url}replay")
        expect(replay.track).to_be_visible()
        assert small_touch_targets(replay.widget) == []
        opened_at = replay.step()
        replay.next.tap()
        replay.at(opened_at + 1)
        width = (replay.track.bounding_box() or {"width": 0})["width"]
        replay.track.tap(position={"x": width - 1, "y": 20})
        replay.at(len(tokviz.load("cl100k_base").replay(replay.text.input_value())))
        replay.stage.locator(".now").first.tap()
        expect(replay.card).to_contain_text("id")
        assert [each for each in small_touch_targets(replay.card) if "what is this" not in each] == []


def test_key_help_overlays_the_page_while_presenting(still: ReplayPage) -> None:
    still.page.set_viewport_size({"width": 1280, "height": 720})
    still.page.get_by_role("button", name="present").click()
    before = resting_box(still.stage)
    still.page.keyboard.press("?")
    expect(still.page.get_by_role("note", name="Keys")).to_be_in_viewport(ratio=1)
    assert resting_box(still.stage) == before
    # Escape closes an open overlay first, then leaves presenter mode.
    still.page.keyboard.press("Escape")
    expect(still.page.get_by_role("note", name="Keys")).to_be_hidden()
    expect(still.page.get_by_test_id("stHeader")).to_be_hidden()
    still.page.keyboard.press("Escape")
    expect(still.page.get_by_test_id("stHeader")).to_be_visible()


def test_scenes_before_the_merges_have_no_counts(still: ReplayPage) -> None:
    still.seek(-2)
    expect(still.figure("tokens left")).to_have_count(0)
    still.stage.focus()
    still.page.keyboard.press("Enter")  # walks to the first token
    still.at(0)
    expect(still.figure("tokens left")).to_have_text("25")
    expect(still.card).to_be_visible()


def test_the_reason_why_a_text_is_not_played_is_said(still: ReplayPage) -> None:
    text = sample("prose-en").text * 4
    still.write(text, len(tokviz.load("cl100k_base").replay(text)))
    still.played.click()
    expect(still.caption).to_have_text("Texts of up to 700 symbols can be played: shorten yours.")
    expect(still.watched).to_be_checked()


# Of a presented widget: what is outside the screen, text that is too small, and the height of all.
OVERSIZED = """(widget, [width, height, least]) => {
    const seen = [...widget.querySelectorAll("*")].filter((node) => node.checkVisibility()
        && !node.closest(".unseen, option, optgroup"));
    const isText = (node) => node.nodeType === 3 && node.data.trim();
    const withText = seen.filter((node) => [...node.childNodes].some(isText));
    const isOutside = (box) => box.height && (box.bottom > height + 0.5 || box.right > width + 0.5);
    const scrolls = (node) => node.closest(".stage, .bars");
    const name = (node) => node.outerHTML.slice(0, 120);
    return [
        seen.filter((node) => isOutside(node.getBoundingClientRect()) && !scrolls(node)).map(name),
        withText.filter((node) => parseFloat(getComputedStyle(node).fontSize) < least).map(name),
        widget.scrollHeight,
    ];
}"""


@pytest.mark.parametrize("story", ["text", "pre-tokens", "apply", "end", "decode", "learn", "choices", "play"])
def test_presenting_fits_one_screen_in_large_type(still: ReplayPage, story: str) -> None:
    if story in ("learn", "choices", "play"):
        still.learn()
    if story == "choices":
        still.ask_with_choices()
        still.choices.first.click()
    end = int(still.track.get_attribute("max") or 0)
    still.seek({"text": -2, "pre-tokens": -1, "end": end}.get(story, 2))
    if story == "play":
        still.played.check()
        still.give.click()
    if story == "decode":
        still.switch("decode").check()
    for width, height in ((1280, 720), (1920, 1080)):
        still.page.set_viewport_size({"width": width, "height": height})
        still.page.get_by_role("button", name="present").click()
        expect(header(still.page)).to_be_hidden()
        resting_box(still.stage)
        outside, small, tall = still.widget.evaluate(OVERSIZED, [width, height, height / 36])
        assert outside == []
        assert small == []
        assert tall <= height
        still.page.get_by_role("button", name="leave").click()
        expect(header(still.page)).to_be_visible()


@pytest.mark.parametrize("text", [sample("prose-en").text, "مرحبا بالعالم هذا نص طويل. " * 2])
def test_a_presented_text_is_whole_and_large_enough(still: ReplayPage, text: str) -> None:
    still.page.set_viewport_size({"width": 1280, "height": 720})
    still.write(text, len(tokviz.load("cl100k_base").replay(text)))
    still.seek(0)
    still.page.get_by_role("button", name="present").click()
    expect(still.stage).to_have_attribute("data-drawing", "flow")
    still.page.wait_for_function(
        """stage => stage.scrollHeight <= stage.clientHeight && [...stage.querySelectorAll(".sym, .hex")].every(
            (node) => parseFloat(getComputedStyle(node).fontSize) >= 20)""",
        arg=still.stage.element_handle(),
    )


@pytest.mark.parametrize("story", ["apply", "learn"])
def test_presenting_shows_the_top_ten_pairs_and_the_rule(still: ReplayPage, story: str) -> None:
    still.page.set_viewport_size({"width": 1280, "height": 720})
    if story == "apply":
        text = sample("prose-en").text[:600]
        still.write(text, len(tokviz.load("cl100k_base").replay(text)))
        still.seek(5)
    else:
        still.learn("a paragraph")
        expect(still.track).not_to_have_attribute("max", "4")
        still.seek(40)
    still.page.get_by_role("button", name="present").click()
    expect(still.page.locator(".bars tbody tr")).to_have_count(10)
    expect(still.page.locator(".bars .note")).to_be_in_viewport()
    is_whole = "bars => bars.scrollHeight <= bars.clientHeight"  # once the stage has found its size
    still.page.wait_for_function(is_whole, arg=still.page.locator(".bars").element_handle())


def test_the_note_beneath_presented_pairs_is_whole_or_not_there(still: ReplayPage) -> None:
    text = "我喜欢在下雨天读书，窗外的河流很安静。\n今天的天气怎么样？我们一起去吃披萨吧！"
    still.write(text, len(tokviz.load("cl100k_base").replay(text)))
    still.page.get_by_role("button", name="present").click()
    pairs, note = still.page.locator(".bars"), still.page.locator(".bars .note")
    for height, is_there in ((720, True), (670, False)):
        still.page.set_viewport_size({"width": 1280, "height": height})
        expect(pairs.locator("tbody tr")).to_have_count(10)
        if is_there:
            expect(note).to_be_in_viewport(ratio=1)
        else:
            expect(note).not_to_be_in_viewport()
        assert pairs.evaluate("node => node.scrollHeight <= node.clientHeight")
