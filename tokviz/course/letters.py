"""Figures of the chapter "letters": characters and their code points, the bits of each encoding, spellings, bytes."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, pairwise
from typing import Any, Literal, get_args

from tokviz.analysis.characters import code_points, script_of
from tokviz.analysis.cost.units import character_count
from tokviz.course.figure import MAX_LONG, OWN_TEXT, Figure, Part, Question, Words, bars, field, says, table
from tokviz.display import counted, visible
from tokviz.positions import grapheme_offsets
from tokviz.pretrained import load
from tokviz.texts import REPLACEMENT, repair
from tokviz.tokenizer_colors import color_numbers

MAX_POINTS = 24
"""Maximum code points of which a figure shows each by itself."""

MAX_SPELLINGS = 12
"""Maximum equivalent spellings of a character that are listed."""

MAX_APART = 8
"""Maximum characters of a text that are listed since programs count them differently."""

MAX_BYTES = 64
"""Maximum bytes that are decoded one by one."""

TOKENIZERS = {"gpt2": "GPT-2", "cl100k_base": "cl100k", "o200k_base": "o200k"}
"""The tokenizers that count in the figures, and their labels."""

Form = Literal["NFC", "NFD", "NFKC"]
FORMS: tuple[Form, ...] = get_args(Form)
"""Unicode's normalization forms that the chapter shows."""

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_MOST_TAKEN_OUT = 2  # code points of a character, at once, on pages without a server
_DECOMPOSED_END = 0x30000  # end of the planes with characters that can be taken apart
_REASONS = {
    "invalid start byte": "no character begins with this byte",
    "invalid continuation byte": "the next byte can't go on, so this character never ends",
    "unexpected end of data": "the text ends before this character does",
}
"""Python's messages about bytes that are not UTF-8 -> the same in plain words."""


def lengths(text: str) -> dict[str, int]:
    """Count a text as four programs do.

    >>> lengths("🍕")
    {'reader': 1, 'python': 1, 'javascript': 2, 'bytes': 4}
    """
    text, _ = repair(text)
    return {
        "reader": character_count(text),
        "python": len(text),
        "javascript": len(text.encode("utf-16-le")) // 2,
        "bytes": len(text.encode()),
    }


def characters(text: str) -> dict[str, Any]:
    """Describe the first MAX_POINTS code points of a text: their names, scripts and bits, and the text's lengths."""
    text, _ = repair(text)
    points = [
        {
            "char": point.char,
            "shown": visible(point.char),
            "code": point.code,
            "number": ord(point.char),
            "name": point.name,
            "script": script_of(point.char),
            "utf8": utf8_bits(point.char),
            "utf16": utf16_bits(point.char),
            "bits": f"{ord(point.char):b}",
        }
        for point in code_points(text[:MAX_POINTS])
    ]
    return {"points": points, "lengths": lengths(text)}


def utf8_bits(char: str) -> list[tuple[str, str]]:
    """Split each UTF-8 byte of a character into the bits that say what it is, and those of the code point.

    >>> utf8_bits("é")
    [('110', '00011'), ('10', '101001')]
    """
    data = char.encode()
    lead = {1: 1, 2: 3, 3: 4, 4: 5}[len(data)]
    rows = [f"{byte:08b}" for byte in data]
    return [(row[: 2 if place else lead], row[2 if place else lead :]) for place, row in enumerate(rows)]


def utf16_bits(char: str) -> list[tuple[str, str]]:
    """Split each UTF-16 unit of a character likewise. Only the two units of a surrogate pair have bits of their own.

    >>> utf16_bits("A")
    [('', '0000000001000001')]
    """
    data = char.encode("utf-16-be")
    rows = [f"{data[place]:08b}{data[place + 1]:08b}" for place in range(0, len(data), 2)]
    lead = 6 if len(rows) == 2 else 0
    return [(row[:lead], row[lead:]) for row in rows]


def token_counts(text: str) -> dict[str, int]:
    """Count a text's tokens under each of the course's tokenizers, by its label."""
    return {label: len(load(name).encode(text)) for name, label in TOKENIZERS.items()}


