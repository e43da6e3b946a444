"""Shared request handling of the routes: reading requests, scheduling work, and sending responses or errors.

Short texts are handled on the event loop; anything that may take longer runs in a lane of a few threads, so that it
doesn't delay other requests. Texts are neither stored nor logged.
"""

import asyncio
import gzip
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, nullcontext, suppress
from functools import partial, wraps
from inspect import iscoroutinefunction
from typing import Any, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from starlette.convertors import PathConvertor, register_url_convertor
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from tokviz.app.answers.asked import Asked
from tokviz.app.answers.visitors.kept_tokenizers import WORDS, NotKept, registry
from tokviz.app.answers.visitors.shipped_tokenizers import ENGINES
from tokviz.app.shields.admission import BODY_SECONDS
from tokviz.app.shields.fairness import lanes
from tokviz.app.shields.fairness.budgets import Holding, evicted_quietly, holdings
from tokviz.app.shields.fairness.lanes import Busy, Lane
from tokviz.app.shields.fairness.visitors import QueueFull, shares, visitor_of
from tokviz.app.shields.processes.children import Refused
from tokviz.app.shields.refusals import BUSY, Refusal, failed, refused, sentence
from tokviz.pretokens import splitting
from tokviz.pretokens.splitting import TooSlow, time_limit
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.simple import WordTokenizer
from tokviz.widgets import wire

MAX_BODY = 10_000_000

FILE_SECONDS = 300.0
"""Maximum seconds for a body to arrive that holds files."""

BODIES_AT_A_TIME = 6
"""Maximum long bodies read from one address at a time; further ones wait."""

_sending: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

MAX_WORDS = 500_000
"""Maximum distinct words learned from a text. A million of them take half a gigabyte."""

_FEW_WORDS = 1_500_000
"""Bytes up to which a text has at most MAX_WORDS distinct words in any case."""

_ROUTE_SECONDS = 0.00075
"""Seconds of the event loop that a route takes besides its work, and besides what any request takes."""

CUTTING_SECONDS = 1.0
"""Maximum seconds that untrusted split patterns may take for one response."""

# Up to this size, in bytes, the work takes a few milliseconds for any text.
_MAX_INLINE = 16_000

_ENGINE_TIME = 6
"""Time of other libraries' shipped tokenizers, relative to the others."""
_COMPRESSED_FROM = 1_000  # bytes

_LEVEL = 6
"""gzip's level for files. Level 9 makes Streamlit's 0.3 % smaller, and takes a third longer while the first visitor
waits.
"""
_FAST = 1  # gzip's level for what is computed

_CHUNK = 65_536
"""Bytes given to the connection at a time, and left in its buffer when the client stops reading."""


class _AnyFolder(PathConvertor):
    regex = "(?:[^/]+/)*"


register_url_convertor("any_folder", _AnyFolder())

ANY_FOLDER = "/{base:any_folder}"
"""Start of a route's path: the app's root, whose path, without the first slash, becomes the parameter `base`.

It is `server.baseUrlPath`, which Streamlit reads only after the routes were imported: so any folder fits.
"""

Handler = Callable[[Request], Awaitable[Response]]
LaneOf = Callable[[Any], Lane | None]
T = TypeVar("T")


class Delivery:
    """A response that is sent in chunks, and counts as held bytes until it is sent."""

    def __init__(self, response: Response, holding: Holding) -> None:
        self._response = response
        self._holding = holding

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the response. It is cut short if its holding is evicted; the server then closes the connection."""

        async def send_in_chunks(message: Message) -> None:
            for chunk in _chunks(message):
                await send(chunk)

        try:
            with evicted_quietly(self._holding), suppress(Busy):
                await self._response(scope, receive, send_in_chunks)
        finally:
            self._holding.close()


def _chunks(message: Message) -> list[Message]:
    body = message.get("body", b"")
    if len(body) <= _CHUNK:
        return [message]
    starts = range(0, len(body), _CHUNK)
    chunks: list[Message] = [{**message, "body": body[start : start + _CHUNK], "more_body": True} for start in starts]
    chunks[-1]["more_body"] = message.get("more_body", False)
    return chunks


def refusing(handler: Handler) -> Callable[[Request], Awaitable[Delivery]]:
    """Wrap a handler: turn its exceptions into responses that pages can show, and count the bytes held until sent."""

    @wraps(handler)
    async def answer(request: Request) -> Delivery:
        holding = holdings.open(visitor_of(request))
        request.state.holding = holding
        try:
            return Delivery(await _respond(handler, request, holding), holding)
        except BaseException:
            holding.close()
            raise

    return answer


async def _respond(handler: Handler, request: Request, holding: Holding) -> Response:
    try:
        with evicted_quietly(holding):
            shares.charge(holding.visitor.address, _ROUTE_SECONDS)
            response = await handler(request)
            if not isinstance(response, StreamingResponse):
                holding.hold(len(response.body))
            return response
        raise Busy  # evicted
    except Refusal as refusal:
        return refused(refusal.sentence, refusal.status)
    except QueueFull as error:
        return refused(str(error), 429)
    except Busy:
        return refused(BUSY, 503)
    except ClientDisconnect:
        return Response(status_code=400)  # nobody reads it
    except Exception as error:
        return failed(error, request.url.path)


class Further(NamedTuple):
    """The rest of a route's work, which is about a text of `size` bytes, where that was not known before."""

    size: int
    work: Callable[[], Response]


