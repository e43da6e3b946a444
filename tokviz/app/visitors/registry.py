"""Which tokenizers the app knows by name, in one place for all sessions and for the route.

There are those that tokviz ships, the two simplest, and those that a session made: trained or opened from a file.
These stand under an id that can't be guessed, so that whoever has the id may use them and nobody else.
"""

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from threading import RLock
from typing import Any, Literal, TypeVar

from tiktoken.model import MODEL_PREFIX_TO_ENCODING, MODEL_TO_ENCODING

from tokviz.app.fairness.visitors import NOBODY, Visitor, largest_holder
from tokviz.app.processes.sizes import MAX_KEPT_EACH, memory_of
from tokviz.display import shorten
from tokviz.formats.surrounding import Surrounding, surrounding
from tokviz.pretrained import load
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.simple import ByteTokenizer, CharacterTokenizer

DEFAULT = "cl100k_base"
"""The tokenizer that a page begins with."""

WORDS = "words"
"""In the list for people, but with no vocabulary of its own: its words are learned from a text each time."""

_SIMPLE = {"code-points": CharacterTokenizer, "bytes": ByteTokenizer}


_MOST_LISTED = 4
"""Special tokens around a text that are named to people."""

_NOTHING = Surrounding()

_UNKNOWN = "This tokenizer is not known here. One that you made yourself is kept only for a while: make it again."


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Description:
    """What people are told of a tokenizer before they choose it.

    `models` are the models that use it, as tiktoken lists them; "gpt-4o-*" stands for all names that begin so.
    `vocab_size` is None where it depends on the text. A "simple" one is there to compare subwords with. `recipe` is how
    to make a session's own again, as `recipes` writes it: "" where that is too long for a link, or not known. It is
    None where everyone has the tokenizer. `surrounding` are the special tokens that its file puts around a text.
    """

    name: str
    label: str
    vocab_size: int | None
    models: tuple[str, ...]
    kind: Literal["bpe", "simple"]
    recipe: str | None = None
    surrounding: Surrounding = _NOTHING

    @property
    def short(self) -> str:
        """The label without the models, which stand in brackets. What people call their own is left as it is."""
        return self.label.split(" (")[0] if self.recipe is None else self.label

    def as_data(self) -> dict[str, Any]:
        """As the widgets take it."""
        return {
            "name": self.name,
            "label": self.label,
            "vocabSize": self.vocab_size,
            "models": self.models,
            "kind": self.kind,
            "recipe": self.recipe,
            "before": _listed(self.surrounding.before),
            "after": _listed(self.surrounding.after),
        }


def _listed(texts: tuple[str, ...]) -> dict[str, Any]:
    """The first few texts, shortened, and how many more there are: a file may hold very many and very long ones."""
    return {"texts": [shorten(text) for text in texts[:_MOST_LISTED]], "more": len(texts[_MOST_LISTED:])}


# Name, label and size of the vocabulary. The sizes stand here so that no vocabulary is loaded just to tell its size.
_SHIPPED = (
    ("cl100k_base", "cl100k (GPT-4, GPT-3.5)", 100277),
    ("o200k_base", "o200k (GPT-5, GPT-4o)", 200019),
    ("o200k_harmony", "o200k harmony (gpt-oss)", 201088),
    ("gpt2", "GPT-2", 50257),
    ("r50k_base", "r50k (GPT-3)", 50257),
    ("p50k_base", "p50k (GPT-3.5 text, Codex)", 50281),
    ("p50k_edit", "p50k edit (GPT-3.5 and Codex, editing)", 50284),
)
_TO_COMPARE = (("code-points", "Code points", 0x110000), ("bytes", "Bytes", 256), (WORDS, "Words", None))


@cache
def descriptions() -> tuple[Description, ...]:
    """The tokenizers that everyone has, in the order in which they are offered."""
    shipped = [Description(name, label, size, _models(name), "bpe") for name, label, size in _SHIPPED]
    simple = [Description(name, label, size, (), "simple") for name, label, size in _TO_COMPARE]
    return (*shipped, *simple)


def _models(name: str) -> tuple[str, ...]:
    exact = [model for model, encoding in MODEL_TO_ENCODING.items() if encoding == name]
    beginnings = [f"{prefix}*" for prefix, encoding in MODEL_PREFIX_TO_ENCODING.items() if encoding == name]
    return (*exact, *beginnings)


MAX_KEPT = 400_000_000
"""Bytes that the tokenizers of all visitors may take, as `memory_of` estimates them."""

MOST_TABLES = 8
"""So many tables that were made of tokenizers are kept. One of a vocabulary of 200,000 tokens takes 64 MB."""


KEPT_HOURS = 1.0
"""How long a visitor's tokenizer is kept once no session holds it."""


@dataclass
class _Kept:
    """A visitor's tokenizer, who made it, how many sessions hold it, and when one last let go of it."""

    tokenizer: Tokenizer
    label: str
    recipe: str
    visitor: Visitor
    size: int
    holders: int = 1
    released: float = 0.0


