"""Training in child processes: results, the queue, cancelling, and children that are killed."""

import os
import random
import signal
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from garbage import collect_until
from waiting import wait_until

import tokviz
from tokviz.analysis.training.report import Report
from tokviz.app.shields.fairness.budgets import Budget
from tokviz.app.shields.fairness.visitors import QueueFull, Visitor
from tokviz.app.shields.processes import training_queue as jobs_module
from tokviz.app.shields.processes.training_queue import Job, Jobs
from tokviz.app.shields.processes.training_recipes import Recipe
from tokviz.tokenizers.bpe import BPETokenizer

CATS = "the cat in the hat sat on the mat\n"
PATIENCE = 60
ANNA = Visitor("anna")


@cache
def long_text() -> str:
    """A text that takes a while, since no two words are alike."""
    return "".join(random.Random(0).choices("abcdefghij ", k=1_500_000))


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    jobs = Jobs()
    yield jobs
    for job in [*jobs._running, *jobs._waiting.in_turn()]:
        jobs.cancel(job)
    wait_until(lambda: not jobs._running)


def test_the_result_equals_training_in_this_process(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_module, "MAX_MEASURED_HERE", 0)  # the route's tests have texts that the server measures
    recipe = Recipe(300, split_pattern="gpt2", tie_break="lowest-ids", special_tokens=("<end>",))
    job = jobs.start(ANNA, [CATS, "another text"], recipe, ["a third"])
    wait_until(lambda: job.ended)
    assert (job.state, job.problem) == ("done", "")
    expected = tokviz.train(
        [CATS, "another text"],
        vocab_size=300,
        split_pattern="gpt2",
        tie_break="lowest-ids",
        special_tokens=["<end>"],
    )
    assert isinstance(job.tokenizer, BPETokenizer)
    assert job.tokenizer.vocab == expected.vocab
    assert job.tokenizer.merges == expected.merges
    assert job.tokenizer.training is not None and expected.training is not None
    assert list(job.tokenizer.training) == list(expected.training)
    assert job.tokenizer.encode(CATS) == expected.encode(CATS)
    assert isinstance(job.report, Report)
    theirs = (expected, tokviz.load("gpt2"), tokviz.load("cl100k_base"))
    assert [row.tokens for row in job.report.measured] == [len(tok.encode("a third")) for tok in theirs]
    both = [len(tok.encode(CATS)) + len(tok.encode("another text")) for tok in theirs]
    assert [row.tokens for row in job.report.learned_from] == both


@pytest.mark.parametrize(
    ("texts", "recipe", "says"),
    [
        ([""], Recipe(300), "There is nothing to learn from: the text is empty."),
        ([CATS], Recipe(10), "The vocabulary size 10 is too small"),
        ([CATS], Recipe(300, split_pattern="("), "Split pattern '(' does not compile"),
    ],
)
def test_training_errors_are_explained(jobs: Jobs, texts: list[str], recipe: Recipe, says: str) -> None:
    job = jobs.start(ANNA, texts, recipe)
    wait_until(lambda: job.ended)
    assert job.state == "failed"
    assert job.problem.startswith(says)
    assert job.tokenizer is None


def test_progress_is_reported_and_cancelling_kills_the_child(jobs: Jobs) -> None:
    job = jobs.start(ANNA, [long_text()], Recipe(50_000))
    wait_until(lambda: job.phase == "merging" and job.done > 0)
    assert job.total == 50_000 - 256
    process = job.process
    assert process is not None
    jobs.cancel(job)
    assert process.wait(PATIENCE) == -signal.SIGKILL
    assert job.state == "cancelled"
    wait_until(lambda: job.process is None)
    assert job.tokenizer is None


def test_a_training_is_seen_while_it_goes_on(jobs: Jobs) -> None:
    """A glimpse during training equals the result of a shorter training."""
    text = long_text()[:200_000]
    job = jobs.start(ANNA, [text], Recipe(50_000))
    wait_until(lambda: job.glimpse is not None and job.glimpse.curve[-1][0] > 0)
    seen = job.glimpse
    assert seen is not None
    assert text.startswith(seen.piece) and len(seen.piece) > 500
    merges, left = seen.curve[-1]
    shorter = tokviz.train(text, num_merges=merges, split_pattern="cl100k")
    assert seen.ids == shorter.encode(seen.piece)
    assert [merge.rank for merge in seen.merges] == list(range(merges - 1, max(-1, merges - 13), -1))
    assert left == len(shorter.encode(text))


def test_the_last_glimpse_is_that_of_the_result(jobs: Jobs) -> None:
    job = jobs.start(ANNA, [CATS * 3], Recipe(262, split_pattern="gpt2"))
    wait_until(lambda: job.ended)
    assert job.glimpse is not None and job.tokenizer is not None
    assert job.glimpse.piece == CATS * 3
    assert job.glimpse.ids == job.tokenizer.encode(CATS * 3)
    assert job.glimpse.curve[0] == (0, len(CATS * 3))
    assert job.phase == "measuring"


