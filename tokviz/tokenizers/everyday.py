"""Everyday work with a tokenizer: many texts, long texts, parts of a given size, and positions."""

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator
from functools import partial

import numpy as np

from tokviz.arrays import Int32Array
from tokviz.texts import parts_of, repair
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.batch import Batch, in_threads
from tokviz.tokenizers.canonical import Canonical, canonical_of, text_of
from tokviz.tokenizers.inputs import listed
from tokviz.tokenizers.offsets import Offsets, offsets_of
from tokviz.tokenizers.stream import SafeCut, encoded_parts
from tokviz.tokenizers.tiktoken_names import TiktokenNames
from tokviz.tokenizers.windows import Cutter, Side, Window, check_number, check_side


class EverydayWork(TiktokenNames):
    """Mixin of a tokenizer: what follows from its encoding and decoding of one text."""

    @abstractmethod
    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of the tokens `ids`."""

    @abstractmethod
    def tokenize(self, text: str, allowed_special: Collection[str] = (), *, add_special: bool = False) -> Tokenization:
        """Encode `text` with the position of every token in it."""

    @abstractmethod
    def _allowed(self, allowed_special: Collection[str]) -> frozenset[str]:
        """Check `allowed_special`."""

    @abstractmethod
    def _encode_column(self, text: str, allowed: frozenset[str]) -> Int32Array:
        """Return the ids of a repaired text as a column."""

    @abstractmethod
    def _encode_stretch(self, allowed: frozenset[str], text: str, place: int) -> list[int]:
        """Return the ids of a repaired text that begins at `place` in a longer text."""

    def _unmarked_bytes(self, ids: Iterable[int]) -> list[bytes]:
        """Return the bytes of tokens, without the marks of a word's inside and end."""
        return self._token_bytes(ids)

    @property
    @abstractmethod
    def _safe_cut(self) -> SafeCut | None:
        """The rule for cutting ordinary text before all of it is there; None if none is known."""

    _cut_is_in_ordinary_text = True
    """Whether `_safe_cut` must be asked about the text between special tokens; else it knows about these itself."""

    _why_uncut = "with its split pattern, or without one,"
    """Why there is no safe place to cut a text."""

    def encode_batch(
        self, texts: Iterable[str], workers: int | None = None, allowed_special: Collection[str] = ()
    ) -> Batch:
        """Encode several texts like `encode`, into one column of ids with offsets (see `Batch`).

        The texts are encoded by `workers` threads; None means one for each processor core. This is faster only for
        tokenizers that tiktoken encodes; for others, `pool.map(tok.encode, texts)` with a pool of processes is.
        """
        allowed = self._allowed(allowed_special)
        repaired = [repair(text)[0] for text in listed(texts, "texts", "texts")]
        return Batch.of(list(in_threads(lambda text: self._encode_column(text, allowed), repaired, workers)))

    def encode_iter(self, text: Iterable[str], allowed_special: Collection[str] = ()) -> Iterator[int]:
        """Yield the ids that `encode` gives for a text that need not fit into memory.

        `text` is an open file, or an iterable of the text's parts, such as lines with their line ends, which are
        encoded as one text. Memory is needed for some parts and for the longest pre-token, whatever the text's length.
        Raises ValueError for a tokenizer that may need the whole text before it can encode any of it.
        """
        cut, allowed = self._safe_cut, self._allowed(allowed_special)
        if cut is None:
            raise ValueError(
                f"{self.name} can't encode a text in parts: {self._why_uncut} what follows may change any token. Read "
                "the whole text, and use encode"
            )
        specials = allowed if self._cut_is_in_ordinary_text else ()
        return encoded_parts(parts_of(text), specials, cut, partial(self._encode_stretch, allowed))

    def decode_batch(self, batch: Iterable[Iterable[int]], workers: int | None = None) -> list[str]:
        """Decode the ids of each of several texts like `decode`, in `workers` threads (see `encode_batch`)."""
        several = [each.tolist() if isinstance(each, np.ndarray) else list(each) for each in batch]
        return list(in_threads(self.decode, several, workers))

    def offsets(self, ids: Iterable[int]) -> Offsets:
        """Return where each of the tokens `ids` is in the text they decode to, in bytes and in code points.

        Raises ValueError if that text is not the tokens one after another, as where `decode` puts spaces between words.
        """
        return offsets_of(self._decoded_parts(ids))

    def _decoded_parts(self, ids: Iterable[int]) -> list[bytes]:
        """Return what each token is in the bytes that the tokens decode to. Raises ValueError if that can't be told."""
        return self._token_bytes(ids)

    def truncate(self, text: str, max_tokens: int, side: Side = "right", allowed_special: Collection[str] = ()) -> str:
        """Return the longest part of `text` that takes at most `max_tokens` tokens by itself, without the other end.

        `side` is the side that is cut off: "right", the end, or "left", the beginning. The cut is between two tokens of
        the whole text, and never within a character (a grapheme cluster).
        """
        check_side(side)
        check_number(max_tokens, "max_tokens", 0)
        return self._cutter(text, allowed_special).truncated(max_tokens, side)

    def windows(self, text: str, size: int, overlap: int = 0, allowed_special: Collection[str] = ()) -> list[Window]:
        """Return parts of `text` of at most `size` tokens by themselves, which together are the whole.

        Each part but the first begins with at most `overlap` tokens of the one before. They are cut as `truncate` cuts;
        each is as long as it can be. Raises ValueError for a character that takes more than `size` tokens.
        """
        check_number(size, "size", 1)
        check_number(overlap, "overlap", 0)
        if overlap >= size:
            raise ValueError(f"overlap must be less than size, which is {size}, not {overlap}")
        return list(self._cutter(text, allowed_special).windows(size, overlap))

    def canonical(self, ids: Iterable[int]) -> Canonical:
        """Return what encoding the text of the tokens `ids` gives, and where `ids` deviate from it (see `Canonical`).

        Special tokens stay as they are; the text between two of them is encoded by itself. Raises ValueError for bytes
        that are not UTF-8, which no text has, and where `decode` changes so much that their text can't be told.
        """
        numbers = [int(token) for token in listed(ids, "ids", "token ids")]
        self._token_bytes(numbers)  # is a ValueError for an id that is not in use
        return canonical_of(numbers, frozenset(self.special_tokens.values()), self._encoded_again, self._unmarked_bytes)

    def _encoded_again(self, ids: list[int], place: int) -> list[int]:
        """Return what encoding the text of ordinary ids gives, the first of which is at `place`."""
        return self.encode(text_of(self._token_bytes(ids), place))

    def _cutter(self, text: str, allowed_special: Collection[str]) -> Cutter:
        allowed = self._allowed(allowed_special)
        return Cutter(self.tokenize(text, allowed), lambda part: len(self._encode_column(part, allowed)))
