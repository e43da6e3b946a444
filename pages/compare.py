"""Compare page: the same text under several tokenizers, where they differ, and why."""

import streamlit as st

from tokviz.app.page.components import compare_widget

with st.container(key="intro"):
    st.title("Same text, different tokens", anchor=False)
compare_widget(
    "Each model family has a *tokenizer* with its own *split pattern*, *merges* and *vocabulary*. Here is where they "
    "cut the same text into other *tokens*, by how much, and why."
)
