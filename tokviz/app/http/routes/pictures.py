"""Route of the icon, and of the pictures that chats show of links to pages. `deploy/pictures.py` draws them."""

from pathlib import Path

from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

FOLDER = Path(__file__).parents[1] / "pictures"

routes: list[BaseRoute] = [Mount("/pictures", StaticFiles(directory=FOLDER))]
