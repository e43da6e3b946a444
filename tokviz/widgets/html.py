"""Standalone HTML pages: a widget in one file that opens from disk, without a network or a server.

Modules opened from disk can't import each other, because browsers give every file its own origin. So the page contains
the source of every module that the widget imports, and `standalone/boot.js` turns each into a Blob URL, in dependency
order.
"""

import base64
import gzip
import hashlib
import html
import json
import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import pairwise
from typing import Any

from tokviz.widgets import FOLDER

# A relative import or re-export that starts its line: import ... from "./elements.js";
_STATIC = re.compile(r'^(?:import|export)\s[^"\'();]*?"(?=\.{1,2}/)([^"]+)";$', re.MULTILINE)

# A static import as above, or one for later, as in: await import("./elements.js"). A page without a server holds both.
_ANY = re.compile(
    r'(?:^(?:import|export)\s[^"\'();]*?|(?:=> |await )import\()"(?=\.{1,2}/)([^"]+)"(?:;$|(?=\)))', re.MULTILINE
)

# A comment for whoever reads the file, which no page needs.
_DOCUMENTATION = re.compile(r"^ */\*\*(?:[^*]|\*(?!/))*\*/\n", re.MULTILINE)

Module = list[str | int]
"""A module's source in parts: each number replaces an import path and is the index of the imported module."""

_PAGE = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
<main>
<h1>{title}</h1>
<div id="widget"><noscript>{no_script}</noscript></div>
{beneath}
</main>
<script type="application/json" id="modules">{modules}</script>
<script type="application/json" id="late">{late}</script>
<script type="application/json" id="data">{data}</script>
<script type="module">{boot}</script>
</html>
"""

_ENGLISH = {"language": "en", "no_script": "This page needs JavaScript."}

_FRAME = """<!doctype html>
<meta charset="utf-8">
<script type="text/plain" id="page">{page}</script>
<script type="module">{script}</script>
"""

# Only our own scripts run, whatever data the page is given, and no request leaves the page. Images are those that it
# draws itself, to save them.
_POLICY = (
    "default-src 'none'; script-src {boot} blob:; style-src {style}; img-src blob:; base-uri 'none'; form-action 'none'"
)


def standalone_page(
    widget: str,
    data: Mapping[str, Any],
    title: str,
    beneath: str = "",
    style: str = "",
    words: Mapping[str, str] = _ENGLISH,
    late: tuple[str, ...] = (),
) -> str:
    """Return a page that mounts the widget in the folder `widget` with `data`, under the heading `title`.

    `beneath` is HTML that follows the widget, and `style` its stylesheet. `words` are those around it, with
    their language's tag. `late` are modules that the widget loads by their paths when it wants them.

    `data` is the JSON data for the widget's `mount`; `bytes` in it, such as packed columns, arrive as an ArrayBuffer.
    The page uses the reader's system fonts. Save it as UTF-8.
    """
    modules, places, sheets = _modules_and_sheets(widget, late)
    boot = _read_text("standalone/boot.js")
    style = "".join([*map(_read_text, sheets), style])
    return _PAGE.format(
        language=html.escape(words["language"]),
        no_script=html.escape(words["no_script"]),
        policy=_POLICY.format(boot=_csp_hash(boot), style=_csp_hash(style)),
        title=html.escape(title),
        beneath=beneath,
        style=style,
        modules=_script_json(modules),
        late=_script_json(places),
        data=_script_json(data),
        boot=boot,
    )


def view_page(view: str, data: Mapping[str, Any]) -> str:
    """Return a page with a view of how a tokenizer reads a text. `data` names the `tokenizer`."""
    return standalone_page(view, {view: data}, f"How {data['tokenizer']} reads a text")


def notebook_frame(page: str, title: str, shown: str, height: str) -> str:
    """Return a standalone page in an iframe for trusted notebooks, with a line that says what is `shown` above it.

    Untrusted notebooks drop the iframe but keep the line, which the page hides when its widget has started. `height` is
    that of the frame until then. The page is packed, since the notebook's file keeps it.
    """
    packed = base64.b64encode(gzip.compress(page.encode(), mtime=0)).decode()
    unpacking = _FRAME.format(page=packed, script=_read_text("standalone/frame.js"))
    frame = (
        f'<iframe srcdoc="{html.escape(unpacking)}" title="{html.escape(title)}" style="width: 100%; height: {height}; '
        'border: 0"></iframe>'
    )
    return f"{frame}<p>If you see no {shown} above, run this cell: it is shown only in notebooks that you trust.</p>"


def notebook_view(draw_page: Callable[[], str], title: str, shown: str) -> str:
    """Return the page in an iframe for trusted notebooks, or what the ValueError says if it can't be drawn."""
    try:
        return notebook_frame(draw_page(), title, shown, "40rem")
    except ValueError as error:
        return f"<p>{html.escape(str(error))}</p>"


