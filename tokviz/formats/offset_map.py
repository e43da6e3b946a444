"""Byte offsets in a text for those in a rewritten version of it."""

from array import array

import numpy as np

from tokviz.arrays import Int32Array

_RUNS = 100_000
"""Runs that are written out at a time, since numpy lets no other thread run meanwhile."""


class OffsetMap:
    """Map from byte offsets in a rewritten text to offsets in the original, built run by run from start to end.

    Within a run, the offsets in the original all increase by one, or are all the same.
    """

    def __init__(self) -> None:
        self.changed = False
        self._end = 0
        self._same = 0
        self._starts, self._lengths, self._increases = array("i"), array("i"), array("b")

    @property
    def column(self) -> Int32Array:
        """Offset in the original text by offset in the rewritten one."""
        self._close()
        parts = [self._part(slice(start, start + _RUNS)) for start in range(0, len(self._starts), _RUNS)]
        return np.concatenate((*parts, np.array([self._end], np.int32)))

    def _part(self, runs: slice) -> Int32Array:
        """Return the offsets of some runs."""
        starts, lengths, increases = (np.array(each[runs]) for each in (self._starts, self._lengths, self._increases))
        part = np.repeat(starts, lengths)
        within = np.arange(len(part), dtype=np.int32)
        within -= np.repeat(lengths.cumsum(dtype=np.int32) - lengths, lengths)
        part += within * np.repeat(increases, lengths)
        return part

    def same(self, length: int) -> None:
        """Add `length` bytes that are the same in both."""
        self._same += length

    def replaced(self, length: int, covered: int) -> None:
        """Add `length` bytes that as a whole replace `covered` bytes of the original."""
        if length == covered:
            self.same(length)
        else:
            self._close()
            self.changed = True
            self._add(self._end, length, 0)
            self._end += covered

    def rewritten(self, form: str, original: str) -> None:
        """Add the characters of `form`, which stand for those of `original` one for one, then for nothing."""
        self._close()
        self.changed = True
        place = self._end
        for number, char in enumerate(form):
            self._add(place, len(char.encode()), 0)
            place += len(original[number].encode()) if number < len(original) else 0
        self._end += len(original.encode())

    def _close(self) -> None:
        if self._same:
            self._add(self._end, self._same, 1)
        self._end += self._same
        self._same = 0

    def _add(self, start: int, length: int, increase: int) -> None:
        self._starts.append(start)
        self._lengths.append(length)
        self._increases.append(increase)
