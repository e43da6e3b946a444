"""Requests as dataclasses: one for each route, whose fields are the query's parameters, parsed by their types."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from itertools import accumulate, pairwise
from types import NoneType
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self, dataclass_transform, get_args, get_type_hints

from starlette.datastructures import QueryParams
from starlette.requests import Request

from tokviz.app.answers.visitors.kept_tokenizers import WORDS
from tokviz.app.shields.fairness.visitors import Visitor, visitor_of
from tokviz.app.shields.refusals import Refusal

Parse = Callable[[str], Any]
"""Returns the value of a parameter from what was sent. Raises Unfit."""


class Unfit(Exception):
    """A value that a parameter may not have. The message says what it must be."""


class Parameter(NamedTuple):
    """A parameter of a query. `parse` is None for one that is repeated."""

    field: str
    parse: Parse | None
    is_needed: bool


@dataclass_transform(kw_only_default=True)
@dataclass(kw_only=True)
class Asked:
    """A request. Subclasses are dataclasses, of which each field is a parameter, needed if it has no default.

    A `bool` is 0 or 1, or may also be empty if it may be None; an `int` is a whole number, a `float` one from 0 to 1, a
    `Literal` one of its words, and a tuple all values of a repeated parameter. `Annotated` gives the function that
    parses anything else. `from_` is the parameter `from`.
    """

    parameters: ClassVar[dict[str, Parameter]] = {}

    request: Request
    body: bytes

    def __init_subclass__(cls) -> None:
        dataclass(kw_only=True)(cls)
        cls.parameters = parameters_of(cls, without=("request", "body"))

    @classmethod
    def of(cls, request: Request, body: bytes) -> Self:
        """Return what a request asks for. Raises Refusal."""
        return cls(request=request, body=body, **read_query(cls.parameters, request.query_params))

    @property
    def names(self) -> Sequence[str]:
        """Names of the tokenizers that are asked for."""
        return ()

    @property
    def visitor(self) -> Visitor:
        """The visitor who sent the request."""
        return visitor_of(self.request)

    @property
    def text(self) -> str:
        """The body as text."""
        return as_text(self.body)

    def needed(self, field: str) -> Any:
        """Return a parameter that only some of a route's requests need. Refuse one without it."""
        value = getattr(self, field)
        if value is None:
            raise lacks(field)
        return value


def parameters_of(kind: type[Any], without: Collection[str] = ()) -> dict[str, Parameter]:
    """Return the parameters that the fields of a dataclass are, all but those in `without`."""
    hints = get_type_hints(kind, include_extras=True)
    return {
        each.name.rstrip("_"): Parameter(each.name, _parser(hints[each.name]), each.default is MISSING)
        for each in fields(kind)
        if each.name not in without
    }


def read_query(parameters: Mapping[str, Parameter], query: QueryParams) -> dict[str, Any]:
    """Return the values of parameters by field. Raises Refusal."""
    sent = dict(query.multi_items())
    given: dict[str, Any] = {}
    for name, (field, parse, is_needed) in parameters.items():
        if name in sent:
            try:
                given[field] = parse(sent[name]) if parse else tuple(query.getlist(name))
            except Unfit as error:
                raise Refusal(400, f"“{name}” must be {error}.") from None
        elif is_needed:
            raise lacks(name)
    return given


def _parser(kind: Any) -> Parse | None:
    if kind in _PARSERS:
        return _PARSERS[kind]
    inner = get_args(kind)
    if NoneType in inner:  # or None, if it is left out
        return _parser(inner[0])
    if hasattr(kind, "__metadata__"):  # Annotated
        parse: Parse = kind.__metadata__[0]
        return parse
    return None if inner[-1] is ... else one_of(inner)


def lacks(name: str) -> Refusal:
    """Return the refusal of a request that lacks a parameter."""
    return Refusal(400, f"The request lacks “{name}”.")


