"""Tokenizers of visitors whose engines run in guarded processes, never in the server (see `guarded_workers`)."""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property, partial
from typing import Any, Self

import numpy as np

from tokviz.app.shields.processes import guarded_tasks
from tokviz.app.shields.processes.children import Failed, Refused
from tokviz.app.shields.processes.guarded_child import Answer
from tokviz.app.shields.processes.guarded_workers import (
    MAX_ANSWER,
    MAX_VOCABULARY,
    OPEN_SECONDS,
    OPENING,
    Guard,
    workers,
)
from tokviz.app.shields.processes.pool import Pool
from tokviz.app.shields.processes.sizes import memory_of
from tokviz.arrays import Int32Array
from tokviz.bpe.merge_replay import Order
from tokviz.texts import repair
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.inputs import check_special_ids, listed
from tokviz.widgets.replay_views import VIEWS
from tokviz.widgets.wire import Columns

STEPS_SECONDS = 15.0
"""Maximum seconds for the steps of a text, whose first ones take a while to prepare in a large vocabulary."""

MAX_TEXT = 1_000_000
"""Maximum bytes of a text. Libraries take 2 to 4 s for so much, and up to 0.4 GB of their process's memory."""

_BROKEN = "this tokenizer gave an impossible result"


class GuardedTokenizer(Tokenizer):
    """A tokenizer that does all its work in a guarded process; here are only its vocabulary and its special tokens.

    `open_tokenizer` is called in that process, which may be ended and started again at any time; it must be a function
    of a module, or a `partial` of one with plain values. `files` are the files that it keeps for that, by name, of
    `held_bytes` in all; `algorithm` is its engine's, None if it has none. A task that takes too much time or memory, or
    ends the process, raises ValueError with a sentence.
    """

    algorithm: str | None = None
    unknown: int | None = None
    byte_ids: frozenset[int] = frozenset()
    rewriting: tuple[str, ...] = ()
    drops_spaces = False
    cuts_at_spaces = False  # what the engine does with a part of a text is not known here
    takes_split_patterns = False

    def __init__(
        self,
        open_tokenizer: Callable[[], Tokenizer],
        files: Mapping[str, bytes] | None = None,
        *,
        among: Pool = workers,
    ) -> None:
        self.files = dict(files or {})
        self.held_bytes = sum(map(len, self.files.values()))
        self._guard = Guard(open_tokenizer, among)
        columns, meta = self._guard.run(
            guarded_tasks.describe, seconds=OPEN_SECONDS, most=MAX_VOCABULARY, what_for=OPENING
        )
        try:
            self.name = str(meta["name"])
            self.kind = str(meta["kind"])
            self.algorithm = None if meta["algorithm"] is None else str(meta["algorithm"])
            self.unknown = None if meta["unknown"] is None else int(meta["unknown"])
            self.byte_ids = frozenset(map(int, meta["byte_ids"]))
            self.special_tokens = check_special_ids(meta["special_tokens"])
            self.added_texts = {int(token): str(text) for token, text in meta["added_texts"]}
            self.split_patterns = tuple(map(str, meta["split_patterns"]))
            prefix, suffix = meta["marks"]
            self.marks = str(prefix), str(suffix)
            before, after = meta["around"]
            self.around = tuple(map(int, before)), tuple(map(int, after))
            self.is_around_known = bool(meta["is_around_known"])
            self.drops_spaces = bool(meta["drops_spaces"])
            self.rewriting = tuple(map(str, meta["rewriting"]))
            self.vocab = _vocabulary(columns)
        except (LookupError, TypeError, ValueError, AttributeError):
            raise Failed(_BROKEN) from None

    def __reduce_ex__(self, protocol: object) -> Any:
        raise TypeError("a guarded tokenizer can't be sent to another process: its own process does its work")

    def rewriting_at(
        self, text: str, places: Iterable[tuple[int, int]], allowed_special: Collection[str] = ()
    ) -> tuple[str, ...]:
        """See `Tokenizer.rewriting_at`."""
        repaired, _ = repair(text)
        _, meta = self.run(
            guarded_tasks.rewriting_at, repaired, list(places), sorted(self._allowed(allowed_special)), text=repaired
        )
        return tuple(_strings(meta.get("rewriting")))

    def encode(self, text: str, allowed_special: Collection[str] = (), **options: Any) -> list[int]:
        """See `Tokenizer.encode`."""
        ids: list[int] = self.tokenize(text, allowed_special, **options).ids.tolist()
        return ids

    def tokenize(self, text: str, allowed_special: Collection[str] = (), **options: Any) -> Tokenization:
        """See `Tokenizer.tokenize`."""
        repaired, replaced = repair(text)
        arguments = repaired, sorted(self._allowed(allowed_special)), options
        columns, _ = self.run(guarded_tasks.tokenize, *arguments, text=repaired)
        ids, offsets, special = (_column(columns, name) for name in ("ids", "byte_offsets", "special"))
        if not (len(ids) == len(special) and _tile(offsets, len(ids), len(repaired.encode()))):
            raise Failed(_BROKEN)
        tokenization = _Tokenization(
            *(repaired, ids, offsets),
            replaced=replaced,
            find_pretokens=partial(self._pretoken_index, *arguments),
            bytes_of=self._text_bytes,
        )
        tokenization.restore_caches({"special": special.astype(np.bool_)})
        return tokenization

    def pretokens(self, text: str, allowed_special: Collection[str] = ()) -> list[str]:
        """See `Tokenizer.pretokens`."""
        repaired, _ = repair(text)
        _, meta = self.run(guarded_tasks.pretokens, repaired, sorted(self._allowed(allowed_special)), text=repaired)
        return _strings(meta.get("pretokens"))

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """See `Tokenizer.decode_bytes`."""
        several = listed(ids, "ids", "token ids")
        unused = next((token for token in several if token not in self.vocab), None)
        if unused is not None:
            raise ValueError(self._not_in_use(unused))
        columns, _ = self._guard.run(guarded_tasks.decode, list(map(int, several)), size=4 * len(several))
        if "bytes" not in columns or columns["bytes"].dtype != np.uint8:
            raise Failed(_BROKEN)
        return columns["bytes"].tobytes()

    def rank_columns(self, ids: Int32Array) -> Columns:
        """Return what `rank_columns` does (see `widgets.columns`)."""
        columns, _ = self._guard.run(guarded_tasks.ranks, ids.tolist(), size=4 * len(ids), seconds=STEPS_SECONDS)
        if not columns:
            return {}
        ranks = _column(columns, "ranks")
        if len(ranks) != len(ids):
            raise Failed(_BROKEN)
        return {"ranks": ranks}

    def stages_data(self, text: str, allowed_special: Collection[str] = ()) -> dict[str, Any]:
        """Return what `stages_data` does (see `widgets.text_stages`)."""
        repaired, _ = repair(text)
        _, meta = self.run(guarded_tasks.stages, repaired, sorted(self._allowed(allowed_special)), text=repaired)
        return meta

    def steps(self, text: str, allowed_special: Collection[str] = (), order: Order = "rank") -> Answer:
        """Return what `steps_of` does (see `widgets.replay_views`)."""
        repaired, _ = repair(text)
        arguments = repaired, sorted(self._allowed(allowed_special)), order
        columns, meta = self.run(guarded_tasks.steps, *arguments, text=repaired, seconds=STEPS_SECONDS)
        view = meta.get("view")
        if view is not None and not (view in VIEWS and isinstance(meta.get(view), dict)):
            raise Failed(_BROKEN)
        return columns, meta | {"story": "apply", "tokenizer": self.name}

    def seek(self, text: str, allowed_special: Collection[str] = ()) -> Answer:
        """Return what `seek_columns` does (see `widgets.seeks`)."""
        repaired, _ = repair(text)
        allowed = sorted(self._allowed(allowed_special))
        return self.run(guarded_tasks.seek, repaired, allowed, text=repaired, seconds=STEPS_SECONDS)

    def run(
        self,
        task: Callable[..., Answer],
        *arguments: object,
        text: str,
        seconds: float | None = None,
        most: int = MAX_ANSWER,
    ) -> Answer:
        """Return `task(tokenizer, *arguments)`, called with the tokenizer in its process. See `Guard.run`."""
        size = len(text.encode("utf-8", "surrogatepass"))
        if size > MAX_TEXT:
            raise Refused(f"this tokenizer takes a text of up to {MAX_TEXT // 1000:,} KB here, not {size // 1000:,} KB")
        return self._guard.run(task, *arguments, size=size, seconds=seconds, most=most)

    def _pretoken_index(self, text: str, allowed: list[str], options: Mapping[str, Any]) -> Int32Array:
        columns, _ = self.run(guarded_tasks.find_pretokens, text, allowed, options, text=text)
        return _column(columns, "pretoken_index")

    def _with_split_patterns(self, patterns: tuple[str, ...]) -> Self:
        if patterns == self.split_patterns:
            return self
        raise ValueError(f"{self.name} cuts a text in its own engine, which takes no other split pattern")

    def _encode_ordinary(self, text: str) -> list[int]:
        return self.encode(text)

    def _lengths(self, text: str, ids: Int32Array) -> Int32Array:
        return np.diff(self.tokenize(text).byte_offsets)


