"""The pages of a lattice and of longest matches: they show what the package computes, and can be walked by keys."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import BrowserContext, Page, expect

import tokviz
from pages import open_file
from tokviz.subwords.unigram import UnigramModel
from tokviz.subwords.word_piece import WordPieceModel
from tokviz.tokenizers.engines.segments import Segment
from tokviz.tokenizers.lattice import TextLattice
from tokviz.tokenizers.matches import TextMatches
from tokviz.widgets import lattices, longest_matches

SCORES = {"a": -3.0, "b": -4.0, "ab": -5.0, "abc": -9.0, "c": -1.0}
"""The example of `subwords/unigram.py`."""


def whole(text: str) -> list[Segment]:
    return [Segment(text, np.array([len(text[:i].encode()) for i in range(len(text) + 1)], np.int32))]


def opened(context: BrowserContext, path: Path, html: str) -> Page:
    path.write_text(html, "utf-8")
    return open_file(context, path)


@pytest.fixture
def lattice(context: BrowserContext, tmp_path: Path) -> Page:
    model = UnigramModel({piece: i for i, piece in enumerate(SCORES, 1)}, np.array([0.0, *SCORES.values()]), -19.0, 0)
    named = tokviz.WordTokenizer.from_text("a")  # its token 0 is <unk>, too
    shown = TextLattice(named, named.tokenize("abc🍕"), model, whole("abc🍕"), 3)
    return opened(context, tmp_path / "lattice.html", lattices.page(shown))


def on_way(page: Page) -> list[str]:
    return page.locator(".fit.on-way bdi").all_inner_texts()


def test_all_pieces_that_fit_and_the_best_ways_are_shown(lattice: Page) -> None:
    expect(lattice.locator(".fit")).to_have_count(6)
    assert sorted(lattice.locator(".fit bdi").all_inner_texts()) == sorted(["a", "b", "ab", "abc", "c", "🍕"])
    assert sorted(on_way(lattice)) == ["ab", "c", "🍕"]
    assert lattice.locator(".way .score").all_inner_texts() == ["−25.00", "−27.00", "−28.00"]
    expect(lattice.locator(".why")).to_contain_text("That is 2.00 lower, 7.4 times less likely.")


def test_keys_go_through_ways_and_pieces(lattice: Page) -> None:
    lattice.locator(".way").first.focus()
    lattice.keyboard.press("ArrowDown")
    assert sorted(on_way(lattice)) == ["a", "b", "c", "🍕"]
    lattice.keyboard.press("ArrowDown")
    assert sorted(on_way(lattice)) == ["abc", "🍕"]
    lattice.keyboard.press("ArrowRight")
    expect(lattice.locator(".why")).to_contain_text("With it, the best way has")
    expect(lattice.locator(".fit.chosen")).to_be_focused()
    lattice.keyboard.press("Escape")
    expect(lattice.locator(".fit.chosen")).to_have_count(0)


def test_a_clicked_piece_says_what_it_costs(lattice: Page) -> None:
    lattice.get_by_role("button", name="abc, id 4, score −9.00").click()
    expect(lattice.locator(".why")).to_contain_text("That is 3.00 lower, 20 times less likely.")


@pytest.fixture
def matches(context: BrowserContext, tmp_path: Path) -> Page:
    model = WordPieceModel({"[UNK]": 0, "un": 1, "##aff": 2, "##able": 3}, 0)
    tokenizer = tokviz.WordTokenizer.from_text("a")
    found = TextMatches(tokenizer, "un unaffable", model, [*whole("un"), *whole("unaffable")])
    return opened(context, tmp_path / "matches.html", longest_matches.page(found))


def test_each_look_is_a_block_and_what_is_found_is_a_token(matches: Page) -> None:
    matches.locator(".matches").focus()
    expect(matches.locator(".word[aria-pressed=true]")).to_have_text("un")  # the first word, whatever its tokens
    matches.keyboard.press("ArrowDown")
    for _ in range(8):
        matches.keyboard.press("Space")
    assert matches.locator(".look bdi").all_inner_texts()[-2:] == ["una", "un"]
    assert matches.locator(".look.found bdi").all_inner_texts() == ["un"]
    expect(matches.locator(".why")).to_contain_text("un is a piece, id 1: the longest that fits.")
    matches.keyboard.press("End")
    assert matches.locator(".look.found bdi").all_inner_texts() == ["un", "##aff", "##able"]
    cut_off = "pieces => pieces.filter((piece) => piece.scrollWidth > piece.clientWidth + 1).length"
    assert matches.locator(".look.found bdi").evaluate_all(cut_off) == 0
    expect(matches.get_by_role("button", name="next")).to_be_disabled()
    matches.set_viewport_size({"width": 200, "height": 800})
    expect(matches.locator(".look.found.towards-start")).not_to_have_count(0)  # there is no room at the end
    assert matches.locator(".figure").evaluate("figure => figure.scrollWidth <= figure.clientWidth")
    matches.keyboard.press("ArrowLeft")
    expect(matches.locator(".position")).to_have_text("look 13 of 14")
    word = matches.get_by_role("button", name="un", exact=True)
    word.press("Enter")
    expect(word).to_have_attribute("aria-pressed", "true")
    expect(word).to_be_focused()
