"""Rendering of a template: the prompt, and the origin of each of its characters."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import groupby
from types import CodeType
from typing import Any

from jinja2 import Template
from jinja2.exceptions import TemplateSyntaxError

from tokviz.chats.environment import ChatEnvironment
from tokviz.chats.spans import REASONING, ROLE, TEMPLATE, Message, Omission, Origin, Rendered, Span, TemplateError
from tokviz.chats.traced import Piece, Source, Traced, pieces_of, plain

_DEFAULTS = {"tools": None, "documents": None, "add_generation_prompt": False}  # values that every template gets

_MARK = "CONTINUE_FINAL_MESSAGE_TAG "
"""The mark that transformers puts at the end. Templates may trim its space, and the message's with it."""

_OPTION = "continue_final_message"


def render(
    template: str,
    messages: Sequence[Message],
    values: Mapping[str, Any],
    special_tokens: Mapping[str, str] | None = None,
    now: datetime | None = None,
) -> Rendered:
    """Render a template as transformers does, with what else it gets, such as `tools`, in `values`.

    Messages and values are plain (see `check_messages`, `check_values`). `special_tokens` are those that the template
    may write, such as `bos_token`, and count as its own. `continue_final_message` in `values` is no value for it, but
    ends the prompt where the last message's content, or the field of this name, ends.

    Raises TemplateError, a ValueError, for whatever goes wrong in the template, and for what it refuses itself.
    """
    giver = _Giver()
    given = {**(special_tokens or {}), **{name: giver.give(name, value) for name, value in values.items()}}
    chat = [giver.give_message(number, message) for number, message in enumerate(with_reasoning(messages))]
    continued = given.pop(_OPTION, None)
    end = mark_end(chat[-1], template, continued) if continued else None
    environment = ChatEnvironment(giver.mark, now or datetime.now())
    try:
        made = Template.from_code(environment, compiled(template), environment.make_globals(None))
        prompt = made.render({**_DEFAULTS, **given, "messages": chat})
    except MemoryError:
        raise
    except Exception as error:
        raise TemplateError(_said(error), _line(error)) from None
    prompt = prompt if end is None else up_to_end(prompt, end)
    return Rendered(plain(prompt), tuple(_spans(prompt)), tuple(_omissions(giver.counted, prompt)))


