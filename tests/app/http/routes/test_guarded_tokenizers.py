"""Routes with a visitor's tokenizer that runs in a guarded process: whatever it does, the server answers."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import hostile_tokenizers
import pytest
from clients import client as client
from starlette.testclient import TestClient

from tokviz.app.fairness import lanes
from tokviz.app.fairness.visitors import Visitor
from tokviz.app.processes.guarded import GuardedTokenizer
from tokviz.app.visitors.kept_tokenizers import registry
from tokviz.widgets import wire


@pytest.fixture(scope="module")
def name() -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(hostile_tokenizers.__file__).parent))
        name = registry.register(GuardedTokenizer(hostile_tokenizers.hostile), "hostile")
        yield name
        registry.forget(name)


def test_tokens_and_a_crash(client: TestClient, name: str) -> None:
    answer = client.post(f"/_tokviz/tokenize?tokenizer={name}", content="good")
    columns, meta = wire.unpack(answer.content)
    assert columns["ids"].tolist() == list(b"good")
    assert meta["vocab_size"] == 256
    crash = client.post(f"/_tokviz/tokenize?tokenizer={name}", content="abort")
    assert crash.status_code == 422
    assert crash.json()["error"].startswith("This tokenizer ended the process that ran it")
    assert client.post(f"/_tokviz/tokenize?tokenizer={name}", content="good").status_code == 200


@pytest.mark.parametrize(
    ("route", "body"),
    [
        ("pretokens?tokenizer={}", "good"),
        ("token?tokenizer={}&id=97", ""),
        ("find?tokenizer={}", "a"),
        ("decode?tokenizer={}", '{"ids": [97, 98]}'),
        ("export?tokenizer={}&format=json", "good"),
        ("compare?tokenizers=gpt2,{}", "good"),
        ("compare/explain?tokenizers=gpt2,{}&segments=0-4", "good"),
        ("compare/texts?tokenizer={}&first=2", "good"),
    ],
)
def test_other_routes(client: TestClient, name: str, route: str, body: str) -> None:
    method = "GET" if route.startswith("token?") else "POST"
    answer = client.request(method, f"/_tokviz/{route.format(name)}", content=body)
    assert answer.status_code == 200, answer.text


def test_a_tail_is_refused(client: TestClient, name: str) -> None:
    answer = client.post(f"/_tokviz/tail?tokenizer={name}", content="good")
    assert (answer.status_code, answer.json()["error"]) == (
        422,
        "This can be told of byte pair encoding over bytes only.",
    )


def test_a_replay_is_refused(client: TestClient, name: str) -> None:
    answer = client.post(f"/_tokviz/replay?tokenizer={name}&order=rank", content="good")
    assert answer.status_code == 422
    assert "it merges nothing" in answer.json()["error"]


def test_it_has_a_lane_of_its_own(client: TestClient, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    lane = lanes.Lane("test", 1)
    monkeypatch.setattr(lanes, "guarded", lane)
    submit = lane.submit

    def noted(visitor: Visitor, work: Callable[[], Any]) -> "Future[Any]":
        ran.append("guarded")
        return submit(visitor, work)

    monkeypatch.setattr(lane, "submit", noted)
    client.post(f"/_tokviz/tokenize?tokenizer={name}", content="good")
    client.post(f"/_tokviz/compare?tokenizers=gpt2,{name}", content="good")
    assert ran == ["guarded"] * 2
    client.post("/_tokviz/tokenize?tokenizer=gpt2", content="good")
    assert ran == ["guarded"] * 2
