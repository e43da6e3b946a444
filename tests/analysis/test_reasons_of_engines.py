"""Reasons between tokenizers whose split patterns can't be exchanged, against Hugging Face's library itself.

Whether a piece is in the vocabulary with the mark that its place needs, and where a text is cut before tokens are
looked for, is asked of the library: `get_vocab` and `pre_tokenize_str`.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import NamedTuple

import pytest
import regex
from hypothesis import given
from strategies import examples, glued
from tokenizers import Tokenizer, models, pre_tokenizers

import tokviz
from tokviz import Comparison, Reason
from tokviz.tokenizers.base import Tokenizer as OurTokenizer
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer

PARTS = ["low", "lower", "est", "new", "2024", "67", "1234567", "):", "(", " ", " ", "\n", "don't", "x", "_", "a)"]
MERGES = ["l o", "lo w", "lo w/", "e s", "-e -s", "-es -t/", "n e", "ne w/", "6 7", "-6 -7/", "2 0", "20 2", "d o"]
"""Merges, where `-` stands for the mark of a piece inside a word, and `/` for that of its end."""


@cache
def end_marking(prefix: str = "") -> HuggingFaceTokenizer:
    """A tokenizer as CLIP's: pieces at the end of a word have a suffix, and white space is dropped."""
    characters = sorted(set("".join(PARTS)) - set(" \n"))
    pieces = [
        f"{mark}{character}{end}" for mark in sorted({"", prefix}) for character in characters for end in ("", "</w>")
    ]
    pairs = [merge.replace("/", "</w>").replace("-", prefix).split(" ") for merge in MERGES]
    if prefix:
        pairs = [[left, right if right.startswith(prefix) else prefix + right] for left, right in pairs]
    pieces += [left + right.removeprefix(prefix) for left, right in pairs]
    vocab = {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}
    merges = [(left, right) for left, right in pairs]
    engine = Tokenizer(models.BPE(vocab, merges, continuing_subword_prefix=prefix, end_of_word_suffix="</w>"))
    engine.pre_tokenizer = pre_tokenizers.Whitespace()
    return HuggingFaceTokenizer(f"ends{prefix}", engine.to_str().encode())


class Reader(NamedTuple):
    """Known properties of a tokenizer: vocabulary, marks, words as ranges, and whether it drops space."""

    known: frozenset[str]
    prefix: str
    suffix: str
    words: list[tuple[int, int]]
    drops: bool
    unknown: int | None


@cache
def library(tokenizer: HuggingFaceTokenizer) -> tuple[Tokenizer, frozenset[str]]:
    engine = Tokenizer.from_str(tokenizer.data.decode())
    return engine, frozenset(engine.get_vocab())


@cache
def spelled_vocabulary(name: str) -> frozenset[str]:
    vocab = tokviz.load(name).vocab.values()
    return frozenset(data.decode() for data in vocab if data.isascii())


def reader(tokenizer: OurTokenizer, text: str) -> Reader:
    """Read a text of ASCII in lower case, which no normalizer changes."""
    if not isinstance(tokenizer, HuggingFaceTokenizer):
        assert tokenizer.split_pattern is not None
        words = [match.span() for match in regex.finditer(tokenizer.split_pattern, text)]
        return Reader(spelled_vocabulary(tokenizer.name), "", "", words, False, None)
    engine, known = library(tokenizer)
    words = [span for _, span in engine.pre_tokenizer.pre_tokenize_str(text)]
    drops = tokenizer.name not in ("qwen3", "deepseek")
    model = engine.model
    unknown = engine.token_to_id(model.unk_token) if getattr(model, "unk_token", None) else None
    prefix = getattr(model, "continuing_subword_prefix", None) or ""
    return Reader(known, prefix, getattr(model, "end_of_word_suffix", None) or "", words, drops, unknown)


def inner_range(text: str, start: int, end: int, stripped: bool) -> tuple[int, int]:
    """Return the range of a token's text, without the white space beside it if `stripped`."""
    body = text[start:end].strip() if stripped else text[start:end]
    begin = text.index(body, start)
    return begin, begin + len(body)


def words_in(reader: Reader, begin: int, end: int) -> list[tuple[int, int]]:
    return [(first, last) for first, last in reader.words if first < end and last > begin]


