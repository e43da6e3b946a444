"""The lesson's questions as data for the students' sheet and for a room's phones (see `widgets/room/sheet.js`)."""

from typing import Any

from tokviz.lesson.sheet import Address
from tokviz.lesson.steps import Link, Step, lesson


def questions(address: Address) -> list[dict[str, Any]]:
    """Return all questions, with their answers. `address` returns the address of a link."""
    return [_question(step, address) for step in lesson().steps]


def as_data(link: Link) -> dict[str, Any]:
    """Return a link as `mountFigure` in widgets/figure/figure.js takes it."""
    return {"label": link.label, "page": link.page, "fields": dict(link.fields), "text": link.text}


def _question(step: Step, address: Address) -> dict[str, Any]:
    links = (*step.links, *step.afterwards)
    return {
        "id": step.id,
        "title": step.title,
        "say": step.say.replace("*", ""),
        "question": step.question,
        "choices": list(step.choices),
        "answers": list(step.answers),
        "reveal": step.reveal,
        "links": [{"label": link.label, "href": address(link)} for link in links],
        "figure": as_data(links[step.answer_figure]),
    }
