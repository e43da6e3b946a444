"""Texts on which two tokenizers are likely to differ, if they do: tried one after another, the likeliest first."""

import random
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, islice, product

from tokviz.analysis.stages import Stage, Symbol, always_found, firing_merges
from tokviz.display import token_text
from tokviz.samples import samples
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer

# Something for each branch of the usual split patterns and for each normal form.
_ATOMS = (
    "a", "B", "Ab", "é", "e\u0301", "ß", "ſ", "ﬁ", "ǅ", "中", "あ", "가", "\u1100\u1161", "ا", "ก", "1", "234", "١",
    "½", " ", "  ", "\n", "\r\n", "\t", "\u00a0", "\u3000", "'", "’", "'s", "'T", "'ll", "_", "/", "//", "-", "...",
    "+", "<", "(", "$", "，", "🍕", "\u200d", "\ufe0f", "\u0327", "\0", "\ufffd",
)  # fmt: skip
_FEW_ATOMS = ("a", "B", "e\u0301", "中", "1", "234", " ", "\n", "\t", "'s", "'", "/", "-", "，", "🍕")

_MAX_TOKENS = 6_000
"""Maximum tokens whose texts are tried."""

_MAX_NEIGHBORS = 8
"""Maximum merges that are tried beside one that differs, on each side."""

_MAX_CONFLICTS = 4_000
"""Maximum texts of merges whose order differs."""

_RANDOM_TEXTS = 2_000


def trial_texts(first: Tokenizer, second: Tokenizer, stages: Sequence[Stage]) -> Iterator[str]:
    """Yield texts for two tokenizers that differ in `stages`. The same ones each time; some may be repeated."""
    if Stage.SPECIALS in stages:
        yield from _around_specials(first, second)
    yield from _ATOMS
    yield from map("".join, product(_ATOMS, repeat=2))
    tokens = _texts_of_tokens(first, second)
    yield from tokens
    if isinstance(first, BPETokenizer) and isinstance(second, BPETokenizer) and Stage.MERGES in stages:
        yield from islice(_conflicts(firing_merges(first), firing_merges(second)), _MAX_CONFLICTS)
    yield from map("".join, product(_FEW_ATOMS, repeat=3))
    for sample in samples():
        yield sample.text
    choose = random.Random(0).choice
    pieces = [*tokens[: _MAX_TOKENS // 2], *_ATOMS]
    for number in range(_RANDOM_TEXTS):
        yield "".join(choose(pieces) for _ in range(2 + number % 7))


def _around_specials(first: Tokenizer, second: Tokenizer) -> Iterator[str]:
    """Special and added tokens, those first that only one has, alone and beside other text."""
    have = [_cut_out_texts(tokenizer) for tokenizer in (first, second)]
    only_one = sorted(have[0] ^ have[1])
    texts = [*only_one, *sorted(have[0] & have[1])]
    for before, after in (("", ""), ("a", "a"), (" ", " "), ("a ", " a"), ("\n", "\n"), ("", "!")):
        yield from (f"{before}{text}{after}" for text in texts[:1_000])


def _cut_out_texts(tokenizer: Tokenizer) -> set[str]:
    return {*tokenizer.special_tokens, *always_found(tokenizer)}


def _texts_of_tokens(first: Tokenizer, second: Tokenizer) -> list[str]:
    """Texts of the tokens: those first that only one has or that have another id, then some of all."""
    vocabularies = [tokenizer.vocab for tokenizer in (first, second) if len(tokenizer.vocab) < 0x100000]
    ids = [{data: token for token, data in vocab.items()} for vocab in vocabularies]
    every = list(dict.fromkeys(chain.from_iterable(ids)))
    changed = [data for data in every if len({each.get(data) for each in ids}) > 1]
    step = max(1, 2 * len(every) // _MAX_TOKENS)
    chosen = dict.fromkeys([*changed[: _MAX_TOKENS // 2], *every[::step]])
    return [text for data in chosen if (text := token_text(data))]


def _conflicts(first: Sequence[tuple[Symbol, Symbol]], second: Sequence[tuple[Symbol, Symbol]]) -> Iterator[str]:
    """Texts in which a merge that one has, or applies earlier than the other does, competes with another merge.

    Two merges compete for the symbol in the middle of three.
    """
    by_left, by_right = defaultdict(list), defaultdict(list)
    for left, right in dict.fromkeys((*first, *second)):
        by_left[left].append(right)
        by_right[right].append(left)
    for left, right in _moved(first, second):
        beside = [(b"", b"")]
        beside += [(b"", after[0]) for after in by_left[right][:_MAX_NEIGHBORS]]
        beside += [(before[0], b"") for before in by_right[left][:_MAX_NEIGHBORS]]
        for before, after in beside:
            text = token_text(before + left[0] + right[0] + after)
            if text is not None:
                yield text


def _moved(
    first: Sequence[tuple[Symbol, Symbol]], second: Sequence[tuple[Symbol, Symbol]]
) -> list[tuple[Symbol, Symbol]]:
    """The merges that only one has, and as few others as must move to bring the rest into the same order."""
    places = {pair: place for place, pair in enumerate(second)}
    common = [pair for pair in first if pair in places]
    in_order = set(_longest_increasing([places[pair] for pair in common]))
    moved = [pair for pair in common if places[pair] not in in_order]
    return [*moved, *sorted(set(first) ^ set(second))]


def _longest_increasing(numbers: Sequence[int]) -> list[int]:
    """A longest increasing subsequence of distinct numbers (Fredman, 1975)."""
    ends: list[int] = []
    before: dict[int, int | None] = {}
    for number in numbers:
        place = bisect_left(ends, number)
        before[number] = ends[place - 1] if place else None
        ends[place : place + 1] = [number]
    chain_of: list[int] = []
    last = ends[-1] if ends else None
    while last is not None:
        chain_of.append(last)
        last = before[last]
    return chain_of[::-1]
