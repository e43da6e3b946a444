"""Search, filter and sort the rows of a vocabulary, as `token_rows` and `audit_rows` make them."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, get_args

from tokviz.analysis.training.report import TokenRow
from tokviz.analysis.vocabulary.audit import AuditRow, is_unused
from tokviz.analysis.vocabulary.reach import Reach
from tokviz.pretokens import splitting

SearchBy = Literal["text", "regex", "hex", "id"]
SEARCHES: tuple[SearchBy, ...] = get_args(SearchBy)
"""By a part of the token's text, by a regular expression that matches a part of it, by its bytes in hex, or by id."""

Order = Literal["rank", "length", "count", "id"]
ORDERS: tuple[Order, ...] = get_args(Order)

Filter = Literal["all", "in context", "unreachable", "undecided", "across words", "unused", "glitches"]
FILTERS: tuple[Filter, ...] = get_args(Filter)
"""By how a token is reached, by whether it spans words, and by its use in some texts."""

_PASSES: dict[Filter, Callable[[AuditRow], bool]] = {
    "all": lambda row: True,
    "in context": lambda row: row.reach is Reach.IN_CONTEXT,
    "unreachable": lambda row: row.reach is Reach.UNREACHABLE,
    "undecided": lambda row: row.reach is Reach.UNDECIDED,
    "across words": lambda row: row.across_words,
    "unused": is_unused,
    "glitches": lambda row: row.glitch,
}

_KEYS: dict[Order, Callable[[TokenRow], Any]] = {
    "rank": lambda row: (row.rank is None, row.rank or 0, row.id),
    "length": lambda row: (-row.length, row.id),
    "count": lambda row: (-(row.times or 0), row.id),
    "id": lambda row: row.id,
}


def search(rows: Sequence[TokenRow], query: str, by: SearchBy = "text") -> list[TokenRow]:
    """Return the rows that a query finds; all of them for an empty one.

    A regular expression means what it means in Python's `regex`, and is looked for in tokens that are text; it may be
    a stranger's: see `splitting.set_matcher`. Raises ValueError if the query can't be read.
    """
    if not query:
        return list(rows)
    if by == "regex":
        return _matching(rows, query)
    if by == "id":
        if not query.strip().isdecimal():
            raise ValueError("an id is a whole number, such as 256")
        number = int(query.strip()[:18])
        return [row for row in rows if row.id == number]
    wanted = query.encode() if by == "text" else _bytes_of(query)
    return [row for row in rows if wanted in row.token]


def passing(rows: Sequence[AuditRow], chosen: Filter) -> set[int]:
    """Return the ids of the tokens that a filter lets through."""
    return {row.id for row in rows if _PASSES[chosen](row)}


def in_order(rows: Sequence[TokenRow], order: Order) -> list[TokenRow]:
    """Sort rows: by rank, the longest first, the most frequent in the training text first, or by id."""
    return sorted(rows, key=_KEYS[order])


def _matching(rows: Sequence[TokenRow], pattern: str) -> list[TokenRow]:
    readable = [row for row in rows if row.text]
    try:
        spans = splitting.match_spans([row.text or "" for row in readable], pattern)
    except ValueError as error:
        message = str(error).partition(". Give a regular expression")[0]
        raise ValueError(message.replace("split pattern", "regular expression")) from None
    return [row for row, found in zip(readable, spans, strict=True) if len(found)]


def _bytes_of(spelled: str) -> bytes:
    try:
        return bytes.fromhex(spelled.replace("0x", "").replace(",", " "))
    except ValueError:
        raise ValueError("bytes in hex are pairs of the digits 0 to 9 and a to f, such as e4 bd") from None
