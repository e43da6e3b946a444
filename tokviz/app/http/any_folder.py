"""Routes under the app's root, whatever folder of the server that is.

They belong under `server.baseUrlPath`, but the list of routes is created while app.py is imported, before Streamlit
reads its settings. So they match under any folder.
"""

from starlette.convertors import PathConvertor, register_url_convertor


class _AnyFolder(PathConvertor):
    regex = "(?:[^/]+/)*"


register_url_convertor("any_folder", _AnyFolder())

ANY_FOLDER = "/{base:any_folder}"
"""Start of a route's path: the app's root, whose path, without the first slash, becomes the parameter `base`."""
