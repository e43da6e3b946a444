"""Lesson page: a 45-minute class on how models read, as a document and as slides."""

import streamlit as st

from tokviz.app.page.components import base, exercises_widget, lesson_widget
from tokviz.app.visitors.links import write_link
from tokviz.lesson.exercises import exercises
from tokviz.lesson.sheet import STYLE, teachers_sheet
from tokviz.lesson.slides import slides
from tokviz.lesson.steps import Link


def address(link: Link) -> str:
    """Return the address of a lesson link on this server."""
    return write_link(base() + link.page, link.fields, link.text)


def teach() -> None:
    """Show the lesson as a document, with its slides."""
    with st.container(key="intro"):
        st.title("How a model reads", anchor=False)
        st.markdown(
            "A lesson of 45 minutes: in each step a question to vote on, a figure to find out on, and the answer. "
            "**Press F for the slides**; phones can vote. Printed, it is two sheets, with the answers on the second."
        )
        st.html(
            f'<a class="pack" href="{base()}_tokviz/class-pack" download title="The whole lesson with its slides as '
            "one file that needs no network, for rooms where phones can't reach this computer.\">Class pack</a> "
            f'<a class="pack" href="{base()}lesson?for=exercises">Exercises</a>'
        )
    lesson_widget(lesson)
    st.html(teachers_sheet(address))


reader = st.query_params.get("for")
lesson = {**slides(address), "notes": f"{base()}lesson?for=notes"}

st.html(STYLE)
if reader == "notes":
    st.title("How a model reads", anchor=False)
    lesson_widget(lesson, "notes")
elif reader == "question":
    lesson_widget({**lesson, "steps": []}, "question")
elif reader == "exercises":
    st.title("Exercises", anchor=False)
    exercises_widget(exercises())
else:
    teach()
