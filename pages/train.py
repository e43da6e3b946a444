"""Train page: train a tokenizer or open one from files, look into it, and take it along."""

import streamlit as st

from tokviz.app.streamlit.components import train_widget

with st.container(key="intro"):
    st.title("Train a tokenizer of your own", anchor=False)
train_widget(
    "Watch *pairs* of neighbors become *tokens*; then train on a text of your own.\n"
    "*Byte pair encoding* takes a text as *symbols*, such as *bytes*, joins the most frequent pair of neighbors into "
    "a new token, and begins again. So *merges* make the *vocabulary* of a *tokenizer*."
)
