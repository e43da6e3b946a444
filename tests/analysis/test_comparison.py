"""Comparing tokenizers: figures checked against sets, reasons against the conditions that define them."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cache
from itertools import combinations, pairwise
from typing import Any, get_args

import numpy as np
import pytest
import reference
import regex
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from strategies import SPECIALS, examples, glued, texts, texts_with_specials
from tokenizers import AddedToken, models, normalizers, pre_tokenizers

import tokviz
from tokviz import Comparison, Effect, Reason, Tokenizer, WordTokenizer
from tokviz.analysis.classes import CLASSES, token_classes
from tokviz.analysis.comparison.compare import Segment
from tokviz.bpe import byte_characters
from tokviz.bpe.training import TIE_BREAKS
from tokviz.display import shown
from tokviz.pretrained import OpenAIName
from tokviz.samples import sample
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer

Span = tuple[int, int]

# ---------------------------------------------------------------- texts and tokenizers that can encode them

SHIPPED = ("gpt2", "cl100k_base")
PATTERNS = (None, "gpt2", "cl100k", "o200k", "words", r"\w+")
LETTERS = glued(["a", "b", "c", "ab", "bc", "abc", " ", " a", "é", "1", "'S"], min_size=1, max_size=16)
KINDS = st.one_of(LETTERS, texts(), texts_with_specials())


@st.composite
def trained(draw: st.DrawFn, text: str) -> Tokenizer:
    """A trained tokenizer whose alphabet covers the text. Its training text need not resemble the text."""
    alphabet: Any = draw(st.sampled_from(["bytes", "bytes", "seen-bytes", "characters"]))
    return tokviz.train(
        [draw(LETTERS) + draw(st.sampled_from(["", "abcab bca cab"])), *text, *([text] if draw(st.booleans()) else [])],
        num_merges=draw(st.integers(0, 20)),
        split_pattern=draw(st.sampled_from(PATTERNS)),
        alphabet=alphabet,
        end_of_word="</w>" if alphabet == "characters" and draw(st.booleans()) else None,
        tie_break=draw(st.sampled_from(TIE_BREAKS)),
        min_count=1,
        special_tokens=draw(st.sampled_from([(), SPECIALS[:1], SPECIALS])),
    )


@st.composite
def siblings(draw: st.DrawFn) -> Tokenizer:
    """One of many tokenizers with nearly the same vocabulary and merges in different orders."""
    pairs = draw(st.permutations([a + b for a in "ab1 " for b in "ab1 "]))
    triples = draw(st.permutations([pair + letter for pair in pairs for letter in "ab"]))[: draw(st.integers(20, 32))]
    tokens = [*map(chr, range(128)), *pairs, *triples]
    merges = {(ord(pair[0]), ord(pair[1])): 128 + rank for rank, pair in enumerate(pairs)}
    for rank, word in enumerate(triples, start=128 + len(pairs)):
        # The parents of a token of three letters are the pair that is merged first and the remaining letter.
        left_first = pairs.index(word[:2]) <= pairs.index(word[1:])
        left, right = (word[:2], word[2]) if left_first else (word[0], word[1:])
        merges[tokens.index(left), tokens.index(right)] = rank
    pattern = draw(st.sampled_from([None, None, "gpt2", "cl100k", "o200k"]))
    return tokviz.BPETokenizer(
        "sibling", {number: token.encode() for number, token in enumerate(tokens)}, merges, split_pattern=pattern
    )


def words_of(text: str) -> SearchStrategy[Tokenizer]:
    known = LETTERS.map(lambda more: text[: len(text) // 2] + more)
    return st.builds(tokviz.WordTokenizer.from_text, known, st.sampled_from(PATTERNS[1:]))


def tokenizers_for(text: str) -> SearchStrategy[Tokenizer]:
    simple = st.sampled_from([tokviz.CharacterTokenizer(), tokviz.ByteTokenizer()])
    shipped = st.sampled_from(SHIPPED).map(tokviz.load)
    return st.one_of(trained(text), trained(text), shipped, simple, words_of(text))


@st.composite
def comparisons(draw: st.DrawFn) -> Comparison:
    text = reference.repair(draw(KINDS))[0]
    chosen = draw(st.lists(tokenizers_for(text), min_size=2, max_size=3))
    return tokviz.compare(text, chosen, draw(st.sampled_from([(), "all"])))


# ---------------------------------------------------------------- slow reference versions


def spans(tokenization: tokviz.Tokenization) -> list[Span]:
    return list(pairwise(tokenization.byte_offsets.tolist()))


def boundaries(tokenization: tokviz.Tokenization) -> set[int]:
    return set(tokenization.byte_offsets.tolist())


def within(all_spans: list[Span], start: int, end: int) -> list[Span] | None:
    """The tokens that make up the bytes from start to end; None if some reach beyond."""
    tokens = [(a, b) for a, b in all_spans if (a < end and b > start) or (a == b and start < a <= end)]
    return tokens if all(start <= a and b <= end for a, b in tokens) else None


@examples(90)
@given(comparisons())
def test_segments_agreement_and_classes_agree_with_sets(comparison: Comparison) -> None:
    check_segments(comparison)
    check_agreement(comparison)
    check_classes(comparison)
    if len(comparison.tokenizers) == 2:
        check_mirrored(comparison)


def check_segments(comparison: Comparison) -> None:
    """Segments tile the text between the boundaries of all."""
    tokenizations = comparison.tokenizations
    assert comparison.boundaries.dtype == np.int32
    assert comparison.boundaries.tolist() == sorted(set.intersection(*map(boundaries, tokenizations)))
    assert [(one.start, one.end) for one in comparison] == list(pairwise(comparison.boundaries.tolist()))
    for number, tokenization in enumerate(tokenizations):
        assert [piece for one in comparison for piece in one.cuts[number]] == tokenization.token_bytes
        assert [token for one in comparison for token in one.ids[number]] == tokenization.ids.tolist()
        for one in comparison:
            assert b"".join(one.cuts[number]) == comparison.data[one.start : one.end] != b""
        differs = [one.cuts[number] != one.cuts[0] for one in comparison]
        assert comparison.differs[number].tolist() == differs
    assert comparison.differing.tolist() == [i for i, one in enumerate(comparison) if len(set(one.cuts)) > 1]
    assert comparison[-1:] == ([comparison[len(comparison) - 1]] if len(comparison) else [])


@examples(50)
@given(st.data())
def test_split_cuts_are_the_ends_of_pretokens(data: st.DataObject) -> None:
    text = reference.repair(data.draw(KINDS))[0]
    chosen = data.draw(st.lists(tokenizers_for(text), min_size=2, max_size=3))
    comparison = tokviz.compare(text, chosen)
    for number, tokenizer in enumerate(chosen):
        lengths = [len(pretoken.encode()) for pretoken in tokenizer.pretokens(text)]
        places = {sum(lengths[:count]) for count in range(len(lengths) + 1)}
        for segment, one in enumerate(comparison):
            expected = [place - one.start for place in sorted(places) if one.start <= place <= one.end]
            assert list(comparison.split_cuts(segment, number)) == expected


def check_agreement(comparison: Comparison) -> None:
    for first, second in combinations(range(len(comparison.tokenizers)), 2):
        one, other = comparison.tokenizations[first], comparison.tokenizations[second]
        ends = {0, len(comparison.data)}
        inner, others = boundaries(one) - ends, boundaries(other) - ends
        agreement = comparison.agreement(first, second)
        assert agreement.jaccard == (len(inner & others) / len(inner | others) if inner | others else 1.0)
        assert agreement.in_common == (Counter(spans(one)) & Counter(spans(other))).total()
        assert agreement.difference == len(other) - len(one)
        assert agreement.percent == pytest.approx(100 * (len(other) / len(one) - 1) if len(one) else 0.0)


def check_mirrored(comparison: Comparison) -> None:
    """Swapping two tokenizers mirrors everything."""
    mirrored = Comparison(
        comparison.tokenizers[::-1], comparison.tokenizations[::-1], comparison._allowed_special[::-1]
    )
    assert mirrored.boundaries.tolist() == comparison.boundaries.tolist()
    assert [one.cuts for one in mirrored] == [one.cuts[::-1] for one in comparison]
    there, back = comparison.agreement(0, 1), mirrored.agreement(0, 1)
    assert (there.jaccard, there.in_common, there.difference) == (back.jaccard, back.in_common, -back.difference)
    assert mirrored.reasons(1).tolist() == comparison.reasons(1).tolist()
    for number in comparison.differing.tolist():
        one, other = comparison.explain(number, 1), mirrored.explain(number, 1)
        assert one and other and one.crossings == other.crossings[::-1]
    assert [counts.tolist() for counts in mirrored.class_counts] == [
        counts.tolist() for counts in comparison.class_counts[::-1]
    ]


@examples(25)
@given(st.data())
def test_a_tokenizer_agrees_with_itself(data: st.DataObject) -> None:
    text = reference.repair(data.draw(KINDS))[0]
    tokenizer = data.draw(tokenizers_for(text))
    comparison = tokviz.compare(text, [tokenizer, tokenizer])
    count = len(tokenizer.encode(text))
    assert comparison.agreement(0, 1) == (1.0, count, 0, 0.0)
    assert len(comparison.differing) == 0
    assert not comparison.reasons(1).any()
    assert all(comparison.explain(number, 1) is None for number in range(len(comparison)))


def check_classes(comparison: Comparison) -> None:
    """Every token has one class."""
    for number, tokenization in enumerate(comparison.tokenizations):
        assert comparison.token_classes(number).tolist() == token_classes(tokenization).tolist()
        counts = Counter(comparison.token_classes(number).tolist())
        assert comparison.class_counts[number].tolist() == [counts[one] for one in range(len(CLASSES))]
        assert comparison.class_counts[number].sum() == comparison.token_counts[number] == len(tokenization)
    assert len(comparison.segment_classes) == len(comparison)


# ---------------------------------------------------------------- reasons


@cache
def rebuilt(name: str, pattern: str | None) -> Tokenizer:
    return with_pattern(tokviz.load(name), pattern)


def with_pattern(tokenizer: Tokenizer, pattern: str | None) -> Tokenizer:
    """A new tokenizer with the same vocabulary and merges."""
    if not isinstance(tokenizer, tokviz.BPETokenizer):
        return tokenizer
    return tokviz.BPETokenizer(
        tokenizer.name,
        tokenizer.vocab,
        tokenizer.merges if tokenizer.training else None,
        split_pattern=pattern,
        special_tokens=tokenizer.special_tokens,
        units=tokenizer.alphabet.units,
        end_of_word=tokenizer.end_of_word,
    )


def spans_with_pattern(tokenizer: Tokenizer, pattern: str | None, text: str, special: Any) -> list[Span]:
    """The tokens of the text with another split pattern."""
    if isinstance(tokenizer, tokviz.WordTokenizer):
        specials = tokenizer.special_tokens if special == "all" else {}
        pieces = reference.pretokens(text, pattern, False, specials)
        offsets = np.cumsum([0, *(len(piece.text.encode()) for piece in pieces)]).tolist()
        return list(pairwise(offsets))
    shipped = tokenizer.name in SHIPPED
    swapped = rebuilt(tokenizer.name, pattern) if shipped else with_pattern(tokenizer, pattern)
    return spans(swapped.tokenize(text, special))


def is_marked(tokenizer: Tokenizer, token: int) -> bool:
    return isinstance(tokenizer, tokviz.BPETokenizer) and tokenizer.tree(token).leaves()[-1].bytes == b""


def has_marks(tokenizer: Tokenizer) -> bool:
    return isinstance(tokenizer, tokviz.BPETokenizer) and tokenizer.end_of_word is not None


@cache
def shipped_tokens(name: str) -> frozenset[bytes]:
    return ordinary_tokens(tokviz.load(name))


def ordinary_tokens(tokenizer: Tokenizer) -> frozenset[bytes]:
    specials = set(tokenizer.special_tokens.values())
    marked = {token for token in tokenizer.vocab if has_marks(tokenizer) and is_marked(tokenizer, token)}
    return frozenset(data for token, data in tokenizer.vocab.items() if token not in specials | marked)


def holds(tokenizer: Tokenizer, data: bytes, marked: bool) -> bool:
    """Return whether the tokenizer has these bytes as a token, with or without a mark."""
    if isinstance(tokenizer, tokviz.CharacterTokenizer):
        return data in [chr(code).encode() for code in map(ord, data.decode("utf-8", "ignore"))]
    if marked and has_marks(tokenizer):
        specials = set(tokenizer.special_tokens.values())
        candidates = [one for one in tokenizer.vocab if one not in specials and is_marked(tokenizer, one)]
        return data in [tokenizer.vocab[token] for token in candidates]
    return data in (shipped_tokens(tokenizer.name) if tokenizer.name in SHIPPED else ordinary_tokens(tokenizer))


def effect(changed: object, before: object, other: object) -> Effect:
    if changed == other:
        return Effect.AGREES
    return Effect.NOTHING if changed == before else Effect.CHANGES


def four_cuts(comparison: Comparison, other: int, start: int, end: int, special: Any) -> list[list[Span] | None]:
    """A segment's cuts by both, and by each with the other's split pattern; None if tokens reach beyond the segment."""
    cuts = [within(spans(comparison.tokenizations[one]), start, end) for one in (0, other)]
    for one, another in ((0, other), (other, 0)):
        pattern = comparison.tokenizers[another].split_pattern
        cuts.append(
            within(spans_with_pattern(comparison.tokenizers[one], pattern, comparison.text, special), start, end)
        )
    return cuts


def lacking(comparison: Comparison, other: int, segment: Segment) -> bool:
    """Return whether a token used here is missing from the other vocabulary."""
    for one, another in ((0, other), (other, 0)):
        tokenizer = comparison.tokenizers[one]
        for token in segment.ids[one]:
            if token in tokenizer.special_tokens.values() or not (data := tokenizer.vocab[token]):
                continue
            marked = has_marks(tokenizer) and is_marked(tokenizer, token)
            if not holds(comparison.tokenizers[another], data, marked):
                return True
    return False


def units(tokenizer: Tokenizer) -> str:
    if isinstance(tokenizer, tokviz.WordTokenizer):
        return "words"
    if isinstance(tokenizer, tokviz.BPETokenizer):
        return tokenizer.alphabet.units
    return "characters" if isinstance(tokenizer, tokviz.CharacterTokenizer) else "bytes"


def alphabet_applies(comparison: Comparison, other: int, segment: Segment) -> bool:
    sides = [(comparison.tokenizers[one], segment.cuts[one], segment.ids[one]) for one in (0, other)]
    kinds = {units(tokenizer) for tokenizer, _, _ in sides}
    if len(kinds) == 2 and "words" in kinds:
        return True
    for tokenizer, pieces, ids in sides:
        if units(tokenizer) != "words" and set(ids) & set(tokenizer.special_tokens.values()):
            return True
        if kinds == {"bytes", "characters"} and any(not is_text(piece) for piece in pieces):
            return True
    one_marks = [has_marks(tokenizer) for tokenizer, _, _ in sides]
    return sum(one_marks) == 1 and any(
        is_marked(tokenizer, token) for tokenizer, _, ids in sides if has_marks(tokenizer) for token in ids
    )


def is_text(piece: bytes) -> bool:
    try:
        piece.decode()
    except UnicodeDecodeError:
        return False
    return True


def check_reasons(comparison: Comparison, special: Any) -> Counter[int]:
    """Every reason given is true, and every true one is given. Returns how often each sum of reasons occurred."""
    seen: Counter[int] = Counter()
    for other in range(1, len(comparison.tokenizers)):
        for number, segment in enumerate(comparison):
            given = Reason(int(comparison.reasons(other)[number]))
            explanation = comparison.explain(number, other)
            if segment.cuts[0] == segment.cuts[other]:
                assert (given, explanation) == (Reason(0), None)
                continue
            expected = Reason(0)
            if alphabet_applies(comparison, other, segment):
                expected |= Reason.ALPHABET
            if lacking(comparison, other, segment):
                expected |= Reason.VOCABULARY
            first, second, first_swapped, second_swapped = four_cuts(
                comparison, other, segment.start, segment.end, special
            )
            patterns = effect(first_swapped, first, second), effect(second_swapped, second, first)
            # The second with the first's split pattern is the first with the second's tokens, and so on.
            tokens = effect(second_swapped, first, second), effect(first_swapped, second, first)
            if Effect.AGREES not in patterns:
                expected = expected or Reason.ORDER
            if Effect.AGREES in patterns or Effect.AGREES not in tokens:
                expected |= Reason.SPLIT
            assert given == expected
            assert explanation is not None
            assert explanation.reasons == given
            assert explanation.split_effects == patterns
            assert explanation.alone == {
                reason: max(patterns if reason is Reason.SPLIT else tokens) for reason in Reason if reason in given
            }
            assert all(comparison.names[one] in explanation.sentence for one in (0, other))
            check_crossings(comparison, other, segment, explanation)
            seen[given.value] += 1
    return seen


def check_crossings(comparison: Comparison, other: int, segment: Any, explanation: Any) -> None:
    """The first merge across a cut of the other, derived from the replay instead of the tokens' trees."""
    if Reason.ORDER not in explanation.reasons:
        assert explanation.crossings == (None, None)
        return
    assert any(explanation.crossings)
    for one, another, crossing in ((0, other, explanation.crossings[0]), (other, 0, explanation.crossings[1])):
        tokenizer = comparison.tokenizers[one]
        assert isinstance(tokenizer, tokviz.BPETokenizer)
        replay = tokenizer.replay(comparison.text, comparison._allowed_special[one])
        cuts = boundaries(comparison.tokenizations[another])
        places = replay.byte_offsets[:-1].tolist()
        steps = [
            step
            for place, before, step in zip(places, [-1, *places], replay.removed_at.tolist(), strict=False)
            if segment.start < place < segment.end and place in cuts and place != before and step < len(replay)
        ]
        if not steps:
            assert crossing is None
            continue
        step = replay[min(steps)]
        assert crossing == (step.rank, tokenizer.vocab[step.left], tokenizer.vocab[step.right])


