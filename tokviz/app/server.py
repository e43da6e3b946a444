"""The routes beside Streamlit's own: what the widgets ask while someone types, without a rerun of the page.

A handler parses the request, calls the package and packs the answer. Short texts are worked on at once; whatever may
take longer goes to a few threads, so that it holds up nobody else. Texts are neither kept nor logged.
"""

import asyncio
import gc
import gzip
import importlib
import json
import logging
import os
import re
import traceback
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import asdict
from functools import partial, wraps
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
from starlette.convertors import PathConvertor, register_url_convertor
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from streamlit.runtime.pages_manager import PagesManager

from tokviz import widgets
from tokviz.analysis.branches import labels, pretoken_branches
from tokviz.analysis.characters import code_points
from tokviz.analysis.counts import character_count, word_count
from tokviz.app.compression import CompressedAssets
from tokviz.app.registry import DEFAULT, WORDS, registry
from tokviz.bpe_tokenizer import BPETokenizer, MergeTree
from tokviz.samples import sample
from tokviz.tokenizers import CharacterTokenizer, Tokenizer, WordTokenizer
from tokviz.widgets import columns

MAX_BODY = 10_000_000
MAX_FOUND = 50
MAX_NODES = 2_000
MAX_DEPTH = 200

# Up to here the work takes a few milliseconds, whatever the text.
_AT_ONCE = 16_000
_COMPRESSED_FROM = 1_000

_threads = ThreadPoolExecutor(max_workers=4, thread_name_prefix="tokviz")
_logger = logging.getLogger(__name__)

Handler = Callable[[Request], Awaitable[Response]]


