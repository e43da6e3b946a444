"""JSON schemas of Python functions that are given as tools, against those that transformers makes."""

import enum
import functools
import typing
from collections.abc import Callable, Sequence
from datetime import date
from typing import Annotated, Any, Literal, NewType, Optional, TypedDict, Union

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers.utils import get_json_schema

from tokviz.chats.function_schemas import function_schema

# ruff: noqa: UP006, UP007, UP045 (hints in all their spellings)


class Color(enum.StrEnum):
    RED = "red"
    BLUE = "blue"


class Mixed(enum.Enum):
    ONE = 1
    TEXT = "x"
    NONE = None
    FLAG = True


class Level(enum.IntFlag):
    LOW = 1
    HIGH = 2


class Empty(enum.Enum):
    pass


class Dates(enum.Enum):
    DAY = date(2026, 1, 1)


class Named(TypedDict):
    a: int


Age = NewType("Age", int)
T = typing.TypeVar("T")

HINTS: tuple[Any, ...] = (
    *(int, float, str, bool, list, tuple, dict, Any, None, bytes, object, set, date, complex, type),
    *(list[int], list[list[str]], tuple[int, str], tuple[int], tuple[int, ...], tuple[()], dict[str, float]),
    *(typing.List, typing.Tuple, typing.Dict, typing.List[int], typing.Dict[str, list[int]], typing.Tuple[int, Any]),
    *(Optional[int], int | None, int | str, Union[int, str, None], list[int] | None, int | list[int], list | tuple),
    *(list[int] | list[str], dict[str, int] | int, Any | None, Union[int, float, str, bool], tuple | list | None),
    *(Literal["a", "b"], Literal[1, "a", None, True], Literal["a"] | None, Literal["a"] | int, Literal[b"a"]),
    *(Color, Mixed, Level, Empty, Dates, Color | None, list[Color], dict[str, Color], Color | int, Literal[Color.RED]),
    *(Sequence[int], Callable[[int], int], Annotated[int, "years"], list[Annotated[str, 1]], Age, Named, T),
    *("int", "list[int]", "Missing", "Optional[str]", Literal[()], set[int], type[int], int | bytes, list[bytes]),
)

DOCS = (
    None,
    "",
    " ",
    "Do it.",
    "Do it.\n\nArgs:\n    a: The first.\n    b: The second.\n",
    "\n    Do it,\n    now.\n\n    Args:\n        a: The first,\n            in two lines.\n        b (int): Other.\n\n"
    "    Returns:\n        What.\n",
    'Do it.\n\nArgs:\n    a (int, optional): One (choices: [1, 2])\n    b: Two (CHOICES: ["x ", "y", null])\n\n'
    "Returns:\n    A: b\n",
    "Do it.\n\nArgs:\n    a: One (choices: [1, 2\n    b: Two (choices: {1})",
    "Do it.\n\nArgs:\n    a: One (choices: 5)\n    b: Two",
    'Do it.\n\nArgs:\n    a: One (choices: [1]) or so.\n    b: Two (choices: [[1], {"a": 2}])',
    "Do it.\nArgs:\n  a:\n    The first.\n  b:\n\n    note: The second.\n    more: of it\n",
    "Do it.\n\nArgs:\n    a: See\n        b: inside\n    b: outside",
    "Do it.\n\nArgs:\n    a: \n    b: ",
    "Do it.\n\nArgs:\n\ta: tab\n\tb: tab\n\t\tc: deeper",
    "Do it.\n\nArgs: a and b\n    a: x\n    b: y",
    "Takes Args: a and b.\n\nArgs:\n    a: x\n    b: y",
    "Do it.\n\nReturns:\n    First.\n\nArgs:\n    a: x\n    b: y",
    "Do it.\n\nArgs:\n    a: x\n    b: y. Returns: z\n    c: d\n\nRaises:\n    ValueError: if\n",
    "Do it.\n\nRaises:\n    ValueError: if\n\nArgs:\n    a: x\n    b: y\n\nReturns:\n    int: z\n\n    More.\n",
    "Do it.\n\nArgs:\n    a: x\nb: y\n\nExample:\n    a: z\n",
    "Do it.\n\nArgs:\n    - a: x\n    *b*: y\n    a : spaced\n    b(int): near\n",
    "Do it.\n\nArgs:\n    a: x\n\n    in between: y\n    b (dict(str)): z\n    b (x\n) : z",
    "Args:\n    a: x\n    b: y",
    "Do “it”.\n\nArgs:\n    a: ünï ‘x’ \t \n    b: 🍕\u2028\x85 z\n",
    "Do it.\r\n\r\nArgs:\r\n    a: x\r\n    b: y\r\n",
)


def told(make: Callable[[Any], Any], function: Any) -> Any:
    """Return a schema with the order of its keys, None if there is none."""
    try:
        return repr(make(function))
    except Exception as error:
        if make is function_schema:
            assert type(error) is ValueError
            assert f"tool {function.__name__}" in str(error)
        return None


def check(function: Any) -> bool:
    expected = told(get_json_schema, function)
    assert told(function_schema, function) == expected
    return expected is not None


