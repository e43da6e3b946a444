"""Write and read links that open a page with a text and settings, as its share button writes them.

Python counterpart of `widgets/shared/net/links.js`. Settings in plain words and the compressed text follow the `#`,
which browsers do not send to servers. Each widget's `link.js` defines its settings.
"""

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from urllib.parse import urlencode


def write_link(page: str, fields: Mapping[str, str], text: str | None = None) -> str:
    """Return a link to `page`, an address without a `#`. Empty fields are left out.

    `text` is None if the fields identify the text, or if there is none. Without fields and text, the link is the
    address alone.
    """
    fragment = {name: value for name, value in fields.items() if value}
    if text is not None:
        fragment["text"] = pack(text)
    return f"{page}#{urlencode(fragment)}" if fragment else page


def pack(text: str) -> str:
    """Encode a text as a field of a link: raw deflate in base64url, without padding."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return urlsafe_b64encode(deflate.compress(text.encode()) + deflate.flush()).rstrip(b"=").decode()


def unpack(packed: str, most: int) -> str:
    """Decode a field written by `pack`. Raises ValueError if it is damaged or holds more than `most` bytes."""
    inflate = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        data = inflate.decompress(urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), most + 1)
        text = data.decode()
    except (ValueError, zlib.error):
        raise ValueError("this link is damaged; perhaps the end of it was cut off") from None
    if len(data) > most:
        raise ValueError(f"this link holds more than {most:,} bytes, which is too much")
    if not inflate.eof:
        raise ValueError("this link is damaged; perhaps the end of it was cut off")
    return text
