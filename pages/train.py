"""Train page: train a tokenizer or open one from files, look into it, and take it along."""

from tokviz.app.streamlit.components import show_train

show_train(
    "Train a tokenizer of your own",
    "Watch *pairs* of neighbors become *tokens*; then train on a text of your own.\n"
    "*Byte pair encoding* takes a text as *symbols*, such as *bytes*, joins the most frequent pair of neighbors into "
    "a new token, and begins again. So *merges* make the *vocabulary* of a *tokenizer*.",
)