class AnsweringRoute(Route):
    """A route that answers what a dataclass declares."""

    def __init__(self, path: str, handler: Handler, method: str, asked: type[Asked]) -> None:
        super().__init__(path, refusing(handler), methods=[method])
        self.asked = asked


Answer = Callable[[Any], "Response | Further | Awaitable[Response]"]


def post(
    path: str,
    lane: Lane | LaneOf | None = None,
    most: int | None = None,
    what: str = "text",
    seconds: float | None = None,
    *,
    method: str = "POST",
) -> Callable[[Answer], AnsweringRoute]:
    """Make a route of a function of what is asked, whose parameter has a dataclass as its type (see `Asked`).

    The body is read, the query parsed, and the function called in a lane. A function for `lane` chooses it by what is
    asked. If there is none, the work is done at once, on the event loop, where the function may await. If the function
    returns `Further`, that is called in the lane for texts of its size. In lanes there is a time limit for the split
    patterns of visitors' tokenizers, which may be very slow. For `most`, `what` and `seconds`, see `read_body`.
    """

    def route(work: Answer) -> AnsweringRoute:
        kind: type[Asked] = next(iter(work.__annotations__.values()))

        @wraps(work)
        async def handle(request: Request) -> Response:
            asked = kind.of(request, await read_body(request, most, what, seconds))
            if iscoroutinefunction(work):
                response: Response = await work(asked)
                return response
            chosen = lane(asked) if callable(lane) else lane
            if chosen is None:
                with shares.work_for(holding_of(request).visitor.address):
                    answer = work(asked)
            else:
                answer = await _run(chosen, asked, partial(work, asked))
            if isinstance(answer, Further):
                return await _run(lanes.for_text(answer.size), asked, answer.work)
            assert isinstance(answer, Response)
            return answer

        return AnsweringRoute(path, handle, method, kind)

    return route


get = partial(post, method="GET")
"""As `post`, for requests without a body."""


def by_size(asked: Asked) -> Lane | None:
    """Choose the lane for a text and the tokenizers asked for: None if it takes a few milliseconds."""
    check_for_engines(len(asked.body), asked.names)
    return None if is_short(len(asked.body), asked.names) else lanes.for_text(len(asked.body))


def is_short(size: int, names: Sequence[str]) -> bool:
    """Return whether tokenizing `size` bytes takes a few milliseconds, with any of the tokenizers named."""
    size *= 1 if ENGINES.isdisjoint(names) else _ENGINE_TIME
    return size <= _MAX_INLINE and all(name == WORDS or registry.is_ready(name) for name in names)


def check_for_engines(size: int, names: Iterable[str]) -> None:
    """Refuse a text of `size` bytes that is too long for one of the tokenizers named."""
    why = registry.too_long_for_engines(size, names)
    if why:
        raise Refusal(413, f"{why}.")


MAX_TOGETHER = 10_000_000
"""Maximum bytes of a text times the tokenizers that work on it for one answer."""


def check_for_several(size: int, names: Sequence[str], what: str, limit: int = MAX_TOGETHER) -> None:
    """Refuse a text of `size` bytes that is too long for these tokenizers together. `what` is done with it."""
    check_for_engines(size, names)
    if size * len(names) > limit:
        raise Refusal(
            413,
            f"{what} with {len(names)} tokenizers takes a text of up to {limit / len(names) / 1e6:.2g} MB; "
            f"this one has {size / 1e6:.3g} MB. Choose fewer tokenizers, or a part of the text.",
        )


async def _run(lane: Lane, asked: Asked, work: Callable[[], T]) -> T:
    """Run work in a lane, or in that for tokenizers in processes of their own if one is asked for."""

    def limited() -> T:
        try:
            with time_limit(CUTTING_SECONDS):
                return work()
        except (TooSlow, Refused) as error:
            raise Refusal(422, sentence(error)) from None

    is_guarded = any(map(registry.is_guarded, asked.names))
    return await (lanes.guarded if is_guarded else lane).run(asked.request, limited)


