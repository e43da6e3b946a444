"""The Compare page: positions of letters, navigation through the differences, and figures."""

import csv
import json
import re
from pathlib import Path
from typing import Literal
from urllib.parse import urlencode

import pytest
from browsing import expect_accessible
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect
from tabs import Watched

import tokviz
from pages import (
    ComparePage,
    TokensPage,
    bytes_beneath,
    count,
    css_color,
    drop_file,
    expect_accessible_in_all_looks,
    open_offline_tab,
    packed,
    paste,
    resting_box,
    save,
    share,
)
from tokviz.analysis.classes import CLASSES
from tokviz.samples import sample

CLASSICS = sample("differences-classics").text
PAIR = ("gpt2", "cl100k_base")
PLACES = "Places"
TWO_LINES = b"one\r\ntwo"


@pytest.fixture
def compare(page: Page, widgets_url: str) -> ComparePage:
    """Open the page with its tokenizers beneath each other and nothing selected."""
    return ComparePage.open(page, f"{widgets_url}compare#view=aligned")


def test_escapes_setting_is_shared_with_the_tokens_page_and_can_be_switched_off(page: Page, widgets_url: str) -> None:
    compare = ComparePage.open(page, f"{widgets_url}compare")
    escapes = page.get_by_role("switch", name="read \\n as a line break")
    expect(escapes).to_be_hidden()
    tokens = TokensPage.open(page, widgets_url)
    tokens.editor.fill(r"DON'T\nDON'T")
    tokens.page.get_by_role("switch", name="read \\n as a line break").check()
    page.goto(f"{widgets_url}compare")
    expect(escapes).to_be_checked()
    expect(compare.tokens("GPT-2")).to_have_text(str(count("gpt2", "DON'T\nDON'T")))
    escapes.uncheck()
    expect(compare.editor).to_have_value(r"DON'T\nDON'T")
    expect(compare.tokens("GPT-2")).to_have_text(str(count("gpt2", r"DON'T\nDON'T")))
    drop_file(compare.editor, "a.txt", TWO_LINES)
    expect(escapes).to_be_checked()


def test_second_text_keeps_line_ends_from_a_link(page: Page, widgets_url: str) -> None:
    ComparePage.open(page, f"{widgets_url}compare#second={packed(TWO_LINES)}&under=gpt2")
    row = page.locator(".two-texts tr").filter(has=page.get_by_role("rowheader", name="bytes", exact=True))
    expect(row.locator("td").nth(1)).to_have_text("8")
    page.get_by_label("A second text").press("Control+End")
    page.get_by_label("A second text").press_sequentially("z")
    expect(row.locator("td").nth(1)).to_have_text("9")


# Where the letters of each layer stand: left, right, and top within the layer; and of the same text without tokens.
LETTERS = """() => {
    const host = [...document.querySelectorAll("*")].find((each) => each.shadowRoot?.querySelector(".compared"));
    const letters = (layer) => {
        const { left: from, top: above } = layer.getBoundingClientRect();
        const walker = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT);
        const found = [];
        for (let text = walker.nextNode(); text; text = walker.nextNode()) {
            for (let k = 0; k < text.length; k++) {
                const range = document.createRange();
                range.setStart(text, k);
                range.setEnd(text, k + 1);
                const { left, right, top } = range.getBoundingClientRect();
                if (text.data[k] !== "\\n") found.push([left - from, right - from, top - above]);
            }
        }
        return found;
    };
    const chunk = host.shadowRoot.querySelector(".layered");
    const plain = chunk.firstElementChild.cloneNode();
    plain.textContent = chunk.firstElementChild.textContent;
    chunk.append(plain);
    const all = [...chunk.children].map(letters);
    plain.remove();
    return all;
}"""


def show_side_by_side(page: Page) -> None:
    page.get_by_role("radio", name="side by side").check()


def test_the_bytes_of_a_cut_character_at_the_start_of_a_line_stand_whole(compare: ComparePage) -> None:
    compare.write("我喜欢在下雨天读书")
    for layout in ("aligned", "flip", "side by side"):
        compare.page.get_by_role("radio", name=layout).check()
        cut = compare.layer(0).locator(".cut").first
        expect(cut).to_have_text("我")
        left, right = bytes_beneath(cut)
        edge: float = cut.evaluate("cut => cut.closest('.chunk').getBoundingClientRect().left")
        assert edge - 0.1 <= left < right


@pytest.mark.parametrize("layout", ["aligned", "flip", "side by side"])
@pytest.mark.parametrize(
    "text",
    [
        "DON'T PANIC, IT'S 2026! supercalifragilistic “quoted” " * 2,
        "こんにちは、世界。中文字符",
        "pizza 🍕 and 🇩🇪 go",
        "naïve cafe\u0301 e\u0302\u0323x",
        "\tone\t\ttwo\tx = 1\n\n  three\n",
        "السعر 123 دينار، بكم 45؟ Hello مرحبا GPT-2 2026\nשלום one. two",
        "नमस्ते दुनिया",
    ],
    ids=["ascii", "cjk", "emoji", "combining", "tabs", "bidirectional", "devanagari"],
)
def test_letters_stand_where_they_do_without_tokens(compare: ComparePage, text: str, layout: str) -> None:
    compare.write(text)
    compare.page.get_by_role("radio", name=layout).check()
    first, second, plain = compare.page.evaluate(LETTERS)
    assert len(first) == len(second) == len(plain) >= len(text.split())
    for one, other, without in zip(first, second, plain, strict=True):
        assert one == pytest.approx(other, abs=0.5)
        if layout != "side by side":  # there, the plain text stands in a row of its own
            assert one == pytest.approx(without, abs=0.5)


def test_a_token_that_a_line_ends_in_is_one_token(compare: ComparePage) -> None:
    """Each token is one element, which the browser opens at the break, and lines end between words."""
    text = "Zoë Müller-Okonkwo was here and we are so happy today"
    compare.page.set_viewport_size({"width": 375, "height": 800})
    compare.write(text)
    compare.text.scroll_into_view_if_needed()
    for number, name in enumerate(PAIR):
        tokens = compare.layer(number).locator(".t")
        expect(tokens).to_have_count(count(name, text))
        assert set(tokens.evaluate_all("all => all.map((one) => getComputedStyle(one).boxDecorationBreak)")) == {
            "slice"
        }
        wrapped = tokens.evaluate_all(
            "all => all.filter((one) => one.getClientRects().length > 1).map((one) => one.textContent)"
        )
        assert wrapped
        assert all(token.startswith(" ") for token in wrapped)


def test_six_lines_of_the_example_and_their_cuts_are_above_the_fold(compare: ComparePage) -> None:
    bottoms = compare.bottoms(1)
    assert len(bottoms) == 7
    assert sum(bottom <= 800 for bottom in bottoms) >= 6


