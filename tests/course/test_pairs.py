"""The chapter "pairs": its facts, and the figures it computes."""

import math
import re
from collections import Counter
from itertools import pairwise

import pytest
from chapter_facts import Facts, expect_true
from hypothesis import given, settings
from hypothesis import strategies as st
from shipped import encoding_of

import tokviz
from tokviz.bpe.training import TIE_BREAKS
from tokviz.course import pairs
from tokviz.samples import sample
from tokviz.widgets import FOLDER

WIKI, CAT = "aaabdaaabac", "the cat in the hat"
ANNA = sample("training-anna-karenina").text
FIGURE = (FOLDER / "course" / "figures" / "windows.js").read_text("utf-8")
WINDOW = int(re.findall(r"^const WINDOW = (\d+);$", FIGURE, re.MULTILINE)[0])


def slowly_joined(text: str, times: int, of_tied: int = 0) -> list[str]:
    """Join the most frequent pair of neighbors, of several the one with that number, as the definition says."""
    row = list(text)
    for _ in range(times):
        counts = Counter(pairwise(row))
        tied = [pair for pair, count in counts.items() if count == max(counts.values())]
        best = tied[min(of_tied, len(tied) - 1)]
        joined, place = [], 0
        while place < len(row):
            step = 2 if tuple(row[place : place + 2]) == best else 1
            joined.append("".join(row[place : place + step]))
            place += step
        row = joined
    return row


def counted(text: str) -> Counter[str]:
    return Counter(map("".join, pairwise(text)))


FACTS: Facts = {
    "(GPT-2: byte by byte)": lambda: all(
        bytes([byte]) in encoding_of("gpt2").token_byte_values() for byte in range(256)
    ),
    "Philip Gage used this in 1994": lambda: True,  # "A New Algorithm for Data Compression", C Users Journal
    "a + a stands here 4 times, more than any other pair": lambda: (
        [count for _, count in counted(WIKI).most_common(2)] == [4, 2] and counted(WIKI)["aa"] == 4
    ),
    "aaa has two of them": lambda: counted("aaa")["aa"] == 2,
    "so only 2 of the 4 can be joined": lambda: WIKI.count("aa") == 2,
    "a + b stands here twice": lambda: counted(WIKI)["ab"] == 2,
    "three times (at the tie, take either), the eleven letters become five symbols": lambda: (
        len(WIKI) == 11 and [len(slowly_joined(WIKI, 3, of_tied)) for of_tied in (0, 1)] == [5, 5]
    ),
    "bytes are 0 to 255, the first merge makes 256": lambda: (
        [*tokviz.train(WIKI, num_merges=1).vocab.items()] == [*((n, bytes([n])) for n in range(256)), (256, b"aa")]
    ),
    "four pairs stand twice each": lambda: sorted(counted(CAT).values())[-5:] == [1, 2, 2, 2, 2],
    "all 1,163 bytes of it": lambda: len(ANNA.encode()) == 1163,
    "Say it is 50": lambda: WINDOW == 50,
    "so the page fills 24 windows": lambda: math.ceil(1163 / 50) == 24,
    "after 20 merges?": lambda: True,
    "221710": lambda: math.ceil(len(slowly_joined(ANNA, 20)) / 50) == 17,  # the choices
    "After 20 merges, 821 tokens are left of 1,163": lambda: len(slowly_joined(ANNA, 20)) == 821,
    "each is 1.42 bytes long on average": lambda: round(1163 / 821, 2) == 1.42,
    "The first merge, e and a space, saves 44": lambda: 1163 - len(slowly_joined(ANNA, 1)) == ANNA.count("e ") == 44,
    "Each color is one window of 50 tokens": lambda: WINDOW == 50,
    "joins h + e in then, only t + he and he + n are new: two pairs at most": lambda: (
        {*pairwise(pairs.join("then", ("h", "e"), "he"))} - {*pairwise("then")} == {("t", "he"), ("he", "n")}
    ),
    "tries the 50,000 merges of GPT-2 in order": lambda: len(tokviz.load("gpt2").merges) == 50_000,
}


def test_every_fact_is_true() -> None:
    expect_true("pairs", FACTS)


def test_a_merge_makes_at_most_two_new_pairs_at_a_place() -> None:
    """As the chapter says: one on each side."""
    row, _ = pairs._joined([bytes([byte]) for byte in CAT.encode()], (b"t", b"h"))
    assert sum(b"th" in pair for pair in pairwise(row)) <= 2 * row.count(b"th")


