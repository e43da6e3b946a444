"""The page for an address that has none: ways on, instead of Streamlit's dialog. Its status is 404."""

from difflib import get_close_matches
from html import escape

from starlette.responses import HTMLResponse, Response
from starlette.types import Scope

from tokviz.app.answers.page_list import ICON, PAGES

_MAX_ADDRESS = 200
"""Maximum characters of the address that are repeated."""

_NO_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>No page here · tokviz</title>
<link rel="icon" href="{root}{icon}">
<link rel="stylesheet" href="{root}_tokviz/static/shared/dom/palette.css">
<style>
:root {{ color-scheme: light dark; color: var(--ink); background: var(--page) }}
body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 12vh auto 4rem; padding: 0 1rem }}
h1 {{ font-size: 1.5rem; font-weight: 600; margin: 0 0 1rem }}
code {{ font-family: var(--mono); overflow-wrap: anywhere }}
ul {{ list-style: none; margin: 1.5rem 0; padding: 0 }}
a {{ display: block; padding: .625rem 0; color: inherit; text-decoration: none }}
b {{ font-weight: 600; border-bottom: 1.5px solid currentColor }}
a:hover b {{ border-bottom-width: 3px }}
</style>
<h1>There is no page at this address</h1>
<p><code>{address}</code> leads nowhere. {nearest}</p>
<ul>
{ways}
</ul>
</html>
"""
_WAY = '<li><a href="{root}{path}"><b>{title}</b> {headline}</a></li>'


def no_page(scope: Scope, root: str) -> Response:
    """Return a page with ways on, for an address that has none. `root` is the app's path."""
    path = scope["path"]
    near = get_close_matches(path.rpartition("/")[2].lower()[:_MAX_ADDRESS], [page.name for page in PAGES], 1)
    up = _way_up(scope, root)
    shown = [page for page in PAGES if not page.is_hidden]
    way = {page.name: _WAY.format(root=up, path=page.path, title=page.title, headline=page.headline) for page in shown}
    nearest = near[0] if near and near[0] in way else None
    html = _NO_PAGE.format(
        root=up,
        icon=ICON,
        address=escape(path if len(path) <= _MAX_ADDRESS else f"{path[:_MAX_ADDRESS]}…"),
        nearest="Did you mean the first of these pages?" if nearest else "These are the pages:",
        ways="\n".join(way[name] for name in sorted(way, key=lambda name: name != nearest)),
    )
    return HTMLResponse(html, 404, headers={"cache-control": "no-cache"})


def _way_up(scope: Scope, root: str) -> str:
    """Return how a link begins that leads from an address to the app's root.

    It is relative, because a proxy may have taken away the beginning of the path; and it counts the slashes that the
    browser sees, of which some may be written as %2F.
    """
    seen = scope.get("raw_path", scope["path"].encode()).decode("latin-1").partition("?")[0]
    steps = seen.count("/") - root.count("/")
    return "../" * steps or "./" if scope["path"].startswith(root) else root
