"""The app: `streamlit run app.py`.

The server imports this file for `app`, and runs it as a script for every visitor.
"""

import streamlit as st

from tokviz.app.fairness import turns
from tokviz.app.http.server import lifespan, middleware, routes
from tokviz.app.page import state
from tokviz.app.page.components import PAGE_STYLE, base
from tokviz.app.visitors import visitor_tokenizers

app = st.App(__file__, routes=routes, lifespan=lifespan, middleware=middleware)

if __name__ == "__main__":
    st.set_page_config(
        page_title="tokviz",
        layout="wide",
        menu_items={"About": "tokviz shows how tokenizers cut a text, and why. Your text stays on this server."},
    )
    st.html(PAGE_STYLE)
    pages = [
        st.Page("pages/tokens.py", title="Tokens", default=True),
        st.Page("pages/compare.py", title="Compare"),
        st.Page("pages/replay.py", title="Merge replay"),
        st.Page("pages/compression.py", title="Compression"),
        st.Page("pages/train.py", title="Train"),
        st.Page("pages/chat.py", title="Chat"),
        st.Page("pages/course.py", title="Course"),
        st.Page("pages/lesson.py", title="Lesson", visibility="hidden"),
    ]
    visitor = visitor_tokenizers.session_visitor()
    with turns.pages.turn(visitor, check=state.stop_if_outdated):
        st.navigation(pages, position="top").run()
    visitor_tokenizers.remember(base())