class Refusal(Exception):
    """A request that can't be answered: an HTTP status, and a sentence for the person who waits for it."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


def refusing(handler: Handler) -> Handler:
    """Turn what a handler raises into an answer that a page can show."""

    @wraps(handler)
    async def answer(request: Request) -> Response:
        try:
            return await handler(request)
        except Refusal as refusal:
            return JSONResponse({"error": refusal.sentence}, refusal.status)
        except ClientDisconnect:
            return Response(status_code=400)  # nobody is there to read it
        except Exception as error:
            # Only where it happened: an error's message may quote the text.
            place = "".join(traceback.format_tb(error.__traceback__))
            _logger.error("%s at %s failed:\n%s", type(error).__name__, request.url.path, place)
            return JSONResponse({"error": "Something went wrong on our side. Your text is safe; try again."}, 500)

    return answer


# What a request says


def _parameter(request: Request, name: str) -> str:
    value = request.query_params.get(name)
    if value is None:
        raise Refusal(400, f"The request lacks “{name}”.")
    return value


def _flag(request: Request, name: str) -> bool:
    value = request.query_params.get(name, "0")
    if value not in ("0", "1"):
        raise Refusal(400, f"“{name}” must be 0 or 1.")
    return value == "1"


def _number(request: Request, name: str) -> int:
    value = _parameter(request, name)
    if not re.fullmatch("[0-9]+", value):
        raise Refusal(400, f"“{name}” must be a whole number, 0 or more.")
    return int(value.lstrip("0")[:18] or 0)  # more digits than any id or length has, and few enough for int()


async def _body(request: Request) -> bytes:
    """The body, of which no more is read than the limit."""
    declared = request.headers.get("content-length", "0")
    size = int(declared) if declared.isdecimal() else 0
    parts = []
    if size <= MAX_BODY:
        size = 0
        async for part in request.stream():
            parts.append(part)
            size += len(part)
            if size > MAX_BODY:
                break
    if size > MAX_BODY:
        raise Refusal(413, f"This text is too long: {MAX_BODY // 1_000_000} MB is the most that fits.")
    return b"".join(parts)


async def _known_and_text(request: Request, tokenizer: str) -> tuple[bytes | None, bytes]:
    """The text that words are learned from, if it is sent in front of the text itself, and that text."""
    if "known" not in request.query_params:
        return None, await _body(request)
    known = _number(request, "known")
    if tokenizer != WORDS:
        raise Refusal(400, f"“known” goes with the tokenizer “{WORDS}” only.")
    body = await _body(request)
    if known > len(body):
        raise Refusal(400, "“known” is more than was sent.")
    return body[:known], body[known:]


def _text(body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise Refusal(400, f"The text is not UTF-8: byte {error.start} does not belong there.") from None


def _tokenizer(name: str) -> Tokenizer:
    if name == WORDS:
        raise Refusal(400, "Words are learned from a text; there is no vocabulary of them to look into.")
    try:
        return registry.get(name)
    except LookupError as error:
        raise Refusal(404, error.args[0]) from None


# How it is answered


async def _work(work: Callable[[], Response], size: int, tokenizer: str) -> Response:
    """Call `work`, in a thread if it may take long: for its `size`, or because of the tokenizer."""
    if size <= _AT_ONCE and (tokenizer == WORDS or registry.is_ready(tokenizer)):
        return work()
    return await asyncio.get_running_loop().run_in_executor(_threads, work)


def _packed(named: dict[str, columns.Column], meta: dict[str, Any], headers: Headers) -> Response:
    data = columns.pack(named, meta)
    about = {"vary": "Accept-Encoding"}
    if len(data) >= _COMPRESSED_FROM and "gzip" in headers.get("accept-encoding", ""):
        data = gzip.compress(data, compresslevel=1, mtime=0)
        about["content-encoding"] = "gzip"
    return Response(data, media_type="application/octet-stream", headers=about)


def _token(token: int, data: bytes) -> dict[str, Any]:
    return {"id": token, "hex": data.hex(" "), "text": _text_of(data)}


def _text_of(data: bytes) -> str | None:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


# tokenize


@refusing
async def tokenize(request: Request) -> Response:
    """The text of the body, as columns over its tokens."""
    name, special, counts = _parameter(request, "tokenizer"), _flag(request, "special"), _flag(request, "counts")
    known, body = await _known_and_text(request, name)
    size = len(known or b"") + len(body)
    return await _work(partial(_tokenized, name, known, body, special, counts, request.headers), size, name)


def _tokenized(name: str, known: bytes | None, body: bytes, special: bool, counts: bool, headers: Headers) -> Response:
    text = _text(body)
    if name == WORDS:
        tokenizer: Tokenizer = WordTokenizer.from_text(text if known is None else _text(known))
    else:
        tokenizer = _tokenizer(name)
    try:
        tokenization = tokenizer.tokenize(text, "all" if special else ())
    except ValueError as error:  # the alphabet lacks a character
        raise Refusal(422, f"{error}.") from None
    meta: dict[str, Any] = {"tokenizer": name, "vocab_size": tokenizer.vocab_size}
    if counts:
        meta |= {"characters": character_count(text), "code_points": len(text), "words": word_count(text)}
    named: dict[str, columns.Column] = {
        "ids": tokenization.ids,
        "byte_lengths": np.diff(tokenization.byte_offsets),
        "special": tokenization.special.astype(np.uint8),
    }
    return _packed(named, meta, headers)


# pretokens


@refusing
async def pretokens(request: Request) -> Response:
    """The text of the body, as columns over its pre-tokens."""
    name, special = _parameter(request, "tokenizer"), _flag(request, "special")
    _, body = await _known_and_text(request, name)
    return await _work(partial(_pretokens, name, body, special, request.headers), len(body), name)


def _pretokens(name: str, body: bytes, special: bool, headers: Headers) -> Response:
    tokenizer = WordTokenizer(()) if name == WORDS else _tokenizer(name)
    pieces = pretoken_branches(tokenizer, _text(body), tokenizer.special_tokens if special else ())
    named: dict[str, columns.Column] = {
        "byte_lengths": np.array([len(piece.encode()) for piece, _ in pieces], np.int32),
        "branches": np.array([branch for _, branch in pieces], np.uint8),
    }
    return _packed(named, {"pattern": tokenizer.split_pattern, "branches": labels(tokenizer.split_pattern)}, headers)


# token


@refusing
async def token(request: Request) -> Response:
    """All there is to say about one token of a vocabulary."""
    name, number = _parameter(request, "tokenizer"), _number(request, "id")
    return await _work(partial(_token_described, name, number), 0, name)


def _token_described(name: str, number: int) -> Response:
    tokenizer = _tokenizer(name)
    try:
        data = tokenizer.decode_bytes([number])
    except ValueError as error:
        raise Refusal(404, f"{error}.") from None
    tree, merges = MergeTree(number, data), 0
    if isinstance(tokenizer, BPETokenizer):
        tree, merges = tokenizer.tree(number), tokenizer.num_merges
    about = {
        "special": number in tokenizer.special_tokens.values(),
        "rank": tree.rank,
        "merges": merges,
        "tree": _nodes(tree),
        "code_points": [asdict(point) for point in code_points(_text_of(data) or "")],
    }
    return JSONResponse(_token(number, data) | about)


def _nodes(tree: MergeTree) -> dict[str, Any]:
    """The tree as JSON. Where it is too large or deep to send, a node says that there is "more" below it."""
    root = _node(tree)
    waiting = deque([(tree, root, 1)])
    count = 1
    while waiting:
        parent, node, depth = waiting.popleft()
        if parent.left is None or parent.right is None:
            continue
        if count + 2 > MAX_NODES or depth == MAX_DEPTH:
            node["more"] = True
            continue
        for child in (parent.left, parent.right):
            node["children"].append(_node(child))
            waiting.append((child, node["children"][-1], depth + 1))
            count += 1
    return root


def _node(tree: MergeTree) -> dict[str, Any]:
    return _token(tree.id, tree.bytes) | {"rank": tree.rank, "children": []}


# find


@refusing
async def find(request: Request) -> Response:
    """The token with this text, and some that contain it."""
    name, text = _parameter(request, "tokenizer"), _parameter(request, "text")
    if not text:
        raise Refusal(400, "There is no text to look for.")
    return await _work(partial(_found, name, text), MAX_BODY, name)


def _found(name: str, text: str) -> Response:
    return JSONResponse({"tokens": _tokens_like(text, _tokenizer(name))})


def _tokens_like(text: str, tokenizer: Tokenizer) -> list[dict[str, Any]]:
    wanted = text.encode()
    if isinstance(tokenizer, CharacterTokenizer):  # no need to look through a million of them
        return [_token(ord(text), wanted)] if len(text) == 1 else []
    exact: list[dict[str, Any]] = []
    containing: list[dict[str, Any]] = []
    for number, data in tokenizer.vocab.items():
        if data == wanted:
            exact.append(_token(number, data))
        elif len(containing) < MAX_FOUND and wanted in data:
            containing.append(_token(number, data))
    return exact + containing


# decode


@refusing
async def decode(request: Request) -> Response:
    """The text that token ids stand for."""
    name = _parameter(request, "tokenizer")
    body = await _body(request)
    return await _work(partial(_decoded, name, body), len(body), name)


def _decoded(name: str, body: bytes) -> Response:
    tokenizer = _tokenizer(name)
    try:
        data = tokenizer.decode_bytes(_ids(body))
    except ValueError as error:
        raise Refusal(422, f"{error}.") from None
    text = _text_of(data)
    return JSONResponse({"text": data.decode(errors="replace"), "hex": data.hex(" "), "valid": text is not None})


def _ids(body: bytes) -> list[int]:
    try:
        ids = json.loads(body)["ids"]
    except (ValueError, TypeError, KeyError, RecursionError):
        ids = None
    if not isinstance(ids, list) or not all(type(number) is int for number in ids):
        raise Refusal(400, 'The ids must be a list of whole numbers, sent as {"ids": [...]}.')
    return ids


# sample


@refusing
async def sample_text(request: Request) -> Response:
    """One of the texts to try."""
    try:
        found = sample(_parameter(request, "name"))
    except ValueError as error:
        raise Refusal(404, f"{error}.") from None
    shown = ("name", "title", "text", "lang", "direction")
    return JSONResponse({name: getattr(found, name) for name in shown})


# static


class WidgetFiles(StaticFiles):
    """The widgets' modules and stylesheets, and no other file.

    A browser asks each time whether its copy is still the newest, so an update never mixes old modules with new ones.
    """

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Where the file is; nowhere, if it is not for browsers."""
        return super().lookup_path(path) if Path(path).suffix in (".js", ".css") else ("", None)

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        """The file, or that it has not changed."""
        response = super().file_response(*args, **kwargs)
        response.headers["cache-control"] = "no-cache"
        return response


