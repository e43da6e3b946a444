"""Compression page: what merges gain, what a text costs, and which languages and formats pay more."""

import streamlit as st

from tokviz.app.compression.questions import QUESTIONS
from tokviz.app.page.components import compression_widget

with st.container(key="intro"):
    st.title("What merges buy, and who pays", anchor=False)
compression_widget(
    "A *tokenizer* begins with *bytes*. Each *merge* joins a frequent *pair* of *tokens* into one, a new one in its "
    "*vocabulary*. The fewer tokens a text takes, the less it costs, and the more of it a model can read at once.",
    {question.name: question.title for question in QUESTIONS},
)
