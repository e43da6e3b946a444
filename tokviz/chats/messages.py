"""Messages as they are given: dicts with texts in them, as transformers takes them."""

from collections.abc import Mapping, Sequence
from typing import Any

from tokviz.texts import repair


def check_messages(messages: object) -> list[dict[str, Any]]:
    """Return messages, repaired as texts are. Raises ValueError or TypeError unless they are a list of dicts."""
    if isinstance(messages, str | Mapping) or not isinstance(messages, Sequence):
        raise TypeError(f"messages must be a list of dicts, not {type(messages).__name__}")
    if not messages:
        raise ValueError("there are no messages: a chat has at least one")
    for number, message in enumerate(messages):
        if not isinstance(message, Mapping) or not all(isinstance(key, str) for key in message):
            raise TypeError(f"message {number} must be a dict such as {{'role': 'user', 'content': 'Hi'}}")
    return [{key: _repaired(value) for key, value in message.items()} for message in messages]


def _repaired(value: Any) -> Any:
    if isinstance(value, str):
        return repair(value)[0]
    if isinstance(value, Mapping):
        return {key: _repaired(each) for key, each in value.items()}
    return [_repaired(each) for each in value] if isinstance(value, list | tuple) else value
