"""The changes that a normalizer makes to a text, place by place."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from tokviz.texts import in_common
from tokviz.tokenizers.engines.segments import Segment
from tokviz.tokenizers.engines.stages import SPACE

_NOTHING = Segment("", np.zeros(1, np.int32))


class Edit(NamedTuple):
    """A stretch of a text that becomes another: `old`, which begins at byte `start`, and `new`. One may be empty."""

    start: int
    old: str
    new: str


def edits_of(text: str, segments: Sequence[Segment], bytes_of: Callable[[str], bytes]) -> list[Edit]:
    """Return what is different in segments of a text from the text itself, in order.

    Changed characters that follow each other are one edit. `bytes_of` gives the bytes of the text that a character of a
    segment stands for, so that the spelling of a space as `▁` is no edit; a `▁` of the text that stays is none either.
    What no segment covers is part of the first edit after it, or of the last one.
    """
    data = text.encode()
    place = 0
    found: list[tuple[int, int, str]] = []
    ends = [*(int(segment.byte_offsets[-1]) for segment in segments[:-1]), len(data)]
    for segment, end in zip(segments or [_NOTHING], ends, strict=True):
        if segment.special is None:
            found += _changed(data, segment.text, [place, *segment.byte_offsets[1:-1].tolist(), end], bytes_of)
        place = end
    return [_trimmed(start, data[start:end].decode("utf-8", "replace"), new) for start, end, new in found]


def _changed(
    data: bytes, text: str, offsets: Sequence[int], bytes_of: Callable[[str], bytes]
) -> Iterator[tuple[int, int, str]]:
    """Yield where runs of changed characters of a segment start and end in the text, and what they become."""
    start: int | None = None
    new = b""
    for character, (begin, end) in zip(text or [""], pairwise(offsets), strict=True):
        spelled = bytes_of(character)
        stays = character == SPACE and data[begin:end] == SPACE.encode()
        if data[begin:end] != spelled and not stays:
            start = begin if start is None else start
            new += spelled
        elif start is not None:
            if data[start:begin] != new:
                yield start, begin, new.decode("utf-8", "replace")
            start, new = None, b""
    if start is not None and data[start : offsets[-1]] != new:
        yield start, offsets[-1], new.decode("utf-8", "replace")


def _trimmed(start: int, old: str, new: str) -> Edit:
    """Return an edit without what stays at its two ends."""
    before = in_common(old, new)
    start += len(old[:before].encode())
    old, new = old[before:], new[before:]
    after = in_common(old[::-1], new[::-1])
    return Edit(start, old[: len(old) - after], new[: len(new) - after])
