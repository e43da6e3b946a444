"""The simplest tokenizers, over code points, bytes and words, to compare subword tokenizers with."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property, partial

import numpy as np

from tokviz.arrays import Int32Array
from tokviz.pretokens import splitting
from tokviz.pretokens.safe_cuts import SAFE_TO_CUT, last_cut
from tokviz.texts import repair
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.inputs import check_whole_number, listed
from tokviz.tokenizers.stream import SafeCut
from tokviz.tokenizers.unstable_tail import Healed, UnstableTail


class _CodePoints(Mapping[int, bytes]):
    """Mapping of every code point to its UTF-8, without surrogates, which have none."""

    def __getitem__(self, token: int) -> bytes:
        if isinstance(token, int | np.integer) and 0 <= token < 0x110000 and not 0xD800 <= token < 0xE000:
            return chr(token).encode()
        raise KeyError(token)

    def __iter__(self) -> Iterator[int]:
        yield from range(0xD800)
        yield from range(0xE000, 0x110000)

    def __len__(self) -> int:
        return 0x110000 - 0x800


class UnitTokenizer(Tokenizer):
    """A token for each unit of a text, whatever is around it."""

    cuts_at_spaces = True

    @property
    def _safe_cut(self) -> SafeCut:
        return len

    def unstable_tail(
        self, text: str, allowed_special: Collection[str] = (), *, max_seconds: float | None = None
    ) -> UnstableTail:
        """Return that no token changes if text follows."""
        self.encode(text, allowed_special)
        return UnstableTail(0, "")

    def heal(self, prefix: str, allowed_special: Collection[str] = ()) -> Healed:
        """Return all ids of `prefix`, after which any token can come."""
        return Healed(self.encode(prefix, allowed_special), b"", list(self.vocab))

    def segmentations(self, text: str, n: int, allowed_special: Collection[str] = ()) -> list[list[int]]:
        """Return the one way to put `text` together, unless `n` is 0."""
        return [self.encode(text, allowed_special)][: check_whole_number(n, "n")]


class CharacterTokenizer(UnitTokenizer):
    """One token per code point; its id is the code point."""

    units = "characters"

    def __init__(self) -> None:
        self.name = "Code points"
        self.vocab = _CodePoints()
        self.split_patterns = ()
        self.special_tokens = {}

    @cached_property
    def vocab_size(self) -> int:
        """One more than the highest code point."""
        return 0x110000

    def knows(self, token: bytes, ends_word: bool = False) -> bool:
        """Return whether the bytes are one code point."""
        return not ends_word and self._id_of_bytes(token) is not None

    def _id_of_bytes(self, data: bytes) -> int | None:
        character = data.decode("utf-8", "ignore")
        return ord(character) if len(character) == 1 and character.encode() == data else None

    def _encode_ordinary(self, text: str) -> list[int]:
        return list(map(ord, text))

    def _lengths(self, text: str, ids: Int32Array) -> Int32Array:
        return 1 + (ids >= 0x80).astype(np.int32) + (ids >= 0x800) + (ids >= 0x10000)


class ByteTokenizer(UnitTokenizer):
    """One token per byte of the text's UTF-8; its id is the byte's value."""

    def __init__(self) -> None:
        self.name = "Bytes"
        self.vocab = {value: bytes([value]) for value in range(256)}
        self.split_patterns = ()
        self.special_tokens = {}

    def _encode_ordinary(self, text: str) -> list[int]:
        return list(text.encode())

    def _lengths(self, text: str, ids: Int32Array) -> Int32Array:
        return np.ones(len(ids), np.int32)


class WordTokenizer(Tokenizer):
    """One token per word of a fixed list; any other word becomes `<unk>`, and is lost.

    `<unk>` covers the bytes of the word it stands for, so tokens still tile the text. This is the only lossy tokenizer:
    decoding returns `<unk>`.
    """

    UNKNOWN = "<unk>"
    units = "words"

    def __init__(self, words: Iterable[str], pattern: splitting.SplitPattern = "words", name: str = "Words") -> None:
        words = listed(words, "words", "texts")
        pattern_text = splitting.resolve(pattern)
        if pattern_text is None:
            raise ValueError("a word tokenizer needs a pattern that says what a word is")
        self.name = name
        self.split_patterns = (pattern_text,)
        self._ids = {word: number for number, word in enumerate(dict.fromkeys(repair(word)[0] for word in words))}
        self._unknown = len(self._ids)
        self.special_tokens = {self.UNKNOWN: self._unknown}
        self.vocab = {number: word.encode() for word, number in self._ids.items()}
        self.vocab[self._unknown] = self.UNKNOWN.encode()

    @classmethod
    def from_text(cls, text: str, pattern: splitting.SplitPattern = "words") -> "WordTokenizer":
        """Build a tokenizer of the words of `text`, split by `pattern` (given as in `train`).

        Ids follow the words' first occurrence; the last id is `<unk>`.
        """
        return cls(splitting.split(repair(text)[0], splitting.resolve(pattern)), pattern)

    @property
    def _safe_cut(self) -> SafeCut | None:
        return partial(last_cut, pattern=self.split_patterns[0]) if self.split_pattern in SAFE_TO_CUT else None

    def _encode_ordinary(self, text: str) -> list[int]:
        return [self._ids.get(word, self._unknown) for word in self._split(text)]

    def _lengths(self, text: str, ids: Int32Array) -> Int32Array:
        return np.array([len(word.encode()) for word in self._split(text)], np.int32)
