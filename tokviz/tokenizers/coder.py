"""Encoding and decoding, which all tokenizers share: special tokens, splitting, and columns of ids."""

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from tokviz.arrays import Int32Array
from tokviz.pretokens import splitting
from tokviz.pretokens.special_tokens import cut_out
from tokviz.sendable import Sendable
from tokviz.texts import repair
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.inputs import check_disallowed, listed

Vocabulary = Mapping[int, bytes]


class PreTokens(NamedTuple):
    """The pre-tokens of a text, and the ids of those that are special tokens, by pre-token index."""

    pieces: list[str]
    special_ids: dict[int, int]


class Coder(Sendable):
    """Encoding and decoding, given how ordinary text is encoded: special tokens are cut out, the rest is split."""

    name: str
    vocab: Vocabulary
    split_patterns: tuple[str, ...]
    special_tokens: Mapping[str, int]

    around: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    """The ids that `add_special` puts before and after a text for a model, such as `<s>` before it."""

    is_around_known: bool = True
    """False if no file says what a model gets around a text, so that `around` is only a usual choice."""

    @abstractmethod
    def _encode_ordinary(self, text: str) -> list[int]:
        """Return the token ids of a repaired text in which nothing is a special token."""

    @abstractmethod
    def _lengths(self, text: str, ids: Int32Array) -> Int32Array:
        """Return how many bytes of such a text each of its tokens covers (int32, one per token)."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}, vocabulary of {self.vocab_size:,}>"

    @cached_property
    def vocab_size(self) -> int:
        """The highest id + 1. Not every id below it has to be in use."""
        return max(self.vocab, default=-1) + 1

    def encode(
        self,
        text: str,
        allowed_special: Collection[str] = (),
        *,
        add_special: bool = False,
        disallowed_special: Collection[str] = (),
    ) -> list[int]:
        """Return the token ids of `text`; with `add_special`, between those that its file puts around a text.

        Special tokens are recognized only if `allowed_special` lists their texts, or is `"all"`; among those, the
        leftmost, then the longest. Otherwise they are text like any other, or, if `disallowed_special` lists them or is
        `"all"` (for all that are not allowed, as is tiktoken's default), a ValueError. A
        text in `allowed_special` that is no special token, and a character that the alphabet lacks, raise ValueError.
        """
        repaired, _ = repair(text)
        allowed = self._allowed(allowed_special)
        check_disallowed(repaired, disallowed_special, self.special_tokens, allowed)
        return self._encode_with_around(repaired, allowed) if add_special else self._encode(repaired, allowed)

    def _encode_with_around(self, text: str, allowed: frozenset[str]) -> list[int]:
        """Return the token ids of a repaired text, between those that its file puts around it."""
        return [*self.around[0], *self._encode(text, allowed), *self.around[1]]

    def tokenize(self, text: str, allowed_special: Collection[str] = (), *, add_special: bool = False) -> Tokenization:
        """Encode `text` like `encode`, with the position of every token in the text. What is put around covers none."""
        repaired, replaced = repair(text)
        allowed = self._allowed(allowed_special)
        before, after = (np.array(ids, np.int32) for ids in (self.around if add_special else ((), ())))
        ids: list[Int32Array] = [before]
        lengths: list[Int32Array | list[int]] = [np.zeros_like(before)]
        for segment, special, segment_ids in self._encode_segments(self._segments(repaired, allowed)):
            ids.append(np.array(segment_ids, np.int32))
            lengths.append([len(segment.encode())] if special is not None else self._lengths(segment, ids[-1]))
        offsets = np.concatenate(([0], *lengths, np.zeros_like(after))).cumsum(dtype=np.int32)
        return self._tokenization(repaired, replaced, allowed, np.concatenate([*ids, after]), offsets)

    def pretokens(self, text: str, allowed_special: Collection[str] = ()) -> list[str]:
        """Return the pieces that `text` is split into before anything is merged. Each special token is one."""
        return self._cut(repair(text)[0], self._allowed(allowed_special)).pieces

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """Return the joined bytes of the tokens `ids`. Raises ValueError for an id that is not in use."""
        return b"".join(self._token_bytes(ids))

    def _token_bytes(self, ids: Iterable[int]) -> list[bytes]:
        """Return the bytes of each token."""
        vocab = self.vocab
        ids = listed(ids, "ids", "token ids")
        try:
            return [vocab[token] for token in ids]
        except KeyError as error:
            raise ValueError(self._not_in_use(error.args[0])) from None

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of the tokens `ids`. Invalid UTF-8 becomes U+FFFD; `decode_bytes` keeps it."""
        return self.decode_bytes(ids).decode("utf-8", "replace")

    def knows(self, token: bytes, ends_word: bool = False) -> bool:
        """Return whether a token other than a special one has exactly these bytes.

        If there is an end-of-word mark, `ends_word` asks for a token that ends in it, otherwise for one without.
        """
        return not ends_word and token in self._ids_of_bytes

    @cached_property
    def _special_ids(self) -> frozenset[int]:
        return frozenset(self.special_tokens.values())

    @cached_property
    def _ids_of_bytes(self) -> dict[bytes, int]:
        return {data: token for token, data in self.vocab.items() if token not in self._special_ids}

    def _id_of_bytes(self, data: bytes) -> int | None:
        """Return the id of the last token other than a special one that has exactly these bytes; None without one."""
        return self._ids_of_bytes.get(data)

    def _not_in_use(self, token: object) -> str:
        holes = self.vocab_size - len(self.vocab)
        ids = f"the ids of {self.name} go from {min(self.vocab, default=0)} to {self.vocab_size - 1}"
        return f"token id {token!r} is not in use: {ids}" + (f", with {holes:,} holes between them" if holes else "")

    def _split(self, text: str) -> list[str]:
        """Split ordinary text into pre-tokens."""
        return self._split_all([text])[0]

    def _split_all(self, segments: list[str]) -> list[list[str]]:
        """Split stretches of ordinary text into pre-tokens, all at once, since each call of a matcher may be costly."""
        cut = [[segment] if segment else [] for segment in segments]
        for pattern in self.split_patterns:
            parts = iter(splitting.split_all([piece for pieces in cut for piece in pieces], pattern))
            cut = [[part for _ in pieces for part in next(parts)] for pieces in cut]
        return cut

    def _encode_all(self, segments: list[str]) -> list[list[int]]:
        """Return the token ids of stretches of ordinary text."""
        return [self._encode_ordinary(segment) for segment in segments]

    def _check(self, text: str, place: int) -> None:
        """Raise ValueError if ordinary text, which begins at `place`, has a character that can't be encoded."""

    def _encode_segments(
        self, segments: Iterable[tuple[str, int | None]]
    ) -> Iterator[tuple[str, int | None, list[int]]]:
        """Yield segments with their token ids."""
        all_segments = list(segments)
        ordinary = iter(self._encode_all([segment for segment, special in all_segments if special is None]))
        for segment, special in all_segments:
            yield segment, special, next(ordinary) if special is None else [special]

    def _allowed(self, allowed_special: Collection[str]) -> frozenset[str]:
        """Check `allowed_special`."""
        if isinstance(allowed_special, str):
            if allowed_special == "all":
                return frozenset(self.special_tokens)
            raise TypeError(
                f'allowed_special must be "all" or a set of special tokens; for one, write {{{allowed_special!r}}}'
            )
        allowed = frozenset(allowed_special)
        unknown = sorted(map(str, allowed - self.special_tokens.keys()))
        if unknown:
            known = ", ".join(list(self.special_tokens)[:20]) or "none"
            raise ValueError(f"{self.name} has no special token {', '.join(unknown)}; it has: {known}")
        return allowed

    def _segments(self, text: str, allowed: frozenset[str], place: int = 0) -> Iterator[tuple[str, int | None]]:
        """Yield the stretches of ordinary text (with None) and the special tokens (with their ids) in `text`.

        `place` is where `text` begins in a longer text.
        """
        for index, segment in enumerate(cut_out(text, allowed) if allowed else [text]):
            special = self.special_tokens[segment] if index % 2 else None
            if special is None:
                self._check(segment, place)
            if segment or not allowed:
                yield segment, special
            place += len(segment)

    def _encode(self, text: str, allowed: frozenset[str]) -> list[int]:
        return self._encode_stretch(allowed, text, 0)

    def _encode_stretch(self, allowed: frozenset[str], text: str, place: int) -> list[int]:
        """Return the ids of a repaired text that begins at `place` in a longer text."""
        ids: list[int] = []
        for _, _, segment_ids in self._encode_segments(self._segments(text, allowed, place)):
            ids += segment_ids
        return ids

    def _encode_column(self, text: str, allowed: frozenset[str]) -> Int32Array:
        """Return the ids of a repaired text as a column."""
        return np.array(self._encode(text, allowed), np.int32)

    def _cut(self, text: str, allowed: frozenset[str]) -> PreTokens:
        pieces: list[str] = []
        special_ids: dict[int, int] = {}
        segments = list(self._segments(text, allowed))
        cut = iter(self._split_all([segment for segment, special in segments if special is None]))
        for segment, special in segments:
            if special is None:
                pieces += next(cut)
            else:
                special_ids[len(pieces)] = special
                pieces.append(segment)
        return PreTokens(pieces, special_ids)

    def _tokenization(
        self,
        text: str,
        replaced: int,
        allowed: frozenset[str],
        ids: Int32Array,
        byte_offsets: Int32Array,
        pretoken_index: Int32Array | None = None,
    ) -> Tokenization:
        """Return a Tokenization. Unless `pretoken_index` is given, byte offsets determine each token's pre-token."""
        return Tokenization(
            text,
            ids,
            byte_offsets,
            replaced=replaced,
            special_ids=frozenset(self.special_tokens.values()),
            pretokens=partial(self.pretokens, text, allowed) if pretoken_index is None else pretoken_index,
            bytes_of=self._text_bytes,
        )

    def _text_bytes(self, token: int) -> bytes:
        """Return the bytes of a text that a token stands for."""
        return self.vocab[token]
