"""Untrusted split patterns in child processes: the same pieces, and a server that survives any pattern."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import regex
from starlette.applications import Starlette
from starlette.testclient import TestClient
from waiting import wait_until

from tokviz.app import server
from tokviz.app.answers.visitors.kept_tokenizers import registry
from tokviz.app.shields.fairness.visitors import Visitor, serving, spent
from tokviz.app.shields.processes import exchange, kept_child, patterns, patterns_child
from tokviz.app.shields.processes.children import Failed
from tokviz.app.shields.processes.kept_child import Task
from tokviz.app.shields.processes.patterns import SplitMatcher
from tokviz.lesson.links import pack
from tokviz.pretokens import splitting, unicode_tables
from tokviz.tokenizers.bpe import BPETokenizer

TEXT = "The cat, 12 hats\n\n  and e\u0301 🍕 ab ab"
needs_limits = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux keeps to these limits")


@pytest.fixture(scope="module")
def matcher() -> Iterator[SplitMatcher]:
    matcher = SplitMatcher()
    yield matcher
    matcher.pool.close()


@pytest.fixture
def guarded(matcher: SplitMatcher) -> Iterator[SplitMatcher]:
    """Match patterns in the children, as a server does."""
    before = splitting.set_matcher(matcher)
    yield matcher
    splitting.set_matcher(before)


def outcome(pattern: str, text: str, seconds: float = 1.0) -> list[str] | str:
    """Return the pieces, or the error message."""
    try:
        with splitting.time_limit(seconds):
            return splitting.split(text, pattern)
    except ValueError as error:
        return str(error)


def test_the_time_of_a_child_is_charged_to_who_asks(guarded: SplitMatcher, monkeypatch: pytest.MonkeyPatch) -> None:
    charged: list[tuple[str, float]] = []
    monkeypatch.setattr(spent, "charge", lambda *given: charged.append(given))
    with serving(Visitor("10.0.0.1")):
        assert "longer than 0.2 s" in outcome("(?:a|a)*b|.", "a" * 20_000, 0.2)
    assert {address for address, _ in charged} == {"10.0.0.1"}
    assert sum(seconds for _, seconds in charged) >= 0.2


def test_a_limit_shared_by_many_texts_is_not_blamed_on_the_last(
    guarded: SplitMatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    pattern = r"\w{1,3}|\W"
    monkeypatch.setattr(kept_child, "_MIN_COST", 0.004)
    with splitting.time_limit(0.1), pytest.raises(splitting.TooSlow, match=r"longer than 0\.1 s to cut all the texts"):
        for _ in range(50):  # each is charged at least 4 ms
            splitting.split("ab", pattern)
    assert str(outcome("(a|aa)+$", "a" * 50 + "b", 0.5)).endswith("takes longer than 0.5 s to cut this text")


PATTERNS = [r"\w+|\s+", r"\w+", "x*", r"(?<=a)b", "(a)(?P<n>b)?", "(((", "a{9}{99999}", "(?r)a", r"\p{Nonsense}"]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_child_matches_as_this_process_would(guarded: SplitMatcher, pattern: str) -> None:
    there = outcome(pattern, TEXT)
    splitting.set_matcher(splitting.match_here)
    assert there == outcome(pattern, TEXT)


def test_many_texts_at_once(guarded: SplitMatcher) -> None:
    texts = ["ab cd", "", "x y", " ", "🍕 e\u0301"] * 50
    assert splitting.split_all(texts, r"\w+") == [regex.findall(r"\w+|\W+", text) for text in texts]
    assert splitting.split_all([], r"\w+") == []


def test_long_texts(guarded: SplitMatcher) -> None:
    text = "ab cd\n" * 100_000
    assert splitting.split(text, r"\w+") == ["ab", " ", "cd", "\n"] * 100_000


def test_named_patterns_stay_in_this_process() -> None:
    def refuse(*_: object) -> list[splitting.Spans]:
        raise AssertionError("went to a child")

    before = splitting.set_matcher(refuse)
    try:
        assert splitting.split("ab cd", splitting.PATTERNS["words"]) == ["ab", " ", "cd"]
        assert splitting.resolve("gpt2") == splitting.PATTERNS["gpt2"]
        with pytest.raises(AssertionError):
            splitting.resolve("ab+")
    finally:
        splitting.set_matcher(before)


def test_patterns_of_open_models_stay_in_this_process_as_they_are_read_from_files() -> None:
    """Reading their files splits a vocabulary token by token; asking a child for each would take too long."""
    llama3 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    spaces = r"|\s*[\r\n]+|\s+(?!\S)|\s+"
    deepseek = (
        r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*"
    )
    asked: list[str] = []

    def refuse(pattern: str, *_: object) -> list[splitting.Spans]:
        asked.append(pattern)
        return []

    before = splitting.set_matcher(refuse)
    try:
        for known in (
            llama3 + spaces,
            llama3.replace("{1,3}", "") + spaces,
            deepseek + spaces,
            r"\p{N}",
            r"\p{N}{1,3}",
        ):
            splitting.check_pattern(known)
        assert asked == []
        splitting.check_pattern(llama3)
        assert asked == [llama3]
    finally:
        splitting.set_matcher(before)


# Without the children, each of these crashes the server (SIGSEGV while compiling) or fills its memory (gigabytes).
EXPLOITS = {
    "leading zeros": "(?:ab|c){000000300000}",
    "only the counts were limited": "(?:" + "(?:ab|c)" * 20 + "){9999}",
    "compiles for seconds": "(?:()){16666}",
    "long": "(?:ab|c)" * 20_000,
}


@pytest.fixture
def short_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reduce the time limits of patterns, so that the machine's speed doesn't matter."""
    monkeypatch.setattr(patterns, "SLOW", patterns.SLOW._replace(seconds=0.2))
    monkeypatch.setattr(patterns, "_GRACE", patterns._GRACE / 10)


