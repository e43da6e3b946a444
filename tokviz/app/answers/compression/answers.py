"""Answer a question: with charts and tables, in a line, and as files; or say what is missing."""

from collections.abc import Callable
from typing import Any, NamedTuple

from tokviz.app.answers.compression import analyses
from tokviz.app.answers.compression.questions import Asked, Question
from tokviz.app.answers.compression.sections import NoSection, Section
from tokviz.charts.chart import style
from tokviz.display import as_sentence, enumerated
from tokviz.tokenizer_colors import color_numbers

NO_CURVE = (
    "it does not apply its merges in rank order, or takes some pieces whole, so its first merges alone can't be "
    "applied to a text."
)
MERGED_ELSEWHERE = (
    "Left out: {}. Another library applies these merges, and curves need merges that tokviz applies itself."
)


def answer(question: Question, asked: Asked, scale: float = 0) -> dict[str, Any]:
    """Return the answer in the form that the widget takes.

    It has the answer in a `line`, notes, a hint if something is missing, and sections with their settings.

    `colors` are those of the tokenizers in the charts, by name.

    With `scale`, charts are drawn for a presented screen, so many times as large as 1280 x 720.
    """
    applied = applicable(question, asked)
    labels = color_numbers(choice.label for choice in applied.asked.chosen)
    colors = {choice.name: style(labels[choice.label])[0] for choice in applied.asked.chosen}
    data: dict[str, Any] = {"notes": applied.notes, "hint": applied.hint, "line": _line(question, applied)}
    data |= {"sections": [], "colors": colors}
    if applied.hint or not applied.asked.chosen:
        return data
    try:
        sections = [each.as_data(scale) for each in question.sections(applied.asked)]
        return data | {"sections": sections, "notes": [*applied.notes, *question.notes(applied.asked)]}
    except ValueError as error:
        # The message is written for people, such as about a character outside an alphabet or lines that don't align.
        return data | {"hint": as_sentence(str(error))}


def section(question: Question, asked: Asked, name: str) -> Section:
    """Return a section of an answer by its name. Raises ValueError, and NoSection if there is none of this name."""
    applied = applicable(question, asked)
    found = question.sections(applied.asked) if applied.asked.chosen and not applied.hint else []
    for each in found:
        if each.name == name:
            return each
    raise NoSection


class Applicable(NamedTuple):
    """A question to the tokenizers it applies to, notes on the others, and a hint if something is missing."""

    asked: Asked
    notes: list[str]
    hint: str


def _line(question: Question, applied: Applicable) -> str:
    """Return the answer in a line."""
    if applied.hint or not applied.asked.chosen:
        return applied.hint or applied.notes[0]
    try:
        brief = question.brief(applied.asked) or "Nothing in this text can be measured."
        return " ".join([brief, *question.notes(applied.asked)])
    except ValueError as error:
        return as_sentence(str(error))


def applicable(question: Question, asked: Asked) -> Applicable:
    """Return what a question is asked about, with why some of the chosen tokenizers are left out."""
    has_what, what = _needed(question)
    fitting = [choice for choice in asked.chosen if has_what(choice.name)]
    drawn = [choice for choice in fitting if not question.needs_curve or analyses.has_curve(choice.name)]
    undrawn = [choice for choice in fitting if choice not in drawn]
    notes = [f"{each.label} is left out: {NO_CURVE}" for each in undrawn if analyses.merges_here(each.name)]
    elsewhere = [each.label for each in undrawn if not analyses.merges_here(each.name)]
    notes += [MERGED_ELSEWHERE.format(enumerated(elsewhere))] if elsewhere else []
    without = [choice.label for choice in asked.chosen if choice not in fitting]
    if fitting and without:
        notes.append(f"Left out, because they have no {what}: {', '.join(without)}.")
    hint = ""
    if not fitting:
        hint = f"Choose a tokenizer that has {what}." if what else "Choose a tokenizer."
    elif drawn and question.is_about_text and not asked.text:
        hint = "Type or paste a text first."
    return Applicable(asked._replace(chosen=drawn), notes, hint)


def _needed(question: Question) -> tuple[Callable[[str], bool], str]:
    """Return what a tokenizer must have for a question, as a check of its name and in words."""
    if question.needs_curve:
        return analyses.has_merges, "merges"
    if question.needs_pieces:
        return analyses.has_pieces, "a learned vocabulary"
    return lambda name: True, ""
