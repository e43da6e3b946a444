"""Train page: train a tokenizer or open one from files, look into it, and take it along."""

import streamlit as st

from tokviz.app.page.components import train_widget

with st.container(key="intro"):
    st.title("Train a tokenizer of your own", anchor=False)
    st.markdown(
        "Byte pair encoding looks for the most frequent pair of neighbors in a text, joins it into a new token, and "
        "begins again. A text, a recipe, and a button: here is all of it."
    )
train_widget()
