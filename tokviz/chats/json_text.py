"""JSON and Python's spelling of values, as plain programs write them, with the origins of the texts in them."""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from tokviz.chats.traced import concatenate, plain, rewritten

Given = Callable[[str, object], str]
"""Marks what is written of a value that was given to the template as coming from it."""

_HOLDERS = (dict, list, tuple)

_BRACKETS: dict[type, tuple[str, str]] = {dict: ("{", "}"), list: ("[", "]"), tuple: ("(", ")")}


class JsonForm(NamedTuple):
    """How JSON is written: `json.dumps`'s options, which templates may set."""

    ensure_ascii: bool = False
    indent: int | str | None = None
    separators: Any = None
    sort_keys: bool = False

    @property
    def step(self) -> str | None:
        """What a level is indented by; None for one line."""
        return " " * self.indent if isinstance(self.indent, int) else self.indent

    @property
    def between(self) -> tuple[str, str]:
        """What is between two members, and between a key and its value."""
        item, colon = self.separators or (", " if self.indent is None else ",", ": ")
        return item, colon


def tojson(value: Any, given: Given, form: JsonForm) -> str:
    """Return what `json.dumps` does. Raises what it raises."""
    dumped = json.dumps(value, **form._asdict())
    if isinstance(value, str):
        return _quoted(value, form)
    return concatenate(_written(value, given, form, "\n")) if isinstance(value, _HOLDERS) else dumped


def _quoted(text: str, form: JsonForm) -> str:
    inside = rewritten(text, lambda part: json.dumps(part, ensure_ascii=form.ensure_ascii)[1:-1])
    return concatenate(('"', inside, '"'))


def _written(value: Any, given: Given, form: JsonForm, line: str) -> Iterator[str]:
    """Yield the parts of a list's or dict's JSON; `line` is a line end with the indentation so far."""
    opened, closed = "{}" if isinstance(value, dict) else "[]"
    if not value:
        yield given(opened + closed, value)
        return
    item, colon = form.between
    inner = "" if form.step is None else line + form.step
    for number, (key, member) in enumerate(_members(value, form)):
        yield given((item if number else opened) + inner, value)
        if isinstance(value, dict):
            yield from _within(value, key if isinstance(key, str) else json.dumps({key: 0})[2:-5], given, form)
            yield given(colon, value)
        if isinstance(member, _HOLDERS):
            yield from _written(member, given, form, inner)
        elif isinstance(member, str):
            yield from _within(value, member, given, form)
        else:
            yield given(json.dumps(member), value)
    yield given(("" if form.step is None else line) + closed, value)


def _members(value: Any, form: JsonForm) -> Iterable[tuple[Any, Any]]:
    if not isinstance(value, dict):
        return enumerate(value)
    return sorted(value.items()) if form.sort_keys else value.items()


def _within(holder: object, text: str, given: Given, form: JsonForm) -> Iterator[str]:
    """Yield a text in quotes that belong to what holds it."""
    quoted = _quoted(text, form)
    yield from (given('"', holder), quoted[1:-1], given('"', holder))


def spelled(value: Any, given: Given) -> str:
    """Return `str(value)`, which for lists and dicts is Python's spelling of what is in them."""
    return concatenate(_spelled_parts(value, given)) if type(value) in _HOLDERS else str(value)


def _spelled_parts(value: Any, given: Given) -> Iterator[str]:
    opened, closed = _BRACKETS[type(value)]
    if type(value) is tuple and len(value) == 1:
        closed = ",)"
    yield given(opened, value)
    for number, member in enumerate(value):
        if number:
            yield given(", ", value)
        yield _represented(member, value, given)
        if type(value) is dict:
            yield given(": ", value)
            yield _represented(value[member], value, given)
    yield given(closed, value)


def _represented(member: Any, holder: object, given: Given) -> str:
    if not isinstance(member, str):
        return spelled(member, given) if type(member) in _HOLDERS else given(repr(member), holder)
    quote = repr(plain(member))[0]
    inside = rewritten(member, lambda part: _inside(part, quote))
    return concatenate((given(quote, holder), inside, given(quote, holder)))


def _inside(text: str, quote: str) -> str:
    """Return what `repr` writes of a text between quotes of this kind."""
    if quote == '"':
        return repr(text + "'")[1:-2]
    return "\\'".join(repr(part)[1:-1] for part in text.split("'"))
