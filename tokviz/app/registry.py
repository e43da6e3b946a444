"""Which tokenizers the app knows by name, in one place for all sessions and for the route.

There are those that tokviz ships, the two simplest, and those that a session made: trained or opened from a file.
These stand under an id that can't be guessed, so that whoever has the id may use them and nobody else.
"""

import secrets
from collections import OrderedDict
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Literal

from tiktoken.model import MODEL_PREFIX_TO_ENCODING, MODEL_TO_ENCODING

from tokviz.pretrained import load
from tokviz.tokenizers import ByteTokenizer, CharacterTokenizer, Tokenizer

DEFAULT = "cl100k_base"
"""The tokenizer that a page begins with."""

WORDS = "words"
"""In the list for people, but with no vocabulary of its own: its words are learned from a text each time."""

_SIMPLE = {"code-points": CharacterTokenizer, "bytes": ByteTokenizer}


@dataclass(frozen=True, slots=True)
class Description:
    """What people are told of a tokenizer before they choose it.

    `models` are the models that use it, as tiktoken lists them; "gpt-4o-*" stands for all names that begin so.
    `vocab_size` is None where it depends on the text. A "simple" one is there to compare subwords with.
    """

    name: str
    label: str
    vocab_size: int | None
    models: tuple[str, ...]
    kind: Literal["bpe", "simple"]


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


class Registry:
    """Names -> tokenizers. May be used from several threads.

    No more than `limit` tokenizers are kept for sessions; the one that was used longest ago goes first.
    """

    def __init__(self, limit: int = 200) -> None:
        self._limit = limit
        self._ready: dict[str, Tokenizer] = {}
        self._registered: OrderedDict[str, Tokenizer] = OrderedDict()
        self._lock = Lock()

    def get(self, name: str) -> Tokenizer:
        """The tokenizer of that name or id. The first time, a shipped one takes a while to load.

        Raises LookupError with a sentence for people.
        """
        with self._lock:
            if name in self._registered:
                self._registered.move_to_end(name)
                return self._registered[name]
        return self._ready[name] if name in self._ready else self._load(name)

    def is_ready(self, name: str) -> bool:
        """Whether `get` answers at once, with a tokenizer whose speed is known: not one that a session made."""
        return name in self._ready

    def register(self, tokenizer: Tokenizer) -> str:
        """Keep a session's tokenizer, and return the id under which it is found from now on."""
        made_up = secrets.token_urlsafe(16)
        with self._lock:
            self._registered[made_up] = tokenizer
            while len(self._registered) > self._limit:
                self._registered.popitem(last=False)
        return made_up

    def forget(self, name: str) -> None:
        """Drop a session's tokenizer. It may be gone already."""
        with self._lock:
            self._registered.pop(name, None)

    def _load(self, name: str) -> Tokenizer:
        if name in _SIMPLE:
            tokenizer: Tokenizer = _SIMPLE[name]()
        elif name in (shipped for shipped, _, _ in _SHIPPED):
            tokenizer = load(name)
        else:
            raise LookupError(
                "This tokenizer is not known here. One that you made yourself is kept only for a while: make it again."
            )
        tokenizer.tokenize("ready")  # builds what a tokenizer builds when it is first used
        self._ready[name] = tokenizer
        return tokenizer


registry = Registry()
"""The one that all sessions and the route share."""
