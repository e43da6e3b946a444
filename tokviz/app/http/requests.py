"""What every route needs: reading a request, working on it without holding up others, and answering or refusing.

Short texts are worked on at once; whatever may take longer goes to a lane of a few threads, so that it holds up nobody
else. Texts are neither kept nor logged.
"""

import asyncio
import gzip
import logging
import re
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import wraps
from typing import Any
from weakref import WeakValueDictionary

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from tokviz.app.fairness import lanes
from tokviz.app.fairness.held_bytes import Holding, evicted_quietly, holdings
from tokviz.app.fairness.lanes import Busy, Lane
from tokviz.app.fairness.visitors import shares, visitor_of
from tokviz.app.http.delivery import Delivery
from tokviz.app.visitors.registry import WORDS, registry
from tokviz.bpe import splitting
from tokviz.bpe.splitting import TooSlow, time_limit
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.simple import WordTokenizer
from tokviz.widgets import columns

MAX_BODY = 10_000_000

BODY_SECONDS = 30.0
"""How long a body may take to arrive."""

BODIES_AT_A_TIME = 6
"""Long bodies that arrive from one address at a time; the others are not read yet."""

_sending: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

MAX_WORDS = 500_000
"""Different words that are learned from a text. A million of them take half a gigabyte."""

_FEW_WORDS = 1_500_000
"""Bytes of a text that has no more of them in any case."""

CUTTING_SECONDS = 1.0
"""How long a pattern that somebody made up may take to cut a text, for one answer."""

# Up to here the work takes a few milliseconds, whatever the text.
_AT_ONCE = 16_000
_COMPRESSED_FROM = 1_000

BUSY = "The server has too much to do at the moment. Try again in a few seconds."

_logger = logging.getLogger(__name__)

Handler = Callable[[Request], Awaitable[Response]]


class Refusal(Exception):
    """A request that can't be answered: an HTTP status, and a sentence for the person who waits for it."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


def refusing(handler: Handler) -> Callable[[Request], Awaitable[Delivery]]:
    """Turn what a handler raises into an answer that a page can show, and count what it holds until that is sent."""

    @wraps(handler)
    async def answer(request: Request) -> Delivery:
        holding = holdings.open(visitor_of(request))
        request.state.holding = holding
        try:
            return Delivery(await _answered(handler, request, holding), holding)
        except BaseException:
            holding.close()
            raise

    return answer


async def _answered(handler: Handler, request: Request, holding: Holding) -> Response:
    try:
        with evicted_quietly(holding):
            await _turn_to_ask(request)
            response = await handler(request)
            if not isinstance(response, StreamingResponse):
                holding.hold(len(response.body))
            return response
        raise Busy  # evicted
    except Refusal as refusal:
        return refused(refusal.sentence, refusal.status)
    except Busy:
        return refused(BUSY, 503)
    except ClientDisconnect:
        return Response(status_code=400)  # nobody is there to read it
    except Exception as error:
        # Only where it happened: an error's message may quote the text.
        place = "".join(traceback.format_tb(error.__traceback__))
        _logger.error("%s at %s failed:\n%s", type(error).__name__, request.url.path, place)
        return refused("Something went wrong on our side. Your text is safe; try again.", 500)


async def _turn_to_ask(request: Request) -> None:
    """Wait where an address asks for so much that others would wait. Raises Busy."""
    seconds = shares.wait(visitor_of(request).address)
    if seconds > BODY_SECONDS:
        raise Busy
    if seconds:
        await asyncio.sleep(seconds)


def refused(sentence: str, status: int) -> Response:
    """A sentence instead of an answer.

    The server skips what still arrives of the body: who sends it would not read the sentence otherwise. But where
    nothing arrives, it is not waited for.
    """
    headers = {"connection": "close"} if status == 408 else None
    return JSONResponse({"error": sentence}, status, headers)


# What a request says


def parameter(request: Request, name: str) -> str:
    """A part of the query that must be there."""
    value = request.query_params.get(name)
    if value is None:
        raise Refusal(400, f"The request lacks “{name}”.")
    return value


def flag(request: Request, name: str) -> bool:
    """A part of the query that is 0, 1 or left out, which means 0."""
    value = request.query_params.get(name, "0")
    if value not in ("0", "1"):
        raise Refusal(400, f"“{name}” must be 0 or 1.")
    return value == "1"


def whole_number(request: Request, name: str) -> int:
    """A part of the query that must be a whole number."""
    value = parameter(request, name)
    if not re.fullmatch("[0-9]+", value):
        raise Refusal(400, f"“{name}” must be a whole number, 0 or more.")
    return int(value.lstrip("0")[:18] or 0)  # more digits than any id or length has, and few enough for int()


def language(request: Request) -> str:
    """The language of the text that comes along, "" where it is not known."""
    lang = request.query_params.get("lang", "")
    if not re.fullmatch("[A-Za-z0-9-]{0,35}", lang):
        raise Refusal(400, "“lang” must be a language tag, such as “en”.")
    return lang


async def read_body(request: Request, most: int | None = None, what: str = "text") -> bytes:
    """The body, of which no more is read than `most` bytes (MAX_BODY), and for no longer than BODY_SECONDS.

    `what` it is, for people.
    """
    most = MAX_BODY if most is None else most
    declared = request.headers.get("content-length", "0")
    too_long = Refusal(413, f"This {what} is too long: {most // 1_000_000} MB is the most that fits.")
    if declared.isdecimal() and int(declared[:18]) > most:
        raise too_long
    try:
        async with _turn_to_send(request, declared), asyncio.timeout(BODY_SECONDS):
            body = await _read(request, most)
    except TimeoutError:
        raise Refusal(
            408, f"This {what} took longer than {BODY_SECONDS:g} s to arrive. Try again, or with a shorter one."
        ) from None
    if len(body) > most:
        raise too_long
    return body


@asynccontextmanager
async def _turn_to_send(request: Request, declared: str) -> AsyncIterator[None]:
    """A turn to send a body, which a short one needn't wait for.

    What arrives keeps the event loop busy, and with it everybody who waits for a key press. Raises Busy.
    """
    if declared.isdecimal() and int(declared[:18]) <= lanes.MAX_SHORT:
        yield
        return
    address = visitor_of(request).address
    turns = _sending.get(address) or asyncio.Semaphore(BODIES_AT_A_TIME)
    _sending[address] = turns  # as long as one of its bodies waits or arrives
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
    """The body; of a longer one, a little more than `most` bytes."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > most:
            break
        holding_of(request).hold(len(body))
    return bytes(body)


