"""Split patterns in the regex syntax of Hugging Face's `tokenizers`, whose engine is Oniguruma with Ruby's syntax.

Most of what split patterns need means the same there as in Python's `regex`. This module reads a pattern part by part,
rewrites the few parts that are spelled differently, and refuses, by name, what is not in its list: a pattern and its
spelling cut every text alike, by the library's Unicode tables (see `pretokens.unicode_tables`).
"""

import re
from dataclasses import dataclass, field

from tokviz.display import quote
from tokviz.formats.checks import MAX_PATTERN

_MAX_DEPTH = 50
_MAX_REPEAT = 1_000

_PROPERTY = (
    r"\\[pP]\{\^?(?:L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|Han|Hiragana|Katakana|Hangul|Latin|Greek"
    r"|Cyrillic|Arabic|Hebrew|Thai|Devanagari|Bengali|Tamil|Telugu)\}"
)
_ESCAPED = r"\\[nrtfv]|\\[!-/:-@\[-`{-~]"
_IN_SET = rf"{_ESCAPED}|[^][\\&|~-]|[&|~](?![&|~])"

# The parts that a pattern may have, by kind.
_PART = re.compile(
    rf"(?P<class>{_PROPERTY}|\\[sSdDwW])"
    rf"|(?P<set>\[\^?-?(?:(?:{_IN_SET})-(?:{_IN_SET})|{_PROPERTY}|\\[sSdDw]|{_IN_SET})+-?\])"
    r"|(?P<anchor>[\^$])|(?P<dot>\.)|(?P<or>\|)|(?P<close>\))"
    r"|(?P<open>\(\?(?:[:>=!]|[is]:)|\((?!\?))"
    rf"|(?P<character>{_ESCAPED}|[^]\\\[(){{}}^$.|*+?])"
)
_QUANTIFIER = re.compile(
    r"(?P<sign>[*+?][+?]?)|(?P<count>\{(?P<least>\d{1,4})(?:,(?P<most>\d{0,4}))?\})(?P<mode>[+?]?)"
)
# What a refusal quotes: a whole set or property, or two characters.
_EXCERPT = re.compile(r"(?s)\[.[^]]*\]?|\\[pP]\{[^}]*\}?|\(\?[^)\w]*\w?|..?")

# Word characters to `regex` alone.
_JOINERS = "\u200c\u200d"
# What is spelled differently. `$` stands before a last line break, too; a dot that matches line breaks is s in `regex`.
_SPELLINGS = {
    "^": r"\A",
    "$": r"(?=\n?\z)",
    r"\w": rf"[\w{_JOINERS}]",
    r"\W": rf"[^\w{_JOINERS}]",
    "(": "(?:",  # nothing refers back to a group
    "(?s:": "(?m:",
    "(?s)": "(?m:",
    "(?i)": "(?i:",
    "\n": r"\n",
    "\r": r"\r",
    "\t": r"\t",
    "\f": r"\f",
    "\v": r"\v",
}
_IN_SETS = {r"\w": rf"\w{_JOINERS}"}
_PART_OF_SET = re.compile(r"\\.|\s")
# Letter pairs that case folding may equate with a single character, such as the ligature of f and i; and i, which has a
# dotless variant.
_UNSURE_FOLDS = re.compile(r"ss|st|f[fil]|i", re.I)


class UnsureError(ValueError):
    """A pattern uses something that may not mean the same to both engines."""


@dataclass
class _Group:
    """A group that is being read: its parts as they are written, and what is known of its last alternative."""

    opening: str
    folds: bool
    start: int  # of the alternative, in the pattern
    parts: list[str] = field(default_factory=list)
    is_empty: bool = True  # the alternative can match where there is nothing
    any_empty: bool = False  # an alternative before it can

    def written(self) -> str:
        return "".join([self.opening, *self.parts, ")" if self.opening else ""])


