"""Merges as steps that can be played, stopped and jumped to.

A replay doesn't store what the text looks like after each step. It stores one column: for each symbol, the step that
removes the boundary before it. After k steps exactly the boundaries with a later step still stand, so any state is
one comparison over the column, forward or back.

Learning is the same thing: after k merges of training, the text is what applying the first k merges makes of it. So
replaying the text that a tokenizer was trained on re-enacts the training.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from tokviz.arrays import Int32Array, Int64Array
from tokviz.bpe.alphabet import SEPARATOR, Alphabet
from tokviz.bpe.merging import Merges, apply_merges
from tokviz.tokenization import Tokenization

Order = Literal["rank", "pretoken"]
ORDERS: tuple[Order, ...] = ("rank", "pretoken")


class ReplayStep(NamedTuple):
    """One step: the merge that fires, and in how many places."""

    rank: int
    left: int
    right: int
    new: int
    places: int


class Replay:
    """A text's way from its first symbols to its tokens, in `len(replay)` steps. `replay[i]` is a `ReplayStep`.

    Columns over the n symbols that the text begins as (bytes or characters; a special token is one symbol):
    `symbols`, their ids; `byte_offsets`, n + 1 places in the text's bytes; `removed_at`, the step that joins a symbol
    to its left neighbor, counted from 0, or `len(replay)` where none does.

    Columns over the steps: `ranks`, `lefts`, `rights`, `new_ids`, `places`. A step is all firings of one rank, or of
    one rank within one pre-token where the order is by pre-token. If a merge of the tokenizer joins something that
    only a later rank makes, a step is a single firing, in the order applied.

    `token_counts` has one entry more than there are steps: the number of symbols at the start, and after each step.
    """

    def __init__(
        self,
        symbols: Int32Array,
        byte_offsets: Int32Array,
        removed_at: Int32Array,
        ranks: Int32Array,
        merges: Merges,
        as_tokenization: Callable[[Int32Array, Int32Array], Tokenization],
    ) -> None:
        self.symbols = symbols
        self.byte_offsets = byte_offsets
        self.removed_at = removed_at
        self.ranks = ranks
        self.lefts = merges.left[ranks]
        self.rights = merges.right[ranks]
        self.new_ids = merges.new[ranks]
        self.places: Int64Array = np.bincount(removed_at, minlength=len(ranks) + 1)[: len(ranks)]
        self.token_counts: Int64Array = len(symbols) - np.concatenate(([0], np.cumsum(self.places)))
        self._as_tokenization = as_tokenization

    def __len__(self) -> int:
        return len(self.ranks)

    def __getitem__(self, step: int) -> ReplayStep:
        columns = (self.ranks, self.lefts, self.rights, self.new_ids, self.places)
        return ReplayStep(*(int(column[step]) for column in columns))

    def __repr__(self) -> str:
        return f"<Replay: {len(self)} steps, {self.token_counts[0]} symbols to {self.token_counts[-1]} tokens>"

    def state(self, k: int) -> Int32Array:
        """The token ids after k steps. k = 0 is the start, `len(replay)` the end; IndexError outside."""
        starts = self._starts(k)
        ids: Int32Array = self.symbols[starts]
        if not len(starts):
            return ids
        # A token's id comes from the last step that removed a boundary inside it.
        removed = np.where(self.removed_at < k, self.removed_at, -1)
        last = np.maximum.reduceat(removed, starts)
        joined = last >= 0
        ids[joined] = self.new_ids[last[joined]]
        return ids

    def tokenization(self, k: int) -> Tokenization:
        """The text as it is cut after k steps."""
        starts = self._starts(k)
        offsets = np.append(self.byte_offsets[starts], self.byte_offsets[-1])
        return self._as_tokenization(self.state(k), offsets)

    def _starts(self, k: int) -> np.ndarray:
        if not 0 <= k <= len(self):
            raise IndexError(f"this replay has the states 0 to {len(self)}; there is no state {k}")
        return np.flatnonzero(self.removed_at >= k)


def replay_pretokens(
    pretokens: Sequence[str],
    special_ids: Mapping[int, int],
    alphabet: Alphabet,
    merges: Merges,
    byte_lengths: Int32Array,
    order: Order,
    as_tokenization: Callable[[Int32Array, Int32Array], Tokenization],
) -> Replay:
    """Replay the merging of a text's pre-tokens.

    `special_ids` gives the id of each pre-token, by its number, that is a special token. `byte_lengths` is the number
    of bytes by symbol id. `as_tokenization` makes a Tokenization of the text from ids and byte offsets.
    """
    row, piece_of_symbol, place_in_row = _lay_out(pretokens, special_ids, alphabet)
    merged = apply_merges(row.tolist(), merges)
    symbols = row[place_in_row]

    # Distinct pre-tokens were merged once; every symbol of the text looks up what happened to its like.
    rank_at = np.full(len(row), -1, np.int64)
    rank_at[merged.boundary] = merged.rank
    firing_at = np.zeros(len(row), np.int64)
    firing_at[merged.boundary] = np.arange(len(merged.boundary))
    rank = rank_at[place_in_row]
    fired = rank >= 0
    if not merges.in_order:
        step_key = piece_of_symbol * len(row) + firing_at[place_in_row]
    elif order == "pretoken":
        step_key = piece_of_symbol * len(merges) + rank
    else:
        step_key = rank
    keys, first, step = np.unique(step_key[fired], return_index=True, return_inverse=True)

    removed_at = np.full(len(symbols), len(keys), np.int32)
    removed_at[fired] = step
    offsets = np.zeros(len(symbols) + 1, np.int32)
    np.cumsum(byte_lengths[symbols], out=offsets[1:])
    ranks = rank[fired][first].astype(np.int32)
    return Replay(symbols, offsets, removed_at, ranks, merges, as_tokenization)


def _lay_out(
    pretokens: Sequence[str], special_ids: Mapping[int, int], alphabet: Alphabet
) -> tuple[Int32Array, Int64Array, Int64Array]:
    """A row of the distinct pre-tokens, and for each symbol of the text its pre-token's number and its place in it."""
    keys = [special_ids.get(number, pretoken) for number, pretoken in enumerate(pretokens)]
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    words = [key for key in numbers if isinstance(key, str)]
    specials = [key for key in numbers if not isinstance(key, str)]
    special_row = [entry for special in specials for entry in (special, SEPARATOR)]
    row = np.concatenate((alphabet.row(words), np.array(special_row, np.int32)))

    separators = np.flatnonzero(row == SEPARATOR)
    position = {key: place for place, key in enumerate([*words, *specials])}
    which = np.array([position[key] for key in keys], np.int64)
    starts, sizes = separators[which] + 1, (np.diff(separators) - 1)[which]
    ends = np.cumsum(sizes)
    piece_of_symbol = np.repeat(np.arange(len(keys)), sizes)
    place_in_row = np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - (ends - sizes), sizes)
    return row, piece_of_symbol, place_in_row
