"""The colored text alone: a page with only the view, the card and the legend, with real tokens."""

import itertools
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from browsing import TIMEOUT_MS
from playwright.sync_api import Browser, Locator, Page, expect
from tabs import Watched

import tokviz
from pages import RECTANGLES, bytes_beneath, css_color
from tokviz import BPETokenizer, CharacterTokenizer, Tokenizer, WordTokenizer, pretrained
from tokviz.samples import sample

VIEW = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>harness</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="_tokviz/static/shared/dom/palette.css">
<link rel="stylesheet" href="_tokviz/static/shared/text/invisibles.css">
<link rel="stylesheet" href="_tokviz/static/token_view/view.css">
<style id="own">:root { color-scheme: light dark } body { margin: 1rem; background: var(--page) }</style>
<div id="view"></div><div id="legend"></div><div id="card"></div>
<script type="module">
import { TokenView } from "./_tokviz/static/token_view/view.js";
import { createCard } from "./_tokviz/static/token_view/card.js";
import { createLegend } from "./_tokviz/static/token_view/colors.js";
import { makeTokenization, pretokenIndex } from "./_tokviz/static/shared/text/tokenization.js";

const at = (id) => document.getElementById(id);
const parts = [];
window.dispose = () => parts.splice(0).forEach((part) => part.dispose());
/** As after loading the page. */
window.begin = () => {
  dispose();
  for (const style of document.querySelectorAll("style:not(#own)")) style.remove();
  document.activeElement?.blur();
  getSelection().removeAllRanges();
  window.pointed = [];
  window.selected = [];
  const doLinesAlign = () => innerWidth > 400;
  const handlers = { onPoint: (i) => window.pointed.push(i), onSelect: (i) => window.selected.push(i), doLinesAlign };
  window.view = new TokenView(at("view"), handlers);
  window.card = createCard(at("card"), window.view, () => {});
  window.legend = createLegend(at("legend"));
  parts.push(window.view, window.card, window.legend);
};
const bytes = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
const int32 = (base64) => new Int32Array(bytes(base64).buffer);
window.show = ({ text, ids, byte_lengths, special, meta, pretokens }, options) => {
  const unpacked = { ids: int32(ids), byte_lengths: int32(byte_lengths), special: bytes(special), meta };
  window.model = makeTokenization(text, unpacked);
  const index = pretokenIndex(window.model, int32(pretokens));
  window.view.show(window.model, { pretokenIndex: index, ...options });
  window.legend.show(options.colorBy ?? "alternate", window.model, options.marks ?? true);
};
window.begin();
document.body.dataset.ready = "";
</script>"""

PIZZA = "I love pizza 🍕!"


@pytest.fixture(scope="module")
def shared_page(browser: Browser, widgets_url: str) -> Iterator[tuple[Page, Watched]]:
    """One page for all tests of this module, which reset it instead of loading it again."""
    with browser.new_context(viewport={"width": 1280, "height": 800}) as context:
        watched = Watched(context)
        page = context.new_page()
        page.set_default_timeout(TIMEOUT_MS)
        page.route("**/view", lambda route: route.fulfill(body=VIEW, content_type="text/html; charset=utf-8"))
        page.goto(f"{widgets_url}view")
        page.locator("body[data-ready]").wait_for()
        yield page, watched


@pytest.fixture
def page(shared_page: tuple[Page, Watched]) -> Iterator[Page]:
    page, watched = shared_page
    page.set_viewport_size({"width": 1280, "height": 800})
    page.emulate_media(media="screen", color_scheme="light", forced_colors="none")
    page.mouse.move(0, 0)
    page.evaluate("begin()")
    yield page
    problems, watched.problems = watched.problems, []
    assert not problems, "\n".join(problems)


Show = Callable[..., Locator]


@pytest.fixture
def show(page: Page) -> Show:
    """Function that shows a text in the view and returns the view."""

    def show(text: str, tokenizer: str | Tokenizer = "gpt2", special: bool = False, **options: Any) -> Locator:
        page.evaluate("([data, options]) => show(data, options)", [columns(text, tokenizer, special), options])
        return page.locator(".token-view")

    return show


@cache
def loaded(name: str) -> Tokenizer:
    found: Tokenizer = tokviz.load(name)
    return found


def columns(text: str, tokenizer: str | Tokenizer, special: bool = False) -> dict[str, Any]:
    made = loaded(tokenizer) if isinstance(tokenizer, str) else tokenizer
    allowed = "all" if special else ()
    tokens = made.tokenize(text, allowed)
    return {
        "text": tokens.text,
        "ids": base64(tokens.ids),
        "byte_lengths": base64(np.diff(tokens.byte_offsets)),
        "special": base64(tokens.special.astype(np.uint8)),
        "pretokens": base64(np.array([len(piece.encode()) for piece in made.pretokens(text, allowed)], np.int32)),
        "meta": {"tokenizer": "words" if isinstance(made, WordTokenizer) else made.name},
    }


def base64(column: npt.NDArray[Any]) -> str:
    return b64encode(column.tobytes()).decode()


def copied(page: Page, select: str = "") -> str:
    """Return what copying puts on the clipboard: the whole view, or what the script `select` selects."""
    text: str = page.evaluate(
        """(select) => {
            const chunks = document.querySelector(".chunks");
            if (select) new Function(select)();
            else document.getSelection().selectAllChildren(chunks);
            const clipboardData = new DataTransfer();
            chunks.dispatchEvent(new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true }));
            return clipboardData.getData("text/plain");
        }""",
        select,
    )
    return text


def tokens_shown(view: Locator) -> list[str]:
    texts: list[str] = view.locator(".t, .cut").evaluate_all("all => all.map(({ textContent }) => textContent)")
    return texts


VARIED_TEXT = "\n".join(
    [
        "Plain  text,\ttabs\t\tand  two spaces ",
        "",
        "“Curly” ‘quotes’ and don’t",
        "no\u00a0break, zero\u200bwidth, nul\0, \u202eright to left\u202c, \ufeffmark",
        PIZZA + " 🇩🇪 👨\u200d👩\u200d👧 e\u0301 क्षि مدرسة 123 בית",
        "\r\nline ends\r\n\n\n",
    ]
)


# Exact text


@pytest.mark.parametrize("tokenizer", ["gpt2", "cl100k_base", "o200k_base"])
def test_copying_gives_the_exact_text(page: Page, show: Show, tokenizer: str) -> None:
    show(VARIED_TEXT, tokenizer)
    assert copied(page) == VARIED_TEXT


def test_copying_a_part_gives_that_part(page: Page, show: Show) -> None:
    view = show("one two\n\nthree 🍕 four")
    expect(view).to_contain_text("three")
    part = """
        const spans = [...document.querySelectorAll(".t")];
        const from = spans.find((span) => span.textContent === " two");
        const to = spans.find((span) => span.textContent === " four");
        document.getSelection().setBaseAndExtent(from, 0, to, to.childNodes.length);"""
    assert copied(page, part) == " two\n\nthree 🍕 four"


def test_copying_from_further_down_gives_that_text(page: Page, show: Show) -> None:
    lines = [f"line {number}\n" for number in range(300)]
    view = show("".join(lines))
    expect(view.locator(".chunk")).not_to_have_count(1)
    last = copied(page, 'document.getSelection().selectAllChildren(document.querySelector(".chunk:last-child"))')
    assert last == "".join(lines[-last.count("\n") :])
    assert len(last) < 600


def test_no_replacement_character_is_shown_for_a_cut_character(show: Show) -> None:
    view = show(PIZZA)
    expect(view.locator(".cut")).to_have_text("🍕")
    assert "�" not in view.inner_text()


@pytest.mark.parametrize(
    "text",
    [
        '</script><img src=x onerror="document.title=1">',
        "<b>bold</b> &amp; &lt;",
        "**bold** $x^2$ :red[red] [link](http://example.com)",
        "nul \0 and lone \ud800 surrogate",
        "{{template}} ${expression} `code`",
    ],
)
def test_texts_that_try_to_break_out_are_shown_as_text(page: Page, show: Show, text: str) -> None:
    view = show(text)
    repaired = text.replace("\ud800", "�")
    assert view.locator(".chunks").evaluate("chunks => chunks.textContent") == repaired
    assert copied(page) == repaired
    expect(view.locator("img, b, a, script")).to_have_count(0)
    assert page.title() == "harness"


# Drawing


def test_each_token_is_one_element(show: Show) -> None:
    view = show("She'd say supercalifragilistic")
    assert tokens_shown(view) == ["She", "'d", " say", " super", "cal", "if", "rag", "il", "istic"]


def test_a_cut_emoji_is_one_glyph_striped_by_its_tokens(show: Show) -> None:
    view = show(PIZZA)
    cut = view.locator(".cut")
    expect(cut).to_have_count(1)
    expect(cut).to_have_attribute("data-bytes", "f0 9f 8d 95")
    stripes = cut.evaluate("({ style }) => style.getPropertyValue('--stripes')")
    assert [stripes.count(f"var(--tint-{tint})") for tint in range(4)] == [1, 1, 0, 1]


def test_the_tint_runs_unbroken_from_whole_characters_into_the_first_stripe(show: Show) -> None:
    view = show(PIZZA)  # " 🍕" is 20 f0 9f | 8d | 95
    space = view.locator(".t").filter(has_text="pizza").locator("xpath=following-sibling::*[1]")
    expect(space).to_have_text(" ")
    tint = next(name for name in (space.get_attribute("class") or "").split() if name.startswith("tint-"))
    stripes = view.locator(".cut").evaluate("({ style }) => style.getPropertyValue('--stripes')")
    assert stripes.startswith(f"linear-gradient(to right, var(--behind) 0.00% 0.00%, var(--{tint}) 0.00% 50.00%")
    for whole in (space, view.locator(".cut")):
        expect(whole).to_have_class(re.compile("contin"))  # no gap between them


def test_more_than_four_stripes_say_how_many(show: Show) -> None:
    expect(show("🇩🇪").locator(".cut")).to_have_attribute("data-bytes", "6 tokens")


@pytest.mark.parametrize(
    "character", ["e\u0301", "🇩🇪", "👨\u200d👩\u200d👧", "👋🏽", "1\ufe0f\u20e3", "क्षि", "\u1100\u1161\u11a8"]
)
def test_a_character_of_several_code_points_is_one_cut_glyph(show: Show, character: str) -> None:
    view = show(f"a {character} b", CharacterTokenizer())
    assert tokens_shown(view) == ["a", " ", character, " ", "b"]
    expect(view.locator(".cut")).to_have_text(character)


def test_flags_are_paired_from_the_start_of_their_run(show: Show) -> None:
    view = show("🇩🇪🇫🇷🇯🇵" * 400, CharacterTokenizer())
    assert set(tokens_shown(view)) == {"🇩🇪", "🇫🇷", "🇯🇵"}


def test_only_special_tokens_look_different(show: Show) -> None:
    text = "Hi<|endoftext|>"
    expect(show(text, special=True).locator(".t.special")).to_have_text("<|endoftext|>")
    expect(show(text, special=False).locator(".t.special")).to_have_count(0)


def test_unknown_words_are_marked(show: Show) -> None:
    view = show("the cat and the zebra", WordTokenizer.from_text("the cat and"))
    expect(view.locator(".t.unknown")).to_have_text("zebra")


MARKS = {
    "\t": ("tab", "→"),
    "\n": ("newline", "↵"),
    "\u200b": ("label", "ZWSP"),
    "\0": ("label", "NUL"),
    "\u200f": ("tick", "RLM"),
}


@pytest.mark.parametrize("character", MARKS, ids=[mark for _, mark in MARKS.values()])
def test_invisible_characters_are_marked(show: Show, character: str) -> None:
    kind, mark = MARKS[character]
    view = show(f"a{character}b", "o200k_base")
    expect(view.locator(f".mark.{kind}")).to_have_attribute("data-mark", mark)
    drawn = view.locator(f".mark.{kind}").evaluate("span => getComputedStyle(span, '::before').content")
    assert drawn == f'"{mark}"'


# Tokens that end in, contain several, or begin with line breaks; several blocks of lines; both directions.
LINE_ENDS = "Hello!\nEnd.\n\nif (x):\n  y\n\n\nq \nz.\n.\n\n\nשלום.\n\nעולם\n" * 12


@pytest.mark.parametrize("tokenizer", ["gpt2", "cl100k_base"])
@pytest.mark.parametrize(
    "media", [{}, {"media": "print"}, {"forced_colors": "active"}], ids=["screen", "print", "forced"]
)
def test_a_line_end_has_a_boundary_only_where_its_token_begins_with_it(
    page: Page, show: Show, tokenizer: str, media: dict[str, Any]
) -> None:
    view = show(LINE_ENDS, tokenizer)
    page.emulate_media(**media)
    view.evaluate(
        "view => (view.scrollTop = view.scrollHeight)"
    )  # the last block is drawn when it is near the viewport
    expect(view.locator(".newline")).to_have_count(LINE_ENDS.count("\n"))
    begin = set(loaded(tokenizer).tokenize(LINE_ENDS).code_point_offsets[:-1].tolist())
    begins = [at in begin for at, character in enumerate(LINE_ENDS) if character == "\n"]
    assert 0 < sum(begins) < len(begins)
    page.wait_for_function(
        """(begins) => {
            const marks = [...document.querySelectorAll(".newline")];
            const drawn = marks.map((mark) => {
                const { borderTopLeftRadius, borderTopRightRadius } = getComputedStyle(mark, "::before");
                return borderTopLeftRadius !== "0px" && borderTopRightRadius !== "0px";
            });
            return String(drawn) === String(begins);
        }""",
        arg=begins,
    )


def test_all_chips_are_printed_with_their_boundaries_also_the_one_pointed_at(page: Page, show: Show) -> None:
    view = show("The cat sat.\nThe pizza 🍕\n", "gpt2")
    view.locator(".t").first.hover()
    expect(view.locator(".t.same")).to_have_count(2)
    page.emulate_media(media="print")
    drawn = view.evaluate(
        """view => [
            ...[...view.querySelectorAll(".t, .cut")].map((chip) => getComputedStyle(chip)),
            ...[...view.querySelectorAll(".t > .newline")].map((end) => getComputedStyle(end, "::before")),
        ].map(({ outlineStyle, outlineColor }) => `${outlineStyle} ${outlineColor}`)"""
    )
    assert len(drawn) > 8
    assert set(drawn) == {"solid rgb(139, 149, 160)"}


@pytest.mark.parametrize("name", ["text", "both"])
def test_line_end_mark_is_beyond_its_line_in_either_direction(show: Show, name: str) -> None:
    text = "one.\nשלום\ntwo שלום.\nشكرا\n"
    view = show(text, "gpt2", view=name)
    if name == "both":
        ids_of(view, len(loaded("gpt2").encode(text)))
    boxes = view.locator(".newline").evaluate_all("marks => marks.map((mark) => mark.getClientRects().length)")
    assert boxes == [1, 1, 1, 1]  # not in the next line, too: the mark's place counts from the last
    ends = view.locator(".newline").evaluate_all(
        "marks => marks.map((mark) => getComputedStyle(mark, '::before').left === '0px' ? 'ltr' : 'rtl')"
    )
    assert ends == ["ltr", "rtl", "ltr", "rtl"]


def test_spaces_and_curly_quotes_are_marked(show: Show) -> None:
    view = show("a b\u00a0c “d”", "o200k_base")
    for kind in ("space", "other-space"):
        painted = view.locator(f".mark.{kind}").first.evaluate("span => getComputedStyle(span).backgroundImage")
        assert "radial-gradient" in painted
    expect(view.locator(".mark.quote")).to_have_count(2)


def test_each_space_of_a_run_has_its_dot_on_paper(page: Page, show: Show) -> None:
    view = show("a    b c", "cl100k_base")
    page.emulate_media(media="print")
    drawn = view.locator(".mark.space").evaluate_all(
        "spans => spans.map((span) => [span.textContent, getComputedStyle(span, '::before').content])"
    )
    assert "".join(spaces for spaces, _ in drawn) == " " * 5
    assert max(len(spaces) for spaces, _ in drawn) > 1
    assert [content for _, content in drawn] == [f'"{"·" * len(spaces)}"' for spaces, _ in drawn]


def test_marks_can_be_turned_off(page: Page, show: Show) -> None:
    view = show("a b\tc\n", marks=False)
    assert view.locator(".tab").evaluate("span => getComputedStyle(span, '::before').content") == "none"
    assert view.locator(".space").evaluate("span => getComputedStyle(span).backgroundImage") == "none"
    assert view.locator(".newline").evaluate("span => getComputedStyle(span, '::before').content") == '" "'
    assert copied(page) == "a b\tc\n"


# Numbers


EIGHT_SCRIPTS = """The cat sat on the mat! If x == 1, f(a)[0].
नमस्ते दुनिया, क्षत्रिय
مرحبا بالعالم 123
בית שלום
你好世界，東京是首都
Привет, мир
안녕하세요 세계
A pizza 🍕 and a family 👨\u200d👩\u200d👧\u200d👦"""

IDS = """(view) => [...view.querySelectorAll(".ids-layer")].flatMap((layer) => {
    const edges = ({ left, right, top, bottom }) => ({ left, right, top, bottom });
    const text = layer.querySelector(".drawn-ids").shadowRoot.querySelector("text");
    const { x, y } = text.closest("svg").getBoundingClientRect();
    const ids = [...text.textContent.matchAll(/[0-9]+/g)].map(({ 0: id, index }) => {
        const [first, last] = [text.getExtentOfChar(index), text.getExtentOfChar(index + id.length - 1)];
        const box = new DOMRect(first.x + x, first.y + y, last.x + last.width - first.x, first.height);
        return { ...edges(box), label: id, count: 1 };
    });
    const brackets = [...layer.querySelectorAll(".bracket")].map((bracket) => {
        const { label } = bracket.dataset;
        return { ...edges(bracket.getBoundingClientRect()), label, count: parseInt(bracket.title) };
    });
    return [...ids, ...brackets];
})"""
"""Ids and brackets beneath the lines: their edges on screen, what they say, and of how many tokens they are."""


def ids_of(view: Locator, count: int) -> list[dict[str, Any]]:
    """Ids and brackets beneath the lines, once those of all tokens are there."""
    all_there = f"([view, count]) => ({IDS})(view).reduce((sum, {{ count }}) => sum + count, 0) === count"
    view.page.wait_for_function(all_there, arg=[view.element_handle(), count])
    found: list[dict[str, Any]] = view.evaluate(IDS)
    return found


def test_numbers_stand_beneath_the_pieces_and_are_no_part_of_the_text(page: Page, show: Show) -> None:
    text = "The cat sat.\n\nOn 12 mats"
    view = show(text, "cl100k_base", view="both")
    ids = loaded("cl100k_base").encode(text)
    assert [each["label"] for each in ids_of(view, len(ids))] == list(map(str, ids))
    assert copied(page) == text
    assert view.evaluate("view => view.innerText").split() == text.split()
    find = "(wanted) => find(wanted, false, false, true)"
    assert not page.evaluate(find, "791")
    assert page.evaluate(find, "cat")


@pytest.mark.parametrize("tokenizer", ["gpt2", "cl100k_base"])
@pytest.mark.parametrize("width", [375, 1280])
def test_numbers_move_no_letter_in_eight_scripts(page: Page, show: Show, tokenizer: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    tops = """rows => rows
        .map((row) => [...row.querySelectorAll(".t, .cut")].flatMap((one) => [...one.getClientRects()]))
        .map((boxes) => new Set(boxes.map(({ top }) => top)).size)"""
    places = {}
    for name in ("text", "both"):
        view = show(EIGHT_SCRIPTS, tokenizer, view=name)
        if name == "both":
            ids_of(view, len(loaded(tokenizer).encode(EIGHT_SCRIPTS)))
        chunks = view.locator(".chunk")
        letters = [chunk.evaluate(RECTANGLES) for chunk in chunks.all()]
        places[name] = letters, chunks.evaluate_all(tops)
    assert places["both"] == places["text"]


@pytest.mark.parametrize("tokenizer", ["gpt2", "cl100k_base"])
@pytest.mark.parametrize("width", [375, 1280])
def test_each_id_is_centered_beneath_its_chip_or_tied_to_it(page: Page, show: Show, tokenizer: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    view = show(EIGHT_SCRIPTS, tokenizer, view="both")
    ids = loaded(tokenizer).encode(EIGHT_SCRIPTS)
    shown = ids_of(view, len(ids))
    assert not Counter(each["label"] for each in shown if each["count"] == 1) - Counter(map(str, ids))
    inside = view.bounding_box()
    assert inside is not None
    for k, one in enumerate(shown):
        assert one["left"] >= inside["x"] and one["right"] <= inside["x"] + inside["width"]
        for other in shown[:k]:
            overlap = min(one["right"], other["right"]) - max(one["left"], other["left"])
            is_beside = one["bottom"] <= other["top"] + 0.5 or other["bottom"] <= one["top"] + 0.5
            assert overlap <= 0.5 or is_beside, (one, other)
    tied = view.evaluate(UNTIED)
    assert tied == []


UNTIED = """(view) => [...view.querySelectorAll(".chunk:has(.ids-layer)")].flatMap((chunk) => {
    const layer = chunk.querySelector(".ids-layer");
    const block = layer.getBoundingClientRect();
    const path = layer.querySelector(".drawn-ids").shadowRoot.querySelector("path").getAttribute("d") ?? "";
    const leaders = path.split("M").slice(1)
        .map((part) => part.match(/-?[0-9.]+/g).map(Number));
    const chips = [...chunk.querySelectorAll(".t")].flatMap((chip) => {
        const boxes = [...chip.getClientRects()].map(({ left, right }) => ({ left, right }));
        const mark = chip.querySelector(".newline");
        if (!mark) return boxes;
        const { left, width } = getComputedStyle(mark, "::before");
        const end = mark.getClientRects()[0].left;
        const wide = parseFloat(width);
        const at = left === "0px" ? end : end - wide;
        // The whole chip: its letters and the mark beyond them.
        const marked = { left: at, right: at + wide };
        const whole = ({ left, right }) => ({ left: Math.min(left, at), right: Math.max(right, at + wide) });
        return [marked, ...boxes.map(whole), ...boxes];
    });
    for (const cut of chunk.querySelectorAll(".cut")) {
        const { left, width } = cut.getBoundingClientRect();
        const painted = cut.style.getPropertyValue("--stripes").matchAll(/([0-9.]+)%/g);
        const stops = [...painted].map(([, stop]) => stop / 100);
        const edges = [...new Set(stops)].map((stop) => left + width * (cut.matches(".rtl") ? 1 - stop : stop));
        edges.slice(1).forEach((edge, k) => chips.push({ left: edges[k], right: edge }));
    }
    return (IDS)(chunk).filter(({ left, right, count }) => {
        if (count > 1) return false;
        const center = (left + right) / 2;
        const isCentered = chips.some((chip) => Math.abs((chip.left + chip.right) / 2 - center) <= 3);
        return !isCentered && !leaders.some((leader) => Math.abs(leader.at(-2) + block.left - center) <= 1);
    }).map(({ label }) => label);
})""".replace("IDS", IDS)
"""Ids that are neither centered beneath a chip nor at the end of a leader."""


def test_the_last_row_of_ids_is_in_sight(show: Show) -> None:
    text = "你好世界，東京是首都"
    view = show(text, "gpt2", view="both")
    shown = ids_of(view, len(loaded("gpt2").encode(text)))
    lowest = max(each["bottom"] for each in shown)
    box = view.bounding_box()
    assert box is not None and lowest <= box["y"] + box["height"]
    assert view.evaluate("view => view.scrollHeight <= view.clientHeight")


def test_a_bracket_opens_where_it_is_pointed_at_tapped_and_walked_to(page: Page, show: Show) -> None:
    text = "family 👨\u200d👩\u200d👧\u200d👦 of 4"
    view = show(text, "cl100k_base", view="both")
    ids = loaded("cl100k_base").encode(text)
    ids_of(view, len(ids))
    bracket, card = view.locator(".bracket"), view.locator(".bracket-card")
    expect(bracket).to_have_count(1)
    within = ids[1 : 1 + int((bracket.get_attribute("title") or "").split()[0])]
    expect(card).to_be_hidden()
    bracket.hover()
    expect(card.locator("small")).to_have_text(list(map(str, within)))
    page.mouse.move(0, 0)
    expect(card).to_be_hidden()
    bracket.dispatch_event("click")
    expect(card).to_be_visible()
    view.focus()
    page.keyboard.press("Home")
    expect(card).to_be_hidden()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(card).to_be_visible()


def test_lines_that_come_into_sight_without_a_scroll_have_their_ids(page: Page, show: Show) -> None:
    text = "The cat sat on the mat.\n" * 400
    page.add_style_tag(content=".token-view { max-height: 100px }")
    view = show(text, "cl100k_base", view="both")
    ids = loaded("cl100k_base").encode(text)
    view.locator(".drawn-ids").first.wait_for(state="attached")
    drawn = f"view => ({IDS})(view).length"
    few = view.evaluate(drawn)
    assert 0 < few < 700
    page.add_style_tag(content=".token-view { max-height: 2000px !important }")
    page.wait_for_function(f"([view, few]) => ({drawn})(view) > few", arg=[view.element_handle(), few])
    assert view.evaluate(drawn) < len(ids)


def test_all_lines_have_their_ids_on_paper(page: Page, show: Show) -> None:
    text = "The cat sat on 1234567 mats, and shrugged unbelievably.\n" * 60
    page.set_viewport_size({"width": 1280, "height": 400})
    view = show(text, "cl100k_base", view="both")
    count = len(loaded("cl100k_base").encode(text))
    view.locator(".drawn-ids").first.wait_for(state="attached")
    assert len(view.evaluate(IDS)) < count
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 718, "height": 1000})  # a sheet of A4 within its margins
    assert sum(each["count"] for each in view.evaluate(IDS)) == count
    assert view.evaluate(UNTIED) == []
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert not view.evaluate("view => view.matches('.printing')")


def test_lines_keep_their_height_while_a_text_is_edited_and_lose_it_with_another(page: Page, show: Show) -> None:
    dense, rows = "There were 1234567 crumbs.", "view => view.dataset.idRows"
    view = show(dense, "cl100k_base", view="both")
    page.wait_for_function(f"view => ({rows})(view) === '2'", arg=view.element_handle())
    for edited in ("A" + dense, dense, dense[:-9], dense[:8]):
        show(edited, "cl100k_base", view="both")
        ids_of(view, len(loaded("cl100k_base").encode(edited)))
        assert view.evaluate(rows) == "2"
    show("Another text", "cl100k_base", view="both")
    assert view.evaluate(rows) == "1"


LINES = """(view) => {
    const boxes = [...view.querySelectorAll(".t, .cut")].flatMap((chip) => [...chip.getClientRects()]);
    const middles = boxes.map(({ top, bottom }) => (top + bottom) / 2).sort((one, other) => one - other);
    return middles.filter((middle, k) => k === 0 || middle - middles[k - 1] > 15);
}"""

OVERLAPS = f"""(view) => {{
    const boxes = [...view.querySelectorAll(".t, .cut")].flatMap((chip) => [...chip.getClientRects()]);
    const isBeside = (one, other) => one.left >= other.right || one.right <= other.left;
    const isOver = (one, other) => !isBeside(one, other) && one.top < other.bottom - 1 && one.bottom > other.top + 1;
    return ({IDS})(view).filter((id) => boxes.some((box) => isOver(id, box)));
}}"""


def test_without_an_editor_beside_it_a_line_is_as_high_as_its_own_ids(page: Page, show: Show) -> None:
    dense = "नमस्ते दुनिया, यह एक लंबा वाक्य है जो कई पंक्तियों में जाता है।"
    text = f"The quick fox\nIt jumps\n{dense}\nIt rests.\n\n{dense}\n    indented\nمدرستنا قريبة من النهر.\nThe end."
    page.set_viewport_size({"width": 375, "height": 1400})
    plain = show(text, "gpt2", view="text").evaluate(RECTANGLES)
    view = show(text, "gpt2", view="both")
    ids_of(view, len(loaded("gpt2").encode(text)))
    assert view.evaluate(RECTANGLES) == plain
    assert view.evaluate(OVERLAPS) == []
    lines = view.evaluate(LINES)
    distances = np.diff(lines).tolist()
    assert distances[0] <= 50 < max(distances)
    show(text + " More", "gpt2", view="both")
    ids_of(view, len(loaded("gpt2").encode(text + " More")))
    assert view.evaluate(LINES) == lines


def test_a_bracket_keeps_its_tokens_when_others_are_typed_before_it(show: Show) -> None:
    text = "family 👨\u200d👩\u200d👧\u200d👦 of 4"
    before = "One line more. " * 30 + "\n" + "".join(f"{k} lines of text\n" for k in range(40))
    ids = [*map(str, loaded("cl100k_base").encode(text))]
    for typed in ("", "and more "):
        view = show(typed + before + text, "cl100k_base", view="both")
        view.evaluate("view => view.scrollTo(0, view.scrollHeight)")
        view.locator(".bracket").hover()
        shown = view.locator(".bracket-card small").all_inner_texts()
        assert shown == ids[1 : 1 + len(shown)] and len(shown) > 10


def test_ids_change_where_another_tokenizer_cuts_alike(show: Show) -> None:
    for name in ("cl100k_base", "o200k_base"):
        ids = [str(token) for token in loaded(name).encode("The cat")]
        view = show("The cat", name, view="both")
        are_shown = f"([view, ids]) => ({IDS})(view).map(({{ label }}) => label).join() === ids.join()"
        view.page.wait_for_function(are_shown, arg=[view.element_handle(), ids])


INK = """(tokens) => tokens.flatMap((token) => {
    const style = getComputedStyle(token);
    const pen = new OffscreenCanvas(1, 1).getContext("2d");
    pen.font = style.font;
    const px = (length) => parseFloat(length);
    const gap = Math.max(...style.boxShadow.match(/[0-9.]+px/g).map(px));
    const { fontBoundingBoxAscent: above, fontBoundingBoxDescent: below } = pen.measureText("x");
    return [...token.textContent.trim()].map((letter) => {
        const ink = pen.measureText(letter);
        const sides = [-ink.actualBoundingBoxLeft, ink.width - ink.actualBoundingBoxRight];
        const edges = [above - ink.actualBoundingBoxAscent, below - ink.actualBoundingBoxDescent];
        return { letter, size: px(style.fontSize), side: Math.min(...sides) - gap,
            corner: Math.min(...edges) + px(style.paddingTop) - px(style.borderRadius) };
    });
})"""
"""By how many pixels the ink of each letter stays within the painted gap of its chip, and within its round corners."""


@pytest.mark.parametrize("size", [17, 48, 120])
def test_no_letter_looks_cut_by_the_gap_or_the_corners_of_its_chip(page: Page, show: Show, size: int) -> None:
    page.add_style_tag(content=f".token-view {{ --token-size: {size}px !important }}")
    found = show("There were crumbs, They said “why”", "cl100k_base").locator(".t").evaluate_all(INK)
    assert {each["size"] for each in found} == {size}
    assert [each for each in found if each["side"] < -max(1.3, 0.02 * size) or each["corner"] < 0] == []


PARTS = """all => all
    .flatMap((one, token) => [...one.getClientRects()].map(({ left, right }) => ({ token, left, right })))
    .filter(({ left, right }) => right - left > 0.5).sort((a, b) => a.left - b.left)"""
"""The parts into which directions part the tokens of a line, from left to right."""


@pytest.mark.parametrize(
    "text", ["مرحبا", "Hebrew שלום עולם here", "Say مرحبا to all", "قل hello للجميع", "שלום 12 a שנים b"]
)
def test_numbers_leave_each_part_of_a_token_at_its_letters(show: Show, text: str) -> None:
    in_text = show(text, view="text").locator(".t, .cut").evaluate_all(PARTS)
    view = show(text, view="both")
    ids_of(view, len(loaded("gpt2").encode(text)))
    assert view.locator(".t, .cut").evaluate_all(PARTS) == in_text


def test_numbers_take_the_place_of_the_text(page: Page, show: Show) -> None:
    text = "The cat 🍕\n\nsat"
    view = show(text, "cl100k_base", view="numbers")
    assert tokens_shown(view) == list(map(str, loaded("cl100k_base").encode(text)))
    lines = view.locator(".chunk").evaluate("chunk => chunk.textContent").strip().splitlines()
    assert " ".join(lines).split() == tokens_shown(view)
    assert len(lines) == 2


def test_a_view_is_left_without_a_trace(page: Page, show: Show) -> None:
    text = "The cat 🍕 मस्ते\nsat"
    before = show(text, "cl100k_base").locator(".chunks").inner_html()
    ids_of(show(text, "cl100k_base", view="both"), len(loaded("cl100k_base").encode(text)))
    show(text, "cl100k_base", view="numbers")
    assert show(text, "cl100k_base").locator(".chunks").inner_html() == before


# Order and shape on screen are those of the plain text


@pytest.mark.parametrize(
    "text",
    [
        "يستخدم النموذج GPT-2 نحو 50257 رمزًا في 2026.",
        "English first, then عربي 123 and more.",
        "המודל GPT-2 משתמש ב-50257 אסימונים",
        "if (x == y) { return عربي; }",
        "هل هذا (صحيح)؟ نعم، 100%!",
        "नमस्ते दुनिया, क्षत्रिय",
        "office fine VA fi ffl",
    ],
)
def test_characters_have_their_positions_in_plain_text(page: Page, show: Show, text: str) -> None:
    view = show(text, "o200k_base")
    chunk = view.locator(".chunk")
    colored = chunk.evaluate(RECTANGLES)
    assert len(tokens_shown(view)) > 1
    chunk.evaluate("chunk => { chunk.textContent = chunk.textContent }")
    plain = chunk.evaluate(RECTANGLES)
    assert [character for character, _ in colored] == [character for character, _ in plain]
    assert [left for _, left in colored] == pytest.approx([left for _, left in plain], abs=1.5)


def test_each_line_finds_its_own_direction(show: Show) -> None:
    view = show("Hello, world\nשלום עולם\nاهلا\nBye", "o200k_base")
    lefts = dict(zip(tokens_shown(view), boxes(view.locator(".t, .cut")), strict=True))
    middle = 600
    assert lefts["Hello"]["x"] < middle
    assert next(box for text, box in lefts.items() if "ש" in text)["x"] > middle
    assert next(box for text, box in lefts.items() if "ا" in text)["x"] > middle
    assert lefts["Bye"]["x"] < middle


def boxes(tokens: Locator) -> list[dict[str, float]]:
    found: list[dict[str, float]] = tokens.evaluate_all("all => all.map((one) => one.getBoundingClientRect().toJSON())")
    return found


def test_a_cut_hebrew_letter_keeps_its_place(show: Show) -> None:
    view = show("say שלום now", "gpt2")
    letters = {text: box["x"] for text, box in zip(tokens_shown(view), boxes(view.locator(".t, .cut")), strict=True)}
    in_order = [x for text, x in letters.items() if text.strip() in "שלום" and text.strip()]
    assert len(in_order) > 1
    assert in_order == sorted(in_order, reverse=True)


def test_text_columns_stay_aligned(show: Show) -> None:
    view = show("a\tb\nab\tb\n  indent\n12indent", "gpt2")
    tabs = [box["right"] for box in boxes(view.locator(".tab"))]
    assert tabs[0] == pytest.approx(tabs[1])
    last = [text.strip() for text in tokens_shown(view)][-1]
    ends = [box["right"] for box in boxes(view.locator(".t", has_text=last))]
    assert len(ends) == 2
    assert ends[0] == pytest.approx(ends[1])


# Colors


def tints_shown(view: Locator) -> list[str]:
    classes: list[str] = view.locator(".t").evaluate_all("all => all.map(({ className }) => className)")
    return [name for each in classes for name in each.split() if name.split("-")[0] in ("tint", "hue", "ramp")]


def test_neighbors_never_share_a_tint_after_edits(page: Page, show: Show) -> None:
    words = sample("prose-en").text.split()[:60]
    view = show(" ".join(words))
    for k in range(1, 40, 3):
        words.insert(k, "supercalifragilistic"[: k % 7 + 1])
        del words[(k * 7) % len(words)]
        view = show(" ".join(words))
        shown = tints_shown(view)
        assert all(one != other for one, other in zip(shown, shown[1:], strict=False))


def test_typing_keeps_the_colors_of_later_tokens(page: Page, show: Show) -> None:
    show("one two three four five six")
    page.evaluate("window.kept = [...document.querySelectorAll('.t')].slice(-3)")
    show("one two and three four five six")
    assert page.evaluate("kept.every((token) => token.isConnected)")
    assert page.evaluate("[...document.querySelectorAll('.t')].slice(-3).every((token, k) => token === kept[k])")


def test_colors_can_have_a_meaning(page: Page, show: Show) -> None:
    text = "the cat, the dog: supercalifragilistic"
    by_id = dict(zip(tokens_shown(show(text, colorBy="id")), tints_shown(show(text, colorBy="id")), strict=True))
    assert all(tint.startswith("hue-") for tint in by_id.values())
    assert set(tints_shown(show(text, colorBy="bytes"))) <= {"ramp-0", "ramp-1", "ramp-2", "ramp-3"}
    expect(page.locator(".legend li").first).to_have_text("1 byte")
    view = show(text, colorBy="pretoken")
    word = dict(zip(tokens_shown(view), tints_shown(view), strict=True))
    assert word["rag"] == word["istic"] == word[" super"] != word[":"]


def test_color_by_rank(page: Page, show: Show) -> None:
    text = " the supercal"
    ranks = [token - 256 for token in loaded("gpt2").encode(text)]
    view = show(text, colorBy="rank", ranks=ranks)
    assert tints_shown(view)[0] == "ramp-1"
    expect(page.locator(".legend")).to_contain_text("merge 1 to 1,000")


# Pointing, keyboard navigation, selecting


ROWS = """() => [...document.querySelectorAll(".t, .cut")].map((token) => {
    const boxes = [...token.getClientRects()].filter(({ width }) => width);
    return { text: token.textContent, rows: new Set(boxes.map(({ top }) => Math.round(top))).size,
             right: Math.max(0, ...boxes.map(({ right }) => right)), top: boxes[0]?.top };
})"""


TOPS = """() => [...document.querySelectorAll(".t, .cut")].flatMap(
    (token) => [...token.getClientRects()].filter(({ width }) => width).map(({ top }) => ({ top })))"""


@pytest.mark.parametrize("width", [320, 500, 733])
@pytest.mark.parametrize("tokenizer", [CharacterTokenizer(), "gpt2", "cl100k"], ids=["characters", "gpt2", "cl100k"])
def test_lines_of_whole_tokens_break_between_words_where_they_can(
    page: Page, show: Show, tokenizer: str | Tokenizer, width: int
) -> None:
    """No token is broken; a word only if a line can't hold it; and single letters stand in the lines of whole words."""
    page.set_viewport_size({"width": width, "height": 800})
    words = "the wind brings the cloud, and internationalization becomes a cloud over mountains"
    show(words, tokenizer, isWhole=True)
    tokens = page.evaluate(ROWS)
    assert {token["rows"] for token in tokens} == {1}
    tops = [token["top"] for token in tokens for _ in token["text"]]
    spaces = [at for at, letter in enumerate(words) if letter == " "]
    for start, end in zip([0, *spaces], [*spaces, len(words)], strict=True):
        assert len(set(tops[start:end])) == 1, words[start:end]
    assert (
        max(token["right"] for token in tokens) <= page.locator(".token-view").evaluate("view => view.clientWidth") + 16
    )


