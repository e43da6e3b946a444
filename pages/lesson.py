"""Lesson page: a 45-minute class on how models read, as a document and as slides."""

from html import escape

import streamlit as st

from tokviz.app.answers.page_list import titled
from tokviz.app.streamlit.components import exercises_widget, lesson_widget
from tokviz.app.streamlit.files import base
from tokviz.course.chapters import CHAPTERS
from tokviz.lesson.exercises import exercises
from tokviz.lesson.links import write_link
from tokviz.lesson.sheet import STYLE, shared_style, teachers_sheet, title_in_tokens, ways_on
from tokviz.lesson.slides import slides
from tokviz.lesson.steps import Link, lesson


def address(link: Link) -> str:
    """Return the address of a lesson link on this server."""
    return write_link(base() + link.page, link.fields, link.text)


def teach() -> None:
    """Show the lesson as a document, with its slides."""
    with st.container(key="intro"):
        st.title(words["title"], anchor=False)
        st.html(title_in_tokens(address))
        st.markdown(words["introduction"])
        st.html(
            f'<div class="tokviz"><div class="row"><a class="button" href="{base()}_tokviz/class-pack" download '
            f'title="{escape(words["pack_what"])}">{escape(words["pack"])}</a>'
            f'<a class="button" href="{base()}lesson?for=exercises">{escape(exercises_title)}</a></div></div>'
        )
    lesson_widget(shown)
    st.html(teachers_sheet(address))
    st.html(ways_on(base(), len(CHAPTERS)))


words, exercises_title = lesson().words["page"], lesson().words["exercises"]["title"]
reader = st.query_params.get("for")
shown = {**slides(address), "notes": f"{base()}lesson?for=notes"}

st.html(STYLE)
st.html(shared_style(base()))
if reader == "notes":
    st.set_page_config(page_title=titled(shown["words"]["notes"]))
    st.title(words["title"], anchor=False)
    lesson_widget(shown, "notes")
elif reader == "question":
    lesson_widget({**shown, "steps": []}, "question")
elif reader == "exercises":
    st.set_page_config(page_title=titled(exercises_title))
    st.title(exercises_title, anchor=False)
    exercises_widget(exercises())
else:
    teach()
