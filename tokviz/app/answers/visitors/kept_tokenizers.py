"""Registry of tokenizers by name, shared by all sessions and routes.

It holds the tokenizers that tokviz ships, the two simplest, and those that sessions trained or opened from files. The
latter are registered under unguessable ids, so that only those who have the id can use them.
"""

import math
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from threading import RLock
from typing import Any, Literal, TypeVar

from tokviz.app.answers.visitors.shipped_tokenizers import ENGINES, MAX_BY_ENGINE, SHIPPED, Description
from tokviz.app.shields.fairness.budgets import Budget, Holding, Kept
from tokviz.app.shields.fairness.visitors import NOBODY, Visitor
from tokviz.app.shields.processes.guarded import MAX_TEXT, GuardedTokenizer, memory_with_files
from tokviz.app.shields.processes.sizes import MAX_KEPT_EACH, size_of
from tokviz.chats.templates import ChatTemplate
from tokviz.loading import load_shipped
from tokviz.samples import sample
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.simple import ByteTokenizer, CharacterTokenizer
from tokviz.tokenizers.surrounding import Surrounding, surrounding
from tokviz.tokenizers.train import train

DEFAULT = "cl100k_base"
"""Name of the tokenizer that pages start with."""

WORDS = "words"
"""Name of the words tokenizer. It is listed for people, but learns its vocabulary from each text anew."""

LEARNED_FIRST = "training-rain"
"""Name of the sample that the Train page opens with, and of what is learned from it, once for all visitors."""

_SIMPLE = {"code-points": CharacterTokenizer, "bytes": ByteTokenizer}


_UNKNOWN = "This tokenizer is not known here. One that you made yourself is kept only for a while: make it again."


T = TypeVar("T")


class NotKept(LookupError):
    """This server doesn't keep, or no longer, the tokenizer or training asked for. The message is for people."""


def _put_around(tokenizer: Tokenizer) -> Surrounding:
    """Return the special tokens that a tokenizer puts around a text, as its engine does, where that is known."""
    if tokenizer.merges_here:  # whose special tokens may lack one that the file names
        return surrounding(tokenizer.unapplied.get("post_processor"))
    if not tokenizer.is_around_known:
        return Surrounding()
    names = [tuple(tokenizer.vocab[token].decode("utf-8", "replace") for token in side) for side in tokenizer.around]
    return Surrounding(*names)


_TO_COMPARE = (
    Description(
        "code-points", "Code points", 0x110000, 0x110000 - 0x800, (), "simple", "code-points"
    ),  # surrogates are no characters
    Description("bytes", "Bytes", 256, 256, (), "simple", "bytes"),
    Description(WORDS, "Words", None, None, (), "simple", WORDS),
)

DESCRIPTIONS = (*SHIPPED, *_TO_COMPARE)
"""The tokenizers available to everyone, in the order in which they are offered."""

MAX_TOKENIZERS = 200
"""Maximum tokenizers of all visitors."""

MAX_KEPT = 300_000_000
"""Maximum bytes of memory for the tokenizers of all visitors, as estimated by `memory_with_files`."""

MAX_TABLES = 150_000_000
"""Maximum bytes of memory for cached tables computed from tokenizers, and from texts with them. One for 200,000 tokens
takes up to 90 MB."""


KEPT_HOURS = 1.0
"""Hours that a visitor's tokenizer is kept after the last session has released it."""


@dataclass
class _Kept:
    """A visitor's tokenizer, the memory that it holds, its chat template, the number of sessions holding it, and the
    last release time."""

    tokenizer: Tokenizer
    label: str
    recipe: str
    holding: Holding
    surrounding: Surrounding
    template: ChatTemplate | None
    from_link: bool
    holders: int = 1
    released: float = 0.0

    def count(self, sessions: int) -> None:
        """Count so many more sessions that hold it."""
        self.holders += sessions
        self.holding.is_needed = self.holders > 0


