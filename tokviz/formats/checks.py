"""Reading files that anybody may have made: bounded in size and depth, and with a sentence for what is wrong."""

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any, TypeVar

T = TypeVar("T")

MAX_FILE = 40_000_000
"""Bytes of a file. The largest tokenizer.json in common use has 28 million."""

MAX_ID = 4_000_000
"""Ids are below this. The largest vocabularies in common use have 262,144 tokens."""

MAX_PATTERN = 20_000
"""Characters of a split pattern, whatever the format."""

_MAX_TOKEN_BYTES = 20_000_000
_MAX_SQUARES = 500_000_000
_MAX_BRACKETS = 3_000_000
_MAX_DIGITS = 100
_QUOTED = 60  # characters


def check_size(name: str, size: int) -> None:
    """Refuse a file that is too large, best before it is read."""
    if size > MAX_FILE:
        raise ValueError(f"{name} has {size:,} bytes; a tokenizer's file may have {MAX_FILE:,}")


def as_text(name: str, data: bytes) -> str:
    """The text that a file holds."""
    check_size(name, len(data))
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"{name} is not UTF-8: byte {error.start} does not belong there") from None


def as_json(name: str, data: bytes) -> dict[str, Any]:
    """The JSON object that a file holds. An object in it that names a thing twice is refused."""
    text = as_text(name, data)
    if text.count("[") + text.count("{") > _MAX_BRACKETS:
        raise ValueError(f"{name} holds more than {_MAX_BRACKETS:,} lists and objects")
    try:
        value = json.loads(
            text,
            object_pairs_hook=lambda pairs: _object(name, pairs),
            parse_int=lambda digits: _whole_number(name, digits),
        )
    except json.JSONDecodeError as error:
        raise ValueError(f"{name} is not JSON, or is cut off: {error}") from None
    except RecursionError:
        raise ValueError(f"{name} nests lists and objects too deeply") from None
    if not isinstance(value, dict):
        raise ValueError(f"{name} should hold a JSON object, not {_kind(value)}")
    return value


def _object(name: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        ((twice, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"{name} names {_short(twice)} twice in one object")
    return found


def _whole_number(name: str, digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise ValueError(f"{name} holds a number of {len(digits):,} digits")
    return int(digits)


def _short(text: str) -> str:
    """A text out of a file as a message quotes it."""
    return repr(text) if len(text) <= _QUOTED else f"{text[:_QUOTED]!r}…"


def check_pattern(name: str, pattern: str) -> str:
    """`pattern`, which must not be too long."""
    if len(pattern) > MAX_PATTERN:
        raise ValueError(
            f"{name}: the split pattern has {len(pattern):,} characters; a split pattern may have {MAX_PATTERN:,}"
        )
    return pattern


def typed(name: str, where: str, value: object, kind: type[T]) -> T:
    """`value`, which must be of that kind."""
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise ValueError(f"{name}: {where} should be {_NAMES[kind]}, not {_kind(value)}")
    return value


_NAMES: dict[type, str] = {
    dict: "an object",
    list: "a list",
    str: "a text",
    int: "a whole number",
    bool: "true or false",
}


def _kind(value: object) -> str:
    return "null" if value is None else _NAMES.get(type(value), "a number")


def check_id(name: str, what: str, token: object) -> int:
    """`token`, which must be a token id."""
    if not isinstance(token, int) or isinstance(token, bool) or not 0 <= token < MAX_ID:
        raise ValueError(f"{name}: {what} has the id {str(token)[:30]}; ids are whole numbers from 0 to {MAX_ID - 1:,}")
    return token


def check_text(name: str, text: str) -> str:
    """`text`, which must not hold half a surrogate pair: JSON can say that, UTF-8 can't."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name}: {_short(text)} holds a lone surrogate, which no text can") from None
    return text


def check_lengths(name: str, lengths: Iterable[int], *, squares: bool = False) -> None:
    """Refuse tokens that are too long together; with `squares`, for finding out what they are merged from."""
    total = sum(length * length if squares else length for length in lengths)
    if total > (_MAX_SQUARES if squares else _MAX_TOKEN_BYTES):
        raise ValueError(f"{name}: the tokens are too long together to work with")