def measured(text: str) -> dict[str, Any]:
    """Return a text's lengths and tokens, and the characters that Python and JavaScript count as more than one.

    The most frequent of these come first.
    """
    text, replaced = repair(text)
    clusters = Counter(text[start:end] for start, end in pairwise(grapheme_offsets(text).tolist()))
    apart = [(cluster, count) for cluster, count in clusters.most_common() if len(cluster) > 1 or ord(cluster) > 0xFFFF]
    return {
        "lengths": lengths(text),
        "tokens": token_counts(text),
        "colors": color_numbers(TOKENIZERS.values()),
        "apart": [{"text": visible(each), "count": count, **lengths(each)} for each, count in apart[:MAX_APART]],
        "kinds": len(apart),
        "replaced": replaced,
    }


_COUNTERS = {
    "reader": "You, characters",
    "python": "Python, code points",
    "javascript": "JavaScript, UTF-16 units",
    "bytes": "A file, bytes of UTF-8",
}
"""Who counts a text's length, and what."""


def measures(text: str) -> list[Part]:
    """Compare a text's lengths and tokens, and list the characters that programs count differently."""
    found = measured(text)
    lengths_of = [(title, found["lengths"][name]) for name, title in _COUNTERS.items()]
    tokens = [
        (f"{label}, tokens", count, f"--own-{found['colors'][label]}") for label, count in found["tokens"].items()
    ]
    lost = f"Replaced: {counted('surrogate', found['replaced'])} that stood alone. " if found["replaced"] else ""
    return [bars([*lengths_of, *tokens]), says(lost, *_say_apart(found["apart"], found["kinds"]))]


def _say_apart(apart: list[dict[str, Any]], kinds: int) -> Iterator[Words]:
    if not apart:
        yield "Every character here is a single code point, and a single unit of UTF-16."
        return
    yield "Counted differently by Python and JavaScript, or of several code points (Python/JavaScript): "
    for place, each in enumerate(apart):
        yield from (", " if place else "", ("mono", each["text"]), f" {each['python']}/{each['javascript']}")
    yield f", and {kinds - len(apart):,} more." if kinds > len(apart) else "."


# Spellings


def spellings(text: str) -> dict[str, Any]:
    """List the canonically equivalent spellings of a character, what each normalization form makes of it, and tokens.

    The character is the text's first grapheme cluster. The shortest spelling comes first.
    """
    text, _ = repair(text)
    char = text[: grapheme_offsets(text)[1]] if text else ""
    found = sorted(
        equivalent(char) if char else (), key=lambda each: (len(each), each != unicodedata.normalize("NFC", char), each)
    )
    rows = [_spelling(each) for each in found[:MAX_SPELLINGS]]
    compatible = unicodedata.normalize("NFKC", char)
    return {
        "char": char,
        "rows": rows,
        "count": len(found),
        "compatible": None if compatible == unicodedata.normalize("NFC", char) else compatible,
    }


def _spelling(text: str) -> dict[str, Any]:
    forms = [form for form in FORMS if unicodedata.normalize(form, text) == text]
    points = [{"code": point.code, "name": point.name} for point in code_points(text[:MAX_POINTS])]
    return {"text": text, "points": points, "forms": forms, "tokens": token_counts(text), "bytes": len(text.encode())}


def spellings_table(text: str) -> list[Part]:
    """Show the spellings of a character in a table, with what each is called and its tokens."""
    found = spellings(text)
    char, rows, compatible = found["char"], found["rows"], found["compatible"]
    if not char:
        return [says("Type a character.")]
    more = f" The first {len(rows)} are shown." if found["count"] > len(rows) else ""
    lost = "" if compatible is None else f" NFKC makes it “{compatible}”."
    cells = [[_codes(row["points"]), ", ".join(row["forms"]), row["bytes"], *row["tokens"].values()] for row in rows]
    heads = ["code points", "form", "bytes", *rows[0]["tokens"]]
    return [
        says(f"{counted('spelling', found['count'])} of {char}.{more}{lost}"),
        table("Spellings, and their tokens", heads, cells),
    ]


def _codes(points: list[dict[str, str]]) -> list[Words]:
    return [("span", f"{' + ' if place else ''}{each['code']}", each["name"]) for place, each in enumerate(points)]


def equivalent(text: str) -> set[str]:
    """Return all spellings that are canonically equivalent to a text, itself among them; of many, only the first 100.

    >>> len(equivalent("ệ"))
    5
    """
    found = {text}
    pending = [text]
    while pending and len(found) < 100:
        for each in _neighbors(pending.pop()):
            if each not in found:
                found.add(each)
                pending.append(each)
    return found