def test_a_third_training_waits_in_the_queue(jobs: Jobs) -> None:
    first, second, third, fourth = (jobs.start(Visitor(who), [long_text()], Recipe(50_000)) for who in "abcd")
    assert [each.state for each in (first, second, third, fourth)] == ["running", "running", "waiting", "waiting"]
    assert [jobs.place(each) for each in (second, third, fourth)] == [0, 1, 2]
    jobs.cancel(third)
    assert jobs.place(fourth) == 1
    jobs.cancel(first)
    wait_until(lambda: fourth.state == "running")
    assert (second.state, third.state) == ("running", "cancelled")


def test_a_visitor_has_one_training_running_and_one_waiting(jobs: Jobs) -> None:
    first, second = (jobs.start(ANNA, [long_text()], Recipe(50_000)) for _ in range(2))
    assert (first.state, second.state) == ("running", "waiting")  # although two could run
    with pytest.raises(QueueFull, match="One of your trainings is running and another is waiting"):
        jobs.start(ANNA, [long_text()], Recipe(50_000))
    other = jobs.start(Visitor("elsewhere"), [long_text()], Recipe(50_000))
    assert (other.state, second.state) == ("running", "waiting")
    jobs.cancel(first)
    wait_until(lambda: second.state == "running")


def test_an_address_has_one_long_training_at_a_time(jobs: Jobs) -> None:
    browsers = [Visitor("one address", str(number)) for number in range(3)]
    first, second = (jobs.start(visitor, [long_text()], Recipe(50_000)) for visitor in browsers[:2])
    other = jobs.start(Visitor("another address"), [long_text()], Recipe(50_000))
    assert [job.state for job in (first, second, other)] == ["running", "waiting", "running"]
    jobs.cancel(other)
    short = jobs.start(browsers[2], [CATS], Recipe(300))
    wait_until(lambda: short.state == "done")  # in the slot that the second may not use yet
    assert [job.state for job in (first, second)] == ["running", "waiting"]
    jobs.cancel(first)
    wait_until(lambda: second.state == "running")


def test_an_address_leaves_its_second_place_to_others(jobs: Jobs) -> None:
    text = long_text()[:900_000]
    browsers = [Visitor("one address", str(number)) for number in range(2)]
    first, second = (jobs.start(visitor, [text], Recipe(50_000)) for visitor in browsers)
    wait_until(lambda: second.phase == "merging")
    process = second.process
    assert process is not None
    other = jobs.start(Visitor("another address"), [CATS], Recipe(300))
    assert [job.state for job in (first, second, other)] == ["running", "waiting", "running"]
    assert (second.phase, jobs.place(second)) == ("", 1)
    assert process.wait(PATIENCE) == -signal.SIGKILL
    wait_until(lambda: other.state == "done" and second.phase == "merging")  # it begins anew
    assert second.process not in (None, process)
    jobs.cancel(first)
    early = jobs.start(Visitor("one address", "2"), [CATS], Recipe(300))
    wait_until(lambda: early.state == "done")  # in the place that nobody else wants
    assert second.state == "running"


def test_a_quick_training_does_not_wait_for_those_of_two_others(jobs: Jobs) -> None:
    held = [jobs.start(Visitor(who), [long_text()], Recipe(50_000)) for who in "ab"]
    wait_until(lambda: all(each.phase == "merging" for each in held))
    processes = [each.process for each in held]
    longer, quick = (jobs.start(Visitor(who), [text], Recipe(300)) for who, text in (("c", long_text()), ("d", CATS)))
    assert (longer.state, quick.state) == ("waiting", "running")
    wait_until(lambda: quick.ended)
    assert isinstance(quick.tokenizer, BPETokenizer)
    assert quick.tokenizer.vocab == tokviz.train([CATS], vocab_size=300, split_pattern=Recipe(300).split_pattern).vocab
    assert longer.state == "waiting"
    assert [each.process for each in held] == processes


