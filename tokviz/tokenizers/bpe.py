"""Byte pair encoding as a tokenizer: its encoding and replays, and the merges that make each token."""

import warnings
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from functools import cached_property, partial
from itertools import islice
from random import Random
from typing import Any

import numpy as np

from tokviz.arrays import Int32Array
from tokviz.bpe.alphabet import SEPARATOR, Alphabet, Units
from tokviz.bpe.dropout import check_dropout, merge_with_dropout
from tokviz.bpe.merge_replay import ORDERS, Order, replay_columns
from tokviz.bpe.merging import (
    GONE,
    Merges,
    Pair,
    apply_merges,
    ending_in,
    joins_across,
    merge_symbols,
    merged_tokens,
    recover_merges,
    recover_parents,
)
from tokviz.display import counted, quote
from tokviz.pretokens import splitting
from tokviz.pretokens.safe_cuts import SAFE_TO_CUT, all_cuts_at_spaces, last_cut
from tokviz.pretokens.special_tokens import cut_out
from tokviz.texts import repair
from tokviz.tokenizers import surgery
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.engines.bulk import Definition, of_ranks
from tokviz.tokenizers.engines.proof import VISIBLE
from tokviz.tokenizers.engines.tiktoken import TiktokenEngine, TiktokenGaveUp, find_ranks
from tokviz.tokenizers.history import Training
from tokviz.tokenizers.inputs import check_special_ids, check_whole_number
from tokviz.tokenizers.replay import Replay
from tokviz.tokenizers.segmentations import FittingTokens, check_length
from tokviz.tokenizers.stream import SafeCut, last_safe_cut
from tokviz.tokenizers.surrounding import surrounding
from tokviz.tokenizers.unstable_tail import ByteVocabulary, Healed, Search, UnstableTail
from tokviz.tokenizers.windows import SureCuts

_LONG = 1_000  # bytes of a token above which it is not merged symbol by symbol to find out how it is made


