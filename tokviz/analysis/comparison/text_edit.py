"""The part in which two texts differ, also in a sentence."""

from collections.abc import Callable
from typing import NamedTuple
from unicodedata import normalize

from tokviz.analysis.comparison.cuts import spell
from tokviz.display import code_point, token_text
from tokviz.texts import in_common

_MAX_CONTEXT = 20
"""Maximum characters quoted to say where the texts differ, and spelled by their code points."""

Speller = Callable[[str | bytes], str]
"""Spells a piece of a text."""


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
    old, new = told_apart(lambda say: say(removed), lambda say: say(added))
    return f"The second text has “{new}” instead of “{old}”{where}."


def told_apart(one: Callable[[Speller], str], other: Callable[[Speller], str]) -> tuple[str, str]:
    """Spell two texts, by their code points where they would look alike: é as one character and as two."""
    spelled = one(spell), other(spell)
    if not spelled[0] or normalize("NFC", spelled[0]) != normalize("NFC", spelled[1]):
        return spelled
    return one(_by_code), other(_by_code)


def _by_code(piece: str | bytes) -> str:
    text = piece if isinstance(piece, str) else token_text(piece)
    if text is None:
        return spell(piece)
    return " ".join([*map(code_point, text[:_MAX_CONTEXT]), *(["…"] if len(text) > _MAX_CONTEXT else [])])


def _context(before: str) -> str:
    return ("…" if len(before) > _MAX_CONTEXT else "") + spell(before[-_MAX_CONTEXT:])