def test_every_reason_is_true_and_every_true_reason_is_given() -> None:
    seen: Counter[int] = Counter()

    @examples(150)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        text = reference.repair(data.draw(KINDS))[0]
        chosen = data.draw(st.lists(tokenizers_for(text), min_size=2, max_size=3))
        special = data.draw(st.sampled_from([(), "all"]))
        seen.update(check_reasons(tokviz.compare(text, chosen, special), special))

    @examples(90)
    @given(glued(["a", "b", "1", " ", "ab ", "  "], min_size=2), st.lists(siblings(), min_size=2, max_size=3))
    def check_siblings(text: str, chosen: list[Tokenizer]) -> None:
        seen.update(check_reasons(tokviz.compare(text, chosen), ()))

    check()
    check_siblings()
    # The test would prove little if some of them hardly ever occurred.
    often = [Reason.ALPHABET, Reason.SPLIT, Reason.VOCABULARY, Reason.ORDER, Reason.SPLIT | Reason.VOCABULARY]
    assert min(seen[reason.value] for reason in often) >= 10
    assert seen[(Reason.SPLIT | Reason.ORDER).value]  # rare: the two act together


# How GPT-2 and cl100k cut the classics, derived from their two patterns and the contents of their vocabularies.
S, V, R = Reason.SPLIT, Reason.VOCABULARY, Reason.ORDER
CLASSICS: list[tuple[str, list[tuple[str, str, Reason]]]] = [
    # Both patterns leave four spaces before " hello"; only cl100k has a token for four.
    ("     hello", [(" | | | ", "    ", V)]),
    # GPT-2 has contractions in lower case only, and joins digits to a space; cl100k takes three digits at a time.
    ("DON'T PANIC, IT'S 2026!", [("'|T", "'T", S | V), ("'|S", "'S", S | V), (" 20|26", " |202|6", S | V)]),
    # cl100k's pattern joins line breaks to the punctuation before them; to both, indentation is one piece.
    ("if x:\n    y = 1", [(":|\n", ":\n", S | V), (" | | ", "   ", V), (" 1", " |1", S | V)]),
    # One run of digits against groups of three; both know 45, 67, 456 and 7.
    ("1234567", [("45|67", "456|7", S)]),
    # GPT-2 has no token for a Chinese character. The pizza is three tokens in both.
    ("I love pizza 🍕 你好", [("\\xe4\\xbd|\\xa0", "你", V), ("\\xe5\\xa5|\\xbd", "好", V)]),
    # One word for both patterns, all tokens in both vocabularies: only the ranks differ.
    ("supercalifragilisticexpialidocious", [("super|cal", "sup|erc|al", R), ("ist|ice|xp", "istic|exp", R)]),
    (" AIX", [(" AI|X", " A|IX", R)]),
]


