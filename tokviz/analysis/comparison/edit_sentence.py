"""Say in a sentence in what two texts differ."""

from unicodedata import normalize

from tokviz.analysis.comparison.cuts import spell
from tokviz.analysis.comparison.text_edit import TextEdit

_MAX_CONTEXT = 20
"""Maximum characters quoted to say where the texts differ."""


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
