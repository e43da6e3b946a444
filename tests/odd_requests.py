"""Odd requests over all routes of the app, the same ones for the same seed.

Each begins as a request that a page sends (`PAGES`). Then a parameter is left out, doubled or replaced, a header or the
body is replaced, or a value anywhere in the JSON of a body.
"""

import asyncio
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, fields, replace
from typing import Any, NamedTuple
from urllib.parse import parse_qs, quote, quote_from_bytes, unquote

from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Message

from tokviz.app.answers.asked import Asked as RouteAsked
from tokviz.app.answers.requests import ANY_FOLDER
from tokviz.app.answers.rooms.names import id_of
from tokviz.app.shields.processes.training_recipes import ALGORITHMS
from tokviz.lesson.links import pack

PATIENCE = 60

SECRET = "odd-requests-secret-22"
ROOM = id_of(SECRET)
PHONE = "odd-requests-phone--22"
IDS: Mapping[str, str | bytes] = {"id": ROOM}
TEXT = "low lower é🍕"
DEEP = 900
"""Levels of lists in lists, fewer than Python's limit for JSON."""


@dataclass(frozen=True)
class Asked:
    """A request. A parameter has its values, of which bytes are sent as they are.

    `ids` are what stands in the path for its {names}.
    """

    path: str
    query: Mapping[str, list[Any]] = field(default_factory=dict)
    body: Any = None
    method: str = "POST"
    headers: Mapping[str, str] = field(default_factory=dict)
    ids: Mapping[str, str | bytes] = field(default_factory=dict)

    @property
    def address(self) -> bytes:
        """The path and the query as they are sent."""
        path = self.path.replace(":any_folder}", "}").replace("{base}", "")
        for name, value in self.ids.items():
            path = path.replace(f"{{{name}}}", quoted(value))
        values = [
            (name, each) for name, some in self.query.items() for each in (some if isinstance(some, list) else [some])
        ]
        return f"{path}?{'&'.join(f'{quote(name)}={quoted(value)}' for name, value in values)}".encode()

    @property
    def content(self) -> bytes:
        """The body as it is sent."""
        body = self.body
        if body is None:
            return b""
        if isinstance(body, bytes):
            return body
        return body.encode("utf-8", "surrogatepass") if isinstance(body, str) else written(body).encode()


class Raw(NamedTuple):
    """JSON that stands for a value as it is written."""

    text: str


class Answered(NamedTuple):
    """What came back."""

    status: int
    body: bytes


def quoted(value: Any) -> str:
    return quote_from_bytes(value) if isinstance(value, bytes) else quote(str(value), safe="")


def written(value: Any) -> str:
    """Write JSON, with `Raw` parts as they are."""
    if isinstance(value, Raw):
        return value.text
    if isinstance(value, dict):
        return f"{{{','.join(f'{json.dumps(name)}:{written(each)}' for name, each in value.items())}}}"
    return f"[{','.join(map(written, value))}]" if isinstance(value, list) else json.dumps(value)


WORDS: Sequence[str | bytes] = (
    *("", "0", "1", "2", "-1", "00", "1.5", "1e9", "NaN", "Infinity", "+1", "９", "²", " 1", "1\n", "0x10", "1,2"),
    *("9" * 9, "9" * 19, "9" * 5_000, "x", "null", "[]", "{}", ",", "\0", "\x1b[31m", "../../etc/passwd", "%s{0}{x}"),
    *("gpt2", "gpt2,", "bytes", "code-points", "words", "all ", "none", "hf:a/b", "cl100k", "A-B-C", "2-1,1-2"),
    *("[" * DEEP, '{"a":' * DEEP, "(" * 400, "a" * 5_000, "en" * 20, "🍕", "é\u0301\u202e"),
    *(b"\xff", b"\xed\xa0\x80", b"%", b"&=&"),
)
"""What may stand for a parameter or in a path."""

VALUES: Sequence[Any] = (
    *(None, True, False, 0, 1, -1, 7, 1.5, 10**30, -(10**400), "", "x", "gpt2", "0", "\0\x1b", "🍕", "a" * 10_000),
    *([], {}, [[]], ["x"], [1], [None], [["a", "b"]], {"": ""}, {"x": "y"}, {"a": {"b": [1]}}, ["a"] * 100),
    *map(Raw, ("", "[1", "NaN", "-Infinity", "1e999", "1" + "0" * 4_000, "9" * 5_000, '{"a":1,"a":2}')),
    *map(Raw, ('"\\ud800"', '"\\udc00x\\ud83d"', '{"\\udfff":1}', '["\\ud800"]', '{"a":"\\ud800"}')),
    *map(Raw, ("[" * DEEP + "]" * DEEP, '{"a":' * DEEP + "1" + "}" * DEEP, "[" * 60 + "]" * 60)),
)
"""What may stand for a value in JSON."""