@pytest.mark.parametrize(("limit", "value"), [("seconds", 0.01), ("memory", 100 * 1024**2)])
def test_one_that_is_not_quick_waits_like_any_other(
    jobs: Jobs, limit: str, value: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: dict[str, Any] = {limit: value}
    monkeypatch.setattr(jobs_module, "QUICK", jobs_module.QUICK._replace(**limits))
    held = [jobs.start(Visitor(who), [long_text()], Recipe(50_000)) for who in "ab"]
    slow, waiting = (jobs.start(Visitor(who), [CATS], Recipe(300)) for who in "cd")
    assert (slow.state, waiting.state) == ("running", "waiting")
    wait_until(lambda: not slow.is_quick and not waiting.is_quick)
    assert [each.state for each in (*held, slow, waiting)] == ["running", "running", "waiting", "waiting"]
    jobs.cancel(held[0])
    wait_until(lambda: slow.state == waiting.state == "done")
    assert held[1].state == "running"


def test_a_training_that_was_put_back_ends_as_if_it_had_not_been(jobs: Jobs) -> None:
    browsers = [Visitor("one address", str(number)) for number in range(2)]
    held, short = (
        jobs.start(visitor, [each], Recipe(270)) for visitor, each in zip(browsers, [long_text(), CATS], strict=True)
    )
    other = jobs.start(Visitor("another address"), [CATS], Recipe(300))
    wait_until(lambda: short.ended and other.ended)
    assert isinstance(short.tokenizer, BPETokenizer)
    assert short.tokenizer.vocab == tokviz.train([CATS], vocab_size=270, split_pattern=Recipe(270).split_pattern).vocab
    jobs.cancel(held)


def test_the_largest_holder_of_a_full_queue_is_evicted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_module, "MOST_WAITING", 3)
    jobs = Jobs(at_a_time=0, quick_at_a_time=0)  # all jobs wait
    many = [jobs.start(Visitor("one address", str(number)), [CATS], Recipe(300)) for number in range(3)]
    with pytest.raises(QueueFull, match="3 trainings are waiting"):
        jobs.start(Visitor("one address", "another browser"), [CATS], Recipe(300))
    other = jobs.start(Visitor("another address"), [CATS], Recipe(300))
    assert [each.state for each in (*many, other)] == ["waiting", "waiting", "failed", "waiting"]
    assert "Too many trainings are waiting" in many[-1].problem
    assert [jobs.place(each) for each in (*many, other)] == [1, 3, 0, 2]  # addresses take turns


def test_bytes_of_queued_texts_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_module, "MAX_WAITING_BYTES", 10_000)
    jobs = Jobs(at_a_time=0, quick_at_a_time=0)
    many = [jobs.start(Visitor("one address", str(number)), ["a" * 3_000], Recipe(300)) for number in range(3)]
    with pytest.raises(QueueFull, match="Too many long texts"):
        jobs.start(Visitor("one address", "another browser"), ["a" * 3_000], Recipe(300))
    other = jobs.start(Visitor("another address"), ["a" * 3_000], Recipe(300))
    assert [each.state for each in (*many, other)] == ["waiting", "waiting", "failed", "waiting"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps such limits")
def test_training_reports_too_much_memory() -> None:
    jobs = Jobs(memory=200 * 1024**2)
    job = jobs.start(ANNA, [long_text()] * 4, Recipe(2_000, split_pattern=None))
    wait_until(lambda: job.ended)
    assert job.state == "failed"
    assert job.problem.startswith(
        "This training takes more than the 1.25 GB of memory that it may take on this server."
    )


def test_a_killed_child_is_reported_and_the_queue_continues(jobs: Jobs) -> None:
    victim, other, waiting = (jobs.start(Visitor(who), [long_text()], Recipe(50_000)) for who in "abc")
    wait_until(lambda: victim.phase == "merging")
    assert victim.process is not None
    os.kill(victim.process.pid, signal.SIGKILL)
    wait_until(lambda: victim.ended)
    assert victim.state == "failed"
    assert "ended from outside" in victim.problem
    wait_until(lambda: waiting.state == "running")
    assert other.state == "running"


def test_a_training_may_take_some_minutes(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_module, "LONG", jobs_module.LONG._replace(seconds=0))
    job = jobs.start(ANNA, [long_text()], Recipe(50_000))
    wait_until(lambda: job.ended)
    assert (job.state, job.tokenizer) == ("failed", None)
    assert job.problem.startswith("Training took longer than 0 minutes.")
    short = jobs.start(ANNA, [CATS], Recipe(300))  # has another limit
    wait_until(lambda: short.state == "done")


def test_tokens_that_are_too_long_together_are_refused(jobs: Jobs) -> None:
    letters = "".join(map(chr, range(0x4E00, 0x4E00 + 4_000)))
    job = jobs.start(ANNA, [f"{letters}\n{letters}"], Recipe(200_000, split_pattern=None, alphabet="characters"))
    wait_until(lambda: job.ended)
    assert (job.state, job.tokenizer) == ("failed", None)
    assert "5 MB are the most that fit: the text repeats very long passages" in job.problem


def test_results_that_nobody_fetches_are_limited(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "_unclaimed", Budget(600_000, oldest_first=True))  # two of 230,000 bytes
    held: list[Job] = []
    for number in range(4):
        held.append(jobs.start(Visitor("one address" if number else "another"), [CATS], Recipe(257)))
        wait_until(lambda: held[-1].ended and held[-1].process is None)
    assert [job.state for job in held] == ["done", "failed", "failed", "done"]
    assert held[1].tokenizer is None and "its page was away" in held[1].problem
    held.clear()
    collect_until(lambda: not jobs._unclaimed._total)
