"""Tables of pre-token counts: all that learning needs to know of its texts.

Counting takes most of the time and can be spread over processes and machines; learning needs only the sum. Tables of
parts of a corpus are added up in the order of the parts, and each keeps its pre-tokens in the order in which they first
occur: so the sum is the table of the whole, also for ties that go to the pair seen first.
"""

import json
import re
import string
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO, Self

import numpy as np

from tokviz.display import quote, shorten
from tokviz.pretokens import splitting
from tokviz.pretokens.special_tokens import cut_out
from tokviz.texts import Texts, each_text, repair
from tokviz.tokenizers.inputs import check_special_tokens
from tokviz.tokenizers.progress import PhaseProgress, Progress, with_phases

_MAX_CHUNKS = 1_500_000
"""Distinct chunks kept before they are split, which takes about 150 MB. A third of it would take 6 % more time."""

# A chunk ends before a space or tab, unless after white space; and, after a letter or digit of ASCII, also before a
# line break or a sign of ASCII. It goes on before ', which starts a contraction, and in `!\n`, which may be one match.
_ALNUM = string.ascii_letters + string.digits
_SIGNS = re.escape(string.punctuation.replace("'", ""))
_RUN = rf"[^\s{_ALNUM}]*+[{_ALNUM}]*+"
_CHUNK = re.compile(rf"\s*+{_RUN}(?:[^\s{_ALNUM}{_SIGNS}]{_RUN}|(?:[^\S \t\r\n]|(?<![{_ALNUM}])[\r\n])\s*+{_RUN})*+")


Batch = list[tuple[str, int]]
"""Texts, and how many times each occurs."""


class PretokenCounter:
    """Counts the pre-tokens of texts that are added one by one, cut at special tokens first.

    `pattern` is a pattern's text (see `splitting.resolve` for names); None counts each text as one pre-token.
    """

    def __init__(self, pattern: str | None, special_tokens: Sequence[str] = ()) -> None:
        self._pattern = pattern
        self._special_tokens = special_tokens
        self._chunks: Counter[str] = Counter()
        self._counts: Counter[str] = Counter()

    def add(self, text: str, times: int = 1) -> None:
        """Count the pre-tokens of a text that occurs `times` times."""
        for segment in cut_out(text, self._special_tokens)[::2]:
            if self._pattern in splitting.TIKTOKEN_PATTERNS:
                _count(self._chunks, _CHUNK.findall(segment), times)
            else:
                _count(self._counts, splitting.split(segment, self._pattern), times)
        if len(self._chunks) > _MAX_CHUNKS:
            self._split_chunks()

    def counts(self) -> Counter[str]:
        """Return the number of times each pre-token occurred so far."""
        self._split_chunks()
        return self._counts

    def _split_chunks(self) -> None:
        if self._chunks and self._pattern is not None:
            counts, known = self._counts, self._counts.get  # which is faster than += of a Counter
            split = splitting.tiktoken_splitter(self._pattern)
            for chunk, times in self._chunks.items():
                for pretoken in split(chunk):
                    counts[pretoken] = known(pretoken, 0) + times
            self._chunks.clear()


def _count(counts: Counter[str], pieces: list[str], times: int) -> None:
    if times == 1:
        counts.update(pieces)  # several times faster than a loop
        return
    for piece in pieces:
        counts[piece] += times


def count_batch(batch: Batch, pattern: str | None, special_tokens: Sequence[str]) -> Counter[str]:
    """Count the pre-tokens of several texts, in a process that has imported nothing else for it, numpy least of all."""
    counter = PretokenCounter(pattern, special_tokens)
    for text, times in batch:
        counter.add(text, times)
    return counter.counts()


_FORMAT = {"format": "tokviz pre-token counts", "version": 1}
_MAX_HEADER = 1_000_000  # maximum bytes of the first line of a file
MAX_COUNT = 2**62
"""Maximum of a count, and of all bytes and texts counted together, since they are added up in 64 bits."""

TOO_LONG = f"the texts are too long together: more than {MAX_COUNT:,} bytes"

_BATCH = 8_000_000  # code points of text that are sent to another process at a time


