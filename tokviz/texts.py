"""Input texts: one or several, as strings or from files, repaired if a string can't be encoded as UTF-8."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Protocol, runtime_checkable

import regex

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

Texts = str | Iterable[str]
"""One text, or several that are never joined. An open file is one text; an iterator is read once."""

_PART = 1_000_000  # code points read from a file at a time
_BEFORE_VALUES = ",[{"  # in JSON

# The last position in a string where a word ends before a space or tab, and a grapheme cluster ends too.
_LAST_BEFORE_SPACE = regex.compile(r"(?r)[^\s\p{GCB=Prepend}](?=[ \t])")


def repair(text: str) -> tuple[str, int]:
    """Make `text` encodable: join surrogate pairs, and replace lone surrogates with U+FFFD.

    Returns the repaired text and the number of lone surrogates replaced. tiktoken repairs texts in the same way.
    """
    if not isinstance(text, str):
        raise TypeError(f"a text must be a str, not {type(text).__name__}" + _decode_hint(text))
    try:
        text.encode()
    except UnicodeEncodeError:
        joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return joined, joined.count(REPLACEMENT) - text.count(REPLACEMENT)
    return text, 0


def in_common(first: Sequence[object], second: Sequence[object]) -> int:
    """Return the number of code points, or other items, that two texts or lists have in common at the beginning.

    >>> in_common("low", "lower")
    3
    """
    pairs = enumerate(zip(first, second, strict=False))
    return next((place for place, (one, other) in pairs if one != other), min(len(first), len(second)))


def in_pieces(text: str, size: int = 100_000) -> Iterator[str]:
    """Split `text` into pieces of `size` code points.

    For C functions that process a whole text before they let another thread run.

    >>> list(in_pieces("abcde", 2))
    ['ab', 'cd', 'e']
    """
    return (text[start : start + size] for start in range(0, len(text), size))


def distinct(text: str) -> set[str]:
    """Return the distinct code points of `text`, like `set(text)`, but let other threads run meanwhile."""
    found: set[str] = set()
    for piece in in_pieces(text):
        found.update(piece)
    return found


@runtime_checkable
class _File(Protocol):
    def read(self, size: int, /) -> str: ...


def each_text(texts: Texts, *, cut_at_spaces: bool = False) -> Iterator[str]:
    """Yield the texts one by one, repaired. Raises TypeError if there is anything but texts.

    With `cut_at_spaces`, files and long texts are yielded in parts that end before white space, so that memory use
    doesn't grow with a file's size, and work on a long text can be followed.
    """
    if isinstance(texts, bytes | bytearray | Mapping) or not isinstance(texts, Iterable):
        hint = ": take its values()" if isinstance(texts, Mapping) else _decode_hint(texts)
        raise TypeError(f"texts must be a str, or several of them, not {type(texts).__name__}{hint}")
    if isinstance(texts, str):
        texts = [texts]
    elif isinstance(texts, _File):
        texts = _cut_at_spaces(read_in_parts(texts, _PART)) if cut_at_spaces else [_check_is_str(texts.read(-1))]
    for text in texts:
        repaired, _ = repair(text)
        if cut_at_spaces and len(repaired) > _PART:
            yield from _cut_at_spaces(in_pieces(repaired, _PART))
        else:
            yield repaired


def _cut_at_spaces(parts: Iterable[str]) -> Iterator[str]:
    """Yield a text, given in parts, in parts that end before white space."""
    pending: list[str] = []
    for part in parts:
        match = _LAST_BEFORE_SPACE.search(part)
        if match:
            yield "".join(pending) + part[: match.end()]
            pending, part = [], part[match.end() :]
        pending.append(part)
    if pending:
        yield "".join(pending)


def read_in_parts(text: str | Iterable[str], size: int = 10_000) -> Iterator[str]:
    """Yield the parts of one text, each of at most `size` code points: an open file, an iterable of parts, or a str.

    They are not repaired. Raises TypeError for anything else.
    """
    if isinstance(text, bytes | bytearray | Mapping) or not isinstance(text, Iterable):
        raise TypeError(f"a text must be a file, its parts or a str, not {type(text).__name__}{_decode_hint(text)}")
    if isinstance(text, _File):
        while part := _check_is_str(text.read(size)):
            yield part
        return
    for each in [text] if isinstance(text, str) else text:
        if not isinstance(each, str):
            raise TypeError(f"the parts of a text must be str, not {type(each).__name__}{_decode_hint(each)}")
        yield from in_pieces(each, size)


def _check_is_str(read: object) -> str:
    if not isinstance(read, str):
        raise TypeError(f"a file of texts must give str, not {type(read).__name__}: open it without 'b' in its mode")
    return read


def _decode_hint(value: object) -> str:
    return ": decode it first, for example with .decode('utf-8')" if isinstance(value, bytes | bytearray) else ""


def holds_more_values(json_text: str, most: int) -> bool:
    """Return whether JSON holds more than `most` values and members, without parsing it. May raise ValueError.

    For JSON from strangers: parsing it lets no other thread run, and two bytes of it may become seventy.
    """
    if sum(map(json_text.count, _BEFORE_VALUES)) <= most:  # wherever they stand
        return False
    values = strings = position = 0
    while position >= 0:
        quote = json_text.find('"', position)
        outside = json_text[position : quote if quote >= 0 else None]
        values += sum(map(outside.count, _BEFORE_VALUES))
        strings += 1
        if values > most or strings > 2 * most:
            return True
        position = quote if quote < 0 else scanstring(json_text, quote + 1)[1]
    return False
