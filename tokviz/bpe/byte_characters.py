"""GPT-2's spelling of bytes: one printable character per byte, as in most byte-level vocabularies.

Bytes that are printable in Latin-1 stand for themselves, the other 68 are spelled as the characters from U+0100 on: a
space is `Ġ` and a line break `Ċ`.
"""

_PRINTABLE = (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100))
_OTHER = [value for value in range(256) if value not in _PRINTABLE]
_CHARACTER_OF = {value: chr(value) for value in _PRINTABLE} | {value: chr(256 + i) for i, value in enumerate(_OTHER)}
_NO_BYTE = 0xFFFF  # outside Latin-1
_BYTE_OF = dict.fromkeys(range(256), _NO_BYTE) | {ord(char): value for value, char in _CHARACTER_OF.items()}


def spell(data: bytes) -> str:
    """Spell bytes, one character for each.

    >>> spell(b" a")
    'Ġa'
    """
    return data.decode("latin-1").translate(_CHARACTER_OF)


def unspell(text: str) -> bytes | None:
    """Bytes with this spelling; None if a character stands for no byte."""
    try:
        return text.translate(_BYTE_OF).encode("latin-1")
    except UnicodeEncodeError:
        return None
