"""The browser parts: plain ES modules and stylesheets, and the columns that they are sent. None knows Streamlit."""

from pathlib import Path

FOLDER = Path(__file__).parent
"""Where the modules and stylesheets are."""
