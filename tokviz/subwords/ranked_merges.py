"""BPE by a list of merges over pieces, as in a `tokenizer.json`: which symbols a pre-token starts as.

Merging itself is that of `bpe.merging`. What differs between files is where it starts: characters, which are spelled
with a prefix inside a word and a suffix at its end if the file has these, and bytes for characters that are no piece.

Example: with the suffix `</w>`, the pre-token `low` starts as `l o w</w>`.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from random import Random

import numpy as np

from tokviz.bpe.alphabet import SEPARATOR
from tokviz.bpe.dropout import merge_with_dropout as dropout_of_bpe
from tokviz.bpe.merge_replay import Order, ReplayColumns, columns_of_firings
from tokviz.bpe.merging import Merges, apply_merges, merge_symbols
from tokviz.immutable import PickledWithoutCaches
from tokviz.subwords.fallback import NoUnknownToken, Token, unknown_tokens
from tokviz.subwords.scored_merges import Part


@dataclass(frozen=True)
class RankedMerges(PickledWithoutCaches):
    """Pieces and the pairs of them that are merged, by rank.

    `prefix` begins the pieces inside a word, and `suffix` ends those at its end. With `takes_whole`, a pre-token that
    is a piece is that piece, whatever its merges make of it. With `fuses_unknown`, a run of unknown characters is one
    token. `byte_ids` maps byte values to ids; empty without byte fallback. A character some of whose bytes have none is
    unknown.
    """

    ids: Mapping[str, int]
    pairs: Sequence[tuple[str, str]]
    unk_id: int | None = None
    byte_ids: Mapping[int, int] | None = None
    prefix: str = ""
    suffix: str = ""
    takes_whole: bool = False
    fuses_unknown: bool = False

    @cached_property
    def merges(self) -> Merges:
        """The merges, by rank. Of a pair listed twice, the last one counts."""
        new_of: dict[tuple[int, int], int] = {}
        for left, right in self.pairs:
            pair = (self.ids[left], self.ids[right])
            new_of.pop(pair, None)
            new_of[pair] = self.ids[left + right[len(self.prefix) :]]
        return Merges.from_dict(new_of)

    def symbols(self, pretoken: str) -> list[Token]:
        """Return the symbols that a pre-token starts as.

        >>> [symbol.id for symbol in RankedMerges({"l": 0, "o": 1, "w</w>": 2}, [], suffix="</w>").symbols("low")]
        [0, 1, 2]
        """
        symbols: list[Token] = []
        unknown = ""
        for i, character in enumerate(pretoken):
            spelled = (self.prefix if i else "") + character + (self.suffix if i == len(pretoken) - 1 else "")
            known = self.ids.get(spelled)
            if known is None and self.fuses_unknown and not self._has_bytes(character):
                unknown += character
                continue
            symbols += self._unknown(unknown)
            unknown = ""
            symbols += [Token(known, len(character.encode()))] if known is not None else self._unknown(character)
        return symbols + self._unknown(unknown)

    def making(self, token: int, piece: str) -> int | None:
        """Return the rank of the merge that makes a token, which is spelled `piece`; None if merging never makes it.

        Of several merges that make a token only one ever fires: until it is made, no merge crosses its edges, so its
        symbols are merged as if they stood alone.
        """
        inner = piece.removeprefix(self.prefix)
        is_inside = bool(self.prefix) and inner != piece
        characters = list(inner.removesuffix(self.suffix))
        if inner.endswith(self.suffix) and characters:
            characters[-1] += self.suffix
        spelled = [(self.prefix if i or is_inside else "") + each for i, each in enumerate(characters)]
        if not self.ids.keys() >= set(spelled):
            return None
        merged = merge_symbols([self.ids[each] for each in spelled], self.merges)
        return merged.last_rank if merged.symbols == [token] else None

    def _has_bytes(self, character: str) -> bool:
        return (self.byte_ids or {}).keys() >= set(character.encode())

    def _unknown(self, text: str) -> list[Token]:
        return unknown_tokens(text, self.byte_ids or {}, self.unk_id) if text else []

    def start(self, pretoken: str) -> list[Token]:
        """Return the symbols of a pre-token, or the pre-token as one symbol if it is taken whole and not merged."""
        whole = self.ids.get(pretoken) if self.takes_whole else None
        if whole is None:
            return self.symbols(pretoken)
        with suppress(NoUnknownToken):
            symbols = self.symbols(pretoken)
            if merge_symbols([symbol.id for symbol in symbols], self.merges).symbols == [whole]:
                return symbols
        return [Token(whole, len(pretoken.encode()))]


def merge_with_dropout(model: RankedMerges, parts: Sequence[Part], dropout: float, rng: Random) -> list[int]:
    """Merge a normalized text, leaving each possible merge out at random (see `bpe.dropout`)."""
    ids: list[int] = []
    for text, special in parts:
        symbols = [symbol.id for symbol in model.start(text)] if special is None else [special]
        ids += dropout_of_bpe(symbols, model.merges, dropout, rng)
    return ids


def merge_columns(model: RankedMerges, parts: Sequence[Part], order: Order = "rank") -> tuple[ReplayColumns, Merges]:
    """Return the columns of the replay of a normalized text, given as its pre-tokens and special tokens.

    Byte offsets are those of its UTF-8.
    """
    starts = [model.start(text) if special is None else [Token(special, len(text.encode()))] for text, special in parts]
    row = [SEPARATOR]
    for symbols in starts:
        row += [*(symbol.id for symbol in symbols), SEPARATOR]
    merged = apply_merges(row, model.merges)
    is_symbol = np.array(row) != SEPARATOR
    firing_at = np.full(len(row), -1, np.int64)
    firing_at[merged.right] = np.arange(len(merged.right))
    lengths = [symbol.num_bytes for symbols in starts for symbol in symbols]
    columns = columns_of_firings(
        np.array(row, np.int32)[is_symbol],
        np.concatenate(([0], lengths)).cumsum(dtype=np.int32),
        np.repeat(np.arange(len(starts), dtype=np.int32), list(map(len, starts))),
        firing_at[is_symbol],
        merged,
        len(model.merges),
        order,
        in_order=bool((np.diff(merged.rank) >= 0).all()),
    )
    return columns, model.merges
