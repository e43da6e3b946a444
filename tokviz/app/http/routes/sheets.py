"""Light pages for phones, which cost no session: one that follows a room, and the lesson's questions without a room.

Their addresses are short, since they are typed from a projector: `r/k7m-p2x-9qd` and `sheet` under the app's root.
"""

import html
import json
from functools import cache
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Scope

from tokviz.app.http.any_folder import ANY_FOLDER
from tokviz.app.http.requests import refusing
from tokviz.app.visitors.links import write_link
from tokviz.widgets import FIGURE_SHEETS
from tokviz.widgets.html import module_paths

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
{links}
<div id="room"><noscript>This page needs JavaScript.</noscript></div>
<script type="application/json" id="data">{data}</script>
<script type="module" src="{files}room/{script}.js"></script>
</html>
"""
_SHEETS = ("shared/dom/palette.css", "shared/dom/controls.css", "room/widget.css")


@refusing
async def room_page(request: Request) -> Response:
    """Send the page of a room's phones. It is the same for all rooms, and doesn't say whether one is open."""
    return _page("A question to vote on", "phone", "../", {})


@refusing
async def sheet_page(request: Request) -> Response:
    """Send the lesson's questions with their answers, to go through alone."""
    from tokviz.lesson.questions import questions  # with the lesson's texts, which only this page needs

    base = f"/{request.path_params['base']}"
    asked = questions(lambda link: write_link(base + link.page, link.fields, link.text))
    return _page("How a model reads", "alone", "./", {"questions": asked})


@refusing
async def to_sheet(request: Request) -> Response:
    """Lead from the sheet's earlier address, which is on paper and in QR codes, to the present one."""
    return RedirectResponse("sheet")


def _page(title: str, script: str, up: str, data: dict[str, Any]) -> Response:
    """Return a page that starts the module `script`. `up` leads from it to the app's root."""
    packed = json.dumps({"up": up, "sheets": FIGURE_SHEETS, **data}, ensure_ascii=False).replace("<", "\\u003c")
    files = f"{up}_tokviz/static/"
    page = _PAGE.format(title=title, links=_links(script, files), data=packed, files=files, script=script)
    return HTMLResponse(page, headers={"cache-control": "no-cache"})


@cache
def _links(script: str, files: str) -> str:
    """Return the links to stylesheets, and to modules, so that these arrive together."""
    sheets = (f'<link rel="stylesheet" href="{files}{path}">' for path in _SHEETS)
    modules = (
        f'<link rel="modulepreload" href="{files}{html.escape(path)}">' for path in module_paths([f"room/{script}.js"])
    )
    return "\n".join((*sheets, *modules))


class _StudentsSheet(Route):
    """The route of `lesson?for=students`. Any other address of the Lesson page is Streamlit's."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Match the path and the query."""
        is_asked = scope["type"] == "http" and scope["query_string"] == b"for=students"
        return super().matches(scope) if is_asked else (Match.NONE, {})


routes: list[BaseRoute] = [
    Route(ANY_FOLDER + "r/{id}", room_page),
    Route(ANY_FOLDER + "sheet", sheet_page),
    _StudentsSheet(ANY_FOLDER + "lesson", to_sheet),
]
"""Outside the folder `_tokviz`."""