def to_oniguruma(pattern: str) -> str:
    """Write a pattern that `regex` compiles as Oniguruma reads it.

    Raises UnsureError for a pattern that has a part of uncertain meaning, or that can match where there is nothing.
    """
    if len(pattern) > MAX_PATTERN:
        raise UnsureError(f"the split pattern is {len(pattern):,} characters long; {MAX_PATTERN:,} are the most")
    flags = pattern[:4] if pattern.startswith(("(?s)", "(?i)")) else ""
    groups = [_Group(_SPELLINGS.get(flags, ""), flags == "(?i)", len(flags))]
    place = len(flags)
    while place < len(pattern):
        match = _PART.match(pattern, place)
        if match is None or (match["close"] and len(groups) == 1):
            raise _unsure(pattern, _EXCERPT.match(pattern, place)[0])  # type: ignore[index]
        place = match.end()
        if match["open"]:
            if len(groups) > _MAX_DEPTH:
                raise UnsureError(f"the split pattern nests more than {_MAX_DEPTH} groups")
            folds = groups[-1].folds or match[0] == "(?i:"
            groups.append(_Group(_SPELLINGS.get(match[0], match[0]), folds, place))
        elif match["or"]:
            _end_alternative(groups[-1], pattern, place)
        else:
            place = _take(groups, match, pattern)
    _end_alternative(groups[0], pattern, place + 1)
    if len(groups) > 1:
        raise _unsure(pattern, "(")
    if groups[0].any_empty:
        raise UnsureError(f"the split pattern {quote(pattern)} can match where there is nothing")
    groups[0].parts.pop()
    return groups[0].written()


def _end_alternative(group: _Group, pattern: str, after: int) -> None:
    """End an alternative of `group` at the `|` (or the end) before `after`."""
    unsure = _UNSURE_FOLDS.search(pattern, group.start, after - 1) if group.folds else None
    if unsure:
        raise _unsure(pattern, unsure[0], " where upper and lower case are the same")
    group.parts.append("|")
    group.any_empty |= group.is_empty
    group.is_empty = True
    group.start = after


def _take(groups: list[_Group], match: re.Match[str], pattern: str) -> int:
    """Read a whole part with its quantifier into the innermost group. Returns the place after it."""
    is_empty = bool(match["anchor"])
    if match["close"]:
        inner = groups.pop()
        _end_alternative(inner, pattern, match.end())
        inner.parts.pop()
        text = inner.written()
        is_empty = inner.any_empty or inner.opening in ("(?=", "(?!")
    else:
        text = _spelled(match, groups[-1].folds, pattern)
    quantifier = _QUANTIFIER.match(pattern, match.end())
    place = quantifier.end() if quantifier else match.end()
    if place < len(pattern) and pattern[place] in "*+?{":
        where = " as a quantifier of a quantifier" if quantifier else ""
        raise _unsure(pattern, pattern[place - 1 : place + 1], where)
    if quantifier:
        if match["anchor"]:
            raise _unsure(pattern, match[0] + quantifier[0])
        text = _repeated(text, quantifier, pattern)
        is_empty |= quantifier[0][0] in "*?" or (quantifier["least"] is not None and not int(quantifier["least"]))
    groups[-1].parts.append(text)
    groups[-1].is_empty &= is_empty
    return place


def _spelled(match: re.Match[str], folds: bool, pattern: str) -> str:
    """Spell a class, a set, an anchor, a dot or a character."""
    text = match[0]
    if folds and not (re.fullmatch(r"\[\^?[ -Z^-~]*\]", text) or (match["character"] and text.isascii())):
        raise _unsure(pattern, text, " where upper and lower case are the same")
    if match["set"]:
        return _PART_OF_SET.sub(lambda part: _IN_SETS.get(part[0]) or _SPELLINGS.get(part[0], part[0]), text)
    return _SPELLINGS.get(text, text)


def _repeated(text: str, quantifier: re.Match[str], pattern: str) -> str:
    """Write a quantifier. After a count, `+` and, unless it is a range, `?` mean something else to Oniguruma."""
    if quantifier["sign"]:
        return text + quantifier[0]
    if max(int(quantifier["least"]), int(quantifier["most"] or 0)) > _MAX_REPEAT:
        raise UnsureError(f"the split pattern repeats something more than {_MAX_REPEAT:,} times")
    if quantifier["mode"] == "+":
        return f"(?>{text}{quantifier['count']})"
    return text + (quantifier["count"] if quantifier["most"] is None else quantifier[0])


def _unsure(pattern: str, what: str, where: str = "") -> UnsureError:
    return UnsureError(
        f"the split pattern {quote(pattern)} uses {quote(what)}{where}, which may mean one thing in Python's regex "
        "and another in Hugging Face's"
    )
