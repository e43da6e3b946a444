"""Values of the types that are expected, from what a child process or a stranger sends, which may be anything."""

from dataclasses import fields, is_dataclass
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

_PLAIN = (str, bytes, int, float, bool, NoneType)

_hints = lru_cache(get_type_hints)


def typed(kind: Any, value: Any) -> Any:
    """Return a value of a type from that of a message: of plain ones, lists, tuples, dicts, NamedTuples, and so on.

    NamedTuples and dataclasses are lists of their fields, or dicts of them, which may lack those with a default. Raises
    ValueError if the value is of another type.
    """
    if kind is Any:
        return value
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _one_of(inner, value)
    if origin is Literal and isinstance(value, str) and value in inner:
        return value
    if origin is np.ndarray and isinstance(value, list) and all(type(each) is int for each in value):
        return np.array(value, np.int64)
    if origin is dict and isinstance(value, dict):
        return {typed(inner[0], key): typed(inner[1], each) for key, each in value.items()}
    if isinstance(value, dict) and (names := _names(kind)) is not None and value.keys() <= {*names}:
        return _made(kind, value)
    if isinstance(value, list) and (parts := _parts(kind, origin, inner, value)) is not None:
        return parts
    if kind is float and type(value) is int:
        return float(value)
    if kind in _PLAIN and type(value) is kind:
        return value
    raise ValueError(f"this is no {kind}")


def _one_of(kinds: tuple[Any, ...], value: Any) -> Any:
    for kind in kinds:
        try:
            return typed(kind, value)
        except ValueError:
            pass
    raise ValueError(f"this is none of {kinds}")


def _parts(kind: Any, origin: Any, inner: tuple[Any, ...], value: list[Any]) -> Any:
    if origin is list or (origin is tuple and inner[-1] is ...):
        if inner[0] in _PLAIN and all(type(each) is inner[0] for each in value):
            return origin(value)
        return origin(typed(inner[0], each) for each in value)
    if origin is tuple:
        return tuple(typed(part, each) for part, each in zip(inner, value, strict=True))
    names = _names(kind)
    return None if names is None else _made(kind, dict(zip(names, value, strict=True)))


def _names(kind: Any) -> list[str] | None:
    """Return the fields of a dataclass or NamedTuple; None for anything else."""
    names: Any = [field.name for field in fields(kind)] if is_dataclass(kind) else getattr(kind, "_fields", None)
    return names if names is None else list(names)


def _made(kind: Any, values: dict[str, Any]) -> Any:
    hints = _hints(kind)
    try:
        return kind(**{name: typed(hints[name], each) for name, each in values.items()})
    except TypeError:
        raise ValueError(f"this lacks a field of {kind}") from None
