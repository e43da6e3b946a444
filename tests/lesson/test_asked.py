"""Questions about what a page shows: the truth is tiktoken's or a slow reference's, and no two choices are equal."""

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st
from shipped import encoding_of, ranks_of

from tokviz.app.answers.rooms.questions import answer_from, question_from
from tokviz.lesson.asked import MAX_CHOICES, asked
from tokviz.lesson.steps import CAT, DOGS, Link
from tokviz.samples import samples

TEXTS = ("I'll tokenize pizza 🍕!", "a", "aa", "word", "Ünïcödé ﷺ", "one two three four", "١٢٣", "\n\n")


def of(page: str, text: str, **fields: str) -> dict[str, Any]:
    slide = asked(Link("", page, fields, text))
    choices = slide["choices"]
    assert 2 <= len(choices) <= MAX_CHOICES
    assert len(set(choices)) == len(choices)
    assert slide["answers"] and set(slide["answers"]) <= set(range(len(choices)))
    question = question_from(slide)  # which phones get, as of a step of the lesson
    assert question.shown["choices"] == choices
    answer_from({name: slide[name] for name in ("answers", "reveal")}, question)
    return slide


def right(slide: dict[str, Any]) -> list[str]:
    return [slide["choices"][answer] for answer in slide["answers"]]


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "o200k_base"])
@pytest.mark.parametrize("text", TEXTS)
def test_the_number_of_tokens_is_that_of_tiktoken(name: str, text: str) -> None:
    slide = of("", text, tokenizer=name)
    count = len(encoding_of(name).encode_ordinary(text))
    assert right(slide) == [f"{count:,}"]
    assert slide["reveal"].startswith(f"{count:,} tokens.")
    numbers = [int(choice.replace(",", "")) for choice in slide["choices"]]
    assert numbers == sorted(numbers) and len(numbers) >= 3 and min(numbers) > 0


@settings(deadline=None)
@given(st.text(min_size=1, max_size=40))
def test_choices_are_never_equal(text: str) -> None:
    of("", text, tokenizer="cl100k_base")
    of("compare", text, compare="gpt2,cl100k_base,bytes")


@pytest.mark.parametrize("text", TEXTS)
def test_of_two_tokenizers_the_one_with_fewer_tokens_is_right_or_neither(text: str) -> None:
    slide = of("compare", text, compare="gpt2,o200k_base")
    gpt2, o200k = (len(encoding_of(name).encode_ordinary(text)) for name in ("gpt2", "o200k_base"))
    expected = "GPT-2" if gpt2 < o200k else "o200k" if o200k < gpt2 else "They make as many"
    assert right(slide) == [expected]
    assert f"GPT-2 {gpt2:,}, o200k {o200k:,}" in slide["reveal"]


@pytest.mark.parametrize("text", TEXTS[3:])
def test_of_several_tokenizers_all_with_the_fewest_tokens_are_right(text: str) -> None:
    names = {"GPT-2": "gpt2", "cl100k": "cl100k_base", "o200k": "o200k_base"}
    counts = {label: len(encoding_of(name).encode_ordinary(text)) for label, name in names.items()}
    slide = of("compare", text, compare=",".join(names.values()))
    assert right(slide) == [label for label, count in counts.items() if count == min(counts.values())]


@pytest.mark.parametrize("chart", ["Languages", "Formats"])
def test_the_text_that_takes_most_is_right(chart: str) -> None:
    slide = of("compression", "", chart=chart, tokenizers="gpt2,o200k_base")
    kind = "prose" if chart == "Languages" else "data"
    counts = {
        each.title.split(" · ")[0]: len(encoding_of("gpt2").encode(each.text))
        for each in samples()
        if each.kind == kind
    }
    assert right(slide) == [max(slide["choices"], key=counts.__getitem__)]


