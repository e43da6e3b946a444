"""Encoding and decoding: equal to tiktoken where it has an answer, to the slow reference elsewhere.

For shipped vocabularies the expected values come from tiktoken. It is built here without a network: its
own patterns, special tokens and sizes around the bytes -> id table of the vocabulary under test (the
sha256 tests check that this table is the published one). For trained tokenizers they come from
`reference.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np
import pytest
import reference
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from shipped import encoding_of, ranks_of
from strategies import (
    BLANKS,
    EMOJI,
    ODDITIES,
    SCRIPTS,
    SPECIALS,
    corpora,
    disputed,
    examples,
    glued,
    texts,
    texts_of_words,
    texts_with_specials,
    unicode_texts,
)

import tokviz
from tokviz import formats, pretrained
from tokviz.bpe.merging import recover_parents

NAMES = ("gpt2", "r50k_base", "p50k_base", "p50k_edit", "cl100k_base", "o200k_base", "o200k_harmony")
DISTINCT = ("gpt2", "p50k_base", "cl100k_base", "o200k_base")  # one name for each file
SPLITS = [None, "gpt2", "cl100k", "o200k", "words", r"\w+", r"[ab ]*"]


def assert_tiles(tok: Any, text: str, allowed_special: Any = ()) -> None:
    """Check that a Tokenization's tokens tile the bytes of the repaired text, within its pre-tokens."""
    result = tok.tokenize(text, allowed_special)
    repaired, lone = reference.repair(text)
    data = repaired.encode()
    assert (result.text, result.replaced) == (repaired, lone)
    assert result.ids.tolist() == tok.encode(text, allowed_special)
    count = len(result)
    assert (result.ids.dtype, result.byte_offsets.dtype) == (np.int32, np.int32)
    assert (result.pretoken_index.dtype, result.special.dtype) == (np.int32, np.bool_)
    assert [len(result.ids), len(result.pretoken_index), len(result.special)] == [count] * 3
    offsets = result.byte_offsets.tolist()
    assert len(offsets) == count + 1
    assert (offsets[0], offsets[-1]) == (0, len(data))
    assert offsets == sorted(offsets)
    covered: dict[int, bytes] = {}
    for i, pretoken in enumerate(result.pretoken_index.tolist()):
        covered[pretoken] = covered.get(pretoken, b"") + data[offsets[i] : offsets[i + 1]]
    assert list(covered) == list(range(len(covered)))  # pre-tokens are numbered from 0, in order
    assert [piece.decode() for piece in covered.values()] == tok.pretokens(text, allowed_special)
    for i, number in enumerate(result.ids.tolist()):
        # (One special id of o200k_harmony has two texts, and <unk> covers any word.)
        if not result.special[i] and not isinstance(tok, tokviz.WordTokenizer):
            assert tok.vocab[number] == data[offsets[i] : offsets[i + 1]]


# ---------------------------------------------------------------- shipped vocabularies


def any_texts() -> st.SearchStrategy[str]:
    mixed = glued([*BLANKS, *EMOJI, *SCRIPTS, *ODDITIES, "Hello", "WORLD", "'LL", "'ſ", "don't", "x1y22z333", "//\n"])
    return st.one_of(mixed, texts(), unicode_texts(30), st.text(max_size=30).filter(is_undisputed))


def is_undisputed(text: str) -> bool:
    return not disputed().intersection(text)


@pytest.mark.parametrize("name", NAMES)
def test_generated_texts_equal_tiktoken(name: str) -> None:
    """Unicode of every kind, with different texts for each name; decoding returns the (repaired) text."""
    tok = tokviz.load(name)
    expected_encoding = encoding_of(name)

    @examples(150 if name in DISTINCT else 25, name)
    @given(any_texts())
    def check(text: str) -> None:
        ids = tok.encode(text)
        assert ids == expected_encoding.encode_ordinary(text)
        assert tok.decode(ids) == reference.repair(text)[0]
        assert tok.decode_bytes(ids) == reference.repair(text)[0].encode()
        assert_tiles(tok, text)

    check()


@pytest.mark.parametrize("name", DISTINCT)
def test_characters_of_newer_unicode_equal_tiktoken(name: str) -> None:
    """`regex` knows letters that tiktoken's engine does not know yet. A shipped vocabulary has to give
    tiktoken's tokens for them too."""
    characters = sorted(disputed())
    assert len(characters) < 30_000
    tok = tokviz.load(name)
    for start in range(0, len(characters), 997):
        sample = characters[start : start + 30]
        for text in ("".join(sample), " ".join(sample), "a".join(sample), "1!\n".join(sample)):
            assert tok.encode(text) == encoding_of(name).encode_ordinary(text)
            assert_tiles(tok, text)


