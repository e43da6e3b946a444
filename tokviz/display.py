"""How texts, tokens, characters and bytes are spelled for people: the only place.

The widgets' counterpart is `widgets/shared/text/`.
"""

import unicodedata
from collections.abc import Iterable
from itertools import groupby

BAR = "|"
"""Separates tokens where there are no colors. A bar of the text itself is in brackets."""

END_OF_WORD = "[end]"
"""An end-of-word mark, which has no bytes."""

_MAX_QUOTED = 100
_WHITE_SPACE_MARKS = {" ": "·", "\n": "↵", "\r": "␍", "\t": "→"}
_TYPED_MARKS = {mark: f"[{mark}]" for mark in _WHITE_SPACE_MARKS.values()}
_SURROGATE_OF_BYTE_0 = 0xDC00
"""Decoding with "surrogateescape" replaces a byte that is not part of a character with this plus its value."""


def quote(text: str | bytes) -> str:
    """Quote the first 100 characters of a text or token for a message; incomplete characters as bytes in hex."""
    if isinstance(text, bytes):
        decoded = token_text(text)
        return f"the bytes {hex_bytes(text[:_MAX_QUOTED])}" if decoded is None else quote(decoded)
    return repr(text) if len(text) <= _MAX_QUOTED else f"{text[:_MAX_QUOTED]!r}…"


def shorten(text: str) -> str:
    """Shorten a text to its first 100 characters for a message."""
    return text if len(text) <= _MAX_QUOTED else f"{text[:_MAX_QUOTED]}…"


def token_text(data: bytes) -> str | None:
    """Decode a token. Returns None for invalid UTF-8, and for the end-of-word mark, which has no bytes."""
    try:
        return data.decode() or None
    except UnicodeDecodeError:
        return None


def hex_bytes(data: bytes) -> str:
    """Spell bytes: `e4 bd`."""
    return data.hex(" ")


def code_point(char: str) -> str:
    """Spell a code point as Unicode does: `U+00E9`."""
    return f"U+{ord(char):04X}"


def visible_char(char: str) -> str:
    """Spell a character: white space as a mark, one that can't be seen by its code point, all others as they are.

    A mark stands for white space only: a mark that was typed is in brackets.

    >>> visible_char(" "), visible_char("·"), visible_char("\u200b"), visible_char("a")
    ('·', '[·]', '[U+200B]', 'a')
    """
    if char in _WHITE_SPACE_MARKS:
        return _WHITE_SPACE_MARKS[char]
    return _TYPED_MARKS.get(char, char) if char.isprintable() else f"[{code_point(char)}]"


def printable(text: str) -> str:
    """Spell a name or a message for a terminal: what can't be printed by its code point, spaces as they are.

    >>> printable("a b\x1b[31m\n")
    'a b[U+001B][31m[U+000A]'
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else f"[{code_point(c)}]" for c in text)


def column_width(char: str) -> int:
    """Return the columns that a character takes in a monospaced font: 2 for wide ones, 0 for combining marks.

    >>> column_width("a"), column_width("你"), column_width("\u0301")
    (1, 2, 0)
    """
    return 2 if unicodedata.east_asian_width(char) in "WF" else int(not unicodedata.combining(char))


def shown(data: bytes, most: int | None = None) -> str:
    """Spell a token: its characters, and the bytes of incomplete characters in hex.

    Spaces stand only beside bytes. After `most` characters or bytes, "…" stands for the rest.

    >>> shown(b" the"), shown(bytes([0xF0, 0x9F])), shown(bytes([0x20, 0xF0, 0x9F]))
    ('·the', 'f0 9f', '· f0 9f')
    """
    chars = data.decode("utf-8", "surrogateescape")
    runs = groupby(chars[:most], key=lambda char: "\udc80" <= char <= "\udcff")
    parts = [_bytes_run(run) if is_bytes else "".join(map(visible_char, run)) for is_bytes, run in runs]
    return " ".join(parts) + ("…" if most is not None and len(chars) > most else "")


def separated(tokens: Iterable[bytes]) -> str:
    """Spell tokens in a line, with bars between them.

    >>> separated([b"a", b" |", b""])
    'a|·[|]|[end]'
    """
    return BAR.join(shown(token).replace(BAR, f"[{BAR}]") or END_OF_WORD for token in tokens)


def _bytes_run(surrogates: Iterable[str]) -> str:
    return hex_bytes(bytes(ord(char) - _SURROGATE_OF_BYTE_0 for char in surrogates))
