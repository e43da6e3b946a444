"""Routes of rooms in which a class votes: for the projector that moves a room, for phones, and for the teacher's notes.

All is posted: neither secrets and keys nor a phone's id stand in an address, which logs keep. Followers get the state
of the room as server-sent events, or, in a network that holds these back, as the answer to a request that waits.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import ExitStack, suppress
from functools import partial
from typing import Any, Self

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from tokviz.app.answers.asked import Asked
from tokviz.app.answers.requests import AnsweringRoute, post
from tokviz.app.answers.rooms.names import SECRET, id_of, new_secret
from tokviz.app.answers.rooms.questions import Invalid
from tokviz.app.answers.rooms.room import Forbidden, Full, Gone, Over, Room
from tokviz.app.answers.rooms.rooms import rooms
from tokviz.app.shields.fairness.lanes import Busy, short_texts, unless_left
from tokviz.app.shields.fairness.visitors import shares, visitor_of
from tokviz.app.shields.json_bodies import as_object
from tokviz.app.shields.refusals import Refusal

MAX_BYTES = 20_000
"""Maximum bytes of what is sent to a room, such as a question with its choices."""

STILL_HERE_SECONDS = 10.0
"""Seconds after which followers hear that the connection is still there, and projectors how many phones are."""

POLL_SECONDS = 20.0
"""Maximum seconds that a request waits for a room to change."""

_PAUSE_SECONDS = 0.1  # between two states for a projector or the notes, while a class votes
_EVENT_SECONDS = 0.0003  # of the event loop, to send one
_MAX_WAIT = 5.0  # seconds that a move waits for its turn

_CLOSED, _ELSEWHERE = "closed", "elsewhere"
"""Phases with which a stream of events ends: the room has ended, or the phone follows it in another tab."""

_REFUSALS: Mapping[type[Exception], tuple[int, str]] = {
    Gone: (404, "This room is not open. Either it has ended, or the server was restarted."),
    Forbidden: (403, "Only the screen that opened this room can do that."),
    Over: (409, "The vote is over."),
}

Fields = dict[str, Any]
Action = Callable[[Request, Fields], Awaitable[Response]]


def _posted(path: str) -> Callable[[Action], AnsweringRoute]:
    """Make a route of a function of the request and the JSON object in its body. Exceptions of rooms become answers."""

    def route(action: Action) -> AnsweringRoute:
        async def answer(asked: Asked) -> Response:
            return await _answer(action, asked)

        return post(path, None, MAX_BYTES, "message")(answer)

    return route


async def _answer(action: Action, asked: Asked) -> Response:
    fields = as_object(asked.body, "The body must be an object of JSON.")
    try:
        return await action(asked.request, fields)
    except (Invalid, Full) as error:
        raise Refusal(422 if isinstance(error, Invalid) else 503, str(error)) from None
    except (Gone, Forbidden, Over) as error:
        raise Refusal(*_REFUSALS[type(error)]) from None


@_posted("/room")
async def name(request: Request, _: Fields) -> Response:
    """Name a new room: its id, and the secret by which it is opened and moved. Nothing is stored."""
    secret = new_secret()
    return JSONResponse({"id": await _id_of(request, secret), "secret": secret})


@_posted("/room/{id}/open")
async def open_room(request: Request, fields: Fields) -> Response:
    """Open a room, or find it open."""
    id, secret, address = request.path_params["id"], _random(fields, "secret"), visitor_of(request).address
    if not rooms.find(id) and await _id_of(request, secret) != id:
        raise Gone
    with shares.work_for(address):
        return JSONResponse(rooms.open(id, secret, address).host_state())


@_posted("/room/{id}/move")
async def move(request: Request, fields: Fields) -> Response:
    """Move a room on, see `Room`."""
    room = _room(request)
    room.check(_random(fields, "secret"))
    if (wait := room.wait()) > _MAX_WAIT:
        raise Busy
    await asyncio.sleep(wait)
    with shares.work_for(visitor_of(request).address):
        match fields.get("action"):
            case "ask":
                room.ask(fields.get("question"), fields.get("seconds"))
            case "show":
                room.show()
            case "again":
                room.again()
            case "reveal":
                room.reveal(fields)
            case "let-turn":
                room.let_turn(fields.get("may") is True)
            case "close":
                rooms.close(room)
            case _:
                raise Refusal(422, "A room is not moved in this way.")
        return JSONResponse(room.host_state())


@_posted("/room/{id}/vote")
async def vote(request: Request, fields: Fields) -> Response:
    """Count a phone's vote, in place of its earlier one."""
    room, phone = _room(request), _random(fields, "phone")
    with shares.work_for(visitor_of(request).address):
        room.vote(phone, fields, fields.get("question"), fields.get("round"))
        return JSONResponse(room.phone_state(phone))


