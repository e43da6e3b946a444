"""The tokens of a text as a file to save: JSON, CSV, or a web page."""

import zlib
from collections.abc import Collection, Iterator
from functools import partial
from typing import Any, get_args

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from tokviz import export
from tokviz.app.answers import Refusal, as_text, flag, known_and_text, language, parameter, refusing, run, tokenizer_for
from tokviz.tokenizers import Tokenizer

_TYPES = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8; header=present",
    "html": "text/html; charset=utf-8",
}
_GZIP = 16 + zlib.MAX_WBITS
# A page is made whole, and sent in pieces of so many characters.
_PIECE = 1_000_000


@refusing
async def export_tokens(request: Request) -> Response:
    """The tokens of the body's text, as an attachment that is made while it is sent."""
    kind, name, special = parameter(request, "format"), parameter(request, "tokenizer"), flag(request, "special")
    if kind not in _TYPES:
        raise Refusal(400, f"“format” must be one of {', '.join(_TYPES)}.")
    look = _look(request) if kind == "html" else {}
    known, body = await known_and_text(request, name)
    size = len(known or b"") + len(body)
    return await run(partial(_exported, kind, name, known, body, special, look, request.headers), size, name)


def _look(request: Request) -> dict[str, Any]:
    """How the page is to begin."""
    color_by = request.query_params.get("color_by", "alternate")
    if color_by not in get_args(export.ColorBy):
        raise Refusal(400, f"“color_by” must be one of {', '.join(get_args(export.ColorBy))}.")
    return {"color_by": color_by, "marks": flag(request, "marks"), "lang": language(request)}


def _exported(
    kind: str, name: str, known: bytes | None, body: bytes, special: bool, look: dict[str, Any], headers: Headers
) -> Response:
    text = as_text(body)
    tokenizer = tokenizer_for(text, name, known)
    try:
        pieces = _pieces(kind, look, tokenizer, text, "all" if special else ())
    except ValueError as error:  # the alphabet lacks a character
        raise Refusal(422, f"{error}.") from None
    about = {"content-disposition": f'attachment; filename="tokens.{kind}"', "vary": "Accept-Encoding"}
    encoded = map(str.encode, pieces)
    if "gzip" in headers.get("accept-encoding", ""):
        about["content-encoding"] = "gzip"
    # Starlette asks for each piece in a thread, and for the next one only when the reader has taken it.
    content = _compressed(encoded) if "content-encoding" in about else encoded
    return StreamingResponse(content, media_type=_TYPES[kind], headers=about)


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
