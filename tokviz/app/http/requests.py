"""Shared request handling of the routes: reading requests, scheduling work, and sending responses or errors.

Short texts are handled on the event loop; anything that may take longer runs in a lane of a few threads, so that it
doesn't delay other requests. Texts are neither stored nor logged.
"""

import asyncio
import gzip
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, nullcontext
from functools import partial, wraps
from itertools import accumulate, pairwise
from typing import Any, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse

from tokviz.app.fairness import lanes
from tokviz.app.fairness.budgets import Holding, evicted_quietly, holdings
from tokviz.app.fairness.lanes import Busy, Lane
from tokviz.app.fairness.visitors import QueueFull, shares, visitor_of
from tokviz.app.http.delivery import Delivery
from tokviz.app.http.refusals import BUSY, Refusal, failed, refused, sentence
from tokviz.app.processes.children import Refused
from tokviz.app.visitors.kept_tokenizers import WORDS, NotKept, registry
from tokviz.app.visitors.shipped_tokenizers import are_engines
from tokviz.pretokens import splitting
from tokviz.pretokens.splitting import TooSlow, time_limit
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.simple import WordTokenizer
from tokviz.widgets import wire

MAX_BODY = 10_000_000

BODY_SECONDS = 30.0
"""Maximum seconds for a body to arrive."""

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

Handler = Callable[[Request], Awaitable[Response]]
Work = Callable[[Request, bytes], "Response | Further"]
LaneOf = Callable[[Request, int], Lane | None]
T = TypeVar("T")
W = TypeVar("W", bound=str)


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


def in_lane(
    lane: Lane | LaneOf, most: int | None = None, what: str = "text", seconds: float | None = None
) -> Callable[[Work], Callable[[Request], Awaitable[Delivery]]]:
    """Make a route of a function of the request and its body: read the body, then call the function in a lane.

    A function for `lane` chooses the lane for a body of so many bytes, or None: then the work is done at once, on the
    event loop. If the function returns `Further`, that is called in the lane for texts of its size. In lanes there is a
    time limit for the split patterns of visitors' tokenizers, which may be very slow. For `most`, `what` and `seconds`,
    see `read_body`.
    """

    def route(work: Work) -> Callable[[Request], Awaitable[Delivery]]:
        @refusing
        @wraps(work)
        async def handle(request: Request) -> Response:
            body = await read_body(request, most, what, seconds)
            chosen = lane if isinstance(lane, Lane) else lane(request, len(body))
            if chosen is None:
                with shares.work_for(holding_of(request).visitor.address):
                    answer = work(request, body)
            else:
                answer = await _run(chosen, request, partial(work, request, body))
            if isinstance(answer, Further):
                return await _run(lanes.for_text(answer.size), request, answer.work)
            return answer

        return handle

    return route


def by_size(request: Request, size: int) -> Lane | None:
    """Choose the lane for a text of `size` bytes and the request's tokenizer: None if it takes a few milliseconds."""
    check_for_engines(size, [parameter(request, "tokenizer")])
    return None if is_short(size, [parameter(request, "tokenizer")]) else lanes.for_text(size)


def is_short(size: int, names: list[str]) -> bool:
    """Return whether tokenizing `size` bytes takes a few milliseconds, with any of the tokenizers named."""
    size *= _ENGINE_TIME if are_engines(names) else 1
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


def _names_a_guarded_one(request: Request) -> bool:
    """Return whether a tokenizer that the request names runs in a process of its own."""
    named = (request.query_params.get(name, "") for name in ("tokenizer", "tokenizers"))
    return any(registry.is_guarded(name) for names in named for name in names.split(","))


async def _run(lane: Lane, request: Request, work: Callable[[], T]) -> T:
    """Run work in a lane, or in that for tokenizers in processes of their own if the request names one."""

    def limited() -> T:
        try:
            with time_limit(CUTTING_SECONDS):
                return work()
        except (TooSlow, Refused) as error:
            raise Refusal(422, sentence(error)) from None

    return await (lanes.guarded if _names_a_guarded_one(request) else lane).run(request, limited)


# Reading requests


def parameter(request: Request, name: str) -> str:
    """Return a required query parameter."""
    value = request.query_params.get(name)
    if value is None:
        raise Refusal(400, f"The request lacks “{name}”.")
    return value


def flag(request: Request, name: str) -> bool:
    """Return a query parameter that is 0 or 1, as a bool; it is False if missing."""
    value = request.query_params.get(name, "0")
    if value not in ("0", "1"):
        raise Refusal(400, f"“{name}” must be 0 or 1.")
    return value == "1"


def whole_number(request: Request, name: str) -> int:
    """Return a required query parameter that is a whole number."""
    value = parameter(request, name)
    if not re.fullmatch("[0-9]+", value):
        raise Refusal(400, f"“{name}” must be a whole number, 0 or more.")
    return int(value.lstrip("0")[:18] or 0)  # more digits than any id or length, and few enough for int()


def one_of(request: Request, name: str, choices: Sequence[W], default: W | None = None) -> W:
    """Return a query parameter that is one of these words; a required one, unless there is a default."""
    value = default if default is not None and name not in request.query_params else parameter(request, name)
    for choice in choices:
        if choice == value:
            return choice
    raise Refusal(400, f"“{name}” must be one of: {', '.join(choices)}.")


def language(request: Request) -> str:
    """Return the language tag of the text in the body, or "" if it is not known."""
    lang = request.query_params.get("lang", "")
    if not re.fullmatch("[A-Za-z0-9-]{0,35}", lang):
        raise Refusal(400, "“lang” must be a language tag, such as “en”.")
    return lang


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


def cut_body(request: Request, body: bytes, name: str) -> tuple[bytes, bytes]:
    """Cut a body after as many bytes as a query parameter says."""
    size = whole_number(request, name)
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


def as_text(body: bytes) -> str:
    """Decode a body as UTF-8 text."""
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise Refusal(400, f"The text is not UTF-8: byte {error.start} does not belong there.") from None


def tokenizer_named(name: str) -> Tokenizer:
    """Return the tokenizer registered under the name in a request."""
    if name == WORDS:
        raise Refusal(400, "The Words tokenizer has no fixed vocabulary: it learns its words from each text.")
    try:
        return registry.get(name)
    except NotKept as error:
        raise Refusal(404, str(error)) from None


def known_and_text(request: Request, tokenizer: str, body: bytes) -> tuple[str | None, str]:
    """Return the text that words are learned from, or None if it isn't sent, and the text to tokenize.

    The former precedes the latter in the body; the parameter `known` is its length in bytes.
    """
    if "known" not in request.query_params:
        return None, as_text(body)
    if tokenizer != WORDS:
        raise Refusal(400, f"“known” goes with the tokenizer “{WORDS}” only.")
    known, text = cut_body(request, body, "known")
    return as_text(known), as_text(text)


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
    response_headers = {"vary": "Accept-Encoding"}
    if len(data) >= _COMPRESSED_FROM and "gzip" in headers.get("accept-encoding", ""):
        data = gzip.compress(data, compresslevel=1, mtime=0)
        response_headers["content-encoding"] = "gzip"
    return Response(data, media_type=media_type, headers=response_headers)
