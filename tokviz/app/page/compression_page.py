"""The Compression page: questions with their answers, and the charts of the chosen one."""

import hashlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from tokviz.app.page import compression_choices as choices_of
from tokviz.app.page.cached_analyses import Choice
from tokviz.app.page.components import first_example, text_panel
from tokviz.app.page.compression_questions import QUESTIONS, Asked, Question, passages
from tokviz.app.page.figures import Section, Words, details, show
from tokviz.app.page.markdown import escape_markdown
from tokviz.display import shorten

_BRIEFS = "tokviz answers in a line"
_MAX_BRIEFS = 100
_NO_TEXT = "Type or paste a text first."


def draw_page() -> None:
    """Draw the page."""
    choices = choices_of.kept()
    with st.container(key="controls"):
        text_column, tokenizers_column = st.columns([11, 10], gap=None)
    with tokenizers_column:
        chosen = choices_of.tokenizers(choices)
    with text_column:
        text = text_panel(first_example(), [choice.name for choice in chosen])
    with st.container(key="answers"):
        list_column, chart_column = st.columns([2, 5], gap="large")
    briefs = _known_briefs(text, chosen)
    drawn = dict(briefs)
    with list_column, st.container(key="questions"):
        question = choices_of.question(choices, drawn)
    with chart_column:
        _answer(question, text, chosen, choices)
    _find_briefs(text, chosen, briefs)
    # Not only what was found here: while this run drew, the one that it replaces may have gone on, in another thread.
    if briefs != drawn:
        st.rerun()


def _answer(question: Question, text: str, chosen: list[Choice], choices: dict[str, Any]) -> None:
    """Draw the answer to a question, or say why there is none."""
    applied = choices_of.applicable(question, chosen)
    with details("left out"):
        for note in applied.notes:
            st.text(note)
        if applied.hint:
            st.info(applied.hint)
    if not applied.chosen:
        return
    if question.is_about_text and not text:
        st.info(_NO_TEXT)
        return
    own = st.container()
    try:
        asked = Asked(text, applied.chosen, choices, {})
        if fields := question.fields(asked):
            with own, st.container(key="options"):
                choices_of.update(f"options {question.name}", fields, choices)
        with own:
            for section in question.sections(asked):
                _show(section, choices)
    except ValueError as error:
        # The message is written for people, such as about a character outside an alphabet or lines that don't align.
        st.error(escape_markdown(str(error)))
        return
    if question.name == "Languages":
        with details("reading"):
            _read_texts(passages(), choices)


def _show(section: Section, choices: dict[str, Any]) -> None:
    """Draw a section beneath its own settings."""
    if section.fields:
        with details(f"settings of {section.name}"):
            choices_of.update(f"settings {section.name}", list(section.fields), choices)
    show(section)


class _Line(NamedTuple):
    """A line of the text of reference, and the same in another language."""

    line: int
    reference: str
    translation: str


def _read_texts(texts: Mapping[str, str], choices: dict[str, Any]) -> None:
    """Draw the texts of the reference and of a chosen language, line beside line."""
    reference, names = next(iter(texts)), list(texts)
    name = choices["language"] if choices.get("language") in texts else names[-1]
    options = [{"value": each, "label": each} for each in names]
    field = {"name": "language", "kind": "select", "label": "Read the text in", "options": options, "value": name}
    choices_of.update("language", [field], choices)
    lines = zip(texts[reference].split("\n"), texts[name].split("\n"), strict=True)
    rows = [_Line(number, *pair) for number, pair in enumerate(lines, 1)]
    show(Section("texts", Words(f"The text in {reference} and {name}", "", "The lines"), rows))


# Answers in a line


def _known_briefs(text: str, chosen: list[Choice]) -> dict[str, str]:
    """Return the answers in a line that this session has found for this text and these tokenizers."""
    kept: dict[str, dict[str, str]] = st.session_state.setdefault(_BRIEFS, {})
    key = hashlib.sha256(repr((text, chosen)).encode("utf-8", "surrogatepass")).hexdigest()
    if key not in kept:
        kept[key] = {}
        while len(kept) > _MAX_BRIEFS:
            del kept[next(iter(kept))]
    return kept[key]


def _find_briefs(text: str, chosen: list[Choice], briefs: dict[str, str]) -> None:
    """Find the answers that are missing."""
    for question in QUESTIONS:
        if question.name not in briefs:
            briefs[question.name] = _brief(question, text, chosen)


def _brief(question: Question, text: str, chosen: list[Choice]) -> str:
    applied = choices_of.applicable(question, chosen)
    if not applied.chosen:
        return applied.hint or applied.notes[-1]
    if question.is_about_text and not text:
        return _NO_TEXT
    try:
        return question.brief(Asked(text, applied.chosen, {})) or "There is nothing to say of this text."
    except ValueError as error:
        return shorten(str(error))
