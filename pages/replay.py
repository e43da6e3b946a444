"""Merge replay page: byte pair encoding, step by step."""

import streamlit as st

from tokviz.app.page.components import replay_widget

with st.container(key="intro"):
    st.title("Watch the merges happen", anchor=False)
    st.markdown(
        "Byte pair encoding begins with single bytes or characters and joins pairs of neighbors, again and again. "
        "Which pair comes first was learned once, from a lot of text."
    )
replay_widget()
