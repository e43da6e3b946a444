"""Figures as data: what is said, and that what somebody typed stays text."""

import json
import re
from fractions import Fraction
from inspect import signature

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokviz.course.chapters import CHAPTERS, chapter
from tokviz.course.figure import MAX_LONG, rounded, who
from tokviz.course.figures import FIGURES
from tokviz.widgets import FOLDER

DRAWN = re.findall(r"^  (\w+): \(", (FOLDER / "course" / "parts.js").read_text("utf-8"), re.M)
AS_DATA = {name: figure for name, figure in FIGURES.items() if figure.form}


def test_who_does_it_is_said_in_a_sentence() -> None:
    yes, no = {"name": "A", "does": True}, {"name": "B", "does": False}
    assert who("it cuts", "it doesn’t", [yes, no, yes | {"name": "C"}]) == "In A and C, it cuts. In B, it doesn’t."
    assert who("it cuts", "it doesn’t", [yes]) == "In all of these, it cuts."
    assert who("it cuts", "it doesn’t", [no]) == "In all of these, it doesn’t."
    assert who("it cuts", "it doesn’t", [no, {"name": "C", "does": None}]) == "In B, it doesn’t."
    assert who("it cuts", "it doesn’t", []) == ""


@given(st.integers(0, 10**6), st.integers(1, 10**6), st.integers(0, 3))
def test_numbers_are_rounded_half_up(above: int, under: int, digits: int) -> None:
    """As in the sentences of figures with modules, which JavaScript rounds: the nearest to the float itself."""
    exact = Fraction(above / under) * 10**digits
    written = Fraction(rounded(above / under, digits).replace(",", "")) * 10**digits
    assert written == int(exact + Fraction(1, 2))


def test_large_numbers_are_separated() -> None:
    assert rounded(1_234_566.5) == "1,234,567"


@pytest.mark.parametrize("name", AS_DATA)
@pytest.mark.parametrize("text", ["", "a", "<b>&lt;</b>", "שלום\ud800", "\x00\n\u202e👨‍👩‍👧‍👦", "x" * 5_000])
def test_any_text_is_answered_by_bounded_data(name: str, text: str) -> None:
    parts = json.loads(json.dumps(AS_DATA[name].answer(text, {})))
    assert {part["kind"] for part in parts} <= {"says", *DRAWN}
    assert len(json.dumps(parts)) < 200_000


@pytest.mark.parametrize("name", FIGURES)
def test_all_that_a_request_can_set_are_texts_that_may_be_missing(name: str) -> None:
    """A figure's function takes the text, and then only options."""
    _, *options = signature(FIGURES[name].describe).parameters.values()
    assert [option.default for option in options] == [""] * len(options)
    asks = FIGURES[name].asks
    asked = {option for each in CHAPTERS for option in _options_asked(each, name)} if asks else set()
    assert asked == set(FIGURES[name].options)


def _options_asked(chapter_name: str, figure: str) -> set[str]:
    """Return the options that the figure's first value in a chapter leads to; none if it isn't in it."""
    first, asks = chapter(chapter_name).first_values, FIGURES[figure].asks
    if asks is None or figure not in first:
        return set()
    return {option for name, _, options in asks(first[figure], first[figure]) if name == figure for option in options}


def test_a_chapter_comes_with_the_forms_of_its_figures() -> None:
    forms = {name: form for each in CHAPTERS for name, form in chapter(each).as_data()["forms"].items()}
    assert forms == {name: figure.form for name, figure in AS_DATA.items()}
    assert all("field" in form or AS_DATA[name].limit == MAX_LONG for name, form in forms.items())