def test_the_page_opens_with_a_headline_and_the_bill_and_without_a_card(page: Page, widgets_url: str) -> None:
    """A link that was made before views were named is aligned."""
    compare = ComparePage.open(page, f"{widgets_url}compare")
    expect(page.get_by_role("radio", name="flip")).to_be_checked()
    for name, label in zip(PAIR, ("GPT-2", "cl100k"), strict=True):
        expect(page.get_by_role("radio", name=f"{label} {count(name, CLASSICS)}", exact=True)).to_be_visible()
    fewer = count("gpt2", CLASSICS) - count("cl100k_base", CLASSICS)
    headline = page.locator("h1.headline")
    expect(headline).to_have_text(f"cl100k needs {fewer} tokens fewer. 5 of them: runs of spaces.")
    bill = page.get_by_role("region", name="What each kind costs")
    expect(bill.get_by_role("cell").last).to_have_text(f"−{fewer}")
    costs = [int(cost.replace("−", "-")) for cost in bill.locator("tbody td").all_inner_texts()]
    assert sum(costs) == -fewer
    expect(compare.card).to_be_hidden()
    bill.get_by_role("button", name="Numbers").click()
    expect(compare.place).to_have_text("4 of 13")  # " 2026"
    compare.write("1234567")
    expect(headline).to_have_text("Both need 3 tokens, but cut 1 place differently.")
    expect(compare.card).to_be_hidden()
    page.goto(f"{widgets_url}compare#compare=gpt2,cl100k_base")
    expect(page.get_by_role("radio", name="aligned")).to_be_checked()


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_page_flips_once_by_itself(
    page: Page, widgets_url: str, motion: Literal["no-preference", "reduce"]
) -> None:
    page.emulate_media(reduced_motion=motion)
    page.clock.install()
    ComparePage.open(page, f"{widgets_url}compare")
    one, other = (page.locator(".flipper").get_by_role("radio", name=name) for name in ("GPT-2", "cl100k"))
    expect(one).to_be_checked()
    page.clock.run_for(2000)
    expect(other if motion == "no-preference" else one).to_be_checked()
    page.clock.run_for(2000)
    expect(one).to_be_checked()
    page.clock.run_for(10_000)
    expect(one).to_be_checked()
    page.reload()
    expect(one).to_be_checked()
    page.clock.run_for(2000)
    expect(one).to_be_checked()  # the tab has seen it


def test_the_page_does_not_flip_by_itself_once_the_reader_has_begun(page: Page, widgets_url: str) -> None:
    page.clock.install()
    compare = ComparePage.open(page, f"{widgets_url}compare")
    compare.editor.click()
    page.clock.run_for(2000)
    expect(page.locator(".flipper").get_by_role("radio", name="GPT-2")).to_be_checked()


def test_what_all_cut_alike_stands_once_in_letters_and_what_differs_in_each_color(compare: ComparePage) -> None:
    compare.write("     hello")
    shown = compare.pieces.evaluate_all(
        "all => all.filter((one) => getComputedStyle(one).visibility === 'visible')"
        ".map((one) => [one.textContent, getComputedStyle(one).backgroundColor])"
    )
    assert [text for text, _ in shown] == [" ", " ", " ", " ", " hello", "    "]
    colors = [color for _, color in shown]
    assert len(set(colors[:4])) == 1
    assert len({colors[0], colors[4], colors[5]}) == 3
    compare.page.get_by_text("Special tokens", exact=True).click()
    compare.editor.fill("a<|endoftext|>")
    special = compare.layer(0).locator(".t.alike.special")
    expect(special).to_have_text("<|endoftext|>")
    expect(special).to_have_css("color", css_color("light", "page"))
    expect(special).to_have_css("background-color", css_color("light", "ink"))  # solid, as on all pages


def test_typing_draws_only_what_changed_and_the_same_as_anew(compare: ComparePage) -> None:
    """Also where chunks are divided differently after the edit."""
    text = sample("code-python").text * 3
    compare.write(text)
    middle = len(text) // 2
    compare.editor.evaluate("(box, at) => box.setSelectionRange(at, at)", middle)
    kept = compare.layer(1).first.locator(".t").first.element_handle()
    compare.page.keyboard.type(" 1234567\n'S")
    edited = f"{text[:middle]} 1234567\n'S{text[middle:]}"
    expect(compare.tokens("cl100k")).to_have_text(f"{count('cl100k_base', edited):,}")
    assert kept.evaluate("token => token.isConnected")
    assert ["".join(compare.layer(number).all_text_contents()) for number in range(2)] == [edited] * 2
    drawn = [compare.layer(number).locator(".t").all_text_contents() for number in range(2)]
    compare.write("")
    compare.write(edited)
    assert drawn == [compare.layer(number).locator(".t").all_text_contents() for number in range(2)]


def test_flipping_changes_only_the_tokens(compare: ComparePage) -> None:
    page = compare.page
    page.get_by_role("radio", name="flip").check()
    one, other = (page.locator(".flipper").get_by_role("radio", name=name) for name in ("GPT-2", "cl100k"))
    expect(compare.layer(0).first).to_be_visible()
    expect(compare.layer(1).first).to_be_hidden()
    place = compare.layer(0).first.bounding_box()
    compare.text.focus()
    page.keyboard.down("b")
    expect(compare.layer(1).first).to_be_visible()
    expect(compare.layer(0).first).to_be_hidden()
    assert compare.layer(1).first.bounding_box() == place
    expect(other).to_be_checked()
    page.keyboard.up("b")
    expect(compare.layer(0).first).to_be_visible()
    expect(one).to_be_checked()
    page.evaluate("document.activeElement.blur()")  # from anywhere on the page
    page.keyboard.down("b")
    expect(compare.layer(1).first).to_be_visible()
    page.evaluate("dispatchEvent(new Event('blur'))")  # the key is released outside the window
    expect(compare.layer(0).first).to_be_visible()
    page.keyboard.up("b")
    other.check()
    expect(compare.layer(1).first).to_be_visible()
    page.get_by_role("radio", name="aligned").check()
    expect(compare.layer(0).locator(".alike").first).to_be_visible()
    expect(compare.layer(1).locator(".alike").first).to_be_hidden()


# Pointing and navigation


CUTS = {"gpt2": ["5", "678"], "cl100k_base": ["567", "8"]}


def test_pointing_highlights_all_layers_and_the_card_explains(compare: ComparePage) -> None:
    compare.differing("istic").last.hover()
    expect(compare.page.locator(".compared .same")).to_have_text(["ist", "ice", "xp", "istic", "exp"])
    expect(compare.card).to_be_hidden()
    compare.differing("istic").last.click()
    for piece, token in [("ist", "396"), ("ice", "501"), ("xp", "42372"), ("istic", "4633"), ("exp", "4683")]:
        expect(compare.card.locator(".piece").filter(has=compare.page.get_by_text(piece, exact=True))).to_contain_text(
            token
        )
    expect(compare.card).to_contain_text("merge order")
    expect(compare.card).to_contain_text("Both have all these tokens but join them in another order.")
    expect(compare.place).to_have_text("13 of 13")
    compare.editor.hover()
    expect(compare.page.locator(".compared .same")).to_have_count(0)
    expect(compare.card).to_be_visible()
    compare.differing("istic").last.click()
    expect(compare.card).to_be_hidden()


