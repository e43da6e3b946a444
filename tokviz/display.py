"""Spelling of texts, tokens, characters and bytes for people: the only place.

The widgets' counterpart is `widgets/shared/text/`.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from itertools import groupby

import regex

BAR = "|"
"""Separates tokens where there are no colors. A bar of the text itself is in brackets."""

END_OF_WORD = "[end]"
"""An end-of-word mark, which has no bytes."""

_MAX_QUOTED = 100
_WHITE_SPACE_MARKS = {" ": "·", "\n": "↵", "\t": "→"}
_MARKS = str.maketrans(_WHITE_SPACE_MARKS | {mark: f"[{mark}]" for mark in _WHITE_SPACE_MARKS.values()})
_CONTROLS = (
    *("NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "HT", "LF", "VT", "FF", "CR", "SO", "SI", "DLE"),
    *("DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US"),
)
_NAMES = (
    dict(enumerate(_CONTROLS))
    | {0x7F: "DEL", 0x85: "NEL", 0xA0: "NBSP", 0xAD: "SHY", 0x34F: "CGJ", 0x61C: "ALM", 0x200B: "ZWSP", 0x200C: "ZWNJ"}
    | {0x200D: "ZWJ", 0x200E: "LRM", 0x200F: "RLM", 0x2028: "LS", 0x2029: "PS", 0x202A: "LRE", 0x202B: "RLE"}
    | {0x202C: "PDF", 0x202D: "LRO", 0x202E: "RLO", 0x2060: "WJ", 0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI"}
    | {0x2069: "PDI", 0xFEFF: "BOM"}
    | {0xFE00 + i: f"VS{i + 1}" for i in range(16)}
    | {0xE0100 + i: f"VS{i + 17}" for i in range(240)}
    | {code: f"tag {chr(code - 0xE0000)}" for code in range(0xE0021, 0xE007F)}
)
"""Abbreviations of invisible characters in Unicode's code charts."""

_INVISIBLE = regex.compile(
    r"(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\p{Emoji}\p{Script=Han}\U0001F1E6-\U0001F1FF])"
    r"(?:[\u200C\u200D](?!\Z)|[\uFE00-\uFE0F])()"  # joiners and selectors that form one glyph with their neighbors
    r"|\U0001F3F4[\U000E0020-\U000E007F]+()"  # a regional flag, followed by its name in tag characters
    r"|[\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\U000110BD\U000110CD]()"  # format characters with a glyph
    r"|[[\p{Z}\p{Cc}\p{Cf}\p{Noncharacter_Code_Point}\p{Variation_Selector}\u034F\u115F\u1160\u3164\uFFA0\u2800]"
    r"--[ \n\t]]",
    regex.V1,
)
"""Invisible characters. Those that are drawn where they stand match with an empty group."""

_JOINS = regex.compile(r"[\p{jt=D}\p{jt=L}\p{jt=C}]\p{jt=T}*\Z")
_IS_JOINED = regex.compile(r"[\p{jt=D}\p{jt=R}\p{jt=C}]")

_SURROGATE_OF_BYTE_0 = 0xDC00
"""Decoding with "surrogateescape" replaces a byte that is not part of a character with this plus its value."""


def quote(text: str | bytes) -> str:
    """Quote the first 100 characters of a text or token for a message; incomplete characters as bytes in hex."""
    if isinstance(text, bytes):
        decoded = token_text(text)
        return f"the bytes {hex_bytes(text[:_MAX_QUOTED])}" if decoded is None else quote(decoded)
    return repr(text) if len(text) <= _MAX_QUOTED else f"{text[:_MAX_QUOTED]!r}…"


def as_sentence(message: str) -> str:
    """Turn an error message into a sentence: with a capital, unless it begins with a file's name, and with an end.

    >>> as_sentence("the text is empty"), as_sentence("vocab.json has no tokens"), as_sentence("no!")
    ('The text is empty.', 'vocab.json has no tokens.', 'No!')
    """
    is_named = regex.match(r"\S*\w\.\w", message)
    end = "" if message.endswith((".", "!", "?", "…")) else "."
    return f"{message}{end}" if is_named else f"{message[:1].upper()}{message[1:]}{end}"


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


