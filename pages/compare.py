"""Compare page: the same text under several tokenizers, where they differ, and why."""

import streamlit as st

from tokviz.app.streamlit.components import compare_widget

with st.container(key="intro"):
    st.title("Same text, different tokens", anchor=False)
compare_widget(
    "Look at the colored pieces: there, each *tokenizer* cuts the same text into other *tokens*.\n"
    "Why they differ: each model family has a tokenizer with its own *split pattern*, *merges* and *vocabulary*."
)
