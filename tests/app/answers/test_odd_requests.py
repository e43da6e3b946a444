"""Whatever is sent to whichever route, nothing of ours fails: what is wrong with it is said in a sentence."""

import asyncio
import json
import logging
from collections.abc import Iterator
from random import Random
from types import SimpleNamespace
from typing import Any

import odd_requests
import pytest
from odd_requests import DEEP, SECRET, Answered, Asked, Raw, ask, get, odd, post, routes_of
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import BaseRoute, Route

import tokviz
from tokviz.app import server
from tokviz.app.answers.requests import AnsweringRoute, refusing
from tokviz.app.answers.rooms import room
from tokviz.app.answers.routes import rooms as room_routes
from tokviz.app.answers.routes import tokenizer_files
from tokviz.app.answers.visitors.kept_tokenizers import registry
from tokviz.app.answers.visitors.trainings import trainings
from tokviz.app.shields import refusals
from tokviz.app.shields.processes import limited
from tokviz.tokenizers.base import Tokenizer

EACH = 25
"""Odd forms of each request that are tried here. `odd_requests` has 300 of each, on average."""

SEED = 49
MAX_REFUSAL = 3 * refusals.MAX_SENTENCE
MAX_ANSWER = 6_000_000

APP = Starlette(routes=server.routes)
HI = [{"role": "user", "content": "Hi"}]
TYPED = "what somebody typed"


