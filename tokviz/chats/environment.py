"""Jinja's sandbox as Hugging Face's transformers sets it up for chat templates, with texts that keep their origins.

Where Jinja itself would lose where a text comes from (`~`, `join` of a plain text, formatting, output of a list), this
environment does the same work with traced texts. What templates may use beside Jinja's own is theirs: `tojson`,
`raise_exception`, `strftime_now`, `{% generation %}`, `{% break %}` and `{% continue %}`.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import wraps
from typing import Any

from jinja2 import filters, nodes, pass_eval_context
from jinja2.compiler import CodeGenerator, Frame
from jinja2.exceptions import SecurityError, TemplateError
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.runtime import Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment, SandboxedFormatter
from jinja2.utils import Namespace
from markupsafe import Markup

from tokviz.chats import json_text
from tokviz.chats.json_text import JsonForm
from tokviz.chats.spans import DATE, UNKNOWN, Origin
from tokviz.chats.traced import Piece, Source, Traced, concatenate, generated, plain, rewritten, written_as

_PERCENT = re.compile(
    r"%(?:\((?P<key>[^()]*)\))?[#0\- +]*(?P<width>\*|\d+)?(?:\.(?P<digits>\*|\d+))?[hlL]?(?P<kind>.)", re.S
)
_REWRITING = (
    *("title", "wordwrap", "urlencode", "pprint"),
    *("escape", "e", "forceescape", "safe", "striptags", "urlize", "xmlattr"),
)
"""Jinja's filters that rewrite a text in ways of their own."""


class _TracedMarkup(Markup):
    """A text marked as safe HTML that is told apart as long as nothing is done with it."""

    __slots__ = ("traced",)
    traced: Traced

    def __new__(cls, text: str, traced: str | None = None) -> "_TracedMarkup":
        markup = super().__new__(cls, text)
        markup.traced = _from(UNKNOWN, text) if traced is None else Traced("") + traced
        return markup


class _Generator(CodeGenerator):
    """Compiles `~` to a call of the environment."""

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:
        """Write the call. See `CodeGenerator.visit_Concat`."""
        self.write("environment.concat(map(environment.spelled, (")
        for part in node.nodes:
            self.visit(part, frame)
            self.write(", ")
        self.write(")))")


class _Generation(Extension):
    """`{% generation %}`, which marks what the assistant wrote."""

    tags = {"generation"}  # noqa: RUF012

    def parse(self, parser: Parser) -> nodes.Node:
        """See `Extension.parse`."""
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("_mark"), [], [], body).set_lineno(line)

    def _mark(self, caller: Macro) -> str:
        return generated(caller())


class _Dict:
    """What templates get as `dict`."""

    def __call__(self, *args: Any, **values: Any) -> dict[Any, Any]:
        return dict(*args, **values)

    def fromkeys(self, *args: Any) -> dict[Any, Any]:
        """See `dict.fromkeys`."""
        return dict.fromkeys(*args)


class _Namespace(Namespace):
    """Jinja's `namespace`, without names that begin with an underscore."""

    def __init__(*args: Any, **values: Any) -> None:
        for name in dict(*args[1:], **values):
            _check_name(name)
        Namespace.__init__(*args, **values)

    def __setitem__(self, name: str, value: Any) -> None:
        _check_name(name)
        super().__setitem__(name, value)


def _check_name(name: object) -> None:
    if isinstance(name, str) and name.startswith("_"):
        raise SecurityError(f"a namespace can't have {name!r}: names must not begin with an underscore")


