"""Tokenizers in guarded processes: the same results, and a server that survives whatever they do."""

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import engine_files
import hostile_tokenizers
import numpy as np
import pytest
from hostile_tokenizers import importable as importable

from tokviz.app.shields.fairness.visitors import Visitor, serving
from tokviz.app.shields.processes import guarded_tasks, guarded_workers, kept_child, pool
from tokviz.app.shields.processes.guarded import GuardedTokenizer
from tokviz.app.shields.processes.pool import Lane, Pool
from tokviz.pretrained import load
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
from tokviz.widgets.replay_views import steps_of
from tokviz.widgets.seeks import seek_columns
from tokviz.widgets.text_stages import stages_data

TEXT = "The cat, 12 hats\n\n  and e\u0301 🍕 \ud800ab <|endoftext|>"
needs_limits = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux keeps to these limits")


pytestmark = pytest.mark.usefixtures("importable")


def new_pool(most: int = guarded_workers.MAX_PROCESSES, at_a_time: int = guarded_workers.SLOW.at_a_time) -> Pool:
    slow = guarded_workers.SLOW._replace(at_a_time=at_a_time)
    return Pool("guarded_child", guarded_workers.QUICK, slow, things="tokenizers", wait=20, most=most)


def limit(patch: pytest.MonkeyPatch, lane: Lane, **limits: Any) -> None:
    """Change the limits of a lane."""
    patch.setattr(lane, "limits", lane.limits._replace(**limits))


@pytest.fixture(scope="module")
def workers() -> Iterator[Pool]:
    workers = new_pool()
    yield workers
    workers.close()


@pytest.fixture(scope="module")
def hostile(workers: Pool) -> Iterator[GuardedTokenizer]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(hostile_tokenizers.__file__).parent))
        yield GuardedTokenizer(hostile_tokenizers.hostile, among=workers)


def error(work: Callable[[], object]) -> str:
    with pytest.raises(ValueError) as caught:
        work()
    return str(caught.value)


def test_it_does_what_the_tokenizer_itself_does(workers: Pool) -> None:
    there, here = GuardedTokenizer(hostile_tokenizers.gpt2, among=workers), load("gpt2")
    assert (there.name, there.vocab, there.special_tokens) == (here.name, here.vocab, here.special_tokens)
    assert (there.vocab_size, there.rewriting, there.split_patterns) == (
        here.vocab_size,
        here.rewriting,
        here.split_patterns,
    )
    for allowed in ((), "all"):
        found, expected = there.tokenize(TEXT, allowed), here.tokenize(TEXT, allowed)
        for name in ("ids", "byte_offsets", "special", "pretoken_index", "inside_character"):
            np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
        assert (found.text, found.replaced) == (expected.text, expected.replaced)
        assert there.encode(TEXT, allowed) == here.encode(TEXT, allowed)
        assert there.pretokens(TEXT, allowed) == here.pretokens(TEXT, allowed)
    (found_columns, found_meta), (columns, meta) = there.seek(TEXT, "all"), seek_columns(here, TEXT, "all")
    assert found_meta == meta
    for name, column in columns.items():
        np.testing.assert_array_equal(found_columns[name], column)
    ids = here.encode(TEXT)
    assert (there.decode(ids), there.decode_bytes(ids)) == (here.decode(ids), here.decode_bytes(ids))
    assert there.with_name("other").encode("a") == here.encode("a")
    assert error(lambda: there.decode([60_000])) == error(lambda: here.decode([60_000]))
    assert error(lambda: there.encode("a", {"<s>"})) == error(lambda: here.encode("a", {"<s>"}))


def test_an_empty_text_and_a_long_one(hostile: GuardedTokenizer) -> None:
    assert hostile.encode("") == []
    assert hostile.tokenize("").byte_offsets.tolist() == [0]
    text = "ab 🍕\n" * 100_000
    assert hostile.encode(text) == list(text.encode())


def test_what_it_can_not_do(hostile: GuardedTokenizer) -> None:
    assert "takes no other split pattern" in error(lambda: hostile.with_split_pattern("gpt2"))
    with pytest.raises(TypeError, match="its own process"):
        hostile.__reduce_ex__(4)


