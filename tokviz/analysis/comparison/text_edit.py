"""The part in which two texts differ."""

from typing import NamedTuple

from tokviz.texts import in_common


class TextEdit(NamedTuple):
    """A part of the first text, and its replacement in the second: `removed` and `added`, either of which may be empty.

    `before` and `after` are what both texts have in common at the beginning and at the end.
    """

    before: str
    removed: str
    added: str
    after: str


def edit_between(first: str, second: str) -> TextEdit:
    """Return the shortest edit that turns the first text into the second, between what both begin and end with."""
    start = in_common(first, second)
    rest = first[start:], second[start:]
    end = in_common(rest[0][::-1], rest[1][::-1])
    removed, added = (text[: len(text) - end] for text in rest)
    return TextEdit(first[:start], removed, added, rest[0][len(removed) :])
