"""Messages between the server and its child processes: plain values as JSON and bytes, and nothing that is unpickled.

A message is whole before a byte of it is sent. A function is sent as its name, and called with plain values.
"""

import json
import struct
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import IO, Any

_SIZE = struct.Struct("<Q")

_BROKEN = "the process that was asked broke"
_TOO_DEEP = "this has too many lists or objects inside one another"


def pack(*values: object) -> bytes:
    """Return a message of values: texts, lists of texts, bytes, files (name -> bytes), and what JSON has.

    Tuples and arrays become lists. Raises ValueError for a value that is nested too deeply.
    """
    head, parts = [], []
    for value in values:
        kind, said, its_parts = _taken_apart(value)
        head.append((kind, said, list(map(len, its_parts))))
        parts += its_parts
    try:
        data = json.dumps(head, default=_as_list).encode()
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    return b"".join((_SIZE.pack(len(data)), data, *parts))


def unpack(message: bytes) -> list[Any]:
    """Return the values of a message. Raises ValueError for any other bytes."""
    try:
        (size,) = _SIZE.unpack_from(message)
        place = _SIZE.size + size
        values = []
        for kind, said, sizes in json.loads(message[_SIZE.size : place]):
            parts = []
            for size in sizes:
                if size < 0:
                    raise ValueError
                parts.append(message[place : place + size])
                place += size
            values.append(_put_together(kind, said, parts))
        if place != len(message):
            raise ValueError
    except (struct.error, LookupError, TypeError, ValueError, RecursionError):
        raise ValueError(_BROKEN) from None
    return values


def pack_call(function: Callable[..., object], *arguments: object) -> bytes:
    """Return a message that has a function of a module called with `arguments`, after those of a `partial`."""
    whole = partial(function, *arguments)  # which takes a partial apart
    return pack(name_of(whole.func), *whole.args)


def unpack_call(message: bytes) -> "partial[Any]":
    """Return what a message of `pack_call` calls, as a `partial`. For messages of the server only."""
    name, *arguments = unpack(message)
    return partial(function_named(name), *arguments)


def name_of(function: Callable[..., object]) -> str:
    """Return the name by which any process finds a function of a module."""
    return f"{function.__module__}:{function.__qualname__}"


def function_named(name: str) -> Callable[..., Any]:
    """Return the function with a name of `name_of`."""
    module, _, path = name.partition(":")
    found: Any = import_module(module)
    for part in path.split("."):
        found = getattr(found, part)
    called: Callable[..., Any] = found
    return called


def write(stream: IO[bytes], message: bytes) -> None:
    """Write a message, after its size."""
    stream.write(_SIZE.pack(len(message)))
    stream.write(message)
    stream.flush()


def read(stream: IO[bytes], most: int | None = None) -> bytes:
    """Read a message that `write` wrote. Raises EOFError if the stream ends before, ValueError if it is too long."""
    (size,) = _SIZE.unpack(read_bytes(stream, _SIZE.size))
    if most is not None and size > most:
        raise ValueError(_BROKEN)
    return read_bytes(stream, size)


def read_bytes(stream: IO[bytes], size: int) -> bytes:
    """Read so many bytes. Raises EOFError if the stream ends before."""
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data


def _taken_apart(value: object) -> tuple[str, object, list[bytes]]:
    """Return a value's kind, what JSON says of it, and the bytes beside that."""
    if isinstance(value, str):
        return "text", None, [_encoded(value)]
    if isinstance(value, bytes):
        return "bytes", None, [value]
    if isinstance(value, Mapping) and value and all(isinstance(data, bytes) for data in value.values()):
        return "files", list(value), list(value.values())
    if isinstance(value, list | tuple) and value and all(isinstance(text, str) for text in value):
        return "texts", None, list(map(_encoded, value))
    return "json", value, []


def _put_together(kind: str, said: Any, parts: Sequence[bytes]) -> Any:
    if kind == "files":
        return dict(zip(said, parts, strict=True))
    if kind == "texts":
        return list(map(_decoded, parts))
    if kind == "json":
        return said
    (part,) = parts
    return _decoded(part) if kind == "text" else part


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")


def _as_list(array: Any) -> Any:
    if hasattr(array, "tolist"):
        return array.tolist()
    raise TypeError(f"a child process is sent no {type(array).__name__}")