def test_its_own_errors_are_passed_on(hostile: GuardedTokenizer) -> None:
    assert error(lambda: hostile.encode("refuse")) == "this text is refused"
    assert "failed" in error(lambda: hostile.encode("panic"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("memory", "more than the 1 GB of memory", marks=needs_limits),
        ("forever", "longer than 0.2 s for this text"),
        ("abort", "ended the process that ran it"),
        ("lie", "impossible result"),
    ],
)
def test_harm_is_a_sentence_and_the_next_request_works(
    hostile: GuardedTokenizer, workers: Pool, monkeypatch: pytest.MonkeyPatch, text: str, says: str
) -> None:
    hostile.encode("ready")
    limit(monkeypatch, workers.slow, seconds=0.2 if text == "forever" else 60)
    assert says in error(lambda: hostile.encode(text))
    limit(monkeypatch, workers.slow, seconds=60)
    assert hostile.encode("good") == list(b"good")


def test_files_that_can_not_be_opened(workers: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarded_workers, "OPEN_SECONDS", 0.2)
    assert "longer than 0.2 s to open" in error(lambda: GuardedTokenizer(hostile_tokenizers.opens_never, among=workers))
    monkeypatch.setattr(guarded_workers, "OPEN_SECONDS", 60)
    assert "ended the process" in error(lambda: GuardedTokenizer(hostile_tokenizers.aborts, among=workers))


