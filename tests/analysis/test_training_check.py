"""Checking trainings: mistakes put into the slow reference are named, and right merges of other libraries accepted."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from itertools import pairwise
from typing import Any
from unittest import mock

import bpeasy
import pytest
import reference
import regex
import rustbpe
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

import tokviz
from tokviz.analysis.checking.solutions import parse, read_solution, solution_of
from tokviz.analysis.checking.training_check import TrainingCheck, check_training
from tokviz.bpe.training import TIE_BREAKS
from tokviz.samples import sample

SPECIAL = "<|end|>"
TEXT = (
    "  DON'T stop: IT'S 12345 o'clock, and the cats' hats and the rat's mats are aaaa aaa aaaaaa. été, L'ÉTÉ, élève!\n"
    "O'REILLY, 'TWAS THE O'REILLYS' 'TIS; the other cats don't; they'll  see 2345 hats — and 345 mats, été.\n"
    "IT'S the same: banana bananas aaaaaaa\n"
) * 2 + " \n"
CUT = f"cat{SPECIAL}hats" * 5 + " the hat, the end <|end of|ends"
LINES = "low\nlow\nlow lower\nlow\nnewest low\nwidest\n\n\n\n\n" * 2
GPT2 = tokviz.split_patterns["gpt2"]
CL100K = tokviz.split_patterns["cl100k"]

Counts = Counter[tuple[int, int]]


def learned_by_reference(texts: str | Iterable[str], **settings: Any) -> list[tuple[bytes, bytes]]:
    trained = reference.train(texts, **settings)
    tokens = dict(enumerate(trained.symbols))
    for step in trained.history:
        tokens[step.new] = tokens[step.left] + tokens[step.right]
    return [(tokens[step.left], tokens[step.right]) for step in trained.history]


# ---------------------------------------------------------------- mistakes, each put into the reference


def count_once_where_overlapping(sequences: Sequence[Sequence[int]]) -> dict[tuple[int, int], int]:
    counts: dict[tuple[int, int], int] = {}
    for sequence in sequences:
        place = 0
        skipped: tuple[int, int] | None = None
        for place, pair in enumerate(pairwise(sequence)):
            if pair == skipped and pair[0] == pair[1] and sequence[place - 1] == pair[0]:
                skipped = None
                continue
            skipped = pair
            counts[pair] = counts.get(pair, 0) + 1
    return counts


def join_backwards(sequence: Sequence[int], pair: tuple[int, int], new: int) -> list[int]:
    symbols = list(sequence)
    place = len(symbols) - 2
    while place >= 0:
        if (symbols[place], symbols[place + 1]) == pair:
            symbols[place : place + 2] = [new]
            place -= 1
        place -= 1
    return symbols


def join_first_place(sequence: Sequence[int], pair: tuple[int, int], new: int) -> list[int]:
    symbols = list(sequence)
    for place in range(len(symbols) - 1):
        if (symbols[place], symbols[place + 1]) == pair:
            symbols[place : place + 2] = [new]
            break
    return symbols


def patched(**functions: Any) -> Any:
    return mock.patch.multiple("reference", **functions)


nothing = nullcontext


MISTAKES: dict[str, tuple[Callable[[], Any], str, dict[str, Any]]] = {
    # name: what is patched in the reference, the text that it gets, and the settings that it gets
    "not-split": (nothing, TEXT, {"split_pattern": None}),
    "overlaps-not-counted": (lambda: patched(count_pairs=count_once_where_overlapping), TEXT, {}),
    "from-the-right": (lambda: patched(join=join_backwards), TEXT, {}),
    "first-place-only": (lambda: patched(join=join_first_place), TEXT, {}),
    "pattern-flags": (nothing, TEXT, {"split_pattern": CL100K.replace("(?i:", "(?:")}),
    "pattern-ascii": (
        nothing,
        TEXT,
        {
            "split_pattern": r"'(?i:[sdmt]|ll|ve|re)|[^\r\na-zA-Z0-9]?+[a-zA-Z]++|[0-9]{1,3}+| ?[^\sa-zA-Z0-9]++"
            r"[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
        },
    ),
    "lower-case": (nothing, TEXT.lower(), {}),
    "characters": (nothing, TEXT, {"alphabet": "characters"}),
}


@pytest.mark.parametrize("tie_break", TIE_BREAKS)
@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_in_the_reference_is_named(name: str, tie_break: str) -> None:
    patch, text, settings = MISTAKES[name]
    with patch():
        settings = {"split_pattern": CL100K} | settings
        wrong = learned_by_reference(text, **settings, num_merges=60, tie_break=tie_break)
    checked = check_training(wrong, TEXT, split_pattern="gpt-4")
    assert not checked.right
    assert checked.mistake is not None
    assert checked.mistake.name == name
    assert checked.mistake.sentence in str(checked)
    expect_first_wrong(checked, wrong)


def expect_first_wrong(checked: TrainingCheck, merges: list[tuple[bytes, bytes]]) -> None:
    """Count all pairs before the difference: the merge there is rarer than what it should be."""
    assert checked.difference is not None
    rank = checked.difference.rank
    pieces = [list(pretoken.text.encode()) for pretoken in reference.pretokens(TEXT, CL100K, False, {})]
    words = [[bytes([value]) for value in piece] for piece in pieces]
    for number in range(rank + 1):
        counts = Counter(pair for word in words for pair in pairwise(word))
        highest = max(counts.values())
        if number == rank:
            assert counts[merges[rank]] == checked.difference.count < highest
            assert checked.difference.expected is not None
            assert counts[checked.difference.expected.pair] == checked.difference.expected.places == highest
            return
        assert counts[merges[number]] == highest
        words = [joined(word, merges[number]) for word in words]


def joined(word: list[bytes], pair: tuple[bytes, bytes]) -> list[bytes]:
    result: list[bytes] = []
    place = 0
    while place < len(word):
        if tuple(word[place : place + 2]) == pair:
            result.append(pair[0] + pair[1])
            place += 2
        else:
            result.append(word[place])
            place += 1
    return result


def test_each_pretoken_counted_once_is_named() -> None:
    distinct = dict.fromkeys(piece.text for piece in reference.pretokens(TEXT, GPT2, False, {}))
    wrong = learned_by_reference(distinct, num_merges=40)
    checked = check_training(wrong, TEXT, split_pattern="gpt2")
    assert checked.mistake is not None
    assert checked.mistake.name == "pretokens-once"


def test_pairs_counted_once_before_the_first_merge_are_named() -> None:
    sequences = [list(piece.text.encode()) for piece in reference.pretokens(TEXT, GPT2, False, {})]
    counts = reference.count_pairs(sequences)
    wrong = [(bytes([left]), bytes([right])) for left, right in sorted(counts, key=lambda pair: -counts[pair])[:30]]
    checked = check_training(wrong, TEXT, split_pattern="gpt2")
    assert checked.mistake is not None
    assert checked.mistake.name == "counted-once"


@pytest.mark.parametrize(
    ("name", "text", "specials"),
    [("special-tokens-merged", CUT, []), ("special-tokens-removed", CUT.replace(SPECIAL, ""), [])],
)
def test_special_tokens_taken_for_text_are_named(name: str, text: str, specials: list[str]) -> None:
    wrong = learned_by_reference(text, num_merges=12, special_tokens=specials)
    checked = check_training(wrong, CUT, special_tokens=[SPECIAL])
    assert checked.mistake is not None
    assert checked.mistake.name == name


def test_texts_that_are_joined_cut_or_stripped_are_named() -> None:
    texts = ["ab", "cd", "ab", "cd", "ab", "cde"]
    expect_mistake("texts-joined", learned_by_reference("".join(texts), num_merges=5), texts)
    spaces = "\n\n\n ab ab \n\n\n\n\n"
    expect_mistake("stripped", learned_by_reference(spaces.strip(), num_merges=3), [spaces])
    expect_mistake("by-lines", learned_by_reference(LINES.splitlines(keepends=True), num_merges=12), [LINES])
    expect_mistake("line-ends-dropped", learned_by_reference(LINES.splitlines(), num_merges=9), [LINES])
    words = r"\w+"
    text = "low, low, low; lower; newest, newest; widest;;;; ;;;;;"
    matched = regex.findall(words, text)
    expect_mistake("unmatched-dropped", learned_by_reference(matched, num_merges=8), [text], split_pattern=words)
    expect_mistake("split-at-spaces", learned_by_reference(TEXT.split(), num_merges=30), [TEXT], split_pattern="gpt2")


def expect_mistake(name: str, wrong: list[tuple[bytes, bytes]], texts: list[str], **settings: Any) -> None:
    checked = check_training(wrong, texts, **settings)
    assert checked.mistake is not None, str(checked)
    assert checked.mistake.name == name


@pytest.mark.parametrize("asked", TIE_BREAKS)
@pytest.mark.parametrize("used", TIE_BREAKS)
def test_the_tie_rule_is_named(asked: str, used: str) -> None:
    merges = learned_by_reference(TEXT, split_pattern=GPT2, num_merges=60, tie_break=used)
    free = check_training(merges, TEXT, split_pattern="gpt2")
    assert (free.right, free.tie_break) == (True, used)
    checked = check_training(merges, TEXT, split_pattern="gpt2", tie_break=asked)  # type: ignore[arg-type]
    assert checked.right == (asked == used)
    assert checked.tie_break == used
    if asked != used:
        assert checked.mistake is not None
        assert checked.mistake.name == "tie-rule"
        right = learned_by_reference(TEXT, split_pattern=GPT2, num_merges=60, tie_break=asked)
        expected = next(rank for rank, (one, other) in enumerate(zip(merges, right, strict=True)) if one != other)
        assert checked.difference is not None
        assert checked.difference.rank == expected
        assert checked.difference.expected is not None
        assert checked.difference.expected.pair == right[expected]


def test_ties_broken_by_no_rule_are_right_unless_a_rule_was_asked_for() -> None:
    text = "ab cd ef ab cd ef"
    merges = [(b"c", b"d"), (b"e", b"f"), (b"a", b"b")]  # all occur twice: neither first, nor lowest, nor greatest
    checked = check_training(merges, text, split_pattern=r"\w+")
    assert (checked.right, checked.tie_break) == (True, None)
    assert not check_training(merges, text, split_pattern=r"\w+", tie_break="first-seen").right


@pytest.mark.parametrize("first", [0, 255])
def test_new_ids_that_bytes_have_are_named(first: int) -> None:
    wrong = learned_with_ids_from(first)
    for given in (wrong, {pair: first + rank for rank, pair in enumerate(wrong)}):
        checked = check_training(given, TEXT, split_pattern="gpt2")
        assert checked.mistake is not None, str(checked)
        assert checked.mistake.name == "new-ids"


def learned_with_ids_from(first: int) -> list[tuple[int, int]]:
    """Train like the reference, but number the new tokens from another id."""
    sequences = [list(piece.text.encode()) for piece in reference.pretokens(TEXT, GPT2, False, {})]
    merges = []
    for new in range(first, first + 40):
        counts = reference.count_pairs(sequences)
        merges.append(max(counts, key=lambda pair: counts[pair]))
        sequences, _ = reference.join_everywhere(sequences, merges[-1], new)
    return merges


def test_a_special_token_may_have_the_first_id_after_the_bytes() -> None:
    trained = reference.train(TEXT, split_pattern=GPT2, num_merges=50)
    shifted = [(left + (left > 255), right + (right > 255)) for left, right in trained.merges]
    assert check_training(list(trained.merges), TEXT, split_pattern="gpt2").right
    assert check_training(shifted, TEXT, split_pattern="gpt2").right


def test_right_merges_in_another_order_are_named() -> None:
    merges = learned_by_reference(TEXT, split_pattern=GPT2, num_merges=30)
    expect_mistake("reordered", sorted(merges), [TEXT], split_pattern="gpt2")


def test_too_few_and_too_many_merges_are_told() -> None:
    merges = learned_by_reference(TEXT, split_pattern=GPT2, num_merges=30)
    assert "You stop after 30 merges." in str(check_training(merges, TEXT, split_pattern="gpt2", num_merges=31))
    assert "Merge 30" in str(check_training(merges, TEXT, split_pattern="gpt2", num_merges=29))
    # Nothing stands twice any more: to stop is right, and to go on as well, unless the least count was said.
    assert check_training([(b"a", b"b")], "abcab", num_merges=9).right
    assert check_training([(b"a", b"b"), (b"ab", b"c")], "abcab", num_merges=2).right
    assert not check_training([(b"a", b"b"), (b"ab", b"c")], "abcab", num_merges=2, min_count=2).right


# ---------------------------------------------------------------- right ones, of other libraries


@pytest.mark.parametrize("name", ["prose-en", "prose-ja", "code-python", "prose-ar", "prose-de"])
@pytest.mark.parametrize("num_merges", [40, 300])
def test_merges_of_other_libraries_are_right(name: str, num_merges: int) -> None:
    text = sample(name).text
    for merges in (by_hugging_face(text, num_merges), by_rustbpe(text, num_merges), by_bpeasy(text, num_merges)):
        checked = check_training(merges, text, split_pattern="gpt2")
        assert checked.right, str(checked)


def by_hugging_face(text: str, num_merges: int) -> object:
    tok = Tokenizer(models.BPE())
    tok.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tok.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=256 + num_merges, initial_alphabet=alphabet, show_progress=False)
    tok.train_from_iterator([text], trainer)
    return read_solution({"tokenizer.json": tok.to_str().encode()})


def by_rustbpe(text: str, num_merges: int) -> object:
    tok = rustbpe.Tokenizer()
    tok.train_from_iterator([text], vocab_size=256 + num_merges, pattern=GPT2)
    return {bytes(token): rank for token, rank in tok.get_mergeable_ranks()}


def by_bpeasy(text: str, num_merges: int) -> object:
    found: dict[bytes, int] = bpeasy.train_bpe(iter([text]), GPT2, 10_000, 256 + num_merges)
    return found


# ---------------------------------------------------------------- forms of solutions


def test_solutions_are_read_in_every_form() -> None:
    tok = tokviz.train(TEXT, num_merges=40, split_pattern="gpt2")
    pairs = solution_of(tok).pairs
    spelled = [(reference_spelling(left), reference_spelling(right)) for left, right in pairs]
    lines = "#version: 0.2\n" + "".join(f"{left} {right}\n" for left, right in spelled)
    assert read_solution({"merges.txt": lines.encode()}).pairs == pairs
    files = tokviz.formats.write(tok, "tokenizer.model").files
    assert read_solution(files).pairs == pairs
    assert solution_of(parse(repr(tok.merges))).pairs == pairs
    assert solution_of(parse(repr(list(tok.merges)))).pairs == pairs
    assert solution_of(parse(repr([list(pair) for pair in pairs]))).pairs == pairs
    assert solution_of(parse(repr(dict(tok.vocab)))).pairs == pairs
    assert solution_of(spelled).pairs == pairs
    assert solution_of([" ".join(pair) for pair in spelled]).pairs == pairs


def reference_spelling(data: bytes) -> str:
    """Spell bytes as GPT-2 and Hugging Face do."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    other = [value for value in range(256) if value not in printable]
    return "".join(chr(value) if value in printable else chr(256 + other.index(value)) for value in data)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("[(1, 2), (3,)]", "merge 2 should be a pair"),
        ("[(1, b'a')]", "all of them of one kind"),
        ("[(-1, 2)]", "ids are whole numbers"),
        ("[]", "there are no merges"),
        ("__import__('os').system('true')", "no list of Python's"),
        ("[" * 100_000, "no list of Python's"),
        ("5", "merges are a list of pairs"),
        (repr([(1, 2)] * 10_001), "10,000 are the most"),
        (repr({1: 2.5}), "a vocabulary holds tokens"),
    ],
)
def test_what_is_no_solution_is_refused_in_a_sentence(given: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_training(parse(given), "the cat")


def test_merges_of_tokens_that_nothing_makes_are_told() -> None:
    checked = check_training([(300, 301)], "the cat the cat")
    assert "Merge 1" in str(checked)
    checked = check_training([("th", "e")], "the cat the cat")
    assert "nowhere" in str(checked)