def holding_of(request: Request) -> Holding:
    """What a request holds, in bytes."""
    holding: Holding = request.state.holding
    return holding


def as_text(body: bytes) -> str:
    """The text that a body holds."""
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise Refusal(400, f"The text is not UTF-8: byte {error.start} does not belong there.") from None


def tokenizer_named(name: str) -> Tokenizer:
    """The tokenizer that a request names."""
    if name == WORDS:
        raise Refusal(400, "Words are learned from a text; there is no vocabulary of them to look into.")
    try:
        return registry.get(name)
    except LookupError as error:
        raise Refusal(404, error.args[0]) from None


async def known_and_text(request: Request, tokenizer: str) -> tuple[bytes | None, bytes]:
    """The text that words are learned from, if it is sent in front of the text itself, and that text."""
    if "known" not in request.query_params:
        return None, await read_body(request)
    known = whole_number(request, "known")
    if tokenizer != WORDS:
        raise Refusal(400, f"“known” goes with the tokenizer “{WORDS}” only.")
    body = await read_body(request)
    if known > len(body):
        raise Refusal(400, "“known” is more than was sent.")
    return body[:known], body[known:]


def tokenizer_for(text: str, name: str, known: bytes | None) -> Tokenizer:
    """The tokenizer that a request names for a text. Words are learned from what is known, or else from the text."""
    if name != WORDS:
        return tokenizer_named(name)
    return words_of(text if known is None else as_text(known))


def words_of(text: str) -> WordTokenizer:
    """A tokenizer that knows the words of a text."""
    if len(text.encode()) > _FEW_WORDS:
        different = len(set(splitting.split(text, splitting.PATTERNS["words"])))
        if different > MAX_WORDS:
            raise Refusal(
                413,
                f"This text has {different:,} different words, and {MAX_WORDS:,} are the most that can be learned. "
                "Choose another tokenizer, or a part of the text.",
            )
    return WordTokenizer.from_text(text)


# How it is answered


async def run(
    request: Request, work: Callable[[], Response], size: int, tokenizer: str, lane: Lane | None = None
) -> Response:
    """Call `work`, in a thread if it may take long: for its `size`, because of the tokenizer, or if there is a `lane`.

    Tokenizers that people made may cut texts by patterns that take ages; there is a limit to that.
    """
    if lane is None and size <= _AT_ONCE and (tokenizer == WORDS or registry.is_ready(tokenizer)):
        with shares.work_for(visitor_of(request).address):
            return work()
    return await (lane or lanes.for_text(size)).run(request, lambda: _limited(work))


def _limited(work: Callable[[], Response]) -> Response:
    try:
        with time_limit(CUTTING_SECONDS):
            return work()
    except TooSlow as error:
        raise Refusal(422, sentence(error)) from None


def sentence(error: ValueError) -> str:
    """What the package says, as a sentence. A file's name in front keeps its small letter."""
    said = str(error)
    is_name = "." in said.split(" ", 1)[0]
    return f"{said}." if is_name else f"{said[:1].upper()}{said[1:]}."


def packed(named: dict[str, columns.Column], meta: dict[str, Any], headers: Headers) -> Response:
    """Columns as an answer, compressed where the request's headers allow it."""
    data = columns.pack(named, meta)
    about = {"vary": "Accept-Encoding"}
    if len(data) >= _COMPRESSED_FROM and "gzip" in headers.get("accept-encoding", ""):
        data = gzip.compress(data, compresslevel=1, mtime=0)
        about["content-encoding"] = "gzip"
    return Response(data, media_type="application/octet-stream", headers=about)