# Places of all that the reader sees, except for what the dock says of the chosen difference.
BOXES = """() => {
    const host = [...document.querySelectorAll("*")].find((each) => each.shadowRoot?.querySelector(".compared"));
    const shown = [...host.shadowRoot.querySelectorAll("*")].filter(
        (each) => each.checkVisibility() && !each.closest(".drawer, .unseen"));
    const boxes = shown.flatMap((each) => [...each.getClientRects()]);
    return boxes.map(({ x, y, width, height }) => [x, y, width, height]);
}"""


@pytest.mark.parametrize("layout", ["aligned", "flip", "side by side"])
@pytest.mark.parametrize("width", [1280, 800])
def test_hovering_choosing_and_walking_move_nothing(compare: ComparePage, layout: str, width: int) -> None:
    page = compare.page
    page.set_viewport_size({"width": width, "height": 1600})
    page.get_by_role("radio", name=layout).check()
    page.evaluate("document.fonts.ready")
    before = page.evaluate(BOXES)
    assert len(before) > 100
    pieces = compare.layer(0).locator(".t:not(.alike)")
    for text in ("T", "45", "xp"):
        pieces.filter(has_text=text).last.hover()
        assert page.evaluate(BOXES) == before
        pieces.filter(has_text=text).last.click()
        expect(compare.card.locator(".tag").first).to_be_visible()
        assert page.evaluate(BOXES) == before
    for _ in range(13):
        page.get_by_role("button", name="Next difference").click()
        assert page.evaluate(BOXES) == before
    compare.card.get_by_role("button", name="Hide the difference").click()
    expect(compare.card).to_be_hidden()
    expect(compare.text).to_be_focused()
    assert page.evaluate(BOXES) == before


@pytest.mark.parametrize("text", ["I love pizza 🍕 你好", "好"])
def test_a_character_that_tokens_cut_is_framed_whole(compare: ComparePage, text: str) -> None:
    compare.write(text)
    compare.page.get_by_role("radio", name="flip").check()
    compare.layer(0).locator(".cut", has_text="好").click()
    width, framed = (
        compare.layer(0)
        .locator(".cut.on")
        .evaluate("one => [one.getBoundingClientRect().width, parseFloat(getComputedStyle(one, '::before').width)]")
    )
    assert framed == pytest.approx(width, abs=0.5)


def test_four_heads_stand_over_their_columns(page: Page, widgets_url: str) -> None:
    compare = ComparePage.open(page, f"{widgets_url}compare#compare=gpt2,cl100k_base,o200k_base,p50k_base&view=sides")
    for text in (CLASSICS, "word 1234567\n" * 100):  # the second scrolls
        compare.write(text)
        heads = [resting_box(head) for head in page.locator(".counts > div").all()]
        columns = [resting_box(compare.layer(number).first) for number in range(4)]
        for head, column in zip(heads, columns, strict=True):
            assert head["x"] == pytest.approx(column["x"], abs=2)
            assert head["width"] <= column["width"] + 1
        for part in page.locator(".counts :is(dt, dd)").all():
            assert part.evaluate("one => one.scrollWidth <= one.parentElement.clientWidth")
    before = resting_box(page.locator(".counts > div").first)
    page.get_by_role("radio", name="flip").check()
    after = resting_box(page.locator(".flipper label").first)
    assert (after["y"], after["height"]) == pytest.approx((before["y"], before["height"]), abs=1)
    said = [re.sub(" tokens?", " ", text) for text in page.locator(".counts > div").all_text_contents()]
    assert said == page.locator(".flipper label").all_text_contents()


@pytest.mark.parametrize("tokenizers", ["gpt2,cl100k_base", "gpt2,cl100k_base,o200k_base"])
def test_on_a_phone_the_walk_stays_in_its_place_and_the_reason_stands_beneath_it(
    page: Page, widgets_url: str, tokenizers: str
) -> None:
    page.set_viewport_size({"width": 375, "height": 740})
    compare = ComparePage.open(page, f"{widgets_url}compare#compare={tokenizers}&view=place")
    following = page.get_by_role("button", name="Next difference")
    choice, switch = page.get_by_role("radiogroup", name="View"), page.locator(".flipper")
    choice.evaluate("choice => choice.scrollIntoView()")
    before = page.evaluate(BOXES)
    for place in range(1, 14):
        following.click()  # which waits until nothing lies over it
        expect(compare.place).to_have_text(f"{place} of 13")
        expect(compare.card.locator(".tag").first).to_be_visible()
        if tokenizers.count(",") == 1:
            assert page.evaluate(BOXES) == before
        assert compare.card.evaluate("card => card.scrollHeight - card.clientHeight") == 0  # all of it is there
        expect(compare.chosen.filter(visible=True).last).to_be_in_viewport(ratio=1)
        expect(following).to_be_in_viewport(ratio=1)
    assert resting_box(choice)["y"] < resting_box(switch)["y"] < resting_box(compare.text)["y"]
    compare.card.get_by_role("button", name="Hide the difference").click()
    compare.layer(0).locator(".t", has_text="xp").last.click()
    expect(compare.card).to_be_in_viewport(ratio=0.99)
    expect(compare.chosen.filter(visible=True).last).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") == 375


def test_the_text_to_edit_stands_beside_its_tokens_and_the_tokenizers_in_one_line(compare: ComparePage) -> None:
    page = compare.page
    editor, tokens = compare.editor.bounding_box(), compare.layer(0).first.bounding_box()
    pickers = [picker.bounding_box() for picker in page.get_by_role("combobox", name=re.compile("Ref|Compared")).all()]
    assert editor and tokens and pickers[0] and pickers[1]
    assert editor["x"] + editor["width"] <= tokens["x"]
    assert abs(editor["y"] - tokens["y"]) <= 60
    assert pickers[0]["y"] == pickers[1]["y"]
    panes = resting_box(page.locator(".panes"))
    for text in ("def read(name):\n    return name\n" * 100, "short", ""):  # none makes the field or the page higher
        compare.write(text)
        assert compare.editor.bounding_box() == editor
        assert resting_box(page.locator(".panes")) == panes
    expect(page.get_by_text("a colored piece to see why")).to_be_hidden()  # there is none


@pytest.mark.parametrize("touch", [False, True])
def test_the_page_says_what_opens_the_card(browser: Browser, widgets_url: str, touch: bool) -> None:
    context = browser.new_context(has_touch=touch, is_mobile=touch, viewport={"width": 375, "height": 800})
    compare = ComparePage.open(context.new_page(), f"{widgets_url}compare")
    press, other = ("Tap", "Click") if touch else ("Click", "Tap")
    expect(compare.page.get_by_text(f"{press} a colored piece to see why")).to_be_visible()
    compare.unfold(PLACES)
    expect(compare.page.get_by_text(other)).to_have_count(0)
    context.close()


