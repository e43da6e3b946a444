"""Characters and branches: names, counts and pieces, checked against slower methods."""

import tracemalloc
import unicodedata
from functools import cache
from itertools import takewhile

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import disputed, examples
from tokenizer_files import DEEPSEEK, LLAMA3, QWEN

import tokviz
from tokviz.analysis.branches import BETWEEN, NO_BRANCH, NOT_CUT, branch_columns, labels, pretoken_branches
from tokviz.analysis.characters import CodePoint, code_points, name_of
from tokviz.analysis.cost.units import character_count
from tokviz.analysis.known_patterns import COMPLETE
from tokviz.positions import grapheme_offsets
from tokviz.pretokens import splitting
from tokviz.samples import samples

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


@pytest.mark.parametrize("before", range(99_996, 100_001))
def test_characters_that_join_where_a_long_text_is_cut(before: int) -> None:
    """Long texts are looked at in pieces of 100,000 code points."""
    text = "x" * before + "e\u0301\u0301🇩🇪" + "x" * 5
    assert character_count(text) == before + 2 + 5


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.name)
def test_characters_of_the_samples(sample: "tokviz.samples.Sample") -> None:
    assert character_count(sample.text) == len(grapheme_offsets(sample.text)) - 1


def test_code_points() -> None:
    assert code_points("c🍕") == [
        CodePoint("U+0063", "LATIN SMALL LETTER C", "c"),
        CodePoint("U+1F355", "SLICE OF PIZZA", "🍕"),
    ]


@pytest.mark.parametrize(
    "char", [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))], ids=lambda char: hex(ord(char))
)
def test_control_characters_have_their_unicode_aliases(char: str) -> None:
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


def test_unassigned_code_points_name_the_unicode_version() -> None:
    assert regex.fullmatch(r"not assigned in Unicode \d+(\.\d+)*", name_of("\U000e0ff0"))


@cache
def cut_by(*patterns: str) -> tokviz.BPETokenizer:
    return tokviz.BPETokenizer("split", tokviz.load("gpt2").vocab, {})._changed(split_patterns=patterns)


def labelled_pieces(tokenizer: tokviz.Tokenizer, text: str) -> list[tuple[str, str]]:
    names = labels(tokenizer)
    return [(piece, names[branch]) for piece, branch in pretoken_branches(tokenizer, text)]


CUTS: list[tuple[str, ...]] = [
    *((pattern,) for pattern in splitting.PATTERNS.values()),
    (LLAMA3,),
    (QWEN,),
    (r"\p{N}{1,3}", "[一-龥぀-ゟ゠-ヿ]+", DEEPSEEK),
    (r"\p{N}", splitting.PATTERNS["gpt2"]),
    (r"\d", r"\s+"),
    ("b*",),
    (r"a(?=b)|\w+(?!\S)",),
]


@examples(300)
@given(pattern_texts, st.sampled_from(CUTS))
def test_branches_agree_with_splitting_and_match_their_pieces(text: str, patterns: tuple[str, ...]) -> None:
    tokenizer = cut_by(*patterns)
    pieces = [text] if text else []
    for pattern in patterns:
        pieces = [part for piece in pieces for part in splitting.split(piece, pattern)]
    found = labelled_pieces(tokenizer, text)
    assert [piece for piece, _ in found] == pieces
    if len(patterns) == 1:  # with several patterns, a match of the first may be cut further
        matched = [match.group() for match in regex.finditer(patterns[0], text) if match.group()]
        is_undisputed = disputed().isdisjoint(text)
        assert not is_undisputed or [piece for piece, label in found if label != BETWEEN] == matched
    assert all(label != NOT_CUT for _, label in found)


MAY_TAKE_MORE = ("letters", "letters, capitals before small ones", "capital letters")
KINDS = {"letter": r"\p{L}", "mark": r"\p{M}", "": r"\s", "number and ": r"\p{N}", "symbol and ": r"(?s)."}


