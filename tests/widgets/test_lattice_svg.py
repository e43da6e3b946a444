"""A lattice as SVG: well-formed, with every piece that fits and the way in color, and nothing from outside."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter

import pytest
from engine_files import family, sentencepiece_model
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, texts

import tokviz
from tokviz.export import lattice_to_svg
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer
from tokviz.widgets.svg import palette

NS = "{http://www.w3.org/2000/svg}"
TOK = SentencePieceTokenizer("small", sentencepiece_model(model_type="unigram"))
TEXT = "the lowest of the low"


def boxes(svg: str) -> list[tuple[float, float, float, float, str]]:
    """Return the blocks: left, top, right and bottom edge, and color."""
    found = []
    for rect in list(ET.fromstring(svg).iter(f"{NS}rect"))[1:]:
        x, y, width, height = (float(rect.get(name) or 0) for name in ("x", "y", "width", "height"))
        found.append((x, y, x + width, y + height, rect.get("fill") or ""))
    return found


def written(svg: str) -> list[str]:
    return [each.text or "" for each in ET.fromstring(svg).iter(f"{NS}text")]


def test_all_pieces_that_fit_are_drawn_with_their_scores() -> None:
    scores = {piece: score for piece, score in TOK.model.pieces if score}
    normalized = "\u2581" + TEXT.replace(" ", "\u2581")
    fitting = Counter(
        piece
        for start in range(len(normalized))
        for end in range(start + 1, len(normalized) + 1)
        if (piece := normalized[start:end]) in scores
    )
    svg = lattice_to_svg(TOK, TEXT, columns=100)
    found = Counter(written(svg))
    assert len(boxes(svg)) == fitting.total()
    characters = Counter(normalized)
    assert all(found[piece] == times + characters[piece] for piece, times in fitting.items())
    long = [piece for piece in fitting if len(piece) > 1]
    assert all(found[f"{scores[piece]:.2f}".replace("-", "\u2212")] for piece in long)


@pytest.mark.parametrize("way", range(3))
def test_the_pieces_of_a_way_have_the_tints_of_tokens(way: int) -> None:
    tints = {color for name, color in palette(True).items() if name.startswith("tint-")}
    svg = lattice_to_svg(TOK, TEXT, way, columns=100, dark=True)
    colored = sorted(box for box in boxes(svg) if box[4] in tints)
    pieces = TOK.lattice(TEXT, way + 1).ways[way].paths[0].edges
    assert len(colored) == len(pieces)
    assert all(one[4] != other[4] for one, other in zip(colored, colored[1:], strict=False))


@examples(40)
@given(texts(), st.integers(1, 40), st.booleans())
def test_any_text_gives_well_formed_svg_without_overlaps(text: str, columns: int, dark: bool) -> None:
    svg = lattice_to_svg(TOK, text[:100], columns=columns, dark=dark)
    box = [float(value) for value in (ET.fromstring(svg).get("viewBox") or "").split()]
    drawn = boxes(svg)
    for x, y, right, bottom, _ in drawn:
        assert box[0] <= x < right <= box[0] + box[2] and box[1] <= y < bottom <= box[1] + box[3]
    for i, one in enumerate(drawn):
        assert all(
            one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
            for other in drawn[i + 1 :]
        )
    assert not re.search(r"(href|url\(|@import|<script|<style)", svg)


def test_a_special_token_is_framed() -> None:
    tok = HuggingFaceTokenizer("t5", family("t5"))
    svg = lattice_to_svg(tok, "the</s>", allowed_special="all")
    assert "special" in written(svg)
    assert [rect.get("stroke-width") for rect in ET.fromstring(svg).iter(f"{NS}rect") if rect.get("stroke")] == ["2"]


def test_what_can_not_be_drawn() -> None:
    for arguments, error, message in (
        ((tokviz.load("gpt2"), "a"), ValueError, "gpt2 has no lattice"),
        ((HuggingFaceTokenizer("b", family("bert")), "a"), ValueError, "b has no lattice, since its algorithm"),
        ((TOK, "the" * 400), ValueError, "a lattice shows 1,000 at most"),
        ((TOK, "", 1), IndexError, "there are 1 ways"),
        ((TOK, "a", -1), IndexError, "counted from 0"),
        ((TOK, "a", 100), IndexError, "to 99; there is no way 100"),
    ):
        with pytest.raises(error, match=message):
            lattice_to_svg(*arguments)
    with pytest.raises(ValueError, match="at least one column"):
        lattice_to_svg(TOK, "a", columns=0)
