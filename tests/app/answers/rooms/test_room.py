"""What happens in a room: questions, votes in two rounds, and what phones and the projector may know of them."""

import re
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokviz.app.answers.rooms.names import ALPHABET, SECRET, id_of, new_secret, notes_key_of
from tokviz.app.answers.rooms.questions import MAX_CHOICES, MAX_NUMBER, Invalid
from tokviz.app.answers.rooms.room import HERE_SECONDS, MAX_PHONES, MAX_QUESTIONS, Forbidden, Full, Gone, Over, Room

CHOICES = {"id": "pizza", "question": "How many tokens is `🍕`?", "choices": ["1", "2", "3", "4"]}
NUMBER = {"id": "name", "question": "How many tokens is your name?", "number": {"tokenizer": "gpt2", "scripts": True}}
ANSWER = {"answers": [2], "reveal": "3", "links": [{"label": "Open it", "href": "/#text=x"}]}


class Clock:
    """A clock that stands still until it is set."""

    now = 1_000.0

    def __call__(self) -> float:
        return self.now


class Phones:
    """A room with a question, its clock, and phones by number."""

    def __init__(self, question: dict[str, Any]) -> None:
        self.clock = Clock()
        self.room = Room("room", "secret", self.clock)
        self.question = question
        self.room.ask(question)

    def vote(self, phone: int, vote: dict[str, Any] | int, round: int = 1) -> None:
        data = {"choice": vote} if isinstance(vote, int) else vote
        self.room.vote(f"phone {phone}", data, self.question["id"], round)

    def state(self, phone: int) -> dict[str, Any]:
        return self.room.phone_state(f"phone {phone}")

    def votes(self) -> list[dict[str, Any]]:
        votes: list[dict[str, Any]] = self.room.host_state()["votes"]
        return votes


def strings_in(value: object) -> set[str]:
    """Return all keys and strings in JSON data."""
    if isinstance(value, dict):
        return set(value) | set().union(*map(strings_in, value.values()), set())
    if isinstance(value, list):
        return set().union(*map(strings_in, value), set())
    return {value} if isinstance(value, str) else set()


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 3))))
def test_the_last_vote_of_each_phone_counts_once(votes: list[tuple[int, int]]) -> None:
    phones = Phones(CHOICES)
    for phone, choice in votes:
        phones.vote(phone, choice)
    counts = Counter(dict(votes).values())
    assert phones.votes() == [{"counts": [counts[choice] for choice in range(4)]}]
    assert phones.room.host_state()["voted"] == len(dict(votes))
    for phone, choice in dict(votes).items():
        assert phones.state(phone)["yours"] == [choice]


def test_a_second_round_leaves_the_first_as_it_was() -> None:
    phones = Phones(CHOICES)
    phones.vote(1, 0)
    phones.vote(2, 0)
    phones.room.show()
    assert phones.state(1)["shown"]
    phones.vote(2, 1)  # may still be changed
    phones.room.again()
    phones.vote(1, 2, round=2)
    assert phones.votes() == [{"counts": [1, 1, 0, 0]}, {"counts": [0, 0, 1, 0]}]
    assert phones.state(1)["yours"] == [0, 2]
    assert phones.state(2)["yours"] == [1, None]
    with pytest.raises(Over):
        phones.vote(2, 3, round=1)
    with pytest.raises(Over):
        phones.room.again()


def test_a_vote_waits_in_a_room_that_was_opened_again_until_it_asks() -> None:
    phones = Phones(CHOICES)
    phones.room = Room("room", "secret", phones.clock)
    with pytest.raises(Gone):
        phones.vote(1, 0)
    phones.room.ask(CHOICES)
    phones.vote(1, 0)
    assert phones.votes() == [{"counts": [1, 0, 0, 0]}]


def test_nothing_is_changed_after_the_answer() -> None:
    phones = Phones(CHOICES)
    phones.vote(1, 0)
    phones.room.reveal(ANSWER)
    with pytest.raises(Over):
        phones.vote(1, 2)
    with pytest.raises(Over):
        phones.room.again()
    state = phones.state(1)
    assert (state["phase"], state["yours"], state["question"]["answers"]) == ("revealed", [0], [2])


def test_phones_learn_neither_counts_nor_answers_nor_other_votes() -> None:
    phones = Phones({**CHOICES, **ANSWER})  # a projector that sends too much
    phones.vote(1, 2)
    phones.room.show()
    state = phones.state(2)
    assert state["yours"] == [None]
    assert strings_in(state).isdisjoint({"answers", "reveal", "links", "counts", "votes", "voted", "here", "phone 1"})