def test_each_tokenizer_has_one_color_wherever_it_stands(compare: ComparePage) -> None:
    colors = ".compared .layer[data-layer='{}'] .t:not(.alike)"

    def color(place: int) -> str:
        piece = compare.page.locator(colors.format(place)).first
        return str(piece.evaluate("one => getComputedStyle(one).backgroundColor"))

    gpt2, cl100k = color(0), color(1)
    assert gpt2 != cl100k
    compare.page.goto(compare.page.url.split("#")[0] + "#compare=o200k_base,cl100k_base,gpt2")
    expect(compare.tokens("o200k")).to_be_visible()
    assert (color(2), color(1)) == (gpt2, cl100k)
    assert color(0) not in (gpt2, cl100k)
    compare.unfold("Where the tokens go")
    bars = compare.page.locator(".classes tbody tr").first.locator(".bar")
    expect(bars).to_have_count(3)
    assert [bar.evaluate("one => getComputedStyle(one).backgroundColor") for bar in bars.all()][1:] == [cl100k, gpt2]


def test_a_reason_has_a_picture_and_says_in_full_what_each_cause_does_alone(compare: ComparePage) -> None:
    """GPT-2 takes digits in any number, cl100k by threes; only with each other's tokens, too, would they agree."""
    compare.write("5678")
    compare.differing("567").last.click()
    causes = compare.card.locator(".causes li")
    changes = "swapping only this changes the cut, but they still differ"
    expect(causes).to_have_text([f"split: {changes}", f"vocabulary: {changes}"])
    expect(causes.first).to_be_hidden()
    expect(compare.card.locator(".tag")).to_have_text(["split", "vocabulary"])
    expect(compare.card).to_contain_text("Only both swaps together make them agree.")
    ids = {name: tokviz.load(name).encode("5678") for name in PAIR}
    named = [text.split() for text in compare.card.locator(".piece").all_inner_texts()]
    assert named == [[piece, str(token)] for name in PAIR for piece, token in zip(CUTS[name], ids[name], strict=True)]
    # A cut stands at both ends, and between “567” and “8”.
    drawn = compare.card.locator(".pieces").evaluate_all(
        "all => all.map((row) => [...row.children].map((one) => one.firstChild?.textContent ?? '|'))"
    )
    assert drawn == [["|", "5", "678", "|"], ["|", "567", "|", "8", "|"]]
    expect(compare.card.get_by_role("img", name="cl100k: “567”")).to_be_visible()


def test_whole_explanations_are_folded_and_stay_as_the_reader_left_them(compare: ComparePage, widgets_url: str) -> None:
    sentence = compare.card.locator(".sentence")
    compare.text.focus()
    compare.page.keyboard.press("ArrowRight")
    expect(sentence).to_be_hidden()
    compare.card.get_by_text("In full").click()
    expect(sentence).to_be_visible()
    compare.text.focus()
    compare.page.keyboard.press("ArrowRight")
    expect(compare.place).to_have_text("2 of 13")
    expect(sentence).to_be_visible()
    compare.page.reload()
    compare.text.focus()
    compare.page.keyboard.press("ArrowRight")
    expect(sentence).to_be_visible()


def test_the_rest_is_folded_with_a_line_that_says_what_is_in_it(compare: ComparePage) -> None:
    text = "     DON'T 1234567 supercal"
    compare.write(text)
    expected = tokviz.compare(text, PAIR)
    ratio = max(expected.token_counts) / min(expected.token_counts)
    expect(compare.fold(PLACES)).to_contain_text(f"{len(expected.differing)} places differ: ")
    expect(compare.fold("The bill")).to_contain_text(f"GPT-2 costs {ratio:.3g} times what cl100k does")
    expect(compare.fold("Agreement")).to_contain_text(f"{100 * expected.agreement(0, 1).jaccard:.0f} %")
    expect(compare.page.locator(".bill")).to_be_hidden()
    compare.unfold("The bill")
    expect(compare.page.locator(".bill tbody tr")).to_have_count(2)  # the page has noticed
    compare.page.reload()
    expect(compare.page.locator(".bill")).to_be_visible()
    expect(compare.page.locator(".as-table")).to_be_hidden()
    compare.page.get_by_role("spinbutton", name="Price of a million tokens, GPT-2").fill("1")
    compare.page.get_by_role("spinbutton", name="Price of a million tokens, cl100k").fill("10")
    expect(compare.fold("The bill")).to_contain_text(
        f"cl100k costs {10 / ratio:.3g} times what GPT-2 does, at your prices"
    )


def test_quoted_pieces_keep_their_order_in_any_direction(compare: ComparePage) -> None:
    """Without isolation, a browser draws two Arabic pieces and the comma between them from right to left."""
    compare.write("مدرستنا قريبة من النهر.")
    compare.text.focus()
    compare.page.keyboard.press("ArrowRight")
    compare.card.get_by_text("In full").click()
    quoted = compare.card.locator(".sentence bdi")
    expect(quoted.first).to_have_text("س|ت")
    boxes = quoted.evaluate_all("all => all.map((one) => one.getClientRects()[0]).map(({ left, top }) => [top, left])")
    assert len(boxes) == 3
    assert boxes == sorted(boxes)


def test_card_reports_segments_that_all_cut_alike(compare: ComparePage) -> None:
    compare.layer(0).locator(".t.alike").first.click()
    expect(compare.card).to_contain_text("All cut this alike")


def test_keys_navigate_differences_and_wrap_around(compare: ComparePage) -> None:
    expect(compare.place).to_have_text("13 differences")
    compare.text.focus()
    for key, place in [
        ("ArrowRight", 1),
        ("ArrowDown", 2),
        ("End", 13),
        ("ArrowRight", 1),
        ("ArrowLeft", 13),
        ("Home", 1),
    ]:
        compare.page.keyboard.press(key)
        expect(compare.place).to_have_text(f"{place} of 13")
    expect(compare.card).to_contain_text("GPT-2 never learned four spaces as one token.")
    compare.page.keyboard.press("n")
    expect(compare.place).to_have_text("2 of 13")
    compare.page.keyboard.press("p")
    expect(compare.place).to_have_text("1 of 13")
    compare.page.keyboard.press("Escape")
    expect(compare.card).to_be_hidden()


@pytest.mark.parametrize("width", [1280, 375])
def test_page_scrolls_to_the_difference_and_its_buttons_stay_in_sight(compare: ComparePage, width: int) -> None:
    compare.page.set_viewport_size({"width": width, "height": 720})
    following = compare.page.get_by_role("button", name="Next difference")
    for place in range(1, 14):
        following.click()
        expect(compare.place).to_have_text(f"{place} of 13")
        compare.card.get_by_text("In full").wait_for()  # the card has all that it will say
        expect(compare.chosen.first).to_be_in_viewport()
        expect(following).to_be_in_viewport(ratio=1)


def test_typing_does_not_trigger_navigation_keys(compare: ComparePage) -> None:
    compare.editor.press_sequentially("np")
    expect(compare.place).to_have_text(re.compile("differences"))


