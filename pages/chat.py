"""Chat page: messages, and the one long prompt that a model reads of them."""

from tokviz.app.streamlit.components import show_chat

show_chat(
    "A chat as a model reads it",
    "A model reads no messages, but one long text. A *chat template* writes it: what was said, and *control tokens* "
    "that mark who says it. Edit a message and watch the *prompt*.",
)