@_posted("/room/{id}/follow")
async def follow(request: Request, fields: Fields) -> Response:
    """Send a room's state whenever it changes: to a phone, a projector, which sends the secret, or the notes."""
    follower = _follower(request, fields)
    if fields.get("stream") is not True:
        return await _poll(request, follower, fields.get("seen"))
    events = _events(follower)
    await anext(events)  # begins to follow, or raises Full
    # By its second header, nginx passes events on at once.
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return _Events(events, media_type="text/event-stream", headers=headers)


class _Events(StreamingResponse):
    """Events until the room has ended. They end quietly when the server is stopped, as it has many such requests."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        except asyncio.CancelledError:
            await send({"type": "http.response.body", "body": b"", "more_body": False})


@_posted("/room/{id}/turn")
async def turn(request: Request, fields: Fields) -> Response:
    """Ask the projector to turn its slides, as the notes do where they may."""
    room = _room(request)
    room.check_notes(_random(fields, "notes"))
    with shares.work_for(visitor_of(request).address):
        room.turn(fields.get("way"), fields.get("place"))
        return JSONResponse({})


def _follower(request: Request, fields: Fields) -> "_Follower":
    """Return who asks to follow a room, after its secret or key was checked."""
    room, address = _room(request), visitor_of(request).address
    if "secret" in fields:
        room.check(_random(fields, "secret"))
        return _Follower(room, address, room.host_state)
    if "notes" in fields:
        room.check_notes(_random(fields, "notes"))
        return _Follower(room, address, room.notes_state)
    phone = _random(fields, "phone")
    return _Follower(room, address, lambda: room.phone_state(phone), phone)


async def _poll(request: Request, following: "_Follower", seen: object) -> Response:
    """Send the state once it is another than the one `seen`, or after a while."""
    with following as follower:
        if follower.state()["version"] == seen:
            with suppress(TimeoutError):
                async with asyncio.timeout(POLL_SECONDS):
                    await unless_left(request, follower.changed.wait())
        return JSONResponse(follower.state())


async def _events(following: "_Follower") -> AsyncIterator[bytes]:
    """Yield the state whenever it changes, until the room or the connection has to end. The first item is empty."""
    with following as follower:
        yield b""
        sent = None
        while not follower.is_ended:
            follower.changed.clear()
            state = follower.state()
            shares.charge(follower.address, _EVENT_SECONDS)
            yield b": still here\n\n" if state == sent else f"data: {json.dumps(state)}\n\n".encode()
            if state["phase"] in (_CLOSED, _ELSEWHERE):
                return
            sent = state
            with suppress(TimeoutError):
                async with asyncio.timeout(STILL_HERE_SECONDS):
                    await follower.changed.wait()
            if follower.phone is None:
                await asyncio.sleep(_PAUSE_SECONDS)


class _Follower:
    """A connection that follows a room, in the block of a `with` statement. Entering it raises Full.

    `see` returns what it sees of the room. `is_ended` says that it has to give way to another connection.
    """

    def __init__(self, room: Room, address: str, see: Callable[[], Fields], phone: str | None = None) -> None:
        self.changed = asyncio.Event()
        self.is_ended = False
        self.address, self.phone = address, phone
        self._room, self._see = room, see

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self._listener = self._room.listen(self.changed.set, self.phone)
            stack.callback(self._room.leave, self._listener)
            stack.enter_context(rooms.following(self.address, self._end))  # last: it may end another's
            self._leave = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._leave.close()

    def _end(self) -> None:
        self.is_ended = True
        self.changed.set()

    def state(self) -> Fields:
        """Return what this follower sees now."""
        return {"phase": _ELSEWHERE} if self._listener.is_replaced else self._see()


async def _id_of(request: Request, secret: str) -> str:
    """Return the id of the room with this secret, which takes a thread some milliseconds."""
    return await short_texts.run(request, partial(id_of, secret))


def _room(request: Request) -> Room:
    room = rooms.find(request.path_params["id"])
    if room is None:
        raise Gone
    return room


def _random(fields: Fields, name: str) -> str:
    """Return the random id, secret or key in a message, which may be that of another room."""
    value = fields.get(name)
    if not isinstance(value, str) or not SECRET.fullmatch(value):
        raise Refusal(422, f"“{name}” must be 22 characters that stand for 128 random bits.")
    return value
