"""The app: `streamlit run app.py`.

The server imports this file for `app`, and runs it as a script for every visitor.
"""

import streamlit as st

from tokviz.app.answers.page_list import PAGES, tab_title
from tokviz.app.answers.visitors import visitor_tokenizers
from tokviz.app.server import lifespan, middleware, routes
from tokviz.app.shields.fairness import turns
from tokviz.app.streamlit import components

app = st.App(__file__, routes=routes, lifespan=lifespan, middleware=middleware)

if __name__ == "__main__":
    pages = [
        st.Page(
            f"pages/{each.name}.py",
            title=each.title,
            default=not each.path,
            visibility="hidden" if each.is_hidden else "visible",
        )
        for each in PAGES
    ]
    page = st.navigation(pages, position="top")
    st.set_page_config(
        page_title=tab_title(page.url_path),
        layout="wide",
        menu_items={"About": "tokviz shows how tokenizers cut a text, and why. Your text stays on this server."},
    )
    st.html(components.PAGE_STYLE)
    visitor = visitor_tokenizers.session_visitor()
    with turns.pages.turn(visitor, check=components.stop_if_outdated):
        components.run(page)
