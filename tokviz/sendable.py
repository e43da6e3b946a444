"""Objects that are sent to other processes often, as `pool.map(tok.encode, texts)` does with a tokenizer.

They are immutable, so no process needs to hold one twice. Each has a key; the process where it was made, the children
forked from it, and those where it has arrived before know it by that key and build nothing. What tokviz ships isn't
sent at all: the other process loads it.
"""

import pickle
from collections import deque
from collections.abc import Callable
from functools import cached_property
from typing import Any, Self, SupportsIndex
from uuid import uuid4
from weakref import WeakValueDictionary

from tokviz.immutable import Immutable

_known: "WeakValueDictionary[str, Sendable]" = WeakValueDictionary()
# Keeps the last arrivals alive between two tasks of a pool, which hold them only as long as they run.
_arrivals: "deque[Sendable]" = deque(maxlen=2)


class Sendable(Immutable):
    """An immutable object that a process holds once, however often it is unpickled there."""

    # How every process can load this object, where it can, and which attributes were changed afterwards.
    _load: "Callable[[], Sendable] | None" = None
    _changes: tuple[tuple[str, Any], ...] = ()
    _key: str

    def __new__(cls, *_: Any, **__: Any) -> Self:
        """Make an object that is known by a key of its own."""
        made = super().__new__(cls)
        made._is_known_as(uuid4().hex)
        return made

    def _is_known_as(self, key: str) -> None:
        vars(self)["_key"] = key
        _known[key] = self

    def _changed(self, **changes: Any) -> Self:
        """The same but for some attributes, on which no cached property may depend."""
        other = type(self).__new__(type(self))
        attributes = vars(self) | changes | {"_changes": (*self._changes, *changes.items()), "_key": other._key}
        vars(other).update(attributes)
        vars(other).pop("_pickled", None)
        return other

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        if self._load is None:
            return _arrive, (self._key, self._pickled)
        return _load_and_change, (self._load, self._changes)

    @cached_property
    def _pickled(self) -> bytes:
        return pickle.dumps((type(self), self.__getstate__()), pickle.HIGHEST_PROTOCOL)


def _arrive(key: str, pickled: bytes) -> Sendable:
    arrived = _known.get(key)
    if arrived is None:
        cls, attributes = pickle.loads(pickled)
        arrived = cls.__new__(cls)
        vars(arrived).update(attributes)
        arrived._is_known_as(key)
    _arrivals.append(arrived)
    return arrived


def _load_and_change(load: Callable[[], Sendable], changes: tuple[tuple[str, Any], ...]) -> Sendable:
    loaded = load()
    return loaded._changed(**dict(changes)) if changes else loaded
