"""Checks of what is given to a tokenizer."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

T = TypeVar("T")


def listed(several: Iterable[T], what: str, kind: str) -> list[T]:
    """Return `several` as a list. Raises TypeError for what can be iterated over by mistake, such as a str."""
    if isinstance(several, str | bytes | bytearray | Mapping) or not isinstance(several, Iterable):
        raise TypeError(f"{what} must be a list of {kind}, not {type(several).__name__}")
    return list(several)


def check_whole_number(number: object, name: str) -> int:
    """Return `number`, which must be a whole number of at least 0. Raises TypeError or ValueError."""
    if not isinstance(number, int) or isinstance(number, bool):
        raise TypeError(f"{name} must be a whole number, not {number!r:.60}")
    if number < 0:
        raise ValueError(f"{name} must be 0 or more, not {number}")
    return number