def test_a_phone_that_was_away_has_its_vote_still_and_is_at_the_rooms_question() -> None:
    phones = Phones(CHOICES)
    listener = phones.room.listen(lambda: None, "phone 1")
    phones.vote(1, 3)
    phones.room.leave(listener)
    phones.clock.now += 3_000
    assert phones.state(1)["yours"] == [3]
    phones.room.ask(NUMBER)
    assert phones.state(1)["question"]["id"] == "name"
    phones.room.ask(CHOICES)  # back to it
    assert phones.state(1)["yours"] == [3]


def test_the_votes_of_a_question_that_has_changed_are_dropped() -> None:
    phones = Phones(CHOICES)
    phones.vote(1, 3)
    phones.room.ask({**CHOICES, "choices": ["yes", "no"]})
    assert phones.votes() == [{"counts": [0, 0]}]


def test_numbers_are_counted_by_script_too() -> None:
    phones = Phones(NUMBER)
    for phone, (number, script) in enumerate([(2, "Latin"), (2, "Latin"), (1, "Latin"), (6, "Han"), (2, "other")]):
        phones.vote(phone, {"number": number, "script": script})
    (votes,) = phones.votes()
    assert votes["numbers"] == [(1, 1), (2, 3), (6, 1)]
    assert votes["scripts"] == {"Latin": [(1, 1), (2, 2)], "Han": [(6, 1)], "other": [(2, 1)]}


@pytest.mark.parametrize(
    "vote",
    [
        *({"choice": -1}, {"choice": 4}, {"choice": True}, {"choice": 1.0}, {"choice": "1"}, {"choice": None}, {}),
        *({"number": 1}, {"choice": [1]}, {"choice": 10**30}),
    ],
)
def test_what_is_no_choice_is_no_vote(vote: dict[str, Any]) -> None:
    phones = Phones(CHOICES)
    with pytest.raises(Invalid):
        phones.vote(1, vote)
    assert phones.votes() == [{"counts": [0, 0, 0, 0]}]


@pytest.mark.parametrize(
    "vote",
    [{"number": MAX_NUMBER + 1}, {"number": -1}, {"choice": 1}, {"number": 5, "script": "Klingon"}, {"number": "5"}],
)
def test_what_is_no_number_is_no_vote(vote: dict[str, Any]) -> None:
    with pytest.raises(Invalid):
        Phones(NUMBER).vote(1, vote)


@pytest.mark.parametrize(
    "question",
    [
        *(None, [], "pizza", {}, {**CHOICES, "id": "../x"}, {**CHOICES, "id": 1}, {**CHOICES, "choices": ["one"]}),
        *({**CHOICES, "choices": ["x"] * (MAX_CHOICES + 1)}, {**CHOICES, "choices": [1, 2]}, {**CHOICES, "title": 1}),
        *(
            {**CHOICES, "question": "x" * 10_000},
            {**NUMBER, "number": {"scripts": True}},
            {**NUMBER, "number": 3},
        ),
        {**NUMBER, "number": {"tokenizer": "<script>"}},
    ],
)
def test_what_is_no_question_is_not_asked(question: object) -> None:
    phones = Phones(CHOICES)
    with pytest.raises(Invalid):
        phones.room.ask(question)
    assert phones.state(1)["question"]["id"] == "pizza"


@pytest.mark.parametrize(
    "href", ["javascript:alert(1)", "//evil.example", "/\\evil.example", "https://evil.example", ""]
)
def test_links_lead_to_this_server_only(href: str) -> None:
    with pytest.raises(Invalid):
        Phones(CHOICES).room.reveal({"links": [{"label": "Open", "href": href}]})


def test_answers_are_choices() -> None:
    for answers in ([4], [-1], ["1"], 1):
        with pytest.raises(Invalid):
            Phones(CHOICES).room.reveal({"answers": answers})


def test_phones_are_bounded_and_those_that_only_looked_give_way() -> None:
    phones = Phones(CHOICES)
    for phone in range(MAX_PHONES - 1):
        phones.vote(phone, 0)
    phones.room.leave(phones.room.listen(lambda: None, "only looked"))
    phones.vote(MAX_PHONES, 1)
    with pytest.raises(Full):
        phones.vote(MAX_PHONES + 1, 1)
    assert phones.votes() == [{"counts": [MAX_PHONES - 1, 1, 0, 0]}]
    phones.vote(0, 2)  # those that are in can still vote
    assert phones.votes() == [{"counts": [MAX_PHONES - 2, 1, 1, 0]}]


def test_questions_are_bounded() -> None:
    phones = Phones(CHOICES)
    phones.vote(1, 1)
    for number in range(MAX_QUESTIONS):
        phones.room.ask({**CHOICES, "id": f"q{number}"})
    phones.room.ask(CHOICES)
    assert phones.votes() == [{"counts": [0, 0, 0, 0]}]


