"""Prompts that end within the last message, for a model to go on with: transformers' `continue_final_message`.

As there, a mark is put behind the text that is to be continued, and the prompt ends where the template wrote the mark.
"""

from typing import Any

from tokviz.chats.spans import REASONING
from tokviz.chats.traced import plain

_MARK = "CONTINUE_FINAL_MESSAGE_TAG "
"""The mark that transformers puts at the end. Templates may trim its space, and the message's with it."""

_OPTION = "continue_final_message"


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
