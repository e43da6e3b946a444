"""Routes of pictures: the icon and those that chats show of links, which are stored, and of the tokens on a screen."""

from itertools import accumulate
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from tokviz.app.fairness import lanes
from tokviz.app.http.json_bodies import as_object
from tokviz.app.http.refusals import Refusal, refuse_invalid
from tokviz.app.http.requests import flag, in_lane, whole_number
from tokviz.widgets.text_columns import MAX_BYTES
from tokviz.widgets.tokens_svg import tokens_svg

FOLDER = Path(__file__).parents[1] / "pictures"
"""`deploy/pictures.py` draws what is in it."""

MAX_COLUMNS = 200
"""Maximum columns of a picture, in a line."""

_MAX_TITLE = 200  # characters
_MAX_BODY = 20 * MAX_BYTES
"""Maximum bytes of tokens as JSON, in which a byte takes up to six, and the numbers of a token of one byte four."""

_NO_TOKENS = "The request holds no tokens."


def columns_of(request: Request) -> int:
    """Return the number of columns that a picture has in a line."""
    columns = whole_number(request, "columns")
    if not 2 <= columns <= MAX_COLUMNS:
        raise Refusal(400, f"“columns” must be from 2 to {MAX_COLUMNS}.")
    return columns


@in_lane(lanes.drawing, _MAX_BODY, "picture")
def tokens_picture(request: Request, body: bytes) -> Response:
    """Draw the tokens in the body as SVG: their `text`, `lengths` in bytes, which are `special`, and a `title`."""
    sent: Any = as_object(body, _NO_TOKENS)
    text, title, lengths, special = (sent.get(name) for name in ("text", "title", "lengths", "special"))
    numbers = [*lengths, *special] if isinstance(lengths, list) and isinstance(special, list) else [None]
    are_numbers = all(type(each) is int and 0 <= each <= MAX_BYTES for each in numbers)
    if not (are_numbers and isinstance(text, str) and isinstance(title, str) and len(title) <= _MAX_TITLE):
        raise Refusal(400, _NO_TOKENS)
    with refuse_invalid():
        if len(lengths) != len(special) or sum(lengths) != len(text.encode()):
            raise Refusal(400, "These are not the tokens of this text.")
        offsets = list(accumulate(lengths, initial=0))
        instead = "save the tokens as a web page"
        svg = tokens_svg(text, offsets, special, title, columns_of(request), instead, dark=flag(request, "dark"))
    return Response(svg, media_type="image/svg+xml")


routes: list[BaseRoute] = [
    Mount("/pictures", StaticFiles(directory=FOLDER)),
    Route("/tokens-picture", tokens_picture, methods=["POST"]),
]
