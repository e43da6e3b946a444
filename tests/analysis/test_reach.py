"""Reachability of tokens: witnesses checked with tiktoken, proofs checked by trying every short text."""

from collections import Counter
from functools import cache
from itertools import combinations, product
from typing import Any

import pytest
import regex
import tiktoken
from hypothesis import given
from hypothesis import strategies as st
from shipped import encoding_of, vocabulary_table
from strategies import examples, unicode_texts

import tokviz
from tokviz.analysis.known_patterns import COMPLETE, RUNS
from tokviz.analysis.vocabulary.character_parts import parts_of
from tokviz.analysis.vocabulary.reach import Reach, TokenReach, _insides, _Search, token_reach
from tokviz.pretokens import splitting
from tokviz.tokenizers.progress import no_progress

LETTERS = "ab "
BYTES = {value: bytes([value]) for value in range(256)}


@cache
def rows_of(name: str) -> list[TokenReach]:
    return token_reach(name, vocabulary_table(name))


@pytest.mark.parametrize("name", ["p50k_base", "cl100k_base", "o200k_base"])  # p50k is GPT-2 with runs of spaces
def test_reached_tokens_have_witnesses_and_others_do_not(name: str) -> None:
    """A witness is a text in which tiktoken finds the token. The bytes C0, C1 and F5 to FF occur in no UTF-8."""
    tok, judge = tokviz.load(name), encoding_of(name)
    specials = set(tok.special_tokens.values())
    rows = rows_of(name)
    assert [row.id for row in rows] == sorted(tok.vocab)
    for row in rows:
        assert row.bytes == tok.vocab[row.id]
        assert (row.witness is None) == (row.reach in (Reach.UNREACHABLE, Reach.UNDECIDED))
        assert bool(row.reason) == (row.reach is Reach.UNREACHABLE)
        if row.witness is not None:
            allowed = {row.witness} if row.id in specials else set()
            assert row.id in judge.encode(row.witness, allowed_special=allowed, disallowed_special=())
            assert (row.reach is Reach.OWN_TEXT) == (row.bytes == row.witness.encode())
    never = {row.bytes for row in rows if row.reach is Reach.UNREACHABLE}
    cut_apart = {"о".encode() + b"\xd0"} if name == "o200k_base" else set()
    assert never == {bytes([byte]) for byte in (0xC0, 0xC1, *range(0xF5, 0x100))} | cut_apart
    assert not [row for row in rows if row.reach is Reach.UNDECIDED]


def test_a_token_that_the_split_pattern_and_the_merges_together_rule_out() -> None:
    """o200k's 439 is a small Cyrillic о and the first byte of А to Я or а to п.

    Before a capital, the pattern cuts; with a small letter, merging makes other tokens. tiktoken without a split
    pattern shows both.
    """
    tok = tokviz.load("o200k_base")
    [row] = [row for row in rows_of("o200k_base") if row.id == 439]
    assert (row.bytes, row.reach) == ("о".encode() + b"\xd0", Reach.UNREACHABLE)
    ranks = {data: token for token, data in tok.vocab.items() if token < 199998}
    merges_only = tiktoken.Encoding("uncut", pat_str="(?s:.+)", mergeable_ranks=ranks, special_tokens={})
    seconds = [chr(code) for code in range(0x400, 0x440)]  # all characters that begin with D0
    kept = [second for second in seconds if 439 in merges_only.encode(f"о{second}")]
    assert kept == [second for second in seconds if second.isupper()]
    assert not [second for second in seconds if 439 in tok.encode(f"о{second}")]


def test_a_token_that_only_longer_texts_give() -> None:
    [row] = [row for row in rows_of("o200k_base") if row.id == 3914]
    assert (row.bytes, row.reach) == (b"\n//", Reach.IN_CONTEXT)
    assert tokviz.load("o200k_base").encode("=\n//") == [28, 3914]


def test_tokens_that_their_own_text_does_not_give() -> None:
    """o200k's pattern cuts a line break from a sign after it, unless there is punctuation before."""
    table = {row.text: row for row in vocabulary_table("o200k_base")}
    assert table["\n//"].reached is False and table["//"].reached is True
    pattern = tokviz.split_patterns["o200k"]
    never = [text for text, row in table.items() if text and row.reached is False]
    assert never and [text for text in never if len(regex.findall(pattern, text)) == 1] == []


def short_texts(length: int) -> list[str]:
    return ["".join(letters) for size in range(length + 1) for letters in product(LETTERS, repeat=size)]


