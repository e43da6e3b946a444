"""Merge replay page: how a tokenizer reads a text, step by step. The widget introduces what it shows."""

import streamlit as st

from tokviz.app.streamlit.components import replay_widget

with st.container(key="intro"):
    st.title("Watch a text become tokens", anchor=False)
replay_widget()
