"""Encoding a text that comes in parts, with the ids of the whole, in memory that doesn't grow with the text."""

from collections.abc import Callable, Collection, Iterable, Iterator

from tokviz.pretokens.special_tokens import find
from tokviz.texts import repair

SafeCut = Callable[[str], int]
"""Returns the last place at which ordinary text can be cut, whatever follows it; 0 if there is none."""

_PART = 5_000  # code points encoded at a time, if the text can be cut that often


def encoded_parts(
    parts: Iterable[str], specials: Collection[str], cut: SafeCut, encode: Callable[[str, int], list[int]]
) -> Iterator[int]:
    """Yield the ids of the text that `parts` are parts of.

    `encode` returns those of a stretch, given with its place in the text. `specials` are the special tokens recognized.
    """
    held, place, enough = "", 0, _PART
    for part in _repaired(parts):
        held += part
        if len(held) < enough:
            continue
        end = last_safe_cut(held, specials, cut)
        yield from encode(held[:end], place)
        held, place = held[end:], place + end
        enough = max(_PART, 2 * len(held))  # a long pre-token is looked at a few times, not with each part
    yield from encode(held, place)


def last_safe_cut(text: str, specials: Collection[str], cut: SafeCut) -> int:
    """Return the last place at which a text with special tokens can be cut, whatever follows."""
    if not specials:
        return cut(text)
    # Of what begins before this place, everything is there.
    certain = len(text) - max(map(len, specials)) + 1
    spans = find(text, specials)
    last = max((end for start, end in zip(spans[::2], spans[1::2], strict=True) if start < certain), default=0)
    return last + cut(text[last:certain]) if last < certain else last


def _repaired(parts: Iterable[str]) -> Iterator[str]:
    """Repair the parts as the whole is repaired: a surrogate pair may be in two parts."""
    high = ""
    for part in parts:
        text = high + part
        high = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        yield repair(text.removesuffix(high) if high else text)[0]
    yield repair(high)[0]