@pytest.mark.parametrize(("text", "expected"), CLASSICS, ids=[text for text, _ in CLASSICS])
def test_the_classics(text: str, expected: list[tuple[str, str, Reason]]) -> None:
    comparison = tokviz.compare(text, ["gpt2", "cl100k_base"])
    reasons = comparison.reasons(1)
    found = [
        (
            *("|".join(piece.decode(errors="backslashreplace") for piece in cut) for cut in comparison[number].cuts),
            flags,
        )
        for number, flags in zip(comparison.differing, reasons[comparison.differing], strict=True)
    ]
    assert found == expected
    drawn = str.maketrans({" ": "·", "\n": "↵"})
    for number, (ours, theirs, flags) in zip(comparison.differing, expected, strict=True):
        explanation = comparison.explain(number, 1)
        assert explanation is not None
        assert explanation.reasons == flags
        for pieces in (ours, theirs):
            in_hex = re.sub(r"(\\x..)+", lambda run: run[0][2:].replace(r"\x", " "), pieces.translate(drawn))
            assert f"“{in_hex}”" in explanation.sentence


@pytest.mark.parametrize(
    ("text", "name", "expected_message"),
    [
        ("a\u00a0b", "Bytes", ("“[NBSP]”", "“c2|a0”")),  # the character, and its second byte
        ("a\u200db", "Code points", ("cuts the character “[ZWJ]”",)),
        ("a ·", "Words", ("“·[·]”", "“·|[·]”")),  # a space and a middle dot
    ],
)
def test_quoted_pieces_can_be_told_from_lookalikes(text: str, name: str, expected_message: tuple[str, ...]) -> None:
    """GPT-2 against the simple tokenizers: no-break spaces, joiners, middle dots."""
    others = {
        "Bytes": tokviz.ByteTokenizer(),
        "Code points": tokviz.CharacterTokenizer(),
        "Words": tokviz.WordTokenizer.from_text(text),
    }
    comparison = tokviz.compare(text, ["gpt2", others[name]])
    explained = [comparison.explain(number, 1) for number in comparison.differing]
    sentences = " ".join(each.sentence for each in explained if each)
    for part in expected_message:
        assert part in sentences


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("     x", "gpt2 never learned four spaces as one token."),
        ("\t\t\t", "gpt2 never learned three tabs as one token."),
        ("4567", "cl100k_base takes at most three digits together, gpt2 more."),
        ("DON'T", "gpt2 first cuts “'T” in two, cl100k_base does not. gpt2 never learned “'T” as one token."),
        ("好", "gpt2 never learned “好” as one token."),
        ("isticexp", "Both have all these tokens but join them in another order."),
        ("<|endoftext|>", ""),
    ],
)
def test_reasons_are_said_in_plain_words(text: str, plain: str) -> None:
    comparison = tokviz.compare(text, ["gpt2", "cl100k_base"], allowed_special="all")
    said = [explanation.plain for number in comparison.differing if (explanation := comparison.explain(number, 1))]
    assert said == ([plain] if plain else [])


