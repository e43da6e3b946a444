"""The class pack: lesson and course as one HTML page that needs no network.

The lesson has its slides and everything that they open. Its sheet has the same questions; each link of the sheet is
replaced by its figure, which is drawn when it is unfolded. The course's chapters follow, with all answers to what their
figures ask.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from html import escape
from typing import Any
from urllib.parse import parse_qsl

from tokviz.course import checking
from tokviz.course.chapters import CHAPTERS, FIGURE_MODULES, chapter, contents
from tokviz.course.figure import as_json
from tokviz.course.figures import FIGURES
from tokviz.lesson.figures import figure
from tokviz.lesson.sheet import STYLE, pack_sheet
from tokviz.lesson.slides import slides
from tokviz.lesson.steps import Link, lesson
from tokviz.pretokens.splitting import PATTERNS
from tokviz.samples import sample
from tokviz.tokenizers.train import train
from tokviz.widgets.columns import learn_columns
from tokviz.widgets.html import standalone_page
from tokviz.widgets.wire import pack


@cache
def class_pack() -> str:
    """Render the whole page. Save it as UTF-8."""
    data = slides(lambda link: "")
    links = [link for step in lesson().steps for link in (*step.links, *step.afterwards)]
    numbers = {id(link): number for number, link in enumerate(links)}
    figures = [each for step in data["steps"] for each in step["figures"]]
    for each, link in zip(figures, links, strict=True):
        each["shown"] = _shown(link)
    words = lesson().words["pack"]
    data["words"]["leave"] = words["leave"]
    sheet = pack_sheet(lambda link: _fold(link, numbers[id(link)]))
    introduction = f'{escape(words["introduction"])} <a href="#course">{escape(words["course"])}</a>'
    beneath = f'<p>{introduction}</p>{sheet}<section id="course"></section>'
    sent = {"lesson": data, "course": packed_course()}
    page, style = lesson().words["page"], STYLE.read_text("utf-8")
    late = ("course/parts.js", *(f"course/figures/{path.name}" for path in sorted(FIGURE_MODULES.glob("*.js"))))
    return standalone_page("slides", sent, page["title"], beneath, style, page, late)


def _shown(link: Link) -> dict[str, Any]:
    found = figure(link)
    return {"widget": found.widget, "data": found.data, "title": found.title}


def _fold(link: Link, number: int) -> str:
    """Render a link as an element to unfold, with its place among the figures of all slides."""
    return f'<details class="live" data-figure="{number}"><summary>{escape(link.label)}</summary><div></div></details>'


# The course as data

Answer = tuple[str, Any]
"""A question, as the key that `keyOf` in packed.js makes of it, and its answer."""

ANNA_KARENINA = "training-anna-karenina"


@cache
def packed_course() -> dict[str, Any]:
    """Return the course as data for its widget: its contents, and all answers by what is asked."""
    return {"chapters": contents(), "answers": dict(answer for name in CHAPTERS for answer in answers(name))}


def answers(name: str) -> Iterator[Answer]:
    """Yield a chapter, and what its figures ask."""
    blocks = chapter(name).blocks
    first = chapter(name).first_values
    put_in = [(part.target, part.value) for block in blocks for part in block.all_parts if part.kind == "figure"]
    yield _asked("course/chapter", name), chapter(name).as_data()
    for figure_name, value in (*first.items(), *put_in):
        if figure_name in ELSEWHERE:
            yield from ELSEWHERE[figure_name](value)
        elif figure_name in FIGURES:
            asks = FIGURES[figure_name].asks
            questions = asks(value, first[figure_name]) if asks else [(figure_name, value, {})]
            yield from (_described(*question) for question in questions)


def _asked(route: str, *parameters: object) -> str:
    """Return the key of a question: its route, the values of its query, and the text, if there are any."""
    return as_json([route, *map(str, parameters)])


def _described(name: str, text: str, options: Mapping[str, str]) -> Answer:
    return _asked(f"course/figure/{name}", *options.values(), text), FIGURES[name].answer(text, options)


# Figures that ask other routes


def _windows(value: str) -> Iterator[Answer]:
    """Follow the page, and the example that stands for the reader's own text."""
    text, example = sample(ANNA_KARENINA).text, value.partition(";")[2]
    yield _asked("sample", ANNA_KARENINA), {"text": text}
    yield _learned(text, "none", 20)
    if example:
        yield _learned(example, "none", 20)


def _uncut(value: str) -> Iterator[Answer]:
    for pattern in ("none", "gpt2"):
        yield _learned(value, pattern, 30)


def _learned(text: str, pattern: str, merges: int) -> Answer:
    """Learn merges as learned.js asks for them."""
    trained = train(text, num_merges=merges, split_pattern=PATTERNS.get(pattern))
    columns = pack(*learn_columns(trained.replay(text)))
    return _asked("replay/learn", "bytes", "first-seen", 0, pattern, merges, text), columns


def _checked(route: str, value: str) -> Iterator[Answer]:
    """Follow a solution, and the step where it goes wrong."""
    fields = dict(parse_qsl(value, keep_blank_values=True))
    checked = (checking.check_ids if route == "ids" else checking.check_merges)(fields)
    yield _asked(f"course/figure/{route}", as_json(fields)), checked
    if checked["link"]:
        yield _asked("figure", as_json(checked["link"])), json.loads(figure(Link(**checked["link"])).as_json())


ELSEWHERE: dict[str, Callable[[str], Iterator[Answer]]] = {
    "windows": _windows,
    "uncut": _uncut,
    "ids": partial(_checked, "ids"),
    "merges": partial(_checked, "merges"),
}
"""Answers of figures that ask other routes, about a value."""
