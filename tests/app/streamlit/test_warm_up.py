"""Loading ahead: the large tokenizers are ready on every page, and are read only while nobody asks for anything."""

import time

import pytest

from tokviz.app.answers.visitors.kept_tokenizers import DEFAULT, Registry
from tokviz.app.answers.visitors.shipped_tokenizers import SHIPPED
from tokviz.app.shields.fairness.visitors import Shares
from tokviz.app.streamlit import warm_up
from tokviz.tokenizers.base import Tokenizer


class Stage:
    """A server with a clock that advances only by sleeping, on which somebody asks for something until `busy_until`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, busy_until: float) -> None:
        self.now = 0.0
        self.busy_until = busy_until
        self.shares = Shares(clock=lambda: self.now)
        self.loaded: list[tuple[str, float]] = []
        monkeypatch.setattr(warm_up, "registry", self)
        monkeypatch.setattr(warm_up, "shares", self.shares)
        for name in ("freeze_loaded", "use_everywhere", "import_module"):
            monkeypatch.setattr(warm_up, name, lambda *_, name=name: self.get(name))
        monkeypatch.setattr(time, "sleep", self.sleep)

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        if self.now < self.busy_until:
            self.shares.charge("10.0.0.1", 0.001)

    def get(self, name: str) -> str:
        self.loaded.append((name, self.now))
        return name


def test_what_stops_other_threads_waits_until_nobody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    stage = Stage(monkeypatch, busy_until=60)
    warm_up.warm_up()
    loaded = dict(reversed(stage.loaded))  # when each was first loaded
    assert loaded.pop(DEFAULT) == 0
    assert loaded.keys() >= {*warm_up.COMMON, *warm_up.LARGE, "import_module", "freeze_loaded"}
    assert all(time >= 60 for time in loaded.values())


def test_it_does_not_wait_where_nobody_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    stage = Stage(monkeypatch, busy_until=0)
    warm_up.warm_up()
    assert stage.now == warm_up.FIRST_VISIT
    assert {name for name, _ in stage.loaded} > set(warm_up.LARGE)


def test_those_loaded_ahead_are_shipped() -> None:
    assert set(warm_up.LARGE) <= {each.name for each in SHIPPED if each.kind == "engine"}


@pytest.mark.parametrize(("name", "parts"), [("bert-base-uncased", {"vocab", "model"}), ("gpt2", {"vocab"})])
def test_what_pages_ask_for_is_built(name: str, parts: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm_up, "shares", Shares())
    tokenizer: Tokenizer = Registry().get(name)
    warm_up.use_everywhere(tokenizer)
    assert parts <= vars(tokenizer).keys()
