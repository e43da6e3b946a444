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
    specials: frozenset[int],
    encoded_again: Callable[[list[int], int], list[int]],
    bytes_of: Callable[[list[int]], list[bytes]],
) -> Canonical:
    """Compare `ids` with what encoding the text of each stretch between special tokens gives.

    `encoded_again` gives this for a stretch and its place. `bytes_of` gives the bytes of each token, which are together
    the same for both.
    """
    canonical: list[int] = []
    deviations: list[Deviation] = []
    place = 0
    for is_special, group in groupby(ids, specials.__contains__):
        given = list(group)
        if is_special:
            canonical += given
        else:
            encoded = encoded_again(given, place)
            if given != encoded:
                deviations += _deviations(given, bytes_of(given), encoded, bytes_of(encoded), place)
            canonical += encoded
        place += len(given)
    return Canonical(canonical, deviations)


def text_of(tokens: Sequence[bytes], place: int) -> str:
    """Return the text of tokens, the first of which is at `place`. Raises ValueError for bytes that are not UTF-8."""
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
