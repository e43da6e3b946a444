"""The web app around tokviz: the only package that imports Streamlit and Starlette."""
