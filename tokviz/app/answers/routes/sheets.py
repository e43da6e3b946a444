"""Light pages for phones, which cost no session: one that follows a room, the teacher's notes, and the lesson alone.

The addresses for a class are short, since they are typed from a projector: `r/k7m-p2x-9qd` and `sheet` under the app's
root. The address of the notes, `notes/k7m-p2x-9qd#key`, is scanned; the part after # is never sent with an address.
"""

import html
import json
from functools import cache
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Match, Route
from starlette.types import Scope

from tokviz.app.answers.asked import Asked
from tokviz.app.answers.link_cards import card_of, root_address
from tokviz.app.answers.page_list import ICON, lesson_page
from tokviz.app.answers.requests import ANY_FOLDER, get
from tokviz.lesson.links import write_link
from tokviz.widgets import FIGURE_SHEETS
from tokviz.widgets.html import module_paths

_PAGE = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="{icon}">
{card}{links}
<div id="room"><noscript>{no_script}</noscript></div>
<script type="application/json" id="data">{data}</script>
<script type="module" src="{files}{script}"></script>
</html>
"""
_SHEETS = ("shared/dom/palette.css", "shared/dom/controls.css", "room/widget.css")


@get(ANY_FOLDER + "r/{id}")
def room_page(asked: Asked) -> Response:
    """Send the page of a room's phones. It is the same for all rooms, and doesn't say whether one is open."""
    from tokviz.lesson.steps import lesson  # with the lesson's texts, which other pages don't need

    words = lesson().words["phones"]
    return _page(asked.request, words["title"], "room/phone.js", "../", {"words": words})


@get(ANY_FOLDER + "notes/{id}")
def notes_page(asked: Asked) -> Response:
    """Send the teacher's notes, which follow a room. Without its key, they are those of the whole lesson."""
    from tokviz.lesson.slides import slides

    shown = slides(lambda link: "")
    return _page(asked.request, shown["words"]["notes"], "slides/phone_notes.js", "../", shown, "slides/notes.css")


@get(ANY_FOLDER + "sheet")
def sheet_page(asked: Asked) -> Response:
    """Send the lesson's questions with their answers, to go through alone."""
    from tokviz.lesson.slides import questions
    from tokviz.lesson.steps import lesson

    base, words = f"/{asked.request.path_params['base']}", lesson().words
    listed = questions(lambda link: write_link(base + link.page, link.fields, link.text))
    data = {"questions": listed, "words": words["phones"]}
    return _page(asked.request, words["page"]["title"], "room/sheet.js", "./", data)


def _page(request: Request, title: str, script: str, up: str, data: dict[str, Any], *sheets: str) -> Response:
    """Return a page that starts the module `script`, with more stylesheets. `up` leads from it to the app's root."""
    from tokviz.lesson.steps import lesson

    packed = json.dumps({"up": up, "sheets": FIGURE_SHEETS, **data}, ensure_ascii=False).replace("<", "\\u003c")
    files = f"{up}_tokviz/static/"
    texts = {"language": lesson().language, "title": title, "no_script": lesson().words["page"]["no_script"]}
    escaped = {name: html.escape(text) for name, text in texts.items()}
    card = card_of(lesson_page(), root_address(request.scope, f"/{request.path_params['base']}"))
    named = {"icon": f"{up}{ICON}", "card": card, "files": files, "script": script}
    page = _PAGE.format(links=_links(script, files, *sheets), data=packed, **named, **escaped)
    return HTMLResponse(page, headers={"cache-control": "no-cache"})


@cache
def _links(script: str, files: str, *more: str) -> str:
    """Return the links to stylesheets, and to modules, so that these arrive together."""
    sheets = (f'<link rel="stylesheet" href="{files}{path}">' for path in (*_SHEETS, *more))
    modules = (f'<link rel="modulepreload" href="{files}{html.escape(path)}">' for path in module_paths([script]))
    return "\n".join((*sheets, *modules))


class _StudentsSheet(Route):
    """The route of `lesson?for=students`. Any other address of the Lesson page is Streamlit's."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Match the path and the query."""
        is_asked = scope["type"] == "http" and scope["query_string"] == b"for=students"
        return super().matches(scope) if is_asked else (Match.NONE, {})


async def _lead_to_sheet(_: Request) -> Response:
    return RedirectResponse("sheet")


to_sheet = _StudentsSheet(ANY_FOLDER + "lesson", _lead_to_sheet)
"""Leads from the sheet's earlier address, which is on paper and in QR codes, to the present one."""
