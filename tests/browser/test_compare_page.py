"""The Compare page: blocks under their characters, walking through the differences, and what the numbers say."""

import re
from itertools import pairwise
from typing import Any, Literal

import pytest
import regex
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

import tokviz
from tokviz.samples import sample

CLASSICS = sample("differences-classics").text
PAIR = ("gpt2", "cl100k_base")


def count(tokenizer: str, text: str) -> int:
    return len(tokviz.load(tokenizer).encode(text))


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
