"""Text files that somebody drops: decoded, or refused by name."""

import codecs
from collections.abc import Sequence

MAX_BYTES = 50_000_000
"""The most that files may hold together."""

# The longer mark first: UTF-32's begins with UTF-16's.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def decode(name: str, data: bytes) -> str:
    """The text of a file in UTF-8, or in another of Unicode's encodings if a byte order mark says which.

    Raises ValueError with what to do about any other.
    """
    mark, encoding = next((each for each in _MARKS if data.startswith(each[0])), (b"", "utf-8"))
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
    """The texts of some files, of which several may have the same name.

    Raises ValueError for one that is no text, or too many bytes.
    """
    size = sum(len(data) for _, data in files)
    if size > MAX_BYTES:
        raise ValueError(
            f"these files have {size / 1e6:.1f} MB together; {MAX_BYTES // 1_000_000} MB is the most that fits"
        )
    return [decode(name, data) for name, data in files]
