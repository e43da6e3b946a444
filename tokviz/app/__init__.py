"""The web app around tokviz: the only folder that knows Streamlit and Starlette."""
