"""The merges of a vocabulary: by which merge each token is made, of which two tokens, and which are never made."""

from functools import cached_property
from itertools import islice

from tokviz.bpe.alphabet import SEPARATOR, Alphabet, Units
from tokviz.bpe.merging import (
    Merges,
    Pair,
    ending_in,
    joins_across,
    merge_symbols,
    merged_tokens,
    recover_merges,
    recover_parents,
)
from tokviz.tokenizers.base import Tokenizer

_LONG = 1_000
"""Bytes of a token above which it is not merged symbol by symbol to find out how it is made."""


class MergingTokenizer(Tokenizer):
    """A tokenizer whose tokens are symbols of an alphabet, made by merges of other tokens, or special.

    A subclass sets the attributes: `_merges` are the merges given, or None if they follow from the vocabulary, and
    `_recovered` those that were recovered from it before; `_well_made` and `training` as in `BPETokenizer`.
    """

    merges_here = True
    merges_pieces = True
    algorithm = "bpe"

    alphabet: Alphabet
    _merges: dict[Pair, int] | None
    _recovered: dict[Pair, int] | None
    _well_made: bool

    @property
    def units(self) -> Units:
        """The kind of symbols that merging starts from."""
        return self.alphabet.units

    @property
    def _apart(self) -> set[int]:
        """Ids used only by special tokens."""
        return set(self.special_tokens.values()) - set((self._merges or {}).values())

    @cached_property
    def merges(self) -> dict[Pair, int]:
        """(left id, right id) -> new id, in rank order."""
        if self._merges is not None:
            return self._merges
        return recover_merges(self._ids_of_bytes) if self._recovered is None else self._recovered

    def first_merges(self, num_merges: int) -> dict[Pair, int]:
        """Return the `num_merges` merges of lowest rank."""
        if self._merges_are_plain and self._recovered is None and "merges" not in self.__dict__:
            return recover_merges(self._ids_of_bytes, num_merges)  # all merges of a large vocabulary take seconds
        return dict(islice(self.merges.items(), num_merges))

    @cached_property
    def num_merges(self) -> int:
        """The number of merges."""
        return len(self.merge_results)

    @cached_property
    def merge_results(self) -> list[int]:
        """The id of the token that each merge makes, by rank. Several merges may make the same token."""
        if self._merges_are_plain:
            return [self._ids_of_bytes[token] for token in merged_tokens(self._ids_of_bytes)]
        return list(self.merges.values())

    @property
    def _merges_are_plain(self) -> bool:
        """Whether each token of more than one byte is known to have a merge, without recovering the merges."""
        return self._merges is None and self._well_made

    @cached_property
    def in_order(self) -> bool:
        """Whether each merge that ever fires joins only symbols of the alphabet, or tokens that lower ranks make.

        Then encoding with the first k merges gives the state of a text after k ranks. This holds for all tokenizers
        that `train` makes, for all shipped ones, and for files that list every pair of tokens that another token can be
        split into, as Llama 3's does: of these pairs only one is ever joined.
        """
        if self._merges_are_plain or self._merge_columns.in_order:
            return True
        ranks = self.ranks
        return all(ranks.get(part, -1) < rank for rank in ranks.values() for part in self._pairs[rank])

    @cached_property
    def _merge_columns(self) -> Merges:
        return Merges.from_dict(self.merges)

    def ends_word(self, token: int) -> bool:
        """Return whether the token ends in the end-of-word mark."""
        return token in self._ids_with_mark

    def knows(self, token: bytes, ends_word: bool = False) -> bool:
        """Return whether a token has exactly these bytes, and ends in the mark or not, as `ends_word` says."""
        if not self.alphabet.ends_words:
            return super().knows(token, ends_word)
        return token in (self._bytes_with_mark if ends_word else self._bytes_without_mark)

    @cached_property
    def _ids_with_mark(self) -> frozenset[int]:
        """The ids of the symbols with the mark and of the tokens that merges make with them at the end."""
        return ending_in(self.alphabet.endings, self.merges) if self.alphabet.ends_words else frozenset()

    @cached_property
    def _bytes_with_mark(self) -> frozenset[bytes]:
        return frozenset(self.vocab[token] for token in self._ids_with_mark)

    @cached_property
    def _bytes_without_mark(self) -> frozenset[bytes]:
        excluded = self._ids_with_mark | self._apart
        return frozenset(data for token, data in self.vocab.items() if token not in excluded)

    @cached_property
    def _ids_of_bytes(self) -> dict[bytes, int]:
        excluded = self._apart
        return {data: token for token, data in self.vocab.items() if token not in excluded}

    @property
    def ordinary_ids(self) -> set[int]:
        """The ids not used only by special tokens. Of several tokens with the same bytes, only the last."""
        return set(self._ids_of_bytes.values())

    # A vocabulary may list several merges that make one token. Only one of them ever fires: until the token is made, no
    # merge crosses its boundaries, so its symbols are merged as if they stood alone, in any text. Merging the token's
    # symbols alone therefore also shows whether merging makes it at all.

    @cached_property
    def ranks(self) -> dict[int, int]:
        """The rank of the merge that makes a token, by its id, for every token that merging makes."""
        if self._each_merge_fires:
            return {token: rank for rank, token in reversed(list(enumerate(self.merge_results)))}
        found = ((token, self._find_rank(token)) for token in sorted(set(self.merge_results)))
        return {token: rank for token, rank in found if rank is not None}

    def rank(self, token: int) -> int | None:
        """Return the rank of the merge that makes a token, one entry of `ranks`; None if merging never makes it."""
        if self._each_merge_fires or "ranks" in self.__dict__:
            return self.ranks.get(token)
        if token not in self._found_ranks:
            self._found_ranks[token] = self._find_rank(token)
        return self._found_ranks[token]

    def parents(self, token: int) -> Pair | tuple[()]:
        """Return the ids of the two tokens that the merge of rank `rank(token)` joins; () if merging never makes it."""
        rank = self.rank(token)
        if rank is None:
            return ()
        if self._merges_are_plain:  # one at a time: recovering all merges of a large vocabulary takes seconds
            return recover_parents(self.vocab[token], self._ids_of_bytes) or ()
        return self._pairs[rank]

    def merge_alone(self, token: int) -> tuple[int, ...]:
        """Return the ids that result from merging a token's own symbols: the token itself if merging makes it.

        Special tokens are not merged, and are returned as they are. Raises ValueError for an id that is not in use.
        """
        if token not in self.vocab:
            raise ValueError(self._not_in_use(token))
        symbols = self._symbols_of(token)
        if token in self._apart or symbols is None or self._merges_are_plain:
            return (token,)
        return tuple(merge_symbols(symbols, self._merge_columns).symbols)

    def merges_to(self, token: bytes) -> bool:
        """Return whether the token with these bytes is a symbol of the alphabet or made by merging."""
        token_id = self._ids_of_bytes.get(token)
        return token_id is not None and (token_id in self.alphabet.ids.values() or self.rank(token_id) is not None)

    @cached_property
    def _each_merge_fires(self) -> bool:
        """Whether each merge is known to make its token: it was recovered from that token, or learned from a text."""
        return self._merges is None or (self.training is not None and not self.training.num_known)

    @cached_property
    def _found_ranks(self) -> dict[int, int | None]:
        """Cache of `rank`."""
        return {}

    def _find_rank(self, token: int) -> int | None:
        """Return the rank of the merge that fires last when a token's symbols are merged, if they become that token."""
        if len(self.vocab[token]) > _LONG and self._ranks_of_long is not None:
            return self._ranks_of_long.get(token)
        symbols = self._symbols_of(token)
        if symbols is None:
            return None
        merged = merge_symbols(symbols, self._merge_columns)
        return merged.last_rank if merged.symbols == [token] else None

    @cached_property
    def _ranks_of_long(self) -> dict[int, int] | None:
        """The ranks of tokens too long to be merged one by one; None unless one merge makes each, after its parts.

        Each is made if both of its parts are, and nothing joins across their border before.
        """
        merges = self._merge_columns
        rank_of_new = {new: rank for rank, new in enumerate(merges.new_ids)}
        if not merges.in_order or len(rank_of_new) < len(merges):
            return None
        found: dict[int, int] = {}
        symbols = set(self.alphabet.symbols)

        def is_made(part: int) -> bool:
            if len(self.vocab[part]) > _LONG:
                return part in found
            return part in symbols or self._find_rank(part) is not None

        for (left, right), rank in merges.rank.items():
            new = merges.new_ids[rank]
            is_long = len(self.vocab[new]) > _LONG
            if is_long and is_made(left) and is_made(right) and not joins_across(left, right, merges, rank_of_new):
                found[new] = rank
        return found

    def _symbols_of(self, token: int) -> list[int] | None:
        """Return the symbols that a token is merged from; None if the alphabet lacks one."""
        symbols = self.alphabet.symbols_of(self.vocab[token], self.ends_word(token))
        return None if SEPARATOR in symbols else symbols

    @cached_property
    def _pairs(self) -> list[Pair]:
        return list(self.merges)