def symbols_after(name: str, word: str, steps: int) -> list[bytes]:
    """Apply merges to a word slowly: at each step, join the pair with the lowest rank wherever it stands."""
    ranks = ranks_of(name)
    symbols = [bytes([byte]) for byte in word.encode()]
    for _ in range(steps):
        pair = min(pairwise(symbols), key=lambda pair: ranks.get(pair[0] + pair[1], 10**9))
        at = 0
        while at < len(symbols) - 1:
            if (symbols[at], symbols[at + 1]) == pair:
                symbols[at : at + 2] = [pair[0] + pair[1]]
            at += 1
    return symbols


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base"])
@pytest.mark.parametrize(("word", "step"), [("hello", 0), ("strawberry", 0), ("strawberry", 3), ("banana", 1)])
def test_the_next_pair_of_a_reading_has_the_lowest_rank(name: str, word: str, step: int) -> None:
    slide = of("replay", word, story="apply", tokenizer=name, step=str(step))
    ranks = ranks_of(name)
    pairs = [*pairwise(symbols_after(name, word, step))]
    first = min(pairs, key=lambda pair: ranks.get(pair[0] + pair[1], 10**9))
    assert right(slide) == [f"`{first[0].decode()} + {first[1].decode()}`"]
    assert {choice.strip("`") for choice in slide["choices"]} <= {f"{a.decode()} + {b.decode()}" for a, b in pairs}
    asking, answering = (figure["fields"] for figure in slide["figures"])
    assert asking["predict"] == "1"
    assert "predict" not in answering
    assert int(answering["step"]) == step + 1
    assert slide["answer"] == 1


def test_where_pretokens_are_merged_one_by_one_only_pairs_of_the_next_are_choices() -> None:
    word = "zebra"
    slide = of("replay", f"{word} the the the", story="apply", tokenizer="gpt2", order="pretoken", step="0")
    first = min(pairwise(symbols_after("gpt2", word, 0)), key=lambda pair: ranks_of("gpt2").get(b"".join(pair), 10**9))
    assert right(slide) == [f"`{first[0].decode()} + {first[1].decode()}`"]
    assert {choice.strip("`") for choice in slide["choices"]} <= {f"{a} + {b}" for a, b in pairwise(word)}


@pytest.mark.parametrize("text", [CAT, DOGS, "aaaa bbb aaaa"])
def test_the_next_pair_of_learning_is_most_frequent_and_ties_are_right(text: str) -> None:
    slide = of("replay", text, story="learn", split="none", merges="20", step="0")
    counts = Counter(pairwise(text))
    most = max(counts.values())
    offered = [tuple(choice.strip("`").replace("·", " ").split(" + ")) for choice in slide["choices"]]
    assert [counts[left, right] == most for left, right in offered] == [
        number in slide["answers"] for number in range(len(offered))
    ]
    first = reference.train(text).history[0]
    assert f"`{chr(first.left)} + {chr(first.right)}`".replace("` ", "`·").replace(" `", "·`") in right(slide)


@pytest.mark.parametrize(
    ("link", "why"),
    [
        (Link("", "", {"tokenizer": "gpt2"}, ""), "no text to ask about"),
        (Link("", "compare", {"compare": "gpt2"}, "x"), "takes 2 to 8 tokenizers"),
        (Link("", "compression", {"chart": "Vocabulary"}), "no figure shows Vocabulary"),
        (Link("", "replay", {"tokenizer": "gpt2", "step": "4"}, "hello"), "Nothing is left to join"),
        (Link("", "replay", {"tokenizer": "gpt2", "step": "3"}, "hello"), "only one pair"),
        (Link("", "replay", {"tokenizer": "bytes"}, "hello"), "Bytes can.t be replayed"),
        (Link("", "", {"tokenizer": "somebody's"}, "hello"), "no tokenizer or model"),
    ],
)
def test_what_can_not_be_asked_is_said(link: Link, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        asked(link)


@pytest.mark.parametrize("name", ["李小龙", "محمد", "Дмитрий", "राम"])
def test_a_letter_of_another_script_takes_a_token_and_more_in_gpt2(name: str) -> None:
    """As the slide says on which phones count their owners' names."""
    assert len(encoding_of("gpt2").encode_ordinary(name)) >= len(name)
    assert len(encoding_of("gpt2").encode_ordinary("Emma")) <= 2
