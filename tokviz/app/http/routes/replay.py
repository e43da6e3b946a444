"""Routes of the Merge replay page: a text's merges as steps, by a registered tokenizer or one trained for the request.

Tokenizers trained here are not kept. "Try these merges on a new word" sends the training text again, and so depends on
nothing that a restart or another session could remove.
"""

import re
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from tokviz.app.fairness import lanes
from tokviz.app.http.refusals import Refusal, refuse_invalid, sentence
from tokviz.app.http.requests import (
    as_text,
    cut_body,
    flag,
    in_lane,
    one_of,
    packed,
    parameter,
    tokenizer_named,
    whole_number,
)
from tokviz.app.http.split_patterns import described_alternatives, split_pattern
from tokviz.app.processes.guarded import GuardedTokenizer
from tokviz.app.processes.sizes import check_token_lengths
from tokviz.bpe.replay import ORDERS
from tokviz.bpe.training import TIE_BREAKS
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.train import ALPHABETS, train
from tokviz.widgets import replay_views
from tokviz.widgets.columns import learn_columns
from tokviz.widgets.lattice_svg import lattice_svg
from tokviz.widgets.replays import LIMIT, WRITINGS
from tokviz.widgets.seeks import seek_columns
from tokviz.widgets.tower_picture import NoTower, Shown
from tokviz.widgets.tower_svg import tower_svg
from tokviz.widgets.wire import Columns

MAX_MERGES = 5_000
MAX_COLUMNS = 1_000
"""Maximum columns of a line in a picture."""

END_OF_WORD = "</w>"

_NO_PICTURE = "No picture can be drawn of this step."


@in_lane(lanes.replays)
def replay(request: Request, body: bytes) -> Response:
    """Show how a tokenizer reads the body's text: how it merges, or what its engine weighs or looks for."""
    tokenizer = tokenizer_named(parameter(request, "tokenizer"))
    return _applied(request, tokenizer, _text(body), "all" if flag(request, "special") else ())


@in_lane(lanes.replays)
def learn(request: Request, body: bytes) -> Response:
    """Replay how merges are learned from the body's text."""
    text = _text(body)
    with refuse_invalid():
        columns, meta = learn_columns(_trained(request, text).replay(text))
        meta |= {"alternatives": described_alternatives(request)}
    return _answer(request, columns, meta)


@in_lane(lanes.replays)
def try_learned(request: Request, body: bytes) -> Response:
    """Replay merges learned from the first `known` bytes of the body on the rest of it."""
    known, text = cut_body(request, body, "known")
    return _applied(request, _trained(request, _text(known)), _text(text))


@in_lane(lanes.short_texts)  # finding the merges of a large vocabulary takes a while the first time
def seek(request: Request, body: bytes) -> Response:
    """Send what the body's text becomes under the first k merges of a tokenizer, for every k."""
    tokenizer, text = tokenizer_named(parameter(request, "tokenizer")), _text(body)
    allowed_special: str | tuple[()] = "all" if flag(request, "special") else ()
    with refuse_invalid():
        if isinstance(tokenizer, GuardedTokenizer):
            columns, meta = tokenizer.seek(text, allowed_special)
        else:
            columns, meta = seek_columns(tokenizer, text, allowed_special)
    return packed(columns, meta, request.headers)


def _applied(request: Request, tokenizer: Tokenizer, text: str, allowed_special: str | tuple[()] = ()) -> Response:
    order = one_of(request, "order", ORDERS)
    if not isinstance(tokenizer, GuardedTokenizer):
        with refuse_invalid():
            steps = replay_views.steps_of(tokenizer, text, allowed_special, order)
        return _answer(request, *steps)
    with refuse_invalid():
        steps = tokenizer.steps(text, allowed_special, order)
    try:
        return _answer(request, *steps)
    except (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError):
        raise Refusal(422, _NO_PICTURE) from None  # its process may send anything


def _answer(request: Request, columns: Columns, meta: dict[str, Any]) -> Response:
    """Return the columns, or what the request asks for to save: a standalone `page` with them, or a `picture`."""
    file = meta.get("view", "replay")
    if flag(request, "picture"):
        headers = {"content-disposition": f'attachment; filename="{file}.svg"'}
        return Response(_picture(request, columns, meta), media_type="image/svg+xml", headers=headers)
    if flag(request, "page"):
        html = replay_views.page(columns, meta, _step(request), one_of(request, "symbols", WRITINGS))
        return HTMLResponse(html, headers={"content-disposition": f'attachment; filename="{file}.html"'})
    return packed(columns, meta, request.headers)


def _picture(request: Request, columns: Columns, meta: dict[str, Any]) -> str:
    """Draw what the page shows: a tower after a step or while it is taken apart again, or a way of a lattice."""
    length, dark = whole_number(request, "columns"), flag(request, "dark")
    if not 1 <= length <= MAX_COLUMNS:
        raise Refusal(400, f"“columns” must be from 1 to {MAX_COLUMNS:,}.")
    if "lattice" in meta:
        way = whole_number(request, "way")
        if way >= len(meta["lattice"]["paths"]):
            raise Refusal(422, _NO_PICTURE)
        return lattice_svg(meta["lattice"], length, way=way, dark=dark)
    if not columns:  # longest matches
        raise Refusal(422, _NO_PICTURE)
    decoding = (whole_number(request, "row"), whole_number(request, "end")) if flag(request, "decoding") else None
    shown = Shown(_step(request), one_of(request, "symbols", WRITINGS), decoding)
    try:
        return tower_svg(columns, meta, shown, length, dark=dark)
    except NoTower as error:
        raise Refusal(422, sentence(error)) from None


def _trained(request: Request, text: str) -> BPETokenizer:
    with refuse_invalid():
        trained = train(text, **_learn_options(request))
        check_token_lengths(trained)
        return trained


# Reading requests


def _learn_options(request: Request) -> dict[str, Any]:
    """Return the arguments of `train`."""
    merges = whole_number(request, "merges")
    if merges > MAX_MERGES:
        raise Refusal(400, f"This page shows {MAX_MERGES:,} merges at most.")
    return {
        "num_merges": merges,
        "split_pattern": split_pattern(request),
        "alphabet": one_of(request, "alphabet", ALPHABETS),
        "tie_break": one_of(request, "ties", TIE_BREAKS),
        "end_of_word": END_OF_WORD if flag(request, "end_of_word") else None,
    }


def _step(request: Request) -> int:
    step = parameter(request, "step")
    if not re.fullmatch("-?[0-9]{1,9}", step):
        raise Refusal(400, "“step” must be a whole number.")
    return int(step)


def _text(body: bytes) -> str:
    if len(body) > LIMIT:
        raise Refusal(413, f"This text has {len(body):,} bytes. A replay shows {LIMIT:,} at most: use its beginning.")
    return as_text(body)


routes: list[BaseRoute] = [
    Route("/replay", replay, methods=["POST"]),
    Route("/replay/learn", learn, methods=["POST"]),
    Route("/replay/seek", seek, methods=["POST"]),
    Route("/replay/try", try_learned, methods=["POST"]),
]
