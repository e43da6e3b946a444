"""The class pack: lesson and course as one HTML page that needs no network.

The lesson has its slides and everything that they open. Its sheet has the same questions; each link of the sheet is
replaced by its figure, which is drawn when it is unfolded. The course's chapters follow (see `packed`).
"""

from functools import cache
from html import escape
from typing import Any

from tokviz.course.chapters import FIGURE_MODULES
from tokviz.course.packed import packed_course
from tokviz.lesson.figures import figure
from tokviz.lesson.sheet import STYLE, pack_sheet
from tokviz.lesson.slides import slides
from tokviz.lesson.steps import Link, lesson
from tokviz.widgets.html import standalone_page


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
    pack = {"lesson": data, "course": packed_course()}
    page, style = lesson().words["page"], STYLE.read_text("utf-8")
    late = ("course/parts.js", *(f"course/figures/{path.name}" for path in sorted(FIGURE_MODULES.glob("*.js"))))
    return standalone_page("slides", pack, page["title"], beneath, style, page, late)


def _shown(link: Link) -> dict[str, Any]:
    found = figure(link)
    return {"widget": found.widget, "data": found.data, "title": found.title}


def _fold(link: Link, number: int) -> str:
    """Render a link as an element to unfold, with its place among the figures of all slides."""
    return f'<details class="live" data-figure="{number}"><summary>{escape(link.label)}</summary><div></div></details>'
