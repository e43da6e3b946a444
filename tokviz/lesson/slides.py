"""The lesson's slides and the teacher's notes as data for the widget `slides`."""

from typing import Any

from tokviz.lesson.questions import as_data, questions
from tokviz.lesson.sheet import Address
from tokviz.lesson.steps import Link, Step, lesson


def slides(address: Address) -> dict[str, Any]:
    """Return the slides with their words. `address` returns the address of a link."""
    asked = zip(lesson().steps, questions(address), strict=True)
    return {
        "steps": [_slide(step, question, address) for step, question in asked],
        "words": dict(lesson().words["slides"]),
    }


def _slide(step: Step, question: dict[str, Any], address: Address) -> dict[str, Any]:
    figures = [_figure(link, address) for link in (*step.links, *step.afterwards)]
    return {
        **question,
        "minutes": list(step.minutes),
        "figures": figures,
        "covering": step.covering,
        "asked": step.asked_figure,
        "answer": step.answer_figure,
    }


def _figure(link: Link, address: Address) -> dict[str, Any]:
    return {**as_data(link), "href": address(link)}
