"""Tables of merges and scores, compared: which entries differ, and texts in which these decide.

A merge decides in a text in two ways. It makes its token, so the token's own text shows that the merge is there. And it
competes with another for the symbol in the middle of three: the text of these three shows which of the two comes first.
Two merges that are in the same order in both tables decide alike, so only those that changed places are tried.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from math import inf
from typing import Any, NamedTuple

from tokviz.analysis.availability import text_bytes
from tokviz.analysis.vocabulary.character_parts import parts_of
from tokviz.analysis.vocabulary.engine_reach import merging_of
from tokviz.bpe.merging import recover_parents
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.engines.stages import Model

Symbol = tuple[bytes, bool]
"""The bytes of a token, and whether an end-of-word mark follows."""

Pair = tuple[Any, Any]
"""Two symbols, as a table spells them: pieces of a file, bytes, or `Symbol`s."""

_MAX_COMPLETED = 4  # maximum texts for symbols that begin or end within a character
_MAX_RIVALS = 200  # maximum merges that compete with one, on each side


class Entry(NamedTuple):
    """An entry of a table that differs: what it joins, and which of two tables has it, None if both do."""

    pair: Pair
    only_in: int | None


@dataclass(frozen=True)
class MergeTable:
    """Merges with their places, the lowest first, by the pair that they join, or by the joined token if any pair will.

    `pair_of` returns what an entry joins, None if no text ever does, `token_of` the id that joining a pair gives, and
    `bytes_of` the bytes of symbols in a row, without marks.
    """

    places: Mapping[Any, float]
    pair_of: Callable[[Any], Pair | None]
    token_of: Callable[[Pair], int]
    bytes_of: Callable[[Iterable[Any]], bytes]
    by_pair: bool

    def rivals(self, pair: Pair) -> Iterator[tuple[Any, tuple[Any, Any, Any]]]:
        """Yield the merges that compete with one for one of its symbols, each with the three symbols."""
        left, right = pair
        if self.by_pair:
            befores, afters = self._by_right[left], self._by_left[right]
        else:
            befores = [key[: -len(left)] for key in self._tokens if key.endswith(left) and key != left]
            afters = [key[len(right) :] for key in self._tokens if key.startswith(right) and key != right]
        for after in afters[:_MAX_RIVALS]:
            yield (right, after) if self.by_pair else right + after, (left, right, after)
        for before in befores[:_MAX_RIVALS]:
            yield (before, left) if self.by_pair else before + left, (before, left, right)

    @cached_property
    def _tokens(self) -> list[Any]:
        return list(self.places)

    @cached_property
    def _by_left(self) -> dict[Any, list[Any]]:
        found = defaultdict(list)
        for left, right in self._tokens:
            found[left].append(right)
        return found

    @cached_property
    def _by_right(self) -> dict[Any, list[Any]]:
        found = defaultdict(list)
        for left, right in self._tokens:
            found[right].append(left)
        return found


def merge_tables(first: Tokenizer, second: Tokenizer) -> tuple[MergeTable, MergeTable] | None:
    """Return the merges of two tokenizers as tables of one kind; None if one does not merge, or they are no such."""
    models = first.model, second.model
    if models[0] and models[1] and type(first) is type(second):
        if not (first.merges_pieces and second.merges_pieces):
            return None
        table = _of_file if models[0].merges or models[1].merges else _of_scores
        return table(first, models[0]), table(second, models[1])
    one, other = merging_of(first), merging_of(second)
    if one is None or other is None:
        return None
    if one.tiktoken_ranks is not None and other.tiktoken_ranks is not None:
        return _of_ranks(one.tiktoken_ranks), _of_ranks(other.tiktoken_ranks)
    return _of_firing(one), _of_firing(other)


def differing_entries(first: MergeTable, second: MergeTable) -> list[Entry]:
    """Entries that only one table has, then as few others as must move to bring the rest into the same order."""
    only_one = [
        Entry(pair, number)
        for number, (table, other) in enumerate(((first, second), (second, first)))
        for key in table.places.keys() - other.places.keys()
        if (pair := table.pair_of(key))
    ]
    pairs = (first.pair_of(key) or second.pair_of(key) for key in _moved(first.places, second.places))
    return [*sorted(only_one, key=repr), *(Entry(pair, None) for pair in pairs if pair)]


def texts_of_entries(first: MergeTable, second: MergeTable, entries: Sequence[Entry]) -> Iterator[str]:
    """Yield the texts of the tokens that entries make, then those in which they compete with others."""
    tables = (first, second)
    symbols = chain(
        (((*entry.pair,), tables[entry.only_in or 0]) for entry in entries),
        ((three, table) for entry in entries for table in tables for three in _contested(table, tables, entry.pair)),
    )
    for some, table in symbols:
        parts = parts_of(table.bytes_of(some))
        if parts is not None:
            yield from islice(parts.completed(), _MAX_COMPLETED)


def _contested(table: MergeTable, tables: Sequence[MergeTable], pair: Pair) -> Iterator[tuple[Any, Any, Any]]:
    """Yield three symbols of which a merge joins two, and joins them before another merge in only one of two tables."""
    key = pair if table.by_pair else pair[0] + pair[1]
    for rival, symbols in table.rivals(pair):
        wins = [each.places.get(key, inf) < each.places.get(rival, inf) for each in tables]
        if wins[0] != wins[1]:
            yield symbols


def _of_file(tokenizer: Tokenizer, model: Model) -> MergeTable:
    ids = {piece: token for token, (piece, _) in enumerate(model.pieces)}
    prefix = len(tokenizer.marks[0])
    places = {pair: rank for rank, pair in enumerate(model.merges)}
    return MergeTable(
        places, lambda pair: pair, lambda pair: ids[pair[0] + pair[1][prefix:]], _bytes_of_pieces(tokenizer, ids), True
    )


def _of_scores(tokenizer: Tokenizer, model: Model) -> MergeTable:
    pieces = model.pieces
    ids = {piece: token for token, (piece, _) in enumerate(pieces)}

    def pair_of(piece: str) -> Pair | None:
        parents = tokenizer.parents(ids[piece])
        return (pieces[parents[0]][0], pieces[parents[1]][0]) if parents else None

    excluded = {*tokenizer.cut_out_ids, *tokenizer.byte_ids, tokenizer.unknown}
    places = {piece: -score for token, (piece, score) in enumerate(pieces) if token not in excluded and len(piece) > 1}
    return MergeTable(places, pair_of, lambda pair: ids[pair[0] + pair[1]], _bytes_of_pieces(tokenizer, ids), False)


def _of_ranks(ranks: Mapping[bytes, int]) -> MergeTable:
    """Return a table of tokens by their ranks, as tiktoken has them."""
    places = {token: rank for token, rank in ranks.items() if len(token) > 1}

    def pair_of(token: bytes) -> Pair | None:
        parents = recover_parents(token, ranks)
        ends = (end for end in range(1, len(token)) if parents and ranks.get(token[:end]) == parents[0])
        end = next(ends, None)
        return None if end is None else (token[:end], token[end:])

    return MergeTable(places, pair_of, lambda pair: ranks[pair[0] + pair[1]], b"".join, False)


def _of_firing(tokenizer: BPETokenizer) -> MergeTable:
    merged = sorted(tokenizer.ranks, key=tokenizer.ranks.__getitem__)
    tokens = dict(zip(firing_merges(tokenizer), merged, strict=True))
    return MergeTable(
        {pair: rank for rank, pair in enumerate(tokens)},
        lambda pair: pair,
        tokens.__getitem__,
        lambda symbols: b"".join(data for data, _ in symbols),
        True,
    )


def firing_merges(tokenizer: BPETokenizer) -> list[tuple[Symbol, Symbol]]:
    """The merges that can fire, in the order of their ranks, by what they join.

    Of several merges that make one token, only one ever fires (see `BPETokenizer.rank`).
    """
    merged = sorted(tokenizer.ranks, key=tokenizer.ranks.__getitem__)
    parents = (tokenizer.parents(token) for token in merged)
    return [(_symbol(tokenizer, pair[0]), _symbol(tokenizer, pair[1])) for pair in parents if pair]


def _symbol(tokenizer: BPETokenizer, token: int) -> Symbol:
    return tokenizer.vocab[token], tokenizer.ends_word(token)


def _bytes_of_pieces(tokenizer: Tokenizer, ids: Mapping[str, int]) -> Callable[[Iterable[str]], bytes]:
    def joined(pieces: Iterable[str]) -> bytes:
        return b"".join(text_bytes(tokenizer, ids[piece]) for piece in pieces if piece in ids)

    return joined


def _moved(first: Mapping[Any, float], second: Mapping[Any, float]) -> list[Any]:
    """The keys of both, as few as must move to bring the others into the same order."""
    one = sorted((key for key in first if key in second), key=first.__getitem__)
    other = sorted(one, key=second.__getitem__)
    changed = [place for place, (key, moved) in enumerate(zip(one, other, strict=True)) if key != moved]
    if not changed:
        return []
    between = slice(changed[0], changed[-1] + 1)
    places = {key: place for place, key in enumerate(other[between])}
    in_order = set(_longest_increasing([places[key] for key in one[between]]))
    return [key for key in one[between] if places[key] not in in_order]


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
