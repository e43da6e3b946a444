"""Early loading of a widget's modules: the page that Streamlit sends lists them, so that they arrive while it starts.

Without the list, a browser learns of 80 modules only when the page's script has run in the server, and of each only
from those that import it, one wave after the other.
"""

import html
from functools import cache

from tokviz.widgets.html import module_paths

HOST_MODULES = ("shared/net/madetokenizers.js", "shared/net/kept_texts.js", "shared/page/session.js")
"""Modules that the host of each widget imports beside the widget's own."""


@cache
def links(widget: str) -> str:
    """Return the links of the widget in a folder. Their priority is low: what the page itself needs is loaded first."""
    paths = module_paths((f"{widget}/widget.js", *HOST_MODULES))
    # Relative, as the page's own links are.
    tags = (
        f'<link rel="modulepreload" fetchpriority="low" href="./_tokviz/static/{html.escape(path)}">\n'
        for path in paths
    )
    return "".join(tags)
