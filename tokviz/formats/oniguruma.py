"""Translation of split patterns into the regex syntax of Hugging Face's `tokenizers`.

Its regex engine is Oniguruma, with Ruby's syntax. Most of what split patterns need is written as in Python's `regex`,
but some things are spelled differently, and some look alike and mean something else: `{1,3}+` repeats a group there and
is possessive here, `$` matches before every line break there and at the end here. This module knows
the part of both whose meaning is certain, and refuses the rest by name; a pattern and its translation cut every text
alike. (The libraries may carry different versions of the Unicode tables,
so newly added characters may be letters to one and unassigned to the other.)
"""

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

from tokviz.formats.checks import MAX_PATTERN

Target = Literal["regex", "oniguruma"]

_MAX_DEPTH = 50
_MAX_REPEAT = 1_000

_KNOWN_PROPERTY = re.compile(
    "L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|Han|Hiragana|Katakana|Hangul|Latin|Greek|Cyrillic|Arabic"
    "|Hebrew|Thai|Devanagari|Bengali|Tamil|Telugu"
)
_PROPERTY = re.compile(r"\\([pP])\{(\^?)(\w+)\}")
_CODE_POINT = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4}))")
_REPEAT = re.compile(r"\{(\d{0,4})(?:(,)(\d{0,4}))?\}")
_GROUP = re.compile(r"\(\?([ims]*)(?:-([ims]+))?:")
_FLAGS = re.compile(r"\(\?([ims]+)\)")

# Letter pairs that case folding may equate with a single character, such as the ligature of f and i; and i, which has a
# dotless variant.
_UNSURE_FOLDS = re.compile(r"ss|st|f[fil]|i", re.I)

# Word characters to `regex` alone.
_JOINERS = "\u200c\u200d"

_ANCHORS: dict[Target, dict[str, str]] = {
    "regex": {"^": "^", "$": "$", r"\A": r"\A", r"\Z": r"\Z"},
    "oniguruma": {"^": r"\A", "$": r"(?=\n?\z)", r"\A": r"\A", r"\Z": r"\z"},
}
_WORD: dict[Target, dict[str, str]] = {
    "regex": {},
    "oniguruma": {r"\w": rf"[\w{_JOINERS}]", r"\W": rf"[^\w{_JOINERS}]"},
}
# Inside a set, \\w of `regex` equals \\w of Oniguruma plus the joiners, so these must be in the set as well.
_WORD_IN_SET: dict[Target, dict[str, str | None]] = {
    "regex": {},
    "oniguruma": {r"\w": rf"\w{_JOINERS}", r"\W": None},
}


class UnsureError(ValueError):
    """A pattern uses something that may not mean the same to both engines."""


class _Part(NamedTuple):
    """A translated piece of a pattern; `empty` says whether it can match the empty string."""

    text: str
    empty: bool


def to_oniguruma(pattern: str) -> str:
    """Translate a pattern of `regex` for Oniguruma. Raises UnsureError."""
    return _Translation(pattern, "oniguruma").result()


def without_captures(pattern: str) -> str:
    """Write a pattern of `regex` in one line, and without groups that capture. Raises UnsureError."""
    return _Translation(pattern, "regex").result()