NASTY = {
    "nothing": "",
    "a byte order mark": "\ufeffHello",
    "only a byte order mark": "\ufeff",
    "byte order marks": "a\ufeff\ufeff b",
    "NUL": "\0a\0\0 b\0",
    "a lone high surrogate": "a\ud83d b",
    "lone surrogates": "\ude00\ud83d\ud83d",
    "a surrogate pair": "a\ud83d\ude00b",
    "a pair and a half": "\ud83d\ud83d\ude00\ude00",
    "ZWJ emoji": "👩‍👩‍👧‍👦 👩🏽‍🚀🏳️‍🌈" * 20,
    "combining marks": "e" + "\u0301" * 3000 + " Z̸̡̛a̴l̶g̵o",
    "line ends": "a\r\nb\n\rc\r\r\nd\n\n\ne \r\n \n x\r",
    "line ends and spaces": " \n  \n\n   a \t\n b\n ",
    "trailing spaces": "a   \n   ",
    "trailing spaces after a line end": "a\n\n   \t ",
    "only spaces": "     ",
    "no-break and wide spaces": "a\xa0\xa0b\u3000\u3000c\u2003 d\u200b e\x85f\u2028g",
    "contractions": "I'll I'LL I'lL can't CAN'T it'ſ 's''s '",
    "digits": "1 12 123 1234 12345 ٣٤٥ ½ ²³ Ⅷ",
    "slashes": "https://a.b/c//d/\n/\r\n//",
    "capitals": "HelloWORLDfooBar ǅungla ÉÀé",
    "right to left": "שלום עולם \u202eمرحبا\u202c abc",
    "specials as text": "<|endoftext|><|fim_prefix|><|endofprompt|><|start|>",
    "the last code point": "\U0010ffff\U0010fffe\uffff\ufffe",
    "10,000 equal letters": "a" * 10_000,
    "10,000 equal letters of two bytes": "é" * 10_000,
    "100,000 flags": "🇫🇷" * 100_000,
    "100,000 line ends": "\n" * 100_000,
}


@pytest.mark.parametrize("case", NASTY)
@pytest.mark.parametrize("name", DISTINCT)
def test_nasty_texts_equal_tiktoken(name: str, case: str) -> None:
    text = NASTY[case]
    tok = tokviz.load(name)
    ids = tok.encode(text)
    assert ids == encoding_of(name).encode_ordinary(text)
    assert tok.decode(ids) == reference.repair(text)[0]
    result = tok.tokenize(text)
    assert result.ids.tolist() == ids
    assert result.replaced == reference.repair(text)[1]
    assert result.byte_offsets[-1] == len(result.text.encode())
    if len(text) < 10_000:
        assert_tiles(tok, text)


@cache
def a_million_spaces(name: str) -> list[int]:
    """Return tiktoken's ids of one pre-token of a million spaces."""
    return encoding_of(name)._encode_single_piece(" " * 1_000_000)


@pytest.mark.parametrize("name", ["gpt2", "o200k_base"])
def test_a_million_spaces(name: str) -> None:
    """One pre-token. tiktoken encodes it under GPT-2's pattern, and panics under o200k's, but it can encode the piece
    alone."""
    text = " " * 1_000_000
    tok = tokviz.load(name)
    ids = tok.encode(text)
    assert ids == a_million_spaces(name)
    assert tok.decode(ids) == text


@pytest.mark.parametrize("name", ["gpt2", "o200k_base"])
def test_a_million_spaces_before_a_letter(name: str) -> None:
    """tiktoken panics here. All the patterns put one space with the letter, which makes two pre-tokens, and
    tiktoken can encode each of them alone."""
    text = " " * 1_000_001 + "a"
    expected_encoding = encoding_of(name)
    with pytest.raises(BaseException, match=r"(?i)backtrack|stack|unwrap|error"):  # otherwise this test checks nothing
        expected_encoding.encode_ordinary(text)
    tok = tokviz.load(name)
    ids = tok.encode(text)
    assert ids == a_million_spaces(name) + expected_encoding._encode_single_piece(" a")
    assert tok.decode(ids) == text
    assert tok.pretokens(text) == [" " * 1_000_000, " a"]


@pytest.mark.parametrize("name", ["gpt2"])
def test_a_panic_does_not_affect_the_surrounding_text(name: str) -> None:
    """Special tokens, line ends and a repaired surrogate in a text that tokviz's own code has to encode."""
    tok = tokviz.load(name)
    end = tok.special_tokens["<|endoftext|>"]
    before, spaces, after = "Hello, 🌍!\r\n\ud83d", " " * 1_000_000, "world, it's 12345\n \n"
    expected_encoding = encoding_of(name)
    expected = [*expected_encoding.encode_ordinary(before), end, *expected_encoding._encode_single_piece(spaces[1:])]
    expected += expected_encoding.encode_ordinary(" " + after)
    assert tok.encode(f"{before}<|endoftext|>{spaces}{after}", {"<|endoftext|>"}) == expected


# ---------------------------------------------------------------- special tokens


@pytest.mark.parametrize("name", NAMES)
def test_special_tokens_equal_tiktoken(name: str) -> None:
    """All, some and none of them allowed; what is not allowed is ordinary text."""
    tok = tokviz.load(name)
    expected_encoding = encoding_of(name)
    pieces = [
        *list(tok.special_tokens)[:6],
        "<|endoftext|>",
        "<|",
        "|>",
        "endoftext",
        "a",
        " ",
        "  ",
        "\n",
        "😀",
    ]

    @examples(30, name)
    @given(glued(pieces), st.sets(st.sampled_from(sorted(tok.special_tokens)), max_size=3))
    def check(text: str, allowed: set[str]) -> None:
        for allowed_special in ("all", allowed, frozenset(allowed), set(), ()):
            for_tiktoken: Any = allowed_special if allowed_special == "all" else set(allowed_special)
            expected = expected_encoding.encode(text, allowed_special=for_tiktoken, disallowed_special=())
            assert tok.encode(text, allowed_special) == expected
        assert tok.encode(text) == expected_encoding.encode_ordinary(text)
        assert_tiles(tok, text, "all")

    check()