class ChatEnvironment(ImmutableSandboxedEnvironment):
    """The environment of one rendering: `given` marks what is written of a value, `now` is the time it is."""

    code_generator_class = _Generator
    intercepted_binops = frozenset("%")
    concat = staticmethod(concatenate)

    def __init__(self, given: json_text.Given, now: datetime) -> None:
        super().__init__(
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=[_Generation, loopcontrols],
            finalize=self.spelled,
            cache_size=0,
        )
        self._given = given
        self.globals |= {
            "raise_exception": _raise_exception,
            "strftime_now": lambda form: _from(DATE, now.strftime(form)),
            "dict": _Dict(),
            "namespace": _Namespace,
        }
        self.filters |= {name: _rewriting(self.filters[name]) for name in _REWRITING}
        self.filters |= {
            "format": lambda value, *args, **values: self._percent(_text(value), values or args),
            "indent": _indent,
            "join": _join,
            "string": self.spelled,
            "tojson": self._tojson,
        }
        self.binop_table["%"] = lambda left, right: (
            self._percent(left, right) if isinstance(left, str) and not isinstance(left, Markup) else left % right
        )

    def spelled(self, value: Any) -> str:
        """Return what the template writes of a value."""
        if isinstance(value, _TracedMarkup):
            return value.traced
        if isinstance(value, Markup):
            return _TracedMarkup(value).traced
        return json_text.spelled(value, self._given)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """See `Environment.getattr`. Methods of plain texts keep the origins of their arguments."""
        return super().getattr(_traced(obj), attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """See `Environment.getitem`."""
        return super().getitem(_traced(obj), argument)

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        """Return what formats a text within the sandbox, if `value` is its method `format` or `format_map`."""
        wrapper = super().wrap_str_format(value)
        text = getattr(value, "__self__", None)
        if wrapper is None or not isinstance(text, Traced):
            return wrapper
        is_map = value.__name__ == "format_map"
        formatter = _TracingFormatter(self)

        @wraps(wrapper)
        def formatted(*args: Any, **values: Any) -> str:
            wrapper(*args, **values)  # raises what is wrong
            return formatter.traced(text, () if is_map else args, args[0] if is_map else values)

        return formatted

    def _tojson(
        self,
        value: Any,
        ensure_ascii: bool = False,
        indent: int | str | None = None,
        separators: Any = None,
        sort_keys: bool = False,
    ) -> str:
        return json_text.tojson(value, self._given, JsonForm(ensure_ascii, indent, separators, sort_keys))

    def _percent(self, text: str, values: Any) -> str:
        """Return `text % values`."""
        formatted = plain(text) % values  # raises what is wrong
        parts = list(self._percent_parts(text, values))
        return concatenate(parts) if "".join(map(plain, parts)) == formatted else formatted

    def _percent_parts(self, text: str, values: Any) -> Iterator[str]:
        waiting: Sequence[Any] = list(values) if isinstance(values, tuple) else [values]
        place = number = 0
        for found in _PERCENT.finditer(plain(text)):
            yield text[place : found.start()]
            place = found.end()
            if found["kind"] == "%":
                yield "%"
                continue
            stars = (found["width"], found["digits"]).count("*")
            if found["key"] is None:
                taken = waiting[number : number + stars + 1]
                number += stars + 1
                form: Any = tuple(taken)
                value = taken[-1]
            else:
                form, value = values, values[found["key"]]
            written = found[0] % form
            is_text = found["kind"] == "s" and isinstance(value, str)
            yield written_as(value, written) if is_text else written
        yield text[place:]


class _TracingFormatter(SandboxedFormatter):
    """Formats as the sandbox's formatter does, and keeps the origins of texts."""

    def traced(self, text: str, args: Sequence[Any], values: Mapping[str, Any]) -> str:
        """Return `text.format(*args, **values)`."""
        parts: list[str] = []
        number = 0
        for literal, field, form, conversion in self.parse(plain(text)):
            parts.append(literal)
            if field is None:
                continue
            if re.match(r"[.\[]|$", field):
                field, number = f"{number}{field}", number + 1
            value, _ = self.get_field(field, args, values)
            value = self.convert_field(value, conversion)
            written = self.format_field(
                plain(value) if isinstance(value, str) else value, self.vformat(form or "", args, values)
            )
            parts.append(written_as(value, written) if isinstance(value, str) else written)
        return concatenate(parts)


def _raise_exception(message: str) -> None:
    raise TemplateError(message)


def _from(origin: Origin, text: str) -> Traced:
    """Return a text as coming from elsewhere."""
    return Traced(text, [Piece(len(text), Source(origin, text), 0, len(text))])


def _traced(value: Any) -> Any:
    return Traced(value) if type(value) is str else value


def _text(value: Any) -> str:
    return value if isinstance(value, str) else str(value)


def _rewriting(apply: Callable[..., Any]) -> Callable[..., Any]:
    """Return a filter of Jinja's that keeps where the text it rewrites comes from."""

    @wraps(apply)
    def filtered(*args: Any, **values: Any) -> Any:
        result = apply(*args, **values)
        if not isinstance(result, str):
            return result
        place = next((number for number, each in enumerate(args) if isinstance(each, str)), None)
        if place is None:
            return _from(UNKNOWN, plain(result))
        before, text, after = args[:place], args[place], args[place + 1 :]
        if not isinstance(text, Traced):
            return result
        written = str(plain(result))

        def write(part: str) -> str:
            return written if part == plain(text) else str(apply(*before, part, *after, **values))

        traced = rewritten(text, write)
        return _TracedMarkup(written, traced) if isinstance(result, Markup) else traced

    return filtered


def _indent(text: str, width: int | str = 4, first: bool = False, blank: bool = False) -> str:
    """Indent a text's lines but the first, as Jinja does."""
    if isinstance(text, Markup):
        return filters.do_indent(text, width, first, blank)
    indention = width if isinstance(width, str) else " " * width
    lines = (Traced("") + text + "\n").splitlines()
    rest = (concatenate((indention, line)) if line or blank else line for line in lines[1:])
    return Traced("\n").join([concatenate((indention * first, lines[0])), *rest])


@pass_eval_context
def _join(context: Any, value: Any, separator: str = "", attribute: str | int | None = None) -> Any:
    return filters.sync_do_join(context, value, _traced(separator), attribute)
