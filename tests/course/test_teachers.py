"""The page for teachers: what other courses published, and that the settings on the page reproduce it."""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from urllib.parse import parse_qsl

import reference
from chapter_facts import Facts, expect_true
from shipped import encoding_of
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from tokviz.course.chapters import TEACHERS, chapter
from tokviz.course.checking import check_ids, check_merges

HUGS = "hug " * 10 + "pug " * 5 + "pun " * 12 + "bun " * 4 + "hugs " * 5
LOW = "low " * 5 + "lower " * 2 + "widest " * 3 + "newest " * 6

# What CS336's handout ("bpe_example"), Hugging Face's course (chapter 6, section 5) and minbpe's readme print.
CS336 = "s t, e st, o w, l ow, w est, n e, ne west, w i, wi d, wid est, low e, lowe r"
HUGGING_FACE = "u g, u n, h ug"
MINBPE = {(97, 97): 256, (256, 97): 257, (257, 98): 258}
MINBPE_IDS = [258, 100, 258, 97, 99]


def examples(figure: str) -> list[dict[str, str]]:
    """Return the value that a figure of the page begins with, and those that sentences put into it."""
    blocks = chapter(TEACHERS).blocks
    values = [block.value for block in blocks if block.name == figure]
    values += [part.value for block in blocks for part in block.parts if part.target == figure]
    return [dict(parse_qsl(value)) for value in values]


def learned(text: str, num_merges: int, tie_break: str, split_pattern: str | None = reference.WORDS) -> str:
    trained = reference.train(text, split_pattern=split_pattern, num_merges=num_merges, tie_break=tie_break)
    vocab = {token: data.decode() for token, data in trained.vocab.items() if data.isascii()}
    return ", ".join(f"{vocab[left]} {vocab[right]}" for left, right in trained.merges)


def pairs_after(words: str, merges: Iterable[str]) -> Counter[str]:
    """Count the pairs of all words once some merges are done, by writing spaces between what is not joined."""
    rows = Counter(f" {' '.join(word)} " for word in words.split())
    for merge in merges:
        rows = Counter({row.replace(f" {merge} ", f" {merge.replace(' ', '')} "): times for row, times in rows.items()})
    counts: Counter[str] = Counter()
    for row, times in rows.items():
        for pair in pairwise(row.split()):
            counts[" ".join(pair)] += times
    return counts


FACTS: Facts = {
    "Stanford’s CS336": lambda: True,
    "Assignment 1": lambda: True,
    "Hugging Face’s course, chapter 6": lambda: True,
    "four sentences and 19 merges": lambda: 50 - 31 == 19,  # its vocabulary, without what it begins with
    "`u` + `g` in 20 places, `u` + `n` in 16, `h` + `ug` in 15".replace("`", ""): lambda: (
        [pairs_after(HUGS, HUGGING_FACE.split(", ")[:k]).most_common(1) for k in range(3)]
        == [[("u g", 20)], [("u n", 16)], [("h ug", 15)]]
    ),
    "p + un stands in 12 places, hug + s and p + ug in 5 each": lambda: (
        pairs_after(HUGS, HUGGING_FACE.split(", ")).most_common(3) == [("p un", 12), ("p ug", 5), ("hug s", 5)]
    ),
}


def test_every_fact_is_true() -> None:
    expect_true(TEACHERS, FACTS)


def test_the_handout_of_cs336() -> None:
    assert learned(LOW, 12, "greatest-bytes") == CS336
    [first, *_] = examples("merges")
    assert (first["text"].split(), first["split"], first["ties"]) == (LOW.split(), "words", "greatest-bytes")
    assert first["solution"] == repr([tuple(merge.split()) for merge in CS336.split(", ")])
    checked = check_merges(first)
    assert checked["sentences"][0] == "Right: 12 merges."
    # With another rule, the page says so.
    assert not check_merges(first | {"ties": "first-seen"})["right"]


def test_the_words_of_hugging_face() -> None:
    """Its library learns the same, since no two pairs are tied before."""
    tok = Tokenizer(models.BPE())
    tok.pre_tokenizer = pre_tokenizers.Whitespace()
    tok.train_from_iterator([HUGS], trainers.BpeTrainer(vocab_size=7 + 3, show_progress=False))
    assert {"ug", "un", "hug"} <= tok.get_vocab().keys()
    [_, hugs, *_] = examples("merges")
    assert hugs["text"].split() == HUGS.split()
    assert hugs["solution"] == repr([tuple(merge.split()) for merge in HUGGING_FACE.split(", ")])
    assert check_merges(hugs)["right"]
    assert check_merges(hugs | {"merges": "4"})["sentences"][1].endswith("The next is p + un, in 12 places.")


def test_the_readme_of_minbpe() -> None:
    trained = reference.train("aaabdaaabac", num_merges=3)
    assert trained.merges == MINBPE
    assert reference.encode(trained, "aaabdaaabac") == MINBPE_IDS
    [_, _, minbpe, wikipedia] = examples("merges")
    assert minbpe["solution"] == repr(MINBPE)
    assert check_merges(minbpe)["right"]
    assert check_merges(wikipedia)["right"]
    assert not check_merges(wikipedia | {"ties": "first-seen"})["right"]


def test_the_ids_of_tiktoken() -> None:
    [ids] = examples("ids")
    assert ids["solution"] == str(encoding_of("cl100k_base").encode(ids["text"], allowed_special="all"))
    assert check_ids(ids)["right"]
