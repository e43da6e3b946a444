"""Objects that stay as they were made, and pickles of them that hold no caches."""

from abc import ABCMeta
from functools import cached_property
from typing import Any


class PickledWithoutCaches:
    """Leaves the values of cached properties out of pickles: they can be worked out again."""

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if not _is_cache(self, name)}


def _is_cache(owner: object, name: str) -> bool:
    return isinstance(getattr(type(owner), name, None), cached_property)


class _SealedWhenMade(ABCMeta):
    """The type of classes whose objects can't be changed once `__init__` has returned."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        made = super().__call__(*args, **kwargs)
        vars(made)["_is_sealed"] = True
        return made


class Immutable(PickledWithoutCaches, metaclass=_SealedWhenMade):
    """Objects whose attributes can be set in `__init__` only. Cached properties work as ever."""

    _INSTEAD = ""
    """How people get another object, as the message's last words."""

    def __setattr__(self, name: str, value: object) -> None:
        self._refuse_if_sealed(name)
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        self._refuse_if_sealed(name)
        super().__delattr__(name)

    def _refuse_if_sealed(self, name: str) -> None:
        if "_is_sealed" in vars(self):
            raise AttributeError(f"can't set {name!r}: a {type(self).__name__} stays as it was made{self._INSTEAD}")
