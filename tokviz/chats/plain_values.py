"""Values that are given to chat templates, as plain types: what Hugging Face's transformers makes of them.

A template is a stranger's program. It gets texts, numbers, lists and dicts only, never an object with methods.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from tokviz.texts import repair


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
