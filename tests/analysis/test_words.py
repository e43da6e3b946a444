"""Words: those of the standard's rules one by one."""

import numpy as np
import pytest
import reference
import regex
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import examples

from tokviz.analysis.cost.units import _CLASSES, FlagTable, word_count, words_of
from tokviz.samples import samples


def found_in(text: str) -> list[str]:
    words = words_of(text)
    return [text[start:end] for start, end in zip(words.starts.tolist(), words.ends.tolist(), strict=True)]


@examples(800)
@given(st.text(st.sampled_from("ab1,א가世ばカ_‿:.;'’\"🇩ℹ🍕! \n\r\u0301\u200d\u00ad\u3000"), max_size=12))
@example("世\u200dℹ")
@example("\u200dℹ")
@example("a.1,2'b")
def test_texts_have_the_words_of_the_rules_one_by_one(text: str) -> None:
    assert found_in(text) == [text[start:end] for start, end in reference.words(text)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("don't", 1),
        ("Don’t panic!", 2),
        ("1,234.56", 1),
        ("I'm sure it's John's e-mail", 6),
        ("snake_case 12 __", 2),
        ("नमस्ते दुनिया", 2),
        ("世界", None),
        ("東京へ行く。", None),
        ("สวัสดี", None),
        ("ភាសាខ្មែរ", None),
        ("မြန်မာ", None),
        ("안녕 세상", 2),
        ("The word 世界 means world", 6),
        ("🍕 123", 1),
        ("I ❤️ you 👩‍🚀 🇩🇪", 2),
        ("cafe\u0301 \u0301", 1),
    ],
)
def test_numbers_of_words(text: str, words: int | None) -> None:
    assert word_count(text) == words


@pytest.mark.parametrize("characters", ["🇩", "\u0301", "a", "'", "a'", "a\u0301", "\n\u200d"])
def test_a_text_of_a_megabyte_is_counted_in_linear_time(characters: str) -> None:
    """Looking back through a run from each of its places would take hours."""
    words = {"a": 1, "a'": 1, "a\u0301": 1}
    assert word_count(characters * 300_000) == words.get(characters, 0)


def test_flags_are_those_of_each_character() -> None:
    """Of one code point in 211, also where nothing is assigned."""
    code_points = np.array([*range(0, 0xD800, 211), *range(0xE000, 0x110000, 211), 0xE0001, 0x10FFFF], np.uint32)
    found = FlagTable().look_up(code_points)
    for flag, pattern in _CLASSES.items():
        one = regex.compile(pattern)
        expected = [bool(one.match(chr(code_point))) for code_point in code_points.tolist()]
        assert ((found & flag) != 0).tolist() == expected


def test_the_first_text_waits_for_the_flags_of_its_own_characters_only() -> None:
    """For all characters a key press would wait 0.1 s."""
    table = FlagTable()
    before = np.count_nonzero(table.is_known)
    table.look_up(np.array(list(map(ord, "Don’t")), np.uint32))
    assert np.count_nonzero(table.is_known) == before + 2  # Basic Latin, and General Punctuation


def test_which_languages_put_spaces_between_words() -> None:
    unspaced = {sample.lang for sample in samples() if sample.kind == "prose" and word_count(sample.text) is None}
    assert unspaced == {"th", "zh-Hans", "zh-Hant", "ja"}


@examples(50)
@given(st.lists(st.sampled_from(["don't", " ", "\t", "1,2", "\u0301", "🇩", "x\n", "'"]), max_size=40))
def test_a_long_text_is_counted_in_parts(parts: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tokviz.texts._PART", 3)
        assert word_count("".join(parts)) == len(found_in("".join(parts)))
