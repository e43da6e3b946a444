"""Links that open a page with a text and settings, as its share button writes them.

The counterpart in Python of `widgets/shared/links.js`: settings in plain words and the text, compressed, stand behind
the `#`, which browsers keep to themselves. What settings there are is said by the `link.js` of each widget.
"""

import zlib
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from urllib.parse import urlencode


def write_link(page: str, fields: Mapping[str, str], text: str | None = None) -> str:
    """The link to `page`, an address without a `#`. Empty fields are left out.

    `text` is None where the fields say which text it is, or where there is none. A link without fields and text is the
    address alone.
    """
    said = {name: value for name, value in fields.items() if value}
    if text is not None:
        said["text"] = _packed(text)
    return f"{page}#{urlencode(said)}" if said else page


def _packed(text: str) -> str:
    """Raw deflate in base64url, without padding."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return urlsafe_b64encode(deflate.compress(text.encode()) + deflate.flush()).rstrip(b"=").decode()
