"""The tower on the Merge replay page: its blocks are the package's, none of them moves, and each can be clicked."""

import base64
import random
import re
import struct
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

import tokviz
from pages import ReplayPage, resting_box
from tokviz.bpe.tower import blocks_of
from tokviz.export import replay_to_svg
from tokviz.samples import sample
from tokviz.widgets import tower_svg as pictures
from tokviz.widgets.columns import apply_columns
from tokviz.widgets.replays import WRITINGS
from tokviz.widgets.tower_picture import Shown, Writing
from tokviz.widgets.tower_svg import tower_svg

TEXT = "I'll tokenize pizzas 🍕!"
TEXTS = [TEXT, "مرحبا بالعالم", "नमस्ते दुनिया", "👩‍👩‍👧‍👦 ok 🇫🇷", "supercalifragilisticexpialidocious " * 4]

# What has a black ring: its first symbol and its id.
RINGED = """widget => {
    const ink = getComputedStyle(widget).color;
    return [...widget.querySelectorAll("*")]
        .filter((each) => each.checkVisibility())
        .filter((each) => {
            const style = getComputedStyle(each);
            const isLined = (name) => style[`${name}Style`] !== "none" && style[`${name}Color`] === ink;
            const isBordered = style.borderTopWidth !== "0px" && isLined("borderTop");
            return isLined("outline") || isBordered || style.boxShadow.includes(`${ink} 0px 0px 0px`);
        })
        .map(({ dataset }) => `${dataset.at} ${dataset.id}`);
}"""
# The edges of each block that is there, by its first symbol and id, relative to the tower.
BOXES = """tower => {
    const from = tower.getBoundingClientRect();
    return [...tower.querySelectorAll(".block:not(.later)")].map((block) => {
        const { left, right, top, bottom } = block.getBoundingClientRect();
        const edges = [left - from.left, right - from.left, top - from.top, bottom - from.top];
        return [Number(block.dataset.at), Number(block.dataset.id), ...edges.map(Math.round)];
    });
}"""


# Places of what is on the page and no bubble; and what of it has moved.
PLACES = """() => {
    const inside = (root) => [...root.querySelectorAll("*")].flatMap(
        (each) => [each, ...(each.shadowRoot ? inside(each.shadowRoot) : [])]);
    const shown = inside(document.body).filter((each) => each.checkVisibility());
    const still = shown.filter((each) => !each.closest(".info-bubble, .veil"));
    return new Map(still.map((each) => [each, JSON.stringify(each.getBoundingClientRect())]));
}"""
MOVED = """before => [...before]
    .filter(([each, box]) => JSON.stringify(each.getBoundingClientRect()) !== box)
    .map(([each]) => each.outerHTML.slice(0, 80))"""


@pytest.fixture
def replay(page: Page, widgets_url: str) -> ReplayPage:
    return ReplayPage.open(page, f"{widgets_url}replay")


@pytest.fixture
def still(replay: ReplayPage) -> ReplayPage:
    """The page with reduced motion."""
    replay.page.emulate_media(reduced_motion="reduce")
    return replay


def write(replay: ReplayPage, text: str) -> tokviz.Replay:
    """Replay a text as cl100k reads it."""
    played = tokviz.load("cl100k_base").replay(text)
    replay.write(text, len(played))
    replay.seek(0)
    return played


def boxes(replay: ReplayPage) -> dict[tuple[int, int], list[int]]:
    """Left, right, top and bottom of each block that is there, by its first symbol and id."""
    found: list[list[int]] = replay.stage.locator(".tower").evaluate(BOXES)
    return {(at, token): edges for at, token, *edges in found}


@pytest.mark.parametrize("text", TEXTS, ids=["emoji", "arabic", "hindi", "zwj", "long"])
def test_blocks_are_the_packages_and_stand_beneath_their_parts(still: ReplayPage, text: str) -> None:
    played = write(still, text)
    blocks = blocks_of(played, [range(len(played.symbols))])
    rows = [tuple(map(int, row)) for row in zip(*blocks, strict=True)]
    id_of = {(start, end): token for start, _, end, *_, token in rows}
    at_start = boxes(still)
    chance = random.Random(3)
    for k in sorted({*chance.sample(range(len(played) + 1), min(5, len(played))), len(played)}):
        still.seek(k)
        drawn = boxes(still)
        assert sorted(drawn) == sorted((start, token) for start, *_, step, _, token in rows if step < k)
        assert [token for _, token in still.drawn()] == played.state(k).tolist()
        for place, box in at_start.items():
            assert drawn[place] == box  # nothing moves
        for start, middle, end, step, _, token in rows:
            if not 0 <= step < k:
                continue
            left, right, top, _ = drawn[start, token]
            parts = [drawn[start, id_of[start, middle]], drawn[middle, id_of[middle, end]]]
            assert [left, right] == [min(part[0] for part in parts), max(part[1] for part in parts)]
            assert top >= max(part[3] for part in parts) - 1


