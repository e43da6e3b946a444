"""sentencepiece's BPE: join the two neighbors that make the piece with the highest score, and repeat.

It differs from BPE by ranks (`bpe.merging`) in what the vocabulary lists: not pairs, but pieces with scores. Any two
neighbors whose joined text is a piece can be joined; of several such pairs the one with the highest score is, and of
equal ones the leftmost. Symbols start as code points instead of bytes. User-defined pieces are cut out first, and never
joined. What is no piece in the end becomes its bytes, or an unknown token.

Example: with the scores `he` -0, `th` -1, `the` -2, the text `the` becomes `t he`, then `the`: `he` was joined first,
although `th` stands to the left.

Each piece is made in only one way, wherever it occurs: until it is made, no merge crosses its edges, so its characters
are merged as if they stood alone. So the pieces in the order of their scores are ranks of merges, and the merging of a
text can be replayed like any other (see `bpe.merge_replay`).
"""

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, groupby, pairwise
from random import Random
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tokviz.arrays import Int32Array, Int64Array
from tokviz.bpe.merge_replay import Order, ReplayColumns, columns_of_firings
from tokviz.bpe.merging import Merged, Merges
from tokviz.immutable import PickledWithoutCaches
from tokviz.subwords.fallback import unknown_tokens

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
    def levels(self) -> dict[str, int]:
        """The place of each one's score among all scores, the highest first; pieces with equal scores share a level."""
        level_of = {score: level for level, score in enumerate(sorted(set(self.score_of.values()), reverse=True))}
        return {piece: level_of[score] for piece, score in self.score_of.items()}

    @cached_property
    def user_defined_lengths(self) -> list[int]:
        """The lengths of user-defined pieces, the longest first."""
        return sorted({len(piece) for piece in self.user_defined}, reverse=True)

    @cached_property
    def joined_before_space(self) -> frozenset[str]:
        """The characters that stand before a `SPACE` in some piece. Merges cross no other boundary before a space."""
        return frozenset(piece[i - 1] for piece in self.score_of for i in range(1, len(piece)) if piece[i] == SPACE)


class Symbols(NamedTuple):
    """Symbols before any merge, as columns: texts, ids (`NO_PIECE` if they are no pieces), whether never joined.

    Columns, since an object for each character of a long text would keep garbage collection busy, which stops all
    threads.
    """

    texts: list[str]
    ids: list[int]
    is_fixed: list[bool]


NO_PIECE = -1

Part = tuple[str, int | None]
"""A stretch of normalized text, and its id if it is a special token."""


def symbols_of(model: ScoredPieces, parts: Sequence[Part]) -> Symbols:
    """Return the symbols that a text starts as: special tokens, user-defined pieces (the longest first), characters.

    >>> model = ScoredPieces({"<n>": 0, "a": 1}, np.zeros(2, np.float32), frozenset({"<n>"}))
    >>> symbols_of(model, [("a<n>b", None)])
    Symbols(texts=['a', '<n>', 'b'], ids=[1, 0, -1], is_fixed=[False, True, False])
    """
    symbols = Symbols([], [], [])
    for text, special in parts:
        if special is not None:
            symbols.texts.append(text)
            symbols.ids.append(special)
            symbols.is_fixed.append(True)
            continue
        at = 0
        while at < len(text):
            lengths = (n for n in model.user_defined_lengths if text[at : at + n] in model.user_defined)
            length = next(lengths, 0)
            symbol = text[at : at + (length or 1)]
            symbols.texts.append(symbol)
            symbols.ids.append(model.ids.get(symbol, NO_PIECE))
            symbols.is_fixed.append(length > 0)
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
    for part in chain.from_iterable(merging.pairs):
        if part not in model.ids:
            raise ValueError(f"{part!r} can be merged but is no piece itself, so this text's merges can't be drawn")
    expanded = _expand_unknown(model, symbols, merging.final)
    rank = np.array(merging.rank, np.int32)
    places = np.array((merging.left, merging.right), np.int64)
    left, right = expanded.index_of[places].astype(np.int32)
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


def merge_with_dropout(model: ScoredPieces, parts: Sequence[Part], dropout: float, rng: Random) -> list[int]:
    """Merge a normalized text, leaving each possible merge out at random (see `bpe.dropout`), word by word."""
    symbols = symbols_of(model, parts)
    words = groupby(range(len(symbols.texts)), key=_pretoken_index(model, symbols).tolist().__getitem__)
    texts: list[str] = []
    ids: list[int] = []
    for _, word in words:
        row = [(symbols.texts[place], symbols.ids[place], symbols.is_fixed[place]) for place in word]
        while kept := [pair for pair in _joinable(model, row) if rng.random() >= dropout]:
            _, place = min(kept)
            piece = row[place][0] + row[place + 1][0]
            row[place : place + 2] = [(piece, model.ids[piece], False)]
        texts += [text for text, _, _ in row]
        ids += [token for _, token, _ in row]
    merged: list[int] = []
    for is_unknown, group in groupby(range(len(ids)), key=lambda place: ids[place] == NO_PIECE):
        run = list(group)
        unknown = "".join(texts[place] for place in run)
        found = [each.id for each in unknown_tokens(unknown, model.byte_ids, model.unk_id)] if is_unknown else []
        merged += found or [ids[place] for place in run]
    return merged


