"""A widget as one HTML page that opens from disk, without a network and without a server.

On disk a module can't import another: browsers let no two files share an origin. So the page holds the text of every
module that the widget imports, and `page/boot.js` turns each into a Blob URL, those first that others import.
"""

import base64
import hashlib
import html
import json
import posixpath
import re
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from typing import Any

from tokviz.widgets import FOLDER

# Where a module names another, in a statement that begins its line: import ... from "./elements.js";
_IMPORT = re.compile(r'^(?:import|export)\s[^"\'();]*?"(?=\.{1,2}/)([^"]+)";$', re.MULTILINE)

Module = list[str | int]
"""A module's text, in parts: a number stands where it imports the module of that number."""

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
<h1>{title}</h1>
<div id="widget"><noscript>This page needs JavaScript.</noscript></div>
<script type="application/json" id="modules">{modules}</script>
<script type="application/json" id="data">{data}</script>
<script type="module">{boot}</script>
</html>
"""

# Nothing is fetched, whatever the page is made to say: it runs our own scripts, and talks to nobody.
_POLICY = "default-src 'none'; script-src {boot} blob:; style-src {style}; base-uri 'none'; form-action 'none'"


def standalone_page(widget: str, data: Mapping[str, Any], title: str) -> str:
    """A page that shows the widget in the folder `widget`, given `data`, under the heading `title`.

    `data` is what the widget's `mount` takes, as JSON; `bytes` in it, such as packed columns, arrive as an ArrayBuffer.
    Fonts are those of the reader's system. Save it as UTF-8.
    """
    modules, sheets = _parts(widget)
    boot = _text("page/boot.js")
    style = "".join(map(_text, sheets))
    return _PAGE.format(
        policy=_POLICY.format(boot=_hash(boot), style=_hash(style)),
        title=html.escape(title),
        style=style,
        modules=_json(modules),
        data=_json(data),
        boot=boot,
    )


@cache
def _parts(widget: str) -> tuple[list[Module], list[str]]:
    """The widget's modules, imported ones first, and the paths of the stylesheets that they need."""
    order: dict[str, Module] = {}
    _collect(f"{widget}/widget.js", order, [])
    folders = dict.fromkeys(path.split("/")[0] for path in order)
    own = [f"{folder}/{sheet.name}" for folder in folders for sheet in sorted((FOLDER / folder).glob("*.css"))]
    # A folder's widget.css is for its own widget; view.css and the like are for whoever uses its modules.
    sheets = [sheet for sheet in own if not sheet.endswith("/widget.css") or sheet == f"{widget}/widget.css"]
    return list(order.values()), [*sheets, "page/page.css"]


def _collect(path: str, order: dict[str, Module], importing: list[str]) -> int:
    """Add the module at `path`, after those that it imports. Returns its number."""
    if path in importing:
        raise ValueError(f"modules import each other in a circle: {' -> '.join([*importing, path])}")
    if path not in order:
        module: Module = []
        for number, part in enumerate(_cut(_text(path))):
            if number % 2:
                imported = posixpath.normpath(posixpath.join(posixpath.dirname(path), part))
                module.append(_collect(imported, order, [*importing, path]))
            else:
                module.append(part)
        order[path] = module
    return list(order).index(path)


def _cut(source: str) -> list[str]:
    """A module's text in turn with the paths that it imports."""
    borders = [0, *(border for found in _IMPORT.finditer(source) for border in found.span(1)), len(source)]
    return [source[start:end] for start, end in pairwise(borders)]


def _text(path: str) -> str:
    return (FOLDER / path).read_text("utf-8")


def _json(value: object) -> str:
    """JSON that may stand in a script: no `<` in it could end that."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_as_json).replace("<", "\\u003c")


def _as_json(value: object) -> dict[str, str]:
    if not isinstance(value, bytes):
        raise TypeError(f"a page's data is JSON and bytes, not {type(value).__name__}")
    return {"$base64": base64.b64encode(value).decode()}


def _hash(text: str) -> str:
    """What a content security policy calls an inline script or stylesheet."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