class Registry:
    """Names -> tokenizers. May be used from several threads.

    No more than `limit` tokenizers that take `size` bytes in all, and `each` of one visitor, are kept for sessions.
    Where there are more, the largest holder's go first: those that no session holds, then the others, in the order in
    which they were used. One that no session holds any more goes after a while: a session that was lost with its
    connection may come back under another name.
    """

    def __init__(
        self, limit: int = 200, size: int = MAX_KEPT, each: int = MAX_KEPT_EACH, patience: float = 3600 * KEPT_HOURS
    ) -> None:
        self._limit = limit
        self._size = size
        self._each = each
        self._patience = patience
        self._ready: dict[str, Tokenizer] = {}
        self._registered: OrderedDict[str, _Kept] = OrderedDict()
        self._tables: OrderedDict[tuple[str, str], Any] = OrderedDict()
        # Reentrant, since a session that is collected as garbage may let go of its tokenizers at any moment.
        self._lock = RLock()

    def get(self, name: str) -> Tokenizer:
        """The tokenizer of that name or id. The first time, a shipped one takes a while to load.

        Raises LookupError with a sentence for people.
        """
        with self._lock:
            if name in self._registered:
                self._registered.move_to_end(name)
                return self._registered[name].tokenizer
        return self._ready[name] if name in self._ready else self._load(name)

    def is_ready(self, name: str) -> bool:
        """Whether `get` answers at once, with a tokenizer whose speed is known: not one that a session made."""
        return name in self._ready

    def table(self, name: str, kind: str, work: Callable[[], T]) -> T:
        """What `work` makes of the tokenizer of that name: kept as long as the tokenizer, `MOST_TABLES` in all.

        `kind` tells apart what is made of one tokenizer.
        """
        key = (name, kind)
        with self._lock:
            if key in self._tables:
                self._tables.move_to_end(key)
                found: T = self._tables[key]
                return found
        made = work()
        with self._lock:
            if name in self._registered or name in self._ready:
                self._tables[key] = made
            if len(self._tables) > MOST_TABLES:
                self._tables.popitem(last=False)
        return made

    def register(self, tokenizer: Tokenizer, label: str = "", recipe: str = "", visitor: Visitor = NOBODY) -> str:
        """Keep a session's tokenizer, and return the id under which it is found from now on.

        The session holds it until it calls `release`. `label` is what people call it, `recipe` as in `Description`.
        """
        made_up = secrets.token_urlsafe(16)
        with self._lock:
            self._registered[made_up] = _Kept(tokenizer, label, recipe, visitor, memory_of(tokenizer))
            self.tidy()
            self._make_room(made_up)
        return made_up

    def has(self, name: str) -> bool:
        """Whether a session's tokenizer of this id is kept."""
        return name in self._registered

    def made_by(self, recipe: str) -> str | None:
        """The id of a session's tokenizer that was made by this recipe."""
        with self._lock:
            return next((name for name, kept in self._registered.items() if kept.recipe == recipe), None)

    def describe(self, name: str) -> Description:
        """What people are told of a session's tokenizer. Raises LookupError if it is gone."""
        with self._lock:
            kept = self._registered.get(name)
        if kept is None:
            raise LookupError(_UNKNOWN)
        around = surrounding(kept.tokenizer) if isinstance(kept.tokenizer, BPETokenizer) else _NOTHING
        return Description(name, kept.label, kept.tokenizer.vocab_size, (), "bpe", kept.recipe, around)

    def hold(self, name: str) -> None:
        """Another session has this tokenizer as well. It may be gone already."""
        with self._lock:
            if name in self._registered:
                self._registered[name].holders += 1

    def release(self, name: str) -> None:
        """A session that held a tokenizer has ended. It may be gone already."""
        with self._lock:
            if name in self._registered:
                self._registered[name].holders -= 1
                self._registered[name].released = time.monotonic()

    def forget(self, name: str) -> None:
        """A session that held a tokenizer is done with it: it goes at once, unless others hold it."""
        with self._lock:
            self.release(name)
            if name in self._registered and self._registered[name].holders <= 0:
                self._drop(name)

    def tidy(self) -> None:
        """Drop what nobody has held for a while."""
        with self._lock:
            now = time.monotonic()
            for name, kept in list(self._registered.items()):
                if kept.holders <= 0 and now - kept.released > self._patience:
                    self._drop(name)

    def _make_room(self, newest: str) -> None:
        """Drop what is too much, but not the newest."""
        visitor = self._registered[newest].visitor
        while sum(kept.size for kept in self._registered.values() if kept.visitor == visitor) > self._each:
            if not self._evict(newest, lambda kept: kept.size, lambda other: other == visitor):
                break
        while len(self._registered) > self._limit and self._evict(newest, lambda _: 1):
            pass
        while sum(kept.size for kept in self._registered.values()) > self._size:
            if not self._evict(newest, lambda kept: kept.size):
                break

    def _evict(
        self, newest: str, amount: Callable[[_Kept], int], among: Callable[[Visitor], bool] = lambda _: True
    ) -> bool:
        """Drop one tokenizer of those who have the most; False if there is none but the newest."""
        held = [(kept.visitor, amount(kept)) for kept in self._registered.values() if among(kept.visitor)]
        largest = largest_holder(held)
        candidates = {
            name: kept
            for name, kept in self._registered.items()
            if name != newest and among(kept.visitor) and kept.visitor.address == largest.address
        }
        if not candidates:
            return False
        # Of equals the first, which is the one that was used longest ago.
        self._drop(
            min(candidates, key=lambda name: (candidates[name].holders > 0, candidates[name].visitor != largest))
        )
        return True

    def _drop(self, name: str) -> None:
        del self._registered[name]
        for key in [key for key in self._tables if key[0] == name]:
            del self._tables[key]

    def _load(self, name: str) -> Tokenizer:
        if name in _SIMPLE:
            tokenizer: Tokenizer = _SIMPLE[name]()
        elif name in (shipped for shipped, _, _ in _SHIPPED):
            tokenizer = load(name)
        else:
            raise LookupError(_UNKNOWN)
        tokenizer.tokenize("ready")  # builds what a tokenizer builds when it is first used
        self._ready[name] = tokenizer
        return tokenizer


registry = Registry()
"""The one that all sessions and the route share."""
