"""What requests ask for: a dataclass for each route, whose fields are the query's parameters, parsed by their types."""

import re
from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, fields
from itertools import accumulate, pairwise
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    Self,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from starlette.requests import Request

from tokviz.app.fairness.visitors import Visitor, visitor_of
from tokviz.app.http.refusals import Refusal
from tokviz.app.visitors.kept_tokenizers import WORDS

Parse = Callable[[str, str], Any]
"""Returns the value of a parameter from its name and what was sent. Raises Refusal."""


class Parameter(NamedTuple):
    """A parameter of a query. `parse` is None for one that is repeated."""

    field: str
    parse: Parse | None
    is_needed: bool


@dataclass_transform(kw_only_default=True)
@dataclass(kw_only=True)
class Asked:
    """A request. Subclasses are dataclasses, of which each field is a parameter, needed if it has no default.

    A `bool` is 0 or 1, an `int` a whole number, a `Literal` one of its words, and a tuple all values of a repeated
    parameter. `Annotated` gives the function that parses anything else. `from_` is the parameter `from`.
    """

    parameters: ClassVar[dict[str, Parameter]] = {}

    request: Request
    body: bytes

    def __init_subclass__(cls) -> None:
        dataclass(kw_only=True)(cls)
        hints = get_type_hints(cls, include_extras=True)
        cls.parameters = {
            each.name.rstrip("_"): Parameter(each.name, _parser(hints[each.name]), each.default is MISSING)
            for each in fields(cls)
            if each.name not in ("request", "body")
        }

    @classmethod
    def of(cls, request: Request, body: bytes) -> Self:
        """Return what a request asks for. Raises Refusal."""
        query = request.query_params
        sent = dict(query.multi_items())
        given: dict[str, Any] = {}
        for name, (field, parse, is_needed) in cls.parameters.items():
            if name in sent:
                given[field] = parse(name, sent[name]) if parse else tuple(query.getlist(name))
            elif is_needed:
                raise lacks(name)
        return cls(request=request, body=body, **given)

    @property
    def names(self) -> Sequence[str]:
        """Names of the tokenizers that are asked for."""
        return ()

    @property
    def visitor(self) -> Visitor:
        """Who asks."""
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


def _parser(kind: Any) -> Parse | None:
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return _parser(next(each for each in get_args(kind) if each is not NoneType))
    if origin is Annotated:
        parse: Parse = kind.__metadata__[0]
        return parse
    if origin is Literal:
        return one_of(get_args(kind))
    return None if origin is tuple else _PARSERS[kind]


def lacks(name: str) -> Refusal:
    """Return the refusal of a request that lacks a parameter."""
    return Refusal(400, f"The request lacks “{name}”.")


# Values of parameters


def as_sent(_: str, value: str) -> str:
    """Return any text."""
    return value


def flag(name: str, value: str) -> bool:
    """Return 0 or 1 as a bool."""
    if value not in ("0", "1"):
        raise Refusal(400, f"“{name}” must be 0 or 1.")
    return value == "1"


def whole_number(name: str, value: str) -> int:
    """Return a whole number."""
    if not re.fullmatch("[0-9]+", value):
        raise Refusal(400, f"“{name}” must be a whole number, 0 or more.")
    return int(value.lstrip("0")[:18] or 0)  # more digits than any id or length, and few enough for int()


_PARSERS: dict[Any, Parse] = {str: as_sent, bool: flag, int: whole_number}


def one_of(choices: Sequence[str]) -> Parse:
    """Return a function that takes one of these words."""

    def parse(name: str, value: str) -> str:
        if value not in choices:
            raise Refusal(400, f"“{name}” must be one of: {', '.join(choices)}.")
        return value

    return parse


def between(least: int, most: int) -> Parse:
    """Return a function that takes the whole numbers in this range."""

    def parse(name: str, value: str) -> int:
        if not least <= (number := whole_number(name, value)) <= most:
            raise Refusal(400, f"“{name}” must be from {least} to {most:,}.")
        return number

    return parse


def matching(pattern: str, what: str) -> Parse:
    """Return a function that takes the texts which a regular expression matches. `what` says what they must be."""

    def parse(name: str, value: str) -> str:
        if not re.fullmatch(pattern, value):
            raise Refusal(400, f"“{name}” must be {what}.")
        return value

    return parse


Language = Annotated[str, matching("[A-Za-z0-9-]{0,35}", "a language tag, such as “en”")]
"""The language of the text, or "" if it is not known."""


# What several routes ask for


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
