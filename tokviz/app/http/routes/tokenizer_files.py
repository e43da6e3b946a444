"""Tokenizers in files that are opened where a text is."""

from functools import partial

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from tokviz.app.fairness import lanes
from tokviz.app.fairness.visitors import visitor_of
from tokviz.app.http.requests import Refusal, parameter, read_body, refusing, sentence
from tokviz.app.processes.opening import open_files
from tokviz.app.visitors.registry import registry
from tokviz.formats import MAX_FILE

_LABEL = 100  # code points


@refusing
async def open_tokenizer(request: Request) -> Response:
    """Keep the tokenizer in the file that is the body, and describe it. The file's name says its format."""
    name = parameter(request, "name")
    data = await read_body(request, MAX_FILE, "file")
    try:
        tokenizer = await lanes.opening.run(request, partial(open_files, {name: data}))
    except ValueError as error:
        raise Refusal(422, sentence(error)) from None
    kept = registry.register(tokenizer, name[:_LABEL], visitor=visitor_of(request))
    registry.release(kept)  # it is a session's once that has it in its list
    return JSONResponse(registry.describe(kept).as_data())


routes: list[BaseRoute] = [Route("/tokenizer-file", open_tokenizer, methods=["POST"])]
