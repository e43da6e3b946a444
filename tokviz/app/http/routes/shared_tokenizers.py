"""Route for visitors' tokenizers in links."""

from starlette.responses import JSONResponse, Response

from tokviz.app.fairness import lanes
from tokviz.app.http.asked import WithId
from tokviz.app.http.refusals import Refusal, sentence
from tokviz.app.http.requests import post
from tokviz.app.visitors import rebuilding
from tokviz.app.visitors.kept_tokenizers import NotKept


@post("/made")
async def made(asked: WithId) -> Response:
    """Describe a shared tokenizer, rebuilding it from the share code in the body if its id is not registered."""
    described = rebuilding.describe(asked.id, asked.text, asked.visitor)
    try:
        description = await lanes.unless_left(asked.request, described)
    except NotKept as error:
        raise Refusal(404, str(error)) from None
    except ValueError as error:
        raise Refusal(422, sentence(error)) from None
    return JSONResponse(description.as_data())
