"""Figures of the course as data: what a figure computes, and, if it has no module of its own, its form and its parts.

Such a figure is drawn by `widgets/course/figures/parts.js`. It has one box, for a text, and below it the parts that the
functions of this module return: sentences, bars, tables, rows of tokens. All of them are data, whatever a text holds.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final, Literal, NamedTuple

from tokviz.display import counted, enumerated

MAX_SHORT = 1_000
"""Maximum bytes of the text of a figure that shows each character by itself."""

MAX_LONG = 1_000_000
"""Maximum bytes of the reader's own text in a figure."""

Options = Mapping[str, str]
"""What a figure is asked besides its text, by name."""

Words = str | tuple[Literal["b", "bdi", "code", "mono", "span"], str] | tuple[Literal["span"], str, str]
"""A stretch of a sentence: plain, or in an element, which may have a title. `bdi` and `mono` keep its direction."""

Part = dict[str, Any]
"""A part of a figure."""


class Field(NamedTuple):
    """A field of a figure: its label, the code points that it takes, its classes, and its height in lines."""

    label: str
    most: int
    kind: str = "mono full-field"
    lines: int = 1


OWN_TEXT: Final = "own"
"""The form of a figure about the reader's own text, which all chapters share."""


class Figure(NamedTuple):
    """A computation: of a text of at most `limit` bytes, and options. It raises ValueError for those that are wrong.

    With a `form`, it returns parts. `takes` says what takes seconds at first: to load large vocabularies or learn some,
    or to search for texts.
    """

    describe: Callable[[str, Options], Any]
    limit: int = MAX_SHORT
    form: Field | Literal["own"] | None = None
    takes: Literal["", "loading", "searching"] = ""

    @property
    def form_data(self) -> dict[str, Any] | None:
        """The form as its widget takes it; None for a figure with a module of its own."""
        return {"field": self.form._asdict()} if isinstance(self.form, Field) else self.form and {}


# Parts


def says(*words: Words) -> Part:
    """Say the figure's outcome in a sentence."""
    return {"kind": "says", "words": list(filter(None, words))}


def note(*words: Words) -> Part:
    """Add a sentence in gray."""
    return {"kind": "note", "words": list(filter(None, words))}


def below(*words: Words) -> Part:
    """Add a sentence in gray to what is above it."""
    return {"kind": "below", "words": words}


def bars(rows: Iterable[tuple[str, int] | tuple[str, int, str]]) -> Part:
    """Draw amounts on a common scale: a name, an amount, and perhaps a color of the palette."""
    return {"kind": "bars", "rows": [dict(zip(("name", "value", "color"), row, strict=False)) for row in rows]}


def table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[Sequence[Words] | str | int]]) -> Part:
    """Draw a table. The first cell of each row is its head."""
    return {"kind": "table", "caption": caption, "heads": heads, "rows": rows}


def chips(row: Mapping[str, Any]) -> Part:
    """Draw the tokens of a row (see `inside.row`)."""
    return {"kind": "chips", "row": row}


def section(title: str, *parts: Part, label: str | None = None) -> Part:
    """Put parts under a title. The label is its name for screen readers, if that is another."""
    return {"title": title, "label": label or title, "parts": parts}


def rungs(sections: Iterable[Part]) -> Part:
    """Put sections one below the other."""
    return {"kind": "rungs", "sections": list(sections)}


def columns(*sections: Part) -> Part:
    """Put sections side by side."""
    return {"kind": "columns", "sections": sections}


def rung(row: Mapping[str, Any], *words: Words, unit: str = "token", after: Sequence[Part] = ()) -> Part:
    """Show a text's tokens: `words`, how many there are, of what unit, and how many are unknown."""
    unknown = row["unknown"]
    lost: list[Words] = [("b", f" · {counted('token', unknown)} unknown")] if unknown else []
    line = note(*words, ("b", counted(unit, row["count"])), *lost)
    return section(row["name"], line, chips(row), *after)


# What is asked, and said


def numbers_in(options: Options, name: str) -> list[int]:
    """Read the whole numbers in an option."""
    return [int(number) for number in re.findall("[0-9]{1,6}", options.get(name, ""))]


def number_in(options: Options, name: str) -> int:
    """Read a whole number, 0 without one."""
    return next(iter(numbers_in(options, name)), 0)


def who(does: str, does_not: str, rows: Iterable[Mapping[str, Any]]) -> str:
    """Say what tokenizers do, and what the others do, by the `does` of their rows; those with None are left out.

    >>> who("it cuts", "it doesn’t", [{"name": "A", "does": True}, {"name": "B", "does": False}])
    'In A, it cuts. In B, it doesn’t.'
    """
    rows = list(rows)
    sides = ([row["name"] for row in rows if row["does"] is side] for side in (True, False))
    return " ".join(
        f"In {'all of these' if len(names) == len(rows) else enumerated(names)}, {what}."
        for names, what in zip(sides, (does, does_not), strict=True)
        if names
    )


def rounded(value: float, digits: int = 0) -> str:
    """Round as people do, halves up.

    >>> rounded(2.5), rounded(0.25, 1)
    ('3', '0.3')
    """
    return f"{Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP):,}"