def test_characters_stand_over_their_bytes(still: ReplayPage) -> None:
    write(still, TEXT)
    above = still.stage.locator(".character")
    expect(above).to_have_text("🍕")
    first, last = (edges for (at, _), edges in sorted(boxes(still).items()) if at in (21, 24))
    over, tower = above.bounding_box(), still.stage.locator(".tower").bounding_box()
    assert over
    assert tower
    assert over["x"] - tower["x"] == pytest.approx(first[0], abs=1)
    assert over["x"] + over["width"] - tower["x"] == pytest.approx(last[1], abs=1)
    assert over["y"] + over["height"] <= tower["y"] + first[2] + 1


def test_a_character_stands_among_the_letters_until_its_bytes_appear(still: ReplayPage) -> None:
    write(still, "déjà 🍕!")

    def middles(places: str) -> list[float]:
        found: list[float] = still.stage.locator(places).evaluate_all(
            "all => all.map((each) => each.getBoundingClientRect()).map(({ top, bottom }) => (top + bottom) / 2)"
        )
        return found

    letters = ".symbol:not([data-part]) .label"
    (line,) = {round(middle) for middle in middles(letters)}
    for k in (-2, -1, 0, -1):
        still.seek(k)
        assert {round(middle) for middle in middles(letters)} == {line}
        characters = middles(".character bdi")
        assert len(characters) == 3
        for middle in characters:
            assert middle == pytest.approx(line, abs=2) if k < 0 else middle < line - 10


def test_the_mark_of_the_next_pair_is_no_tint_and_the_legend_says_only_what_is_drawn(
    still: ReplayPage,
) -> None:
    played = write(still, TEXT)
    still.seek(next(k for k in range(len(played)) if (played[k].left < 256) != (played[k].right < 256)))
    symbol, token = still.stage.locator(".next.symbol").first, still.stage.locator(".next:not(.symbol)").first
    expect(symbol).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    filled, tint = token.evaluate(
        """block => {
            const before = getComputedStyle(block).backgroundColor;
            block.classList.remove("next");
            return [before, getComputedStyle(block).backgroundColor];
        }"""
    )
    assert filled == tint
    legend = still.page.locator(".signs")
    signs = [
        "joined next",
        "just joined",
        "joined before",
        "number in a block: its merge",
        "number beneath a token: its id",
    ]
    always, later = "· is a space.", "tints only tell neighbors apart"
    for k, drawn in (
        (0, [signs[0], always]),
        (1, [*signs[:4], always, later]),
        (len(played), [*signs[1:], always, later]),
    ):
        still.seek(k)
        expect(legend.locator("span:visible")).to_have_text(drawn)
    still.use_flow()
    expect(legend.locator("span:visible")).to_have_text([signs[1], signs[2], always, later])


def test_the_end_turns_tokens_into_numbers(still: ReplayPage) -> None:
    played = write(still, TEXT)
    ids = still.stage.locator(".now b")
    for opacity, k in (("0", len(played) - 1), ("1", len(played))):
        still.seek(k)
        expect(ids.first).to_have_css("opacity", opacity)
    shown = still.stage.locator(".tower").evaluate(
        """tower => [...tower.querySelectorAll(".now")].sort((one, other) => one.dataset.at - other.dataset.at)
            .map((block) => Number(block.querySelector("b").textContent))"""
    )
    assert shown == tokviz.load("cl100k_base").encode(TEXT)


