"""Many texts encoded by gigatoken, a library that is about ten times as fast as the others, if it is installed.

A tokenizer says by a `Definition` what gigatoken needs to encode as it does, or that it can't. gigatoken is asked only
after it has given this tokenizer's ids on the probes of `proof`. Special tokens and lone surrogates never reach it:
texts are repaired, and cut at special tokens, before. Where probes found characters on which the two differ, such as
those of a new edition of Unicode, texts that hold one stay with the tokenizer's own library.

It costs a third of a second to load, so short texts are never given to it, and it keeps what it has encoded in a cache,
so it is for one's own texts: a server for others sets `TOKVIZ_FAST=0`.
"""

import base64
import json
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from tokviz.arrays import Int32Array, Int64Array
from tokviz.bpe.byte_characters import spell
from tokviz.pretokens.special_tokens import cut_out
from tokviz.pretokens.splitting import OPEN_PATTERNS, PATTERNS

if TYPE_CHECKING:
    from gigatoken import Tokenizer

FROM_LENGTH = 1_000_000
"""Code points from which texts are given to gigatoken; 1 MB takes the other libraries 0.1 to 1 s."""

_SCHEMES = {
    PATTERNS["gpt2"]: "gpt2",
    PATTERNS["cl100k"]: "gpt4",
    PATTERNS["o200k"]: "o200k",
    OPEN_PATTERNS["qwen3"]: "qwen2",
}
"""Split pattern -> gigatoken's name of its own code for it."""

# Its cache has no limit before version 0.11, and takes up to ten times the bytes of the distinct words in it.
_MAX_GROWTH = 1_000_000_000
"""Bytes by which the process may grow before the cache is emptied, where its memory is known."""
_MAX_TEXT = 256_000_000
"""Code points after which the cache is emptied elsewhere."""

_STATM = Path("/proc/self/statm")


class Definition(NamedTuple):
    """A tokenizer as gigatoken opens it.

    `data` is a file of the given kind: lines of a token in base64 and its rank, a `tokenizer.json`, or SentencePiece's
    `.model`. `scheme` is gigatoken's name of the split pattern, for a file of ranks; `ids` are the ids of the ranks, if
    they are others. `always` are texts that are tokens wherever they stand, with their ids, besides special tokens
    that are allowed. Texts that hold one of `unread` are never given to gigatoken, which would read them otherwise.
    """

    kind: Literal["ranks", "json", "model"]
    data: bytes
    scheme: str = ""
    ids: Int32Array | None = None
    always: Mapping[str, int] = {}
    unread: frozenset[str] = frozenset()

    def digest(self, special_tokens: Mapping[str, int]) -> bytes:
        """Return what tells this definition, of a tokenizer with these special tokens, from all others."""
        parts = (self.kind, self.scheme, self.ids is not None and self.ids.tolist(), sorted(special_tokens.items()))
        return repr((*parts, sorted(self.always.items()), sorted(self.unread))).encode() + self.data


def of_ranks(ranks: Mapping[bytes, int], split_pattern: str | None) -> Definition | None:
    """Return the definition of a tokenizer with tiktoken's ranks (bytes -> id); None if its pattern is another."""
    scheme = _SCHEMES.get(split_pattern or "")
    if scheme is None:
        return None
    in_order = sorted(ranks.items(), key=lambda item: item[1])
    ids = np.array([token for _, token in in_order], np.int32)
    lines = (b"%s %d\n" % (base64.b64encode(data), rank) for rank, (data, _) in enumerate(in_order))
    is_dense = len(ids) == ids[-1] + 1
    return Definition("ranks", b"".join(lines), scheme, None if is_dense else ids)


def of_json(data: bytes, always: Mapping[str, int], unread: frozenset[str]) -> Definition:
    """Return the definition of a `tokenizer.json`, in which no added tokens are looked for."""
    content: dict[str, Any] = json.loads(data)
    content |= {"added_tokens": [], "post_processor": None, "truncation": None, "padding": None}
    content["model"] |= {"dropout": None}
    return Definition("json", json.dumps(content).encode(), always=always, unread=unread)


