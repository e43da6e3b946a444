"""The web app around tokviz: the only package that imports Streamlit and Starlette."""

import gc

# The server has Streamlit in memory by now. Without its objects to scan, collections during our own imports take 50 ms
# less.
gc.freeze()
