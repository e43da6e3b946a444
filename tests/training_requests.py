"""Requests of the Train page, for tests of its routes."""

import time
from typing import Any

from starlette.testclient import TestClient

PATIENCE = 60
LINE = "the cat in the hat sat on the mat"
LINES = f"{LINE}\n" * 20
RECIPE = {"pattern": "gpt2", "measure": "lines", "merges": "12"}


def start(client: TestClient, text: str | bytes = LINES, **recipe: str) -> dict[str, Any]:
    answer = client.post("/_tokviz/train", params=RECIPE | recipe, content=text)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def follow(client: TestClient, id: str) -> dict[str, Any]:
    """Ask until a training has ended, and return the last answer."""
    deadline = time.monotonic() + PATIENCE
    while True:
        answer = client.get("/_tokviz/train/state", params={"id": id, "merges": 0})
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        if found["state"] in ("done", "failed"):
            return found
        assert time.monotonic() < deadline
        time.sleep(0.05)


def refusal(client: TestClient, recipe: dict[str, str], text: str | bytes = LINES, status: int = 422) -> str:
    answer = client.post("/_tokviz/train", params=RECIPE | recipe, content=text)
    assert answer.status_code == status, answer.text
    said: str = answer.json()["error"]
    return said
