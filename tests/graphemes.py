"""Slow reference for grapheme clusters: the rules of UAX #29 applied one by one."""

import regex

_BREAK_CLASSES = [
    "CR",
    "LF",
    "Control",
    "Extend",
    "ZWJ",
    "Regional_Indicator",
    "Prepend",
    "SpacingMark",
    "L",
    "V",
    "T",
    "LV",
    "LVT",
]
_HANGUL = {"L": ("L", "V", "LV", "LVT"), "LV": ("V", "T"), "V": ("V", "T"), "LVT": ("T",), "T": ("T",)}
_MARKS = r"[\p{InCB=Extend}\p{InCB=Linker}]*"


def grapheme_borders(text: str) -> list[int]:
    """Return the code point offsets of all grapheme cluster boundaries, following the rules of UAX #29 literally."""
    inner = [offset for offset in range(1, len(text)) if not _is_joined(text[:offset], text[offset])]
    return [0, *inner, len(text)] if text else [0]


def _is_joined(before: str, char: str) -> bool:
    left, right = _break_class(before[-1]), _break_class(char)
    if left == "CR" and right == "LF":  # GB3
        return True
    if {left, right} & {"CR", "LF", "Control"}:  # GB4, GB5
        return False
    if right in _HANGUL.get(left, ()):  # GB6, GB7, GB8
        return True
    if right in ("Extend", "ZWJ", "SpacingMark") or left == "Prepend":  # GB9, GB9a, GB9b
        return True
    if _matches(r"\p{InCB=Consonant}", char) and _ends(
        rf"\p{{InCB=Consonant}}{_MARKS}\p{{InCB=Linker}}{_MARKS}", before
    ):
        return True  # GB9c
    if _matches(r"\p{Extended_Pictographic}", char) and _ends(
        r"\p{Extended_Pictographic}\p{GCB=Extend}*\u200d", before
    ):
        return True  # GB11
    flags = regex.search(r"\p{GCB=Regional_Indicator}*$", before)
    return right == "Regional_Indicator" and flags is not None and len(flags[0]) % 2 == 1  # GB12, GB13


def _break_class(char: str) -> str:
    return next((name for name in _BREAK_CLASSES if _matches(rf"\p{{GCB={name}}}", char)), "Other")


def _matches(pattern: str, char: str) -> bool:
    return regex.fullmatch(pattern, char) is not None


def _ends(pattern: str, text: str) -> bool:
    return regex.search(f"(?:{pattern})$", text) is not None
