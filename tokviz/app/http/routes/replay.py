"""Routes of the Merge replay page: a text's merges as steps, by a registered tokenizer or one trained for the request.

Tokenizers trained here are not kept. "Try these merges on a new word" sends the training text again, and so depends on
nothing that a restart or another session could remove.
"""

import re
from collections.abc import Callable
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
    in_lane,
    packed,
    parameter,
    tokenizer_named,
    whole_number,
)
from tokviz.app.processes.guarded import GuardedTokenizer
from tokviz.bpe.replay import ORDERS, Order
from tokviz.bpe.training import TIE_BREAKS, TieBreak
from tokviz.pretokens.splitting import PATTERNS
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.engines.capabilities import EngineTokenizer
from tokviz.tokenizers.train import ALPHABETS, AlphabetName, train
from tokviz.widgets import lattices, word_pieces
from tokviz.widgets.columns import apply_columns, learn_columns
from tokviz.widgets.replays import LIMIT, WRITINGS, page
from tokviz.widgets.wire import Columns

MAX_MERGES = 5_000
WAYS = 5
"""Best ways of a lattice that are shown."""
MAX_MATCHED = 5_000
"""Maximum code points of a text whose longest matches are shown."""
END_OF_WORD = "</w>"

_NO_SPLIT = "none"


@in_lane(lanes.replays)
def replay(request: Request, body: bytes) -> Response:
    """Replay how a tokenizer merges the body's text."""
    tokenizer = tokenizer_named(parameter(request, "tokenizer"))
    if isinstance(tokenizer, EngineTokenizer):
        return _by_engine(request, tokenizer, body, "all" if flag(request, "special") else ())
    if not isinstance(tokenizer, BPETokenizer):
        why = "its engine doesn't show its steps" if isinstance(tokenizer, GuardedTokenizer) else "it merges nothing"
        raise Refusal(422, f"{tokenizer.name} can't be replayed: {why}. Choose another tokenizer, such as GPT-2.")
    return _applied(request, tokenizer, body, "all" if flag(request, "special") else ())


@in_lane(lanes.replays)
def learn(request: Request, body: bytes) -> Response:
    """Replay how merges are learned from the body's text."""
    text = _text(body)
    return _answer(request, *learn_columns(_trained(request, text).replay(text)))


@in_lane(lanes.replays)
def try_learned(request: Request, body: bytes) -> Response:
    """Replay merges learned from the first `known` bytes of the body on the rest of it."""
    known = whole_number(request, "known")
    if known > len(body):
        raise Refusal(400, "“known” is more than was sent.")
    return _applied(request, _trained(request, _text(body[:known])), body[known:])


def _by_engine(request: Request, tokenizer: EngineTokenizer, body: bytes, allowed_special: str | tuple[()]) -> Response:
    """Show how a shipped tokenizer of an engine reads the body's text, by its algorithm."""
    try:
        if tokenizer.algorithm == "unigram":
            lattice = tokenizer.lattice(_short_text(body, lattices.MAX_CHARACTERS), WAYS, allowed_special)
            return _view(request, "lattice", lattices.lattice_data(lattice), partial(lattices.page, lattice))
        if tokenizer.algorithm == "wordpiece":
            found = tokenizer.longest_matches(_short_text(body, MAX_MATCHED), allowed_special)
            return _view(request, "matches", word_pieces.matches_data(found), partial(word_pieces.page, found))
    except ValueError as error:
        raise Refusal(422, f"{error}.") from None
    return _applied(request, tokenizer, body, allowed_special)


def _view(request: Request, name: str, data: dict[str, Any], page: Callable[[], str]) -> Response:
    """Return the data of a view of its own, or, if the request asks for a `page`, a standalone one to save."""
    if not flag(request, "page"):
        return packed({}, {"story": "apply", "view": name, name: data}, request.headers)
    return HTMLResponse(page(), headers={"content-disposition": f'attachment; filename="{name}.html"'})


def _short_text(body: bytes, most: int) -> str:
    text = _text(body)
    if len(text) > most:
        raise Refusal(413, f"This text has {len(text):,} characters. {most:,} are shown at most: use its beginning.")
    return text


def _applied(
    request: Request, tokenizer: BPETokenizer | EngineTokenizer, body: bytes, allowed_special: str | tuple[()] = ()
) -> Response:
    order = cast(Order, _one_of(request, "order", ORDERS))
    try:
        columns, meta = apply_columns(tokenizer.replay(_text(body), allowed_special, order))
    except ValueError as error:  # the alphabet lacks a character, or the merging can't be reproduced
        raise Refusal(422, f"{error}.") from None
    return _answer(request, columns, meta)


def _answer(request: Request, columns: Columns, meta: dict[str, Any]) -> Response:
    """Return the columns, or, if the request asks for a `page`, a standalone player with them to save."""
    if not flag(request, "page"):
        return packed(columns, meta, request.headers)
    step = parameter(request, "step")
    if not re.fullmatch("-?[0-9]{1,9}", step):
        raise Refusal(400, "“step” must be a whole number.")
    html = page(columns, meta, int(step), _one_of(request, "symbols", WRITINGS))
    return HTMLResponse(html, headers={"content-disposition": 'attachment; filename="replay.html"'})


def _trained(request: Request, text: str) -> BPETokenizer:
    try:
        return train(text, **_learn_options(request))
    except ValueError as error:
        raise Refusal(422, f"{error}.") from None


# Reading requests


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


def _text(body: bytes) -> str:
    if len(body) > LIMIT:
        raise Refusal(413, f"This text has {len(body):,} bytes. A replay shows {LIMIT:,} at most: use its beginning.")
    return as_text(body)


routes: list[BaseRoute] = [
    Route("/replay", replay, methods=["POST"]),
    Route("/replay/learn", learn, methods=["POST"]),
    Route("/replay/try", try_learned, methods=["POST"]),
]