@settings(deadline=None)  # the machine may be busy
@given(st.text(st.sampled_from("ab c"), max_size=30))
def test_choosing_by_the_rule_learns_what_training_learns(text: str) -> None:
    for rule in TIE_BREAKS:
        learned = tokviz.train(text, num_merges=4, split_pattern=None, tie_break=rule, min_count=1) if text else None
        chosen: list[tuple[int, int]] = []
        for _ in range(4):
            data = pairs.choosing(text, chosen)
            if len(data["symbols"]) < 2:
                break
            tokens = [bytes([byte]) for byte in range(256)]
            for left, right in chosen:
                tokens.append(tokens[left] + tokens[right])
            row = [symbol["id"] for symbol in data["symbols"]]
            chosen.append(pairs.best_pairs(row, tokens)[rule])
            verdict = pairs.choosing(text, chosen)["last"]
            assert verdict["count"] == verdict["most"]
            assert rule in verdict["allows"]
        assert chosen == ([tuple(merge) for merge in learned.merges] if learned else [])


def test_the_example_of_wikipedia() -> None:
    """Byte pair encoding there: ZaZa…, then XdXac."""
    found = pairs.choosing(WIKI, [(97, 97), (97, 98), (256, 257)])
    assert [symbol["text"] for symbol in found["symbols"]] == ["aaab", "d", "aaab", "a", "c"]
    first = pairs.choosing(WIKI, [(97, 97)])["last"]
    assert (first["count"], first["joined"], first["tied"]) == (4, 2, 1)


def test_choices_that_are_not_there_end_the_list() -> None:
    assert pairs.choosing(WIKI, [(97, 97), (1, 2), (97, 98)])["chosen"] == [(97, 97)]
    assert pairs.choosing("", [(97, 97)]) == {"symbols": [], "chosen": [], "pairs": [], "more": 0, "last": None}
    assert len(pairs.choosing("ab" * 10_000, [])["symbols"]) == pairs.MAX_BYTES


def test_cost_is_what_the_loops_look_at() -> None:
    """The three ways, written down as they are described, on a small tokenizer."""
    tokenizer = tokviz.train(ANNA, num_merges=60, split_pattern="gpt2")
    text = ANNA[:400]
    merges = {
        (tokenizer.vocab[left], tokenizer.vocab[right]): rank for rank, (left, right) in enumerate(tokenizer.merges)
    }
    all_merges = lowest_first = new = 0
    for piece in tokenizer.pretokens(text):
        row = [bytes([byte]) for byte in piece.encode()]
        for pair in merges:
            all_merges += len(row) - 1
            row = pairs.join(row, pair, b"".join(pair))
        ends = row
        row = [bytes([byte]) for byte in piece.encode()]
        new += len(row) - 1
        while True:
            lowest_first += len(row) - 1
            known = [pair for pair in pairwise(row) if pair in merges]
            if not known:
                break
            best = min(known, key=merges.__getitem__)
            row = pairs.join(row, best, b"".join(best))
            new += sum(b"".join(best) in pair for pair in pairwise(row))
        assert row == ends
    found = pairs.cost(text, tokenizer)
    assert (found.all_merges, found.lowest_first) == (all_merges, lowest_first)
    assert found.new_neighbors <= new  # a token that is not new may spell like the new one


def test_costs_are_compared() -> None:
    found = {"all_merges": 11_196, "lowest_first": 24, "new_neighbors": 21, "bytes": 18, "cut": False, "tokens": 5}
    says = "18 bytes, 5 tokens. The first way looks at 533 times as many pairs as the last."
    assert pairs.say_cost(found) == says
    says = "The first 18 bytes, 5 tokens. No two neighbors, no work."
    assert pairs.say_cost(found | {"new_neighbors": 0, "cut": True}) == says


@pytest.mark.parametrize("text", ["", "a", "\ud800", "x" * 200_000, "שלום"])
def test_cost_of_hostile_texts(text: str) -> None:
    found = pairs.cost_in_gpt2(text)
    assert found["bytes"] <= pairs.MAX_COST_BYTES
    assert found["cut"] == (len(text) > pairs.MAX_COST_BYTES)
    assert found["all_merges"] >= found["lowest_first"] >= found["new_neighbors"] >= 0
