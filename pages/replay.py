"""Merge replay page: how a tokenizer reads a text, step by step. The widget introduces what it shows."""

from tokviz.app.streamlit.components import show_replay

show_replay("Watch a text become tokens")
