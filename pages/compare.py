"""Compare page: the same text under several tokenizers, where they differ, and why."""

import streamlit as st

from tokviz.app.page.components import compare_widget

with st.container(key="intro"):
    st.title("Same text, different tokens", anchor=False)
    st.markdown(
        "Each model family cuts text with a tokenizer of its own. Here is where they differ, by how much, and why."
    )
compare_widget()