@pytest.fixture(scope="module")
def gpt2_of_hugging_face() -> tokenizers.Tokenizer:
    return tokenizers.Tokenizer.from_buffer(
        formats.write(tokviz.load("gpt2"), "tokenizer.json").files["tokenizer.json"]
    )


@given(text=unicode_texts())
def test_offsets_beside_those_of_hugging_face(text: str, gpt2_of_hugging_face: tokenizers.Tokenizer) -> None:
    """As the README says: its spans give all of a character to each token with a part of it."""
    found = tokviz.load("gpt2").tokenize(text)
    places, is_cut = found.code_point_offsets, found.inside_character
    ends = (places + is_cut)[1:].tolist()
    assert list(zip(places.tolist(), ends, strict=False)) == gpt2_of_hugging_face.encode(found.text).offsets


def test_figure_special_tokens() -> None:
    gpt2, cl100k = tokviz.load("gpt2"), tokviz.load("cl100k_base")
    assert gpt2.special_tokens == {"<|endoftext|>": 50256}
    assert gpt2.vocab_size == 50257
    names = ["endoftext", "fim_prefix", "fim_middle", "fim_suffix", "endofprompt"]
    numbers = [100257, 100258, 100259, 100260, 100276]
    assert cl100k.special_tokens == {f"<|{name}|>": i for name, i in zip(names, numbers, strict=True)}


def test_special_tokens_need_not_be_in_the_vocabulary() -> None:
    gpt2 = tokviz.load("gpt2")
    vocab = {token: data for token, data in gpt2.vocab.items() if token != 50256}
    tok = tokviz.BPETokenizer(
        "mine", vocab, split_pattern="gpt2", special_tokens={"<x>": 60_000, "<y>": 50_257, "<z>": 50_257, "the": 1169}
    )
    assert tok.encode("hello<x><y><z>", "all") == [31373, 60_000, 50_257, 50_257]
    assert tok.decode([31373, 60_000, 50_257, 1169]) == "hello<x><y>the"
    assert tok.vocab_size == 60_001 and len(tok.vocab) == len(vocab) + 2
    assert tok.tokenize("a<x>b", "all").token_bytes == [b"a", b"<x>", b"b"]
    assert tok.replay("a<x>", "all").tokenization(0).ids.tolist() == tok.encode("a<x>", "all")
    assert tok.tree(60_000).bytes == b"<x>"
    assert 60_000 not in vocab


@pytest.mark.parametrize(
    ("specials", "error"),
    [(["<s>"], TypeError), ({"<s>": "5"}, TypeError), ({"<s>": True}, TypeError), ({5: 5}, TypeError),
     ({"<s>": -1}, ValueError), ({"": 5}, ValueError)],
    ids=repr,
)  # fmt: skip
def test_invalid_special_tokens(specials: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"special.token"):
        tokviz.BPETokenizer("mine", {97: b"a"}, {}, special_tokens=specials)


@pytest.mark.parametrize("wrong", ["hello", b"hello", {15496: 1}, 15496], ids=repr)
def test_ids_of_the_wrong_type(wrong: Any) -> None:
    for decode in (tokviz.load("gpt2").decode, tokviz.load("gpt2").decode_bytes):
        with pytest.raises(TypeError, match=f"ids must be a list of token ids, not {type(wrong).__name__}"):
            decode(wrong)


@pytest.mark.parametrize("wrong", ["hello", b"hello", {"hello": 5}], ids=repr)
def test_words_of_the_wrong_type(wrong: Any) -> None:
    with pytest.raises(TypeError, match=f"words must be a list of texts, not {type(wrong).__name__}"):
        tokviz.WordTokenizer(wrong)


def test_two_texts_for_one_special_id() -> None:
    """o200k_harmony has two texts for id 200018. Both are matched, and each covers its own bytes."""
    tok = tokviz.load("o200k_harmony")
    both = ["<|endofprompt|>", "<|reserved_200018|>"]
    assert [tok.special_tokens[text] for text in both] == [200018, 200018]
    text = "a".join(both)
    result = tok.tokenize(text, "all")
    assert result.ids.tolist() == [200018, *tok.encode("a"), 200018]
    assert np.diff(result.byte_offsets).tolist() == [len(both[0]), 1, len(both[1])]
    assert result.special.tolist() == [True, False, True]
    assert tok.decode([200018]) in both


@examples(60)
@given(corpora(), texts_with_specials(24), st.sets(st.sampled_from(SPECIALS)), st.permutations(SPECIALS))
def test_overlapping_specials_leftmost_then_longest(
    corpus: list[str], text: str, allowed: set[str], order: list[str]
) -> None:
    """`<s>` is a prefix of `<s>>`: the longest of the allowed wins, in whatever order they were given.
    tiktoken can't be compared here (it takes either)."""
    tok = tokviz.train(corpus, num_merges=10, special_tokens=order)
    expected = reference.train(corpus, num_merges=10, special_tokens=order)
    for allowed_special in ("all", allowed, ()):
        assert tok.encode(text, allowed_special) == reference.encode(expected, text, allowed_special)
        assert_tiles(tok, text, allowed_special)


