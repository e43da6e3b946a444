"""The choices on the Compression page: a question, tokenizers, and settings.

Links have the question and the tokenizers in their query, and a visitor's own tokenizers in their fragment.
"""

from typing import Any, NamedTuple

import streamlit as st

from tokviz.app.page import cached_analyses
from tokviz.app.page.cached_analyses import Choice
from tokviz.app.page.components import choices_widget, chosen_by_link
from tokviz.app.page.compression_questions import QUESTIONS, Question
from tokviz.app.page.markdown import escape_markdown
from tokviz.app.visitors import visitor_tokenizers
from tokviz.app.visitors.kept_tokenizers import WORDS, descriptions
from tokviz.display import shorten

FIRST_CHOSEN = ["gpt2", "cl100k_base", "o200k_base"]
NO_CURVE = (
    "its merges don't go by rank, or it takes some pieces whole, so there is no saying what its first merges make of a "
    "text."
)

_CHOICES = "tokviz compression choices"
_ADDRESS = "tokviz compression address"
_HANDLED = "tokviz compression choices handled"
_MISSING = "tokviz tokenizers that a link names in vain"


def kept() -> dict[str, Any]:
    """Return the choices of this session, after applying what the address or a link chooses anew."""
    choices: dict[str, Any] = st.session_state.setdefault(
        _CHOICES, {"chart": QUESTIONS[0].name, "tokenizers": FIRST_CHOSEN}
    )
    query = (st.query_params.get("chart"), tuple(filter(None, st.query_params.get_all("tokenizers"))))
    if query != st.session_state.get(_ADDRESS):
        st.session_state[_ADDRESS] = query
        if query[0] is not None:
            choices["chart"] = query[0]
        if query[1]:
            _choose(choices, [_name_of(each) for each in query[1]])
    by_link = chosen_by_link()
    if by_link is not None:
        _choose(choices, by_link)
    return choices


def _choose(choices: dict[str, Any], names: list[str]) -> None:
    """Choose the tokenizers that exist among these; if none does, the choice stays."""
    offered = labels()
    if missing := [name for name in names if name not in offered]:
        st.session_state[_MISSING] = missing
    choices["tokenizers"] = [name for name in offered if name in names] or choices["tokenizers"]


def _name_of(written: str) -> str:
    """Return the name of the tokenizer that an address writes by its label, as code if it is a visitor's own."""
    for name, label in labels().items():
        if written in (name, label, escape_markdown(label)):
            return name
    return written


def labels() -> dict[str, str]:
    """Return the labels of the tokenizers that can be chosen, by name."""
    return {
        each.name: each.short for each in (*descriptions(), *visitor_tokenizers.descriptions()) if each.name != WORDS
    }


def update(key: str, fields: list[dict[str, Any]], choices: dict[str, Any]) -> None:
    """Draw fields. If something was chosen in them since the last run, keep it, and begin this run again.

    The fields were sent as they were before. The widget shows what it is sent later on as a change of theirs, so it has
    to get the choice itself first.
    """
    chosen = choices_widget(key, fields)
    handled: dict[str, str] = st.session_state.setdefault(_HANDLED, {})
    if chosen is None or handled.get(key) == repr(chosen):  # compared as text: what is no number differs from itself
        return
    handled[key] = repr(chosen)
    choices |= {field["name"]: chosen[field["name"]] for field in fields if field["name"] in chosen}
    if "tokenizers" in chosen:
        st.session_state.pop(_MISSING, None)
    st.rerun()


def tokenizers(choices: dict[str, Any]) -> list[Choice]:
    """Draw the choice of tokenizers, and return the chosen ones."""
    offered = labels()
    field = {
        "name": "tokenizers",
        "kind": "several",
        "label": "Tokenizers",
        "options": [{"value": name, "label": label} for name, label in offered.items()],
        "value": choices["tokenizers"],
        "address": {"parameter": "tokenizers", "default": FIRST_CHOSEN, "written": offered},
    }
    update("tokenizers", [field], choices)
    wanted = choices["tokenizers"] if isinstance(choices["tokenizers"], list) else []
    chosen = [Choice(name, label) for name, label in offered.items() if name in wanted]
    if _MISSING in st.session_state:
        st.warning(escape_markdown(_missing_message(st.session_state[_MISSING])))
    surrounded = [
        offered[each.name]
        for each in visitor_tokenizers.descriptions()
        if each.name in wanted and any(each.surrounding)
    ]
    if surrounded:
        st.text(
            f"A model also gets special tokens around a text with these tokenizers: {', '.join(surrounded)}. "
            "They are not counted here."
        )
    return chosen


def _missing_message(names: list[str]) -> str:
    """Return the warning about tokenizers that a link names but that don't exist here."""
    called = ", ".join(f"“{shorten(name)}”" for name in names)
    which = f"a tokenizer that isn't here: {called}" if len(names) == 1 else f"tokenizers that aren't here: {called}"
    return (
        f"This link names {which}. The others and the text are as in the link. A tokenizer that somebody trained or "
        "opened is kept only for a while: make it again, or open it from its file on the Train page."
    )


def question(choices: dict[str, Any], briefs: dict[str, str]) -> Question:
    """Draw the questions with their answers, as far as these are known, and return the chosen question."""
    field = {
        "name": "chart",
        "kind": "questions",
        "label": "Question",
        "options": [{"value": each.name, "label": each.title, "note": briefs.get(each.name, "")} for each in QUESTIONS],
        "value": _question(choices).name,
        "address": {"parameter": "chart", "default": QUESTIONS[0].name},
    }
    update("questions", [field], choices)
    return _question(choices)


def _question(choices: dict[str, Any]) -> Question:
    return next((each for each in QUESTIONS if each.name == choices["chart"]), QUESTIONS[0])


class Applicable(NamedTuple):
    """The chosen tokenizers that a question applies to, why others are left out, and what to choose if none is left."""

    chosen: list[Choice]
    notes: list[str]
    hint: str


def applicable(asked: Question, chosen: list[Choice]) -> Applicable:
    """Return the chosen tokenizers that a question applies to, with why others are left out."""
    merging = [choice for choice in chosen if not asked.needs_merges or cached_analyses.has_merges(choice.name)]
    drawn = [choice for choice in merging if not asked.needs_curve or cached_analyses.has_curve(choice.name)]
    notes = [f"{choice.label} is left out: {NO_CURVE}" for choice in merging if choice not in drawn]
    without = [choice.label for choice in chosen if choice not in merging]
    if merging and without:
        notes.append(f"Left out, for want of merges: {', '.join(without)}.")
    hint = "Choose a tokenizer that has merges." if asked.needs_merges else "Choose a tokenizer."
    return Applicable(drawn, notes, "" if merging else hint)
