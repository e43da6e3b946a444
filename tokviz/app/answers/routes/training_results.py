"""Routes for the result of a training, or an opened tokenizer: its figures, its vocabulary, and its files."""

import re
from collections import Counter
from dataclasses import asdict
from typing import Any
from urllib.parse import quote

import numpy as np
from starlette.responses import JSONResponse, Response

from tokviz.analysis.training.glimpse import glimpse, spell, tokens_left
from tokviz.analysis.training.report import Report, TokenRow, token_rows, used_tokens
from tokviz.analysis.vocabulary.audit import AuditRow, audit_rows, goes_across_words
from tokviz.analysis.vocabulary.contents import vocabulary_size
from tokviz.analysis.vocabulary.search import Filter, Order, SearchBy, in_order, passing, search
from tokviz.app.answers.asked import OfTokenizer
from tokviz.app.answers.compression import analyses
from tokviz.app.answers.requests import get, post, tokenizer_named
from tokviz.app.answers.routes.pieces import as_engine, engine_result, packed_table
from tokviz.app.answers.saved_files import saved_files
from tokviz.app.answers.visitors.kept_tokenizers import registry
from tokviz.app.answers.visitors.trainings import trainings
from tokviz.app.shields.fairness import lanes
from tokviz.app.shields.fairness.lanes import Lane
from tokviz.app.shields.refusals import Refusal, refuse_invalid
from tokviz.arrays import Int64Array
from tokviz.tokenizers.bpe import BPETokenizer

MAX_ROWS = 100
"""Maximum rows of a vocabulary that are sent at a time."""

MAX_QUERY = 1_000
"""Maximum bytes of a search."""

MAX_LEFT = 10_000
"""Maximum merges after each of which the tokens left are sent; of longer trainings, the curve has some of them."""

_MAX_SPELLED = 200  # characters of a token


@get("/trained", lanes.long_texts)
def result(asked: OfTokenizer) -> Response:
    """Return what there is to say of a visitor's tokenizer, and what its training looked like at the end."""
    name = asked.tokenizer
    if engine := as_engine(tokenizer_named(name)):
        return JSONResponse(engine_result(name, engine))
    tokenizer = _merging(name)
    trained = trainings.trained(tokenizer)
    report = trained.report if trained and isinstance(trained.report, Report) else None
    training = tokenizer.training
    looked = trained.glimpse if trained else glimpse(tokenizer, "", MAX_ROWS) if training is not None else None
    made = registry.described(name)
    answer: dict[str, Any] = {
        "made": made.as_data() if made else None,
        "size": asdict(vocabulary_size(tokenizer)),
        "merges": tokenizer.num_merges,
        "stopped": training.stopped if training is not None else "",
        "units": tokenizer.alphabet.units,
        "split": bool(tokenizer.split_patterns),
        "special": bool(tokenizer.special_tokens),
        "left": tokens_left(training).tolist() if training is not None and tokenizer.num_merges <= MAX_LEFT else None,
        "glimpse": looked.as_data() if looked else None,
        "measured_on": trained.measured_on if trained else "",
        "learned": packed_table(report.learned_from) if report else [],
        "measured": packed_table(report.measured) if report else [],
        "used": used_tokens(_rows(name, tokenizer)) if report else None,
    }
    return JSONResponse(answer)


class Search(OfTokenizer):
    """A search in a vocabulary for the body's query: 100 rows from the place `from`.

    `show` and `kind`, one of the kinds in the answer, leave out others.
    """

    by: SearchBy
    order: Order
    from_: int
    show: Filter = "all"
    kind: str = ""


def _lane_of_search(asked: Search) -> Lane:
    """Choose the lane for a search: to find out how each token is reached takes seconds."""
    return lanes.finding if asked.show in ("all", "across words") else lanes.long_texts


