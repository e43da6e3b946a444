"""Trainings that pages wait for: shared by those who open one link, ended when nobody asks, registered when done."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

import tokviz
from tokviz.analysis.training.report import Report
from tokviz.app.answers.visitors.kept_tokenizers import registry
from tokviz.app.answers.visitors.share_codes import Origin
from tokviz.app.answers.visitors.trainings import FORGOTTEN_SECONDS, Trainings, VisitorTraining
from tokviz.app.shields.fairness.visitors import FairQueue, QueueFull, Visitor
from tokviz.app.shields.processes.training_queue import ABANDONED_SECONDS, Jobs
from tokviz.app.shields.processes.training_recipes import Recipe

PATIENCE = 60
CATS = "the cat in the hat sat on the mat\n"
RECIPE = Recipe(262, split_pattern="gpt2")
ORIGIN = Origin("trained on “my text”", RECIPE, texts=(CATS,))
ANNA, BERT = Visitor("anna"), Visitor("bert")


def waiting_room() -> Trainings:
    """Trainings that never get their turn."""
    return Trainings(Jobs(at_a_time=0, quick_at_a_time=0))


def start(
    trainings: Trainings, visitor: Visitor = ANNA, origin: Origin = ORIGIN, *, shared: bool = False
) -> VisitorTraining:
    return trainings.start(visitor, origin, list(origin.texts), [], "itself", shared=shared)


def finished(trainings: Trainings, training: VisitorTraining) -> VisitorTraining:
    deadline = time.monotonic() + PATIENCE
    while not training.has_ended:
        assert time.monotonic() < deadline, "it did not end"
        time.sleep(0.02)
        trainings.finish(training)
    return training


@pytest.fixture
def busy() -> Iterator[Trainings]:
    yield Trainings(Jobs())


def test_a_finished_training_is_a_tokenizer_of_everybody_who_has_its_id(busy: Trainings) -> None:
    training = finished(busy, start(busy))
    made = registry.get(training.name)
    assert made.vocab == tokviz.train(CATS, vocab_size=262, split_pattern="gpt2").vocab
    assert registry._registered[training.name].holders == 0  # the sessions that adopt it will hold it
    known = busy.trained(made)
    assert known is not None and known.measured_on == "itself"
    assert isinstance(known.report, Report)
    assert known.report.learned_from[0].tokens == len(made.encode(CATS))
    assert training.job is None  # the queue need not keep the result


def test_all_who_open_a_link_share_one_training() -> None:
    trainings = waiting_room()
    first = start(trainings, ANNA, shared=True)
    assert all(start(trainings, Visitor(str(number)), shared=True) is first for number in range(30))
    assert trainings.place(first) == 1


def test_a_link_opened_later_gets_the_tokenizer_that_was_trained_before(busy: Trainings) -> None:
    first = finished(busy, start(busy, shared=True))
    assert start(busy, BERT, shared=True) is first
    registry.forget(first.name)
    assert start(busy, BERT, shared=True) is not first  # it is gone, so it is trained again


def test_other_recipes_and_trainings_without_a_link_are_not_shared() -> None:
    """Or else anybody could find out whether somebody here trained on a certain text."""
    trainings = waiting_room()
    own = start(trainings, ANNA)
    linked = start(trainings, BERT, shared=True)
    assert linked is not own
    other = replace(ORIGIN, recipe=replace(RECIPE, tie_break="lowest-ids"))
    assert start(trainings, Visitor("carl"), other, shared=True) is not linked


def test_what_is_measured_on_other_texts_is_another_training() -> None:
    trainings = waiting_room()
    texts = list(ORIGIN.texts)
    found = {
        trainings.start(Visitor(f"{number} {how} {measured}"), ORIGIN, texts, measured, how, shared=True).id
        for how, measured in (("", []), ("sample", ["one", "two"]), ("sample", ["onetwo"]))
        for number in range(2)
    }
    assert len(found) == 3


def test_a_text_too_long_for_a_link_is_not_shared() -> None:
    trainings = waiting_room()
    long = replace(ORIGIN, texts=("ab" * 60_000,))
    assert start(trainings, ANNA, long, shared=True) is not start(trainings, BERT, long, shared=True)


def test_a_failed_shared_training_is_started_again(busy: Trainings) -> None:
    bad = replace(ORIGIN, recipe=Recipe(10))
    failed = finished(busy, start(busy, origin=bad, shared=True))
    assert failed.problem.startswith("The vocabulary size 10 is too small")
    assert start(busy, origin=bad, shared=True) is not failed


def test_the_queue_s_limits_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = Jobs(at_a_time=0, quick_at_a_time=0)
    monkeypatch.setattr(jobs, "_waiting", FairQueue(1, 1))
    trainings = Trainings(jobs)
    first = start(trainings, ANNA, shared=True)
    with pytest.raises(QueueFull):
        start(trainings, ANNA)
    assert start(trainings, BERT, shared=True) is first  # joining takes no place


def test_cancelling_keeps_nothing_and_leaves_a_link_s_training_to_the_others() -> None:
    trainings = waiting_room()
    own, linked = start(trainings, ANNA), start(trainings, BERT, shared=True)
    for training in (own, linked):
        trainings.cancel(training)
        trainings.finish(training)
    assert own.problem == "Cancelled. Nothing was kept."
    assert not linked.has_ended and trainings.place(linked) == 1


def test_a_training_that_nobody_asks_about_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    now = clock(monkeypatch)
    trainings = waiting_room()
    asked, left = start(trainings, ANNA), start(trainings, BERT)
    now[0] += ABANDONED_SECONDS - 1
    trainings.end_abandoned(now[0])
    assert trainings.get(asked.id) is asked
    now[0] += 1
    trainings.end_abandoned(now[0])
    for training in (asked, left):
        trainings.finish(training)
    assert not asked.has_ended
    assert left.problem.startswith("Training was ended because its page was closed.")


def test_an_old_training_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    now = clock(monkeypatch)
    trainings = waiting_room()
    training = start(trainings)
    now[0] += FORGOTTEN_SECONDS
    trainings.end_abandoned(now[0])
    with pytest.raises(LookupError, match="not known here any more"):
        trainings.get(training.id)


def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1000.0]
    stopped: Callable[[], float] = lambda: now[0]  # noqa: E731
    monkeypatch.setattr(time, "monotonic", stopped)
    return now