def test_a_click_changes_no_step_marks_equal_tokens_and_opens_the_card(still: ReplayPage) -> None:
    """Of a block that is part of another token by now: it stays chosen as long as it is there."""
    text = "the theme of the thesis"
    tok = tokviz.load("cl100k_base")
    played = write(still, text)
    still.seek(len(played))
    token = next(token for token, part in tok.vocab.items() if part == b" th")
    step = played.new_ids.tolist().index(token)
    rank = tok.rank(token)
    assert rank is not None
    there = boxes(still)
    past = still.stage.locator(f'.block.past[data-id="{token}"]')
    past.nth(1).click()
    still.at(len(played))
    assert boxes(still) == there
    places = [int(block.get_attribute("data-at") or "") for block in past.all()]
    assert len(places) == 3
    assert [at for at, _ in still.drawn("on")] == places[1:2]
    assert [at for at, _ in still.drawn("same")] == [places[0], places[2]]
    assert still.stage.evaluate(RINGED) == [f"{places[1]} {token}"]
    for said in (f"id{token}", "hex20 74 68", f"learnedmerge {rank + 1:,} of {tok.num_merges:,}", "here3 times"):
        expect(still.card).to_contain_text(said)
    still.card.get_by_role("button", name="Let go of this token").click()
    expect(still.card).to_be_hidden()
    assert still.drawn("on") == []
    expect(still.stage).to_be_focused()
    still.page.keyboard.press("ArrowLeft")  # whoever clicks goes on with the player's keys
    still.at(len(played) - 1)
    past.nth(1).click()
    still.seek(step + 1)
    expect(still.card).to_contain_text(f"id{token}")
    assert [at for at, _ in still.drawn("on")] == places[1:2]
    still.seek(step)  # it is not there yet, but its parts are
    expect(still.card).not_to_contain_text(f"id{token}")


@pytest.mark.parametrize("is_past", [True, False])
def test_escape_closes_the_drawer_of_a_block_that_was_clicked(still: ReplayPage, is_past: bool) -> None:
    """Wherever the focus is then: in running text, too."""
    played = write(still, "the theme of the thesis")
    still.seek(len(played))
    still.stage.locator(".past" if is_past else ".now").first.click()
    expect(still.card).to_be_visible()
    still.page.keyboard.press("Escape")
    expect(still.card).to_be_hidden()
    assert still.drawn("on") == []
    still.at(len(played))
    still.use_flow()
    still.stage.locator(".sym").first.click()
    expect(still.card).to_be_visible()
    still.page.keyboard.press("Escape")
    expect(still.card).to_be_hidden()


def test_running_text_keeps_the_token_of_a_chosen_block(still: ReplayPage) -> None:
    played = write(still, "the theme of the thesis")
    still.seek(len(played))
    still.stage.locator(".symbol").first.click()
    expect(still.card).to_contain_text("a single byte, a token from the start")
    still.use_flow()
    (the,) = tokviz.load("cl100k_base").encode("the")
    expect(still.card).to_contain_text(f"id{the}")
    assert still.drawn("on") == [(0, the)]


def test_what_is_pointed_at_is_said_in_a_bubble_and_nothing_moves(still: ReplayPage) -> None:
    """Tokens and what they were joined from, on a tower and in running text; but not while they are played."""
    tok = tokviz.load("cl100k_base")
    played = write(still, "the theme of the thesis")
    still.seek(len(played))
    bubble = still.page.locator(".info-bubble")
    for step in (0, len(played) - 1):
        merge, left, right = played[step].rank + 1, tok.vocab[played[step].left], tok.vocab[played[step].right]
        block = still.stage.locator(f'.block[data-id="{played[step].new}"]').first
        before = still.page.evaluate_handle(PLACES)
        block.hover()
        expect(bubble).to_contain_text(str(played[step].new))
        parts = " and ".join(part.decode().replace(" ", "·") for part in (left, right))
        expect(bubble).to_contain_text(f"merge {merge:,} joins {parts}")
        assert still.page.evaluate(MOVED, before) == []
        still.page.mouse.move(0, 0)
        expect(bubble).to_be_hidden()
    still.use_flow()
    still.stage.locator(".sym").first.hover()
    expect(bubble).to_contain_text(str(tok.encode("the")[0]))
    still.watched.check()
    still.played.check()
    still.stage.locator(".sym").first.hover()
    expect(bubble).to_be_hidden()


