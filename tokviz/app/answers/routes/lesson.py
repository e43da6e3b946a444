"""Routes of the lesson: the class pack, the live figures of links, and questions about them."""

import json
from typing import TYPE_CHECKING, NamedTuple

from starlette.responses import HTMLResponse, JSONResponse, Response

from tokviz.app.answers.asked import Asked
from tokviz.app.answers.requests import compressed, get, post
from tokviz.app.shields.fairness import lanes
from tokviz.app.shields.json_bodies import read_object
from tokviz.app.shields.refusals import refuse_invalid

if TYPE_CHECKING:
    from tokviz.lesson.steps import Link

MAX_LINK = 40_000
"""Maximum bytes of a link as JSON, in which a text takes up to three times its bytes."""

_NO_LINK = "The request holds no link."


class Shown(NamedTuple):
    """A link as a body holds it: a page, its fields, and the text, if there is one."""

    page: str
    fields: dict[str, str]
    text: str | None = None


@get("/class-pack", lanes.writing)
def pack(_: Asked) -> Response:
    """Send lesson and course as one file that needs no network."""
    from tokviz.course.pack import class_pack  # which only this page needs

    return HTMLResponse(class_pack(), headers={"content-disposition": 'attachment; filename="class-pack.html"'})


@post("/figure", lanes.replays, MAX_LINK, "link")
def figure(asked: Asked) -> Response:
    """Send what the body's link shows, a JSON object as `Link`: a widget with its data."""
    from tokviz.lesson.figures import figure as figure_of

    with refuse_invalid():
        shown = figure_of(_link(asked.body))
    return compressed(shown.as_json().encode(), "application/json", asked.request.headers)


@post("/ask", lanes.replays, MAX_LINK, "link")
def ask(asked: Asked) -> Response:
    """Send a question about what the body's link shows, as a slide."""
    from tokviz.lesson.asked import asked as question_of

    with refuse_invalid():
        slide = question_of(_link(asked.body))
    return compressed(json.dumps(slide).encode(), "application/json", asked.request.headers)


@get("/ask", lanes.replays)
def asking(_: Asked) -> Response:
    """Send what the button says that asks a question."""
    from tokviz.lesson.steps import lesson

    words = lesson().words["asked"]
    return JSONResponse({name: words[name] for name in ("button", "button_what")})


def _link(body: bytes) -> "Link":
    """Read a link that anybody may have sent."""
    from tokviz.lesson.steps import Link

    return Link("", *read_object(Shown, body, _NO_LINK))
