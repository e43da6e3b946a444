"""Compare page: the same text under several tokenizers, where they differ, and why."""

from tokviz.app.streamlit.components import show_compare

show_compare(
    "Same text, different tokens",
    "Look at the colored pieces: there, each *tokenizer* cuts the same text into other *tokens*.\n"
    "Why they differ: each model family has a tokenizer with its own *split pattern*, *merges* and *vocabulary*.",
)