def with_reasoning(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Return messages without keys whose value is None, and with an assistant's thoughts under both names."""
    complete = []
    for message in messages:
        kept = {key: value for key, value in message.items() if value is not None}
        thoughts = next((kept[key] for key in REASONING if key in kept), None)
        complete.append(kept if thoughts is None else {"thinking": thoughts} | kept | {"reasoning_content": thoughts})
    return complete


class _Giver:
    """Makes the values that a template gets: copies whose texts know where they come from."""

    def __init__(self) -> None:
        self.counted: list[Source] = []
        self._holders: dict[int, tuple[object, Source]] = {}

    def give_message(self, number: int, message: Message) -> dict[str, Any]:
        thoughts = next((key for key in REASONING if key in message), "")
        known: dict[int, Any] = {}
        given = {}
        for key, value in message.items():
            origin = number, thoughts if key in REASONING else key
            if id(value) not in known or key not in REASONING:
                known[id(value)] = self.give(origin, value, is_counted=key != ROLE)
            given[key] = known[id(value)]
        self._hold((number, ""), given)
        return given

    def give(self, origin: Origin, value: Any, *, is_counted: bool = False) -> Any:
        """Return a copy of a plain value."""
        if isinstance(value, str):
            source = Source(origin, value)
            self.counted += [source] * is_counted
            return Traced(source.text, [Piece(len(source.text), source, 0, len(source.text))])
        if isinstance(value, dict):
            members = {
                self.give(origin, key): self.give(origin, each, is_counted=is_counted) for key, each in value.items()
            }
            return self._hold(origin, members)
        if isinstance(value, list | tuple):
            return self._hold(origin, type(value)([self.give(origin, each, is_counted=is_counted) for each in value]))
        return value

    def _hold(self, origin: Origin, holder: Any) -> Any:
        self._holders[id(holder)] = holder, Source(origin, "")
        return holder

    def mark(self, text: str, holder: object) -> str:
        """Return what is written of a list or dict, such as a bracket, as coming from it if it was given."""
        found = self._holders.get(id(holder))
        return Traced(text, [Piece(len(text), found[1])]) if found and found[0] is holder else text


@lru_cache(32)
def compiled(template: str) -> CodeType:
    """Return a template's code, which is kept: it takes longer than rendering a short chat. Raises Jinja's errors."""
    environment = ChatEnvironment(lambda text, holder: text, datetime.min)
    return environment.compile(template, "<template>", "<template>")


def _spans(prompt: str) -> Iterator[Span]:
    place = 0
    for piece in pieces_of(prompt):
        text = plain(prompt)[place : place + piece.length]
        if piece.source is None:
            yield Span(place, place + piece.length, TEMPLATE, generated=piece.generated)
        else:
            was = piece.source.text[piece.start : piece.end]
            yield from _runs(place, text, was, piece)
        place += piece.length


def _runs(place: int, text: str, was: str, piece: Piece) -> Iterator[Span]:
    """Yield the spans of a piece: those that are unchanged, and those that stand for something else."""
    origin = piece.source.origin if piece.source else TEMPLATE
    if text == was or len(text) != len(was):
        changed = None if text == was else was
        yield Span(place, place + len(text), origin, piece.start, changed, piece.generated)
        return
    for is_same, run in groupby(range(len(text)), lambda i: text[i] == was[i]):
        places = list(run)
        start, end = places[0], places[-1] + 1
        changed = None if is_same else was[start:end]
        yield Span(place + start, place + end, origin, piece.start + start, changed, piece.generated)


def _omissions(sources: Sequence[Source], prompt: str) -> Iterator[Omission]:
    shown: dict[int, list[tuple[int, int]]] = {}
    for piece in pieces_of(prompt):
        if piece.source is not None:
            shown.setdefault(id(piece.source), []).append((piece.start, piece.end))
    for source in sources:
        place = 0
        for start, end in [*sorted(shown.get(id(source), ())), (len(source.text),) * 2]:
            if start > place:
                yield Omission(source.origin, place, source.text[place:start])
            place = max(place, end)


def _said(error: Exception) -> str:
    message = str(error).replace(f"{Traced.__module__}.Traced", "str").replace("'Traced'", "'str'")
    message = message or type(error).__name__
    return "it calls itself too deeply" if isinstance(error, RecursionError) else re.sub(r"\s+", " ", message)


def _line(error: Exception) -> int | None:
    """Return the line of the template where an error was raised."""
    if isinstance(error, TemplateSyntaxError):
        return error.lineno
    line, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "<template>":
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def mark_end(message: dict[str, Any], template: str, option: object) -> str:
    """Put the mark behind the text of a message that is to be continued, and return that text.

    `option` is the name of the message's field, if it is a text. Raises ValueError if there is no such text.
    """
    field = option if isinstance(option, str) else "content"
    value = message.get(field)
    if value is None:
        raise ValueError(f"{_OPTION} needs a last message with “{field}”, which is to be continued")
    fields = [name for name in REASONING if message.get(name) == value] if field in REASONING else [field]
    if not any(name in template for name in fields):
        raise ValueError(f"{_OPTION} can't continue “{field}”: the template does not write it")
    holder, key = _last_text(value) if isinstance(value, list | tuple) else (message, field)
    text = holder.get(key)
    if not isinstance(text, str):
        raise ValueError(f"{_OPTION} can continue a text only, and there is none in “{field}” of the last message")
    for name in fields if holder is message else [key]:
        holder[name] += _MARK
    return plain(text)


def _last_text(parts: list[Any] | tuple[Any, ...]) -> tuple[dict[str, Any], str]:
    """Return what holds the last text of a message in parts, and under which key."""
    return next((part for part in reversed(parts) if isinstance(part, dict) and "text" in part), {}), "text"


def up_to_end(prompt: str, text: str) -> str:
    """Return a prompt up to its mark. Raises ValueError if the template left the mark or the text out."""
    written, mark = plain(prompt), _MARK.strip()
    if text.strip() not in written or mark not in written:
        raise ValueError(f"{_OPTION} can't continue a text that the template leaves out, or changes")
    place = written.rindex(mark)
    kept = prompt[:place]
    return kept if written.startswith(_MARK, place) else kept.rstrip()
