"""Routes for what another library trained, or a file of its kind: its pieces, and how it cuts a text."""

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from tokviz.analysis.training_report import PEERS, Packed
from tokviz.app.fairness import lanes
from tokviz.app.http.requests import Refusal, as_text, in_lane, parameter, tokenizer_named, whole_number
from tokviz.app.processes.engine_training import EngineReport
from tokviz.app.processes.engine_views import list_pieces, read_text
from tokviz.app.processes.guarded import GuardedTokenizer
from tokviz.app.processes.guarded_workers import Failed
from tokviz.app.visitors.kept_tokenizers import registry
from tokviz.app.visitors.trainings import trainings
from tokviz.display import shorten

MAX_ROWS = 100
"""Maximum pieces that are sent at a time."""

MAX_READ = 4_000
"""Maximum bytes of a text that is tried."""

MAX_QUERY = 1_000
"""Maximum bytes of a search."""

_PEER_LABELS = {"gpt2": "GPT-2", "cl100k_base": "cl100k (GPT-4)"}


class Piece(NamedTuple):
    """A piece of a vocabulary. `score` and `times` are None where there are none, or they aren't known."""

    id: int
    piece: str
    kind: str
    score: float | None
    times: int | None


_ORDERS: dict[str, Callable[[Piece], Any]] = {
    "id": lambda row: row.id,
    "score": lambda row: (row.score is None, -(row.score or 0), row.id),
    "length": lambda row: (-len(row.piece), row.id),
    "count": lambda row: (-(row.times or 0), row.id),
}


def packed_table(packed: list[Packed]) -> list[dict[str, Any]]:
    """Return bytes and tokens under the trained tokenizer, which comes first, and under the known ones, if any (see
    `Packed`)."""
    labels = ["yours", *(_PEER_LABELS[peer] for peer in PEERS)]
    return [
        {
            "label": label,
            "bytes": each.bytes,
            "spelled": each.spelled,
            "tokens": each.tokens,
            "problem": each.problem,
        }
        for label, each in zip(labels, packed, strict=False)
    ]


def engine_result(name: str, tokenizer: GuardedTokenizer) -> dict[str, Any]:
    """Return what there is to say of a tokenizer of another library, and of its training if that is known."""
    trained = trainings.trained(tokenizer)
    report = trained.report if trained and isinstance(trained.report, EngineReport) else None
    rows = _pieces(name, tokenizer)
    found: dict[str, Any] = {
        "made": registry.describe(name).as_data() if registry.has(name) else None,
        "algorithm": tokenizer.algorithm,
        "kinds": Counter(row.kind for row in rows),
        "scored": any(row.score is not None for row in rows),
        "ids": tokenizer.vocab_size,
        "measured_on": trained.measured_on if trained else "",
        "training": None,
    }
    if report is None:
        return found
    pieces = report.pieces
    return found | {
        "training": {
            "asked": report.asked,
            "learned": packed_table(pieces.learned_from),
            "measured": packed_table(pieces.measured),
            "used": int(np.count_nonzero(pieces.counts)),
            "tokens": int(pieces.counts.sum()),
            "unknown": pieces.unknown,
            "from_bytes": pieces.from_bytes,
            "rare": [[shorten(part), times] for part, times in pieces.rare],
            "num_rare": pieces.num_rare,
            "rare_times": pieces.rare_times,
            "total": pieces.total,
            "snippet": pieces.snippet,
            "effects": [effect._asdict() for effect in report.effects],
            "first_symbols": report.first_symbols._asdict() if report.first_symbols else None,
        }
    }


@in_lane(lanes.long_texts, MAX_QUERY, "search")
def pieces(request: Request, body: bytes) -> Response:
    """Return rows of a vocabulary in whose piece the body's query occurs: 100 of them, from the place `from`."""
    name, tokenizer = engine_named(request)
    order, first = parameter(request, "order"), whole_number(request, "from")
    if order not in _ORDERS:
        raise Refusal(400, "The request names an order that there is not.")
    query = as_text(body)
    rows = _pieces(name, tokenizer)
    found = sorted((row for row in rows if query in row.piece), key=_ORDERS[order])
    shown = [row._replace(piece=shorten(row.piece))._asdict() for row in found[first : first + MAX_ROWS]]
    return JSONResponse({"rows": shown, "found": len(found), "all": len(rows)})


def _pieces(name: str, tokenizer: GuardedTokenizer) -> list[Piece]:
    def listed() -> list[Piece]:
        _, said = tokenizer.run(list_pieces, text="")
        trained = trainings.trained(tokenizer)
        report = trained.report if trained else None
        counts = report.pieces.counts.tolist() if isinstance(report, EngineReport) else None
        columns = (
            _checked(said, "pieces", str, tokenizer),
            _checked(said, "kinds", str, tokenizer),
            _checked(said, "scores", float | int | None, tokenizer),
            counts or [None] * tokenizer.vocab_size,
        )
        return [Piece(token, *row) for token, row in enumerate(zip(*columns, strict=False)) if row[0]]

    return registry.table(name, "pieces", listed)


def _checked(said: dict[str, Any], name: str, kind: Any, tokenizer: GuardedTokenizer) -> list[Any]:
    """Return a column by id that a guarded process sent. Raises Failed if it is none."""
    column = said.get(name)
    if not isinstance(column, list) or not all(isinstance(each, kind) for each in column):
        raise Failed(f"{tokenizer.name}: its pieces can't be read")
    return column


@in_lane(lanes.long_texts, MAX_READ)
def read(request: Request, body: bytes) -> Response:
    """Return how the body's text is cut, with byte fallback on and off where there is that choice."""
    _, tokenizer = engine_named(request)
    text = as_text(body)
    _, said = tokenizer.run(read_text, text, text=text)
    return JSONResponse({"text": text, "ways": said["ways"]})


def engine_named(request: Request) -> tuple[str, GuardedTokenizer]:
    """Return the name and the tokenizer of another library that a request names."""
    name = parameter(request, "tokenizer")
    tokenizer = tokenizer_named(name)
    if not isinstance(tokenizer, GuardedTokenizer) or not tokenizer.algorithm:
        raise Refusal(422, f"{tokenizer.name}: this tokenizer has no pieces of another library.")
    return name, tokenizer


routes: list[BaseRoute] = [
    Route("/trained/pieces", pieces, methods=["POST"]),
    Route("/trained/read", read, methods=["POST"]),
]
