"""A tower as SVG: well-formed, with every token of the step, its text as text, and nothing from outside."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, texts
from subword_models import sentencepiece_model

import tokviz
from tokviz.bpe.tower import blocks_of
from tokviz.display import text_width
from tokviz.export import replay_to_svg
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer
from tokviz.widgets.svg import label_size, shorten

NS = "{http://www.w3.org/2000/svg}"
TEXT = "I'll tokenize pizzas 🍕!"


def written(svg: str) -> list[str]:
    return [each.text or "" for each in ET.fromstring(svg).iter(f"{NS}text")]


def unigram() -> SentencePieceTokenizer:
    return SentencePieceTokenizer("mine", sentencepiece_model("unigram", 400))


@pytest.mark.parametrize("step", range(18))
def test_shows_the_blocks_that_are_there_and_their_merges(step: int) -> None:
    tok = tokviz.load("cl100k_base")
    replay = tok.replay(TEXT)
    blocks = blocks_of(replay, [range(len(replay.symbols))])
    made = [number for number in blocks.steps.tolist() if 0 <= number < step]
    expected = Counter(f"{replay.ranks[number] + 1:,}" for number in made)
    names = [tok.vocab[token].decode("utf-8", "replace").replace(" ", "·") for token in replay.new_ids.tolist()]
    expected += Counter(names[number] for number in made if "\ufffd" not in names[number])
    found = Counter(written(replay_to_svg(tok, TEXT, step)))
    assert not expected - found
    assert not [name for number, name in enumerate(names) if number >= step and found[name]]
    ids = [str(token) for token in tok.encode(TEXT)]
    assert all(found[token] for token in ids) == (step == len(replay))


def test_the_last_step_is_the_default() -> None:
    tok = tokviz.load("gpt2")
    assert replay_to_svg(tok, "hello", len(tok.replay("hello"))) == replay_to_svg(tok, "hello")


@pytest.mark.parametrize("text", [TEXT, "مرحبا بالعالم"], ids=["left to right", "right to left"])
def test_a_bracket_holds_each_pair_that_joins_next_and_a_line_underlines_what_has_just_joined(text: str) -> None:
    """In ink there is no ring: that means "chosen"."""
    tok = tokviz.load("cl100k_base")
    replay = tok.replay(text)
    for step in range(len(replay) + 1):
        drawn = ET.fromstring(replay_to_svg(tok, text, step, columns=200))
        ink = next(drawn.iter(f"{NS}text")).get("fill")
        halves = [re.findall(r"-?[\d.]+", path.get("d") or "") for path in drawn.iter(f"{NS}path")]
        assert len(halves) == 2 * (replay[step].places if step < len(replay) else 0)
        opened = sorted((side, inner) for side, *_, inner in ((float(half[0]), float(half[-1])) for half in halves))
        for (left, middle), (right, other) in zip(opened[::2], opened[1::2], strict=True):
            assert left < middle == other < right
        lines = [rect for rect in drawn.iter(f"{NS}rect") if rect.get("fill") == ink]
        assert len(lines) == (replay[step - 1].places if step else 0)
        assert not [rect for rect in drawn.iter(f"{NS}rect") if rect.get("stroke") == ink]


@pytest.mark.parametrize("name", ["mistral-7b", "qwen3"])
def test_merges_of_other_libraries_are_drawn(name: str) -> None:
    """The blocks of the end are the tokens that the library gives, with what their merges join above them."""
    tok = tokviz.load(name)
    text = "Ünïque cafés 🫠 low lower lower"
    replay = tok.replay(text)
    found = Counter(written(replay_to_svg(tok, text)))
    assert not Counter(str(token) for token in tok.encode(text)) - found
    start = Counter(written(replay_to_svg(tok, text, 0, symbols="ids", columns=7)))
    assert not Counter(map(str, replay.symbols.tolist())) - start
    assert "🫠" in found
    assert "×2" in written(replay_to_svg(tok, text, 0, count_words=True))


def test_merges_of_other_libraries_have_letters() -> None:
    tok = tokviz.load("mistral-7b")
    found = written(replay_to_svg(tok, "low", symbols="letters"))
    assert {"Z", "Y"} <= set(found)


@examples(80)
@given(texts(), st.integers(0, 10**6), st.booleans())
def test_any_text_gives_well_formed_svg(text: str, seek: int, dark: bool) -> None:
    tok = tokviz.load("gpt2")
    step = seek % (len(tok.replay(text)) + 1)
    svg = replay_to_svg(tok, text, step, columns=1 + seek % 30, dark=dark)
    root = ET.fromstring(svg)
    box = [float(value) for value in (root.get("viewBox") or "").split()]
    for rect in root.iter(f"{NS}rect"):
        x, y, width, height = (float(rect.get(name) or 0) for name in ("x", "y", "width", "height"))
        assert box[0] <= x and x + width <= box[0] + box[2] + 0.01
        assert box[1] <= y and y + height <= box[1] + box[3] + 0.01
    assert not re.search(r"(href|url\(|@import|<script|<style)", svg)


def test_words_are_counted() -> None:
    words = " ".join(["low"] * 5 + ["lower"] * 2)
    tok = tokviz.train(words, alphabet="characters", end_of_word="</w>")
    found = written(replay_to_svg(tok, words, 0, count_words=True))
    assert found.count("×5") == found.count("×2") == found.count("×6") == 1
    assert found.count("</w>") == 2
    assert not [text for text in written(replay_to_svg(tok, words, 0)) if text.startswith("×")]
    assert "low</w>" in written(replay_to_svg(tok, words, count_words=True))


def test_symbols_in_other_notations() -> None:
    tok = tokviz.load("cl100k_base")
    replay = tok.replay(TEXT)
    tokens = [*replay.symbols.tolist(), *replay.new_ids.tolist()]
    assert {str(token) for token in tokens} <= set(written(replay_to_svg(tok, TEXT, symbols="ids")))
    assert {tok.vocab[token].hex(" ") for token in tokens} <= set(written(replay_to_svg(tok, TEXT, symbols="hex")))
    textbook = tokviz.train("aaabdaaabac", tie_break="lowest-ids")
    found = written(replay_to_svg(textbook, "aaabdaaabac", symbols="letters"))
    assert [found.count(letter) for letter in "ZYXdc"] == [2, 2, 2, 1, 1]


def test_right_to_left_text_is_mirrored() -> None:
    """The first byte is at the right."""
    tok = tokviz.load("gpt2")
    for text, is_first_left in [("ab cd", True), ("שלום ab", False)]:
        places = [float(each.get("x") or 0) for each in ET.fromstring(replay_to_svg(tok, text, 0)).iter(f"{NS}text")]
        assert (places[-1] > places[-3]) == is_first_left


def test_characters_of_several_code_points_stay_whole() -> None:
    tok = tokviz.train("👩‍👩‍👧‍👦 नमस्ते" * 2, split_pattern=None)
    found = written(replay_to_svg(tok, "👩‍👩‍👧‍👦 नमस्ते", 0))
    assert {"👩‍👩‍👧‍👦", "स्ते"} <= set(found)


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"step": 5}, IndexError, "there is no step 5"),
        ({"step": -1}, IndexError, "there is no step -1"),
        ({"text": "a" * 1001}, ValueError, "1,001 symbols; a picture shows 1,000"),
        ({"columns": 0}, ValueError, "at least one column"),
        ({"text": "letters for many merges, and more of them", "symbols": "letters"}, ValueError, "only 26 merges"),
        ({"symbols": "letters", "order": "pretoken"}, ValueError, "in the order of their ranks"),
        ({"count_words": True, "order": "pretoken"}, ValueError, "count_words needs"),
        ({"tokenizer": tokviz.ByteTokenizer()}, ValueError, "merges nothing"),
        (
            {"tokenizer": tokviz.load("bert-base-uncased")},
            ValueError,
            "merges nothing: .* longest_matches",
        ),
        ({"tokenizer": unigram()}, ValueError, "merges nothing: lattice_to_svg draws"),
    ],
)
def test_refusals(options: dict[str, Any], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        replay_to_svg(**{"tokenizer": tokviz.load("gpt2"), "text": "hello", **options})


def test_a_notebook_shows_the_picture() -> None:
    svg = replay_to_svg(tokviz.load("gpt2"), "hello")
    assert svg._repr_svg_() == svg


@examples(100)
@given(texts().filter(bool), st.integers(1, 20))
def test_labels_fit_their_blocks(text: str, width: int) -> None:
    label = shorten(text, width)
    assert label == text or (label.endswith("…") and text.startswith(label[:-1]))
    assert text_width(label) * label_size(label, width) * 0.6 <= width * 0.95
