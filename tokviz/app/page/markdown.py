"""Escape text from visitors where Streamlit expects Markdown.

A link may bring any text, and a message may quote it. As Markdown it could fetch a picture from another host, or show
a link that seems to be ours.
"""

import re


def escape_markdown(text: str) -> str:
    """Return text as inline code, which Markdown leaves alone. `page.css` makes it look like any other text.

    Backslashes would not do: Streamlit looks for addresses, arrows and signs such as `:cat:` when they are gone.

    >>> escape_markdown("2 * 3 * 4"), escape_markdown("a `word`")
    ('` 2 * 3 * 4 `', '`` a `word` ``')
    """
    line = " ".join(text.splitlines())  # an empty line would end the code
    fence = "`" * (1 + max(map(len, re.findall("`+", line)), default=0))
    return f"{fence} {line} {fence}"