BODIES: Sequence[bytes] = (
    *(b"", b"\xff", b"\xed\xa0\x80", b"\0", b"x", b"null", b"[]", b"{}", b"NaN", b'"', b"\xef\xbb\xbf{}", b"{}{}"),
    *(b"[" * 20_000, b'{"a":' * 5_000, b"[" * DEEP + b"]" * DEEP, b"1" * 5_000, b'"\\ud800"', b"\r\n\t \x85"),
    *("🇫🇷".encode() * 50, b"a" * 3_000),
)
"""What may stand for a body."""

HEADERS: Sequence[Mapping[str, str]] = (
    {"cookie": "tokviz_own=" + "." * 300 + "\xff; =; a"},
    {"cookie": "tokviz_own=" + "x" * 30 + ".gpt2"},
    {"accept-encoding": "gzip;q=0, \xff"},
    {"content-length": "9" * 30},
    {"content-length": "\xb2"},
    {"content-type": "multipart/form-data", "accept-language": "\xff" * 50, "range": "bytes=9-1"},
)

MORE = ("known", "special", "picture", "page", "before", "reasons", "texts", "own", "off", "specials", "lang", "scale")
"""Parameters that are added where a request has none of this name."""


def pages(trained: str) -> list[Asked]:
    """Return a request for each route, as a page sends it: short ones. `trained` is a visitor's tokenizer."""
    learning, drawing = "pattern=gpt2&alphabet=bytes&ties=first-seen", "picture=1&columns=20&step=1&symbols=text"
    answering = "question=This+text&tokenizers=gpt2&scale=0"
    values = {"add_generation_prompt": True, "tools": [{"name": "x"}]}
    chat = {"messages": [{"role": "user", "content": "Hi"}], "template": {"name": "chatml"}, "values": values}
    own = {"text": "{{ messages[0].content }}{{ bos_token }}", "special_tokens": {"bos_token": "<s>"}}
    link = {"page": "", "fields": {"tokenizer": "gpt2", "color": "rank"}, "text": TEXT}
    learned = {"split": "gpt2", "merges": "3", "story": "learn", "step": "1"}
    question = {"id": "q", "question": "How many?", "title": "t", "say": "s", "choices": ["1", "2"]}
    counted = {"id": "n", "question": "How many?", "number": {"tokenizer": "gpt2", "scripts": True}}
    figure = {"label": "l", "page": "p", "fields": {"a": "b"}, "text": "t"}
    answer = {"answers": [1], "reveal": "r", "links": [{"label": "l", "href": "/x"}], "figure": figure}
    opened = {"secret": SECRET}
    vote = {"phone": PHONE, "question": "q", "round": 1, "choice": 1, "number": 3, "script": "Han"}
    recipe = {"vocab_size": 260, "special_tokens": []}
    origin = {"label": "l", "recipe": recipe, "sample": "", "texts": [TEXT], "held_out": False}
    return [
        post("tokenize?tokenizer=gpt2&special=1&counts=1&ranks=1"),
        post("tokenize?tokenizer=words&known=3"),
        post("pretokens?tokenizer=gpt2&special=0"),
        post("tail?tokenizer=gpt2&special=0"),
        post("stages?tokenizer=gpt2&special=0"),
        post("rewriting?tokenizer=gpt2&start=0&end=3"),
        get("token?tokenizer=gpt2&id=300"),
        post("find?tokenizer=gpt2", "low"),
        post("decode?tokenizer=gpt2", {"ids": [300, 5]}),
        get("sample?name=prose-en"),
        post("chat?tokenizer=gpt2", chat),
        post("chat?tokenizer=gpt2", {**chat, "template": own}),
        post("chat/compare?tokenizer=gpt2&against=bytes&by=chatml", chat),
        get("chat/template?name=chatml"),
        post("compare?tokenizers=gpt2,bytes&reasons=1&special=0"),
        post("compare/reasons?tokenizers=gpt2,bytes"),
        post("compare/page?tokenizers=gpt2,bytes&lang=en"),
        post("compare/explain?tokenizers=gpt2,bytes&segments=0-3&before=0&after=1"),
        post("compare/picture?tokenizers=gpt2,bytes&columns=20&dark=0"),
        post("tokens-picture?columns=20&dark=0", {"text": "low", "title": "t", "lengths": [1, 2], "kinds": [0, 1]}),
        post("compare/texts?tokenizer=gpt2&first=4&special=0"),
        post(f"compression?{answering}&settings={{}}"),
        post(f"compression?{answering}&texts=1", {"texts": [["a.txt", "low"]]}),
        post(f"compression/file?{answering}&section=this-text&picture=1"),
        get("course/chapter?name=pairs"),
        *(post(f"course/figure/{name}?chosen=1,2&name=x&off=1&width=3") for name in ("alternatives", "hole")),
        post("course/figure/{name}?tokenizer=gpt2&written=1", ids={"name": "pairs"}),
        post("course/figure/twice?kind=a&tokenizer=gpt2", ["low", "lower"]),
        *(post(f"course/figure/{name}", {"solution": "[]", "text": "x"}) for name in ("merges", "ids")),
        post(f"replay?tokenizer=gpt2&order=rank&special=0&way=0&{drawing}"),
        post(f"replay?tokenizer=gpt2&order=rank&decoding=1&row=0&end=2&{drawing}"),
        post("replay?tokenizer=gpt2&order=rank&page=1&step=1&symbols=text"),
        post(f"replay/learn?{learning}&merges=3&end_of_word=0"),
        post("replay/seek?tokenizer=gpt2&special=0"),
        post(f"replay/try?{learning}&merges=3&known=4&order=rank&{drawing}"),
        get("address"),
        post("qr", "https://example.org"),
        post("export?tokenizer=gpt2&format=html&color_by=id&marks=1&lang=en&special=0"),
        post("export?tokenizer=words&format=csv&known=3"),
        get("text?id=x"),
        get("class-pack"),
        post("figure", link),
        *(post(route, {"page": "replay", "fields": learned, "text": TEXT}) for route in ("figure", "ask")),
        post("ask", link),
        get("ask"),
        post("room", {}),
        post("room/{id}/open", opened),
        post("room/{id}/move", {**opened, "action": "ask", "question": question, "seconds": 3}),
        post("room/{id}/move", {**opened, "action": "ask", "question": counted, "seconds": 3}),
        post("room/{id}/move", {**opened, "action": "reveal", **answer}),
        post("room/{id}/move", {**opened, "action": "let-turn", "may": True}),
        post("room/{id}/vote", vote),
        post("room/{id}/follow", {**opened, "stream": False, "seen": ""}),
        post("room/{id}/follow", {"phone": PHONE, "stream": True}),
        post("room/{id}/turn", {"notes": PHONE, "way": "back", "place": 1}),
        post("made?id=x", pack(json.dumps(origin))),
        post("files-kind?name=vocab.json&name=merges.txt&size=2&size=3", "{}a b"),
        post("tokenizer-file?name=x.tiktoken&label=l&pattern=gpt2&specials=6&beside=x", "<s> 1\nYQ== 0\n"),
        post("hub-tokenizer?name=hf:/"),
        post(f"train?{learning}&measure=lines&merges=3&lengths=5,4&names=a&label=l", "low low l"),
        post(f"train?{learning}&measure=sample&sample=prose-en&other=prose-fr&merges=fit&shared=1", ""),
        post("train?algorithm=wordpiece&measure=&size=60&lowercase=1&min_frequency=2"),
        post(f"train/try?{learning}&length=9&specials=<s>&off=1&mark=_"),
        post("train/try?algorithm=sentencepiece&length=9&character_coverage=0.99"),
        get("train/state?id=x&merges=0"),
        post("train/cancel?id=x"),
        get("train/sample?name=prose-en"),
        get(f"trained?tokenizer={trained}"),
        post(f"trained/vocabulary?tokenizer={trained}&by=text&order=id&from=0&show=all&kind="),
        get(f"trained/files?tokenizer={trained}"),
        get(f"trained/file?tokenizer={trained}&file=tokenizer.json"),
        post(f"trained/pieces?tokenizer={trained}&order=id&from=0"),
        post(f"trained/read?tokenizer={trained}"),
        *(Asked(path, method="GET", ids=IDS) for path in ("r/{id}", "notes/{id}", "sheet")),
        Asked("lesson", {"for": ["students"]}, method="GET"),
    ]


