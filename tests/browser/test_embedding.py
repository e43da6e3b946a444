"""The app in another site's frame over https, and a policy that no page runs into.

Two host names of this machine are two sites to a browser. Encryption ends in front of the app, as at a proxy.
"""

import shutil
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import trustme
from browsing import FLAGS, INSTALLED, TIMEOUT_MS, served
from playwright.sync_api import Browser, BrowserContext, FrameLocator, Page, expect
from proxies import nginx
from running_app import free_port
from tabs import Watched

from pages import CHARTS_MS, go_to, rest
from tokviz.app.shields.admission import FRAME_ANCESTORS

CATS = b"the cat in the hat sat on the mat\n" * 40
SETTINGS = "train?learn-from=Files&size=300&pattern=gpt2&measure-on=Nothing+else"
PATHS = ["", "compare", "replay", "compression", "train", "course"]
PARTS = {
    "Tokens": ".t",
    "Compare": ".compared .t",
    "Merge replay": ".stage",
    "Compression": ".js-plotly-plot .main-svg",
    "Train": "button:has-text('Train')",
    "Course": ".contents",
}
"""Each page, with a part that it alone has, once it has loaded."""


_ENCRYPTED = """
map $http_upgrade $connection_upgrade {{ default upgrade; "" close; }}
server {{
    listen 127.0.0.1:{port} ssl;
    ssl_certificate {certificate};
    ssl_certificate_key {certificate};
    location / {{
        proxy_pass http://127.0.0.1:{inside};
        proxy_http_version 1.1;
        proxy_set_header Host $http_host;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection $connection_upgrade;
    }}
}}
"""
"""Settings of nginx that only end the encryption."""


@pytest.fixture(scope="module")
def encryption(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with a self-signed certificate."""
    folder = tmp_path_factory.mktemp("certificate")
    trustme.CA().issue_cert("localhost", "127.0.0.1").private_key_and_cert_chain_pem.write_to_path(folder / "pem")
    return folder


@contextmanager
def encrypted(inside: int, encryption: Path) -> Iterator[int]:
    """Yield a port that ends https for the server at the port `inside`."""
    port = free_port()
    folder = encryption / str(port)
    folder.mkdir()
    with nginx(folder, _ENCRYPTED.format(port=port, certificate=encryption / "pem", inside=inside), port):
        yield port


@pytest.fixture(scope="module")
def other_site(encryption: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Another site: its address and the folder of its pages."""
    folder = tmp_path_factory.mktemp("site")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with encrypted(server.server_port, encryption) as port:
            yield f"https://localhost:{port}", folder
        server.shutdown()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None: ...


@pytest.fixture(scope="module")
def framed_app(other_site: tuple[str, Path], encryption: Path) -> Iterator[str]:
    """Address of an app that the other site may embed in frames."""
    app_port = free_port()
    with ExitStack() as running:
        with pytest.MonkeyPatch.context() as patch:  # only for this app, not for others started at the same time
            patch.setenv(FRAME_ANCESTORS, other_site[0])
            running.enter_context(served(app_port))
        yield f"https://127.0.0.1:{running.enter_context(encrypted(app_port, encryption))}/"


@pytest.fixture(params=["cookies of frames allowed", "cookies of frames blocked"])
def visitor(request: pytest.FixtureRequest, browser: Browser) -> Iterator[BrowserContext]:
    """Profiles of a default browser, and of one that blocks cookies in frames unless they are partitioned.

    The whole browser takes the tests' certificate: where each request has to be allowed anew, as in a context that
    ignores such errors, Chromium gives up on one now and then (ERR_TOO_MANY_RETRIES).
    """
    flags = [*FLAGS, "--ignore-certificate-errors"]
    if "blocked" in request.param:
        flags.append("--test-third-party-cookie-phaseout")
    installed = next(filter(None, map(shutil.which, INSTALLED)), None)
    own = browser.browser_type.launch(executable_path=installed, args=flags)
    yield own.new_context()
    own.close()


def frame_in(page: Page, other_site: tuple[str, Path], address: str) -> FrameLocator:
    """Open the app in a frame on a page of the other site."""
    site, folder = other_site
    frame = f'<iframe src="{address}" width="1200" height="700"></iframe>'
    (folder / "page.html").write_text(f'<!doctype html><link rel="icon" href="data:,">{frame}')
    page.set_default_timeout(TIMEOUT_MS)
    page.goto(f"{site}/page.html")
    return page.frame_locator("iframe")


def test_the_train_page_in_another_site_s_frame(
    visitor: BrowserContext, other_site: tuple[str, Path], framed_app: str
) -> None:
    watched = Watched(visitor)
    page = visitor.new_page()
    started: list[str] = []
    page.on("request", lambda request: started.append(request.url) if "_tokviz/train?" in request.url else None)

    # Uploads arrive, and a trained tokenizer is still there after a reload.
    app = frame_in(page, other_site, framed_app + SETTINGS)
    files = app.get_by_label("Text files to learn from")
    files.set_input_files({"name": "cats.txt", "mimeType": "text/plain", "buffer": CATS})
    expect(app.locator(".says")).to_contain_text("cats.txt")
    app.get_by_role("button", name="Train", exact=True).click()
    expect(app.locator(".facts .size")).to_contain_text("16 merged")
    page.frames[1].wait_for_function("() => document.cookie.includes('tokviz_own')")
    page.reload()
    expect(app.locator(".facts .size")).to_contain_text("16 merged")
    assert not watched.problems, "\n".join(watched.problems)
    assert {cookie["sameSite"] for cookie in visitor.cookies()} == {"None"}
    assert all(cookie["secure"] for cookie in visitor.cookies())

    # A link does not train by itself.
    started.clear()
    frame_in(page, other_site, f"{framed_app}train#train=1&sample=all+code&merges=20&split=gpt2")
    expect(app.locator(".note")).to_contain_text("Press Train to start.")
    expect(app.locator(".sum")).to_contain_text("20 merges")
    assert started == []
    app.get_by_role("button", name="Train", exact=True).click()
    expect(app.locator(".facts .size")).to_contain_text("20 merged")
    assert len(started) == 1


def test_unlisted_sites_cannot_frame_the_app(
    browser: Browser, other_site: tuple[str, Path], encryption: Path, app_url: str
) -> None:
    context = browser.new_context(ignore_https_errors=True)
    page = context.new_page()
    with encrypted(int(app_url.rsplit(":", 1)[1].strip("/")), encryption) as port:
        frame_in(page, other_site, f"https://127.0.0.1:{port}/")
        assert page.frames[1].evaluate("location.href") == "chrome-error://chromewebdata/"
        context.close()


def test_pages_do_not_violate_their_content_security_policy(page: Page, app_url: str, watched: Watched) -> None:
    """One page after the other. The tests of all pages notice violations, as `watched` does here at last."""
    for path in PATHS:
        headers = page.request.get(f"{app_url}{path}").headers
        assert "script-src 'self'" in headers["content-security-policy"]
    page.goto(app_url)
    for name, part in PARTS.items():
        go_to(page, name)
        expect(page.locator(part).first).to_be_visible(timeout=CHARTS_MS)
        rest(page)
        page.get_by_role("button", name="share").click()
        expect(page.get_by_alt_text("QR code of the link")).to_be_visible()
        page.get_by_role("button", name="close").click()
    assert watched.problems == []
    with page.expect_console_message(lambda message: "Content Security Policy" in message.text):
        page.evaluate("document.body.append(Object.assign(document.createElement('script'), { text: '' + 1 }))")
    assert watched.problems
    watched.problems.clear()