def test_overlapping_specials_by_hand() -> None:
    tok = tokviz.train("abc", special_tokens=["<s>", "<s>>", "s>>", "><"])
    one, two, three, four = (tok.special_tokens[text] for text in ["<s>", "<s>>", "s>>", "><"])
    assert tok.encode("<s>>", "all") == [two]
    assert tok.encode("<s>>", {"<s>"}) == [one, ord(">")]
    assert tok.encode("<s>>", {"<s>", "s>>"}) == [one, ord(">")]
    assert tok.encode("s>>", "all") == [three]
    assert tok.encode("<s><s>", "all") == [one, one]
    assert tok.encode("a><s>>", "all") == [ord("a"), four, three]
    assert tok.encode("<s>>") == [*b"<s>>"]


def several_tokenizers() -> list[Any]:
    return [
        tokviz.load("gpt2"),
        tokviz.load("cl100k_base"),
        tokviz.train("abab", special_tokens=["<s>"]),
        tokviz.train("abab", split_pattern=r"\w+"),
        tokviz.CharacterTokenizer(),
        tokviz.ByteTokenizer(),
    ]


@pytest.mark.parametrize("method", ["encode", "tokenize", "pretokens"])
def test_wrong_special_tokens(method: str) -> None:
    for tok in several_tokenizers():
        with pytest.raises(ValueError, match=r"<\|nope\|>"):
            getattr(tok, method)("abc", allowed_special={"<|nope|>"})
        for wrong in ("<|endoftext|>", "ALL", ""):
            with pytest.raises(TypeError, match="all"):
                getattr(tok, method)("abc", allowed_special=wrong)


@pytest.mark.parametrize("wrong", [None, 5, b"abc", ["abc"]])
def test_texts_of_the_wrong_type(wrong: Any) -> None:
    for tok in several_tokenizers():
        with pytest.raises(TypeError):
            tok.encode(wrong)


# ---------------------------------------------------------------- published figures


def test_figure_hello_world_and_a_globe() -> None:
    text = "Hello, 🌍! 你好!"
    assert len(text.encode()) == 20
    gpt2 = tokviz.load("gpt2").encode(text)
    assert gpt2 == [15496, 11, 12520, 234, 235, 0, 220, 19526, 254, 25001, 121, 0]
    assert round(20 / len(gpt2), 3) == 1.667
    assert round(20 / len(tokviz.CharacterTokenizer().encode(text)), 3) == 1.538
    assert len(tokviz.ByteTokenizer().encode(text)) == 20
    assert len(tokviz.load("cl100k_base").encode(text)) == 10
    assert len(tokviz.load("o200k_base").encode(text)) == 8


def test_figure_hello_world() -> None:
    gpt2, cl100k = tokviz.load("gpt2"), tokviz.load("cl100k_base")
    assert gpt2.encode("hello world!!!") == [31373, 995, 10185]
    assert gpt2.encode("     hello world!!!") == [220, 220, 220, 220, 23748, 995, 10185]
    assert cl100k.encode("hello world!!!") == [15339, 1917, 12340]
    assert cl100k.encode("     hello world!!!") == [257, 24748, 1917, 12340]


LONG_WORD = "supercalifragilisticexpialidocious"


def test_figure_pretokens() -> None:
    text = f"I'll say {LONG_WORD}!"
    words = ["I", "'", "ll", " ", "say", " ", LONG_WORD, "!"]
    assert tokviz.WordTokenizer.from_text(text).pretokens(text) == words
    assert tokviz.train(text, split_pattern="words").pretokens(text) == words
    gpt2 = ["I", "'ll", " say", f" {LONG_WORD}", "!"]
    assert tokviz.load("gpt2").pretokens(text) == gpt2
    assert tokviz.train(text, split_pattern="gpt2").pretokens(text) == gpt2


# ---------------------------------------------------------------- trained tokenizers


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("alphabet", ["bytes", "seen-bytes", "characters"])
def test_trained_tokenizers_equal_the_reference(alphabet: str, split: str | None) -> None:
    """Tokens, the bytes they cover, pre-tokens and special tokens, on a text outside the training text.

    A byte alphabet with a named pattern is encoded by tiktoken, the others by tokviz's own code: both are
    compared with the same reference. Smaller alphabets only get texts that they cover.
    """

    @examples(10, alphabet, split)
    @given(
        corpora(),
        st.integers(0, 30),
        st.one_of(texts(), texts_with_specials()),
        st.sampled_from([(), SPECIALS]),
    )
    def check(corpus: list[str], num_merges: int, other: str, specials: tuple[str, ...]) -> None:
        if alphabet != "bytes":
            corpus = [*corpus, other, " ".join("<s>|end")]
        options: dict[str, Any] = {"alphabet": alphabet, "num_merges": num_merges, "special_tokens": specials}
        tok = tokviz.train(corpus, split_pattern=split, **options)
        expected = reference.train(corpus, split_pattern=reference.pattern_text(split), **options)
        for text in (other, "".join(corpus)):
            for allowed_special in ("all", ()):
                tokens = reference.tokenize(expected, text, allowed_special)
                assert tok.encode(text, allowed_special) == [token.id for token in tokens]
                result = tok.tokenize(text, allowed_special)
                assert result.ids.tolist() == [token.id for token in tokens]
                assert result.byte_offsets.tolist() == [0, *(token.end for token in tokens)]
                assert result.pretoken_index.tolist() == [token.pretoken for token in tokens]
                assert result.special.tolist() == [token.special for token in tokens]
                assert_tiles(tok, text, allowed_special)
            assert tok.decode(tok.encode(text)) == reference.repair(text)[0]
            assert tok.decode(tok.encode(text, "all")) == reference.repair(text)[0]

    check()


