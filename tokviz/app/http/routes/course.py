"""Routes of the Course page: its chapters, and what their figures show."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from tokviz.app.fairness import lanes
from tokviz.app.fairness.lanes import Lane
from tokviz.app.http.json_bodies import as_object
from tokviz.app.http.refusals import Refusal, refuse_invalid
from tokviz.app.http.requests import as_text, in_lane, parameter
from tokviz.app.processes.pool import Limits
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


@in_lane(lanes.short_texts)
def one_chapter(request: Request, _: bytes) -> Response:
    """Send a chapter."""
    with refuse_invalid(404):
        return JSONResponse(chapter(parameter(request, "name")).as_data())


def _lane(request: Request, size: int) -> Lane:
    found = _figure(request)
    return _SLOW.get(found.takes if found else "") or lanes.for_text(size)


def _figure(request: Request) -> Figure | None:
    from tokviz.course.figures import FIGURES  # which only this page needs

    return FIGURES.get(request.path_params["name"])


@in_lane(_lane)
def figure(request: Request, body: bytes) -> Response:
    """Send what a figure shows of the body's text and the query's options."""
    found = _figure(request)
    if not found:
        raise Refusal(404, "This figure is not here.")
    if len(body) > found.limit:
        raise Refusal(413, f"This figure takes texts of up to {found.limit:,} bytes. This one has {len(body):,}.")
    with refuse_invalid():
        return JSONResponse(found.describe(as_text(body), request.query_params))


@in_lane(lanes.checking, MAX_SOLUTION, "solution")
def check(request: Request, body: bytes) -> Response:
    """Check a solution, which is read in a process with limits."""
    from tokviz.app.processes.limited import call_limited  # which only this chapter needs
    from tokviz.course import checking

    fields = as_object(body, _NO_SOLUTION)
    if not all(isinstance(value, str) for value in fields.values()):
        raise Refusal(400, _NO_SOLUTION)
    check_it = checking.check_ids if request.url.path.endswith("/ids") else checking.check_merges
    with refuse_invalid():
        checked = call_limited(*(check_it, fields), limits=CHECK, most=MAX_CHECKED, doing="checking this")
    return JSONResponse(checked)


routes: list[BaseRoute] = [
    Route("/course/chapter", one_chapter),
    Route("/course/figure/merges", check, methods=["POST"]),
    Route("/course/figure/ids", check, methods=["POST"]),
    Route("/course/figure/{name}", figure, methods=["POST"]),
]