def char_name(char: str) -> str:
    """Name an invisible character by its abbreviation, or else by its code point.

    >>> char_name("\u200b"), char_name("\ufe0f"), char_name("\u3000")
    ('ZWSP', 'VS16', 'U+3000')
    """
    return _NAMES.get(ord(char)) or code_point(char)


def name_invisible(text: str) -> str:
    """Spell a text with the names of its invisible characters, except spaces, line ends and tabs.

    What forms one glyph with the characters beside it, as in emoji, stays as it is.

    >>> name_invisible("a b\ufe0f"), name_invisible("\u2764\ufe0f") == "\u2764\ufe0f"
    ('a b[VS16]', True)
    """
    return _INVISIBLE.sub(lambda found: found[0] if found.lastindex else f"[{char_name(found[0])}]", text)


def visible(text: str) -> str:
    """Spell a text: white space as marks, what can't be seen by its name, all else as it is.

    A mark stands for white space only: a mark that was typed is in brackets.

    >>> visible("a b"), visible("·"), visible("\u200b")
    ('a·b', '[·]', '[ZWSP]')
    """
    return name_invisible(text.translate(_MARKS))


def printable(text: str) -> str:
    r"""Spell a name or a message for a terminal: what can't be printed by its name, spaces as they are.

    >>> printable("a b\x1b[31m\n")
    'a b[ESC][31m[LF]'
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else f"[{char_name(c)}]" for c in text)


def column_width(char: str) -> int:
    """Return the columns that a character takes in a monospaced font: 2 for wide ones, 0 for marks and format controls.

    >>> column_width("a"), column_width("你"), column_width("\u0301"), column_width("\u093f"), column_width("\u200d")
    (1, 2, 0, 0, 0)
    """
    if unicodedata.category(char) in ("Mn", "Mc", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def are_joined(before: str, after: str) -> bool:
    """Return whether two characters are written as one stroke, as Arabic letters are.

    >>> are_joined("م", "ر"), are_joined("ر", "م"), are_joined("a", "b")
    (True, False, False)
    """
    return bool(_JOINS.search(before) and _IS_JOINED.match(after))


def text_width(text: str) -> int:
    """Return the columns that a text takes in a monospaced font: those of its characters together."""
    return sum(map(column_width, text))


def shown(data: bytes, most: int | None = None) -> str:
    """Spell a token: its characters, and the bytes of incomplete characters in hex.

    Spaces stand only beside bytes. After `most` characters or bytes, "…" stands for the rest.

    >>> shown(b" the"), shown(bytes([0xF0, 0x9F])), shown(bytes([0x20, 0xF0, 0x9F]))
    ('·the', 'f0 9f', '· f0 9f')
    """
    chars = data.decode("utf-8", "surrogateescape")
    runs = groupby(chars[:most], key=lambda char: "\udc80" <= char <= "\udcff")
    parts = [_bytes_run(run) if is_bytes else visible("".join(run)) for is_bytes, run in runs]
    return " ".join(parts) + ("…" if most is not None and len(chars) > most else "")


def counted(word: str, count: int) -> str:
    """Write a count before its word, in the singular or the plural.

    >>> counted("token", 1), counted("token", 1234)
    ('1 token', '1,234 tokens')
    """
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def enumerated(names: Sequence[str]) -> str:
    """Join names: `a, b and c`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def separated(tokens: Iterable[bytes]) -> str:
    """Spell tokens in a line, with bars between them.

    >>> separated([b"a", b" |", b""])
    'a|·[|]|[end]'
    """
    return BAR.join(shown(token).replace(BAR, f"[{BAR}]") or END_OF_WORD for token in tokens)


def _bytes_run(surrogates: Iterable[str]) -> str:
    return hex_bytes(bytes(ord(char) - _SURROGATE_OF_BYTE_0 for char in surrogates))
