"""Routes of the Compression page: the answer to a question, and files of it."""

import json
from itertools import starmap
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from tokviz.app.fairness import lanes
from tokviz.app.fairness.lanes import Lane
from tokviz.app.http.json_bodies import as_object
from tokviz.app.http.refusals import Refusal, refuse_invalid
from tokviz.app.http.requests import (
    as_text,
    check_for_several,
    compressed,
    flag,
    in_lane,
    parameter,
    tokenizer_named,
    whole_number,
)
from tokviz.app.visitors.visitor_tokenizers import labels_of
from tokviz.pretokens.splitting import time_limit

if TYPE_CHECKING:
    from tokviz.app.compression.questions import Asked, Question

MAX_CHOSEN = 40
"""Maximum tokenizers of a question, which are more than pages offer."""

MAX_TEXTS = 100
"""Maximum texts of the reader's own that are compared: each is a row of a chart."""

MAX_SCALE = 800
"""Maximum size of a presented screen, in % of 1280 x 720."""

CUTTING_SECONDS = 5.0
"""Maximum seconds that untrusted split patterns may take for an answer: it cuts a text several times."""

_NO_OBJECT = "The request holds no JSON object where there should be one."


def _lane(request: Request, size: int) -> Lane:
    """Choose the lane for a text of `size` bytes and all tokenizers of the question."""
    return lanes.charts if size * len(_names(request)) <= lanes.MAX_MIDDLE else lanes.long_charts


def _names(request: Request) -> list[str]:
    return [name for name in dict.fromkeys(parameter(request, "tokenizers").split(",")) if name]


@in_lane(_lane)
def answer(request: Request, body: bytes) -> Response:
    """Answer a question about the body's text with charts and tables (see `answers.answer`).

    `scale` is the size of a presented screen in % of 1280 x 720, or 0. With the parameter `texts`, the body is a JSON
    object whose `texts` are compared instead: pairs of a file's name and its text.
    """
    from tokviz.app.compression import answers  # loads Plotly, which takes a while

    scale = min(whole_number(request, "scale"), MAX_SCALE) / 100
    with time_limit(CUTTING_SECONDS):
        data = answers.answer(_question(request), _asked(request, body), scale)
    return compressed(json.dumps(data).encode(), "application/json", request.headers)


@in_lane(_lane)
def file(request: Request, body: bytes) -> Response:
    """Send the rows of a `section` of an answer as CSV, or the Plotly figure of a picture of it."""
    from tokviz.app.compression import answers
    from tokviz.app.compression.sections import NoSection

    try:
        with refuse_invalid(), time_limit(CUTTING_SECONDS):
            section = answers.section(_question(request), _asked(request, body), parameter(request, "section"))
            if flag(request, "picture"):
                return Response(section.picture(), media_type="application/json")
            return Response(section.csv(), media_type="text/csv; charset=utf-8; header=present")
    except NoSection:
        raise Refusal(404, "The page no longer shows this part. Reload the page and try again.") from None


def _question(request: Request) -> "Question":
    from tokviz.app.compression.questions import QUESTIONS

    name = parameter(request, "question")
    fields = next((each for each in QUESTIONS if each.name == name), None)
    if fields is None:
        raise Refusal(400, "There is no question of this name.")
    return fields


def _asked(request: Request, body: bytes) -> "Asked":
    from tokviz.app.compression.analyses import Choice
    from tokviz.app.compression.questions import Asked

    names = _names(request)
    if len(names) > MAX_CHOSEN:
        raise Refusal(400, f"A question takes up to {MAX_CHOSEN} tokenizers, not {len(names)}.")
    check_for_several(len(body), names, "An answer")
    for name in names:
        tokenizer_named(name)
    chosen = list(starmap(Choice, labels_of(names, request.cookies).items()))
    settings = as_object(request.query_params.get("settings", "{}").encode(), _NO_OBJECT)
    if not flag(request, "texts"):
        return Asked(as_text(body), chosen, settings)
    match as_object(body, _NO_OBJECT):
        case {"texts": [*pairs]} if all(map(_is_named_text, pairs)):
            texts = {name.removesuffix(".txt"): text for name, text in pairs}
        case _:
            raise Refusal(400, "The texts have to be strings, each with a name.")
    if len(texts) > MAX_TEXTS:
        raise Refusal(400, f"Up to {MAX_TEXTS} texts are compared, not {len(texts):,}.")
    return Asked("", chosen, settings, texts)


def _is_named_text(sent: object) -> bool:
    return isinstance(sent, list) and [type(each) for each in sent] == [str, str]


routes: list[BaseRoute] = [
    Route("/compression", answer, methods=["POST"]),
    Route("/compression/file", file, methods=["POST"]),
]
