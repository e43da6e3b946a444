"""Route that exports the tokens of a text as a file: JSON, CSV, or a web page."""

import asyncio
import zlib
from collections.abc import AsyncIterator, Collection, Iterator
from functools import partial
from typing import Any, Literal

from starlette.responses import Response, StreamingResponse

from tokviz import export
from tokviz.app.answers.asked import Language, OfWords
from tokviz.app.answers.requests import check_for_engines, holding_of, post, tokenizer_for
from tokviz.app.shields.fairness import lanes
from tokviz.app.shields.fairness.lanes import Lane
from tokviz.app.shields.fairness.visitors import Visitor
from tokviz.app.shields.refusals import Refusal, refuse_invalid
from tokviz.tokenizers.base import Tokenizer
from tokviz.widgets.colored_texts import ColorBy

_TYPES = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8; header=present",
    "html": "text/html; charset=utf-8",
}
_GZIP = 16 + zlib.MAX_WBITS
_CHUNK = 1_000_000  # characters of a web page sent at a time

MAX_PAGE = 4_000_000
"""Maximum bytes of a text exported as a web page, which takes 80 times as much memory while it is created."""

_RELATIVE_TIME = 4  # of an export, compared with encoding the text
_RELATIVE_MEMORY = 8  # held while the export is sent, compared with the text


class Export(OfWords):
    """Tokens as a file; the rest are the initial settings of a web page."""

    format: Literal["json", "csv", "html"]
    color_by: ColorBy = "alternate"
    marks: bool = False
    lang: Language = ""


def _lane(asked: Export) -> Lane:
    check_for_engines(len(asked.body), asked.names)
    holding_of(asked.request).hold(len(asked.body) * _RELATIVE_MEMORY)
    return lanes.for_text(len(asked.body) * _RELATIVE_TIME)


@post("/export", _lane)
def export_tokens(asked: Export) -> Response:
    """Export the tokens of the body's text, as an attachment that is generated while it is sent."""
    kind = asked.format
    if kind == "html" and len(asked.body) > MAX_PAGE:
        raise Refusal(
            413, f"A web page holds a text of up to {MAX_PAGE // 1_000_000} MB. JSON and CSV take longer ones."
        )
    options = {"color_by": asked.color_by, "marks": asked.marks, "lang": asked.lang}
    known, text = asked.known_and_text()
    with refuse_invalid():  # the alphabet lacks a character
        chunks = _chunks(kind, options, tokenizer_for(text, asked.tokenizer, known), text, asked.allowed)
    headers = {"content-disposition": f'attachment; filename="tokens.{kind}"', "vary": "Accept-Encoding"}
    content: Iterator[bytes] = map(str.encode, chunks)
    if "gzip" in asked.request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        content = _compressed(content)
    return StreamingResponse(_in_turn(content, asked.visitor), media_type=_TYPES[kind], headers=headers)


async def _in_turn(chunks: Iterator[bytes], visitor: Visitor) -> AsyncIterator[bytes]:
    """Yield the chunks, each generated in a thread in the visitor's turn, once the client has read the previous one."""
    while (chunk := await asyncio.wrap_future(lanes.writing.submit(visitor, partial(next, chunks, None)))) is not None:
        yield chunk


def _chunks(
    kind: str, options: dict[str, Any], tokenizer: Tokenizer, text: str, allowed_special: Collection[str]
) -> Iterator[str]:
    if kind == "json":
        return export.to_json(tokenizer, text, allowed_special)
    if kind == "csv":
        return export.to_csv(tokenizer, text, allowed_special)
    page = export.to_html(tokenizer, text, allowed_special, **options)
    return (page[start : start + _CHUNK] for start in range(0, len(page), _CHUNK))


def _compressed(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Compress chunks with gzip's fastest level, since the file may be forty times as long as the text."""
    compressor = zlib.compressobj(level=1, wbits=_GZIP)
    for chunk in chunks:
        yield compressor.compress(chunk)
    yield compressor.flush()
