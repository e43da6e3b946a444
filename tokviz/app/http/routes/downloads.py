"""The files that pages offer."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from tokviz.app.fairness import lanes
from tokviz.app.http.requests import Refusal, parameter, refusing
from tokviz.app.visitors.downloads import downloads


@refusing
async def download(request: Request) -> Response:
    """Make an offered file, and send it as an attachment."""
    found = downloads.get(parameter(request, "id"))
    if found is None:
        raise Refusal(404, "This file is no longer offered. Reload the page and try again.")
    data = await lanes.writing.run(request, found.make)
    about = {"content-disposition": f'attachment; filename="{found.name}"'}
    return Response(data, media_type=found.media_type, headers=about)


routes: list[BaseRoute] = [Route("/download", download)]
