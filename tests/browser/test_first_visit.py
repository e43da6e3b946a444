"""Bytes on the wire and requests of a first visit to each page, the same on every machine."""

from typing import Any, NamedTuple

import pytest
from browsing import TIMEOUT_MS
from playwright.sync_api import Browser, expect
from tabs import VIEWPORT

from pages import CHARTS_MS, rest


class Loaded(NamedTuple):
    """Bytes on the wire, and requests; of these, those for our own files and data, without Plotly's script."""

    all_bytes: int
    requests: int
    our_bytes: int
    our_requests: int


MB = 1_000_000

TEASERS = '.doors:has-text("came last"):has-text("GPT-2 takes")'
"""Links to other pages beneath the tokens, after the merges of the text and its tokens under GPT-2 have come."""

MOST = {
    #                   all bytes, requests, our bytes, our requests
    "": (TEASERS, Loaded(1_182_000, 179, 270_000, 107)),
    "compare": (".compared .t", Loaded(1_160_000, 167, 222_000, 92)),
    "replay": (".stage", Loaded(1_205_000, 186, 275_000, 108)),
    "train": (".outcome .t", Loaded(1_220_000, 179, 297_000, 105)),
    "course": (".chapters", Loaded(1_060_000, 131, 125_000, 56)),
    "lesson": ("h2, h3", Loaded(1_165_000, 115, 87_000, 41)),
    "compression": (".js-plotly-plot:has(.overplot .trace)", Loaded(2_650_000, 158, 239_000, 83)),
}
"""For each page, what is there when it has loaded, and at most how much that takes. Needed are:

| page | all MB, requests | ours, KB, requests | of which |
| --- | --- | --- | --- |
| Tokens | 1.18, 179 | 269, 107 | Streamlit's scripts, its fonts for text (0.3 MB), our modules |
| Compare | 1.13, 163 | 215, 89 | the same, with the modules of the compared text |
| Merge replay | 1.18, 179 | 269, 103 | the same, with those of the tower |
| Train | 1.21, 179 | 295, 105 | the same, with the bubble and drawer of a token, and how the first text is cut |
| Course | 1.03, 127 | 121, 51 | its contents; figures come with their chapters |
| Lesson | 1.16, 111 | 86, 36 | no editor; its text comes with the session, its slides when they are wanted |
| Compression | 2.62, 154 | 231, 77 | Plotly (1.5 MB), the colored text beneath the curve |

No page without a chart may need 1.3 MB.
"""


@pytest.mark.parametrize("path", MOST)
def test_first_visit(browser: Browser, app_url: str, path: str) -> None:
    there, most = MOST[path]
    context = browser.new_context(viewport=VIEWPORT)
    context.set_default_timeout(TIMEOUT_MS)
    page = context.new_page()
    wire = context.new_cdp_session(page)
    addresses: dict[str, str] = {}
    sizes: dict[str, int] = {}
    frames: list[int] = []
    late: list[str] = []

    def note(sent: dict[str, Any]) -> None:
        address = addresses[sent["requestId"]] = sent["request"]["url"]
        if sent["initiator"]["type"] == "script" and address.endswith(".js"):
            late.append(address.removeprefix(app_url))

    wire.on("Network.requestWillBeSent", note)
    wire.on("Network.loadingFinished", lambda done: sizes.update({done["requestId"]: int(done["encodedDataLength"])}))
    wire.on("Network.webSocketFrameReceived", lambda got: frames.append(len(got["response"]["payloadData"])))
    wire.send("Network.enable")
    page.goto(app_url + path)
    rest(page, CHARTS_MS)
    expect(page.locator(there).first).to_be_visible(timeout=CHARTS_MS)
    page.wait_for_load_state("networkidle")
    ours = [number for number, address in addresses.items() if "/_tokviz/" in address and "plotly.min" not in address]
    loaded = Loaded(
        all_bytes=sum(sizes.values()) + sum(frames),
        requests=len(addresses),
        our_bytes=sum(sizes.get(number, 0) for number in ours),
        our_requests=len(ours),
    )
    context.close()
    above = [name for name, count, bound in zip(loaded._fields, loaded, most, strict=True) if count > bound]
    assert not above, f"{', '.join(above)}: {loaded}, at most {most}"
    # Nothing of ours is asked for only when another module is there: over Wi-Fi, each wave takes 40 ms.
    assert not [address for address in late if address.startswith("_tokviz/static/") and "plotly.min" not in address]