@st.composite
def small_tokenizers(draw: st.DrawFn) -> tokviz.BPETokenizer:
    """Tokenizers of three letters with any merges in any order, so that some tokens are unreachable."""
    vocab = dict(enumerate(letter.encode() for letter in LETTERS))
    merges = {}
    for _ in range(draw(st.integers(1, 6))):
        pair = (draw(st.sampled_from(sorted(vocab))), draw(st.sampled_from(sorted(vocab))))
        data = vocab[pair[0]] + vocab[pair[1]]
        same = next((token for token, other in vocab.items() if other == data), len(vocab))
        if pair not in merges and len(data) <= 4:
            merges[pair] = same
            vocab[same] = data
    order = draw(st.permutations(list(merges)))
    pattern = draw(st.sampled_from([None, "gpt2", "a+|b", "words", "a+b+(?= )|.", "(?<= )[ab]+|."]))
    return tokviz.BPETokenizer(
        "small",
        vocab,
        {pair: merges[pair] for pair in order},
        split_pattern=pattern,
        units="characters",
        ignore_merges=draw(st.booleans()),
    )


def minimum_tries(token: str) -> list[str]:
    """The minimum set of texts that `token_reach` promises to try, limited to these letters."""
    return [f"{before}{token}{after}" for before in ("", *LETTERS) for after in ("", *LETTERS)]


def test_reach_agrees_with_every_short_text() -> None:
    seen: Counter[Reach] = Counter()

    @examples(60)
    @given(small_tokenizers())
    def check(tok: tokviz.BPETokenizer) -> None:
        reached = {token for text in short_texts(5) for token in tok.encode(text)}
        for row in token_reach(tok):
            seen[row.reach] += 1
            assert not (row.reach is Reach.UNREACHABLE and row.id in reached)
            if row.reach is Reach.UNDECIDED:
                assert not any(row.id in tok.encode(text) for text in minimum_tries(row.bytes.decode()))
            if row.witness is not None:
                assert row.id in tok.encode(row.witness)
                assert (row.reach is Reach.OWN_TEXT) == (row.id in tok.encode(row.bytes.decode()))

    check()
    assert min(seen[kind] for kind in (Reach.OWN_TEXT, Reach.IN_CONTEXT, Reach.UNREACHABLE)) > 0


CYRILLIC = "оаПр"
"""The first three begin with D0, the last with D1."""


@st.composite
def byte_tokenizers(draw: st.DrawFn) -> tokviz.BPETokenizer:
    """Tokenizers of bytes with any merges of the bytes of a few letters, so that many hold parts of letters."""
    vocab = dict(BYTES)
    merges = {}
    parts = sorted(set("".join(CYRILLIC).encode()))
    for _ in range(draw(st.integers(1, 7))):
        made = [*parts, *range(256, len(vocab))]
        pair = (draw(st.sampled_from(made)), draw(st.sampled_from(made)))
        data = vocab[pair[0]] + vocab[pair[1]]
        if len(data) <= 5 and data not in vocab.values():
            merges[pair] = len(vocab)
            vocab[len(vocab)] = data
    pattern = draw(st.sampled_from([None, "gpt2", "o200k"]))
    return tokviz.BPETokenizer("parts", vocab, merges, split_pattern=pattern)


def test_parts_of_characters_are_decided_as_by_every_short_text() -> None:
    """No short text over the vocabulary's letters reaches a token called unreachable, and none is undecided."""
    seen: Counter[Reach] = Counter()
    letters = [*CYRILLIC, "ѐ", "А", "я"]
    texts = ["".join(some) for size in range(5) for some in product(letters, repeat=size)]

    @examples(10)
    @given(byte_tokenizers())
    def check(tok: tokviz.BPETokenizer) -> None:
        reached = set(tok.encode("\n".join(texts)))
        for row in [row for row in token_reach(tok) if row.id > 255]:
            seen[row.reach] += 1
            assert not (row.reach is Reach.UNREACHABLE and row.id in reached), row
            assert row.reach is not Reach.UNDECIDED, row
            if row.witness is not None:
                assert row.id in tok.encode(row.witness)

    check()
    assert min(seen[kind] for kind in (Reach.OWN_TEXT, Reach.IN_CONTEXT, Reach.UNREACHABLE)) > 0


@pytest.mark.parametrize(
    ("data", "form"),
    [(b"\xe4\xb8", "{0}"), (b" \xe4", " {0}"), (b"\xad\xe4", "{0}{0}")],
    ids=["in a character", "with the space before it", "between two"],
)
def test_single_characters_are_witnesses_of_their_parts(data: bytes, form: str) -> None:
    tok = tokviz.BPETokenizer("parts", BYTES | {256: data}, {(data[0], data[1]): 256})
    witness = _Search(tok, no_progress)._character_witnesses({256})[256]
    assert witness == form.format(witness[-1]) and 256 in tok.encode(witness)


