"""Routes of the Compare page: tokenizers on one text, with reasons and as a web page, and two texts side by side."""

import re
from typing import Any

import numpy as np
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from tokviz.analysis.classes import CLASSES
from tokviz.analysis.comparison.compare import Comparison, compare
from tokviz.analysis.comparison.compare_texts import compare_texts
from tokviz.analysis.comparison.explain_texts import explain_comparison
from tokviz.analysis.comparison.inputs import MOST_TOKENIZERS
from tokviz.app.fairness import lanes
from tokviz.app.fairness.lanes import Lane
from tokviz.app.http.refusals import Refusal, refuse_invalid
from tokviz.app.http.requests import (
    MAX_TOGETHER,
    LaneOf,
    as_text,
    check_for_engines,
    check_for_several,
    cut_body,
    flag,
    in_lane,
    is_short,
    language,
    packed,
    parameter,
    tokenizer_for,
)
from tokviz.app.http.routes.pictures import columns_of
from tokviz.app.visitors.visitor_tokenizers import labels_of
from tokviz.widgets.columns import comparison_columns, reason_columns
from tokviz.widgets.comparison_svg import comparison_svg
from tokviz.widgets.comparisons import explained, page
from tokviz.widgets.text_columns import MAX_BYTES

MAX_EXPLAINED = 200

MAX_TEXTS_EXPLAINED = 100_000
"""Maximum bytes of two texts together whose differences are explained in sentences."""

MAX_PAGE = 4_000_000
"""Maximum bytes of a text times the tokenizers for a comparison saved as a web page, which takes more memory."""

# Time relative to comparing alone: finding reasons encodes the text again with exchanged patterns.
_WITH_REASONS = 4
# Time relative to comparing alone, with reasons put into sentences.
_WITH_SENTENCES = 20


def _lane(relative_time: int = 1, limit: int = MAX_TOGETHER, what: str = "Comparing") -> LaneOf:
    """Return a function that chooses the lane of a route, whose time is relative to comparing alone.

    Texts times tokenizers that are longer than `limit` are refused. Comparing alone is quick for a short text; reasons
    rank the merges of large vocabularies, which takes a while the first time.
    """

    def choose(request: Request, size: int) -> Lane | None:
        names = _names(request)
        check_for_several(size, names, what, limit)
        is_quick = relative_time == 1 and is_short(size * len(names), names)
        return None if is_quick else lanes.for_text(size * len(names) * relative_time)

    return choose


# compare


@in_lane(lambda request, size: _lane(_WITH_REASONS if flag(request, "reasons") else 1)(request, size))
def comparison(request: Request, body: bytes) -> Response:
    """Compare several tokenizers on the body's text: columns over their tokens, segments and differences."""
    compared = _comparison(request, body)
    named, meta = comparison_columns(compared)
    return packed(named | (reason_columns(compared) if flag(request, "reasons") else {}), meta, request.headers)


# reasons


@in_lane(_lane(_WITH_REASONS))
def reasons(request: Request, body: bytes) -> Response:
    """Send only the reasons for the differences, for long texts, whose reasons are requested later."""
    return packed(reason_columns(_comparison(request, body)), {}, request.headers)


# page


@in_lane(_lane(_WITH_SENTENCES, MAX_PAGE, "Saving a comparison"))
def comparison_page(request: Request, body: bytes) -> Response:
    """Send the compared text with its reasons as a web page to save, which works offline."""
    html = page(_comparison(request, body), language(request))
    return HTMLResponse(html, headers={"content-disposition": 'attachment; filename="differences.html"'})


# picture


def _lane_of_picture(request: Request, size: int) -> Lane:
    """Choose the lane for a picture: drawing takes much longer than comparing."""
    check_for_several(size, _names(request), "Comparing", MAX_TOGETHER)
    return lanes.drawing


@in_lane(_lane_of_picture, MAX_BYTES)
def comparison_picture(request: Request, body: bytes) -> Response:
    """Draw where tokenizers differ on a short text, as SVG."""
    columns, dark = columns_of(request), flag(request, "dark")
    with refuse_invalid():
        svg = comparison_svg(_comparison(request, body), columns, "save the differences as a web page", dark=dark)
    return Response(svg, media_type="image/svg+xml")


# explain