@post("/trained/vocabulary", _lane_of_search, MAX_QUERY, "search")
def vocabulary(asked: Search) -> Response:
    """Return rows of a vocabulary that a search finds."""
    name, tokenizer = asked.tokenizer, _merging(asked.tokenizer)
    rows = _rows(name, tokenizer)
    kinds = analyses.kinds(name)
    with refuse_invalid():
        chosen = _chosen(asked, tokenizer, rows)
        matches = in_order(search(chosen, asked.text, asked.by), asked.order)
    shown = [_row(tokenizer, row) for row in matches[asked.from_ : asked.from_ + MAX_ROWS]]
    in_use = [kind for kind, _ in Counter(kinds.values()).most_common()]
    return JSONResponse({"rows": shown, "matches": len(matches), "all": len(rows), "kinds": in_use})


def _chosen(asked: Search, tokenizer: BPETokenizer, rows: list[TokenRow]) -> list[TokenRow]:
    """Return the rows that a search lets through."""
    name, show, kind = asked.tokenizer, asked.show, asked.kind
    if kind:
        kinds = analyses.kinds(name)
        rows = [row for row in rows if kinds[row.id] == kind]
    if show == "all":
        return rows
    if show == "across words":
        return [row for row in rows if goes_across_words(row.text)]
    counts = _counts(tokenizer)
    if counts is None and show in ("unused", "glitches"):
        raise ValueError(
            "Which tokens are used can't be shown: the server doesn't have the text that they were learned from"
        )
    passed = passing(_audited(name, tokenizer), show)
    return [row for row in rows if row.id in passed]


def _audited(name: str, tokenizer: BPETokenizer) -> list[AuditRow]:
    def audited() -> list[AuditRow]:
        counts = _counts(tokenizer)
        counts = np.zeros(tokenizer.vocab_size, np.int64) if counts is None else counts
        return audit_rows(tokenizer, analyses.vocabulary(name), analyses.reach(name), counts)

    return registry.table(name, "audit", audited)


def _rows(name: str, tokenizer: BPETokenizer) -> list[TokenRow]:
    return registry.table(name, "rows", lambda: token_rows(tokenizer, _counts(tokenizer)))


def _counts(tokenizer: BPETokenizer) -> Int64Array | None:
    """Return how often each token occurs in the training texts, by id; None if that isn't known."""
    trained = trainings.trained(tokenizer)
    return trained.report.counts if trained and isinstance(trained.report, Report) else None


def _row(tokenizer: BPETokenizer, row: TokenRow) -> dict[str, Any]:
    parts = [spell(tokenizer, part, _MAX_SPELLED) for part in (row.left, row.right) if part is not None]
    return {
        "id": row.id,
        "merge": None if row.rank is None else row.rank + 1,
        "token": spell(tokenizer, row.id, _MAX_SPELLED),
        "parts": parts,
        "bytes": row.length,
        "times": row.times,
        "count": row.pair_count,
        "tied": row.tied,
    }


@get("/trained/files", lanes.long_texts)
def files(asked: OfTokenizer) -> Response:
    """List the files of a tokenizer: title, name, and what each does not hold. One without a name can't be written."""
    name = asked.tokenizer
    tokenizer_named(name)
    return JSONResponse(
        [{"title": each.title, "name": each.name if each.data else "", "says": each.says} for each in saved_files(name)]
    )


class File(OfTokenizer):
    """A file of a tokenizer, by its name."""

    file: str


@get("/trained/file", lanes.long_texts)
def file(asked: File) -> Response:
    """Send a file of a tokenizer."""
    tokenizer_named(asked.tokenizer)
    saved = next((each for each in saved_files(asked.tokenizer) if each.data and each.name == asked.file), None)
    if saved is None:
        raise Refusal(404, "This tokenizer has no file of this name.")
    headers = {"content-disposition": _attachment(saved.name)}
    return Response(saved.data, media_type="application/octet-stream", headers=headers)


def _attachment(name: str) -> str:
    """Return the header for a file to save, whose name may be a stranger's."""
    is_plain = re.fullmatch(r"[\w.-]+", name, re.ASCII)
    return f'attachment; filename="{name}"' if is_plain else f"attachment; filename*=UTF-8''{quote(name, safe='')}"


def _merging(name: str) -> BPETokenizer:
    tokenizer = tokenizer_named(name)
    if not isinstance(tokenizer, BPETokenizer):
        raise Refusal(422, f"{tokenizer.name}: this tokenizer merges nothing.")
    return tokenizer
