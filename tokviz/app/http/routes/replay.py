"""Routes of the Merge replay page: a text's merges as steps, by a registered tokenizer or one trained for the request.

Tokenizers trained here are not kept. "Try these merges on a new word" sends the training text again, and so depends on
nothing that a restart or another session could remove.
"""

import re
from functools import partial
from typing import Any, cast

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from tokviz.app.fairness import lanes
from tokviz.app.http.requests import (
    Refusal,
    as_text,
    flag,
    packed,
    parameter,
    read_body,
    refusing,
    run,
    tokenizer_named,
    whole_number,
)
from tokviz.app.visitors.registry import DEFAULT
from tokviz.bpe.replay import ORDERS, Order
from tokviz.bpe.training import TIE_BREAKS, TieBreak
from tokviz.pretokens.splitting import PATTERNS
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.train import ALPHABETS, AlphabetName, train
from tokviz.widgets.columns import apply_columns, learn_columns
from tokviz.widgets.replays import LIMIT, WRITINGS, page
from tokviz.widgets.wire import Columns

MAX_MERGES = 5_000
END_OF_WORD = "</w>"

_NO_SPLIT = "none"


@refusing
async def replay(request: Request) -> Response:
    """Replay how a tokenizer merges the body's text."""
    name, special, order = parameter(request, "tokenizer"), flag(request, "special"), _order(request)
    body = _within_limit(await read_body(request))
    return await _in_thread(request, partial(_replayed, name, body, special, order, request), name)


def _replayed(name: str, body: bytes, special: bool, order: Order, request: Request) -> Response:
    tokenizer = tokenizer_named(name)
    if not isinstance(tokenizer, BPETokenizer):
        raise Refusal(422, f"{tokenizer.name}: this tokenizer merges nothing. Choose one that does, such as GPT-2.")
    return _applied(tokenizer, as_text(body), special, order, request)


@refusing
async def learn(request: Request) -> Response:
    """Replay how merges are learned from the body's text."""
    options = _learn_options(request)
    body = _within_limit(await read_body(request))
    return await _in_thread(request, partial(_learned, body, options, request))


def _learned(body: bytes, options: dict[str, Any], request: Request) -> Response:
    text = as_text(body)
    return _answer(*learn_columns(_trained(text, options).replay(text)), request)


@refusing
async def try_learned(request: Request) -> Response:
    """Replay merges learned from the first `known` bytes of the body on the rest of it."""
    options, known, order = _learn_options(request), whole_number(request, "known"), _order(request)
    body = await read_body(request)
    if known > len(body):
        raise Refusal(400, "“known” is more than was sent.")
    known_body, new = _within_limit(body[:known]), _within_limit(body[known:])
    return await _in_thread(request, partial(_tried, known_body, new, options, order, request))


def _tried(known: bytes, new: bytes, options: dict[str, Any], order: Order, request: Request) -> Response:
    return _applied(_trained(as_text(known), options), as_text(new), False, order, request)


def _applied(tokenizer: BPETokenizer, text: str, special: bool, order: Order, request: Request) -> Response:
    try:
        columns, meta = apply_columns(tokenizer.replay(text, "all" if special else (), order))
    except ValueError as error:  # the alphabet lacks a character
        raise Refusal(422, f"{error}.") from None
    return _answer(columns, meta, request)


def _answer(columns: Columns, meta: dict[str, Any], request: Request) -> Response:
    """Return the columns, or, if the request asks for a `page`, a standalone player with them to save."""
    if not flag(request, "page"):
        return packed(columns, meta, request.headers)
    step = parameter(request, "step")
    if not re.fullmatch("-?[0-9]{1,9}", step):
        raise Refusal(400, "“step” must be a whole number.")
    html = page(columns, meta, int(step), _one_of(request, "symbols", WRITINGS))
    return HTMLResponse(html, headers={"content-disposition": 'attachment; filename="replay.html"'})


def _trained(text: str, options: dict[str, Any]) -> BPETokenizer:
    try:
        return train(text, **options)
    except ValueError as error:
        raise Refusal(422, f"{error}.") from None


# Reading requests


def _order(request: Request) -> Order:
    return cast(Order, _one_of(request, "order", ORDERS))


def _learn_options(request: Request) -> dict[str, Any]:
    """Return the arguments of `train`."""
    pattern = _one_of(request, "pattern", (_NO_SPLIT, *PATTERNS))
    merges = whole_number(request, "merges")
    if merges > MAX_MERGES:
        raise Refusal(400, f"This page shows {MAX_MERGES:,} merges at most.")
    return {
        "num_merges": merges,
        "split_pattern": None if pattern == _NO_SPLIT else pattern,
        "alphabet": cast(AlphabetName, _one_of(request, "alphabet", ALPHABETS)),
        "tie_break": cast(TieBreak, _one_of(request, "ties", TIE_BREAKS)),
        "end_of_word": END_OF_WORD if flag(request, "end_of_word") else None,
    }


def _one_of(request: Request, name: str, choices: tuple[str, ...]) -> str:
    value = parameter(request, name)
    if value not in choices:
        raise Refusal(400, f"“{name}” must be one of: {', '.join(choices)}.")
    return value


def _within_limit(body: bytes) -> bytes:
    if len(body) > LIMIT:
        raise Refusal(413, f"This text has {len(body):,} bytes. A replay shows {LIMIT:,} at most: use its beginning.")
    return body


async def _in_thread(request: Request, work: partial[Response], tokenizer: str = DEFAULT) -> Response:
    """Run `work` in a thread in any case: finding the merges of a large vocabulary takes a second the first time."""
    return await run(request, work, 0, tokenizer, lanes.replays)


routes: list[BaseRoute] = [
    Route("/replay", replay, methods=["POST"]),
    Route("/replay/learn", learn, methods=["POST"]),
    Route("/replay/try", try_learned, methods=["POST"]),
]
