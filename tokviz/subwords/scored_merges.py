"""sentencepiece's BPE: join the two neighbors that make the piece with the highest score, and repeat.

It differs from BPE by ranks (`bpe.merging`) in what the vocabulary lists: not pairs, but pieces with scores. Any two
neighbors whose joined text is a piece can be joined; of several such pairs the one with the highest score is, and of
equal ones the leftmost. Symbols start as code points instead of bytes. User-defined pieces are cut out first, and never
joined. What is no piece in the end becomes its bytes, or an unknown token.

Example: with the scores `he` -0, `th` -1, `the` -2, the text `the` becomes `t he`, then `the`: `he` was joined first,
although `th` stands to the left.

Each piece is made in only one way, wherever it occurs: until it is made, no merge crosses its edges, so its characters
are merged as if they stood alone. So the pieces in the order of their scores are ranks of merges, and the merging of a
text can be replayed like any other (see `bpe.replay`).
"""

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tokviz.arrays import Int32Array, Int64Array
from tokviz.bpe.merging import Merged, Merges
from tokviz.bpe.replay import Order, ReplayColumns, columns_of_firings
from tokviz.immutable import PickledWithoutCaches
from tokviz.subwords.fallback import Token, unknown_tokens

SPACE = "\u2581"
"""The character that stands for a space in normalized text."""


@dataclass(frozen=True)
class ScoredPieces(PickledWithoutCaches):
    """Pieces with scores.

    `ids` maps the pieces that are characters, can be made by joining, or are user-defined to their ids; `scores` holds
    the score of each id. `byte_ids` maps byte values to ids; empty without byte fallback.
    """

    ids: Mapping[str, int]
    scores: npt.NDArray[np.float32]
    user_defined: frozenset[str] = frozenset()
    unk_id: int | None = None
    byte_ids: Mapping[int, int] = field(default_factory=dict)

    @cached_property
    def score_of(self) -> dict[str, float]:
        """Score of each piece that merging can make."""
        scores: list[float] = self.scores.tolist()
        return {
            piece: scores[token]
            for piece, token in self.ids.items()
            if len(piece) > 1 and piece not in self.user_defined
        }

    @cached_property
    def ranks(self) -> dict[str, int]:
        """The rank of each of these, from 0: its place by descending score, then by id."""
        order = sorted(self.score_of, key=lambda piece: (-self.score_of[piece], self.ids[piece]))
        return {piece: rank for rank, piece in enumerate(order)}

    @cached_property
    def user_defined_lengths(self) -> list[int]:
        """The lengths of user-defined pieces, the longest first."""
        return sorted({len(piece) for piece in self.user_defined}, reverse=True)

    @cached_property
    def joined_before_space(self) -> frozenset[str]:
        """The characters that stand before a `SPACE` in some piece. Merges cross no other boundary before a space."""
        return frozenset(piece[i - 1] for piece in self.score_of for i in range(1, len(piece)) if piece[i] == SPACE)


class Symbol(NamedTuple):
    """A symbol before any merge: its text, its id (None if it is no piece), and whether it is never joined."""

    text: str
    id: int | None
    is_fixed: bool


Part = tuple[str, int | None]
"""A stretch of normalized text, and its id if it is a special token."""


def symbols_of(model: ScoredPieces, parts: Sequence[Part]) -> list[Symbol]:
    """Return the symbols that a text starts as: special tokens, user-defined pieces (the longest first), characters.

    >>> model = ScoredPieces({"<n>": 0, "a": 1}, np.zeros(2, np.float32), frozenset({"<n>"}))
    >>> [(symbol.text, symbol.id) for symbol in symbols_of(model, [("a<n>b", None)])]
    [('a', 1), ('<n>', 0), ('b', None)]
    """
    symbols = []
    for text, special in parts:
        if special is not None:
            symbols.append(Symbol(text, special, True))
            continue
        at = 0
        while at < len(text):
            lengths = (n for n in model.user_defined_lengths if text[at : at + n] in model.user_defined)
            length = next(lengths, 0)
            symbol = text[at : at + (length or 1)]
            symbols.append(Symbol(symbol, model.ids.get(symbol), length > 0))
            at += len(symbol)
    return symbols


def merge_columns(model: ScoredPieces, parts: Sequence[Part], order: Order = "rank") -> tuple[ReplayColumns, Merges]:
    """Return the columns of the replay of a normalized text, given as its special tokens and what is between them.

    Byte offsets are those of its UTF-8. Characters that stay unknown are bytes, or one unknown symbol for each run of
    them, from the start. Raises ValueError if there is no unknown token where one is needed, and if a piece is merged
    from a character that is no piece.
    """
    symbols = symbols_of(model, parts)
    merging = _merge(model, symbols)
    for left, right in merging.pairs:
        for part in (left, right):
            if part not in model.ids:
                raise ValueError(f"{part!r} can be merged but is no piece itself, so this text's merges can't be drawn")
    expanded = _expand_unknown(model, symbols, merging.final)
    rank = np.array([model.ranks[firing.left + firing.right] for firing in merging.firings], np.int32)
    places = np.array([(firing.at, firing.right_at) for firing in merging.firings], np.int64).reshape(-1, 2)
    left, right = expanded.index_of[places].T.astype(np.int32)
    firing_of_symbol = np.full(len(expanded.ids), -1, np.int64)
    firing_of_symbol[right] = np.arange(len(right))
    columns = columns_of_firings(
        expanded.ids,
        np.concatenate(([0], expanded.num_bytes)).cumsum(dtype=np.int32),
        _pretoken_index(model, symbols)[expanded.first],
        firing_of_symbol,
        Merged(np.zeros(0, np.int32), left, right, rank),
        len(model.ranks),
        order,
        in_order=bool((np.diff(rank) >= 0).all()),
    )
    return columns, _merges(model, merging)


