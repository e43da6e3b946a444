"""Browser widgets, plain ES modules and stylesheets, and the columns sent to them. Nothing here imports Streamlit."""

from pathlib import Path

FOLDER = Path(__file__).parent
"""Directory of the modules and stylesheets."""

FIGURE_SHEETS = (
    "shared/text/invisibles.css",
    "token_view/view.css",
    "compare/compared.css",
    "compare/differences.css",
    "compare/picture.css",
    "colored/widget.css",
    "aligned/widget.css",
    "replay/widget.css",
    "replay/tower/tower.css",
    "lattice/lattice.css",
    "matches/matches.css",
    "figure/figure.css",
)
"""Stylesheets of a widget that mounts live figures (widgets/figure/figure.js)."""
