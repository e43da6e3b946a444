r"""Files of pre-token counts: JSON, one value a line, in UTF-8.

The first line is an object that names the format, the split pattern, the special tokens and the number of lines that
follow. Each of these is a pre-token and its count, in the order of first occurrence:

    {"format": "tokviz pre-token counts", "version": 1, "split_pattern": "\\w+", "special_tokens": [], "entries": 2}
    ["the", 12]
    [" ", 11]
"""

import json
from collections import Counter
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from tokviz.display import quote
from tokviz.texts import repair
from tokviz.tokenizers.inputs import check_special_tokens

_FORMAT = {"format": "tokviz pre-token counts", "version": 1}
_MAX_HEADER = 1_000_000
"""Maximum bytes of the first line."""

MAX_COUNT = 2**62
"""Maximum of a count, and of all bytes and texts counted together, since they are added up in 64 bits."""


class CountsFile(NamedTuple):
    """The content of a file of counts."""

    counts: Counter[str]
    split_pattern: str | None
    special_tokens: tuple[str, ...]


def write_counts(path: str | PathLike[str], content: CountsFile) -> None:
    """Write a table of counts to a file."""
    header = _FORMAT | {
        "split_pattern": content.split_pattern,
        "special_tokens": content.special_tokens,
        "entries": len(content.counts),
    }
    with Path(path).open("w", encoding="utf-8", newline="\n") as file:
        file.write(json.dumps(header, ensure_ascii=False) + "\n")
        file.writelines(json.dumps(entry, ensure_ascii=False) + "\n" for entry in content.counts.items())


def read_counts(path: str | PathLike[str], max_bytes: int) -> CountsFile:
    """Read a file of counts. Raises ValueError saying what is wrong in it, and on which line."""
    name = Path(path).name
    with Path(path).open("rb") as file:
        size = file.seek(0, 2)
        if size > max_bytes:
            raise ValueError(f"{name} has {size:,} bytes, more than max_bytes allows ({max_bytes:,})")
        file.seek(0)
        header = _read_header(name, file.readline(_MAX_HEADER))
        counts = _read_entries(name, file)
    if len(counts) != header["entries"]:
        raise ValueError(f"{name} should hold {header['entries']:,} entries, but has {len(counts):,}: it is cut off")
    return CountsFile(counts, header["split_pattern"], tuple(header["special_tokens"]))


def _read_header(name: str, line: bytes) -> dict[str, Any]:
    header = _value(name, 1, line)
    if not isinstance(header, dict) or header.get("format") != _FORMAT["format"]:
        raise ValueError(f"{name} is not a file of pre-token counts, as PretokenCounts.save writes it")
    if header.get("version") != _FORMAT["version"]:
        raise ValueError(f"{name} was written by another version of tokviz, which this one can't read")
    pattern, specials, entries = (header.get(key) for key in ("split_pattern", "special_tokens", "entries"))
    if not (pattern is None or isinstance(pattern, str)) or not isinstance(specials, list) or type(entries) is not int:
        raise ValueError(f"{name}, line 1: the split pattern, the special tokens or the number of entries is missing")
    try:
        check_special_tokens(specials)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}, line 1: {error}") from None
    return header


def _read_entries(name: str, file: BinaryIO) -> Counter[str]:
    counts: Counter[str] = Counter()
    for number, line in enumerate(file, start=2):
        match _value(name, number, line):
            case [str(text), int(times)] if text and 0 < times <= MAX_COUNT and times is not True:
                pass
            case _:
                raise ValueError(f"{name}, line {number}: this should be a pre-token and its count, from 1 to 2**62")
        if text in counts or repair(text)[1]:
            raise ValueError(f"{name}, line {number}: {quote(text)} is there twice, or is no Unicode text")
        counts[text] = times
    return counts


def _value(name: str, number: int, line: bytes) -> Any:
    try:
        return json.loads(line.decode())
    except (ValueError, RecursionError):  # also of a number with thousands of digits
        raise ValueError(f"{name}, line {number}: this is not a line of JSON in UTF-8") from None
