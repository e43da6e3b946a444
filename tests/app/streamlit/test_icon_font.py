"""Streamlit's icon font is loaded on demand."""

import re
from pathlib import Path

from streamlit.file_util import get_static_dir

from tokviz.app.streamlit.files import load_icons_late

RULE = re.compile(rb"@font-face{[^}]*Material Symbols Rounded[^}]*}")
RANGE = re.compile(rb"unicode-range:U\+([0-9A-F]+)-([0-9A-F]+);")


def test_the_icon_font_of_the_installed_streamlit_has_no_space() -> None:
    sheets = [path.read_bytes() for path in Path(get_static_dir(), "static/css").glob("*.css")]
    (sheet,) = filter(RULE.search, sheets)
    (rule,) = RULE.findall(load_icons_late(sheet))
    ((first, last),) = RANGE.findall(rule)
    letters = set("keyboard_arrow_right_123")
    assert ord(" ") < int(first, 16) <= min(map(ord, letters)) <= max(map(ord, letters)) <= int(last, 16)


def test_other_stylesheets_stay_as_they_are() -> None:
    sheet = b"@font-face{font-family:Source Sans;src:url(a.woff2)}"
    assert load_icons_late(sheet) == sheet
