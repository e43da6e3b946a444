"""Response headers of all pages and routes, and cookies inside another site's frame."""

from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from tokviz.app import server
from tokviz.app.shields.admission import FRAME_ANCESTORS, Admission

XSRF = "_streamlit_xsrf=2|a|b|1"
SPACES = "https://huggingface.co https://*.example.org"


async def page(request: Request) -> Response:
    response = PlainTextResponse(
        "page", headers={"referrer-policy": "no-referrer"} if "own" in request.url.path else {}
    )
    response.headers.append("set-cookie", f"{XSRF}; Path=/; SameSite=Lax")
    response.headers.append("set-cookie", "another=1; Path=/; SameSite=Strict")
    return response


def served(frame_ancestors: str = "", scheme: str = "http") -> TestClient:
    middleware = [Middleware(Admission, names="*", frame_ancestors=frame_ancestors)]
    return TestClient(Starlette(routes=[Route("/{path:path}", page)], middleware=middleware), f"{scheme}://example.org")


def directives(answer: Any) -> dict[str, str]:
    parts = (part.partition(" ") for part in answer.headers["content-security-policy"].split("; "))
    return {name: value for name, _, value in parts}


def test_every_response_has_the_headers() -> None:
    client = TestClient(Starlette(routes=server.routes, middleware=server.middleware), "http://localhost")
    answers = [
        client.get("/_tokviz/sample?name=start"),
        client.get("/_tokviz/static/shared/net/client.js"),
        client.get("/_tokviz/nothing"),
        client.post("/_tokviz/tokenize"),
        client.get("/", headers={"host": "evil.example"}),
    ]
    assert [answer.status_code for answer in answers] == [200, 200, 404, 400, 421]
    for answer in answers:
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert "frame-ancestors 'self'" in answer.headers["content-security-policy"]


def test_scripts_are_loaded_from_here_only_and_never_evaluated() -> None:
    policy = directives(served().get("/"))
    assert policy["default-src"] == "'self'"
    assert not {"'unsafe-inline'", "'unsafe-eval'"} & set(policy["script-src"].split())
    assert "http" not in policy["script-src"]
    assert policy["object-src"] == "'none'"


def test_headers_set_by_a_response_are_kept() -> None:
    assert served().get("/own").headers["referrer-policy"] == "no-referrer"


def test_only_the_app_and_listed_sites_may_frame_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert directives(served().get("/"))["frame-ancestors"] == "'self'"
    assert directives(served(SPACES).get("/"))["frame-ancestors"] == f"'self' {SPACES}"
    monkeypatch.setenv(FRAME_ANCESTORS, SPACES)
    app = Starlette(routes=[Route("/", page)], middleware=[Middleware(Admission, names="*")])
    assert directives(TestClient(app).get("/"))["frame-ancestors"] == f"'self' {SPACES}"


@pytest.mark.parametrize(
    ("scheme", "headers", "is_secure"),
    [
        ("http", {}, False),
        ("https", {}, True),
        ("http", {"x-forwarded-proto": "https"}, True),
        ("http", {"sec-fetch-site": "same-origin"}, True),
    ],
)
def test_streamlit_s_cookie_works_in_frames_over_https(scheme: str, headers: dict[str, str], is_secure: bool) -> None:
    cookies = served(SPACES, scheme).get("/", headers=headers).headers.get_list("set-cookie")
    framed = f"{XSRF}; Path=/; SameSite=None; Secure; Partitioned"
    assert cookies == [framed if is_secure else f"{XSRF}; Path=/; SameSite=Lax", "another=1; Path=/; SameSite=Strict"]


def test_cookies_are_unchanged_if_no_site_may_frame_the_app() -> None:
    assert served(scheme="https").get("/").headers.get_list("set-cookie")[0] == f"{XSRF}; Path=/; SameSite=Lax"