def with_vocabulary(data: bytes, tokens: Sequence[bytes]) -> bytes:
    """Return a byte-level `tokenizer.json` with other tokens, by id, without added ones. Pairs of bytes are merged."""
    content: dict[str, Any] = json.loads(data)
    spelled = list(map(spell, tokens))
    merges = [list(token) for token in spelled if len(token) == 2]
    content["model"] |= {"vocab": {token: number for number, token in enumerate(spelled)}, "merges": merges}
    return json.dumps(content | {"added_tokens": [], "post_processor": None}).encode()


Segments = Callable[[str], Iterable[tuple[str, int | None]]]
"""Cuts a text into ordinary stretches (with None) and tokens (with their ids)."""


class BulkEngineFailed(ValueError):
    """Raised if gigatoken can't open a tokenizer or encode a text, with its message."""


def segments_at(text: str, tokens: Mapping[str, int]) -> Iterator[tuple[str, int | None]]:
    """Cut a text at all `tokens` in it (text -> id), and yield them with their ids, and what is between with None."""
    for piece in cut_out(text, tokens):
        if piece:
            yield piece, tokens.get(piece)


class BulkEngine:
    """gigatoken's tokenizer for a definition. Raises BulkEngineFailed if gigatoken refuses it.

    `differing` are characters on which gigatoken differs; texts that hold one are left to another library.
    """

    def __init__(self, definition: Definition, differing: Iterable[str] = ()) -> None:
        self.definition = definition
        self._tokenizer = self._opened()
        self._encoded, self._size_before = 0, _memory()
        self._differing = frozenset(differing)
        # All beyond the BMP are suspects: so the pattern is a table and one range, and not a hundred ranges.
        bmp = _ranges(character for character in self._differing if character <= "\uffff")
        self._suspects = re.compile(f"[{bmp}\U00010000-\U0010ffff]")
        self._unread = re.compile("|".join(map(re.escape, sorted(definition.unread)))) if definition.unread else None

    def _opened(self) -> "Tokenizer":
        from gigatoken import Tokenizer

        kind, data = self.definition[:2]
        with _raising_failures():
            if kind == "json":
                return Tokenizer.from_json(data)
            if kind == "model":
                return Tokenizer.from_sentencepiece(data)
            with tempfile.TemporaryDirectory() as folder:  # it reads ranks from files only
                path = Path(folder, "ranks.tiktoken")
                path.write_bytes(data)
                return Tokenizer.from_tiktoken(path, self.definition.scheme, {})

    def encode(self, texts: Sequence[str], parallel: bool = True) -> tuple[Int32Array, Int64Array]:
        """Return the ids of texts without special tokens, end to end, and where each text's begin (n + 1 places).

        `parallel` says whether to use all processor cores or this thread alone.
        """
        import awkward

        if not texts:
            return np.zeros(0, np.int32), np.zeros(1, np.int64)
        self._empty_cache(sum(map(len, texts)))
        with _raising_failures():
            rows = self._tokenizer.encode_batch(list(texts), parallel=None if parallel else False)
        offsets = np.zeros(len(texts) + 1, np.int64)
        np.cumsum(awkward.to_numpy(awkward.num(rows)), out=offsets[1:])
        return self._as_ids(awkward.to_numpy(awkward.flatten(rows))), offsets

    def encode_one(self, text: str) -> Int32Array:
        """Return the ids of a text without special tokens."""
        self._empty_cache(len(text))
        with _raising_failures():
            return self._as_ids(self._tokenizer.encode(text))

    def leaves(self, text: str) -> bool:
        """Return whether a text is left to another library."""
        if self._unread and self._unread.search(text):
            return True
        if text.isascii() or not self._differing:
            return False
        return any(found[0] in self._differing for found in self._suspects.finditer(text))

    def _as_ids(self, numbers: Any) -> Int32Array:
        found: Int32Array = numbers.astype(np.uint32, copy=False).view(np.int32)
        return found if self.definition.ids is None else self.definition.ids[found]

    def _empty_cache(self, size: int) -> None:
        """Open the tokenizer again if its cache may have grown too much, before `size` code points are encoded."""
        self._encoded += size
        grown = _memory() - self._size_before
        if grown > _MAX_GROWTH if self._size_before else self._encoded > _MAX_TEXT:
            self._tokenizer = self._opened()
            self._encoded, self._size_before = size, _memory()


