"""The tokens of a text as a file to save: JSON, CSV, or a web page."""

import asyncio
import zlib
from collections.abc import AsyncIterator, Collection, Iterator
from functools import partial
from typing import Any, get_args

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from tokviz import export
from tokviz.app.fairness import lanes
from tokviz.app.fairness.visitors import Visitor, visitor_of
from tokviz.app.http.requests import (
    Refusal,
    as_text,
    flag,
    holding_of,
    known_and_text,
    language,
    parameter,
    refusing,
    run,
    tokenizer_for,
)
from tokviz.tokenizers.base import Tokenizer

_TYPES = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8; header=present",
    "html": "text/html; charset=utf-8",
}
_GZIP = 16 + zlib.MAX_WBITS
# A page is made whole, and sent in pieces of so many characters.
_PIECE = 1_000_000

MAX_PAGE = 4_000_000
"""Bytes of the longest text in a web page, which takes 80 times as much memory while it is made."""

# An export takes longer than encoding the text, and as long as it is sent, so many times the text's memory.
_LONGER = 4
_HELD = 8


@refusing
async def export_tokens(request: Request) -> Response:
    """The tokens of the body's text, as an attachment that is made while it is sent."""
    kind, name, special = parameter(request, "format"), parameter(request, "tokenizer"), flag(request, "special")
    if kind not in _TYPES:
        raise Refusal(400, f"“format” must be one of {', '.join(_TYPES)}.")
    look = _look(request) if kind == "html" else {}
    known, body = await known_and_text(request, name)
    size = len(known or b"") + len(body)
    if kind == "html" and size > MAX_PAGE:
        raise Refusal(
            413, f"A web page holds a text of up to {MAX_PAGE // 1_000_000} MB. JSON and CSV take longer ones."
        )
    holding_of(request).hold(size * _HELD)
    work = partial(_exported, kind, name, known, body, special, look, request)
    return await run(request, work, size, name, lanes.for_text(size * _LONGER))


def _look(request: Request) -> dict[str, Any]:
    """How the page is to begin."""
    color_by = request.query_params.get("color_by", "alternate")
    if color_by not in get_args(export.ColorBy):
        raise Refusal(400, f"“color_by” must be one of {', '.join(get_args(export.ColorBy))}.")
    return {"color_by": color_by, "marks": flag(request, "marks"), "lang": language(request)}


def _exported(
    kind: str, name: str, known: bytes | None, body: bytes, special: bool, look: dict[str, Any], request: Request
) -> Response:
    text = as_text(body)
    tokenizer = tokenizer_for(text, name, known)
    try:
        pieces = _pieces(kind, look, tokenizer, text, "all" if special else ())
    except ValueError as error:  # the alphabet lacks a character
        raise Refusal(422, f"{error}.") from None
    about = {"content-disposition": f'attachment; filename="tokens.{kind}"', "vary": "Accept-Encoding"}
    encoded = map(str.encode, pieces)
    if "gzip" in request.headers.get("accept-encoding", ""):
        about["content-encoding"] = "gzip"
    content = _compressed(encoded) if "content-encoding" in about else encoded
    return StreamingResponse(_in_turn(content, visitor_of(request)), media_type=_TYPES[kind], headers=about)


async def _in_turn(pieces: Iterator[bytes], visitor: Visitor) -> AsyncIterator[bytes]:
    """The pieces, each made in a thread when it is the visitor's turn, and only when the reader has taken the last."""
    while (piece := await asyncio.wrap_future(lanes.writing.submit(visitor, partial(next, pieces, None)))) is not None:
        yield piece


def _pieces(
    kind: str, look: dict[str, Any], tokenizer: Tokenizer, text: str, allowed_special: Collection[str]
) -> Iterator[str]:
    if kind == "json":
        return export.to_json(tokenizer, text, allowed_special)
    if kind == "csv":
        return export.to_csv(tokenizer, text, allowed_special)
    page = export.to_html(tokenizer, text, allowed_special, **look)
    return (page[start : start + _PIECE] for start in range(0, len(page), _PIECE))


def _compressed(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The pieces with gzip's fastest compression: the file may be forty times as long as the text."""
    compressor = zlib.compressobj(level=1, wbits=_GZIP)
    for piece in pieces:
        yield compressor.compress(piece)
    yield compressor.flush()


routes: list[BaseRoute] = [Route("/export", export_tokens, methods=["POST"])]
