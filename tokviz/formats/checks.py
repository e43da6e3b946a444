"""Checks for reading untrusted files: limits on size and depth, and a sentence for each error."""

import json
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

from tokviz.display import quote

T = TypeVar("T")

MAX_FILE = 40_000_000
"""Maximum bytes of a file. The largest tokenizer.json in common use, Gemma 3's, has 33 million."""

MAX_ID = 4_000_000
"""Upper bound of token ids (exclusive). The largest vocabularies in common use have 262,144 tokens."""

MAX_PATTERN = 20_000
"""Maximum characters of a split pattern, whatever the format."""

MAX_UNAPPLIED = 100_000
"""Maximum characters and values, together, of a part of a file that is kept though it plays no part in encoding."""

MAX_TOKEN_BYTES = 5_000_000
"""Maximum bytes of all tokens together: to find the ranks of their merges takes a second for each million.

The largest vocabularies in common use, of 262,144 tokens, have two million. Those of a file of 400 KB may have 20.
"""

_MAX_NESTING = 50
_MAX_SUM_OF_SQUARES = 500_000_000
_MAX_BRACKETS = 3_000_000
_MAX_DIGITS = 100
_MEMBER = re.compile(r'\s*[{,]\s*(?=")')
_COLON = re.compile(r"\s*:\s*")


def check_size(name: str, size: int) -> None:
    """Refuse a file that is too large, preferably before it is read."""
    if size > MAX_FILE:
        raise ValueError(f"{name} has {size:,} bytes; a tokenizer's file may have {MAX_FILE:,}")


def contents(path: Path) -> bytes:
    """Read a file, unless it is too large."""
    check_size(path.name, path.stat().st_size)
    return path.read_bytes()


def as_text(name: str, data: bytes) -> str:
    """Decode a file as UTF-8."""
    check_size(name, len(data))
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data":
            raise ValueError(
                f"{name} is incomplete or damaged: download it again (it ends within a character)"
            ) from None
        raise ValueError(f"{name} is not UTF-8: byte {error.start} does not belong there") from None


def as_json(name: str, data: bytes) -> dict[str, Any]:
    """Parse a file as a JSON object. Objects with duplicate keys are refused."""
    text = _as_json_text(name, data)
    try:
        value = json.loads(
            text,
            object_pairs_hook=lambda pairs: _object(name, pairs),
            parse_int=lambda digits: _whole_number(name, digits),
        )
    except json.JSONDecodeError as error:
        raise ValueError(f"{name} is incomplete or damaged: download it again ({error})") from None
    except RecursionError:
        raise ValueError(f"{name} nests lists and objects too deeply") from None
    if not isinstance(value, dict):
        raise ValueError(f"{name} should hold a JSON object, not {_type_name(value)}")
    return value


def members_before(name: str, data: bytes, last: str) -> dict[str, Any]:
    """Parse the members of a file's JSON object in front of the member `last`, whatever follows; {} if that fails."""
    members, key, _ = _members_until(_as_json_text(name, data), last)
    return members if key == last else {}


def first_members(head: bytes) -> dict[str, Any]:
    """Parse the members that the beginning of a JSON file holds. Of one that is cut off, only the type is kept."""
    text = head.decode(errors="ignore").removeprefix("\ufeff")
    members, key, place = _members_until(text, None)
    if key is not None and place < len(text):
        members[key] = {"{": {}, "[": [], '"': ""}.get(text[place : place + 1])
    return members if text.lstrip().startswith("{") else {}


def _members_until(text: str, last: str | None) -> tuple[dict[str, Any], str | None, int]:
    """Parse an object's members up to `last`, or to one that is invalid or cut off.

    Returns the members, the key of the one where it stopped (None: between two), and the place of its value.
    """
    decoder = json.JSONDecoder()
    members: dict[str, Any] = {}
    key, place = None, 0
    try:
        while member := _MEMBER.match(text, place):
            key, place = None, member.end()
            name, end = decoder.raw_decode(text, place)
            if (colon := _COLON.match(text, end)) is None:
                break
            key, place = name, colon.end()
            if key == last:
                break
            members[name], place = decoder.raw_decode(text, place)
            key = None
    except (ValueError, RecursionError):
        pass
    return members, key, place


def _as_json_text(name: str, data: bytes) -> str:
    text = as_text(name, data)
    if text.startswith("\ufeff"):
        raise ValueError(
            f"{name} begins with a byte order mark, which JSON does not allow: save it as UTF-8 without BOM"
        )
    if text.count("[") + text.count("{") > _MAX_BRACKETS:
        raise ValueError(f"{name} holds more than {_MAX_BRACKETS:,} lists and objects")
    return text


def _object(name: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        ((twice, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"{name} names {quote(twice)} twice in one object")
    return members


def _whole_number(name: str, digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise ValueError(f"{name} holds a number of {len(digits):,} digits")
    return int(digits)


def check_pattern(name: str, pattern: str) -> str:
    """Return `pattern`, unless it is too long."""
    if len(pattern) > MAX_PATTERN:
        raise ValueError(
            f"{name}: the split pattern has {len(pattern):,} characters; a split pattern may have {MAX_PATTERN:,}"
        )
    return pattern


def typed(name: str, where: str, value: object, kind: type[T]) -> T:
    """Return `value`, which must be of type `kind`."""
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise ValueError(f"{name}: {where} should be {_TYPE_NAMES[kind]}, not {_type_name(value)}")
    return value


_TYPE_NAMES: dict[type, str] = {
    dict: "an object",
    list: "a list",
    str: "a text",
    int: "a whole number",
    bool: "true or false",
}


def _type_name(value: object) -> str:
    return "null" if value is None else _TYPE_NAMES.get(type(value), "a number")


def check_id(name: str, what: str, token: object) -> int:
    """Return `token`, which must be a token id."""
    if not isinstance(token, int) or isinstance(token, bool) or not 0 <= token < MAX_ID:
        raise ValueError(f"{name}: {what} has the id {str(token)[:30]}; ids are whole numbers from 0 to {MAX_ID - 1:,}")
    return token


def check_text(name: str, text: str) -> str:
    """Return `text`, which must not hold half a surrogate pair: JSON can express that, UTF-8 can't."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name}: {quote(text)} holds a lone surrogate, which no text can") from None
    return text


def check_lengths(name: str, lengths: Iterable[int], *, squares: bool = False) -> None:
    """Refuse tokens whose total length is too large; with `squares`, too large to derive merges from them."""
    total = sum(length * length if squares else length for length in lengths)
    if total > (_MAX_SUM_OF_SQUARES if squares else MAX_TOKEN_BYTES):
        raise ValueError(f"{name}: the tokens are too long together to work with")


def check_unapplied(name: str, where: str, value: object) -> None:
    """Refuse a part of a file that is only kept, if it is larger or nested more deeply than any in use."""
    size, pending = 0, [(value, 1)]
    while pending:
        node, depth = pending.pop()
        size += len(node) if isinstance(node, str) else 1
        if isinstance(node, dict):
            size += sum(map(len, node))
            pending += [(child, depth + 1) for child in node.values()]
        elif isinstance(node, list):
            pending += [(child, depth + 1) for child in node]
        if depth > _MAX_NESTING:
            raise ValueError(f"{name}: {where} nests lists and objects more than {_MAX_NESTING} deep")
        if size + len(pending) > MAX_UNAPPLIED:
            raise ValueError(f"{name}: {where} is too long: {MAX_UNAPPLIED:,} characters are the most that fit")