def test_plain_words_are_true_of_the_vocabularies() -> None:
    """Whatever is said never to have been learned is a token of the one and none of the other."""
    text = sample("differences-classics").text + sample("code-python").text
    names = ["gpt2", "cl100k_base", "o200k_base", "p50k_base"]
    vocabularies = {name: {shown(data) for data in tokviz.load(name).vocab.values()} for name in names}
    comparison = tokviz.compare(text, names)
    said = 0
    for number in comparison.differing:
        for other in (1, 2, 3):
            explanation = comparison.explain(number, other)
            plain = explanation.plain if explanation else ""
            for name, token in re.findall(r"(\S+) never learned “(.*?)” as one", plain):
                said += 1
                (having,) = {names[0], names[other]} - {name}
                assert token in vocabularies[having] and token not in vocabularies[name]
    assert said > 20


def test_causes_that_act_together_are_both_named() -> None:
    """GPT-2 takes digits in any number, cl100k by threes. Each pattern changes the other's cut, yet they differ."""
    comparison = tokviz.compare("5678", ["gpt2", "cl100k_base"])
    assert comparison[0].cuts == ((b"5", b"678"), (b"567", b"8"))
    gpt2, cl100k = comparison.tokenizers
    swapped = [gpt2.with_splits_of(cl100k), cl100k.with_splits_of(gpt2)]
    assert [one.tokenize("5678").token_bytes for one in swapped] == [[b"5", b"67", b"8"], [b"56", b"78"]]
    explanation = comparison.explain(0, 1)
    assert explanation is not None
    assert explanation.reasons == S | V
    assert explanation.alone == {S: Effect.CHANGES, V: Effect.CHANGES}
    assert explanation.because == (
        "Before any merge, gpt2's split pattern leaves it whole and cl100k_base's cuts it into “567|8”; "
        "cl100k_base has the token “567”, which gpt2 lacks."
    )
    assert explanation.because[1:-1] in explanation.sentence
    for expected_message in ("The split pattern and the tokens act together", "“5|67|8”", "“56|78”"):
        assert expected_message in explanation.sentence


