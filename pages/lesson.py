"""Lesson page: a 45-minute class on how models read, as a document and as slides."""

import streamlit as st

from tokviz.app.page.components import base, lesson_widget
from tokviz.app.visitors.links import write_link
from tokviz.lesson.sheet import STYLE, teachers_sheet
from tokviz.lesson.slides import slides
from tokviz.lesson.steps import Link


def address(link: Link) -> str:
    """Return the address of a lesson link on this server."""
    return write_link(base() + link.page, link.fields, link.text)


is_notes = st.query_params.get("for") == "notes"

st.html(STYLE)
with st.container(key="intro"):
    st.title("How a model reads", anchor=False)
    if not is_notes:
        st.markdown(
            "A lesson of 45 minutes: in each step a question to vote on, a figure to find out on, and the answer. "
            "**Press F for the slides.** Printed, it is two sheets, with the answers on the second."
        )
        st.html(
            f'<a class="pack" href="{base()}_tokviz/class-pack" download title="The whole lesson with its players as '
            "one file that needs no network, for rooms where phones can't reach this computer.\">Class pack</a>"
        )
lesson = {**slides(address), "notes": f"{base()}lesson?for=notes"}
lesson_widget(lesson, {"for": "students"}, is_notes=is_notes)
if not is_notes:
    st.html(teachers_sheet(address))
