"""Escape text from visitors where Streamlit expects Markdown.

A link may contain any text, and a message may quote it. As Markdown, it could load an image from another host, or show
a link that seems to be the app's own.
"""

import re


def escape_markdown(text: str) -> str:
    """Return text as inline code, whose content Markdown does not interpret. `page.css` styles it like other text.

    Backslashes would not suffice: Streamlit replaces URLs, arrows and shortcodes such as `:cat:` after removing them.

    >>> escape_markdown("2 * 3 * 4"), escape_markdown("a `word`")
    ('` 2 * 3 * 4 `', '`` a `word` ``')
    """
    line = " ".join(text.splitlines())  # an empty line would end the inline code
    fence = "`" * (1 + max(map(len, re.findall("`+", line)), default=0))
    return f"{fence} {line} {fence}"