@pytest.mark.parametrize(
    "text", ["x" * 300, "東京都に行く人が多いです。" * 9, "مرحبا بالعالم " * 9, " " * 200 + "end", "=" * 90]
)
def test_a_token_that_a_line_cannot_hold_is_broken_all_the_same(page: Page, show: Show, text: str) -> None:
    page.set_viewport_size({"width": 320, "height": 800})
    show(text, "cl100k", isWhole=True)
    view = page.locator(".token-view")
    assert view.evaluate("view => view.scrollWidth <= view.clientWidth")
    show(f"before\n{text}\n{text}", "cl100k", isWhole=True)
    tops = sorted({round(token["top"]) for token in page.evaluate(TOPS)})
    assert {lower - upper for upper, lower in itertools.pairwise(tops)} <= {34, 35}  # no line is empty
    show(text, "cl100k", isWhole=True)
    for token in page.evaluate(ROWS):
        assert token["rows"] == 1 or len(token["text"]) > 16, token


def test_pointing_highlights_the_token_everywhere(page: Page, show: Show) -> None:
    view = show("the cat and the dog and the bird")
    view.locator(".t", has_text="and").first.hover()
    expect(view.locator(".t.same")).to_have_text([" and", " and"])
    page.mouse.move(5, 700)
    expect(view.locator(".same")).to_have_count(0)
    assert page.evaluate("pointed.at(-1)") is None