@pytest.fixture
def trained(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A visitor's tokenizer. Rooms are moved, and questions about them answered, at once; nothing starts a process."""
    small = tokviz.train("low lower lowest newer", vocab_size=262)

    async def opened(*_: Any, **__: Any) -> Tokenizer:
        return small

    monkeypatch.setattr(room_routes, "POLL_SECONDS", 0)
    monkeypatch.setattr(room, "MOVES", 1e9)
    monkeypatch.setattr(tokenizer_files, "open_in_turn", opened)
    monkeypatch.setattr(limited, "call_limited", lambda *_, **__: {})
    started = SimpleNamespace(id="x", code="", job=None, problem="not trained", label="", name="")
    monkeypatch.setattr(trainings, "start", lambda *_, **__: started)
    monkeypatch.setattr(trainings, "finish", lambda _: None)
    name = registry.register(small, "mine")
    yield name
    registry.forget(name)


def answers(*asked: Asked, app: Starlette = APP) -> list[Answered]:
    """Send requests one after the other, those of rooms to one that is open."""

    async def answered() -> list[Answered]:
        found = []
        for each in asked:
            if each.path.startswith("_tokviz/room/"):
                await ask(app, post("room/{id}/open", {"secret": SECRET}))
            found.append(await ask(app, each))
        return found

    return asyncio.run(answered())


def refusal(answered: Answered) -> str:
    said: str = json.loads(answered.body)["error"]
    return said


def test_every_route_has_odd_requests() -> None:
    asked = {(each.method, each.path) for each in odd_requests.pages("mine")}
    for route, path in routes_of(server.routes):
        assert {(method, path) for method in route.methods or () if method != "HEAD"} <= asked


def test_routes_declare_what_is_sent_and_nothing_else() -> None:
    declaring = [(route, path) for route, path in routes_of(server.routes) if isinstance(route, AnsweringRoute)]
    pages = odd_requests.pages("mine")
    for route, path in declaring:
        asking = [page.query for page in pages if page.path == path and page.method in (route.methods or ())]
        sent = {name for query in asking for name in query}
        assert not odd_requests.undeclared(route.asked, sent), path
        assert {name for name, each in route.asked.parameters.items() if each.is_needed} <= sent, path
    declared = {name for route, _ in declaring for name in route.asked.parameters}
    assert declared <= {name for page in pages for name in page.query} | {*odd_requests.MORE}


def test_no_odd_request_makes_anything_of_ours_fail(trained: str, caplog: pytest.LogCaptureFixture) -> None:
    chosen = Random(SEED)
    asked = [form for page in odd_requests.pages(trained) for form in _some(list(odd(page)), chosen)]
    caplog.set_level(logging.WARNING)
    for each, answered in zip(asked, answers(*asked), strict=True):
        assert answered.status in (200, 307, 400, 403, 404, 409, 413, 422), (each, answered)
        assert len(answered.body) < (MAX_ANSWER if answered.status == 200 else MAX_REFUSAL), each
        if answered.status >= 400 and answered.body != b"Not Found":
            assert refusal(answered).endswith((".", "…", "!", "?")), (each, answered)
    assert caplog.messages == []


def _some(forms: list[Asked], chosen: Random) -> list[Asked]:
    return chosen.sample(forms, min(EACH, len(forms)))


@pytest.mark.parametrize(
    "deep",
    [Raw("[" * levels + "]" * levels) for levels in (65, DEEP, 5_000)]
    + [Raw('{"a":' * levels + "1" + "}" * levels) for levels in (65, DEEP, 5_000)],
    ids=lambda deep: f"{deep.text[:1]}{len(deep.text)}",
)
def test_lists_in_lists_in_a_chat_are_refused(deep: Raw) -> None:
    chats = ({"messages": [{"role": "user", "content": deep}]}, {"messages": HI, "values": {"a": deep}})
    said = answers(*(post("chat?tokenizer=gpt2", {**chat, "template": {"name": "chatml"}}) for chat in chats))
    assert {(each.status, refusal(each)) for each in said} == {
        (400, "What was sent has more than 64 levels of lists and objects within each other.")
    }


def test_a_lone_surrogate_in_a_question_is_shown_as_what_texts_have_in_its_place(trained: str) -> None:
    question = {"id": "q", "question": Raw('"How \\ud800 many?"'), "choices": ["a", Raw('"\\udc00"')]}
    asked = post("room/{id}/move", {"secret": SECRET, "action": "ask", "question": question})
    phone = post("room/{id}/follow", {"phone": odd_requests.PHONE, "seen": ""})
    moved, polled = answers(asked, phone)
    assert (moved.status, polled.status) == (200, 200)
    shown = json.loads(polled.body)["question"]
    assert (shown["question"], shown["choices"]) == ("How \ufffd many?", ["a", "\ufffd"])


@pytest.mark.parametrize("fields", ["0", "", None, [], [["a", "b"]], 1])
def test_settings_of_a_figure_that_are_no_object_are_refused(fields: Any) -> None:
    said = answers(*(post(route, {"page": "replay", "fields": fields, "text": "low"}) for route in ("figure", "ask")))
    assert [(each.status, refusal(each)) for each in said] == [(400, "The request holds no link.")] * 2


def test_a_quoted_name_does_not_make_a_refusal_long() -> None:
    (said,) = answers(get(f"sample?name={'a' * 50_000}"))
    assert said.status == 404
    assert len(refusal(said)) <= refusals.MAX_SENTENCE + 1


def failing(levels: int) -> BaseRoute:
    """A route that fails in so many calls within each other."""

    def work(left: int) -> None:
        if not left:
            raise KeyError(TYPED)
        (work if left % 2 else again)(left - 1)

    def again(left: int) -> None:
        work(left)

    @refusing
    async def fail(request: Request) -> Any:
        work(levels)

    return Route("/_tokviz/fail/{name}", fail, methods=["POST"])


def test_a_logged_traceback_is_bounded_and_quotes_nobody(caplog: pytest.LogCaptureFixture) -> None:
    app = Starlette(routes=[failing(300)])
    name = "x\n\x1b[2JINFO: all is well" + "y" * 5_000
    (answered,) = answers(Asked("_tokviz/fail/{name}", ids={"name": name}), app=app)
    assert (answered.status, refusal(answered)[:32]) == (500, "Something went wrong on our side")
    (logged,) = caplog.messages
    assert len(logged) < 5_000
    assert TYPED not in logged
    assert not any(line.startswith("INFO") for line in logged.splitlines())
    assert logged.replace("\n", "").isprintable()
    assert "in fail\n" in logged
    assert logged.endswith("raise KeyError(TYPED)\n")  # from the first call to the last


@pytest.mark.parametrize("error", [KeyError, IndexError, AttributeError, TypeError, RecursionError])
@pytest.mark.parametrize(
    ("place", "asked"),
    [
        ("tokviz.app.answers.rooms.room.Room.ask", post("room/{id}/move", {"secret": SECRET, "action": "ask"})),
        ("tokviz.app.answers.rooms.room.Room.vote", post("room/{id}/vote", {"phone": odd_requests.PHONE})),
        (
            "tokviz.app.answers.routes.replay.tower_svg",
            post("replay?tokenizer=gpt2&order=rank&picture=1&columns=9&step=1&symbols=text"),
        ),
        (
            "tokviz.app.answers.compression.answers.section",
            post("compression/file?question=This+text&tokenizers=gpt2&section=this-text&scale=0"),
        ),
        ("tokviz.app.answers.visitors.kept_tokenizers.Registry.get", post("find?tokenizer=gpt2")),
        ("tokviz.app.answers.visitors.trainings.Trainings.get", get("train/state?id=x&merges=0")),
        ("tokviz.app.answers.routes.sharing.describe", post("made?id=x")),
    ],
    ids=lambda each: each.rpartition(".")[2] if isinstance(each, str) else "",
)
def test_an_error_of_ours_is_not_told_as_the_visitors(
    trained: str,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    place: str,
    asked: Asked,
    error: Any,
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise error("ours")

    monkeypatch.setattr(place, fail)
    (answered,) = answers(asked)
    assert (answered.status, refusal(answered)[:32]) == (500, "Something went wrong on our side")
    assert [message.split()[0] for message in caplog.messages] == [error.__name__]
