"""Labels of a tower's blocks in a picture (`replay/tower/labels.js` has those on the page)."""

from itertools import groupby

from tokviz.display import column_width, hex_bytes, text_width, visible

CHARACTER_WIDTH = 0.6
"""Width of a monospaced character relative to its height."""

_SHARE, _ID_SHARE = 0.9, 0.86  # of a block's width that its label, and the id under it, may take
_MIN_SIZE = 0.3  # of a label, in columns; a longer label is cut short

MAX_SIZE = 0.8
"""Largest height of a label, in columns."""

_SURROGATE_OF_BYTE_0 = 0xDC00


def label_of(data: bytes) -> tuple[str, bool]:
    """Spell a token, and say whether some of it is bytes in hex.

    >>> label_of(" the".encode()), label_of(bytes([0x20, 0xF0, 0x9F]))
    (('·the', False), ('· f0 9f', True))
    """
    chars = data.decode("utf-8", "surrogateescape")
    runs = [(is_bytes, "".join(run)) for is_bytes, run in groupby(chars, key=lambda char: "\udc80" <= char <= "\udcff")]
    label = " ".join(
        hex_bytes(bytes(ord(char) - _SURROGATE_OF_BYTE_0 for char in run)) if is_bytes else visible(run)
        for is_bytes, run in runs
    )
    return label, any(is_bytes for is_bytes, _ in runs)


def label_size(label: str, width: float) -> float:
    """Return the height of a label in columns, for a block of a width in columns."""
    return min(MAX_SIZE, _SHARE * width / (CHARACTER_WIDTH * max(1, text_width(label))))


def id_size(token: int, width: float) -> float:
    """Return the height of an id under a block, in columns."""
    return _ID_SHARE * width / (CHARACTER_WIDTH * len(str(token)))


def shorten(label: str, width: float) -> str:
    """Shorten a label that would be too small in a block of this width, in columns."""
    most = int(_SHARE * width / (CHARACTER_WIDTH * _MIN_SIZE))
    if text_width(label) <= most:
        return label
    kept, used = "", 1
    for char in label:
        used += column_width(char)
        if used > most:
            break
        kept += char
    return f"{kept}…"
