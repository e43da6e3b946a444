"""The JSON schema of a Python function that is given as a tool, as Hugging Face's transformers makes it.

Names and types come from the signature, descriptions from a docstring in Google's style:

    Tell the weather.

    Args:
        city: Name of the city.
        unit (str): Unit of the temperature (choices: ["celsius", "fahrenheit"])

    Returns:
        The temperature.
"""

import inspect
import json
import re
from collections.abc import Callable, Iterator
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

Schema = dict[str, Any]

_SCALARS: dict[type, str] = {int: "integer", float: "number", str: "string", bool: "boolean", NoneType: "null"}
_HOLDERS: dict[type, str] = {list: "array", tuple: "array", dict: "object"}
_MEDIA = {"PIL.Image.Image": "image", "torch.Tensor": "audio"}

_ENTRY = re.compile(r"([ \t]*)(\w+)(?:[ \t]*\([^()]*\))?:(.*)", re.S)
"""A line that begins what a docstring says of an argument: `name: ...` or `name (type): ...`."""

_CHOICES = re.compile(r"\(choices:\s*(.*?)\)\s*$", re.I)


class _NoSchemaError(ValueError):
    """A type that can't be said in a schema."""


def function_schema(function: Callable[..., Any]) -> Schema:
    """Return the schema of a function or method. Raises ValueError saying what it lacks."""
    name = function.__name__
    doc = (inspect.getdoc(function) or "").strip()
    if not doc:
        raise ValueError(f"the tool {name} needs a docstring: its description for the model is made of that")
    try:
        properties, required, returned = _types(function)
    except _NoSchemaError as error:
        raise ValueError(f"the tool {name} can't be described to the model: {error}") from None
    said = _arguments(doc)
    for argument, schema in properties.items():
        if argument not in said:
            raise ValueError(f"the docstring of the tool {name} does not describe “{argument}” under “Args:”")
        schema |= _described(name, argument, said[argument])
    parameters = {"type": "object", "properties": properties} | ({"required": required} if required else {})
    whole: Schema = {"name": name, "description": _before_sections(doc, "Args", "Returns", "Raises")}
    whole["parameters"] = parameters
    if returned is not None:
        result = _section(doc, "Returns", "Raises")
        whole["return"] = returned if result is None else returned | {"description": result.strip()}
    return {"type": "function", "function": whole}


# Types


def _types(function: Callable[..., Any]) -> tuple[dict[str, Schema], list[str], Schema | None]:
    """Return the schemas of the arguments, the names of those that must be given, and the schema of the result."""
    try:
        hints = get_type_hints(function)
    except Exception as error:  # evaluates annotations that are texts
        raise _NoSchemaError(f"its type hints can't be read: {error}") from None
    arguments = dict(inspect.signature(function).parameters)
    first = next(iter(arguments), "")
    if first in ("self", "cls") and arguments[first].annotation is inspect.Parameter.empty:
        del arguments[first]
    for name, argument in arguments.items():
        if argument.annotation is inspect.Parameter.empty:
            raise _NoSchemaError(f"“{name}” has no type hint")
    required = [name for name, argument in arguments.items() if argument.default is inspect.Parameter.empty]
    properties = {name: _schema(hint) for name, hint in hints.items() if name != "return"}
    try:
        returned = _schema(hints["return"]) if "return" in hints else None
    except _NoSchemaError:  # the model never writes a result
        returned = None
    return properties, required, returned


