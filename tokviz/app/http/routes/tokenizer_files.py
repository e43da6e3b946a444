"""Routes that open visitors' tokenizers: files from a widget's editor, and models on the Hugging Face hub."""

import asyncio
import re
from collections.abc import Mapping
from functools import partial
from itertools import accumulate
from typing import Literal

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from tokviz.app.fairness import lanes
from tokviz.app.fairness.visitors import Visitor, visitor_of
from tokviz.app.http.requests import Refusal, holding_of, parameter, read_body, refusing, sentence
from tokviz.app.processes.fetching import fetch_files
from tokviz.app.processes.opening import open_in_turn
from tokviz.app.visitors.kept_tokenizers import registry
from tokviz.formats import MAX_FILE, UNSAID, Unsaid, tokenizer_names
from tokviz.pretokens.splitting import PATTERNS
from tokviz.pretrained import hub
from tokviz.tokenizers.base import Tokenizer

_MAX_LABEL = 100  # code points
_MAX_FILES = 3  # vocab.json, merges.txt and tokenizer_config.json
_NO_SPLIT = "none"

_Pattern = str | None | Literal[Unsaid.UNSAID]
"""The name of a split pattern; None for no cut."""


@refusing
async def open_tokenizer(request: Request) -> Response:
    """Register the tokenizer in the body's files and describe it. Their names determine its format.

    The parameter `name` is there for each file, and so is `size`, its bytes, if there are several. `pattern` is the
    split pattern of a format that holds none. `label` is a name that the visitor gave it, if any.
    """
    names = request.query_params.getlist("name")
    pattern = _pattern(request.query_params.get("pattern"))
    files = _files(request, names, await read_body(request, MAX_FILE, "file"))
    given = " ".join(request.query_params.get("label", "").split())
    return await _open(request, given, files, pattern)


@refusing
async def fetch_tokenizer(request: Request) -> Response:
    """Register the tokenizer of a model on the hub, such as `hf:Qwen/Qwen3-8B`, and describe it."""
    name = parameter(request, "name")
    await read_body(request)
    try:
        files = await lanes.fetching.run(request, partial(fetch_files, name))
    except ValueError as error:
        raise Refusal(422, sentence(error)) from None
    holding_of(request).hold(sum(map(len, files.values())))
    return await _open(request, name.removeprefix(hub.PREFIX), files)


def _files(request: Request, names: list[str], body: bytes) -> dict[str, bytes]:
    """Return the files of which the body consists."""
    if not 1 <= len(set(names)) == len(names) <= _MAX_FILES:
        raise Refusal(400, f"One to {_MAX_FILES} files have to be named, each once.")
    sizes = request.query_params.getlist("size")
    if len(names) == 1:
        return {names[0]: body}
    if len(sizes) != len(names) or not all(re.fullmatch("[0-9]{1,9}", size) for size in sizes):
        raise Refusal(400, "“size” must be a whole number for each file.")
    ends = list(accumulate(map(int, sizes)))
    if ends[-1] != len(body):
        raise Refusal(400, "The sizes of the files are not those of what was sent.")
    return {name: body[start:end] for name, start, end in zip(names, [0, *ends], ends, strict=False)}


def _pattern(name: str | None) -> _Pattern:
    if name is None:
        return UNSAID
    if name != _NO_SPLIT and name not in PATTERNS:
        raise Refusal(400, f"“pattern” must be one of: {', '.join((_NO_SPLIT, *PATTERNS))}.")
    return None if name == _NO_SPLIT else name


async def _open(request: Request, label: str, files: Mapping[str, bytes], pattern: _Pattern = UNSAID) -> Response:
    visitor = visitor_of(request)
    try:
        tokenizer = await lanes.unless_left(request, open_in_turn(visitor, files, split_pattern=pattern))
    except ValueError as error:
        raise Refusal(422, sentence(error)) from None
    named = label or tokenizer_names.label(files, len(tokenizer.vocab))
    return await asyncio.to_thread(_register, tokenizer, named[:_MAX_LABEL], visitor)


def _register(tokenizer: Tokenizer, label: str, visitor: Visitor) -> Response:
    id = registry.register(tokenizer, label, visitor=visitor)
    registry.release(id)  # the session that adopts it will hold it
    return JSONResponse(registry.describe(id).as_data())


routes: list[BaseRoute] = [
    Route("/tokenizer-file", open_tokenizer, methods=["POST"]),
    Route("/hub-tokenizer", fetch_tokenizer, methods=["POST"]),
]
