"""The Compare page: blocks under their characters, walking through the differences, and what the numbers say."""

import csv
import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import pytest
import regex
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Locator, Page, expect

import tokviz
from tokviz.analysis.classes import CLASSES
from tokviz.analysis.reasons import Reason
from tokviz.samples import sample

CLASSICS = sample("differences-classics").text
PAIR = ("gpt2", "cl100k_base")


def count(tokenizer: str, text: str) -> int:
    return len(tokviz.load(tokenizer).encode(text))


def save(page: Page, label: str, folder: Path) -> Path:
    """Press a button under "Save the differences", and return the file that the browser saved."""
    with page.expect_download() as saved:
        page.get_by_role("button", name=label, exact=True).click()
    path = folder / saved.value.suggested_filename
    saved.value.save_as(path)
    return path


class ComparePage:
    """The page's parts, found as a person finds them: by their labels."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        page.goto(url)
        page.get_by_role("link", name="Compare").click()
        self.editor = page.get_by_label("Your text", exact=True)
        self.score = page.get_by_role("group", name=re.compile("Aligned view"))
        self.place = page.get_by_label("Difference", exact=True).first
        self.card = page.get_by_role("region", name="Difference", exact=True)
        expect(self.blocks.first).to_be_visible()

    @property
    def blocks(self) -> Locator:
        return self.page.locator(".score .block")

    def tokens(self, name: str) -> Locator:
        return self.page.locator(".counts > div").filter(has_text=f"{name} tokens").locator("dd")

    def write(self, text: str) -> None:
        """Replace the text and wait until its bands are drawn."""
        self.editor.fill(text)
        expect(self.tokens("GPT-2")).to_have_text(f"{count('gpt2', text):,}")
        expect(self.page.locator(".score .staffs")).to_contain_text(text.split("\n")[-1][-3:])
        # Fonts may still be on their way.
        self.page.evaluate("document.fonts.ready")


@pytest.fixture
def compare(page: Page, app_url: str) -> ComparePage:
    return ComparePage(page, app_url)


# Where things stand: characters by their index in UTF-16, blocks by band. Boxes are left, right, top.
CHARACTERS = """() => {
    const host = [...document.querySelectorAll("*")].find((each) => each.shadowRoot?.querySelector(".score"));
    const found = [];
    for (const source of host.shadowRoot.querySelectorAll(".source")) {
        const walker = document.createTreeWalker(source, NodeFilter.SHOW_TEXT);
        for (let text = walker.nextNode(); text; text = walker.nextNode()) {
            const whole = text.parentElement.closest(".divided");
            for (let k = 0; k < text.length; k++) {
                const range = document.createRange();
                range.setStart(text, k);
                range.setEnd(text, k + 1);
                const { left, right, top } = (whole ?? range).getBoundingClientRect();
                found.push({ text: text.data[k], left, right, top });
            }
        }
    }
    return found;
}"""
BLOCKS = """() => {
    const host = [...document.querySelectorAll("*")].find((each) => each.shadowRoot?.querySelector(".score"));
    const bands = {};
    for (const block of host.shadowRoot.querySelectorAll(".block")) {
        const { left, right, top, bottom } = block.getBoundingClientRect();
        (bands[block.style.getPropertyValue("--band")] ??= []).push({ left, right, top, bottom });
    }
    return Object.values(bands);
}"""


def utf16(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def whole_groups(text: str, tokenizer: str) -> list[tuple[int, int, int]]:
    """Runs of tokens that together hold whole characters: how many, and from where to where in UTF-16 units."""
    characters = {len(text[: match.end()].encode()): match.end() for match in regex.finditer(r"\X", text)}
    offsets = tokviz.load(tokenizer).tokenize(text).byte_offsets.tolist()
    borders = [0, *(number for number, offset in enumerate(offsets) if offset in characters)]
    place = {0: 0} | {offset: utf16(text[:end]) for offset, end in characters.items()}
    return [(last - first, place[offsets[first]], place[offsets[last]]) for first, last in pairwise(borders)]


@pytest.mark.parametrize(
    "text",
    [
        "DON'T PANIC, IT'S 2026! supercalifragilistic",
        "こんにちは、世界。中文字符",
        "pizza 🍕 and 👩‍👩‍👧 and 🇩🇪 go",
        "naïve cafe\u0301 e\u0302\u0323x",
        "\tone\t\ttwo\tx = 1",
    ],
    ids=["ascii", "cjk", "emoji", "combining", "tabs"],
)
def test_blocks_stand_under_their_characters_within_a_pixel(compare: ComparePage, text: str) -> None:
    compare.write(text)
    characters, bands = compare.page.evaluate(CHARACTERS), compare.page.evaluate(BLOCKS)
    assert "".join(each["text"] for each in characters) == text or len(characters) == utf16(text)
    for tokenizer, blocks in zip(PAIR, bands, strict=True):
        at = 0
        for tokens, start, end in whole_groups(text, tokenizer):
            own = blocks[at : at + tokens]
            at += tokens
            for left, right in pairwise(own):
                assert left["right"] == pytest.approx(right["left"], abs=1)
            assert own[0]["left"] == pytest.approx(min(each["left"] for each in characters[start:end]), abs=1)
            assert own[-1]["right"] == pytest.approx(max(each["right"] for each in characters[start:end]), abs=1)
        assert at == len(blocks)


def uncovered(compare: ComparePage) -> list[dict[str, Any]]:
    """The characters that lack a block of some tokenizer beneath them, in their own row."""
    row = compare.page.locator(".staff").first.evaluate("staff => parseFloat(getComputedStyle(staff).lineHeight)")
    bands = compare.page.evaluate(BLOCKS)

    def covers(block: dict[str, float], character: dict[str, float]) -> bool:
        middle = (character["left"] + character["right"]) / 2
        below = 0 < block["top"] - character["top"] < row
        return below and block["left"] - 1 <= middle <= block["right"] + 1

    drawn = [each for each in compare.page.evaluate(CHARACTERS) if each["right"] > each["left"]]
    assert drawn
    return [each for each in drawn if not all(any(covers(block, each) for block in blocks) for blocks in bands)]


@pytest.mark.parametrize("name", ["prose-ar", "prose-he"])
def test_every_character_of_a_right_to_left_text_is_covered(compare: ComparePage, name: str) -> None:
    compare.write(sample(name).text.split("\n")[2] + " GPT-2 2026")
    assert uncovered(compare) == []


def test_a_long_line_wraps_with_all_its_bands(compare: ComparePage) -> None:
    compare.page.set_viewport_size({"width": 800, "height": 900})
    compare.write("A line of unpretentious words that antidisestablishmentarianism makes long, " * 3)
    assert uncovered(compare) == []
    tops = {block["top"] for blocks in compare.page.evaluate(BLOCKS) for block in blocks}
    assert len(tops) >= 6  # three rows or more, of two bands each


def test_only_what_differs_shows_its_text(compare: ComparePage) -> None:
    compare.write("     hello")
    shown = [text for text in compare.blocks.all_inner_texts() if text]
    assert shown == ["·", "·", "·", "·", "····"]


# Pointing and walking


def test_pointing_lights_all_bands_and_the_card_says_why(compare: ComparePage) -> None:
    compare.page.locator(".block.differs", has_text="istic").hover()
    expect(compare.page.locator(".block.pointed")).to_have_text(["ist", "ice", "xp", "istic", "exp"])
    for piece, token in [("ist", "396"), ("ice", "501"), ("xp", "42372"), ("istic", "4633"), ("exp", "4683")]:
        expect(compare.card.locator(".piece").filter(has=compare.page.get_by_text(piece, exact=True))).to_contain_text(
            token
        )
    expect(compare.card).to_contain_text("merge order")
    expect(compare.card).to_contain_text("both have all these tokens but join them in another order")
    expect(compare.card).to_contain_text("Difference 13 of 13")


def test_what_all_cut_alike_says_so(compare: ComparePage) -> None:
    compare.page.locator(".block:not(.differs)").first.hover()
    expect(compare.card).to_contain_text("All cut this alike")


def test_keys_walk_through_the_differences_and_come_round(compare: ComparePage) -> None:
    expect(compare.place).to_have_text("13 differences")
    compare.score.focus()
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
    expect(compare.card).to_contain_text("cl100k has the token “····”")
    compare.page.keyboard.press("n")
    expect(compare.place).to_have_text("2 of 13")
    compare.page.keyboard.press("p")
    expect(compare.place).to_have_text("1 of 13")
    compare.page.keyboard.press("Escape")
    expect(compare.card).to_contain_text("Point at a block")


def test_letters_typed_into_the_text_walk_nowhere(compare: ComparePage) -> None:
    compare.editor.press_sequentially("np")
    expect(compare.place).to_have_text(re.compile("differences"))


def test_reasons_and_classes_filter_the_walk(compare: ComparePage) -> None:
    compare.page.get_by_label("Reason").select_option(label="merge order (2)")
    expect(compare.place).to_have_text("2 differences")
    compare.page.get_by_role("button", name="next").click()
    expect(compare.place).to_have_text("1 of 2")
    expect(compare.card).to_contain_text("supercal")
    compare.page.get_by_label("Reason").select_option(label="any reason")
    compare.page.get_by_role("combobox", name="In", exact=True).select_option(label="digits (2)")
    expect(compare.place).to_have_text("2 differences")


def test_the_table_says_the_same_in_words(compare: ComparePage) -> None:
    compare.page.get_by_text("All differences as a table").click()
    rows = compare.page.get_by_role("region", name="Differences").get_by_role("row")
    expect(rows).to_have_count(14)
    cells = rows.nth(13).get_by_role("cell")
    expect(cells).to_contain_text(["13", "isticexp", "ist | ice | xp", "istic | exp", "merge order", "another order"])


# Any text, any tokenizers


def test_typing_compares_anew(compare: ComparePage) -> None:
    compare.write("")
    compare.editor.press_sequentially("1234567")
    expect(compare.place).to_have_text("1 difference")
    expect(compare.tokens("cl100k")).to_have_text("3")


def test_a_third_tokenizer_gets_a_band_and_can_go_again(compare: ComparePage) -> None:
    compare.page.get_by_role("button", name="compare one more").click()
    third = compare.page.get_by_role("combobox", name="Compared with it (2)")
    third.fill("gpt-4o")
    compare.page.keyboard.press("Enter")
    expect(compare.tokens("o200k")).to_have_text(str(count("o200k_base", CLASSICS)))
    expect(compare.page.locator(".staff .name").filter(has_text="o200k").first).to_be_visible()
    compare.page.get_by_role("button", name="Leave out GPT-2").click()
    expect(compare.tokens("GPT-2")).to_have_count(0)
    expect(compare.page.get_by_role("combobox", name="Reference")).to_have_value("cl100k (GPT-4, GPT-3.5)")


def test_a_megabyte_is_drawn_near_the_viewport_only_and_walked_to_its_end(compare: ComparePage) -> None:
    text = ("It's 1234567 o'clock.\n    if x:\n        pass\n" * 25_000)[:1_000_000]
    compare.editor.evaluate(
        """(box, text) => { box.value = text; box.dispatchEvent(new Event("input", { bubbles: true })) }""", text
    )
    expect(compare.tokens("GPT-2")).to_have_text(f"{count('gpt2', text):,}")
    assert compare.blocks.count() < 5000
    compare.score.focus()
    compare.page.keyboard.press("End")
    expect(compare.page.locator(".block.chosen").first).to_be_in_viewport()
    expect(compare.card).to_contain_text("cl100k")
    expect(compare.card.locator(".sentence")).not_to_be_empty()
    assert compare.blocks.count() < 5000


# The guided tour


class Tour:
    """The tour, as a person takes it."""

    def __init__(self, compare: ComparePage) -> None:
        self.page = compare.page
        self.panel = compare.page.get_by_role("region", name="Guided tour")
        self.start = compare.page.get_by_role("button", name="guided tour")
        self.next = self.panel.get_by_role("button", name="next stop")
        self.back = self.panel.get_by_role("button", name="back")
        self.close = self.panel.get_by_role("button", name="End the tour")


# Where the tour stops in the classics, in bytes: what stands before, and the place.
STOPS = [
    ("", "     hello"),
    ("DON", "'T"),
    ("IT'S", " 2026"),
    ("ready", ":\n"),
    (":\n", "    print"),
    ("\n123", "4567"),
    ("pizza", " 🍕"),
    ("🍕 ", "你好"),
    ("fragil", "isticexp"),
]
PLAIN = {
    Reason.SPLIT: "before any merging",
    Reason.VOCABULARY: "another doesn't have",
    Reason.ORDER: "in another order",
    Reason.ALPHABET: "begin with the same pieces",
}


def stopped_at(comparison: tokviz.Comparison, before: str, place: str) -> int:
    """The first segment that differs in a place, or else the first one there."""
    text = comparison.text
    start = len(text[: text.index(before + place) + len(before)].encode())
    end = start + len(place.encode())
    there = [number for number, segment in enumerate(comparison) if segment.start < end and segment.end > start]
    return next((number for number in there if number in comparison.differing), there[0])


@pytest.mark.parametrize("other", ["cl100k_base", "o200k_base", "p50k_base"])
def test_the_tour_says_of_each_classic_what_is_true_of_these_tokenizers(compare: ComparePage, other: str) -> None:
    picker = compare.page.get_by_role("combobox", name="Compared with it")
    picker.fill(other)
    compare.page.keyboard.press("Enter")
    name = other.removesuffix("_base")
    expect(compare.tokens(name)).to_have_text(str(count(other, CLASSICS)))
    comparison = tokviz.compare(CLASSICS, ["gpt2", other], names=["GPT-2", name])
    tour = Tour(compare)
    tour.start.click()
    for number, (before, place) in enumerate(STOPS, start=1):
        expect(tour.panel).to_contain_text(f"{number} of 9")
        segment = stopped_at(comparison, before, place)
        ours, theirs = map(len, comparison[segment].ids)
        explained = comparison.explain(segment, 1)
        if explained:
            expect(tour.panel).to_contain_text(f"GPT-2 makes {ours} token{'s' * (ours > 1)} of it, {name} {theirs}.")
            for reason, says in PLAIN.items():
                assert (says in tour.panel.inner_text()) == (reason in explained.reasons)
            expect(compare.card).to_contain_text(explained.sentence)
        else:
            expect(tour.panel).to_contain_text(f"All of them cut this alike: {ours} token")
        expect(compare.page.locator(".block.chosen")).to_have_count(ours + theirs)
        expect(compare.page.locator(".block.chosen").first).to_be_in_viewport()
        if number < len(STOPS):
            tour.next.click()
    tour.panel.get_by_role("button", name="end", exact=True).click()
    expect(tour.panel).to_be_hidden()
    expect(compare.card).to_contain_text("Point at a block")


def test_the_tour_is_taken_by_key_in_presenter_mode(compare: ComparePage) -> None:
    page, tour = compare.page, Tour(compare)
    page.set_viewport_size({"width": 1280, "height": 720})
    compare.score.focus()
    page.keyboard.press("f")
    tour.start.focus()
    page.keyboard.press("Enter")
    expect(tour.panel).to_contain_text("1 of 9")
    expect(tour.next).to_be_focused()
    expect(tour.back).to_be_disabled()
    for key, place in [("Enter", 2), ("n", 3), ("p", 2)]:
        page.keyboard.press(key)
        expect(tour.panel).to_contain_text(f"{place} of 9")
    expect(tour.panel).to_be_in_viewport(ratio=1)
    expect(page.locator(".block.chosen").first).to_be_in_viewport()
    page.keyboard.press("f")
    page.keyboard.press("Escape")
    expect(tour.panel).to_be_hidden()
    expect(tour.start).to_be_focused()


def test_the_tour_gives_ones_own_text_back(compare: ComparePage) -> None:
    tour = Tour(compare)
    compare.write("my own words, 12345")
    tour.start.click()
    expect(tour.panel).to_contain_text("GPT-2 makes 4 tokens of it")
    expect(compare.editor).to_have_value(CLASSICS)
    tour.close.click()
    expect(compare.editor).to_have_value("my own words, 12345")
    expect(compare.tokens("GPT-2")).to_have_text(str(count("gpt2", "my own words, 12345")))


def test_the_tour_ends_where_its_text_is_gone(compare: ComparePage) -> None:
    tour = Tour(compare)
    tour.start.click()
    expect(tour.panel).to_be_visible()
    compare.editor.fill("another text")
    expect(tour.panel).to_be_hidden()
    expect(compare.editor).to_have_value("another text")


def test_on_a_phone_the_tour_stands_under_the_text_that_it_speaks_of(compare: ComparePage) -> None:
    page, tour = compare.page, Tour(compare)
    page.set_viewport_size({"width": 375, "height": 740})
    tour.start.click()
    for _ in range(8):
        tour.next.click()
    expect(tour.panel).to_contain_text("9 of 9")
    expect(tour.panel).to_be_in_viewport(ratio=1)
    for block in compare.page.locator(".block.chosen").all():
        expect(block).to_be_in_viewport(ratio=0.9)
    assert page.evaluate("document.documentElement.scrollWidth") == 375


# What leaves the page


def test_differences_are_saved_as_they_are(compare: ComparePage, tmp_path: Path) -> None:
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


def test_only_what_the_filter_leaves_is_saved(compare: ComparePage, tmp_path: Path) -> None:
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
    path = save(compare.page, "web page", tmp_path)
    assert path.name == "differences.html"
    context.set_offline(True)
    asked: list[str] = []
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": 800})
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    expect(page.get_by_role("heading", name="Same text, different tokens: GPT-2 and cl100k")).to_be_visible()
    assert page.locator(".source").all_text_contents() == [text]
    expected = tokviz.compare(text, PAIR, names=["GPT-2", "cl100k"])
    card = page.get_by_role("region", name="Difference", exact=True)
    page.get_by_role("group", name=re.compile("Aligned view")).focus()
    for place, number in enumerate(expected.differing, start=1):
        page.keyboard.press("ArrowRight")
        expect(card).to_contain_text(f"Difference {place} of {len(expected.differing)}")
        explained = expected.explain(number, 1)
        assert explained
        expect(card).to_contain_text(explained.sentence)
        expect(page.locator(".block.chosen")).to_have_count(sum(map(len, expected[number].ids)))
    page.get_by_text("All differences as a table").click()
    rows = page.get_by_role("region", name="Differences").get_by_role("row")
    expect(rows).to_have_count(len(expected.differing) + 1)
    page.get_by_text("Save the differences").click()
    assert len(json.loads(save(page, "JSON", tmp_path).read_text("utf-8"))) == len(expected.differing)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert not [url for url in asked if not url.startswith(("file:", "blob:"))]


# For everybody


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 1280])
def test_axe_finds_nothing_serious(page: Page, app_url: str, scheme: Literal["light", "dark"], width: int) -> None:
    page.emulate_media(color_scheme=scheme)
    ComparePage(page, app_url)
    page.set_viewport_size({"width": width, "height": 800})
    page.get_by_text("All differences as a table").click()
    expect(page.locator("td.sentence").first).not_to_be_empty()
    found = Axe().run(page).response["violations"]
    serious = [
        f"{violation['id']}: {violation['help']}: {[node['html'][:200] for node in violation['nodes'][:3]]}"
        for violation in found
        if violation["impact"] in ("serious", "critical")
    ]
    assert not serious, "\n".join(serious)
