"""Routes of the Course page: its chapters, and what their figures show."""

import re
from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from tokviz.app.fairness import lanes
from tokviz.app.fairness.lanes import Lane
from tokviz.app.http.requests import Refusal, as_text, in_lane, parameter, refuse_invalid
from tokviz.course import letters, pairs
from tokviz.course.chapters import chapter

MAX_SHORT_TEXT = 1_000
"""Maximum bytes of the text of a figure that shows it character by character."""

MAX_LONG_TEXT = 1_000_000
"""Maximum bytes of the reader's own text in a figure."""


@in_lane(lanes.short_texts)
def one_chapter(request: Request, _: bytes) -> Response:
    """Send a chapter."""
    with refuse_invalid(404):
        return JSONResponse(chapter(parameter(request, "name")).as_data())


def _decoded(text: str) -> dict[str, Any]:
    """Decode bytes that are given in hexadecimal; all else in the text separates them."""
    digits = "".join(re.findall("[0-9A-Fa-f]", text))
    if len(digits) % 2:
        raise Refusal(422, "Each byte is two hexadecimal digits: the last one lacks its second.")
    return letters.decoded(bytes.fromhex(digits))


def _figure(path: str, describe: Callable[[str], dict[str, Any]], limit: int) -> Route:
    """Make the route of a figure, which `describe` computes from the body's text of at most `limit` bytes."""

    def lane(_: Request, size: int) -> Lane:
        return lanes.for_text(size)

    @in_lane(lane)
    def figure(request: Request, body: bytes) -> Response:
        if len(body) > limit:
            raise Refusal(413, f"This figure takes texts of up to {limit:,} bytes. This one has {len(body):,}.")
        return JSONResponse(describe(as_text(body)))

    return Route(f"/course/{path}", figure, methods=["POST"])


@in_lane(lanes.short_texts)
def choosing(request: Request, body: bytes) -> Response:
    """Send a text's symbols after the chosen pairs were joined, and the pairs that can be joined next."""
    chosen = parameter(request, "chosen")
    if not re.fullmatch(r"(\d{1,4}-\d{1,4}(,\d{1,4}-\d{1,4})*)?", chosen, re.ASCII):
        raise Refusal(400, "“chosen” must be pairs of ids, such as 97-97,256-98.")
    if len(body) > pairs.MAX_BYTES:
        raise Refusal(413, f"This figure takes texts of up to {pairs.MAX_BYTES} bytes. This one has {len(body):,}.")
    numbers = [tuple(map(int, pair.split("-"))) for pair in chosen.split(",") if pair]
    return JSONResponse(pairs.choosing(as_text(body), [(left, right) for left, right in numbers]))


routes: list[BaseRoute] = [
    Route("/course/chapter", one_chapter),
    _figure("characters", letters.characters, MAX_SHORT_TEXT),
    _figure("spellings", letters.spellings, MAX_SHORT_TEXT),
    _figure("decoded", _decoded, MAX_SHORT_TEXT),
    Route("/course/pairs", choosing, methods=["POST"]),
    _figure("cost", pairs.cost_in_gpt2, MAX_LONG_TEXT),
    _figure("measured", letters.measured, MAX_LONG_TEXT),
]
