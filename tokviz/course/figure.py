"""Figures of the course as data: what a figure computes, and, if it has no module of its own, its form and its parts.

Such a figure is drawn by `widgets/course/parts.js`: a box for a text, and below it what the functions of this module
return. One part may be what it `says`.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from inspect import signature
from typing import Any, Literal, NamedTuple

from tokviz.display import counted, enumerated

MAX_SHORT = 1_000
"""Maximum bytes of the text of a figure that shows each character by itself."""

MAX_LONG = 1_000_000
"""Maximum bytes of the reader's own text in a figure."""

Words = str | tuple[Literal["b", "bdi", "code", "mono"], str] | tuple[Literal["span"], str, str]
"""A stretch of a sentence: plain, in an element, or in a `span` with a title."""

Part = dict[str, Any]

Form = Mapping[str, Any]
"""The box of a figure that is data."""

OWN_TEXT: Form = {"own": True}
"""The box for the reader's own text, which all chapters share."""


def field(label: str, most: int, kind: str = "mono full-field", lines: int = 1) -> Form:
    """Return a field for a text of at most so many code points, with its classes and its height in lines."""
    return {"field": {"label": label, "most": most, "kind": kind, "lines": lines}}


Question = tuple[str, str, dict[str, str]]
"""A question to a figure: its name, a text, and options in the order in which the widget sends them."""


class Figure(NamedTuple):
    """A computation: of a text of at most `limit` bytes, and of options, which are the parameters of `describe` after
    the first, each a text. It raises ValueError for those that are wrong.

    With a `form`, it returns parts. `takes` says what takes seconds at first: loading vocabularies or learning some, or
    searching for texts. `asks` yields what readers ask about a value, the second argument being the figure's first one,
    for pages without a server; without it, they ask about the value and nothing else.
    """

    describe: Callable[..., Any]
    limit: int = MAX_SHORT
    form: Form | None = None
    takes: Literal["", "loading", "searching"] = ""
    asks: Callable[[str, str], Iterable[Question]] | None = None

    @property
    def options(self) -> list[str]:
        """Names of the options."""
        return [*signature(self.describe).parameters][1:]

    def answer(self, text: str, sent: Mapping[str, str]) -> Any:
        """Return what is computed of a text and of those options that were sent."""
        return self.describe(text, **{name: sent[name] for name in self.options if name in sent})


# Parts


def says(*words: Words) -> Part:
    """Say the figure's outcome in a sentence."""
    return {"kind": "says", "words": words}


def note(*words: Words) -> Part:
    """Add a sentence in gray."""
    return {"kind": "note", "words": words}


def below(*words: Words) -> Part:
    """Add a sentence in gray, close to what is above it."""
    return {"kind": "below", "words": words}


def bars(rows: Iterable[tuple[str, int] | tuple[str, int, str]]) -> Part:
    """Draw amounts on a common scale: a name, an amount, and perhaps a color of the palette."""
    return {"kind": "bars", "rows": [dict(zip(("name", "value", "color"), row, strict=False)) for row in rows]}


def table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[Sequence[Words] | str | int]]) -> Part:
    """Draw a table. The first cell of each row is its head."""
    return {"kind": "table", "caption": caption, "heads": heads, "rows": rows}


def strips(rows: Sequence[Mapping[str, Any]]) -> Part:
    """Draw rows of an embedding, each with its `id` and `text`; some have a `cosine`."""
    return {"kind": "strips", "rows": rows}


def chips(row: Mapping[str, Any]) -> Part:
    """Draw the tokens of a row (see `inside.row`)."""
    return {"kind": "chips", "row": row}


def section(title: str, *parts: Part, label: str = "") -> Part:
    """Put parts under a title. The label names them for screen readers, if the title doesn't."""
    return {"title": title, "label": label or title, "parts": parts}


def rung(row: Mapping[str, Any], *words: Words, unit: str = "token", after: Sequence[Part] = ()) -> Part:
    """Show a text's tokens in a section: `words`, how many there are, of what unit, and how many are unknown."""
    unknown = row["unknown"]
    lost: list[Words] = [("b", f" · {counted('token', unknown)} unknown")] if unknown else []
    return section(row["name"], note(*words, ("b", counted(unit, row["count"])), *lost), chips(row), *after)


def sections(kind: Literal["rungs", "columns"], found: Iterable[Part]) -> Part:
    """Put sections one below the other, or side by side."""
    return {"kind": kind, "sections": list(found)}


# Questions and answers


def numbers_in(option: str) -> list[int]:
    """Read the whole numbers in an option."""
    return [int(number) for number in re.findall("[0-9]{1,6}", option)]


def number_in(option: str) -> int:
    """Read a whole number, 0 without one."""
    return next(iter(numbers_in(option)), 0)


def two_texts(text: str) -> tuple[str, str]:
    """Read two texts from the JSON of a list."""
    try:
        first, second = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        first = second = None
    if not (isinstance(first, str) and isinstance(second, str)):
        raise ValueError("this figure takes two texts")
    return first, second


def as_json(value: object) -> str:
    """Serialize as the browser does."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def who(does: str, does_not: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """Say what tokenizers do, and what the others do, by the `does` of their rows; those with None are left out."""
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
