"""Tests of comparisons as pictures, against the tokenizers' own boundaries."""

from xml.etree import ElementTree

import pytest

import tokviz
from tokviz import export
from tokviz.widgets.svg import palette

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ["gpt2", "cl100k_base", "o200k_base"]


def shapes(picture: str, kind: str) -> list[dict[str, str]]:
    root = ElementTree.fromstring(picture)
    return [{**each.attrib, "text": each.text or ""} for each in root.iter(f"{SVG}{kind}")]


def rows_of_boxes(picture: str) -> dict[str, list[dict[str, str]]]:
    rows: dict[str, list[dict[str, str]]] = {}
    for box in shapes(picture, "rect")[1:]:  # without the background
        rows.setdefault(box["y"], []).append(box)
    return rows


def test_each_tokenizer_has_a_row_with_its_tokens_and_the_text() -> None:
    text = "It's 4567 cats <&>"
    compared = tokviz.compare(text, NAMES)
    picture = export.comparison_to_svg(compared)
    rows = list(rows_of_boxes(picture).values())
    assert [len(row) for row in rows] == list(compared.token_counts)
    letters = "".join(each["text"] for each in shapes(picture, "text"))
    assert letters == "".join(name + text.replace(" ", "·") for name in NAMES)
    widths = [len(piece) for piece in compared.tokenizations[0].token_bytes]
    column = float(rows[0][0]["width"]) + 1.5
    assert [round((float(box["width"]) + 1.5) / (column / widths[0])) for box in rows[0]] == widths


def test_only_differences_are_colored_and_in_the_color_of_their_tokenizer() -> None:
    compared = tokviz.compare("the cat 4567", NAMES[1::-1])
    for tokenizer, row in enumerate(rows_of_boxes(export.comparison_to_svg(compared)).values()):
        own = palette(False)[f"own-{NAMES.index(compared.names[tokenizer])}"]
        pieces = compared.tokenizations[tokenizer].token_bytes
        differing = {piece for segment in compared.differing for piece in compared[segment].cuts[tokenizer]}
        assert [box["fill"] == own for box in row] == [piece in differing for piece in pieces]


def test_a_special_token_is_solid_with_letters_in_the_color_of_the_page() -> None:
    text = "the<|endoftext|><|fim_prefix|>"  # of which GPT-2 knows the first
    picture = export.comparison_to_svg(tokviz.compare(text, NAMES[:2], allowed_special="all"))
    colors = palette(False)
    solid = [box for box in shapes(picture, "rect") if box["fill"] == colors["ink"]]
    light = "".join(each["text"] for each in shapes(picture, "text") if each["fill"] == colors["page"])
    assert (len(solid), light) == (3, "<|endoftext|>" + text.removeprefix("the"))


def test_lines_end_where_they_are_full_and_at_line_ends() -> None:
    compared = tokviz.compare("abcdefgh\nij", ["gpt2", "cl100k_base"])
    assert len(rows_of_boxes(export.comparison_to_svg(compared, columns=5))) == 2 * 3
    assert len(rows_of_boxes(export.comparison_to_svg(compared))) == 2 * 2


@pytest.mark.parametrize("text", ["", "🍕🍕 é e\u0301 👩\u200d💻", "\x00\x1b[31m\u200b\r\n\t", "你好 世界"])
def test_every_text_gives_well_formed_pictures(text: str) -> None:
    for dark in (False, True):
        ElementTree.fromstring(export.comparison_to_svg(tokviz.compare(text, NAMES), dark=dark))


def test_what_has_no_picture_is_refused() -> None:
    with pytest.raises(ValueError, match="1,001 bytes"):
        export.comparison_to_svg(tokviz.compare("a" * 1001, NAMES))
    with pytest.raises(ValueError, match="direction"):  # whose letters stand in another order
        export.comparison_to_svg(tokviz.compare("\u202eright to left", NAMES))
    with pytest.raises(ValueError, match="two columns"):
        export.comparison_to_svg(tokviz.compare("a", NAMES), columns=1)
