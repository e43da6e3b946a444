"""Many texts encoded or decoded at once."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TypeVar, overload

import numpy as np

from tokviz.arrays import Int32Array, Int64Array
from tokviz.immutable import Immutable

_GROUP = 50_000  # code points, or ids, per task of a thread: enough to make the cost of a task negligible
T = TypeVar("T", str, Sequence[int])
R = TypeVar("R")


class Batch(Immutable, Sequence[Int32Array]):
    """The token ids of n texts, as two columns.

    `ids` (int32) are those of all texts, end to end; `offsets` (int64, n + 1) says where each text's begin: text i has
    `ids[offsets[i]:offsets[i + 1]]`, which is `batch[i]`. Both can't be written to.
    """

    def __init__(self, ids: Int32Array, offsets: Int64Array) -> None:
        self.ids = ids
        self.offsets = offsets
        for column in (ids, offsets):
            column.flags.writeable = False

    def __reduce__(self) -> tuple[type["Batch"], tuple[Int32Array, Int64Array]]:
        return Batch, (self.ids, self.offsets)  # NumPy forgets in a pickle that a column can't be written to

    @classmethod
    def of(cls, columns: Sequence[Int32Array]) -> "Batch":
        """Join the ids of each text."""
        offsets = np.zeros(len(columns) + 1, np.int64)
        np.cumsum([len(column) for column in columns], out=offsets[1:])
        return cls(np.concatenate([np.zeros(0, np.int32), *columns]), offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, index: int) -> Int32Array: ...
    @overload
    def __getitem__(self, index: slice) -> "Batch": ...
    def __getitem__(self, index: int | slice) -> "Int32Array | Batch":
        """Return the ids of one text, without copying them, or the batch of several."""
        if isinstance(index, slice):
            return Batch.of([self[number] for number in range(*index.indices(len(self)))])
        number = range(len(self))[index]
        return self.ids[self.offsets[number] : self.offsets[number + 1]]

    def __repr__(self) -> str:
        return f"<Batch: {len(self.ids):,} tokens of {len(self):,} texts>"


def check_workers(workers: int | None) -> None:
    """Raise TypeError or ValueError unless this is a number of threads, or None."""
    if workers is not None and (not isinstance(workers, int) or isinstance(workers, bool)):
        raise TypeError(f"workers must be a number of threads, or None for one per core, not {workers!r}")
    if workers is not None and workers < 1:
        raise ValueError(f"workers must be 1 or more, not {workers}")


def in_threads(work: Callable[[T], R], items: Iterable[T], workers: int | None) -> Iterator[R]:
    """Yield `work` of each item, in order, done by `workers` threads; None means one for each processor core.

    Short items are handed out in groups.
    """
    check_workers(workers)
    workers = workers or os.cpu_count() or 1
    if workers == 1:
        yield from map(work, items)
        return
    listed = list(items)
    groups = (listed[start:end] for start, end in pairwise(_group_starts(listed)))
    with ThreadPoolExecutor(workers) as pool:
        for done in pool.map(lambda group: list(map(work, group)), groups):
            yield from done


def _group_starts(items: Sequence[str] | Sequence[Sequence[int]]) -> list[int]:
    """Return where each group begins, and the number of items."""
    starts, size = [0], 0
    for number, item in enumerate(items):
        if size >= _GROUP:
            starts.append(number)
            size = 0
        size += len(item)
    return [*starts, len(items)]
