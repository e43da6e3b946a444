"""Byte pair encoding in full: training, encoding and decoding, as one explains them, and without options.

Everything counts from the beginning at each step, so this is slow. `training` and `merging` compute the same faster.

>>> merges = train(["aaabdaaabac"], num_merges=3)
>>> encode("aaabdaaabac", merges)
[258, 100, 258, 97, 99]
>>> decode([258, 100, 258, 97, 99], merges)
'aaabdaaabac'
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

Pair = tuple[int, int]


def train(pretokens: Iterable[str], num_merges: int) -> dict[Pair, int]:
    """Learn merges: join the most frequent pair of neighbors into a new token, again and again.

    `pretokens` are the pieces that a text was cut into; no merge crosses their borders. A token is a number: that of a
    byte, or 256 and up for the tokens that are learned. Of equally frequent pairs, the one seen first is joined. A pair
    that occurs only once is not. Returns pair -> new token, in the order learned.
    """
    pieces = [list(pretoken.encode()) for pretoken in pretokens]
    merges: dict[Pair, int] = {}
    while len(merges) < num_merges:
        counts = Counter(pair for piece in pieces for pair in pairwise(piece))
        pair = max(counts, key=counts.__getitem__, default=None)
        if pair is None or counts[pair] < 2:
            break
        merges[pair] = 256 + len(merges)
        pieces = [join(piece, pair, merges[pair]) for piece in pieces]
    return merges


def join(tokens: Sequence[int], pair: Pair, new: int) -> list[int]:
    """Replace a pair by a new token wherever it occurs, from left to right.

    >>> join([97, 97, 97, 98], (97, 97), 256)
    [256, 97, 98]
    """
    joined: list[int] = []
    place = 0
    while place < len(tokens):
        is_pair = tuple(tokens[place : place + 2]) == pair
        joined.append(new if is_pair else tokens[place])
        place += 2 if is_pair else 1
    return joined


def encode(pretoken: str, merges: Mapping[Pair, int]) -> list[int]:
    """Apply the merges to the bytes of a pre-token: of those that apply, always the one learned first."""
    tokens = list(pretoken.encode())
    while pairs := [pair for pair in pairwise(tokens) if pair in merges]:
        first = min(pairs, key=merges.__getitem__)
        tokens = join(tokens, first, merges[first])
    return tokens


def decode(tokens: Iterable[int], merges: Mapping[Pair, int]) -> str:
    """Return the text of tokens. Bytes that are no UTF-8, such as half a character, become U+FFFD."""
    vocabulary = {byte: bytes([byte]) for byte in range(256)}
    for (left, right), new in merges.items():
        vocabulary[new] = vocabulary[left] + vocabulary[right]
    return b"".join(vocabulary[token] for token in tokens).decode(errors="replace")