def test_a_phone_follows_once() -> None:
    phones = Phones(CHOICES)
    woken: list[str] = []
    first = phones.room.listen(lambda: woken.append("first"), "phone 1")
    second = phones.room.listen(lambda: woken.append("second"), "phone 1")
    assert (first.is_replaced, second.is_replaced, woken) == (True, False, ["first"])
    phones.room.leave(first)
    phones.room.show()
    assert woken == ["first", "second"]
    assert phones.room.host_state()["here"] == 1


def test_phones_are_here_while_they_follow_and_a_moment_longer() -> None:
    phones = Phones(CHOICES)
    listeners = [phones.room.listen(lambda: None, f"phone {number}") for number in range(3)]
    phones.clock.now += 100 * HERE_SECONDS
    phones.room.leave(listeners[0])
    assert phones.room.host_state()["here"] == 3
    phones.clock.now += HERE_SECONDS
    assert phones.room.host_state()["here"] == 2


def test_votes_wake_the_projector_and_moves_wake_everybody() -> None:
    phones = Phones(CHOICES)
    woken: list[str] = []
    phones.room.listen(lambda: woken.append("phone"), "phone 1")
    phones.room.listen(lambda: woken.append("projector"))
    phones.vote(2, 1)
    assert woken == ["projector"]
    phones.room.show()
    assert sorted(woken[1:]) == ["phone", "projector"]


def test_moves_are_as_frequent_as_a_teachers() -> None:
    phones = Phones(CHOICES)
    assert [phones.room.wait() for _ in range(20)] == [0] * 20
    assert [round(phones.room.wait()) for _ in range(3)] == [1, 2, 3]
    phones.clock.now += 4
    assert phones.room.wait() == 0


def test_only_the_secret_of_the_room_is_taken() -> None:
    secret = new_secret()
    room = Room("room", secret, Clock())
    room.check(secret)
    for other in (new_secret(), secret[:-1], "", "ü"):
        with pytest.raises(Forbidden):
            room.check(other)


def test_the_notes_see_the_question_its_time_and_how_many_voted_but_not_what() -> None:
    phones = Phones({**CHOICES, **ANSWER})
    phones.room.ask(CHOICES, seconds=90)
    phones.vote(1, 2)
    phones.clock.now += 30
    state = phones.room.notes_state()
    assert (state["seconds"], state["voted"], state["here"], state["round"]) == (120, 1, 1, 1)
    assert strings_in(state).isdisjoint(
        {"votes", "counts", "answers", "reveal", "notes", "secret", "phone 1", "turned"}
    )
    for wrong in (-1, 1e9, float("nan"), "5", None, True):
        phones.room.ask(CHOICES, wrong)
        assert phones.room.notes_state()["seconds"] <= 1


def test_the_notes_turn_the_slides_only_where_they_may_and_from_the_place_they_saw() -> None:
    phones = Phones(CHOICES)
    room, place = phones.room, phones.room.notes_state()["place"]
    with pytest.raises(Forbidden):
        room.turn("onward", place)
    room.let_turn(True)
    assert room.notes_state()["mayTurn"]
    woken: list[str] = []
    room.listen(lambda: woken.append("projector"))
    room.listen(lambda: woken.append("phone"), "phone 1")
    woken.clear()
    room.turn("onward", place)
    assert woken == ["projector"]
    assert room.host_state()["turned"] == {"number": 1, "way": "onward"}
    with pytest.raises(Invalid):
        room.turn("close", place)
    room.show()
    with pytest.raises(Over):  # it was late: the projector has moved meanwhile
        room.turn("onward", place)
    for _ in range(20):
        room.turn("back", room.notes_state()["place"])
    with pytest.raises(Full):
        room.turn("back", room.notes_state()["place"])
    assert room.wait() == 0  # the projector's own moves don't wait for those
    room.let_turn(False)
    with pytest.raises(Forbidden):
        room.turn("back", room.notes_state()["place"])


def test_the_key_to_the_notes_is_no_secret_of_the_room() -> None:
    secret = new_secret()
    key = notes_key_of(secret)
    room = Room(id_of(secret), secret, Clock())
    room.check_notes(key)
    assert SECRET.fullmatch(key)
    assert id_of(key) != room.id
    for other in (secret, new_secret(), ""):
        with pytest.raises(Forbidden):
            room.check_notes(other)
    with pytest.raises(Forbidden):
        room.check(key)


def test_ids_follow_from_secrets_and_are_easy_to_type() -> None:
    secrets = [new_secret() for _ in range(20)]
    ids = [id_of(secret) for secret in secrets]
    assert all(SECRET.fullmatch(secret) for secret in secrets)
    assert all(re.fullmatch(rf"[{ALPHABET}]{{3}}(-[{ALPHABET}]{{3}}){{2}}", id) for id in ids)
    assert len(set(ids)) == 20
    assert ids == [id_of(secret) for secret in secrets]
