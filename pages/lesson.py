"""Lesson page: a 45-minute class on how models read."""

import streamlit as st

from tokviz.app.page.components import base, share_widget
from tokviz.app.visitors.links import write_link
from tokviz.lesson.sheet import STYLE, students_sheet, teachers_sheet
from tokviz.lesson.steps import Link


def address(link: Link) -> str:
    """Return the address of a lesson link on this server."""
    return write_link(base() + link.page, link.fields, link.text)


for_students = st.query_params.get("for") == "students"

st.html(STYLE)
with st.container(key="intro"):
    st.title("How a model reads", anchor=False)
    if for_students:
        st.markdown("Choose an answer, then open the page and find out.")
    else:
        st.markdown(
            "A lesson of 45 minutes: in each step a question to vote on, a page to find out on, and the answer. "
            "Printed, it is two sheets, with the answers on the second. Share it, and phones show the questions alone."
        )
        st.html(
            f'<a class="pack" href="{base()}_tokviz/class-pack" download title="The whole lesson with its players as '
            "one file that needs no network, for rooms where phones can't reach this computer.\">Class pack</a>"
        )
share_widget({"for": "students"}, keeps_place=True)
st.html(students_sheet(address) if for_students else teachers_sheet(address))