class _Firing(NamedTuple):
    """The joining of `left` and `right`, which begin at the symbols `at` and `right_at`."""

    at: int
    right_at: int
    left: str
    right: str


class _Merging(NamedTuple):
    """The merging of symbols: its firings, in the order applied.

    `pairs` are all that could be joined at some time. `final` holds what each symbol became, "" if it was joined to
    its left neighbor.
    """

    firings: list[_Firing]
    pairs: set[tuple[str, str]]
    final: list[str]


def _merge(model: ScoredPieces, symbols: Sequence[Symbol]) -> _Merging:
    """Merge until no two neighbors make a piece, as `bpe.merging.apply_merges` does with ranks."""
    score_of = model.score_of
    final = [symbol.text for symbol in symbols]
    following = list(range(1, len(symbols) + 1))
    previous = list(range(-1, len(symbols) - 1))
    firings: list[_Firing] = []
    pairs: set[tuple[str, str]] = set()
    waiting: list[tuple[float, int, int, str]] = []

    def consider(left: int, right: int) -> None:
        if left < 0 or right >= len(final) or symbols[left].is_fixed or symbols[right].is_fixed:
            return
        piece = final[left] + final[right]
        if piece in score_of:
            heapq.heappush(waiting, (-score_of[piece], left, right, piece))
            pairs.add((final[left], final[right]))

    for left in range(len(final) - 1):
        consider(left, left + 1)
    while waiting:
        _, left, right, piece = heapq.heappop(waiting)
        # Symbols only grow, or are gone: of the same length together, both are as they were.
        if not final[left] or not final[right] or len(final[left]) + len(final[right]) != len(piece):
            continue
        firings.append(_Firing(left, right, final[left], final[right]))
        final[left], final[right] = piece, ""
        following[left] = after = following[right]
        if after < len(final):
            previous[after] = left
        consider(previous[left], left)
        consider(left, after)
    return _Merging(firings, pairs, final)


def parts_of(model: ScoredPieces, piece: str) -> tuple[str, str] | None:
    """Return the two pieces that a piece is joined from, wherever it occurs; None if merging never makes it."""
    if piece not in model.score_of:
        return None
    merging = _merge(model, symbols_of(model, [(piece, None)]))
    last = merging.firings[-1:]
    return (last[0].left, last[0].right) if merging.final[0] == piece and last else None


class _Expanded(NamedTuple):
    """The symbols of a replay: ids, and bytes covered. `index_of` maps symbols of the text to them, `first` back."""

    ids: Int32Array
    num_bytes: Int32Array
    index_of: Int64Array
    first: Int64Array


def _expand_unknown(model: ScoredPieces, symbols: Sequence[Symbol], final: Sequence[str]) -> _Expanded:
    """Replace each run of symbols that are no pieces and were never joined by its unknown tokens."""
    tokens: list[Token] = []
    index_of: list[int] = []
    first: list[int] = []
    is_unknown = (each.id is None and each.text == became for each, became in zip(symbols, final, strict=True))
    for unknown, group in groupby(zip(is_unknown, symbols, strict=True), key=itemgetter(0)):
        run = [symbol for _, symbol in group]
        start = len(index_of)
        if unknown:
            run_tokens = unknown_tokens("".join(symbol.text for symbol in run), model.byte_ids, model.unk_id)
            index_of += [len(tokens)] * len(run)
            first += [start] * len(run_tokens)
        else:
            run_tokens = [Token(symbol.id, len(symbol.text.encode())) for symbol in run if symbol.id is not None]
            index_of += range(len(tokens), len(tokens) + len(run))
            first += range(start, start + len(run))
        tokens += run_tokens
    columns = np.array(tokens, np.int32).reshape(-1, 2).T
    return _Expanded(columns[0], columns[1], np.array(index_of, np.int64), np.array(first, np.int64))


def _pretoken_index(model: ScoredPieces, symbols: Sequence[Symbol]) -> Int32Array:
    """Return the index of each symbol's word. Words begin at spaces that no piece joins to what stands before them."""
    begins = [
        right.is_fixed or left.is_fixed or (right.text == SPACE and left.text not in model.joined_before_space)
        for left, right in zip(symbols, symbols[1:], strict=False)
    ]
    return np.concatenate(([0] * bool(symbols), begins)).cumsum(dtype=np.int32)


def _merges(model: ScoredPieces, merging: _Merging) -> Merges:
    """Return the merges by rank. Those that don't fire in this text have -1 for both parts."""
    left, right = np.full((2, len(model.ranks)), -1, np.int32)
    ids = model.ids
    rank_of = {(ids[one], ids[other]): model.ranks[one + other] for one, other in merging.pairs}
    for firing in merging.firings:
        rank = model.ranks[firing.left + firing.right]
        left[rank], right[rank] = ids[firing.left], ids[firing.right]
    new = np.array([ids[piece] for piece in model.ranks], np.int32)
    merges = Merges(left, right, new)
    merges.restore_caches({"rank": rank_of})
    return merges
