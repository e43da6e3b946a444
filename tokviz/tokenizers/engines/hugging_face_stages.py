"""The stages of Hugging Face's library, one by one, on a text."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, pairwise
from typing import Any, Literal, NamedTuple

import numpy as np

from tokviz.arrays import Int32Array
from tokviz.bpe.byte_characters import unspell
from tokviz.tokenizers.engines.stages import SPACE, describe_change, describe_pre_tokenizer

Json = Mapping[str, Any]


class Piece(NamedTuple):
    """A part of a text: its characters from `start` to `end`, as the library spells it; `is_added` for added tokens."""

    text: str
    start: int
    end: int
    is_added: bool


class Characters(NamedTuple):
    """The characters of normalized pre-tokens, as columns: each stands for the text's from `start` to `end`.

    `words` are the indices of their pre-tokens. Columns, since an object for each character of a long text would keep
    garbage collection busy, which stops all threads.
    """

    texts: list[str]
    starts: Int32Array
    ends: Int32Array
    words: Int32Array


def _made(step: Json, sequence: type) -> Any:
    """Return a normalizer or pre-tokenizer of the library, whose class for several is given, for a step in a file."""
    made = sequence([])
    made.__setstate__(json.dumps(step).encode())
    return made


class Pipeline:
    """A text on its way through normalizers and pre-tokenizers.

    `added` are the places of the added tokens in it: start and end, in code points. They are left as they are.
    """

    def __init__(self, text: str, added: Sequence[tuple[int, int]]) -> None:
        from tokenizers import PreTokenizedString

        self._added = [Piece(text[start:end], start, end, True) for start, end in added]
        self._between = PreTokenizedString(text)
        gaps = _gaps(added, len(text))
        self._between.split(lambda _, part: [part[start:end] for start, end in gaps if start < end])

    @property
    def pieces(self) -> list[Piece]:
        """The pieces of the text, in order."""
        splits = self._between.get_splits("original", "char")
        found = [Piece(piece, start, end, False) for piece, (start, end), _ in splits]
        return sorted([*found, *self._added], key=lambda piece: (piece.start, piece.end))

    def apply(self, steps: Sequence[Json], kind: Literal["normalizer", "pre_tokenizer"]) -> tuple[str, ...]:
        """Apply steps of a normalizer or pre-tokenizer. Returns descriptions of those that changed something."""
        from tokenizers import normalizers, pre_tokenizers

        changes: list[str] = []
        for step in steps:
            before = self._joined
            if kind == "normalizer":
                self._between.normalize(_made(step, normalizers.Sequence).normalize)
            else:
                _made(step, pre_tokenizers.Sequence).pre_tokenize(self._between)
            after = self._joined
            is_normalizing = kind == "normalizer"
            description = describe_change(step, before, after) if is_normalizing else describe_pre_tokenizer(step)
            is_byte_level = step["type"] == "ByteLevel"
            if _plain(after, is_byte_level) != _plain(before):
                changes += filter(None, [description])
            elif after.count(SPACE) > before.count(SPACE):
                changes.append(f"writes each space as {SPACE}")
        return tuple(changes)

    def characters(self) -> Characters:
        """Return the characters between the added tokens. The text can't be changed any more afterwards."""
        from tokenizers import Token

        def each(piece: str) -> list[Token]:
            starts = accumulate((len(character.encode()) for character in piece), initial=0)
            return [Token(0, character, place) for character, place in zip(piece, pairwise(starts), strict=True)]

        self._between.tokenize(each)
        encoding = self._between.to_encoding()
        spans = np.fromiter(chain.from_iterable(encoding.offsets), np.int32, 2 * len(encoding)).reshape(-1, 2)
        words = np.array([word or 0 for word in encoding.word_ids], np.int32)
        return Characters(encoding.tokens, spans[:, 0], spans[:, 1], words)

    @property
    def _joined(self) -> str:
        return "".join(piece for piece, _, _ in self._between.get_splits("original", "char"))


def readable(pieces: Iterable[Piece], are_spelled: bool) -> tuple[str, ...]:
    """Return the texts of pieces, of which all but added tokens are spelled with a character for each byte, or none."""
    spelled = ((piece.text, unspell(piece.text) if are_spelled and not piece.is_added else None) for piece in pieces)
    return tuple(text if data is None else data.decode("utf-8", "replace") for text, data in spelled)


def _plain(text: str, is_byte_level: bool = False) -> str:
    """Return a text without the library's spelling of spaces and bytes."""
    data = unspell(text) if is_byte_level else None
    return text.replace(SPACE, " ") if data is None else data.decode("utf-8", "replace")


def _gaps(places: Sequence[tuple[int, int]], length: int) -> Iterator[tuple[int, int]]:
    starts = [0, *(end for _, end in places)]
    ends = [*(start for start, _ in places), length]
    return zip(starts, ends, strict=True)
