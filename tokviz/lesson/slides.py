"""The lesson's questions, its slides and the teacher's notes as data for widgets."""

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


_COUNTED_AFTER = "names"  # the step after which phones count their owners' names


def slides(address: Address) -> dict[str, Any]:
    """Return the slides with their words. `address` returns the address of a link."""
    asked = zip(lesson().steps, questions(address), strict=True)
    steps = [_slide(step, question, address) for step, question in asked]
    names = next(number for number, step in enumerate(steps) if step["id"] == _COUNTED_AFTER)
    return {
        "steps": [*steps[: names + 1], _counted(steps[names]["minutes"]), *steps[names + 1 :]],
        "words": {**lesson().words["slides"], "scripts": lesson().words["scripts"]},
    }


def _counted(minutes: list[int]) -> dict[str, Any]:
    """Return the slide that asks phones for a number in a step's minutes, which is skipped without a room."""
    return {
        "id": f"{_COUNTED_AFTER}-counted",
        **lesson().words["numbers"],
        "number": {"tokenizer": "gpt2", "scripts": True},
        "minutes": minutes,
        "links": [],
        "figures": [],
        "covering": "open",
        "asked": 0,
        "answer": 0,
    }


def _slide(step: Step, question: dict[str, Any], address: Address) -> dict[str, Any]:
    return {
        **question,
        "minutes": list(step.minutes),
        "figures": [{**as_data(link), "href": address(link)} for link in (*step.links, *step.afterwards)],
        "covering": step.covering,
        "asked": step.asked_figure,
        "answer": step.answer_figure,
    }