@in_lane(_lane(_WITH_REASONS))
def explanations(request: Request, body: bytes) -> Response:
    """Explain why segments of the body's text are cut differently (see `widgets.comparisons.explained`).

    `segments` lists byte ranges, such as 12-15,40-44. For a long text, the browser sends only a part, and says whether
    the text continues `before` and `after` it. The result is null instead of an explanation for a range that is not a
    segment, and for a segment with a pre-token that may extend beyond the part: the whole text may be cut differently.
    """
    wanted, continues = _segments(request), (flag(request, "before"), flag(request, "after"))
    compared = _comparison(request, body)
    return JSONResponse({"explanations": [_explanation(compared, *segment, continues) for segment in wanted]})


def _explanation(compared: Comparison, start: int, end: int, continues: tuple[bool, bool]) -> dict[str, Any] | None:
    segment = int(np.searchsorted(compared.boundaries, start))
    if compared.boundaries[segment : segment + 2].tolist() != [start, end] or _is_cut_off(
        compared, segment, *continues
    ):
        return None
    return explained(compared, segment)


def _is_cut_off(compared: Comparison, segment: int, before: bool, after: bool) -> bool:
    """Return whether a pre-token of the segment may extend beyond the text, which continues `before` or `after` it."""
    for tokenization, starts in zip(compared.tokenizations, compared.token_starts, strict=True):
        pretokens = tokenization.pretoken_index
        first, last = pretokens[starts[segment]], pretokens[starts[segment + 1] - 1]
        if (before and first == pretokens[0]) or (after and last == pretokens[-1]):
            return True
    return False


def _segments(request: Request) -> list[tuple[int, int]]:
    wanted = parameter(request, "segments")
    if not re.fullmatch("[0-9]{1,9}-[0-9]{1,9}(,[0-9]{1,9}-[0-9]{1,9})*", wanted):
        raise Refusal(400, "“segments” must be pairs of bytes, as in 12-15,40-44.")
    pairs = [(int(start), int(end)) for start, _, end in (pair.partition("-") for pair in wanted.split(","))]
    if len(pairs) > MAX_EXPLAINED:
        raise Refusal(400, f"No more than {MAX_EXPLAINED} segments are explained at once.")
    return pairs


# texts


def _lane_of_texts(request: Request, size: int) -> Lane:
    """Choose the lane for two texts: explaining them ranks the merges of a vocabulary, which takes a while at first."""
    check_for_engines(size, [parameter(request, "tokenizer")])
    return lanes.for_text(size * _WITH_REASONS)


@in_lane(_lane_of_texts)
def texts(request: Request, body: bytes) -> Response:
    """Compare two texts under one tokenizer: the first `first` bytes of the body, and the rest.

    `sentences` explain what changes between their tokens, and why; there are none for texts over `MAX_TEXTS_EXPLAINED`.
    """
    name, special = parameter(request, "tokenizer"), flag(request, "special")
    one, other = map(as_text, cut_body(request, body, "first"))
    allowed = "all" if special else ()
    with refuse_invalid():  # the alphabet lacks a character
        tokenizer = tokenizer_for(one + other, name, None)
        compared = compare_texts(one, other, tokenizer, allowed_special=allowed)
        is_explained = len(body) <= MAX_TEXTS_EXPLAINED
        sentences = explain_comparison(compared, tokenizer, allowed).sentences if is_explained else ()
    sides = zip(compared.tokenizations, compared.class_counts, strict=True)
    described = [
        {"tokens": len(tokenization), "bytes": len(tokenization.data), "class_counts": counts.tolist()}
        for tokenization, counts in sides
    ]
    return JSONResponse({"texts": described, "classes": CLASSES, "sentences": sentences})


# Shared by these routes


def _names(request: Request) -> list[str]:
    names = parameter(request, "tokenizers").split(",")
    if not 2 <= len(names) <= MOST_TOKENIZERS:
        raise Refusal(400, f"A comparison takes 2 to {MOST_TOKENIZERS} tokenizers, not {len(names)}.")
    return names


def _comparison(request: Request, body: bytes) -> Comparison:
    names, text = _names(request), as_text(body)
    by_name = {name: tokenizer_for(text, name, None) for name in dict.fromkeys(names)}
    tokenizers = [by_name[name] for name in names]
    labels = labels_of(names, request.cookies)
    with refuse_invalid():  # an alphabet lacks a character
        return compare(text, tokenizers, "all" if flag(request, "special") else (), [labels[name] for name in names])


routes: list[BaseRoute] = [
    Route("/compare", comparison, methods=["POST"]),
    Route("/compare/reasons", reasons, methods=["POST"]),
    Route("/compare/page", comparison_page, methods=["POST"]),
    Route("/compare/picture", comparison_picture, methods=["POST"]),
    Route("/compare/explain", explanations, methods=["POST"]),
    Route("/compare/texts", texts, methods=["POST"]),
]
