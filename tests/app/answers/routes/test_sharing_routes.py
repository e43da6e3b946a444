"""The routes of the share dialog: an address that phones can open, and QR codes."""

import ipaddress
import threading
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest
import segno
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tokviz.app import server


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(Starlette(routes=server.routes), client=("127.0.0.1", 50000)) as client:
        yield client


def test_the_address_is_reachable_by_others_or_null(client: TestClient) -> None:
    host = client.get("/_tokviz/address").json()["host"]
    assert host is None or not ipaddress.ip_address(host).is_loopback


def test_the_address_is_for_the_local_machine_only() -> None:
    others = TestClient(Starlette(routes=server.routes), client=("192.0.2.7", 50000))
    assert others.get("/_tokviz/address").status_code == 403


def test_a_code_is_a_square_image_with_a_light_background(client: TestClient) -> None:
    response = client.post("/_tokviz/qr", content=b"http://192.168.1.5:8501/#sample=start")
    assert response.headers["content-type"].startswith("image/svg+xml")
    picture = ElementTree.fromstring(response.text)
    left, top, width, height = picture.attrib["viewBox"].split()
    assert (left, top) == ("0", "0")
    assert width == height
    assert "#fff" in response.text


def test_a_text_too_long_for_a_code_is_refused(client: TestClient) -> None:
    response = client.post("/_tokviz/qr", content=b"a" * 3000)
    assert response.status_code == 413
    assert "too long for a QR code" in response.json()["error"]


def test_the_longest_text_that_fits_is_drawn(client: TestClient) -> None:
    assert client.post("/_tokviz/qr", content=b"1" * 7089).status_code == 200
    assert client.post("/_tokviz/qr", content=b"a" * 2953).status_code == 200
    assert client.post("/_tokviz/qr", content=b"a" * 2954).status_code == 413


def test_codes_are_drawn_off_the_event_loop(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn_by = []
    make = segno.make

    def drawn(text: str, **settings: Any) -> segno.QRCode:
        drawn_by.append(threading.current_thread())
        return make(text, **settings)

    async def loop_thread() -> threading.Thread:
        return threading.current_thread()

    monkeypatch.setattr(segno, "make", drawn)
    assert client.post("/_tokviz/qr", content=b"a" * 3_000_000).status_code == 413
    assert not drawn_by  # drawing would take seconds
    assert client.post("/_tokviz/qr", content=b"a").status_code == 200
    assert client.portal is not None
    assert drawn_by and drawn_by != [client.portal.call(loop_thread)]
