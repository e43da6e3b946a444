"""Comparison of ids with those that encoding their text gives.

Models emit such ids now and then: any tokens whose bytes make the text. Encoding never gives them.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate, groupby
from typing import NamedTuple

from tokviz.tokenizers.offsets import offsets_of


class Deviation(NamedTuple):
    """Ids `[start:end]` of those given, where encoding their text gives `canonical` instead of `given`."""

    start: int
    end: int
    given: list[int]
    canonical: list[int]


class Canonical(NamedTuple):
    """The `ids` that encoding the text of some ids gives, and the `deviations` of the given ones, from left to right.

    True if there are none. Each deviation is as short as it can be: it lies between two places, in bytes, at which both
    begin a token.
    """

    ids: list[int]
    deviations: list[Deviation]

    def __bool__(self) -> bool:
        return not self.deviations


def canonical_of(
    ids: Sequence[int],
    tokens: Sequence[bytes],
    specials: frozenset[int],
    encode: Callable[[str], list[int]],
    bytes_of: Callable[[list[int]], list[bytes]],
) -> Canonical:
    """Compare `ids`, whose bytes are `tokens`, with what `encode` gives for each stretch between special tokens.

    Raises ValueError for a stretch that is not UTF-8: no text has these ids.
    """
    canonical: list[int] = []
    deviations: list[Deviation] = []
    place = 0
    for is_special, group in groupby(ids, specials.__contains__):
        given = list(group)
        if is_special:
            canonical += given
        else:
            parts = list(tokens[place : place + len(given)])
            encoded = encode(_text(parts, place))
            deviations += _deviations(given, parts, encoded, bytes_of(encoded), place)
            canonical += encoded
        place += len(given)
    return Canonical(canonical, deviations)


def _text(tokens: Sequence[bytes], place: int) -> str:
    data = b"".join(tokens)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        ends = offsets_of(tokens).byte_offsets[1:].tolist()
        token = place + next(number for number, end in enumerate(ends) if end > error.start)
        raise ValueError(
            f"the bytes of these ids are not UTF-8, from the token at index {token} on: they are not what encoding any "
            "text gives"
        ) from None


def _deviations(
    given: list[int], given_bytes: Sequence[bytes], encoded: list[int], encoded_bytes: Sequence[bytes], place: int
) -> list[Deviation]:
    if given == encoded:
        return []
    given_ends = dict(_last_at_each_end(given_bytes))
    encoded_ends = dict(_last_at_each_end(encoded_bytes))
    found, start, other = [], 0, 0
    for border in sorted(given_ends.keys() & encoded_ends.keys()):
        end, other_end = given_ends[border], encoded_ends[border]
        if given[start:end] != encoded[other:other_end]:
            found.append(Deviation(place + start, place + end, given[start:end], encoded[other:other_end]))
        start, other = end, other_end
    if given[start:] != encoded[other:]:
        found.append(Deviation(place + start, place + len(given), given[start:], encoded[other:]))
    return found


def _last_at_each_end(tokens: Sequence[bytes]) -> list[tuple[int, int]]:
    """Return where each token ends, in bytes, with the number of tokens up to there; tokens without bytes included."""
    return [(end, number) for number, end in enumerate(accumulate(map(len, tokens)), start=1)]
