"""The lesson as HTML: the teacher's sheet, with answers on demand and in print.

The markup is self-contained: it needs no script, and its stylesheet is `lesson.css`.
"""

from collections.abc import Callable, Iterable
from html import escape
from pathlib import Path

from tokviz.lesson.steps import STEPS, Link, Step, lesson

STYLE = Path(__file__).parent / "lesson.css"

_LESSON = lesson()
_WORDS = _LESSON.words["sheet"]

Address = Callable[[Link], str]
"""Returns the address of a link, for `href`."""

Shown = Callable[[Link], str]
"""Renders a link in a sheet as HTML."""


def pack_sheet(shown: Shown) -> str:
    """Render the teacher's sheet with the linked content in place of links."""
    steps = _list(_step(step, shown, _fold_answer(step, shown), _minutes(step)) for step in STEPS)
    about = _fold(_WORDS["teaching"], f"<p>{_text(_LESSON.background)}</p><p>{_text(_LESSON.without_network)}</p>")
    return _wrap_lesson(about, steps, _fold(_WORDS["beliefs"], _misconceptions()))


def teachers_sheet(address: Address) -> str:
    """Render minutes, what to say, questions, and answers that unfold. In print, the answers are a separate sheet."""
    shown = _anchors(address)
    steps = _list(_step(step, shown, _fold_answer(step, shown), _minutes(step)) for step in STEPS)
    about = _fold(_WORDS["teaching"], _about())
    misconceptions = _fold(_WORDS["beliefs"], _misconceptions())
    return _wrap_lesson(about, steps, misconceptions, _printed_answers())


def _wrap_lesson(*parts: str) -> str:
    return f'<div class="lesson">{"".join(parts)}</div>'


def _list(steps: Iterable[str]) -> str:
    return f'<ol class="steps">{"".join(steps)}</ol>'


def _step(step: Step, shown: Shown, answer: str = "", minutes: str = "") -> str:
    parts = [
        f"<h2>{_text(step.title)}</h2>",
        minutes,
        f'<p class="say">{_text(step.say)}</p>',
        f'<p class="question">{_text(step.question)}</p>',
        f'<ol class="choices">{"".join(f"<li>{_text(choice)}</li>" for choice in step.choices)}</ol>',
        _links(step.links, shown),
        answer,
    ]
    return f'<li class="step">{"".join(parts)}</li>'


def _minutes(step: Step) -> str:
    start, end = step.minutes
    return f'<p class="minutes">{escape(_WORDS["minutes"].format(start=start, end=end))}</p>'


def _anchors(address: Address) -> Shown:
    return lambda link: f'<a href="{escape(address(link))}">{escape(link.label)}</a>'


def _links(links: Iterable[Link], shown: Shown) -> str:
    return f'<div class="links">{"".join(map(shown, links))}</div>'


def _fold_answer(step: Step, shown: Shown) -> str:
    return _fold(_WORDS["answer"], f"<p>{_answer(step)}</p>{_links(step.afterwards, shown)}")


def _answer(step: Step) -> str:
    return f"<b>{letters(step)}:</b> {_text(step.reveal)}"


def letters(step: Step) -> str:
    """Letters of the right choices: "A, B"."""
    return ", ".join("ABCDEFGH"[index] for index in step.answers)


def _fold(title: str, inside: str) -> str:
    return f"<details><summary>{escape(title)}</summary>{inside}</details>"


def _about() -> str:
    return f"<p>{_text(_LESSON.background)}</p><p>{_text(_LESSON.beforehand)}</p><p>{_text(_LESSON.rooms)}</p>"


def _misconceptions() -> str:
    rows = (f"<dt>“{_text(belief)}”</dt><dd>{_text(correction)}</dd>" for belief, correction in _LESSON.misconceptions)
    return f"<dl>{''.join(rows)}</dl>"


def _printed_answers() -> str:
    rows = _list(f"<li><h3>{_text(step.title)}</h3><p>{_answer(step)}</p></li>" for step in STEPS)
    heads = [f"<h2>{escape(_WORDS[name])}</h2>" for name in ("answers", "teaching", "beliefs")]
    return (
        f'<section class="paper">{heads[0]}{rows}<div>{heads[1]}{_about()}</div>'
        f"<div>{heads[2]}{_misconceptions()}</div></section>"
    )


def _text(text: str) -> str:
    """Escape a text, and set the parts between backquotes in the monospaced face."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts))
