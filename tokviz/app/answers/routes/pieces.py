"""Routes for what another library trained, or a file of its kind: its pieces, and how it cuts a text."""

from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from starlette.responses import JSONResponse, Response

from tokviz.analysis.training.report import PEERS, Packed
from tokviz.app.answers.asked import OfTokenizer
from tokviz.app.answers.requests import post, tokenizer_named
from tokviz.app.answers.visitors.kept_tokenizers import registry
from tokviz.app.answers.visitors.trainings import trainings
from tokviz.app.shields.fairness import lanes
from tokviz.app.shields.processes.children import Failed
from tokviz.app.shields.processes.engine_training import EngineReport
from tokviz.app.shields.processes.engine_views import KINDS, list_pieces, read_text
from tokviz.app.shields.processes.guarded import GuardedTokenizer
from tokviz.app.shields.processes.guarded_workers import MAX_VOCABULARY
from tokviz.app.shields.refusals import Refusal
from tokviz.arrays import Int32Array, Int64Array
from tokviz.display import shorten
from tokviz.tokenizers.base import Tokenizer
from tokviz.widgets.wire import Columns

MAX_ROWS = 100
"""Maximum pieces that are sent at a time."""

MAX_READ = 4_000
"""Maximum bytes of a text that is tried."""

MAX_QUERY = 1_000
"""Maximum bytes of a search."""

_PEER_LABELS = {"gpt2": "GPT-2", "cl100k_base": "cl100k (GPT-4)"}


Order = Literal["id", "score", "length", "count"]


class Pieces(NamedTuple):
    """The pieces of a vocabulary as columns, in the order of their ids.

    `data` holds them in UTF-8, from one of the `places` to the next. `kinds` are indices into KINDS; `scores` and
    `times`, how often each occurs in the training text, are None where there are none, or they aren't known.
    """

    ids: Int32Array
    data: bytes
    places: Int64Array
    kinds: npt.NDArray[np.uint8]
    scores: npt.NDArray[np.float64] | None
    times: Int64Array | None

    def __len__(self) -> int:
        return len(self.ids)

    def matching(self, query: str) -> Int64Array:
        """Return the indices of the pieces in which a text occurs."""
        wanted, places = query.encode(), self.places.tolist()
        if not wanted:
            return np.arange(len(self))
        return np.array([at for at, ends in enumerate(pairwise(places)) if wanted in self.data[slice(*ends)]], np.int64)

    def in_order(self, rows: Int64Array, order: Order) -> Int64Array:
        """Return indices in an order; equal ones by their ids."""
        if order == "score" and self.scores is not None:
            rows = rows[np.argsort(-self.scores[rows], kind="stable")]  # those that are no numbers come last
        elif order == "length":
            begins_character = np.frombuffer(self.data, np.uint8) & 0xC0 != 0x80
            lengths = np.diff(np.append(0, begins_character.cumsum())[self.places])
            rows = rows[np.argsort(-lengths[rows], kind="stable")]
        elif order == "count" and self.times is not None:
            rows = rows[np.argsort(-self.times[rows], kind="stable")]
        return rows

    def row(self, at: int) -> dict[str, Any]:
        """Return the piece at an index, shortened, with what is known of it."""
        score = None if self.scores is None or np.isnan(self.scores[at]) else float(self.scores[at])
        return {
            "id": int(self.ids[at]),
            "piece": shorten(self.data[self.places[at] : self.places[at + 1]].decode("utf-8", "replace")),
            "kind": KINDS[self.kinds[at]],
            "score": score,
            "times": None if self.times is None else int(self.times[at]),
        }


def packed_table(packed: list[Packed]) -> list[dict[str, Any]]:
    """Return bytes and tokens under the trained tokenizer, which comes first, and under the known ones, if any (see
    `Packed`)."""
    labels = ["yours", *(_PEER_LABELS[peer] for peer in PEERS)]
    return [{"label": label, **each._asdict()} for label, each in zip(labels, packed, strict=False)]


