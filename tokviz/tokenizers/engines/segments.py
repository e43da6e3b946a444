"""Parts of a text that a model encodes by itself, with the place of each of their characters in the text."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from tokviz.arrays import Int32Array
from tokviz.tokenizers.engines.covering import cover
from tokviz.tokenizers.engines.hugging_face_stages import Character


class Segment(NamedTuple):
    """A pre-token, or a whole text if the model gets it whole, as it is after normalization.

    `byte_offsets` has an entry for each code point of `text` and one for its end: where what became of it begins in
    the original text's bytes. They never decrease, and each segment ends where the next one begins. `special` is the id
    of a token that was cut out before, else None.
    """

    text: str
    byte_offsets: Int32Array
    special: int | None = None


def byte_starts(text: str) -> Int32Array:
    """Return the byte offset at which each code point of a text begins, and the text's length."""
    return np.cumsum([0, *(len(character.encode()) for character in text)], dtype=np.int32)


def original_offsets(segments: Sequence[Segment], offsets: Int32Array) -> Int32Array:
    """Map byte offsets in the joined text of segments to byte offsets in the original text.

    Offsets inside a character stay as far from its beginning if the original character is as long; else they are at its
    beginning. The first offset becomes 0, whatever was removed before it.
    """
    if not segments:
        return offsets
    joined = "".join(segment.text for segment in segments)
    starts = byte_starts(joined)
    ends = [segment.byte_offsets[-1:] for segment in segments[-1:]]
    places = np.concatenate([*(segment.byte_offsets[:-1] for segment in segments), *ends])
    character = np.searchsorted(starts, offsets, side="right") - 1
    inside = offsets - starts[character]
    lengths, original_lengths = np.diff(starts, append=starts[-1]), np.diff(places, append=places[-1])
    mapped = places[character] + np.where(lengths[character] == original_lengths[character], inside, 0)
    mapped = np.maximum.accumulate(mapped).astype(np.int32)
    mapped[0] = 0
    return mapped


class _Unit(NamedTuple):
    """What covers a part of a text, by code points: a character of a pre-token, or an added token."""

    start: int
    end: int
    text: str
    word: int
    special: int | None

    @property
    def segment(self) -> tuple[bool, int]:
        return (False, self.word) if self.special is None else (True, self.start)


def segments_of(
    text: str,
    characters: Iterable[Character],
    added: Iterable[tuple[int, tuple[int, int]]],
    bytes_of: Callable[[str], bytes],
) -> list[Segment]:
    """Return the segments of a text from the characters of its pre-tokens and from its added tokens.

    `added` are the ids of added tokens with their places, start and end in code points. `bytes_of` gives the bytes of
    the text that a character stands for.
    """
    units = [_Unit(start, end, character, word, None) for character, start, end, word in characters]
    units += [_Unit(start, end, text[start:end], -1, token) for token, (start, end) in added]
    units.sort(key=lambda unit: (unit.start, unit.end))
    if not units:
        return []
    place = byte_starts(text)
    starts, ends = (place[np.array(column, np.int32)] for column in list(zip(*units, strict=True))[:2])
    offsets = cover(text.encode(), starts, ends, lambda i: bytes_of(units[i].text))
    segments = []
    at = 0
    for _, group in groupby(units, key=lambda unit: unit.segment):
        members = list(group)
        first = members[0]
        joined = "".join(unit.text for unit in members)
        covered = offsets[at : at + len(members) + 1]
        if first.special is not None:
            covered = np.clip(place[first.start : first.end + 1], covered[0], covered[-1]).astype(np.int32)
        segments.append(Segment(joined, covered, first.special))
        at += len(members)
    return segments