def test_one_that_fails_again_and_again_is_not_started_for_a_while(
    tmp_path: Path, workers: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "opened"
    monkeypatch.setattr(kept_child, "MAX_FAILURES", 1)
    tokenizer = GuardedTokenizer(partial(hostile_tokenizers.counted, str(file)), among=workers)
    failures = [error(lambda: tokenizer.encode("abort")) for _ in range(4)]
    assert "failed again and again" in failures[-1]
    assert "failed again and again" in error(lambda: tokenizer.encode("good"))
    assert len(file.read_text().splitlines()) == 2


def test_processes_are_bounded_and_end_when_nobody_needs_them() -> None:
    workers = new_pool(most=2, at_a_time=1)
    tokenizers = []
    for number in range(3):
        with serving(Visitor(f"10.0.0.{number}")):
            tokenizers.append(GuardedTokenizer(hostile_tokenizers.hostile, among=workers))
            assert len(workers) <= 2
    for number, tokenizer in enumerate(tokenizers):  # each starts again when it is needed
        assert tokenizer.encode(f"{number}") == list(f"{number}".encode())
        assert len(workers) <= 2
    del tokenizers, tokenizer
    assert len(workers) == 0


def test_the_visitor_with_the_most_processes_loses_one() -> None:
    workers = new_pool(most=3, at_a_time=1)
    with serving(Visitor("one")):
        first = GuardedTokenizer(hostile_tokenizers.hostile, among=workers)
    with serving(Visitor("many")):
        several = [GuardedTokenizer(hostile_tokenizers.hostile, among=workers) for _ in range(3)]
    assert first._guard.child.is_alive
    assert [each._guard.child.is_alive for each in several] == [False, True, True]


def test_idle_processes_end(workers: Pool) -> None:
    tokenizer: Tokenizer = GuardedTokenizer(hostile_tokenizers.words, among=workers)
    workers.end_idle(3600)
    assert len(workers) >= 1
    workers.end_idle(0)
    assert len(workers) == 0
    assert tokenizer.decode(tokenizer.encode("good words")) == "good words"


def test_one_that_never_ends_holds_up_nobody_else(
    hostile: GuardedTokenizer, workers: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = GuardedTokenizer(hostile_tokenizers.hostile, among=workers)
    hostile.encode("ready")
    limit(monkeypatch, workers.slow, seconds=30)
    limit(monkeypatch, workers.quick, size=-1)
    outcome: list[str] = []

    def work() -> None:
        with serving(Visitor("slow")):
            outcome.append(error(lambda: hostile.encode("forever")))

    thread = threading.Thread(target=work)
    thread.start()
    while not hostile._guard.child.is_busy:
        time.sleep(0.01)
    with serving(Visitor("other")):
        assert other.encode("good") == list(b"good")
    assert not outcome
    child = hostile._guard.child.process
    assert child
    child.kill()
    thread.join()
    assert "ended the process" in outcome[0]


def test_who_types_waits_for_nobody_s_long_requests(workers: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two addresses keep all turns of slow requests busy; a third types."""
    limit(monkeypatch, workers.slow, seconds=600)
    monkeypatch.setattr(workers, "wait", 5)
    slow = [GuardedTokenizer(hostile_tokenizers.hostile, among=workers) for _ in range(2)]
    typist = GuardedTokenizer(hostile_tokenizers.hostile, among=workers)
    with serving(Visitor("typist")):
        typist.encode("the first of its kind")
    failures: list[str] = []

    def work(number: int) -> None:
        with serving(Visitor(f"slow {number}")):
            failures.append(error(lambda: slow[number].encode("forever")))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    processes = [each._guard.child for each in slow]
    while not all(each.is_busy for each in processes):
        time.sleep(0.01)
    with serving(Visitor("typist")):
        for _ in range(20):
            assert typist.encode("good") == list(b"good")
    assert all(each.is_busy for each in processes)
    for each in processes:
        assert each.process
        each.process.kill()
    for thread in threads:
        thread.join()
    assert len(failures) == 2


def test_what_is_quick_no_more_gives_its_turn_to_others(workers: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch, workers.quick, seconds=60)  # on a busy machine, too
    hostile = GuardedTokenizer(hostile_tokenizers.hostile, among=workers)

    def is_quick(size: float) -> bool:
        return workers._is_quick((id(hostile._guard.child), guarded_tasks.tokenize), size, False)

    assert not is_quick(0)
    hostile.encode("quick")
    assert is_quick(10)
    with monkeypatch.context() as patch:
        limit(patch, workers.slow, seconds=0.2)
        assert "longer than 0.2 s" in error(lambda: hostile.encode("forever"))
    hostile.encode("quick")
    assert not is_quick(4)
    monotonic = time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: monotonic() + pool.SLOW_SECONDS)
    assert not is_quick(0)  # as long as it is not known again
    hostile.encode("quick")
    assert is_quick(10)
    assert not is_quick(guarded_workers.QUICK.size + 1)


def test_an_address_that_works_on_many_does_not_end_another_s(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = new_pool(most=3, at_a_time=2)
    visitors = [Visitor("one"), Visitor("many"), Visitor("many")]
    processes = []
    for visitor in visitors:
        with serving(visitor):
            tokenizer = GuardedTokenizer(hostile_tokenizers.hostile, among=workers)
        processes.append((tokenizer, tokenizer._guard.child))
    (_, first), (_, second), (_, third) = processes
    second.is_busy = third.is_busy = True
    assert not workers._end_one(Visitor("many"))
    third.is_busy = False
    assert workers._end_one(Visitor("many"))
    assert (first.is_alive, third.is_alive) == (True, False)


def test_a_process_killed_from_outside_starts_again(hostile: GuardedTokenizer) -> None:
    hostile.encode("ready")
    child = hostile._guard.child.process
    assert child
    child.kill()
    child.wait()
    assert hostile.encode("good") == list(b"good")


@pytest.fixture(scope="module", params=["bert", "t5", "llama2"])
def family(request: pytest.FixtureRequest, workers: Pool) -> tuple[GuardedTokenizer, HuggingFaceTokenizer]:
    data = engine_files.family(request.param)
    return GuardedTokenizer(partial(HuggingFaceTokenizer, "x", data), among=workers), HuggingFaceTokenizer("x", data)


def test_the_stages_and_steps_of_an_engine_are_computed_there(
    family: tuple[GuardedTokenizer, HuggingFaceTokenizer],
) -> None:
    there, here = family
    for text, allowed in (("Newer caf\u00e9s \ud800", ()), ("the lowest</s>", "all"), ("", ())):
        assert there.stages_data(text, allowed) == stages_data(here, text, allowed)
        assert there.rewriting_at(text, [(0, 9)], allowed) == here.rewriting_at(text, [(0, 9)], allowed)
        columns, meta = there.steps(text, allowed)
        expected, expected_meta = steps_of(here, text, allowed)
        assert meta == json.loads(json.dumps(expected_meta))
        assert {name: column.tolist() for name, column in columns.items()} == {
            name: column.tolist() for name, column in expected.items()
        }


def test_what_has_no_steps_says_so(hostile: GuardedTokenizer) -> None:
    assert "merges nothing" in error(lambda: hostile.steps("good"))