@pytest.mark.parametrize(
    ("text", "alone", "expected_message"),
    [
        ("1234567", {S: Effect.AGREES}, "split pattern alone, gpt2 cuts as cl100k_base does."),
        (
            " AIX",
            {R: Effect.AGREES},
            "pattern alone, gpt2 cuts as before. With gpt2's tokens alone, cl100k_base cuts as gpt2 does.",
        ),
        (
            " 4567",
            {S: Effect.AGREES, V: Effect.CHANGES},
            "tokens alone, gpt2 cuts elsewhere, but not as cl100k_base does.",
        ),
        (
            "!\n",
            {S: Effect.AGREES, V: Effect.AGREES},
            "pattern alone, cl100k_base cuts as gpt2 does. With gpt2's tokens alone, cl100k_base cuts as gpt2 does.",
        ),
    ],
)
def test_the_effect_of_each_cause_alone_is_stated(
    text: str, alone: dict[Reason, Effect], expected_message: str
) -> None:
    comparison = tokviz.compare(text, ["gpt2", "cl100k_base"])
    explanation = comparison.explain(int(comparison.differing[0]), 1)
    assert explanation is not None
    assert explanation.alone == alone
    assert expected_message in explanation.sentence


def test_exchanging_is_not_mentioned_if_both_have_the_same_pattern() -> None:
    comparison = tokviz.compare("hello", ["gpt2", tokviz.load("gpt2").cut(50)])
    explanation = comparison.explain(0, 1)
    assert explanation is not None
    assert explanation.split_effects == (Effect.NOTHING, Effect.NOTHING)
    assert explanation.alone == {V: Effect.AGREES}
    assert "split pattern" not in explanation.sentence


def joined(pieces: tuple[bytes, ...]) -> str:
    return "|".join(piece.decode(errors="backslashreplace") for piece in pieces)


def test_a_split_is_explained_by_its_pieces_even_at_the_start_of_the_text() -> None:
    """cl100k's pattern cuts numbers after three digits, GPT-2's nowhere; text in front makes no difference."""
    for before, segment in (("", 0), ("a.", 2)):
        explanation = tokviz.compare(before + "2024", ["gpt2", "cl100k_base"]).explain(segment, 1)
        assert explanation is not None
        assert "gpt2's split pattern leaves it whole and cl100k_base's cuts it into “202|4”" in explanation.sentence


def test_an_order_is_explained_by_the_first_merges_across_a_cut() -> None:
    comparison = tokviz.compare(" AIX", ["gpt2", "cl100k_base"])
    explanation = comparison.explain(0, 1)
    assert explanation is not None
    gpt2, cl100k = explanation.crossings
    assert gpt2 and cl100k
    assert (gpt2.left + gpt2.right, cl100k.left + cl100k.right) == (b" AI", b"IX")
    # In tiktoken's files ranks follow ids, and the first 256 are bytes.
    assert gpt2.rank + 256 == tokviz.load("gpt2").encode(" AI")[0]
    assert cl100k.rank + 256 == tokviz.load("cl100k_base").encode("IX")[0]
    assert f"“·A + I” (merge {gpt2.rank + 1:,} of 50,000)" in explanation.sentence
    assert f"“I + X” (merge {cl100k.rank + 1:,} of 100,000)" in explanation.sentence


def test_a_reason_is_decided_in_the_context_of_the_text() -> None:
    """`   y` alone would be three spaces before a word; with a line break before, o200k takes the spaces otherwise."""
    texts_around = ["x\n   y", "   y", "x   ", "x   \n"]
    for text in texts_around:
        check_reasons(tokviz.compare(text, ["gpt2", "cl100k_base"]), ())
        check_reasons(tokviz.compare(text, ["cl100k_base", "gpt2"]), ())


