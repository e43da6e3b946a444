"""The list of terms, read from its module: Python has none of its own."""

import json

from tokviz import widgets

_SOURCE = (widgets.FOLDER / "shared" / "text" / "glossary.js").read_text("utf-8")

LIST: list[tuple[str, str, str]] = json.loads(
    _SOURCE.partition("const LIST = ")[2].partition(";\n\n/**")[0].replace(",\n]", "\n]")
)
"""Term, meaning, and example."""

TERMS = {term for term, _, _ in LIST}
