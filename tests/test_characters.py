"""Characters, words and branches: names, counts and pieces, against slower ways to find them."""

import unicodedata

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import examples

import tokviz
from tokviz.analysis.branches import NO_BRANCH, branches, labels, pretoken_branches
from tokviz.analysis.characters import CodePoint, code_points, name_of
from tokviz.analysis.counts import character_count, windows_filled, word_count
from tokviz.bpe import splitting
from tokviz.formats import Preparation, PreparedTokenizer, Split
from tokviz.samples import samples
from tokviz.text import grapheme_offsets

# Letters, marks, jamo, flags, joiners, prepended marks and line ends, side by side.
clusters = st.text(
    st.sampled_from("ab \r\n\té\u0301\u200d🍕👩🏽🇩🇪\u0600\u1100\u1161\u11a8가각क्षิก\x00\u200b"), max_size=30
)
texts = clusters | st.text(st.characters(exclude_categories=["Cs"]))
pattern_texts = st.text(st.sampled_from("aBé你'sS’ll  \t\r\n19Ⅷ!?…/ǅʰ\u0301\u2003🍕"), max_size=30) | texts


@examples(300)
@given(texts)
@example("\r\n\u0301")
@example("a\r\r\n\n\u200dक्ष")
@example("🇩🇪🇫" * 3)
def test_characters_are_grapheme_clusters(text: str) -> None:
    assert character_count(text) == len(grapheme_offsets(text)) - 1


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.name)
def test_characters_of_the_samples(sample: "tokviz.samples.Sample") -> None:
    assert character_count(sample.text) == len(grapheme_offsets(sample.text)) - 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("Don't panic!", 3),
        ("snake_case 12", 2),
        ("नमस्ते दुनिया", 2),
        ("世界", None),
        ("東京へ行く。", None),
        ("สวัสดี", None),
        ("ភាសាខ្មែរ", None),
        ("မြန်မာ", None),
        ("안녕 세상", 2),
        ("The word 世界 means world", 5),
        ("🍕 123", 1),
        ("I ❤️ you 👩‍🚀", 2),
        ("cafe\u0301 \u0301", 1),
    ],
)
def test_words(text: str, words: int | None) -> None:
    assert word_count(text) == words


def test_which_languages_space_their_words() -> None:
    unspaced = {sample.lang for sample in samples() if sample.kind == "prose" and word_count(sample.text) is None}
    assert unspaced == {"th", "zh-Hans", "zh-Hant", "ja"}


@pytest.mark.parametrize(
    ("tokens", "window", "filled"), [(671, 50, 14), (0, 50, 0), (50, 50, 1), (51, 50, 2), (1, 1, 1)]
)
def test_windows(tokens: int, window: int, filled: int) -> None:
    assert windows_filled(tokens, window) == filled


def test_a_window_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="1 token or more"):
        windows_filled(10, 0)


def test_code_points() -> None:
    assert code_points("c🍕") == [
        CodePoint("U+0063", "LATIN SMALL LETTER C", "c"),
        CodePoint("U+1F355", "SLICE OF PIZZA", "🍕"),
    ]


@pytest.mark.parametrize(
    "char", [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))], ids=lambda char: hex(ord(char))
)
def test_control_characters_have_the_names_that_unicode_knows_them_by(char: str) -> None:
    assert unicodedata.lookup(name_of(char)) == char


@pytest.mark.parametrize(
    ("char", "name"),
    [
        ("\n", "LINE FEED"),
        ("\0", "NULL"),
        ("你", "CJK UNIFIED IDEOGRAPH-4F60"),
        ("\ue000", "private use: it means what its users agree on"),
        ("\ufffe", "never a character"),
        ("\U0010ffff", "never a character"),
        ("\ud800", "half of a surrogate pair"),
    ],
)
def test_names(char: str, name: str) -> None:
    assert name_of(char) == name


def test_what_is_not_assigned_says_in_which_edition() -> None:
    assert regex.fullmatch(r"not assigned in Unicode \d+(\.\d+)*", name_of("\U000e0ff0"))


@examples(300)
@given(pattern_texts, st.sampled_from(["gpt2", "cl100k", "o200k", "words"]))
def test_branches_cut_as_splitting_does_and_match_what_they_say(text: str, name: str) -> None:
    pattern = splitting.PATTERNS[name]
    found = branches(text, pattern)
    assert [piece for piece, _ in found] == splitting.split(text, pattern)
    assert all(branch < len(labels(pattern)) for _, branch in found)


def test_branches_in_words() -> None:
    pattern = splitting.PATTERNS["cl100k"]
    names = labels(pattern)
    assert [(piece, names[branch]) for piece, branch in branches("I'll  pay 1234!\n\n x ", pattern)] == [
        ("I", "letters"),
        ("'ll", "contraction"),
        (" ", "white space before a word"),
        (" pay", "letters"),
        (" ", "white space"),
        ("123", "digits"),
        ("4", "digits"),
        ("!\n\n", "punctuation"),
        (" x", "letters"),
        (" ", "white space at the end"),
    ]


@pytest.mark.parametrize("pattern", [None, "b+"])
def test_other_patterns_have_no_branches(pattern: str | None) -> None:
    assert labels(pattern) == []
    assert {branch for _, branch in branches("abba", pattern)} == {NO_BRANCH}
    assert [piece for piece, _ in branches("abba", pattern)] == splitting.split("abba", pattern)


def test_several_patterns_have_no_branches() -> None:
    base = tokviz.load("gpt2")
    split = PreparedTokenizer("split", base.vocab, {}, Preparation(splits=(Split(r"\d"), Split(r"\s+"))))
    pieces = ["1", " ", "2", " ", "3"]
    assert pretoken_branches(split, "1 2 3") == [(piece, NO_BRANCH) for piece in pieces] != []
    assert split.pretokens("1 2 3") == pieces
    one = PreparedTokenizer("one", base.vocab, {}, Preparation(splits=(Split(splitting.PATTERNS["gpt2"]),)))
    assert pretoken_branches(one, "it's 1") == pretoken_branches(base, "it's 1")


def test_a_special_token_is_a_piece_without_branch() -> None:
    tokenizer = tokviz.load("gpt2")
    text = "a<|endoftext|> b"
    assert pretoken_branches(tokenizer, text, tokenizer.special_tokens) == [
        ("a", 1),
        ("<|endoftext|>", NO_BRANCH),
        (" b", 1),
    ]
    assert [piece for piece, _ in pretoken_branches(tokenizer, text)] == tokenizer.pretokens(text)


@pytest.mark.parametrize("end_of_word", [None, "</w>"])
def test_pretokens_of_trained_tokenizers(end_of_word: str | None) -> None:
    text = "low lower<s>  lowest!"
    tokenizer = tokviz.train(
        text, num_merges=3, split_pattern="gpt2", alphabet="characters", end_of_word=end_of_word, special_tokens=["<s>"]
    )
    pieces = pretoken_branches(tokenizer, text, ["<s>"])
    assert [piece for piece, _ in pieces] == tokenizer.pretokens(text, ["<s>"])
