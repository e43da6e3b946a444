"""`check_encoding`: are these the ids that a tokenizer gives a text, and if not, where and why do they differ?

Usual mistakes in encoding by merges are told by the ids that they give to the same text.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np

from tokviz.analysis.checking.solutions import ids_of
from tokviz.analysis.checking.task import Mistake
from tokviz.bpe.merging import Pair
from tokviz.display import counted, shown
from tokviz.texts import in_common
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.replay import Replay

MAX_TEXT = 100_000
"""Maximum characters of a text whose ids are checked: the known mistakes are tried slowly."""

Lookup = Callable[[Pair], tuple[int, int] | None]
"""Returns the rank and the new id of the merge that joins two tokens; None if there is none."""

Join = Callable[[list[int], Lookup], list[int]]
"""Merges the symbols of one pre-token."""

_MAX_SQUARES = 2_000_000
"""Maximum sum of the squared lengths of pre-tokens in which pairs are joined from the highest rank on."""

_TEXT_ORDER = Mistake(
    "text-order",
    "You joined pairs in the order in which they stand in the text. First join the pair of the lowest rank.",
)
_HIGHEST_RANK = Mistake(
    "highest-rank",
    "You joined the pair that was learned last. Join the one that was learned first: the lowest rank.",
)
_ONE_PASS = Mistake(
    "one-pass",
    "You went over each pre-token once. Begin again after each join: the new token may be part of another merge.",
)
_LONGEST = Mistake(
    "longest-match",
    "You took the longest token of the vocabulary at each place. Byte pair encoding joins pairs by rank, which may end "
    "in shorter tokens.",
)
_NOT_SPLIT = Mistake(
    "not-split",
    "You merged across pre-tokens. Split the text by the pattern first, and merge within each piece only.",
)
_SPECIALS_AS_TEXT = Mistake(
    "special-tokens-as-text",
    "You read the special tokens as ordinary text. Cut the text at them, and give each its own id.",
)
_SPECIALS_READ = Mistake(
    "special-tokens-read",
    "You read special tokens in the text as control tokens. Here they are ordinary text.",
)
_SHIFTED = Mistake("shifted-ids", "All your ids are off by the same number. Look at which id the first token has.")
_SURROUNDED = Mistake("surrounded", "Your ids hold more at the ends, such as a token for the beginning of the text.")
_STRIPPED = Mistake("stripped", "You cut white space off the ends of the text. It is part of the text.")
_LOWER_CASE = Mistake("lower-case", "You made the text lower-case first. Tokens must give back the text as it is.")


@dataclass(frozen=True)
class TokenDifference:
    """The first token that differs: its number, from 0, and the byte of the text where it begins.

    `given` and `expected` are the ids there, None where the ids end. `step` is the step of the text's replay (see
    `Tokenizer.replay`) that makes the expected token or, if that is a single symbol, the first in its pre-token.
    """

    number: int
    byte: int
    given: int | None
    expected: int | None
    step: int


@dataclass(frozen=True)
class EncodingCheck:
    """What `check_encoding` found. Printed, it says so in sentences.

    `num_tokens` are the ids given. `difference` is the first wrong one, and `mistake` the known mistake that gives
    exactly these ids; None if there is none.
    """

    tokenizer: BPETokenizer
    num_tokens: int
    difference: TokenDifference | None = None
    mistake: Mistake | None = None

    @property
    def right(self) -> bool:
        """Whether all ids are right."""
        return self.difference is None

    @property
    def sentences(self) -> list[str]:
        """The verdict, the first difference and the mistake, in sentences."""
        if self.difference is None:
            return [f"Right: {counted('token', self.num_tokens)}."]
        return ["Not right yet.", self._difference(self.difference), *([self.mistake.sentence] if self.mistake else [])]

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    def _difference(self, difference: TokenDifference) -> str:
        number, given, expected = difference.number, difference.given, difference.expected
        if given is None:
            return f"You stop after {counted('token', number)}. The next is {self._token(expected)}."
        if expected is None:
            return f"The text ends after {counted('token', number)}, and you go on with {self._token(given)}."
        place = f"Token {number + 1:,}, at byte {difference.byte:,} of the text"
        return f"{place}: you have {self._token(given)}; it is {self._token(expected)}."

    def _token(self, token: int | None) -> str:
        data = None if token is None else self.tokenizer.vocab.get(token)
        return (
            f"{token}, which is no token of {self.tokenizer.name}" if data is None else f"{token} ({shown(data, 20)})"
        )


def check_encoding(
    ids: Iterable[int], text: str, tokenizer: Tokenizer, allowed_special: Collection[str] = ()
) -> EncodingCheck:
    """Check the ids of a text, which somebody's own encoder made: where do they go wrong, and why?

    `tokenizer` is the one that they were to be made by, and `allowed_special` as in `encode`. Raises ValueError if
    `ids` are no ids, if the text has more than 100,000 characters, or if tokviz does not merge as the tokenizer does.

    >>> import tokviz
    >>> print(check_encoding([83, 1169], " the", tokviz.load("gpt2")))
    Not right yet.
    Token 1, at byte 0 of the text: you have 83 (t); it is 262 (·the).
    """
    if not isinstance(tokenizer, BPETokenizer):
        raise ValueError(f"{tokenizer.name} is not byte pair encoding, whose ids are checked here")
    if len(text) > MAX_TEXT:
        raise ValueError(f"the text has {len(text):,} characters; {MAX_TEXT:,} are the most that are checked")
    given = ids_of(ids)
    replay = tokenizer.replay(text, allowed_special)
    expected = replay.state(len(replay)).tolist()
    if given == expected:
        return EncodingCheck(tokenizer, len(given))
    mistake = find_encoding_mistake(given, expected, tokenizer, replay)
    return EncodingCheck(tokenizer, len(given), _difference(given, expected, replay), mistake)


def _difference(given: Sequence[int], expected: Sequence[int], replay: Replay) -> TokenDifference:
    number = in_common(given, expected)
    offsets = replay.tokenization(len(replay)).byte_offsets
    byte = int(offsets[number])
    return TokenDifference(
        number,
        byte,
        given[number] if number < len(given) else None,
        expected[number] if number < len(expected) else None,
        _step(replay, byte, int(offsets[min(number + 1, len(expected))])),
    )


def _step(replay: Replay, start: int, end: int) -> int:
    """Return the step that makes the token at these bytes, or the first step in the pre-token of a single symbol."""
    starts = replay.byte_offsets[:-1]
    inside = (starts > start) & (starts < end)
    if inside.any():
        return int(replay.removed_at[inside].max())
    if not len(starts):
        return 0
    at = min(int(np.searchsorted(starts, start)), len(starts) - 1)
    steps = replay.removed_at[replay.pretoken_index == replay.pretoken_index[at]]
    return int(steps.min()) if len(steps) else 0


def find_encoding_mistake(
    ids: Sequence[int], expected: Sequence[int], tok: BPETokenizer, replay: Replay
) -> Mistake | None:
    """Return the mistake that gives exactly these ids to a replay's text; None if no known one does."""
    if len(ids) == len(expected) > 1 and len({one - other for one, other in zip(ids, expected, strict=True)}) == 1:
        return _SHIFTED
    if _is_part(expected, ids):
        return _SURROUNDED
    allowed = replay.allowed_special
    encodings: list[tuple[Mistake, Callable[[], Sequence[int]]]] = [
        (_SPECIALS_AS_TEXT, lambda: tok.encode(replay.text)),
        (_SPECIALS_READ, lambda: tok.encode(replay.text, "all")),
        (_NOT_SPLIT, lambda: tok.with_split_pattern(None).encode(replay.text, allowed)),
        (_STRIPPED, lambda: tok.encode(replay.text.strip(), allowed)),
        (_LOWER_CASE, lambda: tok.encode(replay.text.lower(), allowed)),
    ]
    tokens = {tok.vocab[token]: token for token in tok.ordinary_ids}
    longest = max(map(len, tokens), default=0)
    match = partial(_longest_matches, tok, tokens, longest)
    encodings.append((_LONGEST, lambda: _joined(replay, lambda symbols, _: match(symbols))))
    ways = [(_TEXT_ORDER, _join_leftmost), (_HIGHEST_RANK, _join_highest), (_ONE_PASS, _join_in_one_pass)]
    if int((np.bincount(replay.pretoken_index) ** 2).sum()) > _MAX_SQUARES:
        del ways[1]
    merges = {pair: (rank, new) for rank, (pair, new) in enumerate(tok.merges.items())}
    for lookup in (merges.get, _by_bytes(tok, tokens)):
        encodings += [(mistake, partial(_joined, replay, join, lookup)) for mistake, join in ways]
    return next((mistake for mistake, encode in encodings if list(encode()) == list(ids)), None)


