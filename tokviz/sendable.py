"""Objects that are often sent to other processes, as `pool.map(tok.encode, texts)` does with a tokenizer.

They are immutable, so a process needs only one copy. Each has a key, by which it is found in the process that created
it, in children forked from that, and in processes that have received it before: these don't rebuild it. Objects shipped
with tokviz are not sent at all: the other process loads them.
"""

import io
import pickle
from collections import deque
from collections.abc import Callable
from functools import cached_property
from typing import Any, Self, SupportsIndex
from uuid import uuid4
from weakref import WeakValueDictionary

from tokviz.immutable import Immutable

_objects_by_key: "WeakValueDictionary[str, Sendable]" = WeakValueDictionary()
# Keeps the last objects received alive between a pool's tasks, which hold them only while a task runs.
_last_received: "deque[Sendable]" = deque(maxlen=2)


class Sendable(Immutable):
    """Immutable object of which a process holds one copy, however often it is unpickled there."""

    # How any process can load this object, if it can, and the attributes changed after loading.
    _load: "Callable[[], Sendable] | None" = None
    _changes: tuple[tuple[str, Any], ...] = ()
    _key: str

    def __new__(cls, *_: Any, **__: Any) -> Self:
        """Create an object and register it under a new key."""
        instance = super().__new__(cls)
        instance._register(uuid4().hex)
        return instance

    def _register(self, key: str) -> None:
        vars(self)["_key"] = key
        _objects_by_key[key] = self

    def _changed(self, **changes: Any) -> Self:
        """Return a copy with some attributes changed, on which no cached property may depend."""
        copy = type(self).__new__(type(self))
        attributes = vars(self) | changes | {"_changes": (*self._changes, *changes.items()), "_key": copy._key}
        vars(copy).update(attributes)
        vars(copy).pop("_pickled", None)
        return copy

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        if self._load is None:
            return _receive, (self._key, self._pickled)
        return _load_and_change, (self._load, self._changes)

    @cached_property
    def _pickled(self) -> bytes:
        return pickle.dumps((type(self), self.__getstate__()), pickle.HIGHEST_PROTOCOL)


class PythonFile:
    """A file object in Python, from which unpickling lets other threads run now and then, unlike `pickle.loads`."""

    def __init__(self, data: bytes) -> None:
        self._file = io.BytesIO(data)

    def read(self, size: int, /) -> bytes:
        """Return the next bytes."""
        return self._file.read(size)

    def readline(self) -> bytes:
        """Return the next line."""
        return self._file.readline()


def _receive(key: str, pickled: bytes) -> Sendable:
    received = _objects_by_key.get(key)
    if received is None:
        cls, attributes = pickle.load(PythonFile(pickled))
        received = cls.__new__(cls)
        vars(received).update(attributes)
        received._register(key)
    _last_received.append(received)
    return received


def _load_and_change(load: Callable[[], Sendable], changes: tuple[tuple[str, Any], ...]) -> Sendable:
    loaded = load()
    return loaded._changed(**dict(changes)) if changes else loaded
