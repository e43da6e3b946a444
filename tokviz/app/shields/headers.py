"""Security headers of responses, and cookies that work inside another site's frame."""

import base64
import hashlib
import re
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

from starlette.datastructures import Headers
from streamlit.file_util import get_static_dir

FRAME_ANCESTORS = "TOKVIZ_FRAME_ANCESTORS"
"""Environment variable with the sites that may show the app in a frame, as in CSP: `https://example.org https://...`.

The app itself always may; other sites only if listed here.
"""

_INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_STREAMLITS_COOKIE = b"_streamlit_xsrf="


def security_headers(frame_ancestors: str) -> list[tuple[bytes, bytes]]:
    """Return the security headers of every response. `frame_ancestors` lists sites that may frame the app."""
    return [
        (b"x-content-type-options", b"nosniff"),
        # Pages have settings in their query, which other sites should not learn.
        (b"referrer-policy", b"same-origin"),
        (b"content-security-policy", content_security_policy(frame_ancestors).encode()),
    ]


def content_security_policy(frame_ancestors: str = "") -> str:
    """Return the policy of all pages: everything is loaded from this server, and only listed sites may frame it.

    Streamlit needs four exceptions. It generates styles at run time, so `style-src` has 'unsafe-inline'. It imports a
    component's JavaScript, which arrives in a message, from a `blob:` URL. It uses WebAssembly for 64-bit numbers. And
    its page has one inline script, which is allowed by its hash.
    """
    scripts = " ".join(f"'sha256-{digest}'" for digest in _inline_script_digests())
    directives = {
        "default-src": "'self'",
        "script-src": f"'self' blob: 'wasm-unsafe-eval' {scripts}".strip(),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "worker-src": "'self' blob:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": " ".join(["'self'", *frame_ancestors.split()]),
    }
    return "; ".join(f"{name} {value}" for name, value in directives.items())


def _inline_script_digests() -> list[str]:
    page = Path(get_static_dir(), "index.html").read_text("utf-8")
    return [
        base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in _INLINE_SCRIPT.findall(page)
    ]


def is_secure(scope: MutableMapping[str, Any]) -> bool:
    """Return whether the browser uses https, perhaps to a proxy in front, and so accepts Secure cookies.

    A proxy may not forward that, but browsers send Sec-Fetch-Site only over connections that they trust.
    """
    headers = Headers(scope=scope)
    return scope["scheme"] == "https" or headers.get("x-forwarded-proto") == "https" or "sec-fetch-site" in headers


def across_sites(name: bytes, value: bytes) -> bytes:
    """Make Streamlit's cookie, by which visitors are told apart, work in another site's frame.

    It is Partitioned: browsers that block cookies of framed sites keep this one, separately for each framing site.
    """
    if name.lower() != b"set-cookie" or not value.startswith(_STREAMLITS_COOKIE):
        return value
    pair = value.split(b";")[0]
    return pair + b"; Path=/; SameSite=None; Secure; Partitioned"
