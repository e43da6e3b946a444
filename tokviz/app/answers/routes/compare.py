"""Routes of the Compare page: tokenizers on one text, with reasons and as a web page, and two texts side by side."""

from typing import Annotated, Any

import numpy as np
from starlette.responses import HTMLResponse, JSONResponse, Response

from tokviz.analysis.classes import CLASSES
from tokviz.analysis.comparison.compare import MOST_TOKENIZERS, Comparison, compare
from tokviz.analysis.comparison.compare_texts import compare_texts
from tokviz.analysis.comparison.explain_texts import explain_comparison
from tokviz.app.answers.asked import Asked, Language, OfText, as_text, cut, matching
from tokviz.app.answers.requests import (
    MAX_TOGETHER,
    LaneOf,
    check_for_engines,
    check_for_several,
    is_short,
    packed,
    post,
    tokenizer_for,
)
from tokviz.app.answers.routes.pictures import Picture
from tokviz.app.answers.visitors.visitor_tokenizers import labels_of
from tokviz.app.shields.fairness import lanes
from tokviz.app.shields.fairness.lanes import Lane
from tokviz.app.shields.refusals import Refusal, refuse_invalid
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


def _names(value: str) -> tuple[str, ...]:
    names = tuple(value.split(","))
    if not 2 <= len(names) <= MOST_TOKENIZERS:
        raise Refusal(400, f"A comparison takes 2 to {MOST_TOKENIZERS} tokenizers, not {len(names)}.")
    return names


class Compared(Asked):
    """Tokenizers to compare on the body's text."""

    tokenizers: Annotated[tuple[str, ...], _names]
    special: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the tokenizers."""
        return self.tokenizers


def _lane(relative_time: int = 1, limit: int = MAX_TOGETHER, what: str = "Comparing") -> LaneOf:
    """Return a function that chooses the lane of a route, whose time is relative to comparing alone.

    Texts times tokenizers that are longer than `limit` are refused. Comparing alone is quick for a short text; reasons
    rank the merges of large vocabularies, which takes a while the first time.
    """

    def choose(asked: Compared) -> Lane | None:
        size, names = len(asked.body), asked.names
        check_for_several(size, names, what, limit)
        is_quick = relative_time == 1 and is_short(size * len(names), names)
        return None if is_quick else lanes.for_text(size * len(names) * relative_time)

    return choose


class WithReasons(Compared):
    """A comparison whose reasons may be wanted at once."""

    reasons: bool = False


@post("/compare", lambda asked: _lane(_WITH_REASONS if asked.reasons else 1)(asked))
def comparison(asked: WithReasons) -> Response:
    """Compare several tokenizers on the body's text: columns over their tokens, segments and differences."""
    compared = _comparison(asked)
    named, meta = comparison_columns(compared)
    return packed(named | (reason_columns(compared) if asked.reasons else {}), meta, asked.request.headers)


@post("/compare/reasons", _lane(_WITH_REASONS))
def reasons(asked: Compared) -> Response:
    """Send only the reasons for the differences, for long texts, whose reasons are requested later."""
    return packed(reason_columns(_comparison(asked)), {}, asked.request.headers)


class Page(Compared):
    """A comparison to save as a web page."""

    lang: Language = ""


@post("/compare/page", _lane(_WITH_SENTENCES, MAX_PAGE, "Saving a comparison"))
def comparison_page(asked: Page) -> Response:
    """Send the compared text with its reasons as a web page to save, which works offline."""
    html = page(_comparison(asked), asked.lang)
    return HTMLResponse(html, headers={"content-disposition": 'attachment; filename="differences.html"'})


class Drawn(Compared, Picture):
    """A comparison to draw."""


def _lane_of_picture(asked: Drawn) -> Lane:
    """Choose the lane for a picture: drawing takes much longer than comparing."""
    check_for_several(len(asked.body), asked.names, "Comparing", MAX_TOGETHER)
    return lanes.drawing


@post("/compare/picture", _lane_of_picture, MAX_BYTES)
def comparison_picture(asked: Drawn) -> Response:
    """Draw where tokenizers differ on a short text, as SVG."""
    with refuse_invalid():
        instead = "save the differences as a web page"
        svg = comparison_svg(_comparison(asked), asked.columns, instead, dark=asked.dark)
    return Response(svg, media_type="image/svg+xml")


def _segments(wanted: str) -> list[tuple[int, int]]:
    pairs = [(int(start), int(end)) for start, _, end in (pair.partition("-") for pair in wanted.split(","))]
    if len(pairs) > MAX_EXPLAINED:
        raise Refusal(400, f"No more than {MAX_EXPLAINED} segments are explained at once.")
    return pairs


_PAIRS = matching("[0-9]{1,9}-[0-9]{1,9}(,[0-9]{1,9}-[0-9]{1,9})*", "pairs of bytes, as in 12-15,40-44", _segments)


class Explained(Compared):
    """Segments to explain, as ranges of bytes, such as 12-15,40-44.

    For a long text, the browser sends only a part, and says whether the text continues `before` and `after` it.
    """

    segments: Annotated[list[tuple[int, int]], _PAIRS]
    before: bool = False
    after: bool = False


@post("/compare/explain", _lane(_WITH_REASONS))
def explanations(asked: Explained) -> Response:
    """Explain why segments of the body's text are cut differently (see `widgets.comparisons.explained`).

    The result is null instead of an explanation for a range that is not a segment, and for a segment with a pre-token
    that may extend beyond the part: the whole text may be cut differently.
    """
    compared, continues = _comparison(asked), (asked.before, asked.after)
    return JSONResponse({"explanations": [_explanation(compared, *each, continues) for each in asked.segments]})


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


class Texts(OfText):
    """Two texts to compare, the first of so many bytes."""

    first: int


def _lane_of_texts(asked: Texts) -> Lane:
    """Choose the lane for two texts: explaining them ranks the merges of a vocabulary, which takes a while at first."""
    check_for_engines(len(asked.body), asked.names)
    return lanes.for_text(len(asked.body) * _WITH_REASONS)


@post("/compare/texts", _lane_of_texts)
def texts(asked: Texts) -> Response:
    """Compare two texts under one tokenizer.

    `sentences` explain what changes between their tokens, and why; there are none for texts over `MAX_TEXTS_EXPLAINED`.
    """
    one, other = map(as_text, cut(asked.body, asked.first, "first"))
    with refuse_invalid():  # the alphabet lacks a character
        tokenizer = tokenizer_for(one + other, asked.tokenizer, None)
        compared = compare_texts(one, other, tokenizer, allowed_special=asked.allowed)
        is_explained = len(asked.body) <= MAX_TEXTS_EXPLAINED
        sentences = explain_comparison(compared, tokenizer, asked.allowed).sentences if is_explained else ()
    sides = zip(compared.tokenizations, compared.class_counts, strict=True)
    described = [
        {"tokens": len(tokenization), "bytes": len(tokenization.data), "class_counts": counts.tolist()}
        for tokenization, counts in sides
    ]
    return JSONResponse({"texts": described, "classes": CLASSES, "sentences": sentences})


def _comparison(asked: Compared) -> Comparison:
    names, text = asked.names, asked.text
    by_name = {name: tokenizer_for(text, name, None) for name in dict.fromkeys(names)}
    tokenizers = [by_name[name] for name in names]
    labels = labels_of(names, asked.request.cookies)
    with refuse_invalid():  # an alphabet lacks a character
        return compare(text, tokenizers, "all" if asked.special else (), [labels[name] for name in names])