@dataclass(frozen=True)
class PretokenCounts:
    """The count of each pre-token of some texts, in the order of first occurrence (see `count_pretokens`).

    `split_pattern` is the text of the pattern that split them, or None; `special_tokens` are those they were cut at.
    `a + b` is the table of a's texts followed by b's.
    """

    counts: Counter[str]
    split_pattern: str | None = None
    special_tokens: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.counts)

    def __repr__(self) -> str:
        return f"<PretokenCounts: {sum(self.counts.values()):,} pre-tokens, {len(self):,} distinct>"

    def __add__(self, other: Self) -> Self:
        return self.merged([self, other]) if isinstance(other, PretokenCounts) else NotImplemented

    @classmethod
    def merged(cls, tables: Iterable[Self]) -> Self:
        """Add up one or more tables, in their order. Raises ValueError if their texts were not split alike."""
        first, *others = tables
        counts = Counter(first.counts)
        for table in others:
            if (table.split_pattern, table.special_tokens) != (first.split_pattern, first.special_tokens):
                raise ValueError(
                    "these tables can't be added up: their texts were cut differently, "
                    + " and ".join(map(_how_cut, (first, table)))
                )
            counts.update(table.counts)
        return cls(counts, first.split_pattern, first.special_tokens)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the table to a file, which `tokviz.open_counts` reads: JSON, one value a line, in UTF-8.

        The first line names the format, the split pattern, the special tokens and the number of lines that follow. Each
        of these is a pre-token and its count, in the order of first occurrence: `["the", 12]`.
        """
        header = _FORMAT | {
            "split_pattern": self.split_pattern,
            "special_tokens": self.special_tokens,
            "entries": len(self.counts),
        }
        with Path(path).open("w", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(header, ensure_ascii=False) + "\n")
            file.writelines(json.dumps(entry, ensure_ascii=False) + "\n" for entry in self.counts.items())


def _how_cut(table: PretokenCounts) -> str:
    """Say how the texts of a table were cut, for a message."""
    pattern = "not split" if table.split_pattern is None else f"split by {quote(table.split_pattern)}"
    return f"{pattern} with {shorten(', '.join(table.special_tokens)) or 'no'} special tokens"


def open_counts(path: str | PathLike[str], *, max_bytes: int = 2**34) -> PretokenCounts:
    """Read a table of counts that `PretokenCounts.save` wrote.

    The file is plain data: nothing in it is run. Reading needs up to ten times its size in memory, so one of more than
    `max_bytes` bytes is refused. Raises ValueError naming the line that is not as it should be.
    """
    name = Path(path).name
    with Path(path).open("rb") as file:
        size = file.seek(0, 2)
        if size > max_bytes:
            raise ValueError(f"{name} has {size:,} bytes, more than max_bytes allows ({max_bytes:,})")
        file.seek(0)
        header = _read_header(name, file.readline(_MAX_HEADER))
        counts = _read_entries(name, file)
    if len(counts) != header["entries"]:
        raise ValueError(f"{name} should hold {header['entries']:,} entries, but has {len(counts):,}: it is cut off")
    return PretokenCounts(counts, header["split_pattern"], tuple(header["special_tokens"]))


def _read_header(name: str, line: bytes) -> dict[str, Any]:
    header = _value(name, 1, line)
    if not isinstance(header, dict) or header.get("format") != _FORMAT["format"]:
        raise ValueError(f"{name} is not a file of pre-token counts, as PretokenCounts.save writes it")
    if header.get("version") != _FORMAT["version"]:
        raise ValueError(f"{name} was written by another version of tokviz, which this one can't read")
    pattern, specials, entries = (header.get(key) for key in ("split_pattern", "special_tokens", "entries"))
    if not (pattern is None or isinstance(pattern, str)) or not isinstance(specials, list) or type(entries) is not int:
        raise ValueError(f"{name}, line 1: the split pattern, the special tokens or the number of entries is missing")
    try:
        check_special_tokens(specials)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}, line 1: {error}") from None
    return header


def _read_entries(name: str, file: BinaryIO) -> Counter[str]:
    counts: Counter[str] = Counter()
    for number, line in enumerate(file, start=2):
        match _value(name, number, line):
            case [str(text), int(times)] if text and 0 < times <= MAX_COUNT and times is not True:
                pass
            case _:
                raise ValueError(f"{name}, line {number}: this should be a pre-token and its count, from 1 to 2**62")
        if text in counts or repair(text)[1]:
            raise ValueError(f"{name}, line {number}: {quote(text)} is there twice, or is no Unicode text")
        counts[text] = times
    return counts


def _value(name: str, number: int, line: bytes) -> Any:
    try:
        return json.loads(line.decode())
    except (ValueError, RecursionError):  # also of a number with thousands of digits
        raise ValueError(f"{name}, line {number}: this is not a line of JSON in UTF-8") from None


def count_pretokens(
    texts: Texts | Mapping[str, int],
    split_pattern: splitting.SplitPattern = None,
    special_tokens: Iterable[str] = (),
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> PretokenCounts:
    """Count the pre-tokens of a text, or of several, for `tokviz.train` to learn from.

    `texts`, `split_pattern` and `special_tokens` are as in `train`, and training on the table gives the same tokenizer
    as training on the texts. Tables of parts of a corpus can be saved and added up.

    `workers` is the number of processes that count; None or 1 counts in this one. Texts are read here and sent to the
    others in batches, so an iterator may yield more than fits in memory, and a file is cut between words where a named
    pattern allows that; otherwise a text is one task. As always with processes, a script that uses them has to do so
    under `if __name__ == "__main__":`. `progress("cutting", done, total)` is called with the code points counted.

    >>> count_pretokens(["the cat", "the hat"], "gpt2").counts
    Counter({'the': 2, ' cat': 1, ' hat': 1})
    """
    if workers is not None and (not isinstance(workers, int) or isinstance(workers, bool)):
        raise TypeError(f"workers must be a whole number or None, not {type(workers).__name__}")
    if workers is not None and workers < 1:
        raise ValueError(f"workers must be 1 or more, not {workers}")
    pattern, specials = splitting.resolve(split_pattern), tuple(check_special_tokens(special_tokens))
    counts = count(texts, pattern, specials, with_phases(progress, "cutting"), workers or 1)
    return PretokenCounts(counts, pattern, specials)


def count(
    texts: Texts | Mapping[str, int],
    pattern: str | None,
    specials: tuple[str, ...],
    report: PhaseProgress,
    workers: int = 1,
) -> Counter[str]:
    """Count each pre-token, in the order of first occurrence, which "first-seen" relies on."""
    done, total = 0, _length_of(texts)
    report("cutting", done, total)
    parts = _with_counts(texts) if isinstance(texts, Mapping) else _with_count_one(texts, pattern, specials)
    if workers > 1:
        return _count_in_processes(_in_batches(parts), pattern, specials, report, total, workers)
    counter = PretokenCounter(pattern, specials)
    for text, times in parts:
        counter.add(text, times)
        done += len(text)
        report("cutting", done, total)
    return counter.counts()


def _count_in_processes(
    batches: Iterable[Batch],
    pattern: str | None,
    specials: tuple[str, ...],
    report: PhaseProgress,
    total: int | None,
    workers: int,
) -> Counter[str]:
    counts: Counter[str] = Counter()
    done = 0
    waiting: deque[tuple[int, Future[Counter[str]]]] = deque()

    def take_result() -> None:
        nonlocal done
        length, counted = waiting.popleft()
        counts.update(counted.result())  # in the order of the texts
        done += length
        report("cutting", done, total)

    pool = ProcessPoolExecutor(workers, get_context("spawn"))
    try:
        for batch in batches:
            length = sum(len(text) for text, _ in batch)
            waiting.append((length, pool.submit(count_batch, batch, pattern, specials)))
            if len(waiting) > workers + 1:
                take_result()
        while waiting:
            take_result()
    except BrokenProcessPool as error:
        raise RuntimeError(
            "a process that counted has ended: it may have run out of memory, or the script that uses workers does so "
            'outside of `if __name__ == "__main__":`'
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)
    return counts


def _in_batches(parts: Iterable[tuple[str, int]]) -> Iterator[Batch]:
    batch: Batch = []
    length = 0
    for part in parts:
        batch.append(part)
        length += len(part[0])
        if length >= _BATCH:
            yield batch
            batch, length = [], 0
    if batch:
        yield batch


def _length_of(texts: Texts | Mapping[str, int]) -> int | None:
    """Return the code points of all texts together; None if that isn't known before they are read."""
    if isinstance(texts, str):
        return len(texts)
    if isinstance(texts, list | tuple | Mapping) and all(isinstance(each, str) for each in texts):
        return sum(map(len, texts))
    return None


def _with_count_one(texts: Texts, pattern: str | None, specials: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    cut_at_spaces = pattern in splitting.CUT_AT_SPACES and not any(map(str.isspace, "".join(specials)))
    return ((text, 1) for text in each_text(texts, cut_at_spaces=cut_at_spaces))


def _with_counts(counted: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    symbols = 0
    for text, times in counted.items():
        repaired, _ = repair(text)
        if not isinstance(times, int | np.integer) or isinstance(times, bool):
            raise TypeError(f"the count of {quote(text)} must be a whole number, not {type(times).__name__}")
        times = int(times)
        if times < 0:
            raise ValueError(f"the count of {quote(text)} must be 0 or more, not {times}")
        symbols += times * (len(repaired.encode()) + 1)
        if symbols > MAX_COUNT:
            raise ValueError(TOO_LONG)
        if times:
            yield repaired, times
