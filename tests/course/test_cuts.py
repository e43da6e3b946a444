"""The chapter "cuts": its facts, and the figures it computes."""

import pytest
import regex
from chapter_facts import Facts, expect_true
from hypothesis import given, settings
from hypothesis import strategies as st
from shipped import encoding_of

import tokviz
from tokviz.course import cuts
from tokviz.course.chapters import chapter
from tokviz.pretokens import splitting

DOGS = next(block.value for block in chapter("cuts").blocks if block.name == "uncut")
# As published: GPT-2's encoder.py, and tiktoken's openai_public.py for cl100k.
GPT2 = r"""'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"""
CL100K = (
    r"""'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"""
)


def learned(pattern: str | None) -> list[str]:
    """Tokens of the first ten merges, by counting pairs anew each time, the first seen of several."""
    pieces = [list(piece) for piece in (regex.findall(pattern, DOGS) if pattern else [DOGS])]
    tokens: list[str] = []
    for _ in range(10):
        counts: dict[tuple[str, str], int] = {}
        for piece in pieces:
            for pair in zip(piece, piece[1:], strict=False):
                counts[pair] = counts.get(pair, 0) + 1
        best = max(counts, key=lambda pair: counts[pair])
        if counts[best] < 2:
            break
        tokens.append("".join(best))
        for number, piece in enumerate(pieces):
            joined, place = [], 0
            while place < len(piece):
                step = 2 if tuple(piece[place : place + 2]) == best else 1
                joined.append("".join(piece[place : place + step]))
                place += step
            pieces[number] = joined
    return tokens


def with_dog(tokens: list[str]) -> list[str]:
    return [token for token in tokens if "dog" in token]


FACTS: Facts = {
    "·dog., ·dog! and ·dog?, where · is a space": lambda: {" dog.", " dog!", " dog?"} <= set(learned(None)),
    "Some tokens even reach into the next word": lambda: any(token[-1] == " " for token in learned(None)),
    "Seven: the word alone, and six with a sign": lambda: (
        (len(with_dog(learned(None))), len([t for t in with_dog(learned(None)) if set(t) & set(".!?")])) == (7, 6)
    ),
    "With GPT-2's cut there is one, ·dog": lambda: with_dog(learned(GPT2)) == [" dog"],
    "137": lambda: True,  # the choices
    "GPT-2's has seven alternatives": lambda: len(splitting.BRANCHES["gpt2"]) == 7,
    "any digit or other number sign, such as ½": lambda: bool(regex.fullmatch(r"\p{N}", "½")) and not "½".isdecimal(),
    "Where two spaces stand before a word, the last one goes with the word": lambda: (
        regex.findall(GPT2, "a  b") == ["a", " ", " b"]
    ),
    "GPT-2's pattern of 2019 keeps 's whole but cuts 'S into ' and S": lambda: (
        regex.findall(GPT2, "a's A'S") == ["a", "'s", " A", "'", "S"]
    ),
    "takes a number of any length whole": lambda: regex.findall(GPT2, "1" * 30) == ["1" * 30],
    "How does cl100k cut 1234567?": lambda: True,
    "1234567123, 456, 71, 234, 567": lambda: (  # the choices: as GPT-2, as cl100k, as people
        ["".join(regex.findall(GPT2, "1234567")), ", ".join(regex.findall(CL100K, "1234567")), f"{1234567:,}"]
        == ["1234567", "123, 456, 7", "1,234,567"]
    ),
    "At most three digits from the left": lambda: regex.findall(CL100K, "1234567") == ["123", "456", "7"],
    "there are only 1,110 numbers to learn: 10 of one digit, 100 of two, 1,000 of three": lambda: (
        len({token for token in encoding_of("cl100k_base").token_byte_values() if token.isdigit()}) == 1_110
    ),
}


def test_every_fact_is_true() -> None:
    expect_true("cuts", FACTS)


@pytest.mark.parametrize("name", ["gpt2", "cl100k", "o200k"])
@settings(deadline=None)  # the machine may be busy
@given(text=st.text(st.sampled_from("aB1 .'s\n\té,"), max_size=25))
def test_pieces_and_their_alternatives(name: str, text: str) -> None:
    """The alternative that matched is the group that did."""
    parts = [pattern for _, pattern in splitting.BRANCHES[name]]
    grouped = regex.compile("|".join(f"({part})" for part in parts))
    expected = [(match[0], (match.lastindex or 0) - 1) for match in grouped.finditer(text)]
    found = cuts.cutting(text, name, [])
    assert [piece["by"] for piece in found["pieces"]] == [by for _, by in expected]
    assert len(found["pieces"]) == len(expected)
    assert [each["count"] for each in found["alternatives"]] == [
        sum(by == number for _, by in expected) for number in range(len(parts))
    ]


def test_alternatives_can_be_off_and_rewritten() -> None:
    found = cuts.cutting("in 2026", "gpt2", [2])
    assert [piece["text"] for piece in found["pieces"]] == ["in", "·", "2026"]
    assert [piece["by"] for piece in found["pieces"]][-1] == cuts.BETWEEN
    assert [each["on"] for each in found["alternatives"]] == [number != 2 for number in range(7)]
    rewritten = cuts.cutting("in 2026", r"\p{L}+|\p{N}", [])
    assert [piece["text"] for piece in rewritten["pieces"]] == ["in", "·", "2", "0", "2", "6"]
    assert cuts.cutting("abc", "a|b", [0, 1])["pieces"] == [{"text": "abc", "by": cuts.BETWEEN}]
    with pytest.raises(ValueError, match="pattern"):
        cuts.cutting("abc", "a|(b", [])


@pytest.mark.parametrize("text", ["", "\ud800", "x" * 100_000, "שלום, עולם"])
def test_hostile_texts(text: str) -> None:
    pieces = cuts.cutting(text, "cl100k", [])["pieces"]
    assert bool(pieces) == bool(text)


def plain(spelled: str) -> str:
    return spelled.replace("·", " ").replace("↵", "\n").replace("→", "\t")


@pytest.mark.parametrize("name", cuts.RULES)
def test_a_witness_is_found_for_every_change_and_is_one(name: str) -> None:
    rule, found = cuts.RULES[name], cuts.witness(name)
    text = plain(found["text"])
    newer, older = (tokviz.load(rule.tokenizer).with_split_pattern(pattern) for pattern in (rule.newer, rule.older))
    assert newer.encode(text) != older.encode(text)
    assert len(text) < 12
    encoding = encoding_of(rule.tokenizer)
    for side, pattern in zip(found["sides"], (rule.newer, rule.older), strict=True):
        tokens = [[plain(token) for token in piece] for piece in side["pieces"]]
        pieces = regex.findall(pattern, text)
        assert ["".join(piece) for piece in tokens] == pieces
        assert tokens == [
            [encoding.decode([token]) for token in encoding._encode_single_piece(piece)] for piece in pieces
        ]


def test_an_unknown_change() -> None:
    with pytest.raises(ValueError, match="no rule is named 'x'"):
        cuts.witness("x")