OPTIONS = frozenset(each.name for kind in ALGORITHMS.values() for each in fields(kind))
"""Parameters that no dataclass of a route declares, but those of recipes do."""


def undeclared(kind: type[RouteAsked], sent: Iterable[str]) -> set[str]:
    """Return the parameters of a request that its route does not declare. Figures of the course take any."""
    return set() if kind is RouteAsked else set(sent) - kind.parameters.keys() - OPTIONS


def post(address: str, body: Any = TEXT, ids: Mapping[str, str | bytes] = IDS) -> Asked:
    """Return a request that sends a body."""
    path, _, query = address.partition("?")
    return Asked(f"_tokviz/{path}", parse_qs(query, keep_blank_values=True), body, ids=ids)


def get(address: str) -> Asked:
    """Return a request without a body."""
    return replace(post(address, None), method="GET")


def odd(asked: Asked) -> Iterator[Asked]:
    """Yield a request's odd forms: each in one thing only."""
    query = asked.query
    for name, values in query.items():
        yield replace(asked, query={each: value for each, value in query.items() if each != name})
        yield replace(asked, query={**query, name: [*values, *values]})
        yield from (replace(asked, query={**query, name: [word]}) for word in WORDS)
    yield from (replace(asked, query={name: [word], **query}) for name in MORE for word in WORDS[:4])
    for name in asked.ids:
        if f"{{{name}}}" in asked.path:
            yield from (replace(asked, ids={name: word}) for word in WORDS if word)
    yield from (replace(asked, headers=headers) for headers in HEADERS)
    if asked.method == "POST":
        yield from (replace(asked, body=body) for body in BODIES)
    if isinstance(asked.body, dict | list):
        yield from (replace(asked, body=body) for body in odd_values(asked.body))
        content = asked.content
        yield from (replace(asked, body=content[:end]) for end in range(0, len(content), max(1, len(content) // 10)))


def odd_values(body: Any) -> Iterator[Any]:
    """Yield JSON with each of its values replaced or left out, or with one more."""
    for path in _paths(body):
        for value in VALUES:
            yield _with(body, path, value)
        yield _with(body, path, None, is_left_out=True)
    if isinstance(body, dict):
        yield from ({**body, "more": value} for value in VALUES)


def _paths(value: Any) -> Iterator[tuple[Any, ...]]:
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in members:
        yield (name,)
        yield from ((name, *path) for path in _paths(each))


def _with(body: Any, path: Sequence[Any], value: Any, *, is_left_out: bool = False) -> Any:
    changed = deepcopy(body)
    holder = changed
    for name in path[:-1]:
        holder = holder[name]
    holder[path[-1]] = value
    if is_left_out:
        del holder[path[-1]]
    return changed


def routes_of(routes: Sequence[BaseRoute], folder: str = "") -> Iterator[tuple[Route, str]]:
    """Yield the routes, each with its path under the app's root."""
    for route in routes:
        if isinstance(route, Route):
            yield route, (folder + route.path).removeprefix(ANY_FOLDER)
        elif isinstance(route, Mount):
            yield from routes_of(route.routes, folder + route.path)


async def ask(app: ASGIApp, asked: Asked) -> Answered:
    """Send a request to the app, and collect its answer: of a stream of events, the first ones."""
    path, _, query = asked.address.partition(b"?")
    content = asked.content
    headers = {"host": "localhost", "content-length": str(len(content)), **asked.headers}
    messages: list[Message] = [{"type": "http.request", "body": content, "more_body": False}]
    status, body, has_seen = 0, b"", asyncio.Event()

    async def receive() -> Message:
        if messages:
            return messages.pop()
        await has_seen.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        nonlocal status, body
        status = message.get("status", status)
        body += message.get("body", b"")
        if body.startswith(b"data:"):
            has_seen.set()

    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": asked.method,
        "scheme": "http",
        "path": f"/{unquote(path.decode())}",
        "raw_path": b"/" + path,
        "query_string": query,
        "root_path": "",
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers.items()],
        "client": ("192.0.2.7", 50_000),
        "server": ("localhost", 80),
    }
    async with asyncio.timeout(PATIENCE):
        await app(scope, receive, send)
    return Answered(status, body)