def _by_bytes(tok: BPETokenizer, tokens: Mapping[bytes, int]) -> Lookup:
    """Look merges up by what they make, as in files that list tokens alone."""

    def lookup(pair: Pair) -> tuple[int, int] | None:
        new = tokens.get(tok.vocab[pair[0]] + tok.vocab[pair[1]])
        return None if new is None else (new, new)

    return lookup


def _is_part(expected: Sequence[int], ids: Sequence[int]) -> bool:
    """Return whether the right ids stand in others with at most two more at either end."""
    more = len(ids) - len(expected)
    return 0 < more <= 4 and any(
        list(ids[start : start + len(expected)]) == list(expected) for start in range(more + 1)
    )


def _joined(replay: Replay, join: Join, lookup: Lookup = lambda _: None) -> list[int]:
    """Merge each pre-token in a way of one's own."""
    symbols = replay.symbols.tolist()
    ends = np.flatnonzero(np.diff(replay.pretoken_index, append=-1)) + 1
    pieces = pairwise([0, *ends.tolist()])
    return [token for start, end in pieces for token in join(symbols[start:end], lookup)]


def _join_leftmost(symbols: list[int], lookup: Lookup) -> list[int]:
    joined: list[int] = []
    rest = symbols[::-1]
    while rest:
        symbol = rest.pop()
        if joined and (merge := lookup((joined[-1], symbol))):
            joined.pop()
            rest.append(merge[1])
        else:
            joined.append(symbol)
    return joined


def _join_highest(symbols: list[int], lookup: Lookup) -> list[int]:
    while merges := [(merge, -at) for at, pair in enumerate(pairwise(symbols)) if (merge := lookup(pair))]:
        (_, new), place = max(merges)
        symbols[-place : 2 - place] = [new]
    return symbols


def _join_in_one_pass(symbols: list[int], lookup: Lookup) -> list[int]:
    joined = symbols[:1]
    fresh = False
    for symbol in symbols[1:]:
        merge = None if fresh else lookup((joined[-1], symbol))
        if merge:
            joined[-1] = merge[1]
        else:
            joined.append(symbol)
        fresh = merge is not None
    return joined


def _longest_matches(tok: BPETokenizer, tokens: Mapping[bytes, int], longest: int, symbols: list[int]) -> list[int]:
    if len(symbols) == 1:  # a special token, too
        return symbols
    data = b"".join(map(tok.vocab.__getitem__, symbols))
    found: list[int] = []
    place = 0
    while place < len(data):
        end = next(end for end in range(min(len(data), place + longest), place, -1) if data[place:end] in tokens)
        found.append(tokens[data[place:end]])
        place = end
    return found
