"""The end of a text that goes on: which of its last tokens may change, and what the text's next tokens must begin with.

What follows can change the tokens before it in two ways. It can change how the text is split: `'l` and `l` make one
pre-token, and of the spaces at the end one goes with the next word. And it can join the last pre-token: then some token
reaches across the end. If that token begins within the last pre-token at a place, the tokens before it are what merging
the bytes up to there gives, and the token stays apart from the last of these: two neighbors in an encoding are what
merging the bytes of these two gives, since no merge crosses their outer borders. So each token of the vocabulary that
begins like an ending of the text is tried, in all of these places.
"""

import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, product
from typing import NamedTuple

from tokviz.bpe.merging import merge_bytes
from tokviz.texts import in_common

# A character of each kind that the named split patterns tell apart, and the letters of 's, 'll, 've and such.
_KINDS = ("a", "A", "中", "\u0301", "1", " ", "\n", "!", "/", "'", "s", "l", "e", "v", "r")
_NEXT = ("", *_KINDS, *map("".join, product(_KINDS, _KINDS)), "'ll", "'ve", "'re")

# What may have to follow a token's own characters so that the pattern leaves them with those before.
_AFTER = ("", "a", "s", "l", "e", "1", "!", " ", "\n")

_QUICK = 1_000
"""Longest end of a text, after the last safe place to cut, and longest token that a search in limited time takes on."""

_TOO_LONG = "finding out which tokens may change if text follows takes too long here"


class UnstableTail(NamedTuple):
    """The last `tokens` tokens of a text that may change if text follows.

    `witness` is a text after which the first of these is another token; empty if no token can change.
    """

    tokens: int
    witness: str


class Healed(NamedTuple):
    """A prompt without its unstable end: the `ids` that stay whatever follows, and the bytes after them, `rest`.

    `next_ids` are the tokens that can come next if the text is to go on from `rest`, allowed special tokens among them:
    those that begin with it, and those that it begins with.
    """

    ids: list[int]
    rest: bytes
    next_ids: list[int]


class ByteVocabulary:
    """The tokens that merging makes of bytes, in the order of their bytes, to find those that begin with some."""

    def __init__(self, ranks: Mapping[bytes, int]) -> None:
        self.ranks = ranks
        self._sorted = sorted(ranks)
        self.longest = max(map(len, self._sorted))

    def longer(self, beginning: bytes) -> list[bytes]:
        """Return the tokens that begin with some bytes and have more."""
        start = bisect_right(self._sorted, beginning)
        after = beginning + b"\xff" * (self.longest + 1 - len(beginning))
        return self._sorted[start : bisect_left(self._sorted, after)]

    def merge(self, data: bytes) -> list[bytes]:
        """Merge bytes that are a pre-token, or the beginning of one."""
        return merge_bytes(data, self.ranks)

    def stay_apart(self, first: bytes, second: bytes) -> bool:
        """Return whether two tokens can be neighbors; with b"" as the first, whether the second can be at all."""
        return self.merge(first + second) == [each for each in (first, second) if each]

    def next_ids(self, rest: bytes, specials: Mapping[str, int]) -> list[int]:
        """Return the ids of the tokens and `specials` (text -> id) that begin with `rest`, or that it begins with."""
        shorter = [rest[:end] for end in range(1, len(rest) + 1) if rest[:end] in self.ranks]
        ids = [self.ranks[token] for token in (*shorter, *self.longer(rest))]
        texts = ((text.encode(), token) for text, token in specials.items())
        return [*ids, *{token: None for data, token in texts if data.startswith(rest) or rest.startswith(data)}]


