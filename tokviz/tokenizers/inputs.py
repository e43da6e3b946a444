"""Checks of what is given to a tokenizer."""

from collections.abc import Collection, Iterable, Mapping
from typing import TypeVar

from tokviz.display import quote
from tokviz.pretokens.special_tokens import find

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


def check_disallowed(
    text: str, disallowed: Collection[str], special_tokens: Mapping[str, int], allowed: frozenset[str]
) -> None:
    """Raise ValueError if a text holds one of the special tokens `disallowed`; "all" are those that aren't allowed."""
    if not disallowed:  # the usual case, in which a list of a thousand special tokens would take most of the time
        return
    if isinstance(disallowed, str) and disallowed != "all":
        raise TypeError(f'disallowed_special must be several texts, or "all", not {quote(disallowed)}')
    others = special_tokens.keys() - allowed
    spans = find(text, others if isinstance(disallowed, str) else listed(disallowed, "disallowed_special", "texts"))
    if len(spans):
        found, place = text[spans[0] : spans[1]], spans[0]
        raise ValueError(
            f"the text holds the special token {quote(found)} at position {place}, counted from 0: list it in "
            "allowed_special to read it as one, or leave disallowed_special out to read it as text"
        )
