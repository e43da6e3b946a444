"""The lesson's questions as data for the students' sheet and for a room's phones (see `widgets/room/sheet.js`)."""

from typing import Any

from tokviz.lesson.sheet import Address
from tokviz.lesson.steps import STEPS, Step


def questions(address: Address) -> list[dict[str, Any]]:
    """Return all questions, with their answers. `address` returns the address of a link."""
    return [_question(step, address) for step in STEPS]


def _question(step: Step, address: Address) -> dict[str, Any]:
    return {
        "id": step.id,
        "title": step.title,
        "say": step.say,
        "question": step.question,
        "choices": list(step.choices),
        "answers": list(step.answers),
        "reveal": step.reveal,
        "links": [{"label": link.label, "href": address(link)} for link in (*step.links, *step.afterwards)],
    }