class Search:
    """The search for what can follow a text and change its tokens the earliest.

    `encode` and `split` are a tokenizer's; `specials` are the special tokens recognized. `plain` is the end of the text
    without special tokens. With `max_seconds`, a search that takes more of a processor is a ValueError.
    """

    def __init__(
        self,
        text: str,
        plain: str,
        specials: Collection[str],
        encode: Callable[[str], list[int]],
        split: Callable[[str], list[str]],
        vocabulary: ByteVocabulary,
        max_seconds: float | None = None,
    ) -> None:
        self._deadline = None if max_seconds is None else time.thread_time() + max_seconds
        if max_seconds is not None and max(len(plain), vocabulary.longest) > _QUICK:
            raise ValueError(_TOO_LONG)
        self._text, self._plain, self._specials = text, plain, specials
        self._encode, self._split, self._vocabulary = encode, split, vocabulary
        self._ids = encode(text)
        self._stable, self._witness = len(self._ids), ""

    def unstable_tail(self) -> UnstableTail:
        """Return how many tokens can change, with the witness."""
        for following in (*_NEXT, *self._special_endings()):
            self._try(following)
        for inner in self._splits():
            self._join(inner)
        return UnstableTail(len(self._ids) - self._stable, self._witness)

    def _check_time(self) -> None:
        if self._deadline is not None and time.thread_time() > self._deadline:
            raise ValueError(_TOO_LONG)

    def _try(self, following: str) -> None:
        self._check_time()
        stable = in_common(self._ids, self._encode(self._text + following))
        if stable < self._stable:
            self._stable, self._witness = stable, following

    def _special_endings(self) -> Iterator[str]:
        """Yield what completes a special token that the text ends within."""
        for special in self._specials:
            self._check_time()
            for end in range(min(len(special), len(self._text) + 1)):
                if self._text.endswith(special[:end]):
                    yield special[end:]

    def _splits(self) -> set[tuple[str, ...]]:
        """Return the pre-tokens before one that reaches across the end, in all the ways in which there may be one."""
        found = set()
        for following in _NEXT:
            pieces, place = self._split(self._plain + following), 0
            for number, piece in enumerate(pieces):
                if place < len(self._plain) < place + len(piece):
                    found.add(tuple(pieces[:number]))
                place += len(piece)
        return found

    @cached_property
    def _tokens(self) -> list[bytes]:
        """The tokens of the end without special tokens."""
        return [token for piece in self._split(self._plain) for token in self._vocabulary.merge(piece.encode())]

    def _join(self, inner: Sequence[str]) -> None:
        """Look for tokens that reach across the end from within the pre-token after `inner`."""
        before = [token for piece in inner for token in self._vocabulary.merge(piece.encode())]
        data = self._plain[sum(map(len, inner)) :].encode()
        fixed = len(self._ids) - len(self._tokens)
        possible = []
        for place in range(max(0, len(data) - self._vocabulary.longest + 1), len(data)):
            self._check_time()
            tokens = self._merge_beginning(data, place)
            stable = fixed + in_common(self._tokens, [*before, *tokens])
            possible.append((stable, place, tokens[-1] if tokens else b""))
        for stable, place, last in sorted(possible):
            if stable < self._stable:
                self._reach_across(data[place:], last, stable)

    def _reach_across(self, ending: bytes, last: bytes, stable: int) -> None:
        """Try the tokens that begin with `ending` after the token `last`, until one leaves only `stable` tokens."""
        for token in self._vocabulary.longer(ending):
            self._check_time()
            if not self._vocabulary.stay_apart(last, token):
                continue
            for characters, after in product(_completed(token[len(ending) :]), _AFTER):
                self._try(characters + after)
                if self._stable <= stable:
                    return

    def _merge_beginning(self, data: bytes, end: int) -> list[bytes]:
        """Merge `data[:end]`, going back only as far from the end as merging can reach."""
        whole = self._merged(data)
        ends = list(accumulate(map(len, whole), initial=0))
        kept = max(0, bisect_right(ends, end - 2 * self._vocabulary.longest) - 1)
        while True:
            rest = self._vocabulary.merge(data[ends[kept] : end])
            if not kept or self._vocabulary.stay_apart(whole[kept - 1], rest[0]):
                return [*whole[:kept], *rest]
            kept //= 2

    def _merged(self, data: bytes) -> list[bytes]:
        if data not in self._whole:
            self._whole[data] = self._vocabulary.merge(data)
        return self._whole[data]

    @cached_property
    def _whole(self) -> dict[bytes, list[bytes]]:
        """Cache of `_merged`."""
        return {}


def _completed(data: bytes) -> Iterator[str]:
    """Yield texts that begin with `data`, whose last character may be incomplete, with every way to complete it.

    Of a character that lacks three bytes, the last two are tried with few values.
    """
    start = len(data)
    while start and data[start - 1] & 0xC0 == 0x80:
        start -= 1
    lead = data[start - 1] if start else 0
    missing = (2 if lead < 0xE0 else 3 if lead < 0xF0 else 4) - (len(data) - start + 1) if lead >= 0xC0 else 0
    values = [range(0x80, 0xC0)] * min(missing, 2) if missing < 3 else [range(0x80, 0xC0), (0x80, 0xBF), (0x80, 0xBF)]
    for rest in product(*values):
        try:
            yield (data + bytes(rest)).decode()
        except UnicodeDecodeError:
            continue
