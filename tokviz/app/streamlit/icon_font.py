"""Streamlit's icon font, loaded only by pages that show an icon other than an arrow.

Its 0.4 MB are a quarter of a first visit. Streamlit's script loads it on every page before anything is drawn: it calls
`document.fonts.load` without a text, and the browser looks for fonts that have a space. A font whose `unicode-range`
has none is loaded when an icon is drawn. Two arrows are on screen from the start, so `arrows.css` draws them.
"""

from functools import cache
from pathlib import Path

_FONT = b"@font-face{font-family:Material Symbols Rounded;"
_NO_SPACE = b"unicode-range:U+21-10FFFF;"


def load_icons_late(stylesheet: bytes) -> bytes:
    """Return Streamlit's main stylesheet with an icon font that is loaded on demand; other files unchanged."""
    if _FONT not in stylesheet:
        return stylesheet
    return stylesheet.replace(_FONT, _FONT + _NO_SPACE) + _arrows()


@cache
def _arrows() -> bytes:
    return Path(__file__).with_name("arrows.css").read_bytes()
