"""Routes that open visitors' tokenizers: files from a widget's editor, and models on the Hugging Face hub."""

from collections.abc import Callable, Mapping
from functools import partial

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from tokviz.app.fairness import lanes
from tokviz.app.fairness.visitors import Visitor, visitor_of
from tokviz.app.http.requests import Refusal, parameter, read_body, refusing, sentence
from tokviz.app.processes.fetching import fetch_files
from tokviz.app.processes.opening import open_files
from tokviz.app.visitors.kept_tokenizers import registry
from tokviz.formats import MAX_FILE
from tokviz.pretrained import hub

_MAX_LABEL = 100  # code points


@refusing
async def open_tokenizer(request: Request) -> Response:
    """Register the tokenizer in the body's file and describe it. The file's name determines its format."""
    name = parameter(request, "name")
    data = await read_body(request, MAX_FILE, "file")
    return await _open(request, name, lambda: {name: data})


@refusing
async def fetch_tokenizer(request: Request) -> Response:
    """Register the tokenizer of a model on the hub, such as `hf:Qwen/Qwen3-8B`, and describe it."""
    name = parameter(request, "name")
    await read_body(request)
    return await _open(request, name.removeprefix(hub.PREFIX), partial(fetch_files, name))


async def _open(request: Request, label: str, files: Callable[[], Mapping[str, bytes]]) -> Response:
    try:
        return await lanes.opening.run(request, partial(_opened, label, files, visitor_of(request)))
    except ValueError as error:
        raise Refusal(422, sentence(error)) from None


def _opened(label: str, files: Callable[[], Mapping[str, bytes]], visitor: Visitor) -> Response:
    id = registry.register(open_files(files()), label[:_MAX_LABEL], visitor=visitor)
    registry.release(id)  # the session that adopts it will hold it
    return JSONResponse(registry.describe(id).as_data())


routes: list[BaseRoute] = [
    Route("/tokenizer-file", open_tokenizer, methods=["POST"]),
    Route("/hub-tokenizer", fetch_tokenizer, methods=["POST"]),
]
