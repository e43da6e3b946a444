"""Texts of visitors where Streamlit expects Markdown: shown letter by letter.

A link may bring any text, and a message may quote it. As Markdown it could fetch a picture from another host, or show
a link that seems to be ours.
"""

import re


def verbatim(text: str) -> str:
    """A text as code in Markdown, of which nothing is made. `page.css` lets it look like any other text.

    Backslashes would not do: Streamlit looks for addresses, arrows and signs such as `:cat:` when they are gone.

    >>> verbatim("2 * 3 * 4"), verbatim("a `word`")
    ('` 2 * 3 * 4 `', '`` a `word` ``')
    """
    line = " ".join(text.splitlines())  # an empty line would end the code
    fence = "`" * (1 + max(map(len, re.findall("`+", line)), default=0))
    return f"{fence} {line} {fence}"
