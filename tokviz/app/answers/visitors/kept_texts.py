"""The texts that sessions keep, under unguessable ids."""

import weakref
from secrets import token_urlsafe
from sys import getsizeof

from tokviz.app.shields.fairness.budgets import Budget, Holding
from tokviz.app.shields.fairness.visitors import NOBODY, Visitor

MAX_TEXTS = 100_000_000
"""Maximum bytes of memory for the texts of all sessions; the largest of the address with the most is dropped."""

_texts = Budget(MAX_TEXTS)


class KeptText:
    """A session's text, which counts as held until it is replaced or its session ends. Raises LetGo.

    `text` becomes None when others need the room. `id` is for fetching it.
    """

    def __init__(self, text: str, visitor: Visitor = NOBODY) -> None:
        self.text: str | None = text
        self.id = token_urlsafe(16)
        kept = weakref.ref(self)
        holding = Holding(_texts, visitor, lambda: _drop(kept))
        weakref.finalize(self, holding.close)
        holding.hold(getsizeof(text))
        _by_id[self.id] = self


_by_id: weakref.WeakValueDictionary[str, KeptText] = weakref.WeakValueDictionary()


def find(id: str) -> str | None:
    """Return the text that is kept under an id, or None if there is none any more."""
    kept = _by_id.get(id)
    return kept.text if kept else None


def _drop(kept: "weakref.ref[KeptText]") -> None:
    found = kept()
    if found is not None:
        found.text = None
