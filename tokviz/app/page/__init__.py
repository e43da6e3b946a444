"""Streamlit's part of the pages: widgets, inputs, charts, and the data kept for them."""