def _neighbors(text: str) -> Iterator[str]:
    """Yield the spellings that are one step away: one character taken apart, put together, or two marks swapped."""
    for place, char in enumerate(text):
        for other in (_decomposition(char), *_compositions().get(char, ())):
            if other:
                yield text[:place] + other + text[place + 1 :]
    for place, (first, second) in enumerate(pairwise(text)):
        for joined in _compositions().get(first + second, ()):
            yield text[:place] + joined + text[place + 2 :]
        classes = unicodedata.combining(first), unicodedata.combining(second)
        if all(classes) and classes[0] != classes[1]:
            yield text[:place] + second + first + text[place + 2 :]


def _decomposition(char: str) -> str:
    """Return the one or two characters that a character is canonically equivalent to, "" if there are none."""
    if "가" <= char <= "힣":
        whole = unicodedata.normalize("NFD", char)
        return whole if len(whole) == 2 else unicodedata.normalize("NFC", whole[:2]) + whole[2]
    codes = unicodedata.decomposition(char)
    return "" if codes.startswith("<") else "".join(chr(int(code, 16)) for code in codes.split())


@cache
def _compositions() -> dict[str, list[str]]:
    """One or two characters -> those that are canonically equivalent to them."""
    found: dict[str, list[str]] = {}
    for char in map(chr, range(_DECOMPOSED_END)):
        if parts := _decomposition(char):
            found.setdefault(parts, []).append(char)
    return found


# Bytes


def decoded(data: bytes) -> dict[str, Any]:
    """Decode bytes as UTF-8, and say which of them became what: characters, or a replacement for what is none."""
    data = data[:MAX_BYTES]
    pieces: list[dict[str, Any]] = []
    place = 0
    while place < len(data):
        char, size, why = _next(data[place:])
        pieces.append({"start": place, "end": place + size, "text": visible(char), "why": why})
        place += size
    has_mark = data.startswith(BYTE_ORDER_MARK)
    return {"bytes": list(data), "pieces": pieces, "text": data.decode("utf-8", "replace"), "mark": has_mark}


def _next(data: bytes) -> tuple[str, int, str]:
    """Decode the first character: it, its bytes, and what is wrong with them, if they are no UTF-8."""
    try:
        char = data.decode()[0]
    except UnicodeDecodeError as error:
        if not error.start:
            return REPLACEMENT, error.end, _REASONS[error.reason]
        char = data[: error.start].decode()[0]
    return char, len(char.encode()), ""


def _decode(text: str) -> dict[str, Any]:
    """Decode bytes that are given in hexadecimal; all else in the text separates them."""
    digits = "".join(re.findall("[0-9A-Fa-f]", text))
    if len(digits) % 2:
        raise ValueError("each byte is two hexadecimal digits: the last one lacks its second")
    return decoded(bytes.fromhex(digits))


def _ask_bits(value: str, _: str) -> Iterator[Question]:
    """Ask about a character, and about each that one turned bit makes of it."""
    yield "character", value, {}
    for bit in range(sum(len(payload) for _, payload in utf8_bits(value))):
        flipped = ord(value) ^ 1 << bit
        if flipped < 0x110000 and not 0xD800 <= flipped < 0xE000:
            yield "character", chr(flipped), {}


def _ask_apart(value: str, _: str) -> Iterator[Question]:
    """Ask about a character, and what is left of it when code points are taken out."""
    for count in range(_MOST_TAKEN_OUT + 1):
        for taken in combinations(range(len(value)), count):
            yield "apart", "".join(char for place, char in enumerate(value) if place not in taken), {}


def _ask_bytes(value: str, _: str) -> Iterator[Question]:
    """Ask about bytes, and what is left when one is taken out."""
    yield "bytes", value, {}
    pairs = value.split()
    for place in range(len(pairs)):
        yield "bytes", " ".join(pairs[:place] + pairs[place + 1 :]), {}


FIGURES = {
    "character": Figure(characters, asks=_ask_bits),
    "apart": Figure(characters, asks=_ask_apart),
    "spellings": Figure(spellings_table, form=field("A character with spellings", 40, "glyph")),
    "bytes": Figure(_decode, asks=_ask_bytes),
    "measures": Figure(measures, MAX_LONG, OWN_TEXT),
}
