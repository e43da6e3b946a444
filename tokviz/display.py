"""Readable spellings of texts and tokens."""

_MAX_QUOTED = 100
_WHITE_SPACE_MARKS = {" ": "·", "\n": "↵", "\r": "␍", "\t": "→"}
_VISIBLE_CHARS = str.maketrans({**_WHITE_SPACE_MARKS, **{mark: f"[{mark}]" for mark in _WHITE_SPACE_MARKS.values()}})


def quote(text: str | bytes) -> str:
    """Quote the first 100 characters of a text for a message."""
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


def shown(data: bytes) -> str:
    """Format a token as text with visible white space, or in hex if it is not valid UTF-8.

    >>> shown(b" the"), shown(bytes([0xF0, 0x9F]))
    ('·the', 'f0 9f')
    """
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return data.hex(" ")
    marked = text.translate(_VISIBLE_CHARS)
    return "".join(char if char.isprintable() else f"U+{ord(char):04X}" for char in marked)
