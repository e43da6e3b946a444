"""Calling a function on what a stranger sent, in a process of its own (see `limited`)."""

import json

from tokviz.app.shields.processes.exchange import function_named, unpack_call


def answer(message: bytes, _: float) -> bytes:
    """Return the bytes that a function returns."""
    data: bytes = unpack_call(message)()
    return data


def as_json(name: str, *arguments: object) -> bytes:
    """Return what the function of this name returns, as JSON."""
    return json.dumps(function_named(name)(*arguments)).encode()