def test_reasons_and_classes_filter_navigation(compare: ComparePage) -> None:
    compare.unfold(PLACES)
    compare.page.get_by_label("Reason").select_option(label="merge order (2)")
    expect(compare.place).to_have_text("2 differences")
    compare.page.get_by_role("button", name="Next difference").click()
    expect(compare.place).to_have_text("1 of 2")
    expect(compare.card).to_contain_text("super|cal")
    compare.page.get_by_label("Reason").select_option(label="any reason")
    compare.page.get_by_role("combobox", name="In", exact=True).select_option(label="numbers (2)")
    expect(compare.place).to_have_text("2 differences")
    compare.differing("istic").last.click()
    expect(compare.card).to_contain_text("istic")
    expect(compare.place).to_have_text("2 differences")  # it is none of them
    compare.page.get_by_role("button", name="All differences, not only numbers").click()
    expect(compare.place).to_have_text("13 differences")
    expect(compare.page.get_by_role("combobox", name="In", exact=True)).to_have_value("all")


def test_table_lists_the_differences(compare: ComparePage) -> None:
    compare.unfold(PLACES)
    rows = compare.page.locator(".as-table tr:not(.cause)")
    expect(rows).to_have_count(14)
    cells = rows.filter(has_text="isticexp").get_by_role("cell")
    expect(cells).to_contain_text(["13", "isticexp", "ist | ice | xp", "istic | exp", "“ic + e” (merge 246 of 50,000)"])
    for row in rows.all()[1:]:
        expect(row).not_to_contain_text("GPT-2 cuts")  # that is in the columns


def test_table_says_each_cause_once_with_signs_whose_meaning_stands_above_it(compare: ComparePage) -> None:
    text = "DON'T 5678 or IT'S     1234567"
    compare.write(text)
    compare.unfold(PLACES)
    table = compare.page.get_by_role("region", name="All differences as a table")
    effects = [
        "changes nothing here",
        "changes the cut, but they still differ",
        "makes them agree here",
    ]
    for effect in effects:
        expect(table.get_by_text(effect, exact=True)).to_have_count(1)
    compared = tokviz.compare(text, PAIR, names=["GPT-2", "cl100k"])
    expect(table.locator("tbody tr:not(.cause)")).to_have_count(len(compared.differing))
    expect(table.get_by_text("Before any merge, GPT-2's split pattern cuts it into “…”", exact=False)).to_have_count(1)
    for place, segment in enumerate(compared.differing, start=1):
        explained = compared.explain(int(segment), 1)
        assert explained
        button = compare.page.get_by_role("button", name=str(place), exact=True)
        group = table.locator("tbody").filter(has=button)
        signs = group.locator(".reasons").get_by_role("img")
        expect(signs).to_have_count(len(explained.alone))
        for sign, alone in zip(signs.all(), explained.alone.values(), strict=True):
            expect(sign).to_have_accessible_name(f"({effects[alone]})")
        said = group.locator(".cause p").inner_text()
        row = group.get_by_role("row").filter(has=button)
        for filling in re.findall("“[^”]*”", row.get_by_role("cell").last.inner_text()):
            said = said.replace("“…”", filling, 1)
        assert re.sub(r" \(merge .*?\)", "", said) == re.sub(r" \(merge .*?\)", "", explained.because)


# Any text, any tokenizers


def test_typing_updates_the_comparison(compare: ComparePage) -> None:
    compare.write("")
    compare.editor.press_sequentially("1234567")
    expect(compare.place).to_have_text("1 difference")
    expect(compare.tokens("cl100k")).to_have_text("3")


def test_third_tokenizer_can_be_added_and_removed(compare: ComparePage) -> None:
    compare.page.get_by_role("combobox", name="Add a tokenizer").fill("gpt-4o")
    compare.page.keyboard.press("Enter")
    expect(compare.tokens("o200k")).to_have_text(str(count("o200k_base", CLASSICS)))
    expect(compare.layer(2)).to_contain_text("hello")
    compare.page.get_by_role("button", name="Remove GPT-2").click()
    expect(compare.tokens("GPT-2")).to_have_count(0)
    expect(compare.page.get_by_role("combobox", name="Reference")).to_have_value("cl100k (GPT-4, GPT-3.5)")


def test_focus_stays_on_the_tokenizers_when_chosen_by_key(compare: ComparePage) -> None:
    page = compare.page
    pickers = page.get_by_role("combobox", name=re.compile("^(Reference|Compared)"))
    other = pickers.last
    other.fill("o200k")
    page.keyboard.press("Enter")
    expect(other).to_have_value(re.compile("^o200k"))
    expect(other).to_be_focused()
    expect(page.get_by_role("listbox", name="Tokenizers")).to_be_hidden()
    page.get_by_role("combobox", name="Add a tokenizer").fill("cl100k")
    page.keyboard.press("Enter")
    expect(pickers).to_have_count(3)
    expect(pickers.last).to_be_focused()
    page.get_by_role("button", name="Remove").last.press("Enter")
    expect(pickers).to_have_count(2)
    expect(pickers.last).to_be_focused()


def test_long_text_is_drawn_only_near_the_viewport_and_navigable_to_its_end(compare: ComparePage) -> None:
    text = "It's 1234567 o'clock.\n    if x:\n        pass\n" * 2_500  # 65,000 tokens of GPT-2
    paste(compare.editor, text)
    expect(compare.tokens("GPT-2")).to_have_text(f"{count('gpt2', text):,}")
    assert compare.pieces.count() < 5000
    compare.text.focus()
    compare.page.keyboard.press("End")
    expect(compare.chosen.first).to_be_in_viewport()
    expect(compare.card).to_contain_text("cl100k")
    expect(compare.card.locator(".sentence")).not_to_be_empty()
    assert compare.pieces.count() < 5000


def test_printout_of_a_long_text_is_whole_without_hints_to_click(compare: ComparePage) -> None:
    page = compare.page
    compare.unfold(PLACES)
    divergence = page.get_by_role("region", name="Where in the text they differ")
    expect(divergence.get_by_role("slider")).to_be_visible()
    text = "They differ: 1234567\n" + f"{'=' * 64}\n" * 320 + "the end: 1234567"  # long, of few tokens
    compare.write(text)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    expect(divergence.get_by_text("% of the text is cut differently")).to_be_visible()
    expect(divergence.locator("input")).to_be_hidden()
    expect(compare.differing("67")).to_have_count(2)  # at both ends
    height, whole = compare.text.evaluate("text => [text.clientHeight, text.scrollHeight]")
    assert height == pytest.approx(whole, abs=12)  # nothing is scrolled away


# Paper: the width of A4 with margins of 15 mm, at 96 pixels per inch
PAPER = 680