# Of a chosen token: what stands in its row, and the controls, that the drawer lies over.
COVERED = """widget => {
    const [box, chosen] = [".drawer", ".on"].map((each) => widget.querySelector(each).getBoundingClientRect());
    const isBeside = ({ top, bottom }) => top < chosen.bottom - 1 && bottom > chosen.top + 1;
    const isUnder = ({ left, right, top, bottom }) =>
        left < box.right && right > box.left && top < box.bottom && bottom > box.top;
    const boxes = (selector) => [...widget.querySelectorAll(selector)].filter((each) => each.checkVisibility())
        .flatMap((each) => [...each.getClientRects()]);
    const row = boxes(".stage :is(.sym, .block:not(.later))").filter(isBeside);
    return [...row, ...boxes(":is(.timeline, .prose) :is(button, input, select, textarea)")].filter(isUnder).length;
}"""


@pytest.mark.parametrize("is_presented", [False, True])
def test_the_drawer_covers_neither_the_row_of_its_token_nor_a_control(still: ReplayPage, is_presented: bool) -> None:
    still.page.set_viewport_size({"width": 1280, "height": 720 if is_presented else 800})
    for drawing in ("tower", "flow"):
        still.switch("tower").set_checked(drawing == "tower")
        still.seek(int(still.track.get_attribute("max") or 0))
        if is_presented:
            still.page.get_by_role("button", name="present").click()
        for token in still.stage.locator(".now, .sym").all():
            token.click()
            expect(still.stage.locator(".on")).to_have_count(1)
            expect(still.card).to_be_visible()
            assert still.widget.evaluate(COVERED) == 0
        if is_presented:
            drawer, stage = resting_box(still.card), resting_box(still.stage)
            assert drawer["x"] >= stage["x"] + stage["width"]
            still.page.get_by_role("button", name="leave").click()
        still.card.get_by_role("button", name="Let go of this token").click()


def test_the_drawer_leads_to_the_steps_of_its_token(still: ReplayPage) -> None:
    played = write(still, "the theme of the thesis")
    still.seek(len(played))
    still.stage.locator(".now, .sym").last.click()
    still.card.get_by_role("button", name="Go to step 1,").first.click()
    still.at(0)
    expect(still.card).to_be_visible()
    still.card.get_by_role("button", name="Token before").click()
    expect(still.stage.locator(".on")).to_have_count(1)


def test_on_a_phone_the_drawer_leaves_the_chosen_token_in_sight(still: ReplayPage) -> None:
    still.page.set_viewport_size({"width": 375, "height": 740})
    played = write(still, "the theme of the thesis")
    still.seek(len(played))
    for at in (0, -1):
        token = still.stage.locator(".now, .sym").nth(at)
        token.click()
        box, drawer = resting_box(token), resting_box(still.card)
        assert box["y"] + box["height"] <= drawer["y"]
        still.card.get_by_role("button", name="Let go of this token").click()


def test_a_symbol_is_there_from_the_start(still: ReplayPage) -> None:
    played = write(still, TEXT)
    still.seek(len(played))
    still.stage.locator(".symbol").nth(7).click()
    still.at(len(played))
    expect(still.card).to_contain_text("a single byte, a token from the start")


def test_words_of_a_lesson_are_all_in_sight_with_their_counts(still: ReplayPage) -> None:
    still.page.set_viewport_size({"width": 1280, "height": 720})
    still.learn("low, lower, newest, widest")
    still.page.get_by_role("button", name="present").click()
    for k in (0, 5, 12):
        still.seek(k)
        expect(still.stage.locator(".count")).to_have_text(["×5", "×15", "×2", "×6", "×3"])
        resting_box(still.stage)
        assert still.stage.evaluate("stage => stage.scrollHeight <= stage.clientHeight")
    assert len(still.stage.locator(".symbol").all()) == 25


def test_text_without_repeated_words_stays_as_it_is(still: ReplayPage) -> None:
    still.learn()
    expect(still.stage.locator(".count")).to_have_count(0)
    assert len(still.stage.locator(".symbol").all()) == len("the cat in the hat")


def test_a_key_and_a_switch_change_to_running_text_and_back(still: ReplayPage) -> None:
    played = write(still, TEXT)
    still.seek(5)
    switch = still.switch("tower")
    expect(switch).to_be_checked()
    tower = still.drawn()
    still.stage.focus()
    still.page.keyboard.press("t")
    expect(still.stage).to_have_attribute("data-drawing", "flow")
    expect(switch).not_to_be_checked()
    assert still.drawn() == tower == list(zip([i for i, _ in tower], played.state(5).tolist(), strict=True))
    still.page.reload()
    still.at(5)
    expect(still.stage).to_have_attribute("data-drawing", "flow")
    still.switch("tower").check()
    expect(still.stage).to_have_attribute("data-drawing", "tower")