@pytest.mark.usefixtures("short_of_time")
@pytest.mark.parametrize("pattern", EXPLOITS.values(), ids=EXPLOITS.keys())
def test_exploits_are_refused_in_words(guarded: SplitMatcher, pattern: str) -> None:
    message = outcome(pattern, "ab cd", 0.2)
    assert isinstance(message, str) and "split pattern" in message and len(message) < 400
    assert outcome(r"\w+|\s+", "ab cd") == ["ab", " ", "cd"]


@needs_limits
@pytest.mark.parametrize("pattern", ["(?:ab|c){000000300000}", "(?:" + "(?:ab|c)" * 20 + "){9999}", "a{9999999}"])
def test_children_withstand_patterns_that_the_package_would_refuse(pattern: str) -> None:
    """The limit on repetition counts is one safeguard, the child another: here the first is off, in the child only."""
    matcher = SplitMatcher()
    lax = "import sys; from tokviz.pretokens import splitting; splitting.MAX_EXPANDED = 10**15; "
    lax += "from tokviz.app.shields.processes import answering, lifetime, patterns_child; "
    lax += "lifetime.begin(288 * 1024**2); "
    lax += "answering.answer_all(sys.stdin.buffer, sys.stdout.buffer, patterns_child.answer)"
    slow = matcher.pool.slow.child
    slow.process = subprocess.Popen([sys.executable, "-c", lax], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert slow.process.stdout
    slow.process.stdout.read(1)
    with pytest.raises((Failed, splitting.TooSlow)):
        matcher(pattern, ("ab",), splitting.TimeBudget(1, 1))
    assert matcher(r"\w+", ("ab cd",), None) == [[0, 2, 3, 5]]
    matcher.pool.close()


@needs_limits
def test_a_recursive_pattern_does_not_fill_memory(guarded: SplitMatcher) -> None:
    message = outcome("(a(?1)?|b)(?:(?R)|(?1))*(?R)", "ab" * 100_000, 0.4)
    assert isinstance(message, str) and ("takes" in message or "took" in message)
    assert outcome(r"(\((?:[^()]|(?1))*\))", "a(b(c))d") == ["a", "(b(c))", "d"]


def test_without_memory_limits_recursive_patterns_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns_child, "is_memory_limited", lambda: False)
    with pytest.raises(ValueError, match="calls itself"):
        patterns_child.answer(exchange.pack("(a(?R)?)", ["aa"]), 1.0)


def test_a_killed_child_is_restarted(guarded: SplitMatcher) -> None:
    assert outcome("kil+ed", "killed") == ["killed"]
    for lane in (guarded.pool.quick, guarded.pool.slow):
        if lane.child.process is not None:
            os.kill(lane.child.process.pid, signal.SIGKILL)
            lane.child.process.wait()
    assert outcome("kil+ed", "killed") == ["killed"]