def sentence(comparison: Comparison, number: int = 0) -> str:
    explanation = comparison.explain(number, 1)
    assert explanation is not None
    return explanation.sentence


def test_alphabets_are_explained() -> None:
    characters, words = tokviz.CharacterTokenizer(), tokviz.WordTokenizer.from_text("low lower")
    assert "gpt2 begins with bytes and cuts the character “🍕”" in sentence(tokviz.compare("🍕", ["gpt2", characters]))
    assert "Words knows whole words only" in sentence(tokviz.compare("lower", [tokviz.ByteTokenizer(), words]))
    marking = tokviz.train("low low", alphabet="characters", end_of_word="</w>", num_merges=1)
    compared = tokviz.compare("low", [marking, "gpt2"])
    assert compared[0].cuts == ((b"lo", b"w", b""), (b"low",))
    assert "ends every word with a mark" in sentence(compared)
    special = tokviz.compare("a<|fim_prefix|>", ["gpt2", "cl100k_base"], {"<|fim_prefix|>"})
    assert "cl100k_base finds the special token “<|fim_prefix|>” here" in sentence(special, 1)
    assert special.reasons(1).tolist() == [0, Reason.ALPHABET]


BYTES = {value: bytes([value]) for value in range(256)}


def engine(name: str, *merged: bytes, normalizer: Any = None, space: bool = False, added: Any = ()) -> Tokenizer:
    """A tokenizer of bytes, and of pairs of bytes that it merges, by Hugging Face's library."""
    spelled = [byte_characters.spell(pair) for pair in merged]
    vocab = {char: value for value, char in enumerate(byte_characters.spell(bytes(range(256))))}
    vocab |= {pair: number for number, pair in enumerate(spelled, 300)}
    library = tokenizers.Tokenizer(models.BPE(vocab, [(pair[0], pair[1]) for pair in spelled]))
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=space, use_regex=False)
    if normalizer is not None:
        library.normalizer = normalizer
    library.add_tokens(list(added))
    return HuggingFaceTokenizer(name, library.to_str().encode())


@pytest.mark.parametrize("length", [40, 41])
def test_a_sentence_shows_the_first_forty_characters_of_a_piece(length: int) -> None:
    digit, whole = (WordTokenizer.from_text("1" * length, split) for split in (regex.compile(r"\d"), "words"))
    said = sentence(tokviz.compare("1" * length, [digit, whole]))
    assert ("“" + "1" * 40 + ("…”" if length > 40 else "”")) in said


def test_tokens_without_bytes_and_their_neighbors_are_named_by_their_own_bytes() -> None:
    rewriting = engine("rewriting", normalizer=normalizers.NFD())
    text = "a caf\u00e9 at last"
    covered = rewriting.tokenize(text).token_bytes
    empty = [number for number, piece in enumerate(covered) if not piece]
    assert empty and empty[0] > 1 and empty[-1] < len(covered) - 2
    beside = sorted({number + step for number in empty for step in (-1, 0, 1)})
    assert list(tokviz.compare(text, [rewriting, "gpt2"]).own_pieces[0]) == beside


@pytest.mark.parametrize(("form", "text"), [("NFC", "cafe\u0301"), ("NFD", "caf\u00e9"), ("NFKC", "\ufb01x")])
def test_the_tokens_of_a_rewritten_character_are_named_by_their_own_bytes(form: Any, text: str) -> None:
    comparison = tokviz.compare(
        text, [engine("rewriting", normalizer=getattr(normalizers, form)()), tokviz.ByteTokenizer()]
    )
    of_one = comparison.own_pieces[0]
    numbers = range(min(of_one), max(of_one) + 1)
    assert list(of_one) == list(numbers)
    rewritten = [bytes([byte]) for byte in unicodedata.normalize(form, text).encode()]
    assert list(of_one.values()) == rewritten[numbers.start : numbers.stop]
    assert comparison.own_pieces[1] == {}
    expected_message = " ".join(e.sentence for s in comparison.differing.tolist() if (e := comparison.explain(s, 1)))
    assert expected_message
    assert not re.search(r"“\||\|\||\|”", expected_message)


def test_rewriting_by_one_tokenizer_is_a_reason() -> None:
    accent = "e\u0301"
    composing, plain = engine("composing", "é".encode(), normalizer=normalizers.NFC()), engine("plain")
    comparison = tokviz.compare(accent, [composing, plain])
    assert comparison.reasons(1).tolist() == [Reason.NORMALIZATION | Reason.VOCABULARY]
    assert "composing first converts the text to the Unicode form NFC" in sentence(comparison)
    assert tokviz.compare(accent, [composing, composing]).differing.tolist() == []


def test_an_added_token_that_is_cut_out_is_not_an_order_reason() -> None:
    """As in GPT-NeoX, whose runs of spaces are found before anything is split. Both have all these tokens."""
    words = (b"  ", b" b")
    merges = {(32, 32): 300, (32, 98): 301}
    merging = tokviz.BPETokenizer("merging", BYTES | {300: b"  ", 301: b" b"}, merges, split_pattern=" ?b| +(?!b)")
    adding = engine("adding", *words, added=[AddedToken("  ", normalized=False)])
    comparison = tokviz.compare("a  b", [adding, merging])
    assert comparison[1].cuts == ((b"  ", b"b"), (b" ", b" b"))
    # Without a split pattern, as `adding` is, `merging` makes the same tokens by itself.
    without_split = tokviz.BPETokenizer("merging", BYTES | {300: b"  ", 301: b" b"}, merges)
    assert tuple(without_split.tokenize("a  b").token_bytes) == (b"a", b"  ", b"b")
    assert comparison.reasons(1).tolist() == [0, Reason.ALPHABET | Reason.SPLIT]
    expected_message = sentence(comparison, 1)
    assert "adding's split pattern" not in expected_message
    assert "Without a split pattern, merging cuts as adding does." in expected_message
    assert "adding cuts out the added token “··” before anything is merged" in expected_message
    assert "another order" not in expected_message and "merging lacks" not in expected_message