def check(one: Reader, other: Reader, text: str, start: int, end: int) -> tuple[bool, bool]:
    """Return whether `other` cuts through the token from start to end of `one`, and whether it lacks it there."""
    begin, stop = inner_range(text, start, end, one.drops or other.drops)
    if begin == stop:
        return False, False
    body, words = text[begin:stop], words_in(other, begin, stop)
    prefix = "" if begin <= words[0][0] else other.prefix
    suffix = other.suffix if stop >= words[-1][1] else ""
    candidates = {prefix + body + suffix}
    if one.drops and not other.drops and begin > start:
        candidates.add(f" {body}")
    if not (one.drops or other.drops):  # both spell each byte with a character
        candidates = {body.replace(" ", "Ġ").replace("\n", "Ċ")}
    is_cut = len(words_in(other, *inner_range(text, start, end, one.drops))) > 1
    return is_cut, not candidates & other.known


def expected_reasons(comparison: Comparison, number: int) -> Reason:
    segment, text = comparison[number], comparison.text
    readers = [reader(tokenizer, text) for tokenizer in comparison.tokenizers]
    found = Reason(0)
    for side in (0, 1):
        one, other = readers[side], readers[1 - side]
        place = segment.start
        for token, piece in zip(segment.ids[side], segment.cuts[side], strict=True):
            start, place = place, place + len(piece)
            if token == one.unknown:
                found |= Reason.ALPHABET
                continue
            if other.drops and not one.drops and piece[-1:].isspace():
                found |= Reason.NORMALIZATION
            is_cut, is_lacking = check(one, other, text, start, place)
            found |= Reason.SPLIT if is_cut else Reason(0)
            found |= Reason.VOCABULARY if is_lacking else Reason(0)
    return found


PAIRS = [
    ("gpt2", "bert-base-uncased"),
    ("cl100k_base", "bert-base-uncased"),
    ("qwen3", "deepseek"),
    ("gpt2", "ends"),
    ("ends##", "gpt2"),
    ("bert-base-uncased", "ends"),
]


def tokenizer_named(name: str) -> OurTokenizer:
    return end_marking(name.removeprefix("ends")) if name.startswith("ends") else tokviz.load(name)


@pytest.mark.parametrize("names", PAIRS, ids=" and ".join)
def test_every_reason_is_true_and_every_true_reason_is_given(names: tuple[str, str]) -> None:
    chosen = [tokenizer_named(name) for name in names]
    seen: Counter[Reason] = Counter()

    @examples(40)
    @given(glued(PARTS, min_size=1, max_size=10))
    def check_text(text: str) -> None:
        comparison = tokviz.compare(text, chosen)
        for number in comparison.differing.tolist():
            given_reasons = Reason(int(comparison.reasons(1)[number]))
            expected = expected_reasons(comparison, number)
            is_other_algorithm = "bert-base-uncased" in names
            expected = expected or (Reason.ALGORITHM if is_other_algorithm else Reason.ORDER)
            assert given_reasons == expected, comparison[number]
            explanation = comparison.explain(number, 1)
            assert explanation is not None and explanation.reasons == given_reasons
            assert ("before it looks for tokens" in explanation.sentence) == (Reason.SPLIT in expected)
            assert "lower case" not in explanation.sentence and "into spaces" not in explanation.sentence
            seen.update(reason for reason in Reason if reason in expected)

    check_text()
    # The test would prove little if they hardly ever occurred. Both of the last pair cut at every sign.
    assert seen[Reason.VOCABULARY] >= 5
    assert seen[Reason.SPLIT] >= 5 or names == PAIRS[-1]


def only_sentence(text: str, *names: str, number: int = 0) -> str:
    comparison = tokviz.compare(text, list(names))
    explanation = comparison.explain(int(comparison.differing[number]), 1)
    assert explanation is not None
    return explanation.sentence


def test_a_piece_is_lacked_where_only_another_place_in_a_word_has_it() -> None:
    vocab = library(tokviz.load("bert-base-uncased"))[1]
    assert "67" in vocab and "##67" not in vocab
    sentence = only_sentence("1234567", "gpt2", "bert-base-uncased")
    assert "gpt2 has the token “67”, which bert-base-uncased lacks inside a word (“##67”)." in sentence
    assert "both have" not in sentence


def test_a_token_that_the_other_cuts_through_is_explained_by_that() -> None:
    sentence = only_sentence("2024", "qwen3", "deepseek")
    assert "qwen3 cuts this text between “2”, “0” and “2” before it looks for tokens" in sentence
    sentence = only_sentence("x):", "gpt2", "bert-base-uncased")
    assert "bert-base-uncased cuts this text between “)” and “:” before it looks for tokens" in sentence


def test_dropping_white_space_is_not_turning_it_into_spaces() -> None:
    sentence = only_sentence("x )\n", "gpt2", "bert-base-uncased")
    assert "bert-base-uncased drops white space between words" in sentence
    assert "first" not in sentence and "normalizes" not in sentence
