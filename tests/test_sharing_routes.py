"""What the share dialog asks the server: an address that phones can open, and a QR code."""

import ipaddress
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tokviz.app import server


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(Starlette(routes=server.routes)) as client:
        yield client


def test_the_address_is_one_that_others_can_open_or_none(client: TestClient) -> None:
    host = client.get("/_tokviz/address").json()["host"]
    assert host is None or not ipaddress.ip_address(host).is_loopback


def test_a_code_is_a_square_picture_with_a_light_ground(client: TestClient) -> None:
    response = client.post("/_tokviz/qr", content=b"http://192.168.1.5:8501/#sample=start")
    assert response.headers["content-type"].startswith("image/svg+xml")
    picture = ElementTree.fromstring(response.text)
    left, top, width, height = picture.attrib["viewBox"].split()
    assert (left, top) == ("0", "0")
    assert width == height
    assert "#fff" in response.text


def test_a_text_that_fits_no_code_is_refused(client: TestClient) -> None:
    response = client.post("/_tokviz/qr", content=b"a" * 3000)
    assert response.status_code == 413
    assert "too long for a QR code" in response.json()["error"]
