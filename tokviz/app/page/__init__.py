"""Streamlit's part of the pages: widgets, and the data kept for them."""
