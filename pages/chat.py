"""Chat page: messages, and the one long prompt that a model reads of them."""

import streamlit as st

from tokviz.app.streamlit.components import chat_widget

with st.container(key="intro"):
    st.title("A chat as a model reads it", anchor=False)
chat_widget(
    "A model reads no messages, but one long text. A *chat template* writes it: what was said, and *control tokens* "
    "that mark who says it. Edit a message and watch the *prompt*."
)
