"""Cards that chats show for a link to a page: title, description and picture, as Open Graph and X have them.

Chats run no scripts and read no relative addresses.
"""

from html import escape

from starlette.datastructures import Headers
from starlette.types import Scope

from tokviz.app.answers.page_list import Page
from tokviz.app.shields.admission import is_secure

CARD_SIZE = (1200, 630)
"""Width and height in pixels of the pictures in `pictures/`, which `deploy/pictures.py` draws."""

_CARD = """<meta name="description" content="{description}">
<meta property="og:site_name" content="tokviz">
<meta property="og:type" content="website">
<meta property="og:title" content="{headline}">
<meta property="og:description" content="{description}">
<meta property="og:image" content="{root}_tokviz/pictures/{name}.png">
<meta property="og:image:width" content="{width}">
<meta property="og:image:height" content="{height}">
<meta property="og:image:alt" content="{headline}">
<meta name="twitter:card" content="summary_large_image">
"""


def card_of(page: Page, root: str) -> str:
    """Return the HTML that says what a chat shows of a page. `root` is the app's address, as others reach it."""
    width, height = CARD_SIZE
    texts = {"headline": page.headline, "description": page.description, "root": root, "name": page.name}
    return _CARD.format(**{name: escape(text) for name, text in texts.items()}, width=width, height=height)


def root_address(scope: Scope, path: str) -> str:
    """Return the address of the app whose path this is, with the host that a request names; its path without one.

    `Admission` has checked the host's name.
    """
    host = Headers(scope=scope).get("host")
    return f"{'https' if is_secure(scope) else 'http'}://{host}{path}" if host else path
