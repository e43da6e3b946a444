"""Additions and corrections to Streamlit, and the components and state of the pages."""