class Work(NamedTuple):
    """How one tokenizer encodes texts by gigatoken, and by itself what is left to it or what gigatoken fails on.

    `segments` cuts a text first, if it has to be cut; `encode` is how the tokenizer itself encodes a text.
    """

    engine: BulkEngine
    segments: Segments | None
    encode: Callable[[str], Int32Array]

    def encode_one(self, text: str) -> Int32Array:
        """Return the ids of a repaired text."""
        if self.engine.leaves(text):
            return self.encode(text)
        segments = [(text, None)] if self.segments is None else self.segments(text)
        with suppress(BulkEngineFailed):
            columns = [
                self.engine.encode_one(segment) if special is None else np.array([special], np.int32)
                for segment, special in segments
            ]
            return columns[0] if len(columns) == 1 else np.concatenate([np.zeros(0, np.int32), *columns])
        return self.encode(text)

    def encode_all(self, texts: Sequence[str], parallel: bool = True) -> tuple[Int32Array, Int64Array]:
        """Return the ids of repaired texts, and where each text's begin (see `BulkEngine.encode`)."""
        stretches: list[str] = []
        columns: list[Int32Array | None] = []  # None for a stretch
        ends = []
        for text in texts:
            if self.engine.leaves(text):
                columns.append(self.encode(text))
            elif self.segments is None:
                stretches.append(text)
                columns.append(None)
            else:
                for segment, special in self.segments(text):
                    if special is None:
                        stretches.append(segment)
                    columns.append(None if special is None else np.array([special], np.int32))
            ends.append(len(columns))
        try:
            ids, offsets = self.engine.encode(stretches, parallel)
        except BulkEngineFailed:
            return encode_all(texts, self.encode)
        if len(stretches) == len(columns) == len(texts):
            return ids, offsets
        encoded = iter(np.split(ids, offsets[1:-1])) if stretches else iter(())
        whole = [next(encoded) if column is None else column for column in columns]
        places = _places(whole)
        return np.concatenate([np.zeros(0, np.int32), *whole]), places[[0, *ends]]


def encode_all(texts: Sequence[str], encode: Callable[[str], Int32Array]) -> tuple[Int32Array, Int64Array]:
    """Return the ids that `encode` gives for texts, end to end, and where each text's begin."""
    columns = list(map(encode, texts))
    return np.concatenate([np.zeros(0, np.int32), *columns]), _places(columns)


def _places(columns: Sequence[Int32Array]) -> Int64Array:
    """Return where each of several columns begins if they are put end to end, and where the last one ends."""
    places = np.zeros(len(columns) + 1, np.int64)
    np.cumsum([len(column) for column in columns], out=places[1:])
    return places


def is_on() -> bool:
    """Return whether gigatoken may be used: the variable `TOKVIZ_FAST` is not 0."""
    return os.environ.get("TOKVIZ_FAST") != "0"


@contextmanager
def turned_off() -> Iterator[None]:
    """Turn gigatoken off in this process and those that it starts."""
    before = os.environ.get("TOKVIZ_FAST")
    os.environ["TOKVIZ_FAST"] = "0"
    try:
        yield
    finally:
        del os.environ["TOKVIZ_FAST"]
        if before is not None:
            os.environ["TOKVIZ_FAST"] = before


def _ranges(characters: Iterable[str]) -> str:
    """Return some characters as ranges inside a set of a pattern."""
    points = sorted(map(ord, characters))
    starts = [point for before, point in pairwise([-2, *points]) if point != before + 1]
    ends = [point for point, after in pairwise([*points, -2]) if after != point + 1]
    return "".join(rf"\U{start:08x}-\U{end:08x}" for start, end in zip(starts, ends, strict=True))


def _memory() -> int:
    """Return the bytes that this process has in memory; 0 where the system does not say."""
    try:
        return int(_STATM.read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, AttributeError):
        return 0


@contextmanager
def _raising_failures() -> Iterator[None]:
    """Turn gigatoken's errors, and its panics, which are no Exception, into `BulkEngineFailed`."""
    try:
        yield
    except ModuleNotFoundError:
        raise
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise BulkEngineFailed(f"gigatoken: {error}") from None
