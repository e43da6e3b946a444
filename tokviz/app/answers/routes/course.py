"""Routes of the Course page: its chapters, and what their figures show."""

from starlette.responses import JSONResponse, Response

from tokviz.app.answers.asked import Asked, Named
from tokviz.app.answers.requests import get, post
from tokviz.app.shields.fairness import lanes
from tokviz.app.shields.fairness.lanes import Lane
from tokviz.app.shields.json_bodies import read_object
from tokviz.app.shields.processes.pool import Limits
from tokviz.app.shields.refusals import Refusal, refuse_invalid
from tokviz.course.chapters import chapter
from tokviz.course.figure import Figure

_SLOW = {"loading": lanes.long_texts, "searching": lanes.finding}
"""Lanes of figures that take seconds at first, by what they do then."""

MAX_SOLUTION = 2_000_000
"""Maximum bytes of a solution to check, with its text."""

CHECK = Limits(1024**3, seconds=20.0)
"""Maximum seconds for checking a solution, and bytes of its process's address space."""

MAX_CHECKED = 100_000
"""Maximum bytes of the answer to a solution."""

_NO_SOLUTION = "The request holds no solution."


@get("/course/chapter", lanes.short_texts)
def one_chapter(asked: Named) -> Response:
    """Send a chapter."""
    with refuse_invalid(404):
        return JSONResponse(chapter(asked.name).as_data())


def _check(asked: Asked) -> Response:
    """Check a solution, which is read in a process with limits."""
    from tokviz.app.shields.processes.limited import call_limited  # which only this chapter needs
    from tokviz.course import checking

    fields = read_object(dict[str, str], asked.body, _NO_SOLUTION)
    check_it = checking.check_ids if asked.request.url.path.endswith("/ids") else checking.check_merges
    with refuse_invalid():
        checked = call_limited(*(check_it, fields), limits=CHECK, most=MAX_CHECKED, doing="checking this")
    return JSONResponse(checked)


check_merges = post("/course/figure/merges", lanes.checking, MAX_SOLUTION, "solution")(_check)
check_ids = post("/course/figure/ids", lanes.checking, MAX_SOLUTION, "solution")(_check)


def _lane(asked: Asked) -> Lane:
    found = _figure(asked)
    return _SLOW.get(found.takes if found else "") or lanes.for_text(len(asked.body))


def _figure(asked: Asked) -> Figure | None:
    from tokviz.course.figures import FIGURES  # which only this page needs

    return FIGURES.get(asked.request.path_params["name"])


@post("/course/figure/{name}", _lane)
def figure(asked: Asked) -> Response:
    """Send what a figure shows of the body's text and the query's options."""
    found = _figure(asked)
    if not found:
        raise Refusal(404, "This figure is not here.")
    if len(asked.body) > found.limit:
        raise Refusal(413, f"This figure takes texts of up to {found.limit:,} bytes. This one has {len(asked.body):,}.")
    with refuse_invalid():
        return JSONResponse(found.answer(asked.text, asked.request.query_params))
