"""Nobody waits for what strangers let a child process do: it is asked for by ten addresses, and does not answer."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from threading import Event, Semaphore
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

import tokviz
from tokviz.app import server
from tokviz.app.answers.visitors.kept_tokenizers import registry
from tokviz.app.shields.processes import chat_templates, children, patterns
from tokviz.app.shields.processes.pool import Lane
from tokviz.pretokens import splitting
from tokviz.widgets.wire import unpack

PATIENCE = 60
STRANGERS = [f"10.0.1.{number}" for number in range(10)]
HI = [{"role": "user", "content": "Hi there"}]
LOOP = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"


class Silent:
    """A child that does not answer before it is told to; `asked` counts those who wait for it, or for their turn."""

    def __init__(self, lane: Lane, patch: pytest.MonkeyPatch) -> None:
        self.asked, self._answer, turn = Semaphore(0), Event(), lane.turns.turn

        def ask(*_: object) -> None:
            assert self._answer.wait(PATIENCE)
            raise children.Overdue("this took too long")

        @contextmanager
        def counted(*given: Any) -> Iterator[None]:
            self.asked.release()
            with turn(*given):
                yield

        patch.setattr(lane.child, "start", lambda _: None)
        patch.setattr(lane.child, "ask", ask)
        patch.setattr(lane.turns, "turn", counted)

    def answer(self) -> None:
        self._answer.set()


@pytest.fixture
def clients() -> Iterator[Callable[[str], TestClient]]:
    """Clients of the app's routes, by address."""
    with ExitStack() as stack:
        app = Starlette(routes=server.routes)

        def client(address: str) -> TestClient:
            return stack.enter_context(TestClient(app, client=(address, 50_000)))

        yield client


def test_a_text_does_not_wait_for_slow_patterns(
    clients: Callable[[str], TestClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patterns, "MAX_WAIT", PATIENCE)
    text, me = "the cat in the hat " * 1_100, clients("10.0.0.1")
    name = registry.register(tokviz.train("the cat", num_merges=2).with_split_patterns(["(a|a)*b|."]))
    matcher = patterns.SplitMatcher()
    silent = Silent(matcher.pool.slow, monkeypatch)
    before = splitting.set_matcher(matcher)
    try:
        with ThreadPoolExecutor(40) as pool:
            asked = [
                pool.submit(clients(address).post, f"/_tokviz/tokenize?tokenizer={name}", content=text)
                for address in STRANGERS
                for _ in range(4)
            ]
            for _ in range(2 * len(STRANGERS)):  # of each address as many as the lane lets begin, or more
                assert silent.asked.acquire(timeout=PATIENCE)
            for size in (1_000, 20_000):
                columns, _ = unpack(me.post("/_tokviz/tokenize?tokenizer=gpt2", content=text[:size]).content)
                assert columns["ids"].tolist() == tokviz.load("gpt2").encode(text[:size])
            assert not any(future.done() for future in asked)
            silent.answer()
            assert {future.result(PATIENCE).status_code for future in asked} <= {422, 503}
    finally:
        splitting.set_matcher(before)
        matcher.pool.close()
        registry.forget(name)


def test_a_shipped_template_does_not_wait_for_looping_ones(
    clients: Callable[[str], TestClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat_templates.pool, "wait", PATIENCE)
    silent = Silent(chat_templates.pool.slow, monkeypatch)

    def body(template: dict[str, str]) -> str:
        return json.dumps({"messages": HI, "template": template})

    with ThreadPoolExecutor(len(STRANGERS)) as pool:
        asked: list[Future[Any]] = [
            pool.submit(clients(address).post, "/_tokviz/chat?tokenizer=gpt2", content=body({"text": LOOP}))
            for address in STRANGERS
        ]
        for _ in STRANGERS:
            assert silent.asked.acquire(timeout=PATIENCE)
        answer = clients("10.0.0.1").post("/_tokviz/chat?tokenizer=gpt2", content=body({"name": "qwen3"}))
        assert unpack(answer.content)[1]["prompt"] == tokviz.chat(HI, "gpt2", "qwen3").prompt
        assert not any(future.done() for future in asked)
        silent.answer()
        assert {future.result(PATIENCE).status_code for future in asked} == {422}
