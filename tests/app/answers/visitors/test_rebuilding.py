"""Tokenizers of links: rebuilt from share codes by the route, once for all who open a link."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from typing import Any

import pytest
from app_test import AppTest
from clients import client as client
from starlette.applications import Starlette
from starlette.testclient import TestClient

import tokviz
from tokviz.analysis.training.holdout import hold_out
from tokviz.app import server
from tokviz.app.answers.visitors import share_codes
from tokviz.app.answers.visitors.kept_tokenizers import registry
from tokviz.app.answers.visitors.share_codes import Origin
from tokviz.app.shields.fairness.visitors import FairQueue
from tokviz.app.shields.processes.training_queue import jobs
from tokviz.app.shields.processes.training_recipes import Recipe
from tokviz.lesson.links import pack
from tokviz.samples import sample

LINES = "the cat in the hat sat on the mat\n" * 12
TAKES_AGES = Recipe(300, r"(?=(.*a)*c)b|.")
ORIGIN = Origin("Mine", Recipe(270), texts=("abab",))


def made(client: TestClient, code: str, name: str = "no-longer-kept-here-at-all") -> Any:
    return client.post(f"/_tokviz/made?id={name}", content=code.encode())


@pytest.mark.parametrize("held_out", [False, True])
def test_a_rebuilt_tokenizer_equals_the_original(client: TestClient, held_out: bool) -> None:
    recipe = Recipe(300, "gpt2", "seen-bytes", tie_break="lowest-ids", special_tokens=("<s>",))
    described = made(client, share_codes.write(Origin("Cats", recipe, texts=(LINES,), held_out=held_out))).json()
    texts = hold_out([LINES]).learn if held_out else [LINES]
    same = tokviz.train(texts, **asdict(recipe))
    again = registry.get(described["name"])
    assert (described["label"], described["vocabSize"], described["kind"]) == ("Cats", same.vocab_size, "bpe")
    assert again.vocab == same.vocab
    assert again.encode(LINES) == same.encode(LINES)


def test_samples_are_stored_by_name(client: TestClient) -> None:
    text = sample("prose-en").text
    described = made(client, share_codes.write(Origin("English", Recipe(280), sample="prose-en"))).json()
    assert registry.get(described["name"]).vocab == tokviz.train(text, vocab_size=280, split_pattern="cl100k").vocab


def test_a_registered_tokenizer_is_not_rebuilt(client: TestClient) -> None:
    name = registry.register(tokviz.train("abab", num_merges=1), "Mine")
    described = made(client, "", name).json()
    assert (described["name"], described["recipe"]) == (name, "")
    code = share_codes.write(replace(ORIGIN, label="once"))
    first, second = (made(client, code).json() for _ in range(2))
    assert first == second
    assert first["recipe"] == code


def test_another_visitors_training_is_not_given_to_a_link_with_the_same_code(client: TestClient) -> None:
    """Or else anybody could find out whether somebody here trained on a certain text."""
    code = share_codes.write(replace(ORIGIN, label="theirs"))
    theirs = registry.register(tokviz.train("abab", num_merges=1), "theirs", code)
    assert made(client, code).json()["name"] != theirs


def test_simultaneous_requests_share_one_rebuild(client: TestClient) -> None:
    code = share_codes.write(replace(ORIGIN, label="all at once"))
    with ThreadPoolExecutor(8) as pool:
        names = {answer.json()["name"] for answer in pool.map(lambda _: made(client, code), range(8))}
    assert len(names) == 1


def test_share_codes_and_samples_are_read_off_the_event_loop(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_by = []

    def read(code: str) -> Origin:
        read_by.append(threading.current_thread())
        return replace(ORIGIN, sample="a sample")

    def sample_texts(name: str) -> list[str]:
        read_by.append(threading.current_thread())
        return ["abab"]

    async def loop_thread() -> threading.Thread:
        return threading.current_thread()

    monkeypatch.setattr(share_codes, "read", read)
    monkeypatch.setattr(share_codes, "sample_texts", sample_texts)
    assert client.portal is not None
    assert made(client, "held up").status_code == 200
    assert len(read_by) == 2
    assert client.portal.call(loop_thread) not in read_by


def test_a_rebuilt_tokenizer_is_kept_for_its_session_and_an_hour(client: TestClient) -> None:
    name = made(client, share_codes.write(replace(ORIGIN, label="an hour"))).json()["name"]
    assert registry._registered[name].holders == 0
    app = AppTest.from_function(adopting, kwargs={"name": name}).run()
    assert not app.exception
    assert app.json[0].value == '["an hour"]'
    assert registry._registered[name].holders == 1


def adopting(name: str) -> None:
    import streamlit as st

    from tokviz.app.answers.visitors import visitor_tokenizers

    visitor_tokenizers.adopt(name)
    visitor_tokenizers.adopt(name)  # already adopted
    visitor_tokenizers.adopt("gone-or-never-there-at-all")
    st.json([each.label for each in visitor_tokenizers.descriptions()])


def test_removing_a_tokenizer_leaves_it_to_other_sessions() -> None:
    name = registry.register(tokviz.train("abab", num_merges=1))
    registry.hold(name)
    registry.forget(name)
    assert registry.has(name)
    registry.forget(name)
    assert not registry.has(name)


@pytest.mark.parametrize(
    ("code", "status", "says"),
    [
        ("", 404, "not known here"),
        ("nonsense", 422, "This link"),
        (pack(json.dumps(asdict(ORIGIN) | {"label": "\ud800"})), 422, "This link does not say"),
        (share_codes.write(replace(ORIGIN, sample="none-such")), 422, "No sample is named"),
        (share_codes.write(replace(ORIGIN, held_out=True)), 422, "fewer than 10 lines"),
        (
            share_codes.write(Origin("ages", TAKES_AGES, texts=("ab" * 5_000,))),
            422,
            "takes longer than",
        ),
    ],
)
def test_a_failed_rebuild_is_explained(client: TestClient, code: str, status: int, says: str) -> None:
    answer = made(client, code)
    assert answer.status_code == status
    assert says in answer.json()["error"]


def test_a_link_needs_an_id(client: TestClient) -> None:
    assert client.post("/_tokviz/made", content=b"").status_code == 400


def test_a_full_training_queue_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "_waiting", FairQueue(0, 1))
    # The previous test's training, which may still be ending, is another visitor's.
    with TestClient(Starlette(routes=server.routes), client=("192.0.2.7", 50000)) as other:
        answer = made(other, share_codes.write(replace(ORIGIN, label="too many")))
    assert answer.status_code == 429
    assert "waiting already" in answer.json()["error"]
