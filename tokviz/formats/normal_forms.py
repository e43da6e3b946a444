"""Unicode normalization as in Hugging Face's library: by the tables of Unicode 9, whatever version Python has.

That library never decomposes, composes or reorders a character that was added later. So such characters are left as
they are here, and each stretch between them is normalized on its own.

`unicodedata` sorts combining marks by insertion, in a time that is quadratic in their number, and no other thread runs
meanwhile. So long runs of marks are sorted here before it sees them, and long texts reach it in pieces.
"""

import unicodedata
from collections.abc import Iterator
from itertools import groupby, takewhile
from typing import Literal

import regex

from tokviz.texts import in_pieces

NormalForm = Literal["NFC", "NFD", "NFKC", "NFKD"]

# Characters that normalization affects by the tables of 2026, but not by those of Unicode 9.
_ADDED_LATER = (
    "558 58b-58c 5c8-5c9 7fd 897-89f 8ca-8d3 9fe c3c d3b-d3c eba 1715 1abf-1af0 1df6-1dfa 209d-209f 32ff a7f1-a7f4 "
    "a82c ab69 105c9 105e4 10781-10785 10787-107b0 107b2-107bf 10d24-10d27 10d69-10d6d 10eab-10eac 10ecb-10ecf "
    "10ef0-10efb 10efd-10eff 10f46-10f50 10f82-10f85 11070 1133b 11383 11385 1138e 11391 113b8 113bb 113c2 113c5 "
    "113c7-113c9 113ce-113d0 1145e 11839-1183a 11930 11938 1193d-1193e 11943 119e0 11a34 11a47 11a99 11d42 "
    "11d44-11d45 11d97 11f41-11f42 1611e-16129 1612f 16d67-16d6a 16ff0-16ff1 1b123-1b126 1ccd6-1ccf9 1d127-1d128 "
    "1d250-1d252 1d25b-1d25c 1d25f 1d280-1d281 1d6a6 1df95 1dfcd-1dfff 1e030-1e06d 1e08f 1e130-1e136 1e2ae "
    "1e2ec-1e2ef 1e4ec-1e4ef 1e5ee-1e5ef 1e6e3 1e6e6 1e6ee-1e6ef 1e6f5 1f16c 1fbf0-1fbf9"
)


def _range(text: str) -> str:
    first, _, last = text.partition("-")
    return f"{chr(int(first, 16))}-{chr(int(last or first, 16))}"


_LATER = regex.compile(f"([{''.join(map(_range, _ADDED_LATER.split()))}]+)")


# Decompose to marks, though they are no marks themselves: in all forms, and in NFKC and NFKD only.
_PAIRS_OF_MARKS, _HALF_WIDTH_MARKS = r"\u0f73\u0f75\u0f81", r"\uff9e\uff9f"
_MANY = 50  # marks in a row, which unicodedata sorts in some microseconds
_MANY_MARKS = {
    "NFD": regex.compile(rf"([\P{{ccc=0}}{_PAIRS_OF_MARKS}]{{{_MANY},}}+)"),
    "NFKD": regex.compile(rf"([\P{{ccc=0}}{_PAIRS_OF_MARKS}{_HALF_WIDTH_MARKS}]{{{_MANY},}}+)"),
}
# Characters that never compose with what precedes them, nor are sorted into it. The ranges are Korean letters.
_STARTS_ANEW = regex.compile(
    rf"[^\P{{ccc=0}}\p{{NFC_QC=M}}{_PAIRS_OF_MARKS}{_HALF_WIDTH_MARKS}\u3131-\u3163\uffa1-\uffdc]"
)
_PIECE = 20_000  # code points

MAX_GROWTH = 4
"""Maximum length of a normalized text, in code points, relative to the text. NFC and NFD never exceed it."""

_MAX_SHORT = 100_000
"""Code points up to which a normalized text may be longer than that."""


def normalize(form: NormalForm, text: str) -> str:
    """Normalize `text` to a normal form. Raises ValueError for a text that grows more than `MAX_GROWTH` times.

    >>> normalize("NFKC", "㋾㋿")  # the second is of Unicode 12
    'ヲ㋿'
    """
    if text.isascii():
        return text
    done: list[str] = []
    length, most = 0, max(_MAX_SHORT, MAX_GROWTH * len(text))
    for piece in _pieces(text):
        done.append(_normalize_piece(form, piece))
        length += len(done[-1])
        if length > most:
            raise ValueError(f"in the form {form}, this text becomes more than {MAX_GROWTH} times as long")
    return "".join(done)


def _pieces(text: str) -> Iterator[str]:
    """Split a text where normalization never reaches across, into pieces of `_PIECE` or more code points."""
    start = 0
    while start < len(text):
        cut = _STARTS_ANEW.search(text, start + _PIECE, concurrent=True)
        end = cut.start() if cut else len(text)
        yield text[start:end]
        start = end


def _normalize_piece(form: NormalForm, text: str) -> str:
    # With `concurrent`, other threads run meanwhile.
    stretches = _LATER.split(text, concurrent=True)
    stretches[::2] = [_normalize_stretch(form, stretch) for stretch in stretches[::2]]
    return "".join(stretches)


def _normalize_stretch(form: NormalForm, text: str) -> str:
    """Normalize a text that all characters were in by Unicode 9."""
    decomposition: NormalForm = "NFKD" if "K" in form else "NFD"
    *parts, last = _MANY_MARKS[decomposition].split(text, concurrent=True)
    done = []
    for before, marks in zip(parts[::2], parts[1::2], strict=True):
        by_class = _sorted_by_class(decomposition, marks)
        # At most a few marks compose with the letter before them. After the first of a class that doesn't, none does.
        first = "".join(some[:_MANY] for some in by_class.values())
        normal = unicodedata.normalize(form, before + first)
        end = len(normal) - sum(1 for _ in takewhile(unicodedata.combining, reversed(normal)))
        done.append(normal[:end])
        left = _sorted_by_class(decomposition, normal[end:])
        done += [left.get(each, "") + by_class.get(each, "")[_MANY:] for each in sorted(left | by_class)]
    return "".join([*done, unicodedata.normalize(form, last)])


def _sorted_by_class(decomposition: NormalForm, marks: str) -> dict[int, str]:
    """Decompose a run of marks, and return those of each combining class, in the order of classes."""
    decomposed = "".join(unicodedata.normalize(decomposition, piece) for piece in in_pieces(marks, _MANY))
    by_class: dict[int, list[str]] = {}
    for piece in in_pieces(decomposed, _PIECE):
        for combining_class, some in groupby(sorted(piece, key=unicodedata.combining), unicodedata.combining):
            by_class.setdefault(combining_class, []).append("".join(some))
    return {combining_class: "".join(by_class[combining_class]) for combining_class in sorted(by_class)}
