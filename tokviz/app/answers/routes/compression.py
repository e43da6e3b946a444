"""Routes of the Compression page: the answer to a question, and files of it."""

import json
from itertools import starmap
from typing import TYPE_CHECKING, NamedTuple

from starlette.responses import Response

from tokviz.app.answers.asked import Asked
from tokviz.app.answers.requests import check_for_several, compressed, post, tokenizer_named
from tokviz.app.answers.visitors.visitor_tokenizers import labels_of
from tokviz.app.shields.fairness import lanes
from tokviz.app.shields.fairness.lanes import Lane
from tokviz.app.shields.json_bodies import as_object, read_object
from tokviz.app.shields.refusals import Refusal, refuse_invalid
from tokviz.pretokens.splitting import time_limit

if TYPE_CHECKING:
    from tokviz.app.answers.compression.questions import Asked as AskedOfTexts
    from tokviz.app.answers.compression.questions import Question

MAX_CHOSEN = 40
"""Maximum tokenizers of a question, which are more than pages offer."""

MAX_TEXTS = 100
"""Maximum texts of the reader's own that are compared: each is a row of a chart."""

MAX_SCALE = 800
"""Maximum size of a presented screen, in % of 1280 x 720."""

CUTTING_SECONDS = 5.0
"""Maximum seconds that untrusted split patterns may take for an answer: it cuts a text several times."""

_NO_OBJECT = "The request holds no JSON object where there should be one."


class Asking(Asked):
    """A question about the body's text, with its settings as JSON.

    `scale` is the size of a presented screen in % of 1280 x 720, or 0. With `texts`, the body is a JSON object whose
    `texts` are compared instead: pairs of a file's name and its text.
    """

    question: str
    tokenizers: str
    settings: str = "{}"
    texts: bool = False
    scale: int | None = None

    @property
    def names(self) -> list[str]:
        """Names of the tokenizers."""
        return [name for name in dict.fromkeys(self.tokenizers.split(",")) if name]


def _lane(asked: Asking) -> Lane:
    """Choose the lane for the text and all tokenizers of the question."""
    return lanes.charts if len(asked.body) * len(asked.names) <= lanes.MAX_MIDDLE else lanes.long_charts


@post("/compression", _lane)
def answer(asked: Asking) -> Response:
    """Answer a question with charts and tables (see `answers.answer`)."""
    from tokviz.app.answers.compression import answers  # loads Plotly, which takes a while

    scale = min(asked.needed("scale"), MAX_SCALE) / 100
    with time_limit(CUTTING_SECONDS):
        data = answers.answer(_question(asked), _of_texts(asked), scale)
    return compressed(json.dumps(data).encode(), "application/json", asked.request.headers)


class Texts(NamedTuple):
    """Texts to compare, as a body holds them: names of files, each with its text."""

    texts: list[tuple[str, str]]


class File(Asking):
    """A part of an answer, as rows or as a picture."""

    section: str
    picture: bool = False


@post("/compression/file", _lane)
def file(asked: File) -> Response:
    """Send the rows of a section of an answer as CSV, or the Plotly figure of a picture of it."""
    from tokviz.app.answers.compression import answers
    from tokviz.app.answers.compression.sections import NoSection

    try:
        with refuse_invalid(), time_limit(CUTTING_SECONDS):
            section = answers.section(_question(asked), _of_texts(asked), asked.section)
            if asked.picture:
                return Response(section.picture(), media_type="application/json")
            return Response(section.csv(), media_type="text/csv; charset=utf-8; header=present")
    except NoSection:
        raise Refusal(404, "The page no longer shows this part. Reload the page and try again.") from None


def _question(asked: Asking) -> "Question":
    from tokviz.app.answers.compression.questions import QUESTIONS

    fields = next((each for each in QUESTIONS if each.name == asked.question), None)
    if fields is None:
        raise Refusal(400, "There is no question of this name.")
    return fields


def _of_texts(asked: Asking) -> "AskedOfTexts":
    from tokviz.app.answers.compression.analyses import Choice
    from tokviz.app.answers.compression.questions import Asked as AskedOfTexts

    names = asked.names
    if len(names) > MAX_CHOSEN:
        raise Refusal(400, f"A question takes up to {MAX_CHOSEN} tokenizers, not {len(names)}.")
    check_for_several(len(asked.body), names, "An answer")
    for name in names:
        tokenizer_named(name)
    chosen = list(starmap(Choice, labels_of(names, asked.request.cookies).items()))
    settings = as_object(asked.settings.encode(), _NO_OBJECT)
    if not asked.texts:
        return AskedOfTexts(asked.text, chosen, settings)
    pairs = read_object(Texts, asked.body, "The texts have to be strings, each with a name.").texts
    texts = {name.removesuffix(".txt"): text for name, text in pairs}
    if len(texts) > MAX_TEXTS:
        raise Refusal(400, f"Up to {MAX_TEXTS} texts are compared, not {len(texts):,}.")
    return AskedOfTexts("", chosen, settings, texts)
