"""JSON that strangers send: the one place where it is parsed, so that no route meets all that JSON may hold."""

import json
from contextlib import suppress
from typing import Any, TypeVar

from tokviz.app.shields.processes.typed import typed
from tokviz.app.shields.refusals import Refusal
from tokviz.texts import holds_more_values, repair

MAX_LEVELS = 64
"""Maximum levels of lists and objects within each other. Code that goes through them calls itself for each."""

MAX_VALUES = 50_000
"""Maximum texts, lists, objects and members of them. Parsing lets no other thread run, and two bytes become seventy."""

T = TypeVar("T")

_REPAIRED = str, list, dict
_TOO_DEEP = f"What was sent has more than {MAX_LEVELS} levels of lists and objects within each other."


def as_object(body: bytes, otherwise: str, most: int = MAX_VALUES) -> dict[str, Any]:
    """Read a body that must hold a JSON object, with its texts repaired: JSON can spell what UTF-8 can't.

    Refuse any other with the sentence `otherwise`, and one with more than `most` values, before it is parsed, or with
    too many levels of lists and objects.
    """
    fields: Any = None
    with suppress(ValueError):
        fields = parsed(body.decode(json.detect_encoding(body), "surrogatepass"), most)
    if not isinstance(fields, dict):
        raise Refusal(400, otherwise)
    return fields


def read_object(kind: type[T], body: bytes, otherwise: str, most: int = MAX_VALUES) -> T:
    """Read a JSON object as a NamedTuple, whose fields are its members (see `typed`). It may have others.

    Refuse any other body with the sentence `otherwise`, and one that is too large or deep as `as_object` does.
    """
    members = as_object(body, otherwise, most)
    names = getattr(kind, "_fields", members)
    try:
        read: T = typed(kind, {name: value for name, value in members.items() if name in names})
    except ValueError:
        raise Refusal(400, otherwise) from None
    return read


def parsed(text: str, most: int = MAX_VALUES) -> Any:
    """Parse JSON, with its texts repaired. Raises ValueError for what is none, and refuses what `as_object` refuses."""
    if holds_more_values(text, most):
        raise Refusal(413, f"What was sent holds more than {most:,} values.")
    try:
        value = json.loads(text)
    except RecursionError:
        raise Refusal(400, _TOO_DEEP) from None
    return _repaired(value, MAX_LEVELS) if isinstance(value, _REPAIRED) else value


def _repaired(value: Any, levels: int) -> Any:
    if isinstance(value, str):
        return repair(value)[0]
    if not levels:
        raise Refusal(400, _TOO_DEEP)
    if isinstance(value, list):  # numbers are left as they are here: a list may hold hundreds of thousands
        return [_repaired(each, levels - 1) if isinstance(each, _REPAIRED) else each for each in value]
    return {
        repair(name)[0]: _repaired(each, levels - 1) if isinstance(each, _REPAIRED) else each
        for name, each in value.items()
    }
