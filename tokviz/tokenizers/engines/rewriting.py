"""What is done to a text before it becomes tokens: the changes, place by place, and the steps that made them."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from tokviz.texts import in_common
from tokviz.tokenizers.engines.segments import Segment
from tokviz.tokenizers.engines.stages import READS_MARK, SPACE

_NOTHING = Segment("", np.zeros(1, np.int32))


class Version(NamedTuple):
    """A text after a step, in parts: the byte offset in the original text that each came from, in order, and its bytes.

    `describe` says what the step did, from a part of the text before it and after; None if there is nothing to say.
    """

    describe: Callable[[str, str], str | None]
    parts: Sequence[tuple[int, bytes]]

    @property
    def whole(self) -> str:
        """The whole text."""
        return b"".join(data for _, data in self.parts).decode("utf-8", "replace")

    def between(self, start: int, end: int) -> str:
        """Return what the original text's bytes from `start` to `end` are now."""
        first, last = (bisect_left(self.parts, place, key=itemgetter(0)) for place in (start, end))
        return b"".join(data for _, data in self.parts[first:last]).decode("utf-8", "replace")


def parts_per_character(segments: Iterable[Segment], bytes_of: Callable[[str], bytes]) -> list[tuple[int, bytes]]:
    """Return the parts of a text that segments make, one for each character, whose bytes `bytes_of` gives."""
    return [
        (place, character.encode() if segment.special is not None else bytes_of(character))
        for segment in segments
        for character, place in zip(segment.text, segment.byte_offsets[:-1].tolist(), strict=True)
    ]


def with_marks(text: str, versions: list[Version]) -> list[Version]:
    """Insert the text itself before versions of it, the first of which reads its own `▁` as spaces."""
    first = versions[0]
    data = text.encode()
    places = [*(place for place, _ in first.parts), len(data)]
    raw = [(place, data[place:end]) for place, end in pairwise(places)]
    return [Version(first.describe, raw), first._replace(describe=lambda *_: READS_MARK), *versions[1:]]


def steps_of(versions: Sequence[Version]) -> tuple[str, ...]:
    """Describe the steps that changed a text. The first version is the text itself."""
    texts = [version.whole for version in versions]
    steps = zip(pairwise(texts), versions[1:], strict=True)
    done = (version.describe(before, after) for (before, after), version in steps if before != after)
    return tuple(dict.fromkeys(filter(None, done)))


def steps_at(text: str, versions: Sequence[Version], places: Iterable[tuple[int, int]]) -> tuple[str, ...]:
    """Describe the steps that changed the characters at some places of a text: start and end, in bytes.

    White space that one step adds at a place and another drops again is no change of it.
    """
    data = text.encode()
    found = {step for start, end in places for step in _steps_between(versions, *_whole_characters(data, start, end))}
    return tuple(dict.fromkeys(description for _, description in sorted(found)))


def _steps_between(versions: Sequence[Version], start: int, end: int) -> Iterator[tuple[int, str]]:
    """Yield the numbers and descriptions of the steps that changed a text's bytes from `start` to `end`."""
    texts = [version.between(start, end) for version in versions]
    spaces = ["".join(filter(str.isspace, each.replace(SPACE, " "))) for each in texts]
    added = len(spaces[-1]) - len(spaces[0])
    for number, ((before, after), (old, new)) in enumerate(zip(pairwise(texts), pairwise(spaces), strict=True), 1):
        changes_spaces_alone = "".join(before.split()) == "".join(after.split())
        is_undone = spaces[0] == spaces[-1] or (len(new) - len(old)) * added < 0
        description = versions[number].describe(before, after)
        if before != after and description and not (changes_spaces_alone and is_undone):
            yield number, description


def _whole_characters(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Return where the characters in a stretch of UTF-8 start and end: at least one, unless it is at the text's end."""
    end = max(end, min(start + 1, len(data)))
    while start > 0 and data[start : start + 1] and data[start] & 0xC0 == 0x80:
        start -= 1
    while end < len(data) and data[end] & 0xC0 == 0x80:
        end += 1
    return start, end if end < len(data) else end + 1


class Edit(NamedTuple):
    """A stretch of a text that becomes another: `old`, which begins at byte `start`, and `new`. One may be empty."""

    start: int
    old: str
    new: str


def edits_of(text: str, segments: Sequence[Segment], bytes_of: Callable[[str], bytes]) -> list[Edit]:
    """Return the differences between a text and its segments, in order.

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
