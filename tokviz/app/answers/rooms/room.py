"""A room: the question that is asked in it, the phones that are in it, and their votes.

A projector moves the room. It asks a question, may show the votes, may ask for a second vote after the class has talked
about the first, and reveals the answer, with which the voting ends. Phones vote, and may change their vote until then.
They never learn how others voted. A room is told the answer only when it is revealed. The teacher's notes follow on a
phone of their own, with a key that leads to them only; where the projector allows it, they ask it to go on or back.
"""

import hmac
import secrets
from array import array
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tokviz.app.answers.rooms.names import notes_key_of
from tokviz.app.answers.rooms.questions import (
    OTHER_SCRIPT,
    SCRIPTS,
    Invalid,
    Kind,
    Question,
    Vote,
    answer_from,
    question_from,
    vote_from,
)
from tokviz.app.shields.fairness.visitors import Pace

_NONE = -1


class Round:
    """Votes by the phone's number in its room. They take 5 bytes a phone."""

    def __init__(self) -> None:
        self._values = array("i")
        self._scripts = array("b")

    def __len__(self) -> int:
        return len(self._values) - self._values.count(_NONE)

    def put(self, phone: int, vote: Vote) -> None:
        """Count a vote, instead of the phone's earlier one."""
        missing = phone + 1 - len(self._values)
        self._values.extend([_NONE] * missing)
        self._scripts.extend([_NONE] * missing)
        self._values[phone], self._scripts[phone] = vote.value, vote.script

    def of(self, phone: int) -> int | None:
        """Return what a phone chose, or the number it sent; None if it didn't vote."""
        value = self._values[phone] if phone < len(self._values) else _NONE
        return None if value == _NONE else value

    def summary(self, kind: Kind) -> dict[str, Any]:
        """Count the votes: for each choice; or for each number, sorted, and again for each script."""
        if kind.choices:
            counts = Counter(self._values)
            return {"counts": [counts[choice] for choice in range(kind.choices)]}
        scripts: dict[str, Counter[int]] = {}
        for value, script in zip(self._values, self._scripts, strict=True):
            if value != _NONE:
                name = OTHER_SCRIPT if script == _NONE else SCRIPTS[script]
                scripts.setdefault(name, Counter())[value] += 1
        every = sum(scripts.values(), Counter[int]())
        by_script = {name: sorted(counts.items()) for name, counts in scripts.items()}
        return {"numbers": sorted(every.items()), "scripts": by_script if kind.has_scripts else {}}


MAX_PHONES = 250
"""Maximum phones in a room."""

MAX_QUESTIONS = 40
"""Maximum questions in a room whose votes are kept; those asked longest ago are dropped."""

MOVES, BURST = 1.0, 20.0
"""Moves of a room a second, after a burst: each is sent to all of its phones. Turns that its notes ask for, too."""

WAYS = ("onward", "back")
"""Turns of the slides that the notes may ask for."""

MAX_SECONDS = 24 * 3600.0
"""Maximum seconds that a question may have been on screen when it is asked."""

HERE_SECONDS = 10.0
"""Seconds after which a phone that lost its connection is no longer counted as here."""


class Gone(Exception):
    """The room is not open, or was opened again and knows nothing yet of what was sent."""


class Forbidden(Exception):
    """The secret is not that of the room."""


class Over(Exception):
    """The vote came too late: its question, or its round, is over."""


class Full(Exception):
    """There is no room for another one. The message is a sentence."""


@dataclass(eq=False)
class Listener:
    """Somebody who follows a room: a phone, or else a projector or the notes.

    `wake` is called when there is something new to see.
    """

    wake: Callable[[], object]
    phone: str | None
    is_replaced: bool = False


@dataclass(eq=False)
class _Phone:
    """A browser. `number` stands for it among the votes; `left` is when it was last seen, if nobody follows there."""

    number: int
    left: float
    listener: Listener | None = None
    has_voted: bool = False


@dataclass
class _Poll:
    """The votes on a question, of which only the kind is kept: a second round follows a discussion."""

    kind: Kind
    rounds: list[Round] = field(default_factory=lambda: [Round()])
    is_shown: bool = False


