"""Compression page: charts of what merges gain, what a text costs, and which languages and formats pay more."""

import streamlit as st

from tokviz.app.page.compression_charts import ABOUT_THE_TEXT, QUESTIONS, tokenizers_for
from tokviz.app.page.figures import details
from tokviz.app.page.inputs import text_box, tokenizers_box
from tokviz.app.page.markdown import escape_markdown

with st.container(key="intro"):
    st.title("What merges buy, and who pays", anchor=False)
with st.container(key="controls"):
    above = st.container()
    chosen = tokenizers_box()
    with above:
        text = text_box(chosen=chosen)
    question = st.pills("Question", list(QUESTIONS), default="Merges", required=True, key="chart", bind="query-params")
    options = st.container()
asked = QUESTIONS[question]
with details("left out"):
    chosen = tokenizers_for(asked, chosen)
if chosen and asked in ABOUT_THE_TEXT and not text:
    st.info("Type or paste a text first.")
elif chosen:
    try:
        asked(text, chosen, options)
    except ValueError as error:
        # The message is written for people, such as about a character outside an alphabet or lines that don't align.
        st.error(escape_markdown(str(error)))