class _Translation:
    """Recursive-descent translator: reads a pattern of `regex` from left to right and writes it for `target`."""

    def __init__(self, pattern: str, target: Target) -> None:
        if len(pattern) > MAX_PATTERN:
            raise UnsureError(f"the split pattern is {len(pattern):,} characters long; {MAX_PATTERN:,} are the most")
        self.pattern = pattern
        self.target = target
        self.place = 0
        self.depth = 0
        self.fold = False

    def result(self) -> str:
        flags = self._take(_FLAGS)
        opening = self._flagged(flags[1], "") if flags else ""
        part = self._alternatives()
        if self.place < len(self.pattern):
            raise self._unsure(")", "that closes nothing")
        if part.empty:
            raise UnsureError(f"the split pattern {_short(self.pattern)} can match where there is nothing")
        return f"{opening}{part.text})" if opening else part.text

    def _alternatives(self) -> _Part:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise UnsureError(f"the split pattern nests more than {_MAX_DEPTH} groups")
        branches = [self._sequence()]
        while self._looking_at("|"):
            self.place += 1
            branches.append(self._sequence())
        self.depth -= 1
        return _Part("|".join(branch.text for branch in branches), any(branch.empty for branch in branches))

    def _sequence(self) -> _Part:
        parts = []
        start = self.place
        while self.place < len(self.pattern) and self.pattern[self.place] not in "|)":
            parts.append(self._quantified())
        if self.fold and (unsure := _UNSURE_FOLDS.search(self.pattern[start : self.place])):
            raise self._unsure(unsure[0], "where upper and lower case are the same")
        return _Part("".join(part.text for part in parts), all(part.empty for part in parts))

    def _quantified(self) -> _Part:
        part = self._atom()
        if self._looking_at("*") or self._looking_at("+") or self._looking_at("?"):
            sign = self.pattern[self.place]
            self.place += 1
            mode = self._mode()
            self._no_more_quantifiers()
            return _Part(part.text + sign + mode, part.empty or sign != "+")
        repeat = self._take(_REPEAT)
        if repeat is None:
            return part
        least, comma, most = repeat[1], repeat[2], repeat[3]
        if not least and not most:
            raise self._unsure(repeat[0], "as a count")
        if max(int(least or 0), int(most or 0)) > _MAX_REPEAT:
            raise UnsureError(f"the split pattern repeats something more than {_MAX_REPEAT:,} times")
        mode = self._mode()
        self._no_more_quantifiers()
        count = f"{{{least or 0}{',' + most if comma else ''}}}"
        return _Part(self._repeated(part.text, count, mode, bool(comma)), part.empty or not int(least or 0))

    def _repeated(self, text: str, count: str, mode: str, is_range: bool) -> str:
        """Write a count. `{n,m}` and lazy `{n,m}?` are common; a further `+`, or `?` after `{n}`, has two meanings."""
        if not mode or (mode == "?" and is_range):
            return text + count + mode
        return f"(?>{text}{count})" if mode == "+" else text + count

    def _mode(self) -> str:
        if self._looking_at("?") or self._looking_at("+"):
            self.place += 1
            return self.pattern[self.place - 1]
        return ""

    def _no_more_quantifiers(self) -> None:
        if self.place < len(self.pattern) and self.pattern[self.place] in "*+?{":
            raise self._unsure(self.pattern[self.place - 1 : self.place + 1], "as a quantifier of a quantifier")

    def _atom(self) -> _Part:
        char = self.pattern[self.place]
        if char == "(":
            return self._group()
        if char == "[":
            return _Part(self._set(), False)
        if char == "\\":
            return self._escape()
        self.place += 1
        if char in "^$":
            return _Part(_ANCHORS[self.target][char], True)
        if char == ".":
            return _Part(".", False)
        if char in "*+?":
            raise self._unsure(char, "with nothing before it")
        if char == "{":  # it may mean a fuzzy match, `{e<=1}`
            raise self._unsure(char, "that begins no count")
        return _Part(self._literal(char), False)

    def _group(self) -> _Part:
        outer_fold = self.fold
        for opening in ("(?:", "(?>", "(?=", "(?!", "(?<=", "(?<!"):
            if self.pattern.startswith(opening, self.place):
                self.place += len(opening)
                break
        else:
            opening = self._flagged_opening()
        start = self.place
        part = self._alternatives()
        if not self._looking_at(")"):
            raise UnsureError(f"the split pattern {_short(self.pattern)} has a group that isn't closed")
        inside = self.pattern[start : self.place]
        self.place += 1
        self.fold = outer_fold
        is_lookaround = opening in ("(?=", "(?!", "(?<=", "(?<!")
        if opening in ("(?<=", "(?<!") and re.search(r"[*+?{(|]", inside):
            raise self._unsure(opening, "with more than plain characters inside")
        return _Part(f"{opening}{part.text})", part.empty or is_lookaround)

    def _flagged_opening(self) -> str:
        """Read `(?i:` and the like, or a capturing group, written as non-capturing: nothing refers back to it."""
        if not self.pattern.startswith("(?", self.place):
            self.place += 1
            return "(?:"
        flags = self._take(_GROUP)
        if flags is None:
            raise self._unsure(self.pattern[self.place : self.place + 4])
        return self._flagged(flags[1], flags[2] or "")

    def _flagged(self, on: str, off: str) -> str:
        """Opening of a group with flags. A dot that matches line breaks is s in `regex`, m in Oniguruma's syntax."""
        if "m" in on + off:
            raise self._unsure("(?m)")
        self.fold = ("i" in on or self.fold) and "i" not in off
        opening = f"(?{on}-{off}:" if off else f"(?{on}:"
        return opening.replace("s", "m") if self.target == "oniguruma" else opening

    def _escape(self) -> _Part:
        escape = self.pattern[self.place : self.place + 2]
        if escape in _ANCHORS[self.target]:
            self.place += 2
            return _Part(_ANCHORS[self.target][escape], True)
        return _Part(self._escaped(_WORD[self.target]), False)

    def _escaped(self, words: Mapping[str, str | None]) -> str:
        """Read a character class or an escaped character."""
        escape = self.pattern[self.place : self.place + 2]
        if escape in (r"\s", r"\S", r"\d", r"\D", r"\w", r"\W"):
            self._refuse_when_folding(escape)
            self.place += 2
            text = words.get(escape, escape)
            if text is None:
                raise self._unsure(escape, "inside a set")
            return text
        found = self._take(_PROPERTY)
        if found:
            self._refuse_when_folding(found[0])
            if not _KNOWN_PROPERTY.fullmatch(found[3]):
                raise self._unsure(found[0])
            return found[0]
        return self._literal(self._escaped_character())

    def _escaped_character(self) -> str:
        code = self._take(_CODE_POINT)
        if code:
            number = int(code[1] or code[2], 16)
            if 0xD800 <= number < 0xE000:
                raise self._unsure(code[0], "as a character")
            return chr(number)
        escape = self.pattern[self.place : self.place + 2]
        named = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v"}
        char = named.get(escape[1:], escape[1:])
        if len(escape) < 2 or (escape[1].isalnum() and escape[1] not in named):
            raise self._unsure(escape)
        self.place += 2
        return char

    def _literal(self, char: str) -> str:
        """Write a literal character, escaped if it may be special in either syntax."""
        if self.fold and not char.isascii():
            raise self._unsure(char, "where upper and lower case are the same")
        named = {"\n": r"\n", "\r": r"\r", "\t": r"\t", "\f": r"\f", "\v": r"\v"}
        if char in named:
            return named[char]
        return f"\\{char}" if char in r"\^$.|?*+()[]{}&-~#" else char

    def _set(self) -> str:
        """Read `[...]`."""
        start = self.place
        self.place += 1
        negated = self._looking_at("^")
        self.place += negated
        items: list[str] = []
        while not self._looking_at("]") or not items:
            if self.place >= len(self.pattern):
                raise UnsureError(f"the split pattern {_short(self.pattern)} has a set that isn't closed")
            if self._looking_at("]") or self.pattern.startswith(("[:", "&&", "||", "~~", "--"), self.place):
                raise self._unsure(self.pattern[self.place : self.place + 2], "inside a set")
            items.append(self._set_item())
        self.place += 1
        if self.fold and not re.fullmatch(r"\[\^?[ -~]*\]", self.pattern[start : self.place]):
            raise self._unsure(self.pattern[start : self.place], "where upper and lower case are the same")
        return f"[{'^' if negated else ''}{''.join(items)}]"

    def _set_item(self) -> str:
        first = self._set_character()
        if not self._looking_at("-") or self.pattern.startswith("-]", self.place) or first.startswith(("\\p", "\\P")):
            return first
        if first in (r"\s", r"\S", r"\d", r"\D", r"\w", r"\W"):
            raise self._unsure(f"{first}-", "inside a set")
        self.place += 1
        last = self._set_character()
        if re.match(r"\[|\\[pPsSdDwW]", last) or _character(last) < _character(first):
            raise self._unsure(f"{first}-{last}", "inside a set")
        return f"{first}-{last}"

    def _set_character(self) -> str:
        if self._looking_at("\\"):
            return self._escaped(_WORD_IN_SET[self.target])
        if self.place >= len(self.pattern):
            raise self._unsure(self.pattern[self.place - 1 :][:2], "inside a set")
        self.place += 1
        return self._literal(self.pattern[self.place - 1])

    def _refuse_when_folding(self, text: str) -> None:
        if self.fold:
            raise self._unsure(text, "where upper and lower case are the same")

    def _looking_at(self, text: str) -> bool:
        return self.pattern.startswith(text, self.place)

    def _take(self, expression: re.Pattern[str]) -> re.Match[str] | None:
        found = expression.match(self.pattern, self.place)
        if found:
            self.place = found.end()
        return found

    def _unsure(self, what: str, where: str = "") -> UnsureError:
        return UnsureError(
            f"the split pattern {_short(self.pattern)} uses {_short(what)}{' ' if where else ''}{where}, which may "
            "mean one thing in Python's regex and another in Hugging Face's"
        )


def _character(literal: str) -> str:
    """Character that `literal`, written by `_literal`, stands for."""
    named = {r"\n": "\n", r"\r": "\r", r"\t": "\t", r"\f": "\f", r"\v": "\v"}
    return named.get(literal, literal[-1])


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")
