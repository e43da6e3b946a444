"""Course page: chapters on tokenizers, to read alone, and beside them the lesson for a class."""

from tokviz.app.streamlit.components import show_course

show_course()