def test_white_space_that_a_cut_out_token_takes_in_is_not_rewriting() -> None:
    """As with <mask> in RoBERTa, which takes in the space before it, and a space is put in front of the text."""
    mask = AddedToken("<mask>", lstrip=True, special=True)
    masking = engine("masking", space=True, added=[mask])
    expected_message = sentence(tokviz.compare("a <mask>", [masking, tokviz.ByteTokenizer()], "all"), 1)
    assert "masking finds the special token “<mask>” and the white space beside it here" in expected_message
    assert "puts a space in front" not in expected_message
    adding = engine("adding", added=[AddedToken("<mask>", lstrip=True)])
    expected_message = sentence(tokviz.compare("a <mask>", [adding, tokviz.ByteTokenizer()]), 1)
    assert "adding cuts out the added token “<mask>” and the white space beside it before" in expected_message
    behind = engine("behind", added=[AddedToken("<mask>", rstrip=True)])
    expected_message = sentence(tokviz.compare("<mask> a", [behind, tokviz.ByteTokenizer()]), 0)
    assert "behind cuts out the added token “<mask>” and the white space beside it before" in expected_message


def test_a_pretoken_that_is_taken_whole_is_not_explained_by_merge_order() -> None:
    """As in Llama 3: a pre-token that is in the vocabulary is that token, though no merge makes it."""
    vocab = BYTES | {300: b"ab", 301: b"abc"}
    taking, joining = (
        tokviz.BPETokenizer(name, vocab, {(97, 98): 300}, ignore_merges=name == "taking")
        for name in ("taking", "joining")
    )
    comparison = tokviz.compare("abc", [taking, joining])
    assert comparison[0].cuts == ((b"abc",), (b"ab", b"c"))
    assert comparison.reasons(1).tolist() == [Reason.ORDER]
    assert "both have all these tokens, but taking takes “abc” whole, which no merge makes" in sentence(comparison)


def test_a_token_that_no_merge_makes_is_not_explained_by_merge_order() -> None:
    """Some files list tokens without merges. Nobody takes them whole here."""
    vocab, merges = BYTES | {300: b"ab", 301: b"abc"}, {(97, 98): 300, (300, 99): 301}
    making = tokviz.BPETokenizer("making", vocab, merges)
    listing = tokviz.BPETokenizer("listing", vocab, {(97, 98): 300})
    for others in ([making, listing], [listing, making]):
        comparison = tokviz.compare("abc", others)
        assert comparison.reasons(1).tolist() == [Reason.ORDER]
        expected_message = sentence(comparison)
        assert "both have all these tokens, but no merge of listing makes “abc”" in expected_message
        assert "another order" not in expected_message and "no merge of making" not in expected_message


def test_a_token_without_bytes_at_the_beginning_is_in_the_first_segment() -> None:
    spacing = engine("spacing", space=True)
    for others in ([spacing, tokviz.ByteTokenizer()], [tokviz.ByteTokenizer(), spacing]):
        comparison = tokviz.compare("ab", others)
        assert sorted(comparison[0].cuts) == [(b"", b"a"), (b"a",)]
        assert comparison.differing.tolist() == [0]
        assert "spacing first puts a space in front" in sentence(comparison)


def test_a_mark_alone_is_a_difference_although_the_boundaries_agree() -> None:
    marking = tokviz.train("ab", alphabet="characters", end_of_word="</w>", num_merges=0)
    comparison = tokviz.compare("ab", [marking, tokviz.CharacterTokenizer()])
    assert comparison.agreement(0, 1) == (1.0, 2, -1, -100 / 3)
    assert comparison.reasons(1).tolist() == [0, Reason.ALPHABET]


def test_marks_are_tokens_in_common() -> None:
    first, second = (tokviz.train("ab ab", alphabet="characters", end_of_word=label, num_merges=0) for label in "._")
    assert tokviz.compare("ab ab", [first, second]).agreement(0, 1) == (1.0, 7, 0, 0.0)


def test_tokens_with_and_without_the_mark_are_different() -> None:
    knows_both, knows_one = (
        tokviz.train("ab ab", alphabet="characters", end_of_word="</w>", num_merges=count) for count in (2, 1)
    )
    comparison = tokviz.compare("ab", [knows_both, knows_one])
    assert comparison[0].cuts == ((b"ab",), (b"ab", b""))
    assert comparison.reasons(1).tolist() == [Reason.VOCABULARY]


def test_a_token_that_reaches_beyond_a_segment_does_not_agree_in_it() -> None:
    """Without its pattern, the first cuts `cabd` into `ca|bd`, which ends like `c|a|bd` but isn't the same."""
    letters = dict(enumerate([b"a", b"b", b"c", b"d"]))
    first = tokviz.BPETokenizer(
        "first",
        letters | {4: b"ca", 5: b"ab", 6: b"bd"},
        {(2, 0): 4, (0, 1): 5, (1, 3): 6},
        split_pattern="c|[abd]+",
        units="characters",
    )
    second = tokviz.BPETokenizer("second", letters | {4: b"bd"}, {(1, 3): 4}, units="characters")
    comparison = tokviz.compare("cabd", [first, second])
    assert [one.cuts for one in comparison] == [((b"c",), (b"c",)), ((b"ab", b"d"), (b"a", b"bd"))]
    assert comparison.reasons(1).tolist() == [0, Reason.VOCABULARY]


def test_equal_segments_are_explained_once() -> None:
    comparison = tokviz.compare("X'S X'S X'S", ["gpt2", "cl100k_base"])
    assert len(comparison.differing) == 3
    explanations = [comparison.explain(number, 1) for number in comparison.differing.tolist()[1:]]
    assert explanations[0] is explanations[1]


def test_the_explanation_of_a_long_segment_is_short() -> None:
    text = "🍕" * 50_000
    comparison = tokviz.compare(text, [tokviz.CharacterTokenizer(), tokviz.train(text[:9], num_merges=2)])
    shifted = tokviz.compare("aab" * 50_000, [words_of_two("aa", "ba"), words_of_two("ab", "aa")])
    for one in (comparison, shifted):
        assert len(sentence(one, int(one.differing[0]))) < 1000