@pytest.mark.parametrize("split", SPLITS)
def test_end_marks_equal_the_reference(split: str | None) -> None:
    """A mark is a token without bytes (alone, or joined to the end of a word)."""

    @examples(15, split)
    @given(texts_of_words(), st.integers(0, 30))
    def check(text: str, num_merges: int) -> None:
        options: dict[str, Any] = {"alphabet": "characters", "end_of_word": "</w>", "num_merges": num_merges}
        tok = tokviz.train(text + "ab", split_pattern=split, **options)
        expected = reference.train(text + "ab", split_pattern=reference.pattern_text(split), **options)
        tokens = reference.tokenize(expected, text)
        assert tok.encode(text) == [token.id for token in tokens]
        assert tok.tokenize(text).byte_offsets.tolist() == [0, *(token.end for token in tokens)]
        assert tok.decode(tok.encode(text)) == reference.repair(text)[0]
        assert_tiles(tok, text)

    check()


@pytest.mark.parametrize("split", ["gpt2", "cl100k", "o200k"])
def test_all_code_paths_give_the_same_tokens(split: str) -> None:
    """A named pattern is handled by tiktoken, the same pattern written out by `regex` or tiktoken, a panic
    by tokviz's own code: the tokens are the same. The text is long enough for many merges to compete."""
    text = "".join(chr(97 + i * i % 7) + " \n'"[i % 4 : i % 5] for i in range(3000))
    pattern = reference.pattern_text(split)
    named = tokviz.train(text, num_merges=100, split_pattern=split)
    written = tokviz.train(text, num_merges=100, split_pattern=pattern)
    assert named.merges == written.merges
    spaces = " " * 1_000_000
    assert named.encode(text) == written.encode(text)
    long = named.encode(text + spaces + "a b\n" + text)
    assert long == written.encode(text + spaces + "a b\n" + text)
    assert long[-len(named.encode(" a b\n" + text)) :] == named.encode(" a b\n" + text)
    assert named.decode(long) == text + spaces + "a b\n" + text


def test_text_between_matches_is_kept() -> None:
    """tiktoken drops text that a pattern does not match. Here it becomes a separate pre-token."""
    tok = tokviz.train("ab, ab; ab", split_pattern=r"\w+")
    assert tok.pretokens("?! ab,cd") == ["?! ", "ab", ",", "cd"]
    assert tok.decode(tok.encode("?! ab,cd")) == "?! ab,cd"


@pytest.mark.parametrize(
    "options",
    [{"alphabet": "characters"}, {"alphabet": "seen-bytes"}, {"alphabet": "characters", "end_of_word": "_"}],
)
def test_characters_outside_the_alphabet(options: dict[str, Any]) -> None:
    """The error names the character and its position."""
    tok = tokviz.train("abc abc", special_tokens=["<s>"], **options)
    for method in ("encode", "tokenize"):
        with pytest.raises(ValueError, match=r"é|U\+00E9") as error:
            getattr(tok, method)("abcabcabcabcéa")
        assert "12" in str(error.value)
        with pytest.raises(ValueError, match=r"é|U\+00E9") as error:
            getattr(tok, method)("abcabc<s>abcé", "all")
        assert "12" in str(error.value)
    assert tok.decode(tok.encode("cab b")) == "cab b"


def test_cut_keeps_ids() -> None:
    text = "the cat in the hat the cat"
    tok = tokviz.train(text, special_tokens=["<s>"])
    expected = reference.train(text, special_tokens=["<s>"])
    total = len(expected.merges)
    for k in range(total + 1):
        cut = tok.cut(k)
        assert list(cut.merges.items()) == list(expected.merges.items())[:k]
        assert cut.special_tokens == tok.special_tokens == {"<s>": 256 + total}
        assert cut.encode("the <s>hat") == reference.state(expected, "the <s>hat", k)
        assert cut.encode("the <s>hat", "all") == reference.state(expected, "the <s>hat", k, "all")
        assert set(cut.vocab) == {*range(256 + k), 256 + total}


def test_tokenizers_made_of_one_with_several_split_patterns_keep_them() -> None:
    patterns = (r"\s+", r"\d")
    tok = tokviz.load("gpt2").with_split_patterns(patterns)
    for other in (tok.cut(50_000), tok.without([50_000]), tok.with_special_tokens(["<s>"])):
        assert other.split_patterns == patterns
        assert other.pretokens("in 1234 a") == ["in", " ", "1", "2", "3", "4", " ", "a"]


