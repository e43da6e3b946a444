"""Route that sends the files offered by pages."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from tokviz.app.fairness import lanes
from tokviz.app.http.requests import Refusal, parameter, refusing
from tokviz.app.visitors.downloads import downloads


@refusing
async def download(request: Request) -> Response:
    """Create an offered file and send it as an attachment."""
    file = downloads.get(parameter(request, "id"))
    if file is None:
        raise Refusal(404, "This file is no longer offered. Reload the page and try again.")
    data = await lanes.writing.run(request, file.make)
    headers = {"content-disposition": f'attachment; filename="{file.name}"'}
    return Response(data, media_type=file.media_type, headers=headers)


routes: list[BaseRoute] = [Route("/download", download)]
