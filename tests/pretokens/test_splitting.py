"""Split patterns: nothing is lost, and the named ones split as in tiktoken."""

import threading
import time
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise, product
from types import SimpleNamespace

import pytest
import regex
import tiktoken
from hypothesis import given
from hypothesis import strategies as st
from strategies import disputed, every_character, examples

from tokviz.pretokens import splitting
from tokviz.pretokens.pattern_size import CEILING, expanded_length, is_recursive

NAMED = ("gpt2", "cl100k", "o200k")
check_many = examples(200)


@check_many
@given(
    st.text(), st.sampled_from([*splitting.PATTERNS.values(), None, r"\w+", r"[ab]*", r"(a)(b)?", r"\b", r"(?<=a)b"])
)
def test_pieces_are_never_empty_and_join_to_the_text(text: str, pattern: str | None) -> None:
    pieces = splitting.split(text, pattern)
    assert "".join(pieces) == text
    assert all(pieces)


def test_text_between_matches_is_a_piece() -> None:
    assert splitting.split("--ab, cd!", r"[a-z]+") == ["--", "ab", ", ", "cd", "!"]
    assert splitting.split("abc", "x*") == ["abc"]
    assert splitting.split("abc", None) == ["abc"]
    assert splitting.split("", None) == splitting.split("", r"\w+") == []


@pytest.mark.parametrize("pattern", [r"(?r)\w+", r"a(?=b\K)", r"(?=ab\K)"])
def test_a_pattern_that_goes_backwards_raises(pattern: str) -> None:
    with pytest.raises(ValueError, match="goes backwards"):
        splitting.split("ab cd ab", pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        "a{9999999}",
        "a{99999}" * 96,
        "(?:(?:a{100}){100}){30,}",
        f"a{{{'9' * 5000}}}",
        "(?:ab|c){000000300000}",
        "(?:" + "(?:ab|c)" * 20 + "){9999}",
        "(?x)(?:ab|c){ 3 0 0 #}\n 0 0 0}",
        "(?#))(?:ab|c #)){300000}",
        "[[](?:ab|c){400}{400}",
        r"(?:\p{Lu}ab){9999}{9}",
    ],
)
def test_a_pattern_that_would_exhaust_memory_raises(pattern: str) -> None:
    with pytest.raises(ValueError, match="too many repetitions"):
        splitting.resolve(pattern)


def test_reasonable_repetitions_are_accepted() -> None:
    pattern = r"\d{4}-\d{2}-\d{2}|\w{1,99999}|\s{0,}"
    assert splitting.split("on 2026-01-31", splitting.resolve(pattern)) == ["on", " ", "2026-01-31"]


ITEMS = st.sampled_from(["a", r"\d", "[^ab]", r"[\]{9}]", r"\{", r"\p{L}", "."])
COUNTS = st.integers(1, 30).flatmap(
    lambda n: st.sampled_from([f"{{{n}}}", f"{{000{n},}}", f"{{{n},99}}"]).map(lambda c: (n, c))
)


@st.composite
def repeated(draw: st.DrawFn, depth: int = 3) -> tuple[str, str]:
    """A pattern, and the same pattern with its repetitions written out."""
    parts = []
    for _ in range(draw(st.integers(1, 3))):
        if depth and draw(st.booleans()):
            inner, written = draw(repeated(depth - 1))
            part, written = f"(?:{inner})", f"(?:{written})"
        else:
            part = written = draw(ITEMS)
        times, count = draw(st.just((1, "")) | COUNTS)
        parts.append((part + count, written * times))
    return "".join(part for part, _ in parts), "".join(written for _, written in parts)


@examples(80)
@given(repeated(2))
def test_expanded_length_equals_the_length_written_out(case: tuple[str, str]) -> None:
    pattern, written_out = case
    assert expanded_length(pattern) == len(written_out)


@check_many
@given(st.text("(){}[]\\^-#?xaR|*+,019 \n:&p", max_size=60))
def test_any_text_has_an_expanded_length(pattern: str) -> None:
    assert 0 <= expanded_length(pattern) <= CEILING


@pytest.mark.parametrize(
    ("pattern", "recursive"),
    [
        ("(?R)", True),
        ("(a)(?1)", True),
        ("(?P<n>a(?&n))", True),
        ("(a)(?-1)", True),
        ("(a(?P>n))", True),
        (r"\w+|(?:a)(?=b)(?i:c)", False),
        (splitting.PATTERNS["o200k"], False),
    ],
)
def test_recursive_patterns_are_recognized(pattern: str, recursive: bool) -> None:
    assert is_recursive(pattern) == recursive


def test_a_long_pattern_is_shortened_in_messages() -> None:
    for pattern in ("(" + "b" * 5_000, "b{10001}{1000}" + "b" * 5_000):
        with pytest.raises(ValueError) as raised:
            splitting.resolve(pattern)
        assert len(str(raised.value)) < 400 and "b" * 120 not in str(raised.value)


def test_contradictory_flags_are_explained() -> None:
    with pytest.raises(ValueError, match=r"does not compile.*flags"):
        splitting.resolve("(?a)(?u)x")


def test_words_against_gpt2() -> None:
    text = "I'll say supercalifragilisticexpialidocious!"
    words = splitting.split(text, splitting.PATTERNS["words"])
    assert words == ["I", "'", "ll", " ", "say", " ", "supercalifragilisticexpialidocious", "!"]
    gpt2 = splitting.split(text, splitting.PATTERNS["gpt2"])
    assert gpt2 == ["I", "'ll", " say", " supercalifragilisticexpialidocious", "!"]


