"""Immutable objects, and pickling without cached properties."""

from abc import ABCMeta
from collections.abc import Mapping
from functools import cached_property
from typing import Any


class PickledWithoutCaches:
    """Mixin that leaves cached properties out of pickles, since they can be recomputed."""

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if not _is_cache(self, name)}

    def restore_caches(self, values: Mapping[str, Any]) -> None:
        """Set cached properties that were computed in another process. Raises ValueError for any other attribute."""
        others = [name for name in values if not _is_cache(self, name)]
        if others:
            raise ValueError(f"{', '.join(others)} can't be restored: not a cached property")
        vars(self).update(values)


def _is_cache(owner: object, name: str) -> bool:
    return isinstance(getattr(type(owner), name, None), cached_property)


class _SealingMeta(ABCMeta):
    """Metaclass that seals each instance once `__init__` has returned."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        instance = super().__call__(*args, **kwargs)
        vars(instance)["_is_sealed"] = True
        return instance


class Immutable(PickledWithoutCaches, metaclass=_SealingMeta):
    """Base class of objects whose attributes can be set only in `__init__`. Cached properties work as usual."""

    _CHANGE_HINT = ""
    """End of the error message, which says how to get a changed copy."""

    def __setattr__(self, name: str, value: object) -> None:
        if "_is_sealed" in vars(self):
            raise self._refusal(name)
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        if "_is_sealed" in vars(self):
            raise self._refusal(name)
        super().__delattr__(name)

    def _refusal(self, name: str) -> AttributeError:
        return AttributeError(f"can't set {name!r}: a {type(self).__name__} can't be changed{self._CHANGE_HINT}")
