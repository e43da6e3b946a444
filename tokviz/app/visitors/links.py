"""Links that open a page with a text and settings, as its share button writes them.

The counterpart in Python of `widgets/shared/links.js`: settings in plain words and the text, compressed, stand behind
the `#`, which browsers keep to themselves. What settings there are is said by the `link.js` of each widget.
"""

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from urllib.parse import urlencode


def write_link(page: str, fields: Mapping[str, str], text: str | None = None) -> str:
    """The link to `page`, an address without a `#`. Empty fields are left out.

    `text` is None where the fields say which text it is, or where there is none. A link without fields and text is the
    address alone.
    """
    said = {name: value for name, value in fields.items() if value}
    if text is not None:
        said["text"] = pack(text)
    return f"{page}#{urlencode(said)}" if said else page


def pack(text: str) -> str:
    """A text as a field of a link: raw deflate in base64url, without padding."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return urlsafe_b64encode(deflate.compress(text.encode()) + deflate.flush()).rstrip(b"=").decode()


def unpack(letters: str, most: int) -> str:
    """The text of such a field. Raises ValueError where it is damaged, or longer than `most` bytes."""
    inflate = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        data = inflate.decompress(urlsafe_b64decode(letters + "=" * (-len(letters) % 4)), most + 1)
        text = data.decode()
    except (ValueError, zlib.error):
        raise ValueError("this link is damaged; perhaps the end of it was cut off") from None
    if len(data) > most:
        raise ValueError(f"this link holds more than {most:,} bytes, which is too much")
    if not inflate.eof:
        raise ValueError("this link is damaged; perhaps the end of it was cut off")
    return text
