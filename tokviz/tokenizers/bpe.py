"""Byte pair encoding as a tokenizer: `BPETokenizer`, how it encodes, and how its tokens come about."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property, partial
from typing import Any

import numpy as np

from tokviz.arrays import Int32Array
from tokviz.bpe import splitting
from tokviz.bpe.alphabet import SEPARATOR, Alphabet, Units
from tokviz.bpe.merging import (
    GONE,
    Merges,
    Pair,
    apply_merges,
    ending_in,
    merge_symbols,
    merged_tokens,
    recover_merges,
    recover_parents,
)
from tokviz.bpe.replay import ORDERS, Order, Replay, replay_pretokens
from tokviz.texts import repair
from tokviz.tokenizers.base import Tokenizer, check_special_ids
from tokviz.tokenizers.engines.tiktoken import TiktokenEngine, TiktokenGaveUp, find_ranks
from tokviz.tokenizers.history import Training
from tokviz.tokenizers.tree import MergeTree, grow_tree


class BPETokenizer(Tokenizer):
    """Byte pair encoding: cuts a text into pre-tokens, and merges in each of them what was learned to be merged.

    `vocab` maps ids to bytes; special tokens that it lacks are added to it. `merges` maps (left id, right id) to the id
    of the joined token, in rank order: the lowest rank is applied first. Without it (None), it is found from the
    vocabulary when first needed, taking ids as ranks, as in tiktoken's files.
    `units` are what the alphabet holds: the vocabulary's entries that are neither merged nor special. `end_of_word` is
    the label of the end-of-word mark (the symbol without bytes), None where there is none. `training` is the history
    of a tokenizer that `train` made, else None. With `ignore_merges`, a pre-token that is in the vocabulary is that
    token, whatever the merges would make of it. `well_made` vouches for a vocabulary without merges: each of its tokens
    comes about by joining tokens of lower ids, as in all that OpenAI has published. Where nobody does, it is found out
    when it matters, which takes seconds for a large one. `unapplied` is what a file says that takes no part in
    encoding, by name, such as Hugging Face's `post_processor`; it is kept for files that are written. `load` gives this
    tokenizer in any process, so that a pickle need not hold it; it must be a function that can be pickled.
    """

    def __init__(
        self,
        name: str,
        vocab: Mapping[int, bytes],
        merges: Mapping[Pair, int] | None = None,
        *,
        split_pattern: splitting.SplitPattern = None,
        special_tokens: Mapping[str, int] | None = None,
        units: Units = "bytes",
        end_of_word: str | None = None,
        training: Training | None = None,
        ignore_merges: bool = False,
        well_made: bool = False,
        unapplied: Mapping[str, Any] | None = None,
        load: "Callable[[], BPETokenizer] | None" = None,
    ) -> None:
        self.name = name
        self.split_patterns = splitting.as_patterns(split_pattern)
        self.special_tokens = check_special_ids(special_tokens or {})
        self.vocab = _with_special_tokens(vocab, self.special_tokens)
        self.end_of_word = end_of_word
        self.training = training
        self.ignore_merges = ignore_merges
        self._well_made = well_made
        self.unapplied = dict(unapplied or {})
        self._load = load
        self._merges = None if merges is None else dict(merges)
        self.alphabet = self._find_alphabet(units)

    @property
    def _apart(self) -> set[int]:
        """The ids that ordinary text never comes to, because they stand for special tokens alone."""
        return set(self.special_tokens.values()) - set((self._merges or {}).values())

    def _find_alphabet(self, units: Units) -> Alphabet:
        """The alphabet is what is neither merged nor special."""
        made = self._apart.union((self._merges or {}).values())
        return Alphabet.of(units, {token: data for token, data in self.vocab.items() if token not in made})

    @property
    def cuts_at_spaces(self) -> bool:
        """See `Tokenizer.cuts_at_spaces`. An alphabet that lacks something names its place in the whole text."""
        return super().cuts_at_spaces and self.alphabet.has_all_bytes

    @cached_property
    def merges(self) -> dict[Pair, int]:
        """(left id, right id) -> new id, in rank order."""
        return recover_merges(self._ids_of_bytes) if self._merges is None else self._merges

    @cached_property
    def num_merges(self) -> int:
        """How many merges there are."""
        return len(self.merge_results)

    @cached_property
    def merge_results(self) -> list[int]:
        """The id of the token that each merge makes, by rank. Several merges may make the same token."""
        if self._merges_are_plain:
            return [self._ids_of_bytes[token] for token in merged_tokens(self._ids_of_bytes)]
        return list(self.merges.values())

    @property
    def _merges_are_plain(self) -> bool:
        """Whether it is known, without finding the merges, that there is one for each token of more than one byte."""
        return self._merges is None and self._well_made

    @cached_property
    def in_order(self) -> bool:
        """Whether each merge that ever fires joins what is there before it: the alphabet, or what lower ranks make.

        Then encoding with the first k merges gives what a text is after k ranks. It holds for all that `train` makes,
        for all shipped tokenizers, and for files that list every pair of tokens that another token can be cut into, as
        Llama 3's does: of these pairs only one is ever joined.
        """
        if self._merges_are_plain or self._merge_columns.in_order:
            return True
        ranks = self.ranks
        return all(ranks.get(part, -1) < rank for rank in ranks.values() for part in self._pairs[rank])

    @cached_property
    def _merge_columns(self) -> Merges:
        return Merges.from_dict(self.merges)

    def ends_word(self, token: int) -> bool:
        """Whether the token ends in the end-of-word mark."""
        return token in self._marked

    def knows(self, token: bytes, ends_word: bool = False) -> bool:
        """Whether a token has exactly these bytes, and ends in the mark or not, as `ends_word` says."""
        if self.alphabet.mark is None:
            return super().knows(token, ends_word)
        return token in (self._bytes_with_mark if ends_word else self._bytes_without_mark)

    @cached_property
    def _marked(self) -> frozenset[int]:
        """The mark, and what merges make with it."""
        return frozenset() if self.alphabet.mark is None else ending_in(self.alphabet.mark, self.merges)

    @cached_property
    def _bytes_with_mark(self) -> frozenset[bytes]:
        return frozenset(self.vocab[token] for token in self._marked)

    @cached_property
    def _bytes_without_mark(self) -> frozenset[bytes]:
        apart = self._marked | self._apart
        return frozenset(data for token, data in self.vocab.items() if token not in apart)

    @cached_property
    def _ids_of_bytes(self) -> dict[bytes, int]:
        apart = self._apart
        return {data: token for token, data in self.vocab.items() if token not in apart}

    @property
    def ordinary_ids(self) -> set[int]:
        """The ids that are no special tokens. Of several tokens of the same bytes, only the last."""
        return set(self._ids_of_bytes.values())

    @cached_property
    def takes_tokens_whole(self) -> bool:
        """Whether some pre-token becomes another token than its merges would make of it (see `ignore_merges`)."""
        texts_of_tokens = [data.decode("utf-8", "ignore") for data in self._ids_of_bytes if self.ignore_merges]
        return bool(self._never_merged(texts_of_tokens, {}))

    @cached_property
    def _byte_lengths(self) -> Int32Array:
        lengths = np.zeros(self.vocab_size, np.int32)
        lengths[list(self.vocab)] = [len(data) for data in self.vocab.values()]
        return lengths

    @cached_property
    def tiktoken_ranks(self) -> Mapping[bytes, int] | None:
        """The vocabulary as tiktoken wants it: bytes -> id, from which it encodes as this tokenizer does.

        None if there is none, because tiktoken begins with bytes, takes ids as ranks and joins whatever makes a token.
        """
        if self._merges is None or (self.training and self.alphabet.units == "bytes"):
            return self._ids_of_bytes
        return find_ranks(self.vocab, self._ids_of_bytes, self.alphabet.tokens, self._merges, whole=self.ignore_merges)

    @cached_property
    def _engine(self) -> TiktokenEngine | None:
        if not self.alphabet.has_all_bytes or self.tiktoken_ranks is None:
            return None
        return TiktokenEngine(self.tiktoken_ranks, self.split_pattern)

    def _split_all(self, segments: list[str]) -> list[list[str]]:
        cut = super()._split_all(segments)
        return cut if self.alphabet.mark is None else list(map(splitting.apart_from_space, cut))

    def _encode_ordinary(self, text: str) -> list[int]:
        # The engine is shared with tokenizers that `with_split_pattern` made: its own pattern need not be this one's.
        if self._engine and self._engine.pattern == self.split_pattern in splitting.TIKTOKEN_PATTERNS:
            with suppress(TiktokenGaveUp):
                return self._engine.encode_text(text)
        return self._encode_cut([self._split(text)])[0]

    def _encode_all(self, segments: list[str]) -> Iterable[list[int]]:
        if self.split_pattern in splitting.TIKTOKEN_PATTERNS:
            return super()._encode_all(segments)
        return self._encode_cut(self._split_all(segments))

    def _encode_cut(self, cut: list[list[str]]) -> list[list[int]]:
        """The ids of stretches of text, each in its pre-tokens."""
        ids_of = self._encode_pieces(list(dict.fromkeys(piece for pieces in cut for piece in pieces)))
        return [[token for piece in pieces for token in ids_of[piece]] for pieces in cut]

    def _lengths(self, text: str, ids: Int32Array) -> Int32Array:
        lengths: Int32Array = self._byte_lengths[ids]
        return lengths

    def _encode_pieces(self, pieces: list[str]) -> dict[str, list[int]]:
        """The ids of each of some distinct pre-tokens."""
        if self._engine:
            with suppress(TiktokenGaveUp):
                return {piece: self._engine.encode_piece(piece) for piece in pieces}
        return self._merge_pieces(pieces) | {piece: [token] for piece, token in self._taken_whole(pieces).items()}

    def _taken_whole(self, pieces: Collection[str]) -> dict[str, int]:
        """Those of some pre-tokens that are tokens as they stand, with their ids."""
        if not self.ignore_merges:
            return {}
        found = ((piece, self._ids_of_bytes.get(piece.encode())) for piece in pieces)
        return {piece: token for piece, token in found if token is not None}

    def _merge_pieces(self, pieces: list[str]) -> dict[str, list[int]]:
        """What the merges alone make of some distinct pre-tokens."""
        row = apply_merges(self.alphabet.row(pieces).tolist(), self._merge_columns).row
        row = row[row != GONE]
        separators = np.flatnonzero(row == SEPARATOR)
        ids = np.split(row, separators[1:])
        return {piece: its_ids[1:].tolist() for piece, its_ids in zip(pieces, ids, strict=False)}

    def _segments(self, text: str, allowed: frozenset[str]) -> Iterator[tuple[str, int | None]]:
        place = 0
        for segment, special in super()._segments(text, allowed):
            if special is None:
                self.alphabet.check(segment, place)
            place += len(segment)
            yield segment, special

    def replay(self, text: str, allowed_special: Collection[str] = (), order: Order = "rank") -> Replay:
        """The merging of `text`, as steps (see `Replay`).

        `order="rank"` applies each merge everywhere at once, the lowest rank first; `order="pretoken"` finishes one
        pre-token before it begins the next. Both end in what `encode` gives.
        """
        if order not in ORDERS:
            raise ValueError(f"order must be one of {', '.join(map(repr, ORDERS))}, not {order!r}")
        repaired, replaced = repair(text)
        allowed = self._allowed(allowed_special)
        pieces, special_ids = self._cut(repaired, allowed)
        return replay_pretokens(
            pieces,
            special_ids | self._never_merged(pieces, special_ids),
            self.alphabet,
            self._merge_columns,
            self._byte_lengths,
            order,
            self.in_order,
            partial(self._tokenization, repaired, replaced, allowed),
            partial(self._player, text, allowed, order),
        )

    def _player(self, text: str, allowed_special: Collection[str], order: Order) -> str:
        """What a notebook shows of a replay."""
        from tokviz.widgets.replays import notebook_player  # a look upwards: what is shown knows what it shows

        return notebook_player(self, text, allowed_special, order)

    def _never_merged(self, pieces: list[str], special_ids: Mapping[int, int]) -> dict[int, int]:
        """The pre-tokens, by number, that are tokens from the start, since merging would not make these of them."""
        ordinary = {number: piece for number, piece in enumerate(pieces) if number not in special_ids}
        whole = self._taken_whole(set(ordinary.values()))
        merged = self._merge_pieces(list(whole))
        unlike = {piece: token for piece, token in whole.items() if merged[piece] != [token]}
        return {number: unlike[piece] for number, piece in ordinary.items() if piece in unlike}

    def tree(self, token: int) -> MergeTree:
        """The token `token` and how merging its symbols makes it. Raises ValueError for an id that is not in use."""
        if token not in self.vocab:
            raise ValueError(self._not_in_use(token))
        return grow_tree(token, self.vocab, self.rank, self.parents)

    # A vocabulary may list several merges that make one token. Only one of them ever fires: as long as the token is not
    # made, nothing crosses its borders, so its symbols are merged as if they stood alone, in whatever text. So it is
    # also the token's own symbols that tell whether merging makes it at all.

    @cached_property
    def ranks(self) -> dict[int, int]:
        """The rank of the merge that makes a token, by its id, for every token that merging makes."""
        if self._each_merge_fires:
            return {token: rank for rank, token in reversed(list(enumerate(self.merge_results)))}
        found = ((token, self._find_fired(token)) for token in sorted(set(self.merge_results)))
        return {token: rank for token, rank in found if rank is not None}

    def rank(self, token: int) -> int | None:
        """The rank of the merge that makes a token; None where merging never makes it. One entry of `ranks`."""
        if self._each_merge_fires or "ranks" in self.__dict__:
            return self.ranks.get(token)
        if token not in self._fired:
            self._fired[token] = self._find_fired(token)
        return self._fired[token]

    def parents(self, token: int) -> Pair | tuple[()]:
        """The ids of the two tokens that the merge of rank `rank(token)` joins; none where merging never makes it."""
        rank = self.rank(token)
        if rank is None:
            return ()
        if self._merges_are_plain:  # one at a time: all merges of a large vocabulary take seconds to recover
            return recover_parents(self.vocab[token], self._ids_of_bytes) or ()
        return self._pairs[rank]

    def merge_alone(self, token: int) -> tuple[int, ...]:
        """The ids that merging a token's own symbols ends in: the token itself if merging makes it.

        Special tokens are not merged, and stand for themselves. Raises ValueError for an id that is not in use.
        """
        if token not in self.vocab:
            raise ValueError(self._not_in_use(token))
        symbols = self._symbols_of(token)
        if token in self._apart or symbols is None:
            return (token,)
        return tuple(merge_symbols(symbols, self._merge_columns).symbols)

    def merges_to(self, token: bytes) -> bool:
        """Whether merging comes to a token of these bytes: to a symbol of the alphabet, or what a merge makes."""
        number = self._ids_of_bytes.get(token)
        return number is not None and (number in self.alphabet.ids.values() or self.rank(number) is not None)

    @cached_property
    def _each_merge_fires(self) -> bool:
        """Whether each merge is known to make its token: it was recovered from that token, or learned from a text."""
        return self._merges is None or self.training is not None

    @cached_property
    def _fired(self) -> dict[int, int | None]:
        """What `rank` has found."""
        return {}

    def _find_fired(self, token: int) -> int | None:
        """The rank of the merge that fires last when a token's symbols are merged, if they end in that token."""
        symbols = self._symbols_of(token)
        if symbols is None:
            return None
        merged = merge_symbols(symbols, self._merge_columns)
        return merged.last_rank if merged.symbols == [token] else None

    def _symbols_of(self, token: int) -> list[int] | None:
        """The symbols that a token's bytes begin as; None if the alphabet lacks one."""
        data = self.vocab[token]
        units = data if self.alphabet.units == "bytes" else map(ord, data.decode())
        symbols = [self.alphabet.ids.get(unit, SEPARATOR) for unit in units]
        if self.alphabet.mark is not None and self.ends_word(token):
            symbols.append(self.alphabet.mark)
        return None if SEPARATOR in symbols else symbols

    @cached_property
    def _pairs(self) -> list[Pair]:
        return list(self.merges)

    def cut(self, num_merges: int) -> "BPETokenizer":
        """This tokenizer with only its first `num_merges` merges. Every id that is left means what it did."""
        if not 0 <= num_merges <= len(self.merges):
            raise ValueError(f"{self.name} has {len(self.merges)} merges; there is no cutting it at {num_merges}")
        merges = list(self.merges.items())
        kept = dict(merges[:num_merges])
        gone = {new for _, new in merges[num_merges:]} - set(kept.values())
        smaller = self._with(
            f"{self.name}, {num_merges} merges",
            {token: data for token, data in self.vocab.items() if token not in gone},
            None if self._merges is None else kept,
            self.training and self.training.first(num_merges),
        )
        vars(smaller)["merges"] = kept  # known already, so they need not be recovered from the vocabulary
        return smaller

    def _with(
        self, name: str, vocab: Mapping[int, bytes], merges: Mapping[Pair, int] | None, training: Training | None
    ) -> "BPETokenizer":
        """The same, but for these."""
        return BPETokenizer(
            *(name, vocab, merges),
            split_pattern=self.split_pattern,
            special_tokens=self.special_tokens,
            units=self.alphabet.units,
            end_of_word=self.end_of_word,
            training=training,
            ignore_merges=self.ignore_merges,
            unapplied=self.unapplied,
        )


def _with_special_tokens(vocab: Mapping[int, bytes], special_tokens: Mapping[str, int]) -> dict[int, bytes]:
    """A copy of the vocabulary with the special tokens in it. Of two texts with the same id, the first stands there."""
    complete = dict(vocab)
    for text, token in special_tokens.items():
        complete.setdefault(token, text.encode())
    return complete
