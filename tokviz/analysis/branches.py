"""Which branch of a split pattern cut each pre-token: a contraction, letters, digits, punctuation, white space.

The named patterns are alternatives, tried one after the other (see `splitting.BRANCHES`). Any other pattern is taken as
a whole, without branches.
"""

from collections.abc import Collection
from functools import lru_cache

import regex

from tokviz.bpe import splitting, unicode_tables
from tokviz.bpe_tokenizer import BPETokenizer
from tokviz.formats.prepared import PreparedTokenizer
from tokviz.tokenizers import Tokenizer, special_pattern

NO_BRANCH = 255
"""The branch of a stretch between two matches, of a special token, and of every piece where there are no branches."""


Piece = tuple[str, int]
"""A pre-token, and the number of the branch that cut it: an index into `labels`, or `NO_BRANCH`."""


def labels(pattern: str | None) -> list[str]:
    """What the branches of a pattern (its text) match, in plain words; empty if it has no known branches."""
    return [label for label, _ in _branches_of(pattern)]


def branches(text: str, pattern: str | None) -> list[Piece]:
    """Cut `text` as `splitting.split` does, and say of each piece which branch of the pattern it comes from.

    >>> branches("I'll", splitting.PATTERNS["gpt2"])
    [('I', 1), ("'ll", 0)]
    """
    grouped = _grouped(pattern)
    if grouped is None:
        return [(piece, NO_BRANCH) for piece in splitting.split(text, pattern)]
    seen = unicode_tables.as_tiktoken_sees(text) if pattern in splitting.TIKTOKEN_PATTERNS else text
    # The named patterns match every text whole, so there is nothing between two matches.
    return [
        (text[match.start() : match.end()], match.lastindex - 1)
        for match in grouped.finditer(seen)
        if match.lastindex is not None
    ]


def pretoken_branches(tokenizer: Tokenizer, text: str, allowed_special: Collection[str] = ()) -> list[Piece]:
    """The pre-tokens that `tokenizer` cuts `text` into, and their branches. `allowed_special` lists special tokens.

    There are no branches where more than a split pattern is at work (see `PreparedTokenizer`).
    """
    found = _cut_by_pattern(tokenizer, text, allowed_special)
    if isinstance(tokenizer, PreparedTokenizer):
        pieces = tokenizer.pretokens(text, allowed_special)
        if pieces != [piece for piece, _ in found]:
            return [(piece, NO_BRANCH) for piece in pieces]
    return found


def _cut_by_pattern(tokenizer: Tokenizer, text: str, allowed_special: Collection[str]) -> list[Piece]:
    segments = special_pattern(frozenset(allowed_special)).split(text) if allowed_special else [text]
    words_end = isinstance(tokenizer, BPETokenizer) and tokenizer.end_of_word is not None
    found: list[Piece] = []
    for number, segment in enumerate(segments):
        if number % 2:
            found.append((segment, NO_BRANCH))
            continue
        pieces = branches(segment, tokenizer.split_pattern)
        found += _apart_from_space(pieces) if words_end else pieces
    return found


def _apart_from_space(pieces: list[Piece]) -> list[Piece]:
    return [(part, branch) for piece, branch in pieces for part in splitting.apart_from_space([piece])]


def _branches_of(pattern: str | None) -> tuple[tuple[str, str], ...]:
    for name, text in splitting.PATTERNS.items():
        if text == pattern:
            return splitting.BRANCHES[name]
    return ()


@lru_cache(maxsize=16)
def _grouped(pattern: str | None) -> "regex.Pattern[str] | None":
    """The pattern with each branch in a group of its own, so that a match tells which one it was."""
    found = _branches_of(pattern)
    # DOTALL, since the (?s) that "words" begins with would hold within its own group only. No other pattern has a dot.
    return regex.compile("|".join(f"({branch})" for _, branch in found), regex.DOTALL) if found else None
