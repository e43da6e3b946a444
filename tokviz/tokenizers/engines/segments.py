"""Parts of a text that a model encodes by itself, with the place of each of their characters in the text."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tokviz.arrays import Int32Array


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

    Offsets inside a character stay as far from its beginning, as long as that is inside the original character. All
    must be tiled: the first offset becomes 0 whatever was removed before it, and the last one the text's length.
    """
    if not segments:
        return offsets
    joined = "".join(segment.text for segment in segments)
    lengths = [len(character.encode()) for character in joined]
    starts = np.concatenate(([0], lengths)).cumsum()
    ends = [segment.byte_offsets[-1:] for segment in segments[-1:]]
    places = np.concatenate([*(segment.byte_offsets[:-1] for segment in segments), *ends])
    character = np.searchsorted(starts, offsets, side="right") - 1
    inside = offsets - starts[character]
    after = places[np.minimum(character + 1, len(places) - 1)]
    mapped = np.where(inside > 0, np.minimum(places[character] + inside, after), places[character])
    mapped = np.maximum.accumulate(mapped).astype(np.int32)
    mapped[0] = 0
    return mapped
