"""Route that sends the text of a session to the page that shows it, if it is too long to come with the page's data."""

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from tokviz.app.fairness import lanes
from tokviz.app.http.refusals import Refusal
from tokviz.app.http.requests import in_lane, parameter
from tokviz.app.visitors import kept_texts
from tokviz.texts import repair


@in_lane(lanes.short_texts)
def kept_text(request: Request, _: bytes) -> Response:
    """Send a text that is kept."""
    text = kept_texts.find(parameter(request, "id"))
    if text is None:
        raise Refusal(404, "This text is no longer kept.")
    return PlainTextResponse(repair(text)[0])


routes: list[BaseRoute] = [Route("/text", kept_text)]
