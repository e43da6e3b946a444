"""Routes that open visitors' tokenizers: files from a widget's editor, and models on the Hugging Face hub."""

import asyncio
import re
from functools import partial

from starlette.responses import JSONResponse, Response

from tokviz.app.answers.asked import Asked, Named, as_text, cut_by_sizes
from tokviz.app.answers.requests import FILE_SECONDS, holding_of, post
from tokviz.app.answers.split_patterns import WithPattern
from tokviz.app.answers.visitors.kept_tokenizers import registry
from tokviz.app.shields.fairness import lanes
from tokviz.app.shields.fairness.visitors import Visitor
from tokviz.app.shields.processes.chat_templates import read_template
from tokviz.app.shields.processes.fetching import Fetched, fetch_files
from tokviz.app.shields.processes.opening import open_in_turn
from tokviz.app.shields.refusals import Refusal, refuse_invalid
from tokviz.chats.templates import ChatTemplate
from tokviz.display import as_sentence
from tokviz.formats import MAX_FILE, LeftOut, tokenizer_names
from tokviz.formats.chat_files import is_chat_file
from tokviz.formats.recognition import HEAD, recognize
from tokviz.formats.transformers_settings import SETTINGS
from tokviz.pretrained import hub
from tokviz.tokenizers.base import Tokenizer

_MAX_LABEL = 100  # code points
_MAX_FILES = 7  # vocab.json, merges.txt, added_tokens.json, and those that may hold a chat template
_MAX_CHOSEN = 20  # files of a folder
_MAX_SPECIALS = 50_000  # bytes


class Files(Asked):
    """Files in the body: each with its name, and its size in bytes if there are several."""

    name: tuple[str, ...] = ()
    size: tuple[str, ...] = ()


@post("/files-kind", lanes.short_texts, _MAX_CHOSEN * 2 * HEAD, "file")
def recognize_files(asked: Files) -> Response:
    """Say which of the chosen files are a tokenizer's, by the pieces of each that `recognize` looks at."""
    found = recognize(_files(asked, asked.body, _MAX_CHOSEN))
    said = {"names": found.names, "lacks": sorted(found.lacks), "says": found.says and as_sentence(found.says)}
    return JSONResponse({**said, "beside": found.beside, "isHalf": found.is_half, "isText": found.is_text})


class Opened(Files, WithPattern):
    """The files of a tokenizer. `label` is a name that the visitor gave it, if any.

    `beside` are names of files that may only hold its chat template. A split pattern is given if the format lacks it,
    and so are special tokens: `specials` bytes in front of the files name them, with their ids.
    """

    beside: tuple[str, ...] = ()
    label: str = ""
    specials: int = 0


@post("/tokenizer-file", None, MAX_FILE, "file", FILE_SECONDS)
async def open_tokenizer(asked: Opened) -> Response:
    """Register the tokenizer in the body's files and describe it. Their names determine its format."""
    if asked.specials > _MAX_SPECIALS:
        raise Refusal(413, f"The special tokens are too long: {_MAX_SPECIALS // 1000} KB are the most that fit.")
    files = _files(asked, asked.body[asked.specials :], _MAX_FILES)
    with refuse_invalid():
        lacking = _lacking(asked, as_text(asked.body[: asked.specials]))
    beside = {name: files.pop(name) for name in asked.beside if name in files}
    return await _open(asked, " ".join(asked.label.split()), Fetched(files, beside), lacking)


@post("/hub-tokenizer")
async def fetch_tokenizer(asked: Named) -> Response:
    """Register the tokenizer of a model on the hub, such as `hf:Qwen/Qwen3-8B`, and describe it."""
    with refuse_invalid():
        fetched = await lanes.fetching.run(asked.request, partial(fetch_files, asked.name))
    holding_of(asked.request).hold(sum(len(data) for files in fetched for data in files.values()))
    return await _open(asked, asked.name.removeprefix(hub.PREFIX), fetched, {})


def _files(asked: Files, body: bytes, most: int) -> dict[str, bytes]:
    """Return the files of which the body consists."""
    names = asked.name
    if not 1 <= len(set(names)) == len(names) <= most:
        raise Refusal(400, f"Name one to {most} files, each once.")
    sizes = asked.size if len(names) > 1 else [str(len(body))]
    if len(sizes) != len(names):
        raise Refusal(400, "“size” must be given for each file.")
    return dict(zip(names, cut_by_sizes(body, sizes), strict=True))


def _lacking(asked: Opened, specials: str) -> LeftOut:
    """Return what the files lack, as far as the request says it. Raises ValueError."""
    lacking: LeftOut = {}
    if asked.pattern is not None or asked.own is not None:
        lacking["split_pattern"] = asked.split_pattern()
    if specials:
        lacking["special_tokens"] = _special_ids(specials)
    return lacking


def _special_ids(lines: str) -> dict[str, int]:
    """Parse special tokens with their ids, one a line, such as `<|endoftext|> 50256`. Raises ValueError."""
    found = {}
    for line in filter(None, map(str.strip, lines.splitlines())):
        token, _, number = line.rpartition(" ")
        if not token or not re.fullmatch("[0-9]{1,18}", number):
            raise ValueError(f"{line!r} should be a special token, a space, and its id")
        found[token.strip()] = int(number)
    return found


async def _open(asked: Asked, label: str, given: Fetched, lacking: LeftOut) -> Response:
    visitor, (files, beside) = asked.visitor, given
    with refuse_invalid():
        tokenizer = await lanes.unless_left(asked.request, open_in_turn(visitor, files, **lacking))
    own = [name for name in files if name not in SETTINGS]
    named = (label or tokenizer_names.label(own, len(tokenizer.vocab)))[:_MAX_LABEL]
    template, problem = None, ""
    for_chats = {name: data for name, data in (files | beside).items() if is_chat_file(name)}
    if for_chats:
        try:
            template = await lanes.unless_left(
                asked.request, lanes.opening.wait(visitor, partial(read_template, named, for_chats))
            )
        except ValueError as error:
            problem = f"“{named}” is open, but without its chat template: {error}."
    return await asyncio.to_thread(_register, tokenizer, named, visitor, template, problem)


def _register(
    tokenizer: Tokenizer, label: str, visitor: Visitor, template: ChatTemplate | None, problem: str
) -> Response:
    id = registry.register(tokenizer, label, visitor=visitor, template=template)
    registry.release(id)  # the session that adopts it will hold it
    return JSONResponse({**registry.describe(id).as_data(), "problem": problem})
