"""Tests of tokens as pictures, against the tokenizers' own tokens."""

from itertools import pairwise
from xml.etree import ElementTree

import pytest

import tokviz
from tokviz import export
from tokviz.widgets.svg import palette

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


def test_neighbors_differ_and_a_special_token_has_an_outline() -> None:
    picture = export.to_svg(GPT2, "one two<|endoftext|> three", "all", dark=True)
    boxes = shapes(picture, "rect")[1:]
    assert all(one["fill"] != other["fill"] for one, other in pairwise(boxes))
    assert {box["fill"] for box in boxes} <= {palette(True)[f"tint-{number}"] for number in range(4)}
    assert ["stroke" in box for box in boxes] == [False, False, True, False]


@pytest.mark.parametrize("text", ["", "🍕🍕 é e\u0301 👩\u200d💻", "\x00\x1b[31m\u200b\r\n\t", "你好 世界"])
def test_every_text_gives_well_formed_pictures(text: str) -> None:
    ElementTree.fromstring(export.to_svg(GPT2, text, columns=2))


def test_what_has_no_picture_is_refused() -> None:
    with pytest.raises(ValueError, match="1,001 bytes"):
        export.to_svg(GPT2, "a" * 1001)
    for text in ("مرحبا", "it says שלום here"):  # in the middle of a line, too, letters have another order
        with pytest.raises(ValueError, match="right to left"):
            export.to_svg(GPT2, text)
    with pytest.raises(ValueError, match="two columns"):
        export.to_svg(GPT2, "a", columns=1)