def kind_of(char: str) -> str:
    return next(kind for kind, pattern in KINDS.items() if splitting.compile_for(char, pattern).match(char))


def label_one_by_one(name: str, piece: str) -> str:
    """Label a match of a branch from the kind of each of its characters."""
    if name not in MAY_TAKE_MORE:
        return name
    kinds = [kind_of(char) for char in piece]
    front = "" if kinds[0] in ("letter", "mark") else kinds.pop(0)
    core = list(takewhile(("letter", "mark").__contains__, kinds))
    ending = ", with 's or such" if len(core) < len(kinds) else ""
    return f"{front}{name if 'letter' in core else 'combining marks'}{ending}"


def cut_one_by_one(text: str, pattern: str) -> list[tuple[str, str]]:
    """Cut a text by a complete pattern: at each place, its branches are tried one after the other."""
    branches = [(name, splitting.compile_for(text, f"(?s){branch}")) for name, branch in COMPLETE[pattern]]
    found: list[tuple[str, str]] = []
    at = 0
    while at < len(text):
        matches = ((name, branch.match(text, at)) for name, branch in branches)
        name, match = next((name, match) for name, match in matches if match)
        label = label_one_by_one(name, match.group())
        if label == "white space, all but the last" and match.end() == len(text):
            label = "white space at the end"
        found.append((text[at : match.end()], label))
        at = match.end()
    return found


@examples(300)
@given(pattern_texts, st.sampled_from(list(COMPLETE)))
@example("(don't DON'T \u0301 \u0301's 1a ½a\x1c\ta's'", splitting.PATTERNS["o200k"])
def test_branches_are_those_that_match_first(text: str, pattern: str) -> None:
    assert labelled_pieces(cut_by(pattern), text) == cut_one_by_one(text, pattern)


@pytest.mark.parametrize("pattern", COMPLETE)
def test_branches_of_the_samples(pattern: str) -> None:
    """As they are, and in ASCII, where another library matches."""
    text = "".join(sample.text[:300] for sample in samples())
    for each in (text, text.encode("ascii", "ignore").decode()):
        assert labelled_pieces(cut_by(pattern), each) == cut_one_by_one(each, pattern)


def test_branches_in_words() -> None:
    assert labelled_pieces(cut_by(splitting.PATTERNS["cl100k"]), "I'll  pay 1234!\n\n x ") == [
        ("I", "letters"),
        ("'ll", ENDINGS),
        (" ", "white space, all but the last"),
        (" pay", "letters"),
        (" ", "white space"),
        ("123", "numbers"),
        ("4", "numbers"),
        ("!\n\n", "neither letters nor numbers"),
        (" x", "letters"),
        (" ", "white space at the end"),
    ]


ENDINGS = "'s, 't, 're and such"

PATTERN_OF_CLAIM = {
    "letters": r"\s?(?=.*\p{L})[\p{L}\p{M}]+",
    "letters, capitals before small ones": r"\s?(?=.*\p{L})[^\P{L}\p{Ll}]*\p{M}*(?:[^\P{L}\p{Lu}\p{Lt}]\p{M}*)*",
    "capital letters": r"\s?[\p{Lu}\p{Lt}]+",
    "combining marks": r"\s?\p{M}+",
    "symbol": r"[^\s\p{L}\p{N}]",
    "'s, 't, 're and such": r"(?i)'(?:[sdmt]|ll|ve|re)",
    "numbers": r" ?\p{N}+",
    "number": r"\p{N}",
    "neither letters nor numbers": r" ?[^\p{L}\p{N}]+",
    "punctuation and symbols": r" ?[\p{P}\p{S}]+[\r\n]*",
    "letters, digits, _ and such": r"[\p{L}\p{M}\p{N}_\u200d]+",
    "anything else": r"(?s)[^\p{L}\p{Nd}_]",
    "line break": r"\s*[\r\n]",
    "white space": r"\s+",
}
"""For each branch name, a pattern of what it claims, derived from the name's words and not from the branch itself."""


