"""Spelling of invisible characters: whatever is invisible alone has a name."""

import sys
import unicodedata

import pytest

from tokviz.display import char_name, shown, visible

JOINED = (
    "👩\u200d👧",
    "❤\ufe0f",
    "1\ufe0f\u20e3",
    "葛\ufe00",
    "\u0915\u094d\u200d\u0937",
    "🏴\U000e0067\U000e0062\U000e007f",
)


_LACKED = "\x19\u2028\u2029"
"""Characters whose abbreviations of the code charts (EM, LS, PS) are no aliases in Python's data."""


def test_names_are_abbreviations_of_the_unicode_standard() -> None:
    named = {char: char_name(char) for char in map(chr, range(sys.maxunicode + 1)) if "U+" not in char_name(char)}
    listed = {char: name for char, name in named.items() if not name.startswith("tag ") and char not in _LACKED}
    assert len(listed) > 300  # controls, and 256 variation selectors
    assert {char: unicodedata.lookup(name) for char, name in listed.items()} == {char: char for char in listed}


@pytest.mark.parametrize("category", ["Cc", "Cf", "Zs", "Zl", "Zp"])
def test_no_invisible_character_is_left(category: str) -> None:
    chars = [char for char in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(char) == category]
    spelled = [visible(char) for char in chars]
    # Only some format characters have glyphs, and all these are signs of scripts.
    drawn = [char for char, label in zip(chars, spelled, strict=True) if label == char]
    assert all(("ARABIC" in name or "SYRIAC" in name or "KAITHI" in name) for name in map(unicodedata.name, drawn))
    assert len(set(spelled)) == len(chars)


def test_what_is_part_of_a_glyph_stays_and_is_named_alone() -> None:
    assert [visible(text) for text in JOINED] == list(JOINED)
    assert [visible(char) for char in "\u200d\ufe0f\U000e0067"] == ["[ZWJ]", "[VS16]", "[tag g]"]
    assert visible("a\u200db") == "a[ZWJ]b"
    assert visible("👩\u200d") == "👩[ZWJ]"  # it joins nothing here
    assert shown("🍕\ufe0f".encode()[:2] + "\ufe0f".encode()) == "f0 9f [VS16]"
