"""How texts and tokens are spelled for people."""

_QUOTED = 100
_WHITE_SPACE = {" ": "·", "\n": "↵", "\r": "␍", "\t": "→"}
_SIGNS = str.maketrans({**_WHITE_SPACE, **{sign: f"[{sign}]" for sign in _WHITE_SPACE.values()}})


def quote(text: str | bytes) -> str:
    """A text as messages quote it: its first 100 characters."""
    return repr(text) if len(text) <= _QUOTED else f"{text[:_QUOTED]!r}…"


def shorten(text: str) -> str:
    """The first 100 characters of a text, for a message."""
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…"


def token_text(data: bytes) -> str | None:
    """The text of a token; None for one that is no text, and for the mark at the end of words, which has no bytes."""
    try:
        return data.decode() or None
    except UnicodeDecodeError:
        return None


def shown(data: bytes) -> str:
    """A token as text with its white space visible; in hex where it is no text.

    >>> shown(b" the"), shown(bytes([0xF0, 0x9F]))
    ('·the', 'f0 9f')
    """
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return data.hex(" ")
    marked = text.translate(_SIGNS)
    return "".join(char if char.isprintable() else f"U+{ord(char):04X}" for char in marked)
