"""Checks of what is given to a tokenizer."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

T = TypeVar("T")


def listed(several: Iterable[T], what: str, kind: str) -> list[T]:
    """Return `several` as a list. Raises TypeError for what can be iterated over by mistake, such as a str."""
    if isinstance(several, str | bytes | bytearray | Mapping) or not isinstance(several, Iterable):
        raise TypeError(f"{what} must be a list of {kind}, not {type(several).__name__}")
    return list(several)