def _schema(hint: Any) -> Schema:
    """Return the schema of a type hint."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is None:
        return _of_class(hint)
    if origin in (Union, UnionType):
        return _any_of(inner)
    if origin is Literal:
        return _one_of(list(inner), hint)
    if origin is list and inner:
        return {"type": "array", "items": _schema(inner[0])}
    if origin is dict and inner:
        return {"type": "object", "additionalProperties": _schema(inner[1])}
    if origin is tuple and inner:
        if len(inner) == 1 or ... in inner:
            raise _NoSchemaError(f"{_name(hint)} can't be said in JSON: use list[...] for any number of members")
        return {"type": "array", "prefixItems": [_schema(each) for each in inner]}
    return _of_class(origin)


def _of_class(hint: Any) -> Schema:
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _one_of([member.value for member in hint], hint)
    if hint is Any:
        return {}
    if isinstance(hint, type):
        known = _SCALARS.get(hint) or _HOLDERS.get(hint) or _MEDIA.get(f"{hint.__module__}.{hint.__qualname__}")
        if known:
            return {"type": known}
    raise _NoSchemaError(
        f"{_name(hint)} can't be said in JSON: use int, float, str, bool, Literal, an Enum, or list, tuple, dict and "
        "unions of these, or give the tool as a JSON schema"
    )


def _one_of(values: list[Any], hint: Any) -> Schema:
    if not values:
        raise _NoSchemaError(f"{_name(hint)} has no values to choose from")
    if any(type(value) not in _SCALARS for value in values):
        raise _NoSchemaError(f"{_name(hint)} has values that are no texts, numbers, booleans or None")
    types = list(dict.fromkeys(_SCALARS[type(value)] for value in values))
    return {"type": types[0] if len(types) == 1 else types, "enum": values}


def _any_of(hints: tuple[Any, ...]) -> Schema:
    schemas = [_schema(hint) for hint in hints if hint is not NoneType]
    if len(schemas) == 1:
        [schema] = schemas
    elif all(schema.keys() == {"type"} and isinstance(schema["type"], str) for schema in schemas):
        types = sorted({schema["type"] for schema in schemas})
        schema = {"type": types[0] if len(types) == 1 else types}
    else:
        schema = {"anyOf": schemas}
    return schema | ({"nullable": True} if NoneType in hints else {})


def _name(hint: Any) -> str:
    return inspect.formatannotation(hint)


# The docstring


def _before_sections(text: str, *names: str) -> str:
    """Return what is before the first of these sections."""
    return re.split("|".join(f"{name}:" for name in names), text, maxsplit=1)[0].strip()


def _section(doc: str, name: str, *later: str) -> str | None:
    """Return the lines of a section up to those that may follow it, None if there is none."""
    heading = re.search(rf"\n\s*{name}:\n", doc)
    return None if heading is None else re.split("|".join(f"{each}:" for each in later), doc[heading.end() :])[0]


def _arguments(doc: str) -> dict[str, str]:
    """Return what a docstring says of each argument, in one line."""
    lines = [line for line in (_section(doc, "Args", "Returns", "Raises") or "").split("\n") if line.strip()]
    return {name: " ".join(said) for name, said in _entries(lines)}


def _entries(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield each argument with its lines. Those that are indented deeper go on with it, whatever they look like."""
    name, indentation = "", ""
    said: list[str] = []
    for line in lines:
        entry = _ENTRY.match(line)
        goes_on = name and (not said or line.startswith((f"{indentation} ", f"{indentation}\t")))
        if entry and not goes_on:
            if name:
                yield name, said
            indentation, name, rest = entry.groups()
            said = [rest.strip()] if rest.strip() else []
        elif name:
            said.append(line.strip())
    if name:
        yield name, said


def _described(function: str, argument: str, said: str) -> Schema:
    """Return the description of an argument, and the choices that it ends in, if it does."""
    choices = _CHOICES.search(said)
    if not choices:
        return {"description": said}
    try:
        listed = json.loads(choices[1])
    except (ValueError, RecursionError):
        listed = None
    if not isinstance(listed, list):
        raise ValueError(
            f"the docstring of the tool {function} must give the choices of “{argument}” as a list in JSON, such as "
            f'(choices: ["tea", "coffee"]), not {choices[0]}'
        )
    values = [each.strip() if isinstance(each, str) else each for each in listed]
    return {"enum": values, "description": said[: choices.start()].strip()}