@pytest.mark.parametrize("view", ["aligned", "side by side"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_printout_has_everything_that_is_in_sight_on_white(
    compare: ComparePage, view: str, scheme: Literal["light", "dark"]
) -> None:
    page = compare.page
    page.emulate_media(color_scheme=scheme)
    compare.unfold("The bill")
    page.get_by_role("radio", name=view).check()
    page.get_by_role("button", name="Next difference").click()
    expect(compare.card.locator(".tag")).to_be_visible()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print", color_scheme=scheme)
    page.set_viewport_size({"width": PAPER, "height": 1000})
    expect(compare.chosen).to_have_text([" ", " ", " ", " ", "    "])
    for part in (".bill", ".dock .picture", ".counts", ".compared .t"):
        expect(page.locator(part).first).to_be_visible()
    for title in (PLACES, "Agreement"):
        expect(compare.fold(title)).to_be_visible()
    expect(page.locator(".as-table")).to_be_hidden()
    right = page.locator(".compared .t, .picture .piece, .bill table, .folds summary").evaluate_all(
        "all => Math.max(...all.map((each) => each.getBoundingClientRect().right))"
    )
    assert 0 < right <= PAPER
    ink, behind = page.locator(".tokviz.compare").evaluate(
        "root => [getComputedStyle(root).color, getComputedStyle(root).getPropertyValue('--page')]"
    )
    assert (ink, behind) == ("rgb(27, 31, 36)", "#ffffff")


def test_closed_folds_are_printed_as_their_sentences_without_triangles(compare: ComparePage) -> None:
    compare.unfold("The bill")
    compare.page.emulate_media(media="print")
    for title in ("Places", "The bill"):
        expect(compare.fold(title)).to_be_visible()
        expect(compare.fold(title)).to_have_css("display", "block")  # a list item has a triangle
    expect(compare.page.get_by_text("Another text under the same tokenizer")).to_be_hidden()


def test_tokens_are_printed_also_by_what_announces_no_printing(compare: ComparePage) -> None:
    compare.page.emulate_media(media="print")
    expect(compare.pieces.first).to_be_visible()


# Saved files


def test_differences_are_saved_exactly(compare: ComparePage, tmp_path: Path) -> None:
    text = 'DON\'T "PANIC", 🍕 你好\n     12345,67\n'
    compare.write(text)
    expected = tokviz.compare(text, PAIR, names=["GPT-2", "cl100k"])
    compare.page.get_by_text("Save the differences").click()
    listed = json.loads(save(compare.page, "JSON", tmp_path).read_text("utf-8"))
    with save(compare.page, "CSV", tmp_path).open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert len(listed) == len(rows) == len(expected.differing)
    for found, row, number in zip(listed, rows, expected.differing, strict=True):
        segment, explained = expected[number], expected.explain(number, 1)
        assert explained
        exact = expected.data[segment.start : segment.end].decode()
        assert (found["start_byte"], found["end_byte"]) == (segment.start, segment.end)
        assert found["text"] == row["text"] == exact
        assert found["why"] == row["why"] == explained.sentence
        assert found["class"] == row["class"] == CLASSES[expected.segment_classes[number]]
        for one, name in enumerate(("GPT-2", "cl100k")):
            assert [token["id"] for token in found["tokens"][name]] == list(segment.ids[one])
            assert b"".join(bytes.fromhex(token["bytes"]) for token in found["tokens"][name]) == exact.encode()
            assert row[f"{name} ids"].split() == [str(each) for each in segment.ids[one]]


def test_only_filtered_differences_are_saved(compare: ComparePage, tmp_path: Path) -> None:
    compare.unfold(PLACES)
    compare.page.get_by_label("Reason").select_option(label="merge order (2)")
    compare.page.get_by_text("Save the differences").click()
    listed = json.loads(save(compare.page, "JSON", tmp_path).read_text("utf-8"))
    assert [each["text"] for each in listed] == ["supercal", "isticexp"]


@pytest.mark.parametrize("width", [375, 1280])
def test_the_aligned_view_opens_from_disk_without_a_network(
    compare: ComparePage, context: BrowserContext, tmp_path: Path, width: int
) -> None:
    text = "</script><b>It'S 12345</b>\n\tsupercal 🍕 你好 مرحبا"
    compare.write(text)
    compare.page.get_by_text("Save the differences").click()
    path = save(compare.page, "Web page", tmp_path)
    assert path.name == "differences.html"
    asked: list[str] = []
    page = open_offline_tab(context)
    page.set_viewport_size({"width": width, "height": 800})
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    expect(page.get_by_role("heading", name="Same text, different tokens: GPT-2 and cl100k")).to_be_visible()
    expect(page.locator(".compared .t").first).to_be_visible()
    assert page.locator(".layer").all_text_contents() == [text, text]
    expected = tokviz.compare(text, PAIR, names=["GPT-2", "cl100k"])
    card = page.get_by_role("region", name="Difference", exact=True)
    page.get_by_role("group", name=re.compile("Compared text")).focus()
    for place, number in enumerate(expected.differing, start=1):
        page.keyboard.press("ArrowRight")
        expect(page.get_by_label("Difference", exact=True).first).to_have_text(f"{place} of {len(expected.differing)}")
        explained = expected.explain(number, 1)
        assert explained
        expect(card).to_contain_text(explained.sentence)
        expect(page.locator(".compared .on").first).to_be_visible()
    card.get_by_role("button", name="Hide the difference").click()
    page.locator(".fold > summary", has_text=PLACES).click()
    rows = page.locator(".as-table tbody tr:not(.cause)")
    expect(rows).to_have_count(len(expected.differing))
    page.get_by_text("Save the differences").click()
    assert len(json.loads(save(page, "JSON", tmp_path).read_text("utf-8"))) == len(expected.differing)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    expect_accessible(page)
    assert not [url for url in asked if not url.startswith(("file:", "blob:"))]


# Side by side


def test_columns_highlight_the_same_segment(compare: ComparePage) -> None:
    page = compare.page
    compare.write("It's 1234567 o'clock on planet earth.\n" * 100 + "DON'T stop DON'T 🍕")
    show_side_by_side(page)
    compare.text.evaluate("text => { text.scrollTop = text.scrollHeight }")
    last = compare.layer(1).locator(".t", has_text="'T").last
    last.hover()
    # The same token elsewhere is not the same place.
    expect(page.locator(".compared .same")).to_have_text(["'", "T", "'T"])
    left, right = compare.layer(0).locator(".same").first.bounding_box(), last.bounding_box()
    assert left and right
    assert left["y"] == pytest.approx(right["y"], abs=1)
    assert left["x"] < right["x"]
    last.click()
    expect(compare.card.locator(".piece b")).to_have_text(["'", "T", "'T"])


def test_navigation_scrolls_to_the_difference_in_all_layers(compare: ComparePage) -> None:
    page = compare.page
    compare.write("one two three\n" * 200 + "DON'T")
    for layout in ("side by side", "aligned"):
        page.get_by_role("radio", name=layout).check()
        compare.text.evaluate("text => { text.scrollTop = 0 }")
        page.get_by_role("button", name="Next difference").click()
        expect(compare.place).to_have_text("1 of 1")
        expect(compare.chosen).to_have_text(["'", "T", "'T"])
        frame = compare.text.bounding_box()
        for lit in compare.chosen.all():
            box = lit.bounding_box()
            assert frame and box
            assert max(0, frame["y"]) <= box["y"] <= min(800, frame["y"] + frame["height"]) - box["height"]


# Figures


def test_bill_is_computed_from_the_typed_price(compare: ComparePage) -> None:
    text = "one two three four five. " * 400
    compare.write(text)
    compare.unfold("The bill")
    bill = compare.page.get_by_role("region", name="The bill", exact=True)
    compare.page.get_by_label("Context window").select_option("8192")
    price = compare.page.get_by_role("spinbutton", name="Price of a million tokens, cl100k")
    price.press_sequentially("2.5")
    tokens = {name: count(name, text) for name in PAIR}
    row = bill.get_by_role("row").filter(has=compare.page.get_by_role("rowheader", name="cl100k"))
    percent = 100 * (tokens["cl100k_base"] - tokens["gpt2"]) / tokens["gpt2"]
    assert percent == 0  # the words of this text are one token to both
    expect(row).to_contain_text(f"{tokens['cl100k_base']:,}")
    expect(row).to_contain_text(f"{len(text) / tokens['cl100k_base']:.2f}")
    expect(row).to_contain_text("±0 %")
    expect(row).to_contain_text(f"{100 * tokens['cl100k_base'] / 8192:.0f} %")
    expect(row).to_contain_text(f"{2.5 * tokens['cl100k_base'] / 1e6:.3g}")
    # The price is kept while the text is edited.
    compare.write("1234567")
    expect(price).to_have_value("2.5")
    expect(row).to_contain_text("0.0000075")  # of three tokens


def test_classes_and_agreement_equal_the_packages(compare: ComparePage) -> None:
    page = compare.page
    page.get_by_role("combobox", name="Add a tokenizer").fill("gpt-4o")
    page.keyboard.press("Enter")
    expect(compare.tokens("o200k")).to_have_text(str(count("o200k_base", CLASSICS)))
    expected = tokviz.compare(CLASSICS, [*PAIR, "o200k_base"])
    compare.unfold("Agreement")
    compare.unfold("Where the tokens go")
    heat = page.get_by_role("region", name="Agreement").get_by_role("row")
    for first in range(3):
        shares = [expected.agreement(first, second).jaccard for second in range(3)]
        written = ["100 %" if share == 1 else f"{100 * share:.1f} %" for share in shares]
        expect(heat.nth(first + 1).get_by_role("cell")).to_have_text(written)
    classes = page.get_by_role("region", name="Tokens by class").get_by_role("row")
    present = {
        name: [str(counts[number]) for counts in expected.class_counts]
        for number, name in enumerate(CLASSES)
        if any(counts[number] for counts in expected.class_counts)
    }
    expect(classes).to_have_count(len(present) + 1)
    for name, counts in present.items():
        expect(classes.filter(has_text=name).get_by_role("cell")).to_have_text(counts)


def test_divergence_chart_leads_to_the_clicked_place(compare: ComparePage) -> None:
    page = compare.page
    compare.write("the same to all of them. " * 400 + "DON'T " + "and the same to all of them. " * 400 + "12345")
    compare.unfold(PLACES)
    slider = page.get_by_role("slider", name="Place in the text")
    box = slider.bounding_box()
    assert box
    slider.click(position={"x": box["width"] * 0.4, "y": 10})
    expect(compare.place).to_have_text("1 of 2")
    expect(page.locator(".compared .on").first).to_be_in_viewport()
    slider.click(position={"x": box["width"] * 0.9, "y": 10})
    expect(compare.place).to_have_text("2 of 2")
    before = slider.input_value()
    slider.press("ArrowLeft")
    expect(slider).to_have_value(str(int(before) - 1))
    expect(compare.card).to_contain_text("·123")


def test_divergence_chart_is_hidden_without_differences(compare: ComparePage) -> None:
    compare.unfold(PLACES)
    divergence = compare.page.get_by_role("region", name="Where in the text they differ")
    compare.write("the same to all of them")
    expect(divergence).to_contain_text("Nowhere: they all cut this text alike.")
    expect(divergence.get_by_role("slider")).to_be_hidden()
    compare.write("DON'T PANIC")
    expect(divergence.get_by_role("slider")).to_be_visible()


def refuse(page: Page, route: str) -> None:
    def answer(asked: Route) -> None:
        asked.fulfill(status=413, json={"error": "This text is too long."})

    page.route(re.compile(rf"/_tokviz/{route}\?"), answer)


def test_refused_second_text_shows_no_earlier_result(compare: ComparePage, watched: Watched) -> None:
    page = compare.page
    page.get_by_text("Another text under the same tokenizer").click()
    page.get_by_label("A second text").fill("one")
    expect(page.locator(".two-texts")).to_contain_text("first text")
    refuse(page, "compare/texts")
    page.get_by_label("A second text").fill("one and another")
    expect(page.locator(".texts").get_by_role("alert")).to_have_text("This text is too long.")
    expect(page.locator(".two-texts")).to_be_empty()
    watched.problems.clear()  # the browser notes the refusal


def test_stale_comparison_is_faded_and_not_saved(compare: ComparePage, watched: Watched) -> None:
    page = compare.page
    for title in (PLACES, "The bill", "Where the tokens go"):
        compare.unfold(title)
    page.get_by_text("Save the differences").click()
    refuse(page, "compare")
    compare.editor.fill("something else")
    expect(page.locator(".compare > .messages .problem", has_text="too long")).to_have_text("This text is too long.")
    for part in (".compared-pane", ".headline", ".dock", ".as-table tbody", ".bill tbody", ".classes"):
        expect(page.locator(part).first).to_have_css("opacity", "0.6")
    page.get_by_role("button", name="JSON").click()
    expect(page.locator(".saving").get_by_role("status")).to_have_text(
        "The text above is not compared, so there is nothing to save."
    )
    watched.problems.clear()  # the browser notes the refusal


def test_refused_reasons_are_not_shown_as_pending(compare: ComparePage, watched: Watched) -> None:
    """For a long text, reasons are requested in a second request."""
    refuse(compare.page, "compare/(reasons|explain)")
    compare.write("the same to all of them. " * 900 + "DON'T")
    compare.page.get_by_role("button", name="Next difference").click()
    expect(compare.card).to_contain_text("This text is too long.")
    watched.problems.clear()  # the browser notes the refusals


def test_two_texts_are_counted_under_one_tokenizer(compare: ComparePage) -> None:
    page = compare.page
    page.get_by_text("Another text under the same tokenizer").click()
    page.get_by_label("Under").select_option(label="GPT-2")
    page.get_by_role("button", name="example: JSON against YAML").click()
    first, second = sample("json-pretty").text, sample("yaml").text
    expect(compare.editor).to_have_value(first)
    expect(page.get_by_label("A second text")).to_have_value(second)
    expected = tokviz.compare_texts(first, second, "gpt2")
    row = (
        page.locator(".two-texts")
        .get_by_role("row")
        .filter(has=page.get_by_role("rowheader", name="tokens", exact=True))
    )
    counts = [len(each) for each in expected.tokenizations]
    expect(row).to_contain_text(f"{counts[0]:,}")
    expect(row).to_contain_text(f"{counts[1]:,}")
    expect(row).to_contain_text(f"−{-expected.difference:,}")
    expect(row).to_contain_text(f"−{-expected.percent:.0f} %")
    page.get_by_role("button", name="example: a space at the end").click()
    expect(compare.editor).to_have_value("Answer:")
    expect(row).to_contain_text("+1")
    expect(page.locator(".texts .why")).to_contain_text("The last space is a pre-token of its own, as no word follows")
    page.get_by_label("A second text").fill("")
    expect(page.locator(".texts .why")).to_be_empty()


def test_line_end_marks_cover_no_character_in_bidirectional_text(compare: ComparePage) -> None:
    compare.write("שלום.\none.\nשלום two.\nthree.\nend")
    expect(compare.layer(0).locator(".newline")).to_have_count(4)
    ends = (
        compare.layer(0)
        .locator(".newline")
        .evaluate_all("marks => marks.map((mark) => getComputedStyle(mark, '::before').left === '0px' ? 'ltr' : 'rtl')")
    )
    assert ends == ["rtl", "ltr", "rtl", "ltr"]


def test_empty_second_text_is_reported(compare: ComparePage) -> None:
    page = compare.page
    page.get_by_text("Another text under the same tokenizer").click()
    expect(page.get_by_text("No tokens: the second text is empty.")).to_be_visible()
    page.get_by_label("A second text").fill("one")
    expect(page.locator(".two-texts")).to_contain_text("first text")
    expect(page.get_by_text("the second text is empty")).to_have_count(0)


# State and links


def test_initial_example_is_not_stored_as_the_readers_text(compare: ComparePage, widgets_url: str) -> None:
    page = compare.page
    show_side_by_side(page)  # so that the page has a setting to remember
    page.goto(f"{widgets_url}compression")
    expect(page.get_by_role("button", name="share")).to_be_visible()
    assert page.evaluate("sent.text ?? null") is None


def test_link_restores_the_whole_view(compare: ComparePage, browser: Browser, watched: Watched) -> None:
    page = compare.page
    text, second = "DON'T supercal\n     1234567 🍕 你好", "another </script> text, 你"
    compare.write(text)
    page.get_by_role("combobox", name="Add a tokenizer").fill("gpt-4o")
    page.keyboard.press("Enter")
    expect(compare.tokens("o200k")).to_have_text(str(count("o200k_base", text)))
    compare.unfold(PLACES)
    compare.unfold("The bill")
    page.get_by_label("Reason").select_option(index=2)
    show_side_by_side(page)
    page.get_by_label("Context window").select_option("4096")
    page.get_by_role("spinbutton", name="Price of a million tokens, o200k").fill("3")
    page.get_by_text("Another text under the same tokenizer").click()
    page.get_by_label("Under").select_option(label="cl100k")
    page.get_by_label("A second text").fill(second)
    page.get_by_role("button", name="Next difference").click()
    page.get_by_role("button", name="Next difference").click()
    menus = ("Reason", "Context window")
    said = {name: page.get_by_role("combobox", name=name).input_value() for name in menus}
    place, card = compare.place.inner_text(), compare.card.locator(".picture").inner_text()
    link = share(page)
    fresh = browser.new_context()
    watched.watch(fresh)
    opened = fresh.new_page()
    opened.goto(link)
    expect(opened.get_by_label("Your text", exact=True)).to_have_value(text)
    for number, name in enumerate(("Reference", "Compared tokenizer (1)", "Compared tokenizer (2)")):
        expect(opened.get_by_role("combobox", name=name)).to_have_value(
            re.compile(("GPT-2", "cl100k", "o200k")[number])
        )
    expect(opened.get_by_role("radio", name="side by side")).to_be_checked()
    for name, value in said.items():
        expect(opened.get_by_role("combobox", name=name)).to_have_value(value)
    expect(opened.get_by_role("spinbutton", name="Price of a million tokens, o200k")).to_have_value("3")
    expect(opened.get_by_label("A second text")).to_have_value(second)
    expect(opened.get_by_label("Under")).to_have_value("cl100k_base")
    expect(opened.get_by_label("Difference", exact=True).first).to_have_text(place)
    picture = opened.get_by_role("region", name="Difference", exact=True).locator(".picture")
    expect(picture).to_have_text(card, use_inner_text=True)
    fresh.close()


def test_a_link_to_a_difference_leads_there_once(page: Page, widgets_url: str) -> None:
    fields = urlencode({"text": packed(b"DON'T or 1234567"), "compare": "gpt2,cl100k_base", "at": "8"})
    compare = ComparePage.open(page, f"{widgets_url}compare#{fields}&tour=3")  # a field of no meaning
    expect(compare.place).to_have_text("2 of 3")
    compare.write("CAN'T or 7654321")
    expect(compare.place).to_have_text("3 differences")
    expect(compare.card).to_be_hidden()


def test_link_with_a_filter_that_matches_nothing(page: Page, widgets_url: str) -> None:
    page.goto(f"{widgets_url}compare#sample=differences-classics&compare=gpt2,cl100k_base&kind=7")
    expect(page.get_by_label("Difference", exact=True).first).to_have_text("no differences of this kind")
    expect(page.get_by_role("combobox", name="In", exact=True).locator("option:checked")).to_have_text(
        "Greek letters (0)"
    )


# Accessibility


def test_axe_finds_nothing_serious(compare: ComparePage) -> None:
    compare.unfold(PLACES)
    expect(compare.page.locator(".cause p").first).not_to_be_empty()
    expect_accessible_in_all_looks(compare.page)


def test_axe_finds_nothing_serious_in_the_dock_and_side_by_side(compare: ComparePage) -> None:
    page = compare.page
    page.get_by_role("button", name="Next difference").click()
    expect(compare.card.locator(".sentence")).not_to_be_empty()
    show_side_by_side(page)
    page.get_by_text("Another text under the same tokenizer").click()
    page.get_by_label("A second text").fill("x")
    page.get_by_text("Save the differences").click()
    expect(page.locator(".two-texts tbody")).not_to_be_empty()
    expect_accessible_in_all_looks(page)


def test_presenter_mode_has_large_type_and_no_sideways_scrolling(compare: ComparePage) -> None:
    page = compare.page
    page.set_viewport_size({"width": 1280, "height": 720})
    compare.text.focus()
    page.keyboard.press("f")
    page.keyboard.press("n")
    expect(compare.card.locator(".sentence")).not_to_be_empty()
    sizes = page.locator(".tokviz.compare").evaluate(
        """root => {
            const sizes = {};
            const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
            for (let text = texts.nextNode(); text; text = texts.nextNode()) {
                const parent = text.parentElement;
                if (!text.data.trim() || !parent.checkVisibility() || parent.matches(".unseen")) continue;
                sizes[text.data] = Math.min(sizes[text.data] ?? 99, parseFloat(getComputedStyle(parent).fontSize));
            }
            return sizes;
        }"""
    )
    assert len(sizes) > 30
    assert {text: size for text, size in sizes.items() if size < 20} == {}
    assert page.evaluate("document.documentElement.scrollWidth") == 1280
