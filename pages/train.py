"""Train page: train a tokenizer or open one from files, inspect it, and save it."""

import streamlit as st

from tokviz.app.http.requests import sentence
from tokviz.app.page.figures import details
from tokviz.app.page.markdown import escape_markdown
from tokviz.app.page.training_form import show_progress
from tokviz.app.page.training_page import PROBLEM, RUNNING, finish, form, opening, results

with st.container(key="intro"):
    st.title("Train a tokenizer of your own", anchor=False)
    st.markdown(
        "Training looks for the most frequent pair of neighbors in a text, joins it into a new token, and begins "
        "again, until the vocabulary is as large as you want it."
    )
waiting = st.session_state.get(RUNNING)
if waiting is not None and waiting.job.ended:
    finish(waiting)
    waiting = None
with st.container(key="controls"):
    form()
if waiting is not None:
    st.fragment(show_progress, run_every=0.3)(waiting)
if st.session_state.get(PROBLEM):
    st.warning(escape_markdown(st.session_state[PROBLEM]))
with details("opening"), st.expander("Open a tokenizer from a file"):
    try:
        opening()
    except ValueError as error:
        st.error(escape_markdown(sentence(error)))
results()