def claim(label: str) -> str:
    """The same for a label, which may also name what else a branch took in."""
    name, _, ending = label.partition(", with ")
    front, _, name = name.rpartition(" and ") if name.startswith("symbol and ") else ("", "", name)
    return "".join(PATTERN_OF_CLAIM[part] for part in (front, name, ENDINGS if ending else "") if part)


@pytest.mark.parametrize("pattern", [*map(splitting.PATTERNS.get, ("gpt2", "cl100k", "o200k", "words")), LLAMA3, QWEN])
@pytest.mark.parametrize(
    "text",
    [
        "a  ", "a   !", "\t\ta\t", " \n ", "x\u00a0\u3000", "नमस्ते दुनिया", "น้ำ", "e\u0301", "🍕 👍🏽",
        "nul\0 zwsp\u200b", "世界 iPhone JSONParser HELLO don't DON'T", "§ ½ Ⅷ 5678", "col·lecció", "__init__",
        "'so' 'twas 's 80's", "½ ²³", "(a (A [don't (DON'T", "\u0301\u0302 (\u0301 a\u0301 \u0301a \u0301's", "中Hello",
    ],
)  # fmt: skip
def test_branch_labels_are_true_of_their_pieces(pattern: str, text: str) -> None:
    at = 0
    for piece, label in labelled_pieces(cut_by(pattern), text):
        at += len(piece)
        if label == "white space at the end":
            assert piece.isspace()
            assert at == len(text)
        elif label == "white space, all but the last":
            assert piece.isspace()
            assert text[at].isspace()
            assert not text[at + 1 : at + 2].isspace()
        else:
            assert regex.fullmatch(claim(label), piece), (piece, label)


def test_labels_name_what_else_a_letter_branch_takes_in() -> None:
    o200k = cut_by(splitting.PATTERNS["o200k"])
    assert labelled_pieces(o200k, "(don't DON'T \u0301") == [
        ("(don't", "symbol and letters, capitals before small ones, with 's or such"),
        (" DON'T", "capital letters, with 's or such"),
        (" \u0301", "combining marks"),
    ]
    assert labelled_pieces(cut_by(DEEPSEEK), "1a") == [("1a", "number and letters")]


def test_white_space_is_at_the_end_only_at_the_end_of_the_text() -> None:
    """Several patterns and special tokens end a stretch within the text."""
    gpt2 = tokviz.load("gpt2")
    names = labels(gpt2)
    found = pretoken_branches(gpt2, "a <|endoftext|>b ", gpt2.special_tokens)
    assert [(piece, names[branch]) for piece, branch in found if branch != NO_BRANCH] == [
        ("a", "letters"),
        (" ", "white space before an earlier cut"),
        ("b", "letters"),
        (" ", "white space at the end"),
    ]
    numbers_first = cut_by(r"\p{N}{1,3}", LLAMA3)
    assert [label for piece, label in labelled_pieces(numbers_first, "a 1 ") if piece == " "] == [
        "white space before an earlier cut",
        "white space at the end",
    ]


def test_branches_of_other_families() -> None:
    hello = [("hello", "letters"), ("'ll", ENDINGS), (" ", "white space")]
    assert labelled_pieces(cut_by(LLAMA3), "hello'll 12") == [*hello, ("12", "numbers")]
    assert labelled_pieces(cut_by(QWEN), "hello'll 12") == [*hello, ("1", "number"), ("2", "number")]
    deepseek = cut_by(r"\p{N}{1,3}", "[一-龥぀-ゟ゠-ヿ]+", DEEPSEEK)
    assert labelled_pieces(deepseek, "hi 1234日本'x!\n") == [
        ("hi", "letters"),
        (" ", "white space before an earlier cut"),  # that of the numbers
        ("123", "numbers"),
        ("4", "numbers"),
        ("日本", "Chinese and Japanese characters"),
        ("'x", "symbol and letters"),
        ("!\n", "punctuation and symbols"),
    ]