def test_pointing_at_a_stripe_finds_its_token(page: Page, show: Show) -> None:
    view = show(PIZZA)
    tokens = loaded("gpt2").encode(PIZZA)
    cut = view.locator(".cut")
    box = cut.bounding_box()
    assert box
    for share, token in ((0.1, 3), (0.6, 4), (0.9, 5)):
        # `hover` waits until the stripes are laid out, in the frame after the text changed.
        cut.hover(position={"x": share * box["width"], "y": box["height"] / 2})
        assert page.evaluate("pointed.at(-1)") == token
    assert len(tokens) == 7


@pytest.mark.parametrize("width", [375, 1280])
def test_the_bytes_of_a_cut_character_stand_whole_beneath_it_also_at_either_edge(
    page: Page, show: Show, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    view = show("🍕" * 300)
    edges = view.locator(".chunk").first.evaluate(
        "chunk => [chunk.getBoundingClientRect().left, chunk.getBoundingClientRect().right]"
    )
    characters = boxes(view.locator(".cut"))
    in_row = sum(box["y"] == characters[0]["y"] for box in characters)
    half_widths = []
    for at in (0, in_row // 2, in_row - 1):
        left, right = bytes_beneath(view.locator(".cut").nth(at))
        assert edges[0] - 0.1 <= left < right <= edges[1] + 0.1
        half_widths.append((right - left) / 2)
        if at == in_row // 2:
            assert (left + right) / 2 == pytest.approx(characters[at]["x"] + characters[at]["width"] / 2, abs=0.5)
    assert max(half_widths) - min(half_widths) < 0.1


def test_clicking_selects_and_clicking_again_releases(page: Page, show: Show) -> None:
    view = show("the cat and the dog")
    view.locator(".t", has_text="cat").click()
    expect(view.locator(".t.on")).to_have_text(" cat")
    assert page.evaluate("selected") == [1]
    view.locator(".t", has_text="cat").click()
    expect(view.locator(".on")).to_have_count(0)
    assert page.evaluate("selected") == [1, None]


def spoken(view: Locator) -> str:
    active = view.get_attribute("aria-activedescendant")
    return view.locator(f"#{active}").inner_text()


def test_arrow_keys_move_through_tokens_and_announce_each(page: Page, show: Show) -> None:
    view = show(f"She'd say\n   x {PIZZA}", "cl100k_base")
    page.keyboard.press("Tab")
    expect(view).to_be_focused()
    said = [spoken(view)]
    for _ in range(8):
        page.keyboard.press("ArrowRight")
        said.append(spoken(view))
    assert said[:6] == ["She", "'d", "space say", "new line", "2 spaces", "space x"]
    page.keyboard.press("End")
    assert spoken(view) == "exclamation mark"
    page.keyboard.press("ArrowLeft")
    assert spoken(view) == "byte 95, the last of four of 🍕"
    page.keyboard.press("ArrowLeft")
    assert spoken(view) == "byte 8d, the third of four of 🍕"
    page.keyboard.press("ArrowLeft")
    assert spoken(view) == "space, bytes f0 9f, the first two of four of 🍕"
    page.keyboard.press("Home")
    assert spoken(view) == "She"


def test_up_and_down_go_to_the_row_above_and_below(page: Page, show: Show) -> None:
    view = show("one two three\nfour five six\nseven eight nine")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert spoken(view) == "space five"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    assert spoken(view) == "space five"


def test_enter_selects_and_escape_releases(page: Page, show: Show) -> None:
    view = show("one two three")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(view.locator(".t.on")).to_have_text(" two")
    active = view.locator(f"#{view.get_attribute('aria-activedescendant')}")
    expect(active).to_have_attribute("aria-selected", "true")
    expect(active).to_have_attribute("aria-posinset", "2")
    expect(active).to_have_attribute("aria-setsize", "3")
    page.keyboard.press("Escape")
    assert page.evaluate("selected") == [1, None]


def test_keys_do_not_leak_to_the_page(page: Page, show: Show) -> None:
    show("one two")
    page.evaluate("window.leaked = []; document.addEventListener('keydown', ({ key }) => leaked.push(key))")
    page.locator(".token-view").focus()
    page.keyboard.press("r")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("leaked") == []


def test_the_selected_token_survives_an_edit_before_it(page: Page, show: Show) -> None:
    view = show("one two three")
    view.locator(".t", has_text="three").click()
    view = show("zero and one two three")
    expect(view.locator(".t.on")).to_have_text(" three")


# Long texts


def megabyte(text: str) -> str:
    return text * (1_000_000 // len(text.encode()))


def test_a_megabyte_shows_at_once_scrolls_and_copies(page: Page, show: Show) -> None:
    text = megabyte(sample("prose-en").text + "\n" + sample("code-python").text + "\n")
    view = show(text, "cl100k_base")
    expect(view.locator(".t").first).to_be_visible()
    assert spans(view) < 8_000
    view.evaluate("view => { view.scrollTop = view.scrollHeight / 2 }")
    expect_tokens_in_sight(view)
    page.evaluate("view.scrollTo(model.n - 1)")
    expect_tokens_in_sight(view)
    assert spans(view) < 8_000
    assert copied(page) == text


def test_a_line_of_a_megabyte_works_as_well(page: Page, show: Show) -> None:
    text = megabyte("lorem ipsum dolor ")
    view = show(text, "cl100k_base")
    expect(view.locator(".t").first).to_be_visible()
    view.evaluate("view => { view.scrollTop = view.scrollHeight }")
    expect_tokens_in_sight(view)
    assert spans(view) < 12_000
    assert copied(page) == text


@pytest.mark.parametrize(
    "text",
    ["a" + "\u0301" * 100_000, "🇩🇪" * 100_000, "\n" * 100_000, " " * 100_000],
    ids=["marks", "flags", "lines", "spaces"],
)
def test_long_runs_are_shown_quickly(page: Page, show: Show, text: str) -> None:
    view = show(text, "o200k_base")
    first = view.locator(".t, .cut").first
    expect(first).to_be_attached()
    view.evaluate("view => { view.scrollTop = view.scrollHeight / 2 }")
    expect_tokens_in_sight(view)
    assert view.locator(".chunks").evaluate("chunks => chunks.textContent") == text


def spans(view: Locator) -> int:
    count: int = view.evaluate("view => view.querySelectorAll('.chunks span').length")
    return count


def expect_tokens_in_sight(view: Locator) -> None:
    """Expect every visible chunk to be drawn as tokens."""
    view.page.wait_for_function(
        """() => {
            const { top, bottom } = document.querySelector(".token-view").getBoundingClientRect();
            const onScreen = [...document.querySelectorAll(".chunk")].filter((chunk) => {
                const box = chunk.getBoundingClientRect();
                return box.bottom > top && box.top < bottom;
            });
            return onScreen.length > 0 && onScreen.every((chunk) => chunk.querySelector(".t, .cut"));
        }"""
    )


def test_a_text_that_grows_and_shrinks_in_its_middle_stands_in_sections_of_like_size(show: Show) -> None:
    lines = [f"This is line {k} of a text of many lines that are told apart\n" for k in range(3000)]
    texts = ["".join(lines), "".join(lines[:1500] + lines + lines[1500:]), "".join(lines[:20] + lines[-20:]), ""]
    for text in [*texts, *reversed(texts)]:
        view = show(text)
        assert view.locator(".chunks").evaluate("chunks => chunks.textContent") == text
        sizes = view.locator(".section").evaluate_all("all => all.map((each) => each.children.length)")
        assert all(1 <= size <= 64 for size in sizes), sizes
        assert view.locator(".chunk").count() == sum(sizes)
        if text:
            expect_tokens_in_sight(view)


def test_scroll_place_is_kept_when_the_tokenizer_changes(page: Page, show: Show) -> None:
    text = "\n".join(f"This is line {k}, indivisible" for k in range(3000))
    view = show(text, "gpt2")
    view.evaluate("view => { view.scrollTop = 20000 }")
    expect_tokens_in_sight(view)
    before = view.evaluate("view => view.scrollTop")
    show(text, "cl100k_base")
    assert view.evaluate("view => view.scrollTop") == pytest.approx(before, abs=60)
    expect_tokens_in_sight(view)


# The card


def details(named: str | BPETokenizer, token: int) -> dict[str, Any]:
    tokenizer = pretrained.load(named) if isinstance(named, str) else named
    merges = {new: (pair, rank) for rank, (pair, new) in enumerate(tokenizer.merges.items())}

    def node(token: int) -> dict[str, Any]:
        pair, rank = merges.get(token, ((), None))
        data = tokenizer.vocab[token]
        text = data.decode(errors="replace")
        return {
            "id": token,
            "hex": data.hex(" "),
            "text": None if "�" in text else text,
            "rank": rank,
            "children": [node(part) for part in pair],
        }

    tree = node(token)
    points = [{"code": f"U+{ord(c):04X}", "name": f"NAME OF {c}", "char": c} for c in tree["text"] or ""]
    about: dict[str, Any] = {
        "special": False,
        "added": False,
        "merges": len(merges),
        "units": tokenizer.alphabet.units,
        "alone": [],
        "read_as": [],
    }
    return {**tree, **about, "tree": tree, "code_points": points}


def show_card(page: Page, i: int, what: dict[str, Any]) -> Locator:
    page.evaluate("([i, details]) => card.keep(model, i, details, { text: 'super', branch: 'letters' })", [i, what])
    return page.get_by_role("region", name="Token", exact=True)


def test_card_shows_all_details(page: Page, show: Show) -> None:
    text = "say supercalifragilistic"
    show(text, "cl100k_base")
    card = show_card(page, loaded("cl100k_base").encode(text).index(5531), details("cl100k_base", 5531))
    for fact in ("5531", "63 61 6c", "merge 5,276 of 100,000", "letters", "U+0063", "1 time"):
        expect(card).to_contain_text(fact)
    card.get_by_text("what is this?").click()
    expect(card.get_by_text("Merges never cross from one to the next.")).to_be_visible()
    expect(card.get_by_role("img")).to_have_attribute("aria-label", "cal = c + al")
    assert card.locator(".merge-tree span").all_text_contents() == ["cal5,276", "c", "al23", "a", "l"]
    blocks = [block.bounding_box() for block in card.locator(".merge-tree span").all()]
    for one, other in itertools.combinations([block for block in blocks if block], 2):  # no number lies under a block
        assert (
            one["x"] + one["width"] <= other["x"]
            or other["x"] + other["width"] <= one["x"]
            or one["y"] + one["height"] <= other["y"]
        )


@pytest.mark.parametrize(("token", "joined"), [("für", "3 characters"), ("t", "1 character")])
def test_card_counts_characters_for_character_tokenizers(page: Page, show: Show, token: str, joined: str) -> None:
    tokenizer = tokviz.train("für für für t t", num_merges=4, alphabet="characters", end_of_word="</w>")
    show(token, tokenizer)
    card = show_card(page, 0, details(tokenizer, tokenizer.encode(token)[0]))
    expect(card.get_by_role("heading")).to_have_text(
        f"Joined from {joined} and the mark of a word's end by these merges"
    )
    expect(card.get_by_role("img")).to_have_attribute("aria-label", f"{token} = {token} + end of word")


def test_card_explains_an_end_of_word_mark(page: Page, show: Show) -> None:
    tokenizer = tokviz.train("für für t", num_merges=2, alphabet="characters", end_of_word="</w>")
    show("f", tokenizer)
    card = show_card(page, 1, details(tokenizer, tokenizer.encode("f")[1]))
    expect(card).to_contain_text("The end of a word, no bytes.")


def test_the_card_shows_the_tree_before_the_facts(page: Page, show: Show) -> None:
    show("super", "cl100k_base")
    card = show_card(page, 0, details("cl100k_base", 5531))
    expect(card.get_by_role("img")).to_be_visible()
    above, below = (boxes(card.locator(part))[0] for part in (".origin", "dl"))
    assert above["x"] < below["x"] or above["y"] < below["y"]


def test_card_of_a_part_names_the_whole_character(page: Page, show: Show) -> None:
    show(PIZZA)
    card = show_card(page, 3, details("gpt2", loaded("gpt2").encode(PIZZA)[3]))
    expect(card).to_contain_text("Space, bytes f0 9f, the first two of four of 🍕.")
    expect(card.locator(".big")).to_have_text("20 f0 9f")


# Themes and sizes


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_both_themes(page: Page, show: Show, theme: Any) -> None:
    page.emulate_media(color_scheme=theme)
    token = show("one two").locator(".t").first
    expect(token).to_have_css("background-color", css_color(theme, "tint-0"))


def test_nothing_scrolls_sideways_on_a_phone(page: Page, show: Show) -> None:
    page.set_viewport_size({"width": 375, "height": 700})
    show(VARIED_TEXT + "\n" + "x" * 500 + " " * 300)
    show_card(page, 0, details("cl100k_base", loaded("cl100k_base").encode(" " * 64)[0]))
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    assert page.evaluate("document.querySelector('.token-view').scrollWidth") <= 375


def test_focus_is_visible(page: Page, show: Show) -> None:
    view = show("one two")
    page.keyboard.press("Tab")
    assert view.evaluate("view => getComputedStyle(view).outlineStyle") == "solid"


def test_disposing_removes_everything(page: Page, show: Show) -> None:
    show("one two")
    page.evaluate("dispose()")
    assert page.evaluate("['view', 'card', 'legend'].map((id) => document.getElementById(id).childElementCount)") == [
        0,
        0,
        0,
    ]
