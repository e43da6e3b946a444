"""Compression page: what merges gain, what a text costs, and which languages and formats pay more."""

from tokviz.app.answers.compression.questions import QUESTIONS
from tokviz.app.streamlit.components import show_compression

show_compression(
    "What merges buy, and what a text costs",
    "Choose a question, and see who needs fewer *tokens*: fewer cost less, and a model can read more at once.\n"
    "A *tokenizer* begins with *bytes*. Each *merge* joins a frequent *pair* of tokens into one, a new one in its "
    "*vocabulary*.",
    [{"name": each.name, "title": each.title, "isOfText": not each.ignores_text} for each in QUESTIONS],
)