def test_longer_texts_flow_until_the_tower_is_asked_for(still: ReplayPage) -> None:
    text = (sample("prose-en").text * 5)[:600]
    played = write(still, text)
    expect(still.stage).to_have_attribute("data-drawing", "flow")
    still.switch("tower").check()
    for k in (0, len(played) // 2, len(played) - 1):
        still.seek(k)
        assert [token for _, token in still.drawn()] == played.state(k).tolist()
        stage = still.stage.bounding_box()
        next_boxes = [box for box in (each.bounding_box() for each in still.stage.locator(".next").all()) if box]
        assert stage
        assert any(
            stage["y"] <= box["y"] and box["y"] + box["height"] <= stage["y"] + stage["height"] for box in next_boxes
        )
    write(still, "word " * 300)
    expect(still.switch("tower")).to_be_disabled()
    expect(still.stage).to_have_attribute("data-drawing", "flow")


@pytest.mark.parametrize(("width", "height"), [(375, 740), (1280, 800), (1920, 1080)])
def test_all_rows_of_a_text_are_shown_and_the_player_stays_in_sight(
    page: Page, app_url: str, width: int, height: int
) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": height})
    still = ReplayPage.open(page, f"{app_url}replay")
    text = (sample("prose-en").text * 3)[:280]
    played = write(still, text)
    for k in (0, len(played) // 3, len(played) - 1):
        still.seek(k)
        still.next.click()
        still.at(k + 1)
        assert still.stage.evaluate("stage => stage.scrollHeight <= stage.clientHeight")
        expect(still.play).to_be_in_viewport(ratio=1)
        expect(still.track).to_be_in_viewport(ratio=1)
        player = resting_box(page.locator(".timeline:visible"))
        nexts = [resting_box(each) for each in still.stage.locator(".next").all()]
        top = player["y"] + player["height"]
        in_sight = [box["y"] >= top and box["y"] + box["height"] <= height for box in nexts]
        assert any(in_sight) or k == len(played) - 1
    page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, main.scrollHeight)")
    assert bottom_of(still.stage) <= bottom_of(page.locator(".signs"))  # nothing lies over its last row


# Controls beneath the player, outside of it, wherever the page is scrolled to.
UNDER_PLAYER = """widget => {
    const [main, player] = [document.querySelector("[data-testid=stMain]"), widget.querySelector(".timeline")];
    const isOutside = (each) => each.checkVisibility() && !each.closest(".timeline, .tools");
    const outside = [...widget.querySelectorAll("button, select, input, textarea, a, summary")].filter(isOutside);
    const found = new Set();
    for (main.scrollTop = 0; ; main.scrollTop += 20) {
        const { top, bottom } = player.getBoundingClientRect();
        for (const each of outside) {
            const box = each.getBoundingClientRect();
            if (box.top < bottom - 1 && box.bottom > top + 1) found.add(each.ariaLabel || each.textContent);
        }
        if (main.scrollTop + main.clientHeight >= main.scrollHeight - 1) return [...found];
    }
}"""


@pytest.mark.parametrize("size", [(375, 812), (1280, 800), (1920, 1080)])
@pytest.mark.parametrize("length", [280, 4_000])
def test_the_player_that_stays_in_sight_is_over_no_control_at_any_scroll(
    still: ReplayPage, length: int, size: tuple[int, int]
) -> None:
    still.page.set_viewport_size({"width": size[0], "height": size[1]})
    write(still, (sample("code-python").text * 20)[:length])
    still.seek(3)
    expect(still.page.locator(".timeline:visible")).to_have_css("position", "sticky")
    assert still.widget.evaluate(UNDER_PLAYER) == []


def bottom_of(part: Locator) -> float:
    box = resting_box(part)
    return box["y"] + box["height"]


@pytest.mark.parametrize("width", [375, 1280])
def test_lines_break_at_pretokens_and_nothing_scrolls_sideways(still: ReplayPage, width: int) -> None:
    still.page.set_viewport_size({"width": width, "height": 800})
    text = sample("prose-en").text[:250]
    played = write(still, text)
    if width == 375:
        still.switch("tower").check()
    still.seek(len(played) // 2)
    expect(still.stage).to_have_attribute("data-drawing", "tower")
    drawn = boxes(still)
    tops: dict[int, set[int]] = {}
    for (at, token), (_, _, top, _) in drawn.items():
        if len(tokviz.load("cl100k_base").vocab[token]) == 1:
            tops.setdefault(int(played.pretoken_index[at]), set()).add(top)
    assert all(len(rows) == 1 for rows in tops.values())
    assert len(set.union(*tops.values())) > 1
    assert still.stage.evaluate("stage => stage.scrollWidth <= stage.clientWidth")


@pytest.mark.parametrize("text", ["私は東京に住んでいます", "I love tokenizing pizza and pasta 🍕!"])
def test_on_a_phone_a_short_text_is_in_sight_as_a_whole(still: ReplayPage, text: str) -> None:
    still.page.set_viewport_size({"width": 375, "height": 812})
    write(still, text)
    expect(still.stage).to_have_attribute("data-drawing", "flow")
    assert still.stage.evaluate("stage => stage.scrollHeight <= stage.clientHeight")


def test_on_the_way_back_letters_stand_with_their_numbers(still: ReplayPage) -> None:
    still.page.set_viewport_size({"width": 390, "height": 844})
    write(still, "I'll tokenize pizza 🍕!")
    still.switch("tower").check()
    still.switch("decode").check()
    expect(still.stage).to_have_attribute("data-compact", "")
    (token,) = tokviz.load("cl100k_base").encode(" pizza")
    expect(still.stage.locator(f'.block[data-id="{token}"]')).to_have_text(re.compile(f"^{token} ·pizza"))


def test_a_token_wider_than_the_stage_flows(still: ReplayPage) -> None:
    still.page.set_viewport_size({"width": 375, "height": 800})
    write(still, " " * 60 + "x")
    expect(still.stage).to_have_attribute("data-drawing", "flow")
    expect(still.switch("tower")).to_be_disabled()


def test_the_new_block_slides_out_from_behind_its_parts(replay: ReplayPage) -> None:
    write(replay, "unbelievable")
    replay.page.evaluate("window.frames_seen = []")
    replay.stage.evaluate(
        """stage => {
            const real = Element.prototype.animate;
            Element.prototype.animate = function (frames, options) {
                if (this.matches(".block")) frames_seen.push([this.className, frames, options.duration]);
                return real.call(this, frames, options);
            };
        }"""
    )
    replay.next.click()
    replay.at(1)
    seen: list[Any] = replay.page.evaluate("frames_seen")
    assert len(seen) == 1
    classes, frames, duration = seen[0]
    assert re.search(r"\bnew\b", classes)
    assert "translateY" in frames[0]["transform"] and frames[1]["transform"] == "none"
    assert duration < 500
    replay.page.emulate_media(reduced_motion="reduce")
    replay.next.click()
    replay.at(2)
    assert len(replay.page.evaluate("frames_seen")) == 1


# Share of two pictures that differs by more than a fifth of the range of any color. They are compared at a quarter of
# their size, where letters half a pixel apart look the same.
DIFFERING = """async (pictures) => {
    const pixels = await Promise.all(pictures.map(async (picture) => {
        const image = new Image();
        image.src = `data:image/png;base64,${picture}`;
        await image.decode();
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [Math.round(image.width / 4), Math.round(image.height / 4)];
        const drawing = canvas.getContext("2d");
        drawing.imageSmoothingQuality = "high";
        drawing.drawImage(image, 0, 0, canvas.width, canvas.height);
        return drawing.getImageData(0, 0, canvas.width, canvas.height);
    }));
    const [one, other] = pixels;
    if (one.width !== other.width || one.height !== other.height) return 1;
    let differing = 0;
    for (let i = 0; i < one.data.length; i += 4)
        if ([0, 1, 2].some((c) => Math.abs(one.data[i + c] - other.data[i + c]) > 51)) differing++;
    return differing / (one.width * one.height);
}"""


def states(played: tokviz.Replay) -> list[Shown]:
    """The text, its pre-tokens, some steps, and the way back: from ids to symbols, their bytes, and the text."""
    rows = int(blocks_of(played, [range(len(played.symbols))]).depths.max())
    written: list[Writing] = [*["ids"] * (rows + 1), "hex", "text"]  # type: ignore[list-item]
    back = [
        Shown(len(played), writing, (max(0, rows - position), len(played.symbols)))
        for position, writing in enumerate(written)
    ]
    return [*(Shown(k) for k in (-2, -1, 0, len(played) // 2, len(played))), back[0], back[1], back[-2], back[-1]]


def show(replay: ReplayPage, played: tokviz.Replay, state: Shown) -> None:
    """Bring a state onto the stage."""
    decode = replay.switch("decode")
    if state.decoding is None:
        decode.uncheck()
        return replay.seek(state.step)
    decode.check()
    position = [each for each in states(played) if each.decoding].index(state)
    replay.page.get_by_role("button", name=("The numbers", "Next", "The text", "The text")[position]).click()
    if position == 2:
        replay.page.locator(".way-back").get_by_role("button", name="Back", exact=True).click()
    return None


def columns_of(replay: ReplayPage) -> int:
    """Return the columns of the stage's tower, once it is as large as it will be."""
    tower = replay.stage.locator(".tower")
    resting_box(tower)
    return int(tower.get_attribute("data-columns") or 0)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("text", [TEXT, TEXTS[1], "नमस्ते 👩‍👩‍👧‍👦"], ids=["emoji", "arabic", "hindi and zwj"])
def test_pictures_equal_the_page(still: ReplayPage, monkeypatch: pytest.MonkeyPatch, text: str, dark: bool) -> None:
    """Opened in Chromium without our code, an SVG differs from the page in 1 % of its area at most."""
    page = still.page
    page.emulate_media(color_scheme="dark" if dark else "light")
    page.set_viewport_size({"width": 1600, "height": 1000})
    played = write(still, text)
    columns = columns_of(still)
    column, row = still.stage.locator(".tower").evaluate(
        "({ style }) => ['--column', '--row'].map((name) => parseFloat(style.getPropertyValue(name)))"
    )
    monkeypatch.setattr(pictures, "COLUMN", column)  # as large as on the page
    monkeypatch.setattr(pictures, "ROW", row)
    still.unfold()
    alone = page.context.new_page()
    alone.set_viewport_size({"width": 1600, "height": 1000})
    for state in states(played):
        show(still, played, state)
        if still.stage.get_attribute("data-drawing") == "flow":
            expect(page.get_by_role("button", name="SVG", exact=True)).to_be_disabled()
            continue
        still.stage.locator(".tower").evaluate(  # onto whole pixels, where the SVG is
            """tower => {
                tower.style.translate = "";
                const { x, y } = tower.getBoundingClientRect();
                tower.style.translate = `${Math.round(x) - x}px ${Math.round(y) - y}px`;
            }"""
        )
        page.mouse.move(0, 0)
        box = resting_box(still.stage.locator(".tower"))
        clip = {
            "x": round(box["x"]),
            "y": round(box["y"]),
            "width": round(box["width"]),
            "height": round(box["height"]),
        }
        on_page = page.screenshot(clip=clip)  # type: ignore[arg-type]
        svg = tower_svg(*apply_columns(played), state, columns, dark=dark)
        alone.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{svg}")
        at = {**clip, "x": 8, "y": 8}
        opened = alone.screenshot(clip=at)  # type: ignore[arg-type]
        share = page.evaluate(DIFFERING, [base64.b64encode(each).decode() for each in (on_page, opened)])
        assert share < 0.01, f"{state}: {share:.3f}"


def saved_picture(page: Page, kind: str) -> bytes:
    """Return the file of a picture that is saved. Chromium drops all but the first ten of a second."""
    ReplayPage(page).unfold()
    with page.expect_download() as download:
        page.get_by_role("button", name=kind, exact=True).click()
    assert download.value.suggested_filename == f"replay.{kind.lower()}"
    return Path(download.value.path()).read_bytes()


def drawn_picture(page: Page) -> str:
    """Return what the server draws when a picture is saved."""
    ReplayPage(page).unfold()
    with page.expect_request(re.compile("picture=1")) as asked:
        page.get_by_role("button", name="SVG", exact=True).click()
    return page.request.fetch(asked.value).text()


@pytest.mark.parametrize("dark", [False, True])
def test_saved_pictures_are_the_packages_of_what_is_on_screen(still: ReplayPage, dark: bool) -> None:
    """In any notation, at any step and while decoding, in the same lines and colors."""
    still.page.emulate_media(color_scheme="dark" if dark else "light")
    still.page.set_viewport_size({"width": 700, "height": 1000})
    played = write(still, TEXT)
    columns = columns_of(still)
    for symbols in WRITINGS[:3]:
        still.setting("Symbols as").select_option(symbols)
        for k in (0, 7, len(played)):
            still.seek(k)
            drawn = drawn_picture(still.page)
            assert drawn == replay_to_svg(played.tokenizer, TEXT, k, columns=columns, symbols=symbols, dark=dark)
    for state in states(played)[5:]:
        show(still, played, state)
        assert drawn_picture(still.page) == tower_svg(*apply_columns(played), state, columns, dark=dark)


def test_pictures_are_saved_as_svg_and_as_png(still: ReplayPage) -> None:
    played = write(still, TEXT)
    still.seek(7)
    columns = columns_of(still)
    svg, png = saved_picture(still.page, "SVG").decode(), saved_picture(still.page, "PNG")
    assert svg == replay_to_svg(played.tokenizer, TEXT, 7, columns=columns)
    width, height = (float(each) for each in re.findall(r'(?:width|height)="([\d.]+)"', svg)[:2])
    assert png.startswith(b"\x89PNG")
    assert struct.unpack(">II", png[16:24]) == pytest.approx((2 * width, 2 * height), abs=2)


def test_blocks_are_walked_and_pressed_with_keys(still: ReplayPage) -> None:
    tok = tokviz.load("cl100k_base")
    played = write(still, "the theme")
    still.seek(len(played))
    still.stage.focus()
    still.page.keyboard.press("Tab")
    focused = still.stage.locator(".block:focus")
    expect(focused).to_have_text("t")
    expect(focused).to_have_accessible_name("t")
    for key, data_at in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1)):
        still.page.keyboard.press(key)
        expect(focused).to_have_attribute("data-at", str(data_at))
    still.page.keyboard.press("ArrowDown")
    block = int(focused.get_attribute("data-id") or 0)
    assert len(tok.vocab[block]) > 1
    still.at(len(played))  # the arrow keys are the block's
    still.page.keyboard.press("Enter")
    made = played.new_ids.tolist().index(block) + 1
    still.at(len(played))
    expect(focused).to_have_attribute("data-id", str(block))
    expect(still.card).to_contain_text(f"id{block}")
    still.page.keyboard.press("PageUp")  # and the others are the player's
    still.at(len(played) - 1)
    for _ in range(len(played) - made):
        still.page.keyboard.press("PageUp")
    still.at(made - 1)
    expect(focused).to_have_class(re.compile("symbol|now"))  # the block is gone: one of its parts has the focus
    still.page.get_by_role("button", name="present").click()
    focused.or_(still.stage.locator(".block[tabindex='0']")).focus()
    still.page.keyboard.press("ArrowRight")
    still.at(made - 1)


@pytest.mark.parametrize("width", [700, 1280])
def test_the_tower_stays_in_sight_when_choices_come_and_go(still: ReplayPage, width: int) -> None:
    """While presenting, they stand beside the stage, or above it on a narrow screen; and nothing covers them."""
    still.page.set_viewport_size({"width": width, "height": 720})
    if width > 1000:
        still.learn("low, lower, newest, widest")
    else:
        write(still, "unbelievable")
    still.ask_with_choices()
    still.page.get_by_role("button", name="present").click()
    tower = still.stage.locator(".tower")
    boxes = [resting_box(tower)]
    leave = [] if width > 1000 else [still.watched.check]  # long sentences about learning take the switch's room
    for act in (still.choices.first.click, still.next.click, *leave):
        act()
        boxes.append(resting_box(tower))
        assert still.stage.evaluate("stage => stage.scrollHeight <= stage.clientHeight")
        assert still.stage.evaluate("stage => stage.scrollWidth <= stage.clientWidth")
        for choice in still.choices.all():
            expect(choice).to_be_in_viewport(ratio=1)
            if choice.is_enabled():
                choice.click(trial=True)  # fails if something covers it
    if width > 1000:
        assert all(box == boxes[0] for box in boxes)
