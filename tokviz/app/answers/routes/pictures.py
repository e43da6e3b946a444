"""Routes of pictures: the icon and those that chats show of links, which are stored; of tokens; QR codes of links."""

import io
from itertools import accumulate
from pathlib import Path
from typing import Annotated, NamedTuple

import segno
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from tokviz.app.answers.asked import Asked, between
from tokviz.app.answers.requests import post
from tokviz.app.shields.fairness import lanes
from tokviz.app.shields.json_bodies import read_object
from tokviz.app.shields.refusals import Refusal, refuse_invalid
from tokviz.widgets.text_columns import MAX_BYTES
from tokviz.widgets.tokens_svg import Kind, tokens_svg

FOLDER = Path(__file__).parents[1] / "pictures"
"""`deploy/pictures.py` draws what is in it."""

MAX_COLUMNS = 200
"""Maximum columns of a picture, in a line."""

_MAX_TITLE = 200  # characters
_MAX_BODY = 20 * MAX_BYTES
"""Maximum bytes of tokens as JSON, in which a byte takes up to six, and the numbers of a token of one byte four."""

_MAX_CHARACTERS = 7_089
"""Maximum characters in a QR code, if all are digits; otherwise it holds fewer."""

_TOO_LONG = "This link is too long for a QR code. A shorter text, or an example, fits."
_NO_TOKENS = "The request holds no tokens."


class Picture(Asked):
    """A picture with so many columns in a line."""

    columns: Annotated[int, between(2, MAX_COLUMNS)]
    dark: bool = False


class Drawn(NamedTuple):
    """The tokens of a text, as a body holds them: their lengths in bytes, and the `Kind` of each."""

    text: str
    title: str
    lengths: list[int]
    kinds: list[int]


files = Mount("/pictures", StaticFiles(directory=FOLDER))


@post("/tokens-picture", lanes.drawing, _MAX_BODY, "picture")
def tokens_picture(asked: Picture) -> Response:
    """Draw the tokens in the body as SVG."""
    text, title, lengths, kinds = read_object(Drawn, asked.body, _NO_TOKENS)
    is_known = all(0 <= each <= MAX_BYTES for each in lengths) and all(0 <= each < len(Kind) for each in kinds)
    if not is_known or len(title) > _MAX_TITLE:
        raise Refusal(400, _NO_TOKENS)
    with refuse_invalid():
        if len(lengths) != len(kinds) or sum(lengths) != len(text.encode()):
            raise Refusal(400, "These are not the tokens of this text.")
        offsets = list(accumulate(lengths, initial=0))
        instead = "save the tokens as a web page"
        svg = tokens_svg(text, offsets, kinds, title, asked.columns, instead, dark=asked.dark)
    return Response(svg, media_type="image/svg+xml")


@post("/qr", lanes.drawing)
def qr(asked: Asked) -> Response:
    """Draw a QR code of the body's text as SVG."""
    text = asked.text
    if len(text) > _MAX_CHARACTERS:  # segno would take seconds to detect this
        raise Refusal(413, _TOO_LONG)
    try:
        code = segno.make(text, error="l", boost_error=False, micro=False)
    except segno.DataOverflowError:
        raise Refusal(413, _TOO_LONG) from None
    svg = io.BytesIO()
    code.save(svg, kind="svg", border=4, light="#fff", omitsize=True)
    return Response(svg.getvalue(), media_type="image/svg+xml")
