"""The data of a lattice's view, its standalone page, and its display in notebooks."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tokviz.tokenizers.lattice import TextLattice, Way
from tokviz.widgets.html import notebook_view, view_page

MAX_CHARACTERS = 1_000
"""Maximum code points of a normalized text whose lattice is drawn."""

MAX_PIECES = 10_000
"""Maximum pieces of a lattice that are drawn; T5 has about 5 for each character of English."""

_MAX_WRITTEN_OUT = 10**15


def lattice_data(lattice: TextLattice) -> dict[str, Any]:
    """Return what the browser draws, as JSON.

    Raises ValueError if the text is longer than `MAX_CHARACTERS`, and if more than `MAX_PIECES` pieces fit it.
    """
    length = sum(len(segment.text) for segment in lattice.segments)
    if length > MAX_CHARACTERS:
        raise ValueError(
            f"this text has {length:,} characters; a lattice shows {MAX_CHARACTERS:,} at most: use its beginning"
        )
    fitting = sum(len(part) for part in lattice.lattices if part is not None)
    if fitting > MAX_PIECES:
        raise ValueError(f"{fitting:,} pieces fit this text; a lattice shows {MAX_PIECES:,} at most: use its beginning")
    pieces, unknown = _Pieces(lattice), lattice.model.unk_id
    return {
        "tokenizer": lattice.tokenizer.name,
        "text": "".join(segment.text for segment in lattice.segments),
        **pieces.columns,
        "rows": _rows(pieces.columns["starts"], pieces.columns["ends"]),
        "bytes": bool(lattice.model.byte_ids),
        "unknown_token": "" if unknown is None else lattice.tokenizer.vocab[unknown].decode("utf-8", "replace"),
        "paths": [{"score": round(way.score, 4), "pieces": pieces.of_way(way)} for way in lattice.ways],
        "ways": _readable(lattice.num_ways),
    }


class _Pieces:
    """The pieces of all segments in one row."""

    def __init__(self, lattice: TextLattice) -> None:
        names = ("starts", "ends", "ids", "scores", "unknown", "special")
        self.columns: dict[str, list[Any]] = {name: [] for name in names}
        self._firsts: list[tuple[int, bool]] = []
        place = 0
        for segment, part in zip(lattice.segments, lattice.lattices, strict=True):
            first = len(self.columns["ids"])
            self._firsts.append((first, part is None))
            if part is None:
                self._add([place], [place + len(segment.text)], [segment.special], [0])
                self.columns["special"].append(first)
            else:
                starts, ends = (part.starts + place).tolist(), (part.ends + place).tolist()
                self._add(starts, ends, part.ids.tolist(), [round(float(score), 4) for score in part.scores])
                self.columns["unknown"] += [first + edge for edge in part.is_unknown.nonzero()[0].tolist()]
            place += len(segment.text)

    def _add(self, *columns: list[Any]) -> None:
        for name, column in zip(("starts", "ends", "ids", "scores"), columns, strict=True):
            self.columns[name] += column

    def of_way(self, way: Way) -> list[int]:
        """Return the indices of a way's pieces, special tokens included."""
        found: list[int] = []
        paths = iter(way.paths)
        for first, is_special in self._firsts:
            found += [first] if is_special else (next(paths).edges + first).tolist()
        return found


def _rows(starts: Sequence[int], ends: Sequence[int]) -> list[int]:
    """Return the row of each piece, from 0: it stands beneath all shorter ones that it crosses."""
    taken, rows = np.zeros(max(ends, default=0), np.int32), [0] * len(starts)
    for piece in sorted(range(len(starts)), key=lambda piece: (ends[piece] - starts[piece], starts[piece])):
        beneath = taken[starts[piece] : ends[piece]]
        rows[piece] = int(beneath.max(initial=0))
        beneath[:] = rows[piece] + 1
    return rows


def _readable(count: int) -> str:
    """Write a number of ways, which may have thousands of digits."""
    return f"{count:,}" if count < _MAX_WRITTEN_OUT else f"about 10^{math.log10(count):.0f}"


def page(lattice: TextLattice) -> str:
    """Return the lattice as a self-contained HTML page."""
    return view_page("lattice", lattice_data(lattice))


def notebook_lattice(lattice: TextLattice) -> str:
    """Return the lattice in an iframe for trusted notebooks, or a notice if the text is too long to be drawn."""
    return notebook_view(lambda: page(lattice), "Lattice", "lattice")
