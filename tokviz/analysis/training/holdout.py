"""Hold out part of the texts before training, to measure a tokenizer on text it has not seen."""

from collections.abc import Sequence
from typing import NamedTuple

NTH = 10
"""By default, every tenth line is held out."""


class Parts(NamedTuple):
    """Training texts and held-out texts, in the original order. Together they have the original lines."""

    learn: list[str]
    held_out: list[str]


def hold_out(texts: Sequence[str], nth: int = NTH) -> Parts:
    """Hold out every `nth` line, counted through all texts. Lines keep their line ends.

    Raises ValueError if there are fewer than `nth` lines.

    >>> hold_out(["1\\n2\\n3\\n4\\n5"], 2)
    Parts(learn=['1\\n3\\n5'], held_out=['2\\n4\\n'])
    """
    learn, held_out = [], []
    lines_before = 0
    for text in texts:
        lines = text.splitlines(keepends=True)
        first = nth - 1 - lines_before % nth
        lines_before += len(lines)
        held_out.append("".join(lines[first::nth]))
        del lines[first::nth]
        learn.append("".join(lines))
    if not any(held_out):
        raise ValueError(f"the text has fewer than {nth} lines, so that no part of it can be set aside")
    return Parts(learn, held_out)