def merging(*pairs: tuple[bytes, bytes]) -> tokviz.BPETokenizer:
    """A tokenizer of bytes that merges these in this order."""
    ids = {data: value for value, data in BYTES.items()}
    merges = {}
    for left, right in pairs:
        ids[left + right] = merges[ids[left], ids[right]] = len(ids)
    return tokviz.BPETokenizer("neighbors", {token: data for data, token in ids.items()}, merges)


def test_only_few_characters_leave_a_token_before_them() -> None:
    """Of the characters that begin with E4, all but those with B9 next take the E4 before `a` gets it."""
    earlier = [(b"\xe4", bytes([second])) for second in range(0x80, 0xC0) if second != 0xB9]
    tok = merging(*earlier, (b"a", b"\xe4"))
    [row] = [row for row in token_reach(tok) if row.bytes == b"a\xe4"]
    assert row.reach is Reach.IN_CONTEXT and row.witness is not None
    assert "\u4e40" <= row.witness[row.witness.index("a") + 1] <= "\u4e7f"
    assert row.id in tok.encode(row.witness)
    none_left = merging(*earlier, (b"\xe4", b"\xb9"), (b"a", b"\xe4"))
    [row] = [row for row in token_reach(none_left) if row.bytes == b"a\xe4"]
    assert row.reach is Reach.UNREACHABLE and "merged into other tokens" in row.reason


def test_only_few_characters_leave_a_token_after_them() -> None:
    """Before `a`, 80 is taken by the byte before it, unless that is the 8D of the token F0 90 8D."""
    taken = [(bytes([before]), b"\x80") for before in range(0x80, 0xF5)]
    tok = merging((b"\xf0", b"\x90"), (b"\xf0\x90", b"\x8d"), *taken, (b"\x80", b"a"))
    [row] = [row for row in token_reach(tok) if row.bytes == b"\x80a"]
    assert row.reach is Reach.IN_CONTEXT and row.witness is not None
    assert "\U00010340a" in row.witness and row.id in tok.encode(row.witness)


def test_an_undecided_token_may_have_a_text_that_was_not_tried() -> None:
    """`aa` is cut out whole only before a `b` and a space, but the search doesn't try two characters after a token."""
    vocab = {0: b"a", 1: b"b", 2: b" ", 3: b"aa"}
    tok = tokviz.BPETokenizer("far", vocab, {(0, 0): 3}, split_pattern="a+b+(?= )|.", units="characters")
    [row] = [row for row in token_reach(tok) if row.id == 3]
    assert (row.reach, row.witness, row.reason) == (Reach.UNDECIDED, None, "")
    assert 3 in tok.encode("aab ")


RUNS_OF_SPACES: dict[str, Any] = {
    "version": "1.0", "truncation": None, "padding": None, "normalizer": None, "post_processor": None, "decoder": None,
    "added_tokens": [
        {"id": token, "content": content, "single_word": False, "lstrip": False, "rstrip": False, "special": False,
         "normalized": True}
        for token, content in ((8, "  "), (9, "aaa"))
    ],
    "pre_tokenizer": None,
    "model": {
        "type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
        "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False, "ignore_merges": False,
        "vocab": {"a": 0, "Ġ": 1, "ĠĠ": 2, "ĠĠĠ": 3, "Ġa": 4, "aa": 5, "ĠaĠĠ": 6, "aaaa": 7},
        "merges": [["Ġ", "Ġ"], ["ĠĠ", "Ġ"], ["Ġ", "a"], ["a", "a"], ["Ġa", "ĠĠ"], ["aa", "aa"]],
    },
}  # fmt: skip


@examples(120)
@given(unicode_texts() | st.text(st.sampled_from("aBé你'sS  \t\r\n19Ⅷ!?…/ǅʰ\u0301\u2003🍕ſ"), max_size=20), st.data())
def test_any_part_of_a_pre_token_is_allowed_inside_one(text: str, data: st.DataObject) -> None:
    pattern = data.draw(st.sampled_from(sorted(COMPLETE)))
    for piece in regex.findall(pattern, text.replace("\ud800", "")):
        start = data.draw(st.integers(0, len(piece) - 1))
        inner = piece[start : data.draw(st.integers(start + 1, len(piece)))]
        assert any(splitting.compile_for(inner, inside).fullmatch(inner) for inside in _insides(pattern))