class Registry:
    """Names -> tokenizers. Thread-safe.

    Sessions can register at most `limit` tokenizers, of at most `size` bytes in all and `each` bytes per visitor. When
    there are more, the largest holder's are evicted: first those that no session holds, then the others, least
    recently used first. A tokenizer that no session holds is dropped after `patience` seconds rather than at once,
    since a session that lost its connection may come back under another name.
    """

    def __init__(
        self,
        limit: int = MAX_TOKENIZERS,
        size: int = MAX_KEPT,
        each: int = MAX_KEPT_EACH,
        patience: float = 3600 * KEPT_HOURS,
    ) -> None:
        self._budget = Budget(size, limit, each, oldest_first=True, spares_newest=True)
        self._patience = patience
        self._ready: dict[str, Tokenizer] = {}
        self._registered: dict[str, _Kept] = {}
        self._tables: Kept[tuple[str, str], Any] = Kept(Budget(MAX_TABLES, oldest_first=True))
        # Reentrant, since a session may be garbage-collected at any moment, which releases its tokenizers.
        self._lock = RLock()

    def get(self, name: str) -> Tokenizer:
        """Return the tokenizer with this name or id. A shipped one takes a while to load the first time.

        Raises NotKept.
        """
        with self._lock:
            kept = self._registered.get(name)
            if kept is not None:
                self._budget.use(kept.holding)
                return kept.tokenizer
        return self._ready[name] if name in self._ready else self._load(name)

    def is_ready(self, name: str) -> bool:
        """True if `get` returns at once, with a tokenizer of known speed: not one that a session registered."""
        return name in self._ready

    def is_guarded(self, name: str) -> bool:
        """True for a session's tokenizer that runs in a process of its own, which may take long for any text."""
        kept = self._registered.get(name)
        return kept is not None and isinstance(kept.tokenizer, GuardedTokenizer)

    def too_long_for_engines(self, size: int, names: Iterable[str]) -> str | None:
        """Return why a text of `size` bytes is too long for the library that runs one of these tokenizers, if so."""
        for name in dict.fromkeys(names):
            is_guarded = self.is_guarded(name)
            limit = MAX_TEXT if is_guarded else MAX_BY_ENGINE
            if size > limit and (is_guarded or name in ENGINES):
                shipped = next((each for each in SHIPPED if each.name == name), None)
                return (
                    f"{(shipped or self.describe(name)).label} takes a text of up to {limit // 1000:,} KB here; this "
                    f"one has {size // 1000:,} KB. Choose another tokenizer, or a part of the text"
                )
        return None

    def table(self, name: str, kind: str, work: Callable[[], T], seconds: float = math.inf) -> T:
        """Return the result of `work` for a tokenizer, cached for `seconds` and as long as the tokenizer is kept.

        `kind` distinguishes several tables of one tokenizer. The least recently used ones are dropped.
        """
        key = (name, kind)
        kept: T | None = self._tables.get(key)
        if kept is not None:
            return kept
        table = work()
        size = size_of(table)
        with self._lock:
            if name in self._registered or name in self._ready:
                self._tables.put(key, table, size, seconds)
        return table

    def register(
        self,
        tokenizer: Tokenizer,
        label: str = "",
        recipe: str = "",
        visitor: Visitor = NOBODY,
        *,
        template: ChatTemplate | None = None,
        from_link: bool = False,
    ) -> str:
        """Register a session's tokenizer and return its id. Measuring it takes up to 50 ms: not for the event loop.

        The session holds it until it calls `release`. `label` is the name that people see, `recipe` is as in
        `Description`, `template` is the chat template among its files. Only a tokenizer that was rebuilt `from_link` is
        shared with all who open a link with its code.
        """
        id = secrets.token_urlsafe(16)
        size = memory_with_files(tokenizer)
        size += 0 if template is None else size_of(template)
        holding = Holding(self._budget, visitor, partial(self._drop, id))
        kept = _Kept(tokenizer, label, recipe, holding, _put_around(tokenizer), template, from_link)
        with self._lock:
            self._registered[id] = kept
            self.tidy()
            holding.hold(max(1, size))
        return id

    def has(self, name: str) -> bool:
        """True if a session's tokenizer with this id is kept."""
        return name in self._registered

    def rebuilt_from(self, recipe: str) -> str | None:
        """Return the id of a tokenizer that was rebuilt from a link with this share code, or None."""
        with self._lock:
            names = (name for name, kept in self._registered.items() if kept.from_link and kept.recipe == recipe)
            return next(names, None)

    def describe(self, name: str) -> Description:
        """Describe a session's tokenizer. Raises NotKept if it is gone."""
        found = self.described(name)
        if found is None:
            raise NotKept(_UNKNOWN)
        return found

    def described(self, name: str) -> Description | None:
        """Describe a session's tokenizer; None if it is gone."""
        with self._lock:
            kept = self._registered.get(name)
        if kept is None:
            return None
        tokenizer = kept.tokenizer
        kind: Literal["bpe", "engine"] = "bpe" if tokenizer.merges_here else "engine"
        sizes = (tokenizer.vocab_size, len(tokenizer.vocab))
        thinks = None if kept.template is None else kept.template.thinks
        return Description(
            name, kept.label, *sizes, (), kind, tokenizer.algorithm, kept.recipe, kept.surrounding, thinks=thinks
        )

    def template(self, name: str) -> ChatTemplate | None:
        """Return the chat template that came with a session's tokenizer, None if there is none or it is gone."""
        kept = self._registered.get(name)
        return kept.template if kept else None

    def hold(self, name: str) -> None:
        """Count another session that holds this tokenizer. Do nothing if it is gone."""
        with self._lock:
            if name in self._registered:
                self._registered[name].count(1)

    def release(self, name: str) -> None:
        """Count one session less that holds this tokenizer. Do nothing if it is gone."""
        with self._lock:
            if name in self._registered:
                self._registered[name].count(-1)
                self._registered[name].released = time.monotonic()

    def forget(self, name: str) -> None:
        """Release a tokenizer for a session, and drop it at once unless other sessions hold it."""
        with self._lock:
            self.release(name)
            if name in self._registered and self._registered[name].holders <= 0:
                self._drop(name)

    def tidy(self) -> None:
        """Drop tokenizers that no session has held for `patience` seconds, and tables whose time is over."""
        with self._lock:
            now = time.monotonic()
            self._tables.tidy()
            for name, kept in list(self._registered.items()):
                if kept.holders <= 0 and now - kept.released > self._patience:
                    self._drop(name)

    def _drop(self, name: str) -> None:
        self._registered.pop(name).holding.close()
        for key in self._tables:
            if key[0] == name:
                self._tables.drop(key)

    def _load(self, name: str) -> Tokenizer:
        if name in _SIMPLE:
            tokenizer: Tokenizer = _SIMPLE[name]()
        elif any(name == each.name for each in SHIPPED):
            tokenizer = load_shipped(name)
        elif name == LEARNED_FIRST:
            tokenizer = train(sample(name).text, split_pattern="cl100k")
        else:
            raise NotKept(_UNKNOWN)
        tokenizer.tokenize("ready")  # builds what is built lazily on first use
        self._ready[name] = tokenizer
        return tokenizer


registry = Registry()
"""The registry shared by all sessions and routes."""
