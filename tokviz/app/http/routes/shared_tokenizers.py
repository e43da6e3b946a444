"""Route for visitors' tokenizers in links."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from tokviz.app.fairness import lanes
from tokviz.app.fairness.visitors import visitor_of
from tokviz.app.http.refusals import Refusal, sentence
from tokviz.app.http.requests import as_text, parameter, read_body, refusing
from tokviz.app.visitors import rebuilding
from tokviz.app.visitors.kept_tokenizers import NotKept


@refusing
async def made(request: Request) -> Response:
    """Describe a shared tokenizer, rebuilding it from the share code in the body if its id is not registered."""
    code = as_text(await read_body(request))
    try:
        description = await lanes.unless_left(
            request, rebuilding.describe(parameter(request, "id"), code, visitor_of(request))
        )
    except NotKept as error:
        raise Refusal(404, str(error)) from None
    except ValueError as error:
        raise Refusal(422, sentence(error)) from None
    return JSONResponse(description.as_data())


routes: list[BaseRoute] = [Route("/made", made, methods=["POST"])]
