"""Traced texts: everything that a template may do gives what plain texts give, and each character knows its origin."""

import pickle
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokviz.chats.spans import Origin
from tokviz.chats.traced import Piece, Source, Traced, concatenate, generated, pieces_of, plain

TEXT = st.text(st.sampled_from("abA \n\tßİΣ-+é🍕\u2028\x85"), max_size=12)
LITTLE = st.text(st.sampled_from("ab \n"), max_size=2)

OPERATIONS: dict[str, Callable[[str, str, int], object]] = {
    "capitalize": lambda t, s, n: t.capitalize(),
    "casefold": lambda t, s, n: t.casefold(),
    "center": lambda t, s, n: t.center(n, s[:1] or " "),
    "expandtabs": lambda t, s, n: t.expandtabs(n),
    "index": lambda t, s, n: t[n : n + 1],
    "join": lambda t, s, n: t.join([s, t, s]),
    "ljust": lambda t, s, n: t.ljust(n, "x"),
    "lower": lambda t, s, n: t.lower(),
    "partition": lambda t, s, n: t.partition(s or "a"),
    "removeprefix": lambda t, s, n: t.removeprefix(s),
    "removesuffix": lambda t, s, n: t.removesuffix(s),
    "replace": lambda t, s, n: t.replace(s, "xyz", n - 3),
    "replace by itself": lambda t, s, n: t.replace("a", t),
    "rjust": lambda t, s, n: t.rjust(n),
    "rpartition": lambda t, s, n: t.rpartition(s or "a"),
    "rsplit": lambda t, s, n: t.rsplit(s or None, n - 2),
    "slice": lambda t, s, n: t[n - 4 : n],
    "split": lambda t, s, n: t.split(s or None, n - 2),
    "splitlines": lambda t, s, n: t.splitlines(bool(n % 2)),
    "step": lambda t, s, n: t[:: n - 8 or 1],
    "strip": lambda t, s, n: (t.strip(), t.lstrip(s or None), t.rstrip(s)),
    "sum": lambda t, s, n: s + t + s + t,
    "swapcase": lambda t, s, n: t.swapcase(),
    "times": lambda t, s, n: (t * n, n * t),
    "title": lambda t, s, n: t.title(),
    "translate": lambda t, s, n: t.translate({97: "xyz", 98: None}),
    "upper": lambda t, s, n: t.upper(),
    "walk": lambda t, s, n: list(t),
    "zfill": lambda t, s, n: t.zfill(n),
}


def traced(origin: Origin, text: str) -> Traced:
    return Traced(text, [Piece(len(text), Source(origin, text), 0, len(text))])


def texts_in(result: object) -> Sequence[str]:
    return [result] if isinstance(result, str) else list(result)  # type: ignore[call-overload]


@pytest.mark.parametrize("name", OPERATIONS)
@settings(max_examples=60)
@given(text=TEXT, little=LITTLE, n=st.integers(0, 15))
def test_operations_of_str(name: str, text: str, little: str, n: int) -> None:
    operation = OPERATIONS[name]
    found = operation(traced("origin", text), little, n)
    assert found == operation(text, little, n)
    for part in texts_in(found):
        assert sum(piece.length for piece in pieces_of(part)) == len(part)
        place = 0
        for piece in pieces_of(part):
            shown = plain(part)[place : place + piece.length]
            if piece.source and name in UNCHANGED:
                assert shown == text[piece.start : piece.end]
            place += piece.length


UNCHANGED = frozenset(OPERATIONS) - {
    *("capitalize", "casefold", "lower", "swapcase", "title", "upper", "translate", "expandtabs", "replace"),
    "replace by itself",
}
"""Operations that change no character."""


@given(first=TEXT, second=TEXT, third=TEXT)
def test_joined_texts_keep_their_origins(first: str, second: str, third: str) -> None:
    """Each character is told apart from an equal one of another text."""
    joined = f"{first}{second}" + traced("third", third)
    whole = concatenate([traced("first", first), traced("second", second), joined])
    assert whole == first + second + first + second + third
    origins = [
        piece.source.origin if piece.source else "template" for piece in pieces_of(whole) for _ in range(piece.length)
    ]
    assert origins == ["first"] * len(first) + ["second"] * len(second) + ["template"] * len(first + second) + [
        "third"
    ] * len(third)


def test_changed_stretches_know_what_they_were() -> None:
    text = traced("origin", "a ß&b")
    [_, piece, _] = pieces_of(text.upper())
    assert (piece.length, text[piece.start : piece.end]) == (2, "ß")
    replaced = pieces_of(text.replace("&", "and"))
    assert [(p.length, text[p.start : p.end]) for p in replaced] == [(3, "a ß"), (3, "&"), (1, "b")]


def test_generated_stretches_are_marked() -> None:
    whole = concatenate(["a", generated("b" + traced("x", "c")), "d"])
    assert [(piece.length, piece.generated) for piece in pieces_of(whole)] == [
        (1, False),
        (1, True),
        (1, True),
        (1, False),
    ]


def test_pickles_are_plain() -> None:
    """What leaves the process has no objects of a template."""
    assert type(pickle.loads(pickle.dumps(traced("x", "abc")))) is str
