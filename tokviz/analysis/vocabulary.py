"""What is in a vocabulary: lengths, scripts, parts of characters, tokens that their own text never gives."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tokviz.analysis.classes import CLASSES, byte_classes, classes_of_ranges
from tokviz.analysis.corpus import as_tokenizer
from tokviz.display import token_text
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer

SPECIAL = "special tokens"
NO_TEXT = "parts of characters"
MARK = "end of a word"

_FIRST_BAND = 256
"""Ranks in the first band of `count_kinds_by_rank`."""

# White space, which nothing joins, so that each token has a class as if it stood alone.
_SEPARATOR = "\n"


class VocabularyEntry(NamedTuple):
    """A row of `vocabulary_table`: one token.

    `rank` is that of the merge that makes it, None for the alphabet and special tokens. `text` is None where the bytes
    are no UTF-8 by themselves: a token may hold a part of a character. `kind` is the class of the text's first
    character that isn't white space (see `analysis.classes`), or that it is special, a part of a character, or the mark
    at the end of words. `reached` says whether encoding the token's own text gives it; None where it has none.
    """

    id: int
    rank: int | None
    bytes: bytes
    text: str | None
    kind: str
    reached: bool | None


def vocabulary_table(tokenizer: str | Tokenizer) -> list[VocabularyEntry]:
    """A row for each entry of a tokenizer's vocabulary, by id.

    >>> table = vocabulary_table("gpt2")
    >>> sum(entry.text is None for entry in table)
    344
    """
    tokenizer = as_tokenizer(tokenizer)
    specials = set(tokenizer.special_tokens.values())
    ranks = tokenizer.ranks if isinstance(tokenizer, BPETokenizer) else {}
    ordinary = {token: token_text(data) for token, data in tokenizer.vocab.items() if token not in specials}
    kinds = _kinds({token: text for token, text in ordinary.items() if text})
    entries = []
    for token, data in sorted(tokenizer.vocab.items()):
        if token in specials:
            entries.append(VocabularyEntry(token, None, data, data.decode(), SPECIAL, None))
            continue
        text = ordinary[token]
        kind = kinds.get(token) or (NO_TEXT if data else MARK)
        reached = token in tokenizer.encode(text) if text else None
        entries.append(VocabularyEntry(token, ranks.get(token), data, text, kind, reached))
    return entries


def _kinds(texts: dict[int, str]) -> dict[int, str]:
    joined = _SEPARATOR.join(texts.values())
    ends = np.cumsum([len(text.encode()) + len(_SEPARATOR) for text in texts.values()]) - len(_SEPARATOR)
    starts = np.append(0, ends[:-1] + len(_SEPARATOR))
    classes = classes_of_ranges(byte_classes(joined), starts.astype(np.int32), ends.astype(np.int32))
    return {token: CLASSES[number] for token, number in zip(texts, classes.tolist(), strict=True)}


class LengthCount(NamedTuple):
    """How many tokens have this number of bytes, and which share of the vocabulary that is (0 to 1)."""

    bytes: int
    tokens: int
    share: float


def count_lengths(entries: Sequence[VocabularyEntry]) -> list[LengthCount]:
    """A row for each length that occurs, the shortest first."""
    counts = Counter(len(entry.bytes) for entry in entries)
    return [LengthCount(length, times, times / len(entries)) for length, times in sorted(counts.items())]


class KindCount(NamedTuple):
    """How many tokens are of this kind, and which share of the vocabulary that is (0 to 1)."""

    kind: str
    tokens: int
    share: float


def count_kinds(entries: Sequence[VocabularyEntry]) -> list[KindCount]:
    """A row for each kind, the most frequent first."""
    counts = Counter(entry.kind for entry in entries)
    return [KindCount(kind, times, times / len(entries)) for kind, times in counts.most_common()]


class RankCount(NamedTuple):
    """How many of the tokens that the merges of these ranks make are of this kind, and which share that is (0 to 1)."""

    first_rank: int
    last_rank: int
    kind: str
    tokens: int
    share: float


def count_kinds_by_rank(entries: Sequence[VocabularyEntry]) -> list[RankCount]:
    """Rows for bands of ranks, each twice as wide as the one before, and in each for its kinds."""
    by_rank = sorted((entry.rank, entry.kind) for entry in entries if entry.rank is not None)
    rows = []
    first, size = 0, _FIRST_BAND
    while first < len(by_rank):
        band = by_rank[first:size]
        counts = Counter(kind for _, kind in band)
        rows += [
            RankCount(band[0][0], band[-1][0], kind, times, times / len(band)) for kind, times in counts.most_common()
        ]
        first, size = size, 2 * size
    return rows