@cache
def characters_of_every_class() -> list[str]:
    """Every character with a case, mark, digit, space, sign or dispute, and every 16th of the others, which are nothing
    but a letter, for private use or unassigned: patterns name these by their class alone.
    """
    uniform = regex.compile(r"[\p{Lo}\p{Co}\p{Cn}]")
    characters = every_character()
    return [
        character
        for number, character in enumerate(characters)
        if number % 16 == 0 or character in disputed() or not uniform.match(character)
    ]


@pytest.mark.parametrize("name", NAMED)
def test_characters_are_split_as_in_tiktoken(name: str) -> None:
    """Between letters and between digits, each code point shows its class by what it is joined with."""
    pattern = splitting.PATTERNS[name]
    characters = characters_of_every_class()
    for start in range(0, len(characters), 0x4000):
        text = "".join(f"b{character}b0{character}0\n" for character in characters[start : start + 0x4000])
        pieces = splitting.split(text, pattern)
        assert _encode_with_pieces(text, pattern, pieces) == [piece.encode() for piece in pieces], start


@pytest.mark.parametrize("name", NAMED)
def test_ascii_is_split_as_in_tiktoken(name: str) -> None:
    """Every character of ASCII between, before and after others, and all short texts of the characters that matter."""
    pattern = splitting.PATTERNS[name]
    ascii_ = list(map(chr, range(128)))
    texts = ["".join(each) for each in product(ascii_, " aA1!\n'", ascii_[::3])]
    texts += ["".join(each) for length in range(6) for each in product(" \n\taS'1/", repeat=length)]
    compiled = regex.compile(pattern)
    assert [text for text in texts if splitting.split(text, pattern) != compiled.findall(text)] == []
    text = "x".join(texts[::10])
    pieces = splitting.split(text, pattern)
    assert _encode_with_pieces(text, pattern, pieces) == [piece.encode() for piece in pieces]


def _encode_with_pieces(text: str, pattern: str, pieces: list[str]) -> list[bytes]:
    """Encode `text` with tiktoken, with our pre-tokens as its vocabulary.

    tiktoken doesn't expose its pre-tokens. But those that it splits as we do become one token, and all others several.
    """
    ids = {bytes([value]): value for value in range(256)}
    for piece in pieces:
        ids.setdefault(piece.encode(), len(ids))
    encoding = tiktoken.Encoding("pieces", pat_str=pattern, mergeable_ranks=ids, special_tokens={})
    return encoding.decode_tokens_bytes(encoding.encode_ordinary(text))


@pytest.mark.parametrize("pattern", ["(", "[", "*a", r"\p{Nonsense}", "(?P<a", "(" * 500 + ")" * 500])
def test_a_pattern_that_does_not_compile_is_explained(pattern: str) -> None:
    with pytest.raises(ValueError, match="does not compile") as raised:
        splitting.resolve(pattern)
    assert "gpt2" in str(raised.value)


def test_a_pattern_of_the_wrong_type() -> None:
    with pytest.raises(TypeError, match="split_pattern"):
        splitting.resolve(3)  # type: ignore[arg-type]


SLOW_PATTERN = r"(?=(.*a)*c)b|."


def test_a_slow_pattern_is_stopped_and_blocks_no_other_thread() -> None:
    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.wait(0.01):
            ticks.append(time.monotonic())

    other = threading.Thread(target=tick)
    other.start()
    started = time.monotonic()
    with splitting.time_limit(0.5), pytest.raises(ValueError, match=r"takes longer than 0\.5 s"):
        splitting.split("ab" * 500_000, SLOW_PATTERN)
    took = time.monotonic() - started
    done.set()
    other.join()
    assert took < 20
    assert max(later - earlier for earlier, later in pairwise([started, *ticks])) < took / 2


def test_the_time_limit_does_not_affect_fast_patterns() -> None:
    with splitting.time_limit(5):
        assert splitting.split("ab ab", "ab") == ["ab", " ", "ab"]


def test_many_texts_share_one_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    left: list[float] = []
    timeouts: list[float] = []

    class Compiled:
        """A pattern that takes 0.25 s for each text."""

        pattern = "x+"

        def finditer(self, text: str, timeout: float, concurrent: bool) -> Iterator[object]:
            timeouts.append(timeout)
            now[0] += min(0.25, timeout)
            if timeout < 0.25:
                raise TimeoutError
            return iter([])

    def recording_matcher(
        pattern: str, texts: Sequence[str], budget: splitting.TimeBudget | None
    ) -> list[splitting.Spans]:
        assert budget is not None
        left.append(budget.left)
        return splitting.match_here(pattern, texts, budget)

    monkeypatch.setattr(splitting, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(splitting, "compile_pattern", lambda _: Compiled())
    monkeypatch.setattr(splitting, "_matcher", recording_matcher)
    with splitting.time_limit(0.625):
        assert splitting.split_all(["a", "b"], "x+") == [["a"], ["b"]]
        with pytest.raises(splitting.TooSlow, match="all the texts asked about"):
            splitting.split("c", "x+")
        for _ in range(3):
            with pytest.raises(splitting.TooSlow):
                splitting.split("d", "x+")
    assert timeouts == [0.625, 0.375, 0.125] + [splitting._MIN_TIMEOUT] * 3
    assert left[:3] == [0.625, 0.125, 0] and max(left[3:]) < 0