def engine_result(name: str, tokenizer: GuardedTokenizer) -> dict[str, Any]:
    """Return what there is to say of a tokenizer of another library, and of its training if that is known."""
    trained = trainings.trained(tokenizer)
    report = trained.report if trained and isinstance(trained.report, EngineReport) else None
    listed = _pieces(name, tokenizer)
    made = registry.described(name)
    result: dict[str, Any] = {
        "made": made.as_data() if made else None,
        "algorithm": tokenizer.algorithm,
        "kinds": {
            kind: count
            for kind, count in zip(KINDS, np.bincount(listed.kinds, minlength=len(KINDS)).tolist(), strict=True)
            if count
        },
        "scored": listed.scores is not None,
        "ids": tokenizer.vocab_size,
        "measured_on": trained.measured_on if trained else "",
        "training": None,
    }
    if report is None:
        return result
    pieces = report.pieces
    return result | {
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


class Search(OfTokenizer):
    """A search among pieces for the body's query: 100 rows from the place `from`."""

    order: Order
    from_: int


@post("/trained/pieces", lanes.long_texts, MAX_QUERY, "search")
def pieces(asked: Search) -> Response:
    """Return rows of a vocabulary in whose piece the query occurs."""
    first = asked.from_
    listed = _pieces(asked.tokenizer, engine_named(asked.tokenizer))
    matches = listed.in_order(listed.matching(asked.text), asked.order)
    shown = [listed.row(at) for at in matches[first : first + MAX_ROWS].tolist()]
    return JSONResponse({"rows": shown, "matches": len(matches), "all": len(listed)})


def _pieces(name: str, tokenizer: GuardedTokenizer) -> Pieces:
    def listed() -> Pieces:
        columns, _ = tokenizer.run(list_pieces, text="", most=MAX_VOCABULARY)
        trained = trainings.trained(tokenizer)
        counts = trained.report.pieces.counts if trained and isinstance(trained.report, EngineReport) else None
        try:
            return _checked(columns, counts)
        except (LookupError, ValueError):
            raise Failed(f"{tokenizer.name}: its pieces can't be read") from None

    return registry.table(name, "pieces", listed)


def _checked(columns: Columns, counts: Int64Array | None) -> Pieces:
    """Return the pieces that a guarded process sent. Raises LookupError and ValueError if they can't be true."""
    ids, lengths, kinds = columns["ids"], columns["lengths"], columns["kinds"]
    scores, data = columns["scores"].view(np.float64), columns["bytes"].tobytes()
    places = np.append(0, np.cumsum(lengths, dtype=np.int64))
    if not len(ids) == len(lengths) == len(kinds) == len(scores) or places[-1] != len(data):
        raise ValueError
    if (np.diff(ids, prepend=-1) <= 0).any() or (lengths < 0).any() or (kinds >= len(KINDS)).any():
        raise ValueError
    is_scored = len(scores) > 0 and not np.isnan(scores).all()
    times = None if counts is None else counts[ids]
    return Pieces(ids.astype(np.int32), data, places, kinds.astype(np.uint8), scores if is_scored else None, times)


@post("/trained/read", lanes.long_texts, MAX_READ)
def read(asked: OfTokenizer) -> Response:
    """Return how the body's text is cut, with byte fallback on and off where there is that choice."""
    tokenizer, text = engine_named(asked.tokenizer), asked.text
    _, meta = tokenizer.run(read_text, text, text=text)
    return JSONResponse({"text": text, "ways": meta["ways"]})


def engine_named(name: str) -> GuardedTokenizer:
    """Return the tokenizer of another library with this name."""
    tokenizer = tokenizer_named(name)
    engine = as_engine(tokenizer)
    if engine is None:
        raise Refusal(422, f"{tokenizer.name} is not a tokenizer of another library, so it has no list of pieces.")
    return engine


def as_engine(tokenizer: Tokenizer) -> GuardedTokenizer | None:
    """Return a visitor's tokenizer if another library encodes for it, else None."""
    return tokenizer if isinstance(tokenizer, GuardedTokenizer) and tokenizer.algorithm else None
