"""Test client for the app's routes. Use it with `from clients import client as client`."""

from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tokviz.app import server


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    """Client for the app's routes, without Streamlit."""
    with TestClient(Starlette(routes=server.routes)) as client:
        yield client