# The whole


class _AnyFolder(PathConvertor):
    regex = "(?:[^/]+/)*"


# The routes stand under server.baseUrlPath, but the list is made while app.py is imported, before Streamlit has read
# its settings. So they answer under whatever folder the app is in.
register_url_convertor("any_folder", _AnyFolder())

routes: list[BaseRoute] = [
    Mount(
        "/{base:any_folder}tokviz",
        routes=[
            Route("/tokenize", tokenize, methods=["POST"]),
            Route("/pretokens", pretokens, methods=["POST"]),
            Route("/token", token),
            Route("/find", find),
            Route("/decode", decode, methods=["POST"]),
            Route("/sample", sample_text),
            Mount("/static", WidgetFiles(directory=widgets.FOLDER)),
        ],
    )
]
"""For `st.App`."""

middleware = [Middleware(CompressedAssets)]
"""For `st.App`."""


@asynccontextmanager
async def lifespan(app: object) -> AsyncIterator[None]:
    """Start with the work that the first visitor would wait for; the server answers meanwhile."""
    # Until app.py has run for the first time, Streamlit takes each file in pages/ for a script of its own: a first
    # visitor who follows a link to a page would see it without what app.py puts around it.
    PagesManager.uses_pages_directory = False
    Thread(target=_warm_up, name="tokviz-warm-up", daemon=True).start()
    yield


def _warm_up() -> None:
    importlib.import_module("pandas")  # Streamlit wants it for the first component that is given data
    for name in (DEFAULT, "gpt2", "o200k_base"):
        registry.get(name)
    # Streamlit collects garbage after every run of a page. What is here now stays, so it need not be looked at again:
    # a rerun takes 4 ms instead of 70.
    gc.collect()
    gc.freeze()