def test_pieces_of_unknown_patterns_are_matches_or_not() -> None:
    assert labelled_pieces(cut_by("b+"), "abba") == [("a", BETWEEN), ("bb", "a match of b+"), ("a", BETWEEN)]
    # Empty matches cut nothing, however far into the text they are.
    assert labelled_pieces(cut_by("b*"), "a" * 1000 + "b") == [("a" * 1000, BETWEEN), ("b", "a match of b*")]
    assert labelled_pieces(cut_by(r"\d", r"\s+"), "1 2ab") == [
        ("1", r"a match of \d"),
        (" ", r"a match of \s+"),
        ("2", r"a match of \d"),
        ("ab", BETWEEN),
    ]
    assert labelled_pieces(cut_by(r"\d|[a-z|]+|(?:x|\|)"), "1a|b-") == [
        ("1", r"a match of \d"),
        ("a|b", "a match of [a-z|]+"),
        ("-", BETWEEN),
    ]
    looking = r"\s+(?!\S)|\s+"  # which of the two matched depends on what follows
    assert labelled_pieces(cut_by(looking), "  a") == [
        (" ", f"a match of {looking}"),
        (" ", f"a match of {looking}"),
        ("a", BETWEEN),
    ]
    partly = r"(?i:'ll)|[a-z]+|\s+(?!\S)|\s"  # of the first two it can be told
    assert labelled_pieces(cut_by(partly), "I'LL go") == [
        ("I", BETWEEN),
        ("'LL", "a match of (?i:'ll)"),
        (" ", f"a match of {partly}"),
        ("go", "a match of [a-z]+"),
    ]
    long = "|".join("abcdefghijklmnopqrstuvwxyz" * 2)
    assert labelled_pieces(cut_by(long), "a-") == [("a", "a match of the split pattern"), ("-", BETWEEN)]


def test_without_a_pattern_nothing_is_cut() -> None:
    assert labelled_pieces(tokviz.ByteTokenizer(), "a b") == [("a b", NOT_CUT)]
    assert labelled_pieces(cut_by(), "a b") == [("a b", NOT_CUT)]


def test_a_special_token_is_a_piece_without_a_branch() -> None:
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


@pytest.mark.parametrize("text", ["", "e\u0301t 1's  <|endoftext|> x  "])
def test_branch_columns_agree_with_pretoken_branches(text: str) -> None:
    tokenizer = tokviz.load("gpt2")
    pieces = pretoken_branches(tokenizer, text, tokenizer.special_tokens)
    lengths, branches = branch_columns(tokenizer, text, tokenizer.special_tokens)
    assert lengths.tolist() == [len(piece.encode()) for piece, _ in pieces]
    assert branches.tolist() == [branch for _, branch in pieces]


def test_branch_columns_take_little_memory() -> None:
    text, tokenizer = "a1" * 10_000, tokviz.load("gpt2")
    branch_columns(tokenizer, "a1")
    tracemalloc.start()
    try:
        lengths, _ = branch_columns(tokenizer, text)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(lengths) == 20_000
    assert most < 20 * len(lengths)


def test_only_white_space_cut_off_a_longer_piece_is_said_to_be_left_out_by_words() -> None:
    tokenizer = tokviz.train("ab  cd", num_merges=1, alphabet="characters", end_of_word="</w>", split_pattern="gpt2")
    names = labels(tokenizer)
    found = [(piece, names[branch]) for piece, branch in pretoken_branches(tokenizer, "ab  cd")]
    left_out = "white space, which words that end in a mark leave out"
    assert found == [("ab", "letters"), (" ", "white space, all but the last"), (" ", left_out), ("cd", "letters")]