@pytest.mark.parametrize("name, split", [("gpt2", "gpt2"), ("cl100k_base", "cl100k")])
def test_shipped_tokenizers_can_be_cut(name: str, split: str) -> None:
    """With only its first k merges, a shipped vocabulary encodes like the first ids of its file."""
    tok = pretrained.load(name)
    text = "Hello there, hello world! 😀 it's"
    pattern = reference.pattern_text(split)
    for k in (0, 3, 20_000):
        expected = [
            ranks_of(name)[part]
            for piece in reference.cut(text, pattern)
            for part in reference.encode_bytes(piece.encode(), ranks_of(name), below=256 + k)
        ]
        assert tok.cut(k).encode(text) == expected


def test_cutting_recovers_only_the_merges_that_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    recovered: list[bytes] = []
    expected = dict(list(tokviz.load("gpt2").merges.items())[:300])

    def recover(token: bytes, ids: Any) -> Any:
        recovered.append(token)
        return recover_parents(token, ids)

    monkeypatch.setattr("tokviz.bpe.merging.recover_parents", recover)
    fresh = pretrained._load.__wrapped__("gpt2")  # not the one that all tests share
    assert fresh.cut(300).merges == expected
    assert len(recovered) == 300


# ---------------------------------------------------------------- decoding


@pytest.mark.parametrize("name", ["gpt2", "p50k_base", "trained"])
def test_any_ids_decode_to_their_joined_bytes(name: str) -> None:
    """Even ids that no text encodes to: invalid UTF-8 becomes U+FFFD in the text, and is kept in the bytes."""
    tok = tokviz.train("abab", special_tokens=["<s>"]) if name == "trained" else tokviz.load(name)
    numbers = sorted(tok.vocab)

    @examples(30, name)
    @given(st.lists(st.sampled_from([*numbers[:260], *numbers[-40:]])))
    def check(ids: list[int]) -> None:
        data = b"".join(tok.vocab[number] for number in ids)
        assert tok.decode_bytes(ids) == data
        assert tok.decode(ids) == data.decode("utf-8", errors="replace")
        assert tok.decode_bytes(np.array(ids, dtype=np.int32)) == data

    check()


@pytest.mark.parametrize("method", ["decode", "decode_bytes"])
@pytest.mark.parametrize(
    "name, wrong, highest",
    [
        ("gpt2", 50257, 50256),
        ("gpt2", -1, 50256),
        ("p50k_edit", 50284, 50283),
        ("cl100k_base", 100256, 100276),
        ("cl100k_base", 100261, 100276),
        ("cl100k_base", 100277, 100276),
        ("o200k_base", 200000, 200018),
    ],
)
def test_ids_not_in_use(method: str, name: str, wrong: int, highest: int) -> None:
    """The message has the id and the range, and mentions holes if there are any."""
    with pytest.raises(ValueError, match=str(wrong)) as error:
        getattr(tokviz.load(name), method)([0, wrong])
    message = str(error.value).replace(",", "")
    assert str(highest) in message or str(highest + 1) in message
    if name in ("cl100k_base", "o200k_base"):
        assert "hole" in message


def test_ids_not_in_use_elsewhere() -> None:
    trained = tokviz.train("abab", num_merges=1, special_tokens=["<s>"]).cut(0)  # 256 is a hole, 257 is <s>
    cases: list[tuple[Any, int]] = [
        (tokviz.ByteTokenizer(), 256),
        (tokviz.CharacterTokenizer(), 0x110000),
        (tokviz.CharacterTokenizer(), 0xD800),
        (tokviz.WordTokenizer.from_text("a b"), 4),
        (trained, 256),
        (trained, 258),
    ]
    for tok, wrong in cases:
        for method in ("decode", "decode_bytes"):
            with pytest.raises(ValueError, match=str(wrong)):
                getattr(tok, method)([0, wrong])
    assert trained.decode([257, 97]) == "<s>a"


@pytest.mark.parametrize("wrong", [True, "5", 5.0, None], ids=repr)
def test_ids_of_special_tokens_are_whole_numbers(wrong: Any) -> None:
    with pytest.raises(TypeError, match=f"the id of special token '<s>' must be a whole number, not {wrong!r}$"):
        tokviz.BPETokenizer("mine", {97: b"a"}, {}, special_tokens={"<s>": wrong})
    with pytest.raises(ValueError, match=r"the id of special token '<s>' must be 0 or more, not -1$"):
        tokviz.BPETokenizer("mine", {97: b"a"}, {}, special_tokens={"<s>": -1})


def test_holes_are_counted() -> None:
    for ids, holes in (([0, 9], "8 holes"), ([0, 1, 2, 4], "1 holes"), ([3, 4, 2000], "1,998 holes")):
        tok = tokviz.BPETokenizer("holed", {token: bytes([97 + place]) for place, token in enumerate(ids)}, {})
        with pytest.raises(ValueError, match=holes):
            tok.decode([5000])
    with pytest.raises(ValueError, match=r"go from 0 to 255$"):
        tokviz.ByteTokenizer().decode([256])


# ---------------------------------------------------------------- other tokenizers


def test_code_points_have_their_utf8_lengths() -> None:
    """RFC 3629, section 3: the first and the last character of each length."""
    ends = {1: (0x00, 0x7F), 2: (0x80, 0x7FF), 3: (0x800, 0xFFFF), 4: (0x10000, 0x10FFFF)}
    for length, codes in ends.items():
        for code in codes:
            tokenization = tokviz.CharacterTokenizer().tokenize("a" + chr(code) + "a")
            assert np.diff(tokenization.byte_offsets).tolist() == [1, length, 1]