def words_of_two(*pairs: str) -> tokviz.BPETokenizer:
    vocab = dict(enumerate([b"a", b"b", *(pair.encode() for pair in pairs)]))
    merges = {("ab".index(pair[0]), "ab".index(pair[1])): number for number, pair in enumerate(pairs, start=2)}
    return tokviz.BPETokenizer("pairs", vocab, merges, units="characters")


# ---------------------------------------------------------------- arguments


def test_names_are_made_distinct() -> None:
    assert tokviz.compare("", ["gpt2", "gpt-4o"]).names == ("gpt2", "o200k_base")
    assert tokviz.compare("", ["gpt2", "gpt2"]).names == ("gpt2 (1)", "gpt2 (2)")


def test_an_empty_text_has_no_segments() -> None:
    comparison = tokviz.compare("", ["gpt2", "cl100k_base"])
    assert (len(comparison), list(comparison), len(comparison.differing)) == (0, [], 0)
    assert comparison.agreement(0, 1) == (1.0, 0, 0, 0.0)
    assert len(comparison.reasons(1)) == 0


def test_eight_tokenizers_can_be_compared() -> None:
    comparison = tokviz.compare("    if x == 2026:\n", [*get_args(OpenAIName), tokviz.ByteTokenizer()])
    assert len(comparison.token_starts) == len(comparison.differs) == len(comparison.class_counts) == 8
    for other in range(8):
        assert ((comparison.reasons(other) > 0) == comparison.differs[other]).all()


@pytest.mark.parametrize(
    ("error", "expected_message", "arguments"),
    [
        (TypeError, "a list of names or tokenizers", ("a", "gpt2")),
        (ValueError, "2 to 8 tokenizers, not 1", ("a", ["gpt2"])),
        (ValueError, "2 to 8 tokenizers, not 9", ("a", ["gpt2"] * 9)),
        (TypeError, "not int", ("a", ["gpt2", 2])),
        (ValueError, "'gtp2'", ("a", ["gpt2", "gtp2"])),
        (TypeError, "must be a str", (b"a", ["gpt2", "gpt2"])),
        (ValueError, "none of the tokenizers has the special token <s>", ("a", ["gpt2", "cl100k_base"], ["<s>"])),
        (TypeError, "a set of special tokens", ("a", ["gpt2", "cl100k_base"], "<s>")),
        (ValueError, "pairs can't encode this text: character 'x'", ("x", ["gpt2", words_of_two()])),
    ],
)
def test_invalid_arguments_are_refused_with_a_message(
    error: type[Exception], expected_message: str, arguments: tuple[Any, ...]
) -> None:
    with pytest.raises(error, match=expected_message):
        tokviz.compare(*arguments)


def test_two_texts_need_a_tokenizer() -> None:
    with pytest.raises(TypeError, match="not int"):
        tokviz.compare_texts("a", "b", 5)  # type: ignore[arg-type]


def test_two_texts_under_one_tokenizer() -> None:
    gpt2 = tokviz.load("gpt2")
    compact, pretty = '{"a": 1}', '{\n    "a": 1\n}'
    for tokenizer in ("gpt2", gpt2):
        comparison = tokviz.compare_texts(compact, pretty, tokenizer)
        counts = [len(gpt2.encode(text)) for text in (compact, pretty)]
        assert [len(tokenization) for tokenization in comparison.tokenizations] == counts
        assert comparison.difference == counts[1] - counts[0] > 0
        assert comparison.percent == pytest.approx(100 * comparison.difference / counts[0])
        assert [text.sum() for text in comparison.class_counts] == counts
    assert tokviz.compare_texts("", "", gpt2)[1:3] == (0, 0.0)
    assert tokviz.compare_texts("", "a", gpt2).percent == float("inf")


# ---------------------------------------------------------------- what comparison requires of a tokenizer


@pytest.mark.parametrize("pattern", [None, "gpt2", "o200k", r"\w+"])
@pytest.mark.parametrize("name", SHIPPED)
def test_a_tokenizer_with_another_pattern_equals_one_built_with_it(name: str, pattern: str | None) -> None:
    other, built = tokviz.load(name).with_split_pattern(pattern), rebuilt(name, pattern)
    before = tokviz.load(name).split_pattern

    @examples(25, name, pattern)
    @given(texts())
    def check(text: str) -> None:
        assert other.pretokens(text) == built.pretokens(text)
        assert spans(other.tokenize(text)) == spans(built.tokenize(text))

    check()
    assert tokviz.load(name).split_pattern == before


def test_which_tokens_a_tokenizer_knows() -> None:
    gpt2 = tokviz.load("gpt2")
    assert gpt2.knows(b" hello") and not gpt2.knows(b"<|endoftext|>") and not gpt2.knows(b" hello", ends_word=True)
    characters = tokviz.CharacterTokenizer()
    assert characters.knows("🍕".encode()) and not characters.knows(b"ab") and not characters.knows(b"\xf0")
    words = tokviz.WordTokenizer.from_text("low")
    assert words.knows(b"low") and not words.knows(b"<unk>")
    marking = tokviz.train("ab ab", alphabet="characters", end_of_word="</w>", num_merges=2, tie_break="greatest-bytes")
    # First b + mark, then a + the result.
    assert marking.knows(b"ab", ends_word=True) and not marking.knows(b"ab")
    assert marking.knows(b"b", ends_word=True) and marking.knows(b"b") and not marking.knows(b"a", ends_word=True)


def test_of_several_split_patterns_none_is_the_one() -> None:
    one = tokviz.BPETokenizer("one", BYTES, {}, split_pattern=r"\d+")
    both = one._changed(split_patterns=(r"\d+", r"\w"))
    assert one.split_pattern == r"\d+"
    assert both.split_patterns == (r"\d+", r"\w") and both.split_pattern is None
