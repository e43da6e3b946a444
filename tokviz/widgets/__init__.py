"""Browser widgets, plain ES modules and stylesheets, and the columns sent to them. Nothing here imports Streamlit."""

from pathlib import Path

FOLDER = Path(__file__).parent
"""Directory of the modules and stylesheets."""
