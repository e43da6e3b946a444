"""Messages and values for a template, checked and converted to plain types as Hugging Face's transformers does.

A template is a stranger's program. It gets texts, numbers, lists and dicts only, never an object with methods.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from inspect import isfunction, ismethod
from typing import Any

import numpy as np

from tokviz.texts import repair

_CUT = "a chat is neither cut nor filled up"
_REFUSED = {
    "conversation": "give the messages first",
    "chat_template": "give the template as “template”",
    "tokenize": "a chat has both, `prompt` and `ids`",
    "return_dict": "a chat has `ids`",
    "return_tensors": "a chat has `tokenization.ids`, an array of NumPy",
    "return_assistant_tokens_mask": "a chat has its `assistant_mask`",
    "sanitize_control_tokens": "a chat has `as_text`, its tokens if no message holds a control token",
    "tokenizer_kwargs": _CUT,
    "padding": _CUT,
    "truncation": _CUT,
    "max_length": _CUT,
}
"""Parameters of transformers' `apply_chat_template` that templates never see, and what stands for them here."""


def check_messages(messages: object) -> list[dict[str, Any]]:
    """Return messages as dicts of plain values. Raises ValueError or TypeError unless they are a list of messages.

    A message may be a dict, a dataclass or a Pydantic model, and `messages` an object that holds them as `.messages`.
    """
    messages = getattr(messages, "messages", messages)
    if isinstance(messages, str | Mapping) or not isinstance(messages, Sequence):
        raise TypeError(f"messages must be a list of dicts, not {type(messages).__name__}")
    if not messages:
        raise ValueError("there are no messages: a chat has at least one")
    if isinstance(messages[0], list | tuple) or hasattr(messages[0], "messages"):
        raise TypeError("these are several chats: give the messages of one of them")
    checked = [plain_value(message) for message in messages]
    for number, message in enumerate(checked):
        if not isinstance(message, dict) or not all(isinstance(key, str) for key in message):
            raise TypeError(f"message {number} must be a dict such as {{'role': 'user', 'content': 'Hi'}}")
    return checked


def check_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a template's values besides messages, as plain types. Functions given as tools become JSON schemas.

    Raises ValueError or TypeError for what transformers' `apply_chat_template` refuses, and for parameters of it that
    are no values for a template.
    """
    for name in values:
        if name in _REFUSED:
            raise TypeError(f"“{name}” is no value for the template: {_REFUSED[name]}")
    checked = {name: plain_value(value) for name, value in values.items() if name != "tools"}
    if values.get("documents") is not None:
        for document in _members(values["documents"], "documents"):
            if not isinstance(document, dict):
                raise TypeError("each of the documents must be a dict such as {'title': 'Prices', 'text': '...'}")
    if "tools" in values:
        checked["tools"] = None if values["tools"] is None else _tools(values["tools"])
    if checked.get("continue_final_message") and checked.get("add_generation_prompt"):
        raise ValueError(
            "continue_final_message leaves the last message open, and add_generation_prompt begins another: give one"
        )
    return checked


def _tools(tools: object) -> list[Any]:
    found = []
    for tool in _members(tools, "tools"):
        if isfunction(tool) or ismethod(tool):
            from tokviz.chats.function_schemas import function_schema  # not in the server, which is sent JSON

            tool = function_schema(tool)
        if not isinstance(tool, dict):
            raise TypeError(
                f"each of the tools must be a JSON schema or a Python function with type hints and a docstring, not "
                f"{type(tool).__name__}"
            )
        found.append(plain_value(tool))
    return found


def _members(value: Any, name: str) -> Iterable[Any]:
    if not isinstance(value, list | tuple):
        raise TypeError(f"{name} must be a list, not {type(value).__name__}")
    return value


def plain_value(value: Any) -> Any:
    """Return a copy of a value, of plain types, with its texts repaired.

    Dataclasses and Pydantic's models become dicts, NumPy's scalars Python's, and a member of an enumeration that is a
    text or number becomes that. Anything else becomes the name of its type, such as "<ndarray>". Raises ValueError for
    what holds itself, or is nested too deeply.
    """
    try:
        return _plain(value)
    except RecursionError:
        raise ValueError("a value in this chat is nested too deeply for a template, or holds itself") from None


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return repair(str.__str__(value))[0]
    if isinstance(value, int):
        return int.__int__(value)
    if isinstance(value, float):
        return float.__float__(value)
    if isinstance(value, Mapping):
        return {_plain(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        plain = map(_plain, value)
        return tuple(plain) if isinstance(value, tuple) else list(plain)
    if isinstance(value, np.generic):
        return _plain(value.item())
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if callable(getattr(value, "model_dump", None)):
        return _plain(value.model_dump())
    return f"<{type(value).__name__}>"
