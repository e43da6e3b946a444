"""Tokens page: a text as a model reads it."""

import streamlit as st

from tokviz.app.streamlit import state
from tokviz.app.streamlit.components import tokens_widget

if "tokenizer" in st.query_params:  # set by links from other pages
    state.use_tokenizer(st.query_params.pop("tokenizer"))

with st.container(key="intro"):
    st.title("A language model never sees letters. It sees these pieces, and of them only the numbers.", anchor=False)
tokens_widget()