def module_paths(paths: Iterable[str]) -> list[str]:
    """Return the paths of modules and of all that they import at once, in dependency order."""
    order: dict[str, Module] = {}
    for path in paths:
        _collect(path, order, [], _STATIC)
    return list(order)


@cache
def _modules_and_sheets(widget: str, late: tuple[str, ...]) -> tuple[list[Module], dict[str, int], list[str]]:
    """Return modules in dependency order, the widget last; the places of those in `late`; and paths of stylesheets."""
    order: dict[str, Module] = {}
    places = {path: _collect(path, order, []) for path in late}
    _collect(f"{widget}/widget.js", order, [])
    # Widgets' own stylesheets come after the shared ones, which they adapt.
    folders = sorted(dict.fromkeys(map(posixpath.dirname, order)), key=lambda folder: not folder.startswith("shared/"))
    candidates = [f"{folder}/{sheet.name}" for folder in folders for sheet in sorted((FOLDER / folder).glob("*.css"))]
    # A folder's widget.css goes with its widget.js; its other stylesheets go with any of its modules.
    sheets = [each for each in candidates if not each.endswith("/widget.css") or f"{each[:-3]}js" in order]
    return list(order.values()), places, [*sheets, "standalone/page.css"]


def _collect(path: str, order: dict[str, Module], importing: list[str], imports: re.Pattern[str] = _ANY) -> int:
    """Add the module at `path` to `order`, after its imports, and return its index. Raises ValueError for a cycle."""
    if path in importing:
        raise ValueError(f"modules import each other in a circle: {' -> '.join([*importing, path])}")
    if path not in order:
        module: Module = []
        for index, part in enumerate(_split_at_imports(_DOCUMENTATION.sub("", _read_text(path)), imports)):
            if index % 2:
                imported = posixpath.normpath(posixpath.join(posixpath.dirname(path), part))
                module.append(_collect(imported, order, [*importing, path], imports))
            else:
                module.append(part)
        order[path] = module
    return list(order).index(path)


def _split_at_imports(source: str, imports: re.Pattern[str]) -> list[str]:
    """Split a module's source into parts in which code and imported paths alternate, starting with code."""
    boundaries = [0, *(boundary for match in imports.finditer(source) for boundary in match.span(1)), len(source)]
    return [source[start:end] for start, end in pairwise(boundaries)]


def _read_text(path: str) -> str:
    return (FOLDER / path).read_text("utf-8")


def _script_json(value: object) -> str:
    """Serialize to JSON for a script element, with `<` escaped so that nothing in it can close the element."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_encode_bytes).replace("<", "\\u003c")


def _encode_bytes(value: object) -> dict[str, str]:
    if not isinstance(value, bytes):
        raise TypeError(f"a page's data is JSON and bytes, not {type(value).__name__}")
    return {"$base64": base64.b64encode(value).decode()}


def _csp_hash(text: str) -> str:
    """Return the source expression that allows an inline script or stylesheet in a content security policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