def _joinable(model: ScoredPieces, row: Sequence[tuple[str, int, bool]]) -> Iterator[tuple[int, int]]:
    """Yield the levels of the pieces that neighbors make, with their places."""
    for place, ((left, _, left_fixed), (right, _, right_fixed)) in enumerate(pairwise(row)):
        level = None if left_fixed or right_fixed else model.levels.get(left + right)
        if level is not None:
            yield level, place


class _Merging(NamedTuple):
    """The merging of symbols: columns of its firings, in the order applied (`left` and `right` are symbols, joined).

    `made` maps the ranks that fired to the two pieces that they join. `pairs` are all that could be joined at some
    time. `final` holds what each symbol became, "" if it was joined to its left neighbor.
    """

    left: list[int]
    right: list[int]
    rank: list[int]
    made: dict[int, tuple[str, str]]
    pairs: set[tuple[str, str]]
    final: list[str]


def _merge(model: ScoredPieces, symbols: Symbols) -> _Merging:
    """Merge until no two neighbors make a piece, as `bpe.merging.apply_merges` does with ranks."""
    level_of, is_fixed = model.levels, symbols.is_fixed
    final = list(symbols.texts)
    size = len(final)
    following = list(range(1, size + 1))
    previous = list(range(-1, size - 1))
    merging = _Merging([], [], [], {}, set(), final)
    waiting: list[int] = []

    def level(left: int, right: int) -> int | None:
        if left < 0 or right >= size or is_fixed[left] or is_fixed[right]:
            return None
        return level_of.get(final[left] + final[right])

    def consider(left: int, right: int) -> None:
        merge_level = level(left, right)
        if merge_level is not None:
            heapq.heappush(waiting, merge_level * size + left)
            merging.pairs.add((final[left], final[right]))

    for left in range(size - 1):
        consider(left, left + 1)
    while waiting:
        found, left = divmod(heapq.heappop(waiting), size)
        right = following[left]
        if not final[left] or level(left, right) != found:
            continue  # one of the two was joined to its other neighbor
        parts = (final[left], final[right])
        piece = parts[0] + parts[1]
        rank = model.ranks[piece]
        merging.left.append(left)
        merging.right.append(right)
        merging.rank.append(rank)
        merging.made[rank] = parts
        final[left], final[right] = piece, ""
        following[left] = after = following[right]
        if after < size:
            previous[after] = left
        consider(previous[left], left)
        consider(left, after)
    return merging


def halves_of(model: ScoredPieces, piece: str) -> tuple[str, str] | None:
    """Return the two pieces that a piece is joined from, wherever it occurs; None if merging never makes it."""
    rank = model.ranks.get(piece)
    if rank is None:
        return None
    merging = _merge(model, symbols_of(model, [(piece, None)]))
    return merging.made.get(rank) if merging.final[0] == piece else None


class _Expanded(NamedTuple):
    """The symbols of a replay: ids, and bytes covered. `index_of` maps symbols of the text to them, `first` back."""

    ids: Int32Array
    num_bytes: Int32Array
    index_of: Int64Array
    first: Int64Array


def _expand_unknown(model: ScoredPieces, symbols: Symbols, final: Sequence[str]) -> _Expanded:
    """Replace each run of symbols that are no pieces and were never joined by its unknown tokens."""
    ids: list[int] = []
    num_bytes: list[int] = []
    index_of: list[int] = []
    first: list[int] = []
    is_unknown = [
        token == NO_PIECE and text == became
        for text, token, became in zip(symbols.texts, symbols.ids, final, strict=True)
    ]
    for unknown, group in groupby(range(len(is_unknown)), key=is_unknown.__getitem__):
        run = list(group)
        texts = symbols.texts[run[0] : run[-1] + 1]
        if unknown:
            tokens = unknown_tokens("".join(texts), model.byte_ids, model.unk_id)
            index_of += [len(ids)] * len(run)
            first += [run[0]] * len(tokens)
            ids += [token.id for token in tokens]
            num_bytes += [token.num_bytes for token in tokens]
        else:
            index_of += range(len(ids), len(ids) + len(run))
            first += run
            ids += symbols.ids[run[0] : run[-1] + 1]
            num_bytes += [len(text.encode()) for text in texts]
    return _Expanded(
        np.array(ids, np.int32), np.array(num_bytes, np.int32), np.array(index_of, np.int64), np.array(first, np.int64)
    )


def _pretoken_index(model: ScoredPieces, symbols: Symbols) -> Int32Array:
    """Return the index of each symbol's word. Words begin at spaces that no piece joins to what stands before them."""
    texts, is_fixed = symbols.texts, symbols.is_fixed
    begins = [
        is_fixed[at] or is_fixed[at - 1] or (texts[at] == SPACE and texts[at - 1] not in model.joined_before_space)
        for at in range(1, len(texts))
    ]
    return np.concatenate(([0] * bool(texts), begins)).cumsum(dtype=np.int32)


def _merges(model: ScoredPieces, merging: _Merging) -> Merges:
    """Return the merges by rank. Those that don't fire in this text have -1 for both parts."""
    left, right = np.full((2, len(model.ranks)), -1, np.int32)
    ids = model.ids
    rank_of = {(ids[one], ids[other]): model.ranks[one + other] for one, other in merging.pairs}
    for rank, (one, other) in merging.made.items():
        left[rank], right[rank] = ids[one], ids[other]
    new = np.array([ids[piece] for piece in model.ranks], np.int32)
    merges = Merges(left, right, new)
    merges.restore_caches({"rank": rank_of})
    return merges