def make(doc: str | None, hints: dict[str, Any], default: tuple[Any, ...] = ()) -> Callable[..., Any]:
    def function(a, b):  # type: ignore[no-untyped-def]
        return None

    function.__doc__, function.__annotations__, function.__defaults__ = doc, hints, default
    return function


@pytest.mark.parametrize("hint", HINTS, ids=str)
def test_type_hints(hint: Any) -> None:
    for hints in ({"a": hint, "b": str}, {"b": int, "a": hint, "return": hint}, {"a": int, "b": int, "return": hint}):
        check(make(DOCS[4], hints))
        check(make(DOCS[5], hints, (None,)))


@pytest.mark.parametrize("doc", DOCS, ids=range(len(DOCS)))
def test_docstrings(doc: str | None) -> None:
    for hints in ({"a": int, "b": str}, {"a": Color, "b": list[int], "return": dict}, {"a": int}):
        check(make(doc, hints))


LINES = st.sampled_from(
    (
        "Do it.",
        "Args:",
        "Returns:",
        "Raises:",
        "Args: x",
        "a: one",
        "b (int): two",
        "b:",
        "a:",
        "c: (choices: [1])",
        "x y",
        "",
    )
)


@settings(max_examples=400)
@given(st.lists(st.tuples(st.sampled_from(("", "  ", "    ", "\t")), LINES), max_size=12))
def test_docstrings_of_any_lines(lines: list[tuple[str, str]]) -> None:
    doc = "Do it.\n\nArgs:\n    b: two\n" + "\n".join(map("".join, lines))
    check(make(doc, {"a": int, "b": str, "return": int}))


SIMPLE = st.sampled_from((int, str, Any, Color, None, Literal["a", 1], dict, date))
NESTED = st.recursive(
    SIMPLE,
    lambda inner: st.one_of(
        inner.map(lambda hint: list[hint]),  # type: ignore[valid-type]
        inner.map(lambda hint: Optional[hint]),
        st.tuples(inner, inner).map(lambda hints: Union[hints]),
        st.tuples(inner, inner).map(lambda hints: tuple[hints]),  # type: ignore[valid-type]
        inner.map(lambda hint: dict[str, hint]),  # type: ignore[valid-type]
    ),
    max_leaves=5,
)


@settings(max_examples=200)
@given(NESTED, NESTED)
def test_nested_type_hints(one: Any, other: Any) -> None:
    check(make(DOCS[5], {"a": one, "b": int, "return": other}))


class Tool:
    def method(self, a: int, *more: str, b: bool = False, **others: float) -> None:
        """Do it.

        Args:
            a: One
            more: Two
            b: Three
            others: Four
        """

    def typed(self: "Tool", a: int) -> None:
        """Do it.

        Args:
            a: One
        """

    @classmethod
    def of_class(cls, a: int = 1) -> None:
        """Do it.

        Args:
            a: One
        """

    @staticmethod
    def static(a: "Color", /, *, b: "int | None" = None) -> "Missing":  # type: ignore[name-defined] # noqa: F821
        """Do it.

        Args:
            a: One
            b: Two
        """


@functools.wraps(Tool.of_class)
def wrapped(*args: Any, **values: Any) -> None:
    return None


def without_arguments() -> Color:
    """Do it."""
    return Color.RED


def missing(a, b: int):  # type: ignore[no-untyped-def]
    """Do it.

    Args:
        a: One
        b: Two
    """


def test_functions_and_methods() -> None:
    assert [
        check(function)
        for function in (
            *(Tool.method, Tool().method, Tool.typed, Tool.of_class, Tool.static, wrapped, without_arguments, missing),
            lambda: 1,
        )
    ] == [True, True, False, True, False, True, True, False, False]


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (make(None, {"a": int, "b": int}), "the tool function needs a docstring"),
        (make("Do it.", {"a": int, "b": int}), "does not describe “a” under “Args:”"),
        (missing, "the tool missing can't be described to the model: “a” has no type hint"),
        (make(DOCS[4], {"a": bytes, "b": int}), "bytes can't be said in JSON: use int, float, str"),
        (make(DOCS[4], {"a": tuple[int], "b": int}), r"tuple\[int\] can't be said in JSON: use list"),
        (make(DOCS[4], {"a": "Missing", "b": int}), "its type hints can't be read: name 'Missing' is not defined"),
        (make(DOCS[4], {"a": Empty, "b": int}), "Empty has no values to choose from"),
        (make(DOCS[7], {"a": int, "b": int}), "must give the choices of “b” as a list in JSON"),
        # transformers takes these, and makes a list of the keys or characters:
        (make(f'{DOCS[3]}\n\nArgs:\n    a: (choices: {{"x": 1}})', {"a": str, "b": int}), "not .choices: {.x.: 1}"),
        (make(f'{DOCS[3]}\n\nArgs:\n    a: (choices: "xy")', {"a": str, "b": int}), "not .choices: .xy."),
    ],
)
def test_refusals_say_what_is_missing(function: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        function_schema(function)
