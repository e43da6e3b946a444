"""The part in which two texts differ, also in a sentence."""

from typing import NamedTuple
from unicodedata import normalize

from tokviz.analysis.comparison.cuts import spell
from tokviz.texts import in_common

_MAX_CONTEXT = 20
"""Maximum characters quoted to say where the texts differ."""


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


def say_edit(edit: TextEdit) -> str:
    """Say what the second text has more, lacks, or has instead of something, and where."""
    before, removed, added, after = edit
    if not removed and not added:
        return "The two texts are the same."
    where = "at the end" if not after else "at the start" if not before else f"after “{_context(before)}”"
    where = "" if not before and not after else f" {where}"
    if not removed:
        return f"The second text has “{spell(added)}” more{where}."
    if not added:
        return f"The second text lacks “{spell(removed)}”{where}."
    old, new = told_apart(spell(removed), spell(added))
    return f"The second text has “{new}” instead of “{old}”{where}."


def told_apart(one: str, other: str) -> tuple[str, str]:
    """Return two spellings, by their code points where they would look alike: é as one character and as two."""
    if not one or normalize("NFC", one) != normalize("NFC", other):
        return one, other
    by_code = [" ".join(f"U+{ord(char):04X}" for char in each) for each in (one, other)]
    return by_code[0], by_code[1]


def _context(before: str) -> str:
    return ("…" if len(before) > _MAX_CONTEXT else "") + spell(before[-_MAX_CONTEXT:])
