"""Checking trainings: mistakes put into the slow reference are named, and right merges of other libraries accepted."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from functools import partial
from itertools import pairwise, permutations
from typing import Any, NamedTuple
from unittest import mock

import bpeasy
import pytest
import reference
import regex
import rustbpe
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

import tokviz
from tokviz.analysis.checking.mistaken_training import WAYS
from tokviz.analysis.checking.solutions import parse, read_solution, solution_of
from tokviz.analysis.checking.task import Task
from tokviz.analysis.checking.training_check import (
    CHARACTERS,
    OTHER_PRETOKENS,
    REORDERED,
    WRONG_RULE,
    TrainingCheck,
    check,
    check_training,
)
from tokviz.bpe.training import TIE_BREAKS
from tokviz.lesson.solution_links import training_link
from tokviz.lesson.steps import Link
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

ALL_MISTAKES = (
    *(mistake for mistake, _ in OTHER_PRETOKENS),
    *(way.mistake for way in WAYS),
    CHARACTERS,
    REORDERED,
    WRONG_RULE,
)


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


class Wrong(NamedTuple):
    """A wrong solution: the mistake in it, how it is made, and what was to be done."""

    mistake: str
    make: Callable[[], object]
    task: Task


def with_mistake(name: str, tie_break: str) -> list[tuple[bytes, bytes]]:
    patch, text, settings = MISTAKES[name]
    with patch():
        settings = {"split_pattern": CL100K} | settings
        return learned_by_reference(text, **settings, num_merges=60, tie_break=tie_break)


def counted_once() -> list[tuple[bytes, bytes]]:
    sequences = [list(piece.text.encode()) for piece in reference.pretokens(TEXT, GPT2, False, {})]
    counts = reference.count_pairs(sequences)
    return [(bytes([left]), bytes([right])) for left, right in sorted(counts, key=lambda pair: -counts[pair])[:30]]


def rarest_first() -> list[tuple[bytes, bytes]]:
    words = [[bytes([value]) for value in piece.text.encode()] for piece in reference.pretokens(TEXT, GPT2, False, {})]
    merges = []
    for _ in range(8):
        counts = Counter(pair for word in words for pair in pairwise(word))
        merges.append(min(counts, key=counts.__getitem__))
        words = [joined(word, merges[-1]) for word in words]
    return merges


def numbered_from(first: int, form: type) -> object:
    """Train like the reference, but number the new tokens from another id."""
    sequences = [list(piece.text.encode()) for piece in reference.pretokens(TEXT, GPT2, False, {})]
    merges = []
    for new in range(first, first + 40):
        counts = reference.count_pairs(sequences)
        merges.append(max(counts, key=lambda pair: counts[pair]))
        sequences, _ = reference.join_everywhere(sequences, merges[-1], new)
    return merges if form is list else {pair: first + rank for rank, pair in enumerate(merges)}


def by_rule(rule: str, num_merges: int = 60) -> list[tuple[bytes, bytes]]:
    return learned_by_reference(TEXT, split_pattern=GPT2, num_merges=num_merges, tie_break=rule)


PIECES = ("ab", "cd", "ab", "cd", "ab", "cde")
SPACES = "\n\n\n ab ab \n\n\n\n\n"
SIGNS = "low, low, low; lower; newest, newest; widest;;;; ;;;;;"
LEARN = Task((TEXT,), GPT2)

WRONG: dict[str, Wrong] = {
    f"{name}, {rule}": Wrong(name, partial(with_mistake, name, rule), Task((TEXT,), CL100K))
    for name in MISTAKES
    for rule in TIE_BREAKS
}
WRONG |= {
    f"{used} for {asked}": Wrong("tie-rule", partial(by_rule, used), Task((TEXT,), GPT2, tie_break=asked))
    for asked, used in permutations(TIE_BREAKS, 2)
}
WRONG |= {
    f"new ids from {first}, {form.__name__}": Wrong("new-ids", partial(numbered_from, first, form), LEARN)
    for first in (0, 255)
    for form in (list, dict)
}
WRONG |= {
    wrong.mistake: wrong
    for wrong in (
        Wrong("pretokens-once", lambda: learned_by_reference(distinct_pretokens(), num_merges=40), LEARN),
        Wrong("counted-once", counted_once, LEARN),
        Wrong("least-frequent", rarest_first, LEARN),
        Wrong("reordered", lambda: sorted(by_rule("first-seen", 30)), LEARN),
        Wrong("split-at-spaces", lambda: learned_by_reference(TEXT.split(), num_merges=30), LEARN),
        Wrong("stripped", lambda: learned_by_reference(SPACES.strip(), num_merges=3), Task((SPACES,))),
        Wrong(
            "by-lines",
            lambda: learned_by_reference(LINES.splitlines(keepends=True), num_merges=12),
            Task((LINES,)),
        ),
        Wrong("line-ends-dropped", lambda: learned_by_reference(LINES.splitlines(), num_merges=9), Task((LINES,))),
        Wrong("texts-joined", lambda: learned_by_reference("".join(PIECES), num_merges=5), Task(PIECES)),
        Wrong(
            "unmatched-dropped",
            lambda: learned_by_reference(regex.findall(r"\w+", SIGNS), num_merges=8),
            Task((SIGNS,), r"\w+"),
        ),
        Wrong(
            "special-tokens-merged",
            lambda: learned_by_reference(CUT, num_merges=12),
            Task((CUT,), None, (SPECIAL,)),
        ),
        Wrong(
            "special-tokens-removed",
            lambda: learned_by_reference(CUT.replace(SPECIAL, ""), num_merges=12),
            Task((CUT,), None, (SPECIAL,)),
        ),
    )
}
NOT_LINKED = {"texts-joined", "unmatched-dropped", "special-tokens-merged", "special-tokens-removed"}
"""A link is for one text, without special tokens, and with a pattern that has a name."""


def distinct_pretokens() -> dict[str, None]:
    return dict.fromkeys(piece.text for piece in reference.pretokens(TEXT, GPT2, False, {}))


def test_there_are_forty_wrong_solutions_and_more_whose_step_is_linked() -> None:
    assert len(WRONG.keys() - NOT_LINKED) >= 40
    assert {wrong.mistake for wrong in WRONG.values()} == {mistake.name for mistake in ALL_MISTAKES}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_solution_is_explained_and_its_step_linked(name: str) -> None:
    mistake, make, task = WRONG[name]
    wrong = make()
    checked = check(solution_of(wrong), task)
    assert not checked.right
    assert checked.mistake is not None, str(checked)
    assert checked.mistake.name == mistake
    assert checked.mistake.sentence in str(checked)
    link = training_link(checked, task)
    if name in NOT_LINKED or checked.difference is None:
        assert link is None
        return
    assert link is not None
    expect_step(link, checked)
    if mistake in MISTAKES:
        expect_first_wrong(checked, wrong)  # type: ignore[arg-type]


def expect_step(link: Link, checked: TrainingCheck) -> None:
    """Train slowly as the link says: its step is the merge that should stand in the place of the first wrong one."""
    split, ties, step = link.fields["split"], link.fields["ties"], int(link.fields["step"])
    pattern = None if split == "none" else tokviz.split_patterns[split]
    learned = learned_by_reference(str(link.text), split_pattern=pattern, num_merges=step + 1, tie_break=ties)
    assert checked.difference is not None
    assert checked.difference.expected is not None
    assert learned[step] == checked.difference.expected.pair


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


@pytest.mark.parametrize("rule", TIE_BREAKS)
def test_the_tie_rule_is_named(rule: str) -> None:
    merges = by_rule(rule)
    free = check_training(merges, TEXT, split_pattern="gpt2")
    assert (free.right, free.tie_break) == (True, rule)
    assert check_training(merges, TEXT, split_pattern="gpt2", tie_break=rule).right  # type: ignore[arg-type]


def test_ties_broken_by_no_rule_are_right_unless_a_rule_was_asked_for() -> None:
    text = "ab cd ef ab cd ef"
    merges = [(b"c", b"d"), (b"e", b"f"), (b"a", b"b")]  # all occur twice: neither first, nor lowest, nor greatest
    checked = check_training(merges, text, split_pattern=r"\w+")
    assert (checked.right, checked.tie_break) == (True, None)
    assert not check_training(merges, text, split_pattern=r"\w+", tie_break="first-seen").right


def test_a_special_token_may_have_the_first_id_after_the_bytes() -> None:
    trained = reference.train(TEXT, split_pattern=GPT2, num_merges=50)
    shifted = [(left + (left > 255), right + (right > 255)) for left, right in trained.merges]
    assert check_training(list(trained.merges), TEXT, split_pattern="gpt2").right
    assert check_training(shifted, TEXT, split_pattern="gpt2").right


def test_too_few_and_too_many_merges_are_told() -> None:
    merges = learned_by_reference(TEXT, split_pattern=GPT2, num_merges=30)
    assert "You stop after 30 merges." in str(check_training(merges, TEXT, split_pattern="gpt2", num_merges=31))
    assert "Merge 30" in str(check_training(merges, TEXT, split_pattern="gpt2", num_merges=29))
    # Nothing stands twice any more: to stop is right, and to go on as well, unless the least count was said.
    assert check_training([(b"a", b"b")], "abcab", num_merges=9).right
    assert check_training([(b"a", b"b"), (b"ab", b"c")], "abcab", num_merges=2).right
    assert not check_training([(b"a", b"b"), (b"ab", b"c")], "abcab", num_merges=2, min_count=2).right


# ---------------------------------------------------------------- right ones, of other libraries

SAMPLES = ("prose-en", "prose-ja", "code-python", "prose-ar", "prose-de", "emoji-joined", "prose-hi")


@pytest.mark.parametrize("library", ["hugging_face", "rustbpe", "bpeasy"])
@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("num_merges", [40, 300])
def test_merges_of_other_libraries_are_right(name: str, num_merges: int, library: str) -> None:
    """Forty and two."""
    text = sample(name).text
    train = {"hugging_face": by_hugging_face, "rustbpe": by_rustbpe, "bpeasy": by_bpeasy}[library]
    checked = check_training(train(text, num_merges), text, split_pattern="gpt2")
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


def test_what_only_begins_like_a_file_of_merges_is_refused_at_once() -> None:
    printed = "".join(
        f"merge {rank}/50: ({rank}, 32) -> {256 + rank} (b'e ') had 2 occurrences\n" for rank in range(50)
    )
    for given in (printed, "t h " * 10_000 + "\n"):
        with pytest.raises(ValueError, match="no list of Python's"):
            read_solution({"pasted.txt": given.encode()})
