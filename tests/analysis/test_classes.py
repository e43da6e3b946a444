"""Text classes of tokens, checked against rules written out for one character at a time."""

import unicodedata

import pytest
import regex
from hypothesis import given
from strategies import examples, texts, unicode_texts

import tokviz
from tokviz.analysis.classes import CLASSES, byte_classes, class_counts, token_classes
from tokviz.samples import parallel_passages

CHARACTERS = tokviz.CharacterTokenizer()


def classes_of(text: str, tokenizer: tokviz.Tokenizer = CHARACTERS) -> list[str]:
    return [CLASSES[number] for number in token_classes(tokenizer.tokenize(text))]


@pytest.mark.parametrize(
    ("chars", "name"),
    [
        (" \t\n\r\u00a0\u3000\u2028", "white space"),
        ("09٣½Ⅷ", "numbers"),
        (".,!?'\"…。$€+<=©→`^", "punctuation and symbols"),
        ("🍕😀🇩", "emoji"),
        ("aZéßªĳﬁ", "Latin letters"),
        ("жЯ", "Cyrillic letters"),
        ("αΩ", "Greek letters"),
        ("世界々", "Han letters"),
        ("あ", "Hiragana letters"),
        ("アー", "Katakana letters"),
        ("한", "Hangul letters"),
        ("ש", "Hebrew letters"),
        ("م", "Arabic letters"),
        ("ह", "Devanagari letters"),
        ("ሀ", "Ethiopic letters"),
        ("ᚠ𐌰𝐀", "other letters"),
        ("\0\x1c\u200b\ufeff\ue000\u0378\U0010ffff", "other"),
    ],
)
def test_a_single_character(chars: str, name: str) -> None:
    for char in chars:
        assert classes_of(char) == [name], f"U+{ord(char):04X}"


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("don't", [("don", "Latin letters"), ("'t", "endings like 's")]),
        ("WE’LL!", [("WE", "Latin letters"), ("’LL", "endings like 's"), ("!", "punctuation and symbols")]),
        ("'so'", [("'", "punctuation and symbols"), ("so", "Latin letters"), ("'", "punctuation and symbols")]),
        ("it'sx", [("it", "Latin letters"), ("'", "punctuation and symbols"), ("sx", "Latin letters")]),
        ("❤", [("❤", "punctuation and symbols")]),
        ("❤\ufe0f1\ufe0f\u20e3", [("❤\ufe0f1\ufe0f\u20e3", "emoji")]),
        ("👩🏽\u200d🚀", [("👩🏽\u200d🚀", "emoji")]),
        ("e\u0301हिन्दी", [("e\u0301", "Latin letters"), ("हिन्दी", "Devanagari letters")]),
    ],
)
def test_characters_among_others(text: str, pieces: list[tuple[str, str]]) -> None:
    assert classes_of(text) == [name for piece, name in pieces for _ in piece]


def test_a_token_has_the_class_of_its_first_non_white_space_character() -> None:
    gpt2 = tokviz.load("gpt2")
    assert gpt2.tokenize("\n  2026 🍕").token_bytes == [b"\n", b" ", b" 20", b"26", b" \xf0\x9f", b"\x8d", b"\x95"]
    assert classes_of("\n  2026 🍕", gpt2) == ["white space"] * 2 + ["numbers"] * 2 + ["emoji"] * 3


def test_a_token_without_bytes_has_the_class_of_its_word() -> None:
    marking = tokviz.train("low 12", alphabet="characters", end_of_word="</w>", num_merges=0)
    names = ["Latin letters"] * 4 + ["white space"] + ["numbers"] * 3
    assert classes_of("low 12", marking) == names


@examples(200)
@given(texts() | unicode_texts(20))
def test_classes_follow_the_general_category(text: str) -> None:
    """Except where a neighbor decides, a character's class follows from Unicode, and all its bytes share it."""
    tokenization = CHARACTERS.tokenize(text)
    plain = regex.sub(r"['’]\p{L}+|.?[\u200d\ufe0f\p{M}\p{Emoji_Modifier}]", "", tokenization.text)
    for char, name in zip(plain, classes_of(plain), strict=True):
        category = unicodedata.category(char)
        if name == "numbers":
            assert category[0] == "N"
        elif name.endswith("letters"):
            assert category[0] == "L" or category == "Cn"
        elif name == "punctuation and symbols":
            assert category[0] in "PS"
        elif name == "emoji":
            assert category in ("So", "Sk", "Cn")
        elif name == "other":
            assert category[0] == "C"
    by_byte = byte_classes(tokenization.text)
    assert len(by_byte) == len(tokenization.data)
    for number, (start, end) in enumerate(zip(tokenization.byte_offsets, tokenization.byte_offsets[1:], strict=False)):
        assert set(by_byte[start:end].tolist()) == {token_classes(tokenization)[number]}


@pytest.mark.parametrize("sample", parallel_passages(), ids=lambda sample: sample.name)
def test_prose_is_mostly_letters_of_its_script(sample: "tokviz.samples.Sample") -> None:
    scripts = {"am": "Ethiopic", "ar": "Arabic", "bn": "Bengali", "el": "Greek", "fa": "Arabic", "he": "Hebrew"}
    scripts |= {"hi": "Devanagari", "hy": "Armenian", "ka": "Georgian", "ko": "Hangul", "ru": "Cyrillic"}
    scripts |= {"ta": "Tamil", "te": "Telugu", "th": "Thai", "uk": "Cyrillic", "ur": "Arabic"}
    scripts |= {"zh-Hans": "Han", "zh-Hant": "Han", "ja": "Hiragana"}
    counts = class_counts(tokviz.load("gpt2").tokenize(sample.text))
    assert CLASSES[counts.argmax()] == f"{scripts.get(str(sample.lang), 'Latin')} letters"
    assert counts.sum() == len(tokviz.load("gpt2").encode(sample.text))
