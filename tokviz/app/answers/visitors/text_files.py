"""Decode text files that visitors drop, with errors that name the file."""

import codecs
from collections.abc import Sequence

MAX_BYTES = 50_000_000
"""Maximum bytes of all files together."""

# UTF-32 comes before UTF-16, since its little-endian mark begins with that of UTF-16.
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def decode(name: str, data: bytes) -> str:
    """Decode a file as UTF-8, or as the Unicode encoding that its byte order mark indicates.

    Raises ValueError with advice for files in any other encoding.
    """
    mark, encoding = next((each for each in _BYTE_ORDER_MARKS if data.startswith(each[0])), (b"", "utf-8"))
    try:
        text = data[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{name} is no text in {encoding.upper()}: byte {len(mark) + error.start} does not belong there. "
            "Save it as UTF-8, and drop it again"
        ) from None
    if "\0" in text:
        raise ValueError(f"{name} holds null characters, so it does not seem to be a text file")
    return text


def decode_all(files: Sequence[tuple[str, bytes]]) -> list[str]:
    """Decode several files, given as pairs of name and content; names may repeat.

    Raises ValueError if one is not a text file, or if they hold more than MAX_BYTES together.
    """
    size = sum(len(data) for _, data in files)
    if size > MAX_BYTES:
        raise ValueError(
            f"these files have {size / 1e6:.1f} MB together; {MAX_BYTES // 1_000_000} MB is the most that fits"
        )
    return [decode(name, data) for name, data in files]
