"""Route that sends the class pack of the Lesson page."""

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from tokviz.app.fairness import lanes
from tokviz.app.http.requests import in_lane


@in_lane(lanes.writing)
def pack(request: Request, _: bytes) -> Response:
    """Send the lesson as one file that needs no network."""
    from tokviz.lesson.pack import class_pack  # which only this page needs

    return HTMLResponse(class_pack(), headers={"content-disposition": 'attachment; filename="class-pack.html"'})


routes: list[BaseRoute] = [Route("/class-pack", pack)]
