"""The Train page, run as Streamlit runs it."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import tokviz
from tokviz.app.registry import registry
from tokviz.samples import samples

APP = str(Path(__file__).parents[1] / "app.py")
PATIENCE = 60


def open_page(**settings: object) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=60)
    for name, value in settings.items():
        app.session_state[name.replace("_", "-")] = value
    app.switch_page("pages/train.py").run()
    assert not app.exception
    return app


def press(app: AppTest, label: str) -> AppTest:
    next(button for button in app.button if button.label == label).click().run()
    assert not app.exception
    return app


def run_until(app: AppTest, is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.1)
        app.run()
        assert not app.exception


def train(app: AppTest) -> str:
    """Train, and return the name in the registry."""
    press(app, "Train")
    run_until(app, lambda: "tokviz running" not in app.session_state)
    assert not app.warning and not app.error
    name: str = app.session_state["own-chosen"]
    return name


def texts(app: AppTest) -> list[str]:
    return [each.value for each in app.text]


def test_the_result_is_what_training_here_gives() -> None:
    app = open_page(size=400, sample="all code", measure_on="Nothing else", specials="<a> <b>", ties="lowest-ids")
    name = train(app)
    made = registry.get(name)
    expected = tokviz.train(
        [each.text for each in samples() if each.kind == "code"],
        vocab_size=400,
        split_pattern="cl100k",
        tie_break="lowest-ids",
        special_tokens=["<a>", "<b>"],
    )
    assert made.vocab == expected.vocab
    assert isinstance(made, tokviz.BPETokenizer) and made.merges == expected.merges
    assert "A vocabulary of 400 tokens, 142 of them merged from others." in texts(app)
    assert len(app.get("download_button")) == 5


def test_a_pattern_that_takes_ages_is_refused_within_the_limit() -> None:
    begun = time.monotonic()
    app = open_page(
        pattern="own", **{"pattern-own": r"(?=(.*a)*c)b|."}, **{"learn-from": "My text", "tokviz text": "ab" * 5000}
    )
    assert time.monotonic() - begun < 20
    (error,) = app.error
    assert "takes longer than 1 s" in error.value


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"pattern": "own", "pattern-own": "("}, "does not compile"),
        ({"specials": "<a> <a>"}, "Special tokens are repeated: <a>."),
    ],
)
def test_what_is_wrong_is_said_at_once(settings: dict[str, object], says: str) -> None:
    app = open_page(**settings)
    (error,) = app.error
    assert says in error.value