class Room:
    """A room. Everything but votes and phones is changed with its secret only. `clock` returns seconds."""

    def __init__(self, id: str, secret: str, clock: Callable[[], float]) -> None:
        self.id = id
        self.last_action = self._last_left = clock()
        self.is_closed = False
        self._pace, self._turning_pace = Pace(MOVES, BURST), Pace(MOVES, BURST)
        self._secret, self._notes_key = secret, notes_key_of(secret)
        self._may_turn = False
        self._turns, self._way = 0, ""
        self._begun = clock()  # when the question came on screen
        self._clock = clock
        self._polls: OrderedDict[str, _Poll] = OrderedDict()  # by the question's id, the one asked last at the end
        self._question: Question | None = None
        self._answer: dict[str, Any] | None = None
        self._phones: dict[str, _Phone] = {}
        self._hosts: set[Listener] = set()
        self._run, self._moves, self._stirs = secrets.token_hex(4), 0, 0

    def check(self, secret: str) -> None:
        """Raise Forbidden unless this is the room's secret."""
        if not hmac.compare_digest(secret.encode(), self._secret.encode()):
            raise Forbidden

    def check_notes(self, key: str) -> None:
        """Raise Forbidden unless this is the key to the room's notes."""
        if not hmac.compare_digest(key.encode(), self._notes_key.encode()):
            raise Forbidden

    def wait(self) -> float:
        """Count a move, and return the seconds until it may be made."""
        return self._pace.take(1, self._clock())

    # Moves, once the secret was checked

    def ask(self, data: object, seconds: object = 0) -> None:
        """Ask a question. If it was asked before, its votes are still there, and votes are taken again.

        `seconds` says how long it has been on screen, for the notes.
        """
        question = question_from(data)
        poll = self._polls.pop(question.id, None)
        if poll is None or poll.kind != question.kind:
            poll = _Poll(question.kind)
        self._polls[question.id] = poll
        if len(self._polls) > MAX_QUESTIONS:
            self._polls.popitem(last=False)
        self._question, self._answer = question, None
        self._begun = self._clock()
        if isinstance(seconds, int | float) and 0 <= seconds <= MAX_SECONDS:
            self._begun -= seconds
        self._moved()

    def show(self) -> None:
        """Note that the votes are shown on the projector."""
        self._poll.is_shown = True
        self._moved()

    def again(self) -> None:
        """Begin the second round of votes. The first one stays as it is."""
        if len(self._poll.rounds) == 2 or self._answer is not None:
            raise Over
        self._poll.rounds.append(Round())
        self._poll.is_shown = False
        self._moved()

    def reveal(self, data: object) -> None:
        """End the votes and show the answer."""
        self._answer = answer_from(data, self._asked)
        self._poll.is_shown = True
        self._moved()

    def close(self) -> None:
        """End the room."""
        self.is_closed, self._question = True, None
        self._moved()

    def let_turn(self, may: bool) -> None:
        """Allow the notes to ask for turns of the slides, or not any more."""
        self._may_turn = may
        self._wake_hosts()

    @property
    def _asked(self) -> Question:
        """The question that is asked. Raises Over if there is none."""
        if self._question is None:
            raise Over
        return self._question

    @property
    def _poll(self) -> _Poll:
        """The votes on it."""
        return self._polls[self._asked.id]

    def _moved(self) -> None:
        self.last_action = self._clock()
        self._moves += 1
        for phone in self._phones.values():
            if phone.listener:
                phone.listener.wake()
        self._wake_hosts()

    def _wake_hosts(self) -> None:
        self._stirs += 1
        for host in self._hosts:
            host.wake()

    # The notes, once their key was checked

    def turn(self, way: object, seen: object) -> None:
        """Ask the projector to turn the slides `way` from the place that was `seen`.

        Raises Forbidden where that isn't allowed, Over if the room was moved meanwhile, and Full.
        """
        if not self._may_turn:
            raise Forbidden
        if way not in WAYS:
            raise Invalid(f"Slides are turned {' or '.join(WAYS)}.")
        if seen != self._moves:
            raise Over
        if self._turning_pace.wait(self._clock()):
            raise Full("The slides are turned too often.")
        self._turning_pace.take(1, self._clock())
        self._turns, self._way = self._turns + 1, str(way)
        self._wake_hosts()

    # Phones

    def vote(self, phone: str, data: Any, question: object, round: object) -> None:
        """Count a phone's vote on the question that is asked, instead of its earlier one in this round.

        Raises Gone before there is one, as in a room that was opened again: the vote is sent again then.
        """
        if self._question is None:
            raise Gone
        known, rounds = self._known(phone), self._poll.rounds
        if (self._asked.id, len(rounds)) != (question, round) or self._answer is not None:
            raise Over
        rounds[-1].put(known.number, vote_from(data, self._asked.kind))
        known.has_voted, known.left = True, self._clock()
        self.last_action = self._clock()
        self._wake_hosts()

    def _known(self, phone: str) -> _Phone:
        """Return a phone of the room, which it is from now on. Raises Full."""
        if known := self._phones.get(phone):
            return known
        number = len(self._phones)
        if number >= MAX_PHONES:
            number = self._forget_one()
        self._phones[phone] = _Phone(number, self._clock())
        return self._phones[phone]

    def _forget_one(self) -> int:
        """Forget the phone that has been away longest among those that never voted. Returns its number."""
        idle = [(each.left, id) for id, each in self._phones.items() if not each.listener and not each.has_voted]
        if not idle:
            raise Full(f"{MAX_PHONES} phones are in this room, and more don't fit.")
        return self._phones.pop(min(idle)[1]).number

    # Following

    def listen(self, wake: Callable[[], object], phone: str | None = None) -> Listener:
        """Follow the room, as a phone, or as a projector or the notes (None). A phone follows once: its earlier
        listener is replaced.

        Raises Full.
        """
        listener = Listener(wake, phone)
        if phone is None:
            self._hosts.add(listener)
            return listener
        known = self._known(phone)
        if known.listener:
            known.listener.is_replaced = True
            known.listener.wake()
        known.listener = listener
        self._wake_hosts()
        return listener

    def leave(self, listener: Listener) -> None:
        """Follow no longer."""
        self._last_left = self._clock()
        self._hosts.discard(listener)
        known = self._phones.get(listener.phone or "")
        if known and known.listener is listener:
            known.listener, known.left = None, self._clock()

    @property
    def is_followed(self) -> bool:
        """True if a phone or a projector is here."""
        return bool(self._hosts) or any(phone.listener for phone in self._phones.values())

    @property
    def last_seen(self) -> float:
        """When somebody followed the room, or acted, last."""
        return self._clock() if self.is_followed else max(self.last_action, self._last_left)

    # What can be seen

    def phone_state(self, phone: str) -> dict[str, Any]:
        """Return what a phone sees: the question, and its own vote in each round."""
        known = self._phones.get(phone)
        yours = [each.of(known.number) if known else None for each in self._rounds()]
        return {**self._state(), "yours": yours}

    def host_state(self) -> dict[str, Any]:
        """Return what the projector sees: what the notes see, how many chose what, and what the notes ask for."""
        votes = [each.summary(self._asked.kind) for each in self._rounds()]
        turned = {"number": self._turns, "way": self._way}
        return {**self.notes_state(), "votes": votes, "notes": self._notes_key, "turned": turned}

    def notes_state(self) -> dict[str, Any]:
        """Return what the notes see: what phones see, how many are here and have voted, and the time."""
        now, state, rounds = self._clock(), self._state(), self._rounds()
        here = sum(bool(each.listener) or now - each.left < HERE_SECONDS for each in self._phones.values())
        voted = len(rounds[-1]) if rounds else 0
        return {
            **state,
            "version": f"{state['version']}-{self._stirs}",
            "place": self._moves,
            "here": max(here, voted),
            "voted": voted,
            "seconds": round(now - self._begun),
            "mayTurn": self._may_turn,
        }

    def _rounds(self) -> list[Round]:
        return self._poll.rounds if self._question else []

    def _state(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "version": f"{self._run}-{self._moves}",
            "phase": self._phase(),
            "round": max(1, len(self._rounds())),
            "shown": self._question is not None and self._poll.is_shown,
            "question": {**self._question.shown, **(self._answer or {})} if self._question else None,
        }

    def _phase(self) -> str:
        if self.is_closed:
            return "closed"
        if self._question is None:
            return "pause"
        return "voting" if self._answer is None else "revealed"
