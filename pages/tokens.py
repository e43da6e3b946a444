"""Tokens page: a text as a model reads it."""

from tokviz.app.streamlit.components import show_tokens

show_tokens("A language model never sees letters. It sees these pieces, and of them only the numbers.")