def memory_with_files(tokenizer: Tokenizer) -> int:
    """Estimate the bytes of the server's memory that a tokenizer takes, with the files of one in a guarded process."""
    return memory_of(tokenizer) + (tokenizer.held_bytes if isinstance(tokenizer, GuardedTokenizer) else 0)


class _Tokenization(Tokenization):
    """A Tokenization that asks for its pre-tokens when they are needed."""

    def __init__(self, *columns: Any, find_pretokens: Callable[[], Int32Array], **options: Any) -> None:
        super().__init__(*columns, pretokens=columns[1], **options)
        self._find_pretokens = find_pretokens

    @cached_property
    def pretoken_index(self) -> Int32Array:
        """See `Tokenization.pretoken_index`."""
        index = self._find_pretokens()
        if len(index) != len(self) or (np.diff(index, prepend=0) < 0).any():
            raise Failed(_BROKEN)
        return index


def _column(columns: Columns, name: str) -> Int32Array:
    if name not in columns:
        raise Failed(_BROKEN)
    return columns[name].astype(np.int32, copy=False)


def _vocabulary(columns: Columns) -> dict[int, bytes]:
    ids, ends = columns["ids"].tolist(), np.cumsum(columns["lengths"]).tolist()
    data = columns["bytes"].tobytes()
    if (columns["lengths"] < 0).any() or min(ids, default=0) < 0:
        raise ValueError
    return {token: data[start:end] for token, start, end in zip(ids, [0, *ends], ends, strict=False)}


def _tile(offsets: Int32Array, tokens: int, size: int) -> bool:
    """Return whether offsets are those of `tokens` tokens that tile a text of `size` bytes, or of no token at all."""
    is_framed = len(offsets) == tokens + 1 and offsets[0] == 0 and (offsets[-1] == size or not tokens)
    return bool(is_framed and (np.diff(offsets) >= 0).all())


def _strings(values: object) -> list[str]:
    if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
        raise Failed(_BROKEN)
    return values
