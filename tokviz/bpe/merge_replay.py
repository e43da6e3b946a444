"""Merging as a sequence of steps that can be played, stopped and jumped to.

A replay doesn't store the text after each step. It stores, for each boundary between symbols, the step that removes it,
which determines the steps between which each token exists. Any state is one comparison over these columns, forward or
back.

Training works in the same way: after k merges of training, the text is what applying the first k merges makes of it. So
replaying the text that a tokenizer was trained on re-enacts the training.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Literal, NamedTuple, overload

import numpy as np

from tokviz.arrays import Int32Array, Int64Array
from tokviz.bpe.alphabet import SEPARATOR, Alphabet
from tokviz.bpe.merging import Merged, Merges, Pair, apply_merges
from tokviz.immutable import Immutable

Order = Literal["rank", "pretoken"]
ORDERS: tuple[Order, ...] = ("rank", "pretoken")


class ReplayStep(NamedTuple):
    """One step: the merge that fires, and the number of places where it does."""

    rank: int
    left: int
    right: int
    new: int
    places: int


class ReplayColumns(NamedTuple):
    """The columns that determine a replay; all others are computed from them (see `MergeReplay`)."""

    symbols: Int32Array
    byte_offsets: Int32Array
    removed_at: Int32Array
    joined_to: Int64Array
    pretoken_index: Int32Array
    ranks: Int32Array


class MergeReplay(Immutable):
    """The merging of pre-tokens, from their initial symbols to their tokens, in `len(replay)` steps.

    `replay[i]` is a `ReplayStep`.

    Columns over the n symbols that the text starts as (bytes or characters; a special token is one symbol):
    `symbols`, their ids; `byte_offsets`, n + 1 offsets into the text's bytes; `removed_at`, the step, counted from 0,
    that removes the boundary before a symbol, or `len(replay)` if none does; `pretoken_index`, the index of the
    pre-token that a symbol belongs to. (`joined_to` is the first symbol of the token that a removal makes.)

    Columns over the steps: `ranks`, `lefts`, `rights`, `new_ids`, `places`. A step is all firings of one rank, or of
    one rank within one pre-token if the order is by pre-token. If a merge of the tokenizer joins something that only a
    later rank makes, a step is a single firing, in the order applied, pre-token by pre-token.

    `token_counts` has one more entry than there are steps: the number of symbols at the start, and after each step.
    """

    def __init__(self, columns: ReplayColumns, merges: Merges) -> None:
        self.symbols, self.byte_offsets, self.removed_at, self._joined_to, self.pretoken_index, self.ranks = columns
        self.lefts = merges.left[self.ranks]
        self.rights = merges.right[self.ranks]
        self.new_ids = merges.new[self.ranks]
        self.places: Int64Array = np.bincount(self.removed_at, minlength=len(self) + 1)[: len(self)]
        self.token_counts: Int64Array = len(self.symbols) - np.concatenate(([0], np.cumsum(self.places)))
        self._merges = merges

    def __len__(self) -> int:
        return len(self.ranks)

    @overload
    def __getitem__(self, step: int) -> ReplayStep: ...
    @overload
    def __getitem__(self, step: slice) -> list[ReplayStep]: ...
    def __getitem__(self, step: int | slice) -> ReplayStep | list[ReplayStep]:
        if isinstance(step, slice):
            return [self[number] for number in range(*step.indices(len(self)))]
        columns = (self.ranks, self.lefts, self.rights, self.new_ids, self.places)
        return ReplayStep(*(int(column[step]) for column in columns))

    def __repr__(self) -> str:
        return f"<Replay: {len(self)} steps, {self.token_counts[0]} symbols to {self.token_counts[-1]} tokens>"

    def state(self, k: int) -> Int32Array:
        """Return the token ids after k steps, from 0 (the start) to `len(replay)` (the end). Raises IndexError."""
        tokens = self._tokens
        ids: Int32Array = tokens.ids[self._present(k)]
        return ids

    def _starts(self, k: int) -> Int64Array:
        """Return the index of the first symbol of each token after k steps."""
        starts: Int64Array = self._tokens.starts[self._present(k)]
        return starts

    @property
    def is_by_rank(self) -> bool:
        """Whether each step is all firings of one rank, in the order of ranks, so that equal pre-tokens are alike."""
        return bool((np.diff(self.ranks) > 0).all())

    def candidates(self) -> "Candidates":
        """Return the pairs that a merge could join: all that ever occur in a pre-token and have a rank, once, by rank.

        After k steps, the lowest rank among the pairs that then exist is `ranks[k]` if the order is by rank. Some pairs
        are never joined, because one of the two symbols is joined to its other neighbor before.
        """
        rank_of = self._merges.rank
        found = {pair: rank for pair in self._adjacent_pairs() if (rank := rank_of.get(pair)) is not None}
        by_rank = sorted((rank, *pair) for pair, rank in found.items())
        ranks, lefts, rights = np.array(by_rank, np.int32).reshape(-1, 3).T
        return Candidates(lefts, rights, ranks)

    def _adjacent_pairs(self) -> set[Pair]:
        """Return every pair that occurs in a pre-token at the start or after some step."""
        tokens, ends = self._tokens, self._ends
        all_tokens = np.arange(len(ends))
        # A pair exists from the moment its newer token is made: look to both sides of each token at that moment.
        before = self._neighbors_when_made(tokens.starts, ends)
        after = self._neighbors_when_made(ends, tokens.starts)
        left = np.concatenate((before, all_tokens[after >= 0]))
        right = np.concatenate((all_tokens, after[after >= 0]))
        left, right = left[left >= 0], right[left >= 0]
        pretoken = self.pretoken_index[tokens.starts]
        is_inside = pretoken[left] == pretoken[right]
        keys = tokens.ids[left[is_inside]].astype(np.int64) << 32 | tokens.ids[right[is_inside]]
        return {(key >> 32, key & 0xFFFFFFFF) for key in np.unique(keys).tolist()}

    def _neighbors_when_made(self, edges: Int64Array, facing_edges: Int64Array) -> Int64Array:
        """For each of `_tokens`, find the index of its neighbor when it is made, or -1 at the edge of the text.

        `edges` are the tokens' edges on the side to look to, `facing_edges` those that neighbors have there. Of all
        tokens with that edge so far, the neighbor is the one made last.
        """
        first_state = self._tokens.made_at.astype(np.int64) + 1
        num_states = len(self) + 1
        keys = facing_edges * num_states + first_state
        order = np.argsort(keys)
        at = np.searchsorted(keys[order], edges * num_states + first_state, side="right") - 1
        neighbor = order[np.maximum(at, 0)]
        return np.where((at >= 0) & (facing_edges[neighbor] == edges), neighbor, -1)

    @cached_property
    def _ends(self) -> Int64Array:
        """For each of `_tokens`, the index of the symbol before which it ends."""
        length_of = dict.fromkeys(self.symbols.tolist(), 1)
        _, first = np.unique(self.new_ids, return_index=True)
        for step in np.sort(first).tolist():  # a token is first made after its parents
            _, left, right, new, _ = self[step]
            length_of[new] = length_of[left] + length_of[right]
        ids, inverse = np.unique(self._tokens.ids, return_inverse=True)
        lengths = np.array([length_of[token] for token in ids.tolist()], np.int64)
        return self._tokens.starts + lengths[inverse]

    def _present(self, k: int) -> Int64Array:
        """Return the indices of the tokens that exist after k steps: made by then, and not yet joined to others."""
        if not 0 <= k <= len(self):
            raise IndexError(f"this replay has the states 0 to {len(self)}; there is no state {k}")
        # Selecting by index takes half the time of selecting by a mask.
        return np.flatnonzero((self._tokens.made_at < k) & (self._tokens.gone_at >= k))

    @cached_property
    def _tokens(self) -> "_Tokens":
        """Every token that ever occurs in the text."""
        joined = np.flatnonzero(self.removed_at < len(self))
        steps = self.removed_at[joined]
        starts = np.concatenate((np.arange(len(self.symbols)), self._joined_to[joined]))
        made_at = np.concatenate((np.full(len(self.symbols), -1, np.int32), steps))
        ids = np.concatenate((self.symbols, self.new_ids[steps]))
        order = np.lexsort((made_at, starts))
        starts, made_at, ids = starts[order], made_at[order], ids[order]
        # A token is gone when a longer one is made at its start, or when it is itself joined to its left neighbor.
        is_longest = np.diff(starts, append=-1) != 0
        gone_at = np.where(is_longest, self.removed_at[starts], np.roll(made_at, -1))
        return _Tokens(starts, ids, made_at, gone_at)


class Candidates(NamedTuple):
    """Pairs of symbols that a merge could join, and the ranks of these merges: columns of equal length (int32)."""

    lefts: Int32Array
    rights: Int32Array
    ranks: Int32Array


class _Tokens(NamedTuple):
    """Tokens in the order of their first symbol, then from short to long.

    `starts` is the index of the first symbol, `ids` the token id, `made_at` the step that makes the token (-1 if it is
    there from the start), and `gone_at` the step that joins it to others (`len(replay)` if it is there at the end).
    """

    starts: Int64Array
    ids: Int32Array
    made_at: Int32Array
    gone_at: Int32Array


def replay_columns(
    pretokens: Sequence[str],
    special_ids: Mapping[int, int],
    alphabet: Alphabet,
    merges: Merges,
    byte_lengths: Int32Array,
    order: Order,
    in_order: bool,
) -> ReplayColumns:
    """Return the columns of a replay of the merging of a text's pre-tokens.

    `special_ids` maps the index of each pre-token that is a special token to its id. `byte_lengths` is the number of
    bytes by symbol id. `in_order` says whether merges fire in the order of their ranks.
    """
    row, pretoken_of_symbol, place_in_row = _build_row(pretokens, special_ids, alphabet)
    merged = apply_merges(row.tolist(), merges)
    symbols = row[place_in_row]
    offsets = np.zeros(len(symbols) + 1, np.int32)
    np.cumsum(byte_lengths[symbols], out=offsets[1:])

    # Each distinct pre-token is merged once; every symbol of the text looks up what happened to its copy there.
    firing_at = np.full(len(row), -1, np.int64)
    firing_at[merged.right] = np.arange(len(merged.right))
    pretoken_index = pretoken_of_symbol.astype(np.int32)
    firing = firing_at[place_in_row]
    return columns_of_firings(symbols, offsets, pretoken_index, firing, merged, len(merges), order, in_order)


def columns_of_firings(
    symbols: Int32Array,
    byte_offsets: Int32Array,
    pretoken_index: Int32Array,
    firing: Int64Array,
    merged: Merged,
    num_ranks: int,
    order: Order,
    in_order: bool,
) -> ReplayColumns:
    """Return the columns of a replay from the firings of a merging.

    `firing` is the index of the firing that removes the boundary before each symbol, or -1 if none does; several
    symbols may share a firing. Each of the `num_ranks` merges has one rank.
    """
    fired = firing >= 0
    rank = merged.rank[firing[fired]].astype(np.int64)
    pretoken = pretoken_index[fired].astype(np.int64)
    if not in_order:
        step_key = pretoken * len(merged.rank) + firing[fired]
    elif order == "pretoken":
        step_key = pretoken * num_ranks + rank
    else:
        step_key = rank
    keys, first, step = np.unique(step_key, return_index=True, return_inverse=True)

    removed_at = np.full(len(symbols), len(keys), np.int32)
    removed_at[fired] = step
    joined_to = np.arange(len(symbols))
    joined_to[fired] -= (merged.right - merged.left)[firing[fired]]
    return ReplayColumns(symbols, byte_offsets, removed_at, joined_to, pretoken_index, rank[first].astype(np.int32))


def _build_row(
    pretokens: Sequence[str], special_ids: Mapping[int, int], alphabet: Alphabet
) -> tuple[Int32Array, Int64Array, Int64Array]:
    """Return a row of the distinct pre-tokens and, for each symbol of the text, its pre-token's index and row place."""
    keys = [special_ids.get(number, pretoken) for number, pretoken in enumerate(pretokens)]
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    words = [key for key in numbers if isinstance(key, str)]
    specials = [key for key in numbers if not isinstance(key, str)]
    special_row = [entry for special in specials for entry in (special, SEPARATOR)]
    row = np.concatenate((alphabet.row(words), np.array(special_row, np.int32)))

    separators = np.flatnonzero(row == SEPARATOR)
    slot_of = {key: place for place, key in enumerate([*words, *specials])}
    slots = np.array([slot_of[key] for key in keys], np.int64)
    starts, sizes = separators[slots] + 1, (np.diff(separators) - 1)[slots]
    ends = np.cumsum(sizes)
    pretoken_of_symbol = np.repeat(np.arange(len(keys)), sizes)
    place_in_row = np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - (ends - sizes), sizes)
    return row, pretoken_of_symbol, place_in_row