@examples(80)
@given(st.one_of(texts(), unicode_texts(30)))
def test_code_points_and_bytes(text: str) -> None:
    repaired = reference.repair(text)[0]
    characters, plain = tokviz.CharacterTokenizer(), tokviz.ByteTokenizer()
    assert characters.encode(text) == [ord(character) for character in repaired]
    assert plain.encode(text) == [*repaired.encode()]
    for tok in (characters, plain):
        assert tok.decode(tok.encode(text)) == repaired
        assert_tiles(tok, text)


def test_sizes_of_the_simple_tokenizers() -> None:
    assert tokviz.ByteTokenizer().vocab_size == 256
    assert dict(tokviz.ByteTokenizer().vocab) == {byte: bytes([byte]) for byte in range(256)}
    characters = tokviz.CharacterTokenizer()
    assert characters.vocab_size == 0x110000
    assert characters.vocab[0x1F30D] == "🌍".encode()
    assert 0xD800 not in characters.vocab  # no UTF-8 for a surrogate: ids not in use
    assert len(characters.vocab) == 0x110000 - 0x800


@pytest.mark.parametrize("pattern", ["words", "gpt2", r"\w+", r"[ab ]*"])
def test_word_tokenizer(pattern: str) -> None:
    """Ids follow the first occurrence; the last one stands for any other word and covers its bytes."""

    @examples(30, pattern)
    @given(texts_of_words().filter(bool), texts_of_words())
    def check(text: str, other: str) -> None:
        tok = tokviz.WordTokenizer.from_text(text, pattern=pattern)
        split_pattern = reference.pattern_text(pattern)
        known = list(dict.fromkeys(reference.cut(reference.repair(text)[0], split_pattern)))
        unknown = len(known)
        assert tok.vocab_size == unknown + 1
        assert [tok.vocab[i] for i in range(unknown)] == [word.encode() for word in known]
        for sample in (text, other):
            pieces = reference.cut(reference.repair(sample)[0], split_pattern)
            ids = [known.index(piece) if piece in known else unknown for piece in pieces]
            assert tok.encode(sample) == ids
            assert_tiles(tok, sample)
        assert tok.decode(tok.encode(text)) == reference.repair(text)[0]

    check()


def test_unknown_words_by_hand() -> None:
    tok = tokviz.WordTokenizer.from_text("to be or not to be")
    assert [tok.vocab[i] for i in range(6)] == [b"to", b" ", b"be", b"or", b"not", b"<unk>"]
    assert tok.encode("to see") == [0, 1, 5]
    assert tok.tokenize("to sée").byte_offsets.tolist() == [0, 2, 3, 7]
    assert tok.decode([0, 1, 5]) == "to <unk>"


# ---------------------------------------------------------------- trees


def check_trees(tok: tokviz.BPETokenizer, ranks: dict[bytes, int], tokens: Iterable[bytes]) -> None:
    rank_of = {new: rank for rank, new in enumerate(tok.merges.values())}
    for token in tokens:
        number = ranks[token]
        tree = tok.tree(number)
        assert (tree.id, tree.bytes) == (number, token)
        assert b"".join(leaf.bytes for leaf in tree.leaves()) == token
        if len(token) == 1:
            assert (tree.left, tree.right, tree.rank) == (None, None, None)
            continue
        left, right = reference.parents(token, ranks)
        assert tree.left is not None and tree.right is not None
        assert (tree.left.id, tree.right.id) == (ranks[left], ranks[right])
        assert tok.merges[ranks[left], ranks[right]] == number
        assert tree.rank == rank_of[number]


@pytest.mark.parametrize("name, every", [("p50k_base", 23), ("cl100k_base", 59), ("o200k_base", 167)])
def test_trees_flatten_to_their_bytes(name: str, every: int) -> None:
    """The files hold only ids; a token's parents are the encoding of its bytes with the ids below its own.
    Checks a sample and the last hundred (p50k's runs of spaces)."""
    ranks = ranks_of(name)
    tokens = sorted(ranks, key=ranks.__getitem__)
    check_trees(pretrained.load(name), ranks, [*tokens[::every], *tokens[-100:]])


@pytest.mark.parametrize("name", DISTINCT)
def test_every_shipped_token_has_one_merge(name: str) -> None:
    tok = pretrained.load(name)
    merged = [number for token, number in ranks_of(name).items() if len(token) > 1]
    assert list(tok.merges.values()) == sorted(merged)
    assert all(tok.vocab[a] + tok.vocab[b] == tok.vocab[new] for (a, b), new in tok.merges.items())
    # Merges can be applied in rank order: parents come first.
    assert all(max(pair) < new for pair, new in tok.merges.items())


def test_trees_of_trained_tokenizers() -> None:
    tok = tokviz.train("low low lower lowest", alphabet="characters", end_of_word="</w>", special_tokens=["<s>"])
    for rank, ((left, right), new) in enumerate(tok.merges.items()):
        tree = tok.tree(new)
        assert tree.left is not None and tree.right is not None
        assert (tree.rank, tree.left.id, tree.right.id) == (rank, left, right)
        assert b"".join(leaf.bytes for leaf in tree.leaves()) == tok.vocab[new] == tree.bytes
        assert all(leaf.left is None and leaf.rank is None for leaf in tree.leaves())
    assert [leaf.id for leaf in tok.tree(0).leaves()] == [0]