# Reading requests


async def read_body(
    request: Request, most: int | None = None, what: str = "text", seconds: float | None = None
) -> bytes:
    """Read the body, of at most `most` bytes (default: MAX_BODY), within `seconds` (default: BODY_SECONDS).

    `what` names the body's content in error messages.
    """
    most = MAX_BODY if most is None else most
    seconds = BODY_SECONDS if seconds is None else seconds
    declared = request.headers.get("content-length", "0")
    size = int(declared[:18]) if declared.isdecimal() else most
    if size > most:
        raise _too_long(what, most)
    # Receiving a long body keeps the event loop busy, which delays the responses to everybody's key presses.
    turn = nullcontext() if size <= lanes.MAX_MIDDLE else _turn_to_upload(holding_of(request).visitor.address)
    try:
        async with turn, asyncio.timeout(seconds):
            body = await _read(request, most)
    except TimeoutError:
        raise Refusal(
            408, f"This {what} took longer than {seconds:g} s to arrive. Try again, or with a shorter one."
        ) from None
    if len(body) > most:
        raise _too_long(what, most)
    return body


def _too_long(what: str, most: int) -> Refusal:
    return Refusal(413, f"This {what} is too long: {most / 1e6:g} MB is the most that fits.")


@asynccontextmanager
async def _turn_to_upload(address: str) -> AsyncIterator[None]:
    """Hold one of the address's BODIES_AT_A_TIME turns within the block. Raises Busy."""
    turns = _sending.get(address) or asyncio.Semaphore(BODIES_AT_A_TIME)
    _sending[address] = turns  # kept while one of its bodies waits or arrives
    try:
        async with asyncio.timeout(BODY_SECONDS):
            await turns.acquire()
    except TimeoutError:
        raise Busy from None
    try:
        yield
    finally:
        turns.release()


async def _read(request: Request, most: int) -> bytes:
    """Return the body; of one longer than `most` bytes, only slightly more than that."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > most:
            break
        holding_of(request).hold(len(body))
    return bytes(body)


def holding_of(request: Request) -> Holding:
    """Return the request's `Holding`, which counts the bytes that it holds."""
    holding: Holding = request.state.holding
    return holding


def tokenizer_named(name: str) -> Tokenizer:
    """Return the tokenizer registered under the name in a request."""
    if name == WORDS:
        raise Refusal(400, "The Words tokenizer has no fixed vocabulary: it learns its words from each text.")
    try:
        return registry.get(name)
    except NotKept as error:
        raise Refusal(404, str(error)) from None


def tokenizer_for(text: str, name: str, known: str | None) -> Tokenizer:
    """Return the tokenizer `name` for a text. Words are learned from `known`, or from the text if that is None."""
    if name != WORDS:
        return tokenizer_named(name)
    return words_of(text if known is None else known)


def words_of(text: str) -> WordTokenizer:
    """Return a words tokenizer learned from a text."""
    if len(text.encode()) > _FEW_WORDS:
        distinct = len(set(splitting.split(text, splitting.PATTERNS["words"])))
        if distinct > MAX_WORDS:
            raise Refusal(
                413,
                f"This text has {distinct:,} different words, and {MAX_WORDS:,} are the most that can be learned. "
                "Choose another tokenizer, or a part of the text.",
            )
    return WordTokenizer.from_text(text)


# Responding


def packed(named: dict[str, wire.Column], meta: dict[str, Any], headers: Headers) -> Response:
    """Return a response with packed columns, compressed if the request's headers allow it."""
    return compressed(wire.pack(named, meta), "application/octet-stream", headers)


def compressed(data: bytes, media_type: str, headers: Headers) -> Response:
    """Return a response with data, compressed if the request's headers allow it."""
    if len(data) >= _COMPRESSED_FROM and accepts_compressed(headers):
        return compress(Response(data, media_type=media_type), _FAST)
    return Response(data, media_type=media_type, headers={"vary": "Accept-Encoding"})


def accepts_compressed(headers: Headers) -> bool:
    """Return whether a request asks for a whole file and reads gzip."""
    return "gzip" in headers.get("accept-encoding", "") and "range" not in headers


def compress(answer: Response, level: int = _LEVEL) -> Response:
    """Compress the body of a response in place, with the headers that say so, and return the response."""
    answer.body = gzip.compress(answer.body, level, mtime=0)
    headers = MutableHeaders(raw=answer.raw_headers)
    headers["content-encoding"] = "gzip"
    headers["content-length"] = str(len(answer.body))
    headers.add_vary_header("Accept-Encoding")
    return answer
