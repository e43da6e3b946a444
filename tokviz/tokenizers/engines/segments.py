"""Parts of a text that a model encodes by itself, with the place of each of their characters in the text."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from tokviz.arrays import Int32Array
from tokviz.positions import byte_starts
from tokviz.tokenizers.engines.covering import cover
from tokviz.tokenizers.engines.hugging_face_stages import Characters


class Segment(NamedTuple):
    """A pre-token, or a whole text if the model gets it whole, as it is after normalization.

    `byte_offsets` has an entry for each code point of `text` and one for its end: where what became of it begins in
    the original text's bytes. They never decrease, and each segment ends where the next one begins. `special` is the id
    of a token that was cut out before, else None.
    """

    text: str
    byte_offsets: Int32Array
    special: int | None = None


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


def original_characters(text: str, segments: Sequence[Segment], run: str) -> str:
    """Return the characters of the original `text` that the first `run` within a segment stands for; "" for none.

    White space around them, which a segment also covers if it was removed there, is left out.
    """
    places = byte_starts(text)
    for segment in segments:
        at = segment.text.find(run)
        if segment.special is None and at >= 0:
            start, end = segment.byte_offsets[[at, at + len(run)]]
            first = int(np.searchsorted(places, start, side="right")) - 1
            found = text[first : int(np.searchsorted(places, end))]
            return found.strip() or found
    return ""


def segments_of(
    text: str,
    characters: Characters,
    added: Sequence[tuple[int, tuple[int, int]]],
    bytes_of: Callable[[str], bytes],
) -> list[Segment]:
    """Return the segments of a text from the characters of its pre-tokens and from its added tokens.

    `added` are the ids of added tokens with their places, start and end in code points. `bytes_of` gives the bytes of
    the text that a character stands for.
    """
    ids, added_starts, added_ends = np.array([(token, *place) for token, place in added], np.int32).reshape(-1, 3).T
    texts = [*characters.texts, *(text[start:end] for _, (start, end) in added)]
    starts = np.concatenate((characters.starts, added_starts))
    ends = np.concatenate((characters.ends, added_ends))
    # Each pre-token has a number from 0, each added token one below 0.
    groups = np.concatenate((characters.words, -1 - added_starts))
    specials = np.concatenate((np.full(len(characters.texts), -1, np.int32), ids))
    order = np.lexsort((ends, starts))
    if not len(order):
        return []
    texts = [texts[unit] for unit in order.tolist()]
    place = byte_starts(text)
    offsets = cover(text.encode(), place[starts[order]], place[ends[order]], lambda unit: bytes_of(texts[unit]))
    changes = np.flatnonzero(np.diff(groups[order])) + 1
    segments = []
    for first, last in pairwise([0, *changes.tolist(), len(texts)]):
        covered = offsets[first : last + 1]
        special = int(specials[order[first]])
        if special >= 0:
            start, end = starts[order[first]], ends[order[first]]
            covered = np.clip(place[start : end + 1], covered[0], covered[-1]).astype(np.int32)
        segments.append(Segment("".join(texts[first:last]), covered, special if special >= 0 else None))
    return segments