def test_trees_by_hand() -> None:
    """GPT-2 on `hello`: he, ll, hell, hello. cl100k: el, lo, ello, hello."""

    def parts(name: str) -> list[bytes]:
        tok = tokviz.load(name)
        [number] = tok.encode("hello")
        tree = tok.tree(number)
        assert tree.left is not None and tree.right is not None
        return [tree.left.bytes, tree.right.bytes]

    assert parts("gpt2") == [b"hell", b"o"]
    assert parts("cl100k_base") == [b"h", b"ello"]


@cache
def byte_letters() -> list[str]:
    """Return the letter for each byte in GPT-2's files: printable Latin-1 as itself, the others from U+0100 on."""
    plain = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [byte for byte in range(256) if byte not in plain]
    return [chr(byte if byte in plain else 256 + others.index(byte)) for byte in range(256)]


def all_splits(ranks: dict[bytes, int]) -> list[tuple[bytes, bytes]]:
    """Return a merge for every way to split a token into two others, as in Llama 3's file: by token, then by parts."""
    merges = []
    for token in sorted(ranks, key=ranks.__getitem__):
        cuts = [(token[:i], token[i:]) for i in range(1, len(token))]
        merges += sorted(
            (cut for cut in cuts if ranks.keys() >= set(cut)), key=lambda cut: [ranks[part] for part in cut]
        )
    return merges


def with_several_merges_per_token(size: int, **options: Any) -> tokviz.BPETokenizer:
    """Read the first `size` tokens of cl100k, with all their splits as merges, from a Hugging Face tokenizer file."""
    ranks = {token: number for token, number in ranks_of("cl100k_base").items() if number < size}
    spelled = {token: "".join(byte_letters()[byte] for byte in token) for token in ranks}
    merges = [(spelled[left], spelled[right]) for left, right in all_splits(ranks)]
    vocab = {spelled[token]: number for token, number in ranks.items()}
    library = tokenizers.Tokenizer(tokenizers.models.BPE(vocab, merges, **options))
    library.decoder = tokenizers.decoders.ByteLevel()
    library.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tok = formats.read({"tokenizer.json": library.to_str().encode()})
    for text in (" hello", "hello", "All happy families are alike"):
        assert tok.encode(text) == library.encode(text).ids
    return tok


def test_the_tree_shows_the_one_of_several_merges_that_fires() -> None:
    """cl100k has one merge per token; the file has more than two. The merges that fire are the same."""
    tok = with_several_merges_per_token(2_500)
    ranks = {data: token for token, data in tok.vocab.items()}
    assert len(tok.merges) > 1.5 * len(set(tok.merges.values()))
    pairs = list(tok.merges)
    for token, number in ranks.items():
        parents = [ranks[part] for part in reference.parents(token, ranks)] if len(token) > 1 else []
        assert list(tok.parents(number)) == parents
        rank = tok.rank(number)
        assert rank == tok.ranks.get(number)
        assert [*(pairs[rank] if rank is not None else ())] == parents
        assert tok.merge_alone(number) == (number,)


def test_the_tree_agrees_with_the_replay() -> None:
    tok = with_several_merges_per_token(2_500, ignore_merges=True)
    num_checked = 0
    for number, data in tok.vocab.items():
        text = data.decode(errors="ignore")
        if text.encode() != data or tok.pretokens(text) != [text] or len(data) == 1:
            continue
        last, tree = tok.replay(text)[-1], tok.tree(number)
        assert tree.left is not None and tree.right is not None
        assert (tree.left.id, tree.right.id, tree.rank) == (last.left, last.right, last.rank)
        num_checked += 1
    assert num_checked > 1_700


def test_a_token_that_no_merge_makes_has_no_parents() -> None:
    """`abc` is listed as `ab` + `c`, but `bc` comes first."""
    vocab = dict(enumerate([b"a", b"b", b"c", b"ab", b"bc", b"abc"]))
    tok = tokviz.BPETokenizer("odd", vocab, {(1, 2): 4, (0, 1): 3, (3, 2): 5})
    assert tok.encode("abc") == [0, 4]
    assert (tok.parents(5), tok.rank(5), tok.ranks, tok.merge_alone(5)) == ((), None, {4: 0, 3: 1}, (0, 4))
    tree = tok.tree(5)
    assert (tree.bytes, tree.rank, tree.left, tree.right) == (b"abc", None, None, None)
    assert tok.merge_alone(3) == (3,)
    with pytest.raises(ValueError, match="not in use"):
        tok.merge_alone(6)


def test_very_long_tokens_are_merged_like_texts() -> None:
    tok = tokviz.train("ab" * 600, num_merges=11)
    longest = max(tok.vocab, key=lambda token: len(tok.vocab[token]))
    assert len(tok.vocab[longest]) > 100
    rebuilt = tokviz.BPETokenizer("again", tok.vocab, tok.merges)
    assert rebuilt.ranks == tok.ranks
    assert rebuilt.merge_alone(longest) == (longest,)


def test_trees_of_ids_not_in_use() -> None:
    for name, wrong in (("gpt2", 50257), ("cl100k_base", 100256), ("gpt2", -1)):
        with pytest.raises(ValueError, match=str(wrong)):
            tokviz.load(name).tree(wrong)
