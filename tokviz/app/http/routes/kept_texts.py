"""Route that sends the text of a session to the page that shows it, if it is too long to come with the page's data."""

from starlette.responses import PlainTextResponse, Response

from tokviz.app.fairness import lanes
from tokviz.app.http.asked import WithId
from tokviz.app.http.refusals import Refusal
from tokviz.app.http.requests import get
from tokviz.app.visitors import kept_texts
from tokviz.texts import repair


@get("/text", lanes.short_texts)
def kept_text(asked: WithId) -> Response:
    """Send a text that is kept."""
    text = kept_texts.find(asked.id)
    if text is None:
        raise Refusal(404, "This text is no longer kept.")
    return PlainTextResponse(repair(text)[0])
