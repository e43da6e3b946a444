"""Code points with their numbers, names and scripts."""

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

import regex

from tokviz.analysis.classes import SCRIPTS
from tokviz.display import code_point

# Control characters have no Unicode names; these are their names in Unicode's own list of aliases.
_C0 = """NULL, START OF HEADING, START OF TEXT, END OF TEXT, END OF TRANSMISSION, ENQUIRY, ACKNOWLEDGE, ALERT,
BACKSPACE, CHARACTER TABULATION, LINE FEED, LINE TABULATION, FORM FEED, CARRIAGE RETURN, SHIFT OUT, SHIFT IN,
DATA LINK ESCAPE, DEVICE CONTROL ONE, DEVICE CONTROL TWO, DEVICE CONTROL THREE, DEVICE CONTROL FOUR,
NEGATIVE ACKNOWLEDGE, SYNCHRONOUS IDLE, END OF TRANSMISSION BLOCK, CANCEL, END OF MEDIUM, SUBSTITUTE, ESCAPE,
FILE SEPARATOR, GROUP SEPARATOR, RECORD SEPARATOR, UNIT SEPARATOR"""
_DELETE_AND_C1 = """DELETE, PADDING CHARACTER, HIGH OCTET PRESET, BREAK PERMITTED HERE, NO BREAK HERE, INDEX, NEXT LINE,
START OF SELECTED AREA, END OF SELECTED AREA, CHARACTER TABULATION SET, CHARACTER TABULATION WITH JUSTIFICATION,
LINE TABULATION SET, PARTIAL LINE FORWARD, PARTIAL LINE BACKWARD, REVERSE LINE FEED, SINGLE SHIFT TWO,
SINGLE SHIFT THREE, DEVICE CONTROL STRING, PRIVATE USE ONE, PRIVATE USE TWO, SET TRANSMIT STATE, CANCEL CHARACTER,
MESSAGE WAITING, START OF GUARDED AREA, END OF GUARDED AREA, START OF STRING, SINGLE GRAPHIC CHARACTER INTRODUCER,
SINGLE CHARACTER INTRODUCER, CONTROL SEQUENCE INTRODUCER, STRING TERMINATOR, OPERATING SYSTEM COMMAND, PRIVACY MESSAGE,
APPLICATION PROGRAM COMMAND"""


def _split_names(names: str) -> list[str]:
    return " ".join(names.split()).split(", ")


_CONTROLS = dict(enumerate(_split_names(_C0))) | dict(enumerate(_split_names(_DELETE_AND_C1), start=0x7F))

# Descriptions of code points without a name, by general category.
_NAMELESS = {"Co": "private use: it means what its users agree on", "Cs": "half of a surrogate pair"}


@dataclass(frozen=True, slots=True)
class CodePoint:
    """One code point: `code` as Unicode writes it ("U+0063"), its name, and the character itself."""

    code: str
    name: str
    char: str


def code_points(text: str) -> list[CodePoint]:
    """The code points of `text`, in order.

    >>> code_points("é")
    [CodePoint(code='U+00E9', name='LATIN SMALL LETTER E WITH ACUTE', char='é')]
    """
    return [CodePoint(code_point(char), name_of(char), char) for char in text]


def name_of(char: str) -> str:
    """Unicode name of a character, or a description if it has none."""
    name = unicodedata.name(char, None) or _CONTROLS.get(ord(char))
    if name is not None:
        return name
    if ord(char) & 0xFFFE == 0xFFFE or 0xFDD0 <= ord(char) <= 0xFDEF:
        return "never a character"
    edition = unicodedata.unidata_version.removesuffix(".0")
    return _NAMELESS.get(unicodedata.category(char), f"not assigned in Unicode {edition}")


@lru_cache(maxsize=1_000)
def script_of(char: str) -> str:
    """Script of a character: "Latin"; "Common" if it is used with many, "Inherited" if it takes its base's.

    >>> script_of("é"), script_of("🍕"), script_of("\N{COMBINING ACUTE ACCENT}")
    ('Latin', 'Common', 'Inherited')
    """
    scripts = ("Common", "Inherited", *SCRIPTS)
    return next((script for script in scripts if regex.match(rf"\p{{Script={script}}}", char)), "another script")
