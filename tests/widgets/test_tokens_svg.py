"""Tests of tokens as pictures, against the tokenizers' own tokens."""

from itertools import pairwise
from xml.etree import ElementTree

import pytest

import tokviz
from tokviz import export
from tokviz.widgets.svg import palette
from tokviz.widgets.text_columns import COLUMN
from tokviz.widgets.tokens_svg import Kind, tokens_svg

SVG = "{http://www.w3.org/2000/svg}"
GPT2 = tokviz.load("gpt2")


def shapes(picture: str, kind: str) -> list[dict[str, str]]:
    root = ElementTree.fromstring(picture)
    return [{**each.attrib, "text": each.text or ""} for each in root.iter(f"{SVG}{kind}")]


def test_each_token_has_a_box_as_wide_as_its_letters_and_the_number_stands_beneath() -> None:
    text = "It's 4567 cats <&>"
    picture = export.to_svg(GPT2, text)
    boxes = shapes(picture, "rect")[1:]  # without the background
    pieces = GPT2.decode_tokens_bytes(GPT2.encode(text))
    column = (float(boxes[0]["width"]) + 1.5) / len(pieces[0])
    assert [round((float(box["width"]) + 1.5) / column) for box in boxes] == [len(piece) for piece in pieces]
    *letters, counts = [each["text"] for each in shapes(picture, "text")]
    assert "".join(letters) == text.replace(" ", "·")
    assert counts == f"gpt2: {len(pieces)} tokens, {len(text)} bytes"


@pytest.mark.parametrize("dark", [False, True])
def test_neighbors_differ_and_a_special_token_is_solid_with_letters_in_the_color_of_the_page(dark: bool) -> None:
    picture = export.to_svg(GPT2, "one two<|endoftext|> three", "all", dark=dark)
    colors = palette(dark)
    boxes = shapes(picture, "rect")[1:]
    assert all(one["fill"] != other["fill"] for one, other in pairwise(boxes))
    tints = {colors[f"tint-{number}"] for number in range(4)}
    assert [box["fill"] in tints for box in boxes] == [True, True, False, True]
    assert boxes[2]["fill"] == colors["ink"]
    *letters, _ = shapes(picture, "text")
    light = "".join(each["text"] for each in letters if each["fill"] == colors["page"])
    assert light == "<|endoftext|>"
    assert {each["fill"] for each in letters} == {colors["page"], colors["ink"]}


def test_what_somebody_typed_is_framed_and_what_replaces_a_word_is_an_outline() -> None:
    kinds = [Kind.ORDINARY, Kind.TYPED, Kind.SPECIAL]
    one, typed, special, frame = shapes(tokens_svg("abc", range(4), kinds, "", 60, ""), "rect")[1:]
    assert typed["fill"] == special["fill"] == palette(False)["ink"] != one["fill"]
    assert (frame["fill"], frame["stroke"]) == ("none", palette(False)["wrong"])
    assert "stroke-dasharray" in frame
    assert float(frame["x"]) < float(typed["x"]) < float(frame["x"]) + float(frame["width"])
    words = tokviz.WordTokenizer(["the", " "])
    known, _, unknown, _, named = shapes(export.to_svg(words, "the cat <unk>", "all"), "rect")[1:]
    assert (unknown["fill"], unknown["stroke"]) == ("none", palette(False)["ink"])
    assert (named["fill"], "stroke" in known) == (palette(False)["ink"], False)


def written(picture: str) -> list[str]:
    """Return the letters of a picture from left to right."""
    *letters, _ = shapes(picture, "text")
    return [each["text"] for each in sorted(letters, key=lambda each: float(each["x"]))]


def test_letters_and_tokens_stand_in_the_order_in_which_they_are_seen() -> None:
    text = "שלום (abc) 12"
    picture = export.to_svg(tokviz.load("o200k_base"), text)
    assert written(picture) == [*"12·)abc(·", *"םולש"]
    brackets = [each for each in shapes(picture, "text") if each["text"] in ("(", ")")]
    assert [each.get("direction") for each in brackets] == ["rtl", "rtl"]  # in which they are mirrored
    boxes = shapes(picture, "rect")[1:]
    assert sum(float(box["width"]) + 1.5 for box in boxes) == pytest.approx(len(text) * COLUMN)
    first = boxes[0]  # at the right
    assert float(first["x"]) + float(first["width"]) == max(float(box["x"]) + float(box["width"]) for box in boxes)


def test_a_token_that_ends_within_a_joined_word_keeps_the_shapes_of_its_letters() -> None:
    joined = "محمد"
    whole, _ = shapes(export.to_svg(tokviz.load("o200k_base"), joined), "text")
    assert whole["text"] == joined
    *parts, _ = shapes(export.to_svg(GPT2, joined), "text")
    assert [each["text"] for each in parts] == ["م\u200d", "\u200dح\u200d", "\u200dم\u200d", "\u200dد"]
    *apart, _ = shapes(export.to_svg(GPT2, "دار"), "text")  # of which none is joined to the next
    assert [each["text"] for each in apart] == [*"دار"]


@pytest.mark.parametrize(
    "text",
    [
        "مرحبا بالعالم 12%",
        "می\u200cخواهم",
        "שָׁלוֹם hello (world)",
        "",
        "🍕🍕 é e\u0301 👩\u200d💻",
        "\x00\x1b[31m\u200b\r\n\t",
        "你好 世界",
    ],
)
def test_every_text_gives_well_formed_pictures(text: str) -> None:
    ElementTree.fromstring(export.to_svg(GPT2, text, columns=2))


def test_what_has_no_picture_is_refused() -> None:
    with pytest.raises(ValueError, match="1,001 bytes"):
        export.to_svg(GPT2, "a" * 1001)
    with pytest.raises(ValueError, match="direction"):  # whose letters stand in another order
        export.to_svg(GPT2, "\u202eright to left")
    with pytest.raises(ValueError, match="two columns"):
        export.to_svg(GPT2, "a", columns=1)