# Values of parameters


def fit(is_fit: Callable[[str], object], what: str, read: Callable[[str], Any] = str) -> Parse:
    """Return a function that reads what fits. `what` says what a parameter must be."""

    def parse(value: str) -> Any:
        if not is_fit(value):
            raise Unfit(what)
        return read(value)

    return parse


def matching(pattern: str, what: str, read: Callable[[str], Any] = str) -> Parse:
    """Return a function that reads what a regular expression matches."""
    return fit(re.compile(pattern).fullmatch, what, read)


def one_of(choices: Sequence[str]) -> Parse:
    """Return a function that takes one of these words."""
    return fit(choices.__contains__, f"one of: {', '.join(choices)}")


def between(least: int, most: int) -> Parse:
    """Return a function that reads the whole numbers in this range."""
    return fit(lambda value: least <= whole_number(value) <= most, f"from {least} to {most:,}", whole_number)


# More digits than any id or length has, and few enough for int().
whole_number = matching("[0-9]+", "a whole number, 0 or more", lambda digits: int(digits.lstrip("0")[:18] or 0))
_PARSERS: dict[Any, Parse] = {
    str: str,
    int: whole_number,
    float: matching(r"[01](\.[0-9]{1,9})?|\.[0-9]{1,9}", "a number from 0 to 1", float),
    bool: fit(("0", "1").__contains__, "0 or 1", "1".__eq__),
    bool | None: fit(("0", "1", "").__contains__, "0, 1 or empty", {"0": False, "1": True}.get),
}

Language = Annotated[str, matching("[A-Za-z0-9-]{0,35}", "a language tag, such as “en”")]
"""The language of the text, or "" if it is not known."""


# Requests of several routes


class Named(Asked):
    """A question about what has this name."""

    name: str


class WithId(Asked):
    """A question about what has this id."""

    id: str


class OfTokenizer(Asked):
    """A question about a tokenizer."""

    tokenizer: str

    @property
    def names(self) -> Sequence[str]:
        """Its name."""
        return (self.tokenizer,)


class OfText(OfTokenizer):
    """A question about the body's text under a tokenizer, with its special tokens or without."""

    special: bool = False

    @property
    def allowed(self) -> Literal["all"] | tuple[()]:
        """The special tokens that are recognized."""
        return "all" if self.special else ()


class OfWords(OfText):
    """A question about a text that may follow another, of `known` bytes, from which words are learned."""

    known: int | None = None

    def known_and_text(self) -> tuple[str | None, str]:
        """Return the text that words are learned from, or None if it isn't sent, and the text to tokenize."""
        if self.known is None:
            return None, self.text
        if self.tokenizer != WORDS:
            raise Refusal(400, f"“known” goes with the tokenizer “{WORDS}” only.")
        known, text = cut(self.body, self.known, "known")
        return as_text(known), as_text(text)


# Bodies


def as_text(body: bytes) -> str:
    """Decode a body as UTF-8 text."""
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise Refusal(400, f"The text is not UTF-8: byte {error.start} does not belong there.") from None


def cut(body: bytes, size: int, name: str) -> tuple[bytes, bytes]:
    """Cut a body after as many bytes as the parameter `name` says."""
    if size > len(body):
        raise Refusal(400, f"“{name}” is more than was sent.")
    return body[:size], body[size:]


def cut_by_sizes(body: bytes, sizes: Sequence[str]) -> list[bytes]:
    """Cut a body into parts of these sizes, which a request gives in bytes."""
    if not all(re.fullmatch("[0-9]{1,9}", size) for size in sizes):
        raise Refusal(400, "The sizes of the parts must be whole numbers.")
    places = list(accumulate(map(int, sizes), initial=0))
    if places[-1] != len(body):
        raise Refusal(400, "The sizes of the parts don't add up to the bytes that arrived.")
    return [body[start:end] for start, end in pairwise(places)]
