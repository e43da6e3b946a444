"""The app: `streamlit run app.py`.

The server imports this file for `app`, and runs it as a script for every visitor.
"""

import streamlit as st

from tokviz.app.fairness import turns
from tokviz.app.http.page_html import base
from tokviz.app.http.page_list import PAGES, tab_title
from tokviz.app.http.server import lifespan, middleware, routes
from tokviz.app.page import state
from tokviz.app.page.components import PAGE_STYLE
from tokviz.app.visitors import visitor_tokenizers

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
    st.html(PAGE_STYLE)
    visitor = visitor_tokenizers.session_visitor()
    with turns.pages.turn(visitor, check=state.stop_if_outdated):
        page.run()
    visitor_tokenizers.remember(base())
