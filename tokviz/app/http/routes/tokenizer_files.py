"""Route that opens tokenizer files from a widget's editor."""

from functools import partial

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from tokviz.app.fairness import lanes
from tokviz.app.fairness.visitors import Visitor, visitor_of
from tokviz.app.http.requests import Refusal, parameter, read_body, refusing, sentence
from tokviz.app.processes.opening import open_files
from tokviz.app.visitors.kept_tokenizers import registry
from tokviz.formats import MAX_FILE

_MAX_LABEL = 100  # code points


@refusing
async def open_tokenizer(request: Request) -> Response:
    """Register the tokenizer in the body's file and describe it. The file's name determines its format."""
    name = parameter(request, "name")
    data = await read_body(request, MAX_FILE, "file")
    try:
        return await lanes.opening.run(request, partial(_opened, name, data, visitor_of(request)))
    except ValueError as error:
        raise Refusal(422, sentence(error)) from None


def _opened(name: str, data: bytes, visitor: Visitor) -> Response:
    id = registry.register(open_files({name: data}), name[:_MAX_LABEL], visitor=visitor)
    registry.release(id)  # the session that adopts it will hold it
    return JSONResponse(registry.describe(id).as_data())


routes: list[BaseRoute] = [Route("/tokenizer-file", open_tokenizer, methods=["POST"])]