@given(st.text(st.sampled_from("a19Ⅷ½ -"), max_size=20), st.data())
def test_any_part_beside_or_inside_a_run_of_numbers_is_allowed_there(text: str, data: st.DataObject) -> None:
    pattern = data.draw(st.sampled_from(sorted(RUNS)))
    for piece in splitting.split(text, pattern):
        start = data.draw(st.integers(0, len(piece) - 1))
        inner = piece[start : data.draw(st.integers(start + 1, len(piece)))]
        assert regex.fullmatch(RUNS[pattern], inner)


def test_tokens_that_a_split_pattern_always_cuts_are_unreachable() -> None:
    """Merged first, but cl100k's pattern never leaves a digit after a letter, nor GPT-2's a letter after a sign."""
    vocab = BYTES | {256: b"a1", 257: b"!a", 258: b"1a"}
    merges = {(0x61, 0x31): 256, (0x21, 0x61): 257, (0x31, 0x61): 258}
    for pattern, expected in (("cl100k", {256, 258}), ("gpt2", {256, 257, 258}), (None, set())):
        rows = token_reach(tokviz.BPETokenizer("pairs", vocab, merges, split_pattern=pattern))
        assert {row.id for row in rows if row.reach is Reach.UNREACHABLE and row.id > 255} == expected
        assert all("always cuts" in row.reason for row in rows if row.id in expected)


def test_tokens_that_merging_never_makes_are_unreachable_unless_taken_whole() -> None:
    vocab = BYTES | {256: b"bc", 257: b"ab", 258: b"abc"}
    merges = {(98, 99): 256, (97, 98): 257, (257, 99): 258}
    for takes_whole, reach in ((False, Reach.UNREACHABLE), (True, Reach.OWN_TEXT)):
        tok = tokviz.BPETokenizer("odd", vocab, merges, ignore_merges=takes_whole)
        [row] = [row for row in token_reach(tok) if row.id == 258]
        assert row.reach is reach
        assert ("97, 256" in row.reason) != takes_whole


@pytest.mark.parametrize(
    "tokenizer",
    [
        tokviz.train("low lower lowest", alphabet="characters", end_of_word="</w>", special_tokens=["<s>"]),
        tokviz.train("low lower lowest", alphabet="seen-bytes"),
        tokviz.WordTokenizer.from_text("low lower"),
    ],
)
def test_every_token_of_a_small_alphabet_is_reached(tokenizer: Any) -> None:
    assert {row.reach for row in token_reach(tokenizer)} <= {Reach.OWN_TEXT, Reach.IN_CONTEXT}


EDGES = b"a\x80\x8f\x90\xa0\xbf\xc1\xc2\xe0\xed\xf0\xf4\xf5"
FRONTS = [b"", b"\xc2", b"\xe1", b"\xe1\x80", b"\xf1", b"\xf1\x80", b"\xf1\x80\x80"]
BACKS = [bytes(some) for size in range(4) for some in product([0x80, 0x8F, 0x90, 0xBF], repeat=size)]


def is_within_text(data: bytes) -> bool:
    """Return whether the bytes can be completed to valid UTF-8."""
    for front, back in product(FRONTS, BACKS):
        try:
            (front + data + back).decode()
        except UnicodeDecodeError:
            continue
        return True
    return False


@examples(200)
@given(st.binary(max_size=4) | st.lists(st.sampled_from(EDGES), max_size=6).map(bytes))
def test_parts_of_characters(data: bytes) -> None:
    parts = parts_of(data)
    assert (parts is not None) == is_within_text(data)
    if parts is not None:
        assert parts.end + parts.whole.encode() + parts.beginning + parts.inside == data
        assert all(data in text.encode() for text in parts.completed())


def test_parts_of_cut_characters() -> None:
    texts = ["".join(pair).encode() for pair in product("aß中🍕", repeat=2)]
    for data in {text[start:stop] for text in texts for start, stop in combinations(range(len(text) + 1), 2)}:
        parts = parts_of(data)
        assert parts is not None, data
        assert parts.end + parts.whole.encode() + parts.beginning + parts.inside == data


def test_letters_of_a_small_alphabet_make_the_longer_texts() -> None:
    text = "αβ αβ αβ αβγ"
    tokenizer = tokviz.train(text, num_merges=2, alphabet="characters", end_of_word="</w>", split_pattern="words")
    inside_a_word, at_its_end = tokenizer.merge_results
    found = {row.id: row for row in token_reach(tokenizer)}
    assert tokenizer.encode("αβ") == [at_its_end]
    assert found[inside_a_word].reach == Reach.IN_CONTEXT
    witness = found[inside_a_word].witness
    assert witness and inside_a_word in tokenizer.encode(witness)
