"""The routes of rooms: who may do what, and following a room by events and by waiting requests."""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread, current_thread
from typing import Any

import httpx2
import pytest
import uvicorn
from starlette.applications import Starlette
from waiting import wait_until

from tokviz.app import server
from tokviz.app.answers.rooms.names import id_of, new_secret
from tokviz.app.answers.rooms.rooms import MAX_ROOMS_EACH, rooms
from tokviz.app.answers.routes import rooms as room_routes
from tokviz.app.answers.routes.rooms import MAX_BYTES
from tokviz.app.shields.fairness.visitors import Places

QUESTION = {"id": "pizza", "question": "How many tokens is `🍕`?", "choices": ["1", "2", "3", "4"]}
ANSWER = {"answers": [2], "reveal": "3"}
PATIENCE = 20
CLIENT = httpx2.Client(trust_env=False)
PHONE, OTHER = "phone-1-of-22-letters-", "phone-2-of-22-letters-"


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """Address of a server with the app's routes: the test client would collect a stream before it returns it."""
    application = Starlette(routes=server.routes)
    config = uvicorn.Config(application, lifespan="off", ws="none", log_level="warning", timeout_graceful_shutdown=1)
    running = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = Thread(target=running.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
        running.should_exit = True
        thread.join()


class Site:
    """A room on a server, and who asks it."""

    def __init__(self, url: str) -> None:
        self.url = url
        named = CLIENT.post(f"{url}_tokviz/room", content="{}").json()
        self.id, self.secret = named["id"], named["secret"]

    def post(self, what: str, /, **fields: Any) -> httpx2.Response:
        return CLIENT.post(f"{self.url}_tokviz/room/{self.id}/{what}", content=json.dumps(fields), timeout=PATIENCE)

    def state(self, what: str, /, **fields: Any) -> dict[str, Any]:
        answer = self.post(what, **fields)
        assert answer.status_code == 200, answer.text
        state: dict[str, Any] = answer.json()
        return state

    def open(self) -> dict[str, Any]:
        return self.state("open", secret=self.secret)

    def move(self, action: str, **fields: Any) -> dict[str, Any]:
        return self.state("move", secret=self.secret, action=action, **fields)

    def vote(self, choice: int, phone: str = PHONE, round: int = 1) -> httpx2.Response:
        return self.post("vote", phone=phone, question="pizza", round=round, choice=choice)

    @contextmanager
    def events(self, address: str = "127.0.0.1", **who: str) -> Iterator[Iterator[dict[str, Any]]]:
        path = f"{self.url}_tokviz/room/{self.id}/follow"
        body, headers = json.dumps({**who, "stream": True}), {"x-forwarded-for": address}
        with CLIENT.stream("POST", path, content=body, headers=headers, timeout=PATIENCE) as answer:
            assert answer.status_code == 200, answer.read()
            assert answer.headers["content-type"].startswith("text/event-stream")
            assert answer.headers["x-accel-buffering"] == "no"
            yield (json.loads(line.removeprefix("data: ")) for line in answer.iter_lines() if line.startswith("data: "))


@pytest.fixture
def room(site: str) -> Iterator[Site]:
    room = Site(site)
    room.open()
    room.move("ask", question=QUESTION)
    yield room
    room.post("move", secret=room.secret, action="close")


def test_a_lesson_from_the_first_question_to_the_end(room: Site) -> None:
    assert room.vote(0).json()["yours"] == [0]
    assert room.vote(2).json()["yours"] == [2]
    room.vote(1, OTHER)
    assert room.move("show")["votes"] == [{"counts": [0, 1, 1, 0]}]
    room.move("again")
    assert room.vote(3).status_code == 409  # the first round is over
    assert room.vote(3, round=2).json()["yours"] == [2, 3]
    revealed = room.move("reveal", **ANSWER)
    assert (revealed["phase"], revealed["voted"]) == ("revealed", 1)
    assert room.vote(1, round=2).status_code == 409
    seen = room.state("follow", phone=PHONE)
    assert (seen["question"]["answers"], seen["yours"]) == ([2], [2, 3])
    assert room.move("close")["phase"] == "closed"
    assert room.post("follow", phone=PHONE).status_code == 404


@pytest.mark.parametrize("action", ["open", "move", "follow"])
def test_nobody_else_opens_moves_or_watches_a_room(room: Site, action: str) -> None:
    for secret in (new_secret(), PHONE):
        assert room.post(action, secret=secret, action="close").status_code == 403
    for other in (None, 1, "", room.id, "ü" * 22, room.secret + "x"):
        assert room.post(action, secret=other, action="close").status_code == 422
    assert room.post("open").status_code == 422
    assert room.vote(0).status_code == 200  # the room is still there


def test_a_room_comes_back_under_its_address_with_its_secret_only(room: Site) -> None:
    rooms._rooms.clear()  # as after a restart
    answer = room.post("follow", phone=PHONE)
    assert answer.status_code == 404
    assert "restarted" in answer.json()["error"]
    assert room.post("open", secret=new_secret()).status_code == 404
    assert room.open()["question"] is None


def test_ids_of_rooms_are_computed_in_a_lane(room: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes as long as many key presses, which wait for the event loop."""
    threads: list[str] = []

    def noted(secret: str) -> str:
        threads.append(current_thread().name)
        return id_of(secret)

    monkeypatch.setattr(room_routes, "id_of", noted)
    named = Site(room.url)
    rooms._rooms.clear()
    assert room.open()["id"] == room.id
    assert room.post("open", secret=named.secret).status_code == 403
    assert room.open()["id"] == room.id  # it is open, so that nothing is computed
    assert [name.rpartition("_")[0] for name in threads] == ["tokviz-short"] * 2


def test_events_show_moves_to_phones_and_votes_to_the_projector(room: Site) -> None:
    with room.events(phone=PHONE) as phone, room.events(secret=room.secret) as projector:
        assert next(phone)["yours"] == [None]
        assert next(projector)["here"] == 1
        room.vote(1, OTHER)
        state = next(each for each in projector if each["voted"])
        assert (state["votes"], state["here"]) == ([{"counts": [0, 1, 0, 0]}], 2)
        room.move("reveal", **ANSWER)
        state = next(phone)
        assert (state["phase"], state["question"]["answers"], state["yours"]) == ("revealed", [2], [None])
        room.move("close")
        assert [each["phase"] for each in phone] == ["closed"]
        assert [each["phase"] for each in projector][-1] == "closed"


def test_the_notes_follow_by_the_same_events_and_ask_for_turns(room: Site) -> None:
    key = room.open()["notes"]
    room.move("let-turn", may=True)
    with room.events(notes=key) as notes, room.events(secret=room.secret) as projector:
        seen = next(notes)
        assert (seen["question"]["id"], seen["mayTurn"], seen["here"]) == ("pizza", True, 0)
        assert next(projector)["turned"]["number"] == 0
        assert room.post("turn", notes=key, way="onward", place=seen["place"]).status_code == 200
        assert next(each for each in projector if each["turned"]["number"])["turned"]["way"] == "onward"
        room.move("reveal", **ANSWER)
        assert next(each for each in notes if each["phase"] == "revealed")["question"]["answers"] == [2]
        assert room.post("turn", notes=key, way="onward", place=seen["place"]).status_code == 409
        room.move("let-turn", may=False)
        assert room.post("turn", notes=key, way="onward", place=seen["place"]).status_code == 403


def test_the_key_to_the_notes_opens_nothing_else(room: Site) -> None:
    key = room.open()["notes"]
    for action in ("open", "move", "follow"):
        assert room.post(action, secret=key, action="close").status_code == 403
    for wrong in (new_secret(), room.secret, PHONE):
        assert room.post("follow", notes=wrong).status_code == 403
        assert room.post("turn", notes=wrong, way="onward", place=1).status_code == 403
    assert key not in json.dumps(room.state("follow", phone=PHONE))
    assert room.state("follow", notes=key)["voted"] == 0


def test_a_phone_has_one_connection(room: Site) -> None:
    with room.events(phone=PHONE) as first:
        next(first)
        with room.events(phone=PHONE) as second:
            assert next(first)["phase"] == "elsewhere"
            assert list(first) == []
            assert next(second)["phase"] == "voting"


def test_a_connection_of_the_largest_holder_ends_for_another_address(
    room: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "_followers", Places(3, 3))
    with (
        room.events(secret=room.secret) as projector,
        room.events(phone=PHONE) as first,
        room.events(phone=OTHER) as second,
    ):
        assert next(first)["phase"] == next(second)["phase"] == "voting"
        with room.events("10.0.0.2", phone="phone-3-of-22-letters-") as third:
            assert next(third)["phase"] == "voting"
            assert list(second) == []  # ended, without an error
            refused = room.post("follow", phone=OTHER, stream=True)
            assert (refused.status_code, "Try again" in refused.json()["error"]) == (503, True)
            assert next(each for each in projector if each["here"] == 3)
            room.move("show")
            assert next(first)["shown"]
            assert next(third)["shown"]


def test_a_request_that_waits_gives_way_too(room: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "_followers", Places(2, 2))
    seen = room.state("follow", phone=PHONE)
    answers: list[dict[str, Any]] = []
    with room.events(phone=OTHER) as other:
        next(other)
        waiting = Thread(target=lambda: answers.append(room.state("follow", phone=PHONE, seen=seen["version"])))
        waiting.start()
        wait_until(lambda: len(rooms._followers) == 2)
        with room.events("10.0.0.2", phone="phone-3-of-22-letters-"):
            waiting.join(PATIENCE)
    assert answers == [seen]


def test_a_request_that_waits_is_answered_when_the_room_moves(room: Site) -> None:
    seen = room.state("follow", phone=PHONE)
    answers: list[dict[str, Any]] = []
    waiting = Thread(target=lambda: answers.append(room.state("follow", phone=PHONE, seen=seen["version"])))
    waiting.start()
    found = rooms.find(room.id)
    assert found
    wait_until(lambda: found.is_followed)
    room.move("show")
    waiting.join(PATIENCE)
    assert answers[0]["shown"]
    assert room.state("follow", phone=PHONE, seen=seen["version"])["shown"]  # at once: it has changed


def test_a_phone_that_left_is_no_longer_followed(room: Site) -> None:
    with room.events(phone=PHONE) as phone:
        next(phone)
    found = rooms.find(room.id)
    assert found
    wait_until(lambda: not found.is_followed)
    assert len(rooms._followers) == 0


@pytest.mark.parametrize(
    ("body", "status"),
    [
        *(("", 400), ("[]", 400), ("[" * 10_000, 400), ("{", 400), ("{}", 422), ('{"phone": "x"}', 422)),
        ("x" * (MAX_BYTES + 1), 413),
    ],
)
def test_bodies_that_are_no_messages_are_refused(room: Site, body: str, status: int) -> None:
    for action in ("vote", "follow"):
        answer = CLIENT.post(f"{room.url}_tokviz/room/{room.id}/{action}", content=body)
        assert answer.status_code == status
        assert answer.json()["error"]


def test_rooms_that_are_not_there_are_said_not_to_be(site: str) -> None:
    for id in ("k7m-p2x-9qd", "x", "..", "%00"):
        answer = CLIENT.post(f"{site}_tokviz/room/{id}/follow", content=json.dumps({"phone": PHONE}))
        assert answer.status_code == 404


def test_rooms_of_one_address_are_bounded(site: str) -> None:
    opened = [Site(site) for _ in range(MAX_ROOMS_EACH + 1)]
    statuses = [each.post("open", secret=each.secret).status_code for each in opened]
    assert statuses == [200] * MAX_ROOMS_EACH + [503]
    for each in opened:
        each.post("move", secret=each.secret, action="close")