def test_a_child_that_takes_no_more_requests_is_explained() -> None:
    kept = SplitMatcher().pool.slow.child
    deaf = [sys.executable, "-S", "-c", "import os, signal; os.close(0); os.write(1, b'r'); signal.pause()"]
    child = kept.process = subprocess.Popen(deaf, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdout and child.stdout.read(1) == b"r"
    with pytest.raises(Failed, match="this ended the process that ran it: perhaps it took more than the 288 MB"):
        kept.ask(Task(b"ab" * 100_000, "this", 0, splitting.TimeBudget(60, 60)))
    assert child.returncode == -signal.SIGKILL
    kept.start("this")
    kept.ask(Task(exchange.pack("ab", ["ab"]), "this", 100, splitting.TimeBudget(60, 60)))
    kept.end()


AGES = r"(?=(.*a)*c)b|."


def test_typing_does_not_wait_for_a_slow_pattern(guarded: SplitMatcher) -> None:
    assert outcome(r"[a-z]+", "ab cd") == ["ab", " ", "cd"]
    outcome(AGES, "ab" * 5_000, 0.3)  # now it is known to be slow
    started, answered = threading.Event(), threading.Event()

    def attack() -> None:
        started.set()
        outcome(AGES, "ab" * 500_000, seconds=60)
        answered.set()

    attacker = threading.Thread(target=attack)
    attacker.start()
    started.wait()
    try:
        for _ in range(20):
            assert outcome(r"[a-z]+", "ab cd") == ["ab", " ", "cd"]
        assert not answered.is_set()
    finally:
        while attacker.is_alive():  # the attack would take all its time
            if guarded.pool.slow.child.process is not None:
                guarded.pool.slow.child.process.kill()
            attacker.join(0.01)


def test_a_pattern_is_rewritten_for_a_text_in_the_slow_child_only(
    guarded: SplitMatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    disputed = next(chr(point) for point in range(0x80, 0x40000) if unicode_tables.is_disputed(chr(point)))
    text = f"as{disputed}k"
    expected = splitting.match_here(r"\w+", [text], None)[0]
    assert list(guarded(r"\w+", ["ask"], None)[0]) == [0, 3]  # it is known to be quick now
    monkeypatch.setattr(unicode_tables, "_rewritten", None)  # in this process
    monkeypatch.setattr(guarded.pool.quick.child, "ask", None)
    assert list(guarded(r"\w+", [text], None)[0]) == list(expected)
    with pytest.raises(ValueError, match="does not compile"):  # to rewrite it would take minutes
        guarded("[" * 20_000, [text], None)


def test_many_texts_share_one_limit(guarded: SplitMatcher) -> None:
    with splitting.time_limit(0.1):
        for _ in range(3):
            with pytest.raises(splitting.TooSlow):
                splitting.split("ab" * 500_000, AGES)


def test_a_text_full_of_special_tokens_asks_a_child_once(guarded: SplitMatcher) -> None:
    asked = []

    def counted(pattern: str, texts: Sequence[str], budget: splitting.TimeBudget | None) -> list[splitting.Spans]:
        asked.append(pattern)
        return guarded(pattern, texts, budget)

    splitting.set_matcher(counted)
    vocab = {value: bytes([value]) for value in range(256)} | {256: b"<s>"}
    tokenizer = BPETokenizer("own", vocab, {}, split_pattern="[a-z]+| ", special_tokens={"<s>": 256})
    text = "ab cd<s>" * 1_000
    asked.clear()
    assert tokenizer.encode(text, "all") == [*b"ab cd", 256] * 1_000
    assert tokenizer.tokenize(text, "all").ids.tolist() == [*b"ab cd", 256] * 1_000
    assert tokenizer.pretokens(text, "all") == ["ab", " ", "cd", "<s>"] * 1_000
    assert len(asked) == 3


def test_every_request_is_charged_to_the_limit(guarded: SplitMatcher) -> None:
    budget = splitting.TimeBudget(1, 1)
    for _ in range(10):
        guarded("as[k]", ["ask"], budget)
    assert budget.left <= 1 - 10 * kept_child._MIN_COST
    with pytest.raises(splitting.TooSlow):
        guarded("as[k]", ["ask"], splitting.TimeBudget(1, 0))


def test_busy_children_are_reported(guarded: SplitMatcher, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarded.pool, "wait", 0.01)
    with guarded.pool.slow.turns.turn(Visitor("10.0.0.1")):
        assert "busy" in outcome("never tried before", "ab")


def test_one_address_leaves_turns_to_others(guarded: SplitMatcher) -> None:
    answered: list[str] = []

    def ask(address: str, pattern: str) -> None:
        with serving(Visitor(address)):
            outcome(pattern, "a" * 50 + "b", 0.1)
        answered.append(address)

    threads = [threading.Thread(target=ask, args=("10.0.0.1", f"(a|aa)+{number}$")) for number in range(3)]
    threads.append(threading.Thread(target=ask, args=("10.0.0.2", "never asked for before")))
    with guarded.pool.slow.turns.turn(Visitor("10.0.0.3")):
        for number, thread in enumerate(threads, 1):
            thread.start()
            while len(guarded.pool.slow.turns._slots._queue) < number:
                os.sched_yield()
    for thread in threads:
        thread.join(60)
    assert answered.index("10.0.0.2") <= 1


@pytest.mark.parametrize("numbers", [[1, 0], [2, 0, 9], [2, 2, 1], [4, 0, 2, 1, 3], [-2, 0, 1], [2, -1, 1], []])
def test_invalid_spans_of_a_broken_child_are_refused(numbers: list[int]) -> None:
    data = b"".join(number.to_bytes(4, sys.byteorder, signed=True) for number in numbers)
    with pytest.raises(ValueError, match="broke"):
        patterns._checked_spans(data, ["abcd"])


@needs_limits
def test_a_child_ends_with_its_server() -> None:
    program = (
        "import os; from tokviz.app.shields.processes.patterns import SplitMatcher; matcher = SplitMatcher()\n"
        "for _ in range(2): matcher('a', ('a',), None)\n"
        "slow, quick = matcher.pool.slow.child, matcher.pool.quick.child\n"
        "print(slow.process.pid, quick.process.pid, flush=True); os._exit(0)"
    )
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True, timeout=60)
    wait_until(lambda: not any(map(_is_alive, map(int, done.stdout.split()))))


def _is_alive(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@needs_limits
def test_generated_patterns_do_not_harm_the_server() -> None:
    """A sample of tests/benchmarks/patterns.py."""
    script = Path(__file__).parents[3] / "benchmarks" / "patterns.py"
    done = subprocess.run([sys.executable, script, "60", "10"], stdout=subprocess.PIPE, check=True, timeout=120)
    result = json.loads(done.stdout)
    assert result["answered"] > 20
    assert result["grown_by"] < 100


# The server


@pytest.fixture
def server_with_workers(monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setattr(server, "warm_up", lambda: None)
    with TestClient(Starlette(routes=server.routes, lifespan=server.lifespan)) as client:
        yield client


def test_children_run_as_long_as_their_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "warm_up", lambda: None)
    with TestClient(Starlette(routes=server.routes, lifespan=server.lifespan)):
        matcher = splitting._matcher
        assert isinstance(matcher, SplitMatcher)
        assert splitting.split("ab cd", r"\w+") == ["ab", " ", "cd"]
    assert splitting._matcher is splitting.match_here
    assert matcher.pool.slow.child.process is None


BYTES = {value: bytes([value]) for value in range(256)}
REQUESTS = [
    "tokenize?tokenizer={}&special=1",
    "pretokens?tokenizer={}&special=1",
    "compare?tokenizers={},gpt2&reasons=1",
    "compare/reasons?tokenizers=gpt2,{}",
    "compare/page?tokenizers={},gpt2",
    "compare/explain?tokenizers={},gpt2&segments=0-2",
    "compare/texts?tokenizer={}&first=3",
    "replay?tokenizer={}&special=1&order=rank&page=0",
    "export?format=json&tokenizer={}",
    "export?format=csv&tokenizer={}",
    "export?format=html&tokenizer={}",
]


def plain(pattern: str) -> BPETokenizer:
    return BPETokenizer("own", BYTES, {}, split_pattern=pattern, special_tokens={})


def test_no_route_compiles_untrusted_patterns(server_with_workers: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = []
    compile_pattern = splitting.compile_pattern

    def watched(pattern: str) -> "regex.Pattern[str]":
        compiled.append(pattern)
        return compile_pattern(pattern)

    monkeypatch.setattr(splitting, "compile_pattern", watched)
    for number, request in enumerate(REQUESTS):  # each pattern is new to the server
        name = registry.register(plain(rf"[a-z]+| |{number}"), "own")
        answer = server_with_workers.post(f"/_tokviz/{request.format(name)}", content=b"ab cd ab")
        assert answer.status_code == 200, (request, answer.text)
        assert splitting.NAMED.issuperset(compiled), request


@pytest.mark.usefixtures("short_of_time")
@pytest.mark.parametrize("pattern", EXPLOITS.values(), ids=EXPLOITS.keys())
def test_a_link_with_an_exploit_is_refused(server_with_workers: TestClient, pattern: str) -> None:
    said = {
        "label": "x",
        "recipe": {"vocab_size": 300, "split_pattern": pattern, "special_tokens": []},
        "texts": ["ab"],
    }
    answer = server_with_workers.post("/_tokviz/made?id=not-known-here-at-all", content=pack(json.dumps(said)).encode())
    assert answer.status_code == 422
    assert len(answer.json()["error"]) < 400