class BPETokenizer(Tokenizer):
    """Byte pair encoding: splits a text into pre-tokens, and applies the learned merges within each.

    `vocab` maps ids to bytes; special tokens that it lacks are added to it. `merges` maps (left id, right id) to the id
    of the joined token, in rank order: the lowest rank is applied first. If None, merges are recovered from the
    vocabulary when first needed, with ids as ranks, as in tiktoken's files.
    `units` are the elements of the alphabet, which is the vocabulary's entries that are neither merged nor special.
    `end_of_word` is the label of the end-of-word mark, if there is one: a symbol without bytes, or a second symbol for
    each character, with the mark glued to it (see `Alphabet.of`). `training` is the history of a tokenizer made by
    `train`. With `ignore_merges`, a pre-token that is in the vocabulary is that token, whatever the merges would make
    of it. `well_made` asserts, for a vocabulary without merges, that each of its tokens is made by joining tokens of
    lower ids, as in all that OpenAI has published; otherwise this is checked when it matters, which takes seconds for a
    large vocabulary. `unapplied` holds settings of a file that play no part in encoding, by name, such as Hugging
    Face's `post_processor`, to be written again. `load` is a function that can be pickled and returns this tokenizer in
    any process, so that a pickle need not contain it. `recovered` are merges recovered from the vocabulary before.
    """

    merges_here = True
    merges_pieces = True
    algorithm = "bpe"

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
        recovered: Mapping[Pair, int] | None = None,
    ) -> None:
        self.name = name
        self.split_patterns = splitting.as_patterns(split_pattern)
        self.special_tokens = check_special_ids(special_tokens or {})
        complete = dict(vocab)
        for text, token in self.special_tokens.items():  # of two texts with the same id, the first is used
            complete.setdefault(token, text.encode())
        self.vocab = complete
        self.end_of_word = end_of_word
        self.training = training
        self.ignore_merges = ignore_merges
        self._well_made = well_made
        self.unapplied = dict(unapplied or {})
        self._load = load
        self._merges, self._recovered = (None if each is None else dict(each) for each in (merges, recovered))
        made = self._apart.union((self._merges or {}).values())
        self.alphabet: Alphabet = Alphabet.of(
            units, {token: data for token, data in self.vocab.items() if token not in made}
        )

    @cached_property
    def around(self) -> tuple[tuple[int, ...], tuple[int, ...]]:  # type: ignore[override]
        """The ids that `add_special` puts before and after a text, as the file's `post_processor` says."""
        names = surrounding(self.unapplied.get("post_processor"))
        before, after = (tuple(self.special_tokens.get(name, -1) for name in side) for side in names)
        return (before, after) if min((*before, *after), default=0) >= 0 else ((), ())

    @property
    def cuts_at_spaces(self) -> bool:
        """See `Tokenizer.cuts_at_spaces`. False if the alphabet lacks bytes: errors name a place in the whole text."""
        return super().cuts_at_spaces and self.alphabet.has_all_bytes

    @property
    def _safe_cut(self) -> SafeCut | None:
        if self.split_pattern in SAFE_TO_CUT:
            return partial(last_cut, pattern=self.split_pattern)
        return self.alphabet.last_cut if not self.split_patterns and self.alphabet.ends_words else None

    def _sure_cuts(self, allowed: frozenset[str]) -> SureCuts | None:
        is_cut = self.split_pattern in SAFE_TO_CUT and self.split_pattern != splitting.PATTERNS["words"]
        # A special token with a space inside would be cut.
        return all_cuts_at_spaces if is_cut and not any(set(text[1:]) & {" ", "\t"} for text in allowed) else None

    @property
    def tokens_are_merged(self) -> bool:
        return not self.ignore_merges and not self.alphabet.ends_words

    @cached_property
    def takes_tokens_whole(self) -> bool:
        return self.ignore_merges and bool(
            self._unmerged_pretokens([data.decode("utf-8", "ignore") for data in self._ids_of_bytes], {})
        )

    @cached_property
    def _byte_lengths(self) -> Int32Array:
        lengths = np.zeros(self.vocab_size, np.int32)
        lengths[list(self.vocab)] = [len(data) for data in self.vocab.values()]
        return lengths

    @cached_property
    def tiktoken_ranks(self) -> Mapping[bytes, int] | None:
        """Bytes -> id with which tiktoken encodes as this tokenizer does; None if it can't.

        It starts from bytes, takes ids as ranks and joins any pair that makes a token.
        """
        if self._merges is None or (self.training and not self.training.num_known and self.alphabet.units == "bytes"):
            return self._ids_of_bytes
        return find_ranks(self.vocab, self._ids_of_bytes, self.alphabet.tokens, self._merges, whole=self.ignore_merges)

    @cached_property
    def _engine(self) -> TiktokenEngine | None:
        ranks = self.tiktoken_ranks if self.alphabet.has_all_bytes else None
        return None if ranks is None else TiktokenEngine(ranks, self.split_pattern)

    def _split_all(self, segments: list[str]) -> list[list[str]]:
        return list(map(self.alphabet.words, super()._split_all(segments)))

    def _encode_ordinary(self, text: str) -> list[int]:
        if self._engine and self._engine_splits:
            with suppress(TiktokenGaveUp):
                return self._engine.encode_text(text)
        return self._encode_split([self._split(text)])[0]

    @property
    def _engine_splits(self) -> bool:
        """Whether the engine encodes texts, and not only pre-tokens."""
        # The engine is shared with tokenizers made by `with_split_pattern`, so its pattern may not be this tokenizer's.
        pattern = self.split_pattern
        return pattern in splitting.TIKTOKEN_PATTERNS and self._engine is not None and self._engine.pattern == pattern

    @property
    def _library(self) -> str:  # type: ignore[override]
        return "tiktoken" if self._engine_splits else "tokviz"

    def _bulk_definition(self) -> Definition | None:
        return of_ranks(self.tiktoken_ranks or {}, self.split_pattern) if self._engine else None

    def _cut_probe(self) -> "BPETokenizer":
        return BPETokenizer("cuts", dict(enumerate(VISIBLE)), split_pattern=self.split_pattern)

    def _encode_column(self, text: str, allowed: frozenset[str]) -> Int32Array:
        if self._engine and self._engine_splits:
            with suppress(TiktokenGaveUp):
                columns = [
                    self._engine.encode_column(segment) if special is None else np.array([special], np.int32)
                    for segment, special in self._segments(text, allowed)
                ]
                return columns[0] if len(columns) == 1 else np.concatenate([np.zeros(0, np.int32), *columns])
        return super()._encode_column(text, allowed)

    def _encode_all(self, segments: list[str]) -> list[list[int]]:
        if self.split_pattern in splitting.TIKTOKEN_PATTERNS:
            return [self._encode_ordinary(segment) for segment in segments]
        return self._encode_split(self._split_all(segments))

    def _encode_split(self, cut: list[list[str]]) -> list[list[int]]:
        """Return the ids of stretches of text, each given as its pre-tokens."""
        ids_of = self._encode_pieces(list(dict.fromkeys(piece for pieces in cut for piece in pieces)))
        return [[token for piece in pieces for token in ids_of[piece]] for pieces in cut]

    def _lengths(self, text: str, ids: Int32Array) -> Int32Array:
        return self._byte_lengths[ids].astype(np.int32, copy=False)

    def _encode_pieces(self, pieces: list[str]) -> dict[str, list[int]]:
        """Return the ids of each of several distinct pre-tokens."""
        if self._engine:
            with suppress(TiktokenGaveUp):
                return {piece: self._engine.encode_piece(piece) for piece in pieces}
        return self._merge_pieces(pieces) | {piece: [token] for piece, token in self._whole_tokens(pieces).items()}

    def _whole_tokens(self, pieces: Collection[str]) -> dict[str, int]:
        """Return the pre-tokens that are tokens as a whole, with their ids; none without `ignore_merges`."""
        if not self.ignore_merges:
            return {}
        return {piece: self._ids_of_bytes[data] for piece in pieces if (data := piece.encode()) in self._ids_of_bytes}

    def _merge_pieces(self, pieces: list[str]) -> dict[str, list[int]]:
        """Return the ids that the merges alone make of each of several distinct pre-tokens."""
        row = apply_merges(self.alphabet.row(pieces).tolist(), self._merge_columns).row
        row = row[row != GONE]
        ids = np.split(row, np.flatnonzero(row == SEPARATOR)[1:])
        return {piece: piece_ids[1:].tolist() for piece, piece_ids in zip(pieces, ids, strict=False)}

    def _check(self, text: str, place: int) -> None:
        self.alphabet.check(text, place)

    def replay(self, text: str, allowed_special: Collection[str] = (), order: Order = "rank") -> Replay:
        """Replay the merging of `text` in steps (see `Replay`).

        `order="rank"` applies each merge everywhere at once, the lowest rank first; `order="pretoken"` finishes one
        pre-token before it starts the next. Both end with the result of `encode`.
        """
        if order not in ORDERS:
            raise ValueError(f"order must be one of {', '.join(map(repr, ORDERS))}, not {order!r}")
        repaired, replaced = repair(text)
        allowed = self._allowed(allowed_special)
        pieces, special_ids = self._cut(repaired, allowed)
        columns = replay_columns(
            pieces,
            special_ids | self._unmerged_pretokens(pieces, special_ids),
            self.alphabet,
            self._merge_columns,
            self._byte_lengths,
            order,
            self.in_order,
        )
        return Replay(self, repaired, replaced, allowed, order, columns, self._merge_columns)

    def sample(self, text: str, dropout: float, seed: int, allowed_special: Collection[str] = ()) -> list[int]:
        """Return ids of `text` with merges left out at random, by BPE-dropout (see `merge_with_dropout`).

        The same `seed` (a whole number) gives the same ids; with a `dropout` of 0, they are those of `encode`. What
        becomes a token without merging, as special tokens do, stays one.
        """
        probability, rng = check_dropout(dropout), Random(check_whole_number(seed, "seed"))
        repaired, allowed = repair(text)[0], self._allowed(allowed_special)
        if not probability:
            return self._encode(repaired, allowed)
        pieces, ids_of_pieces = self._cut(repaired, allowed)
        ids_of_pieces = ids_of_pieces | self._unmerged_pretokens(pieces, ids_of_pieces)
        ids: list[int] = []
        for index, piece in enumerate(pieces):
            if index in ids_of_pieces:
                ids.append(ids_of_pieces[index])
            else:
                symbols = self.alphabet.row([piece])[1:-1].tolist()
                ids += merge_with_dropout(symbols, self._merge_columns, probability, rng)
        return ids

    def segmentations(self, text: str, n: int, allowed_special: Collection[str] = ()) -> list[list[int]]:
        """Return the first `n` ways to put the pre-tokens of `text` together from tokens, whatever the merges; or all.

        Those of fewest tokens come first; of two with the same number, the one whose first token is longer, and if
        these are the same, whose second is, and so on. Raises ValueError for a text of more than 10,000 bytes, and for
        a tokenizer with an end-of-word mark.
        """
        if self.alphabet.ends_words:
            raise ValueError(f"{self.name} ends its words in a mark, which segmentations can't show")
        repaired, allowed = repair(text)[0], self._allowed(allowed_special)
        check_length(repaired)
        pieces, special_ids = self._cut(repaired, allowed)
        fitting = FittingTokens([piece.encode() for piece in pieces], self._ids_of_bytes, special_ids)
        return list(islice(fitting.segmentations(), check_whole_number(n, "n")))

    def unstable_tail(
        self, text: str, allowed_special: Collection[str] = (), *, max_seconds: float | None = None
    ) -> UnstableTail:
        """Return how many of the last tokens of `text` may change if text follows, and a text that changes them.

        All tokens before these stay, whatever follows. Raises ValueError for a tokenizer that isn't over all
        bytes, that tiktoken's ranks don't describe, or that has a split pattern without a name; and if finding the
        tokens takes more than `max_seconds` of a processor.
        """
        repaired, allowed = repair(text)[0], self._allowed(allowed_special)
        vocabulary = self._byte_vocabulary
        if vocabulary is None or not (self.split_pattern in SAFE_TO_CUT or not self.split_patterns):
            raise ValueError(
                f"it can't be told which tokens of {self.name} may change if text follows: this works only for byte "
                "pair encoding over all bytes, with a named split pattern or none"
            )
        start = last_safe_cut(repaired, allowed, self._safe_cut) if self._safe_cut else 0
        end = repaired[start:]
        plain = cut_out(end, allowed)[-1]
        encode = partial(self._encode, allowed=allowed)
        return Search(end, plain, allowed, encode, self._split, vocabulary, max_seconds).unstable_tail()

    def heal(self, prefix: str, allowed_special: Collection[str] = ()) -> Healed:
        """Return the ids of `prefix` that stay whatever follows, and what the next tokens must begin with.

        For a model that goes on from a prompt: given the ids of the whole prompt, it can't give the tokens that
        encoding the prompt and its continuation together would.
        """
        ids, allowed = self.encode(prefix, allowed_special), self._allowed(allowed_special)
        stable = len(ids) - self.unstable_tail(prefix, allowed_special).tokens
        rest = self.decode_bytes(ids[stable:])
        vocabulary = self._byte_vocabulary
        specials = {text: token for text, token in self.special_tokens.items() if text in allowed}
        return Healed(ids[:stable], rest, vocabulary.next_ids(rest, specials) if vocabulary else [])

    @cached_property
    def _byte_vocabulary(self) -> ByteVocabulary | None:
        """The tokens as tiktoken merges them, or None if it doesn't."""
        return None if self._engine is None or not self.tiktoken_ranks else ByteVocabulary(self.tiktoken_ranks)

    def _unmerged_pretokens(self, pieces: list[str], special_ids: Mapping[int, int]) -> dict[int, int]:
        """Return the ids, by index, of the pre-tokens that are tokens though merging would not make these."""
        if not self.ignore_merges:  # then the merges themselves, which may have to be recovered, aren't needed
            return {}
        ordinary = {index: piece for index, piece in enumerate(pieces) if index not in special_ids}
        whole = self._whole_tokens(set(ordinary.values()))
        merged = self._merge_pieces(list(whole))
        unmerged = {piece: token for piece, token in whole.items() if merged[piece] != [token]}
        return {index: unmerged[piece] for index, piece in ordinary.items() if piece in unmerged}

    # The table of merges: by which merge each token is made, of which two tokens, and which are never made

    @property
    def units(self) -> Units:
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
        return token in self._ids_with_mark

    def knows(self, token: bytes, ends_word: bool = False) -> bool:
        """Return whether a token has exactly these bytes, and ends in the mark or not, as `ends_word` says."""
        if not self.alphabet.ends_words:
            return super().knows(token, ends_word)
        return token in self._bytes_by_ending[ends_word]

    @cached_property
    def _ids_with_mark(self) -> frozenset[int]:
        """The ids of the symbols with the mark and of the tokens that merges make with them at the end."""
        return ending_in(self.alphabet.endings, self.merges) if self.alphabet.ends_words else frozenset()

    @cached_property
    def _bytes_by_ending(self) -> tuple[frozenset[bytes], ...]:
        """The bytes of the tokens without the mark, and of those that end in it."""
        without = self.vocab.keys() - self._ids_with_mark - self._apart
        return tuple(frozenset(self.vocab[token] for token in ids) for ids in (without, self._ids_with_mark))

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
        if self._each_merge_fires:
            return {token: rank for rank, token in reversed(list(enumerate(self.merge_results)))}
        tokens = sorted(set(self.merge_results))
        return {token: rank for token in tokens if (rank := self._find_rank(token)) is not None}

    def rank(self, token: int) -> int | None:
        if self._each_merge_fires or "ranks" in self.__dict__:
            return self.ranks.get(token)
        if token not in self._found_ranks:
            self._found_ranks[token] = self._find_rank(token)
        return self._found_ranks[token]

    def parents(self, token: int) -> Pair | tuple[()]:
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

    # Other tokenizers made from this one

    def cut(self, num_merges: int) -> "BPETokenizer":
        """Return this tokenizer with only its first `num_merges` merges. The remaining ids keep their meaning."""
        if not 0 <= num_merges <= self.num_merges:
            raise ValueError(f"{self.name} has {self.num_merges} merges; there is no cutting it at {num_merges}")
        kept = self.first_merges(num_merges)
        removed = set(self.merge_results[num_merges:]) - set(kept.values())
        are_recovered = self._merges is None
        return self._rebuilt(
            f"{self.name}, {counted('merge', num_merges)}",
            {token: data for token, data in self.vocab.items() if token not in removed},
            None if are_recovered else kept,
            self.special_tokens,
            training=self.training and self.training.first(len(kept)),
            recovered=kept if are_recovered else None,
        )

    def with_special_tokens(self, special_tokens: Mapping[str, int] | Iterable[str]) -> "BPETokenizer":
        """Return this tokenizer with further special tokens: texts with their ids, or texts that take the next ids.

        All other ids stay. Texts that are special tokens already keep theirs. Raises ValueError if an id is in use
        already, or such a text is given another.
        """
        tokens = surgery.new_special_tokens(self.vocab, self.special_tokens, special_tokens)
        if tokens == self.special_tokens:
            return self
        return self._rebuilt(self.name, self.vocab, self._merges, tokens, self.training, self._recovered)

    def without(self, ids: Iterable[int]) -> "BPETokenizer":
        """Return this tokenizer without the tokens `ids`. All others keep their ids, so there are holes.

        Merges that make a removed token or join it go as well, and then the tokens that no other merge makes, and so
        on; a UserWarning names these. They stay with `ignore_merges`, as pre-tokens that are taken whole. Raises
        ValueError for an id that is not in use, is a symbol of the alphabet, or is put around texts (see `around`).
        """
        stays_unmade = self.ignore_merges and self.alphabet.units == "bytes"
        kept = self.vocab if stays_unmade else {*self.special_tokens.values(), *self._apart}
        removal = surgery.plan_removal(self.vocab, self.merges, self.alphabet.symbols, ids, kept)
        if removal.unmade:
            warnings.warn(f"{self.name}: {removal}", stacklevel=2)
        gone = removal.removed | removal.unmade
        around = sorted(gone.intersection(self.around[0] + self.around[1]))
        if around:
            token = f"token {around[0]} ({quote(self.vocab[around[0]])})"
            raise ValueError(f"{token} can't be removed: it is put around texts for a model")
        return self._rebuilt(
            f"{self.name} without {counted('token', len(gone))}",
            {token: data for token, data in self.vocab.items() if token not in gone},
            {pair: new for pair, new in self.merges.items() if pair not in removal.merges},
            {text: token for text, token in self.special_tokens.items() if token not in gone},
        )

    def _rebuilt(
        self,
        name: str,
        vocab: Mapping[int, bytes],
        merges: Mapping[Pair, int] | None,
        special_tokens: Mapping[str, int],
        training: Training | None = None,
        recovered: Mapping[Pair, int] | None = None,
    ) -> "BPETokenizer":
        """Return a tokenizer that splits texts as this one does, with other tokens."""
        return BPETokenizer(
            name,
            vocab,
            merges,
            special_tokens=special_tokens,
            units=self.alphabet.units,
            end_of_word=self.end_of_word,
            training=training,
            ignore_merges=self.ignore_merges,
            well_made=self._well_made,
            unapplied=self.unapplied,
            recovered=recovered,
        )._changed(split_patterns=self.split_patterns, chat_files=dict(self.chat_files))
