"""The chapter "trouble": its facts, and the figures it computes."""

import json
from collections import Counter
from functools import cache
from typing import Any

import pytest
import regex
import sentencepiece
import tokenizers
from chapter_facts import Facts, expect_true
from hypothesis import given, settings
from hypothesis import strategies as st
from shipped import encoding_of

from tokviz.analysis.vocabulary.character_parts import assigned_characters
from tokviz.analysis.vocabulary.contents import VocabularyEntry
from tokviz.analysis.vocabulary.reach import Reach, token_reach
from tokviz.course import inside, never_met, trouble
from tokviz.course.chapters import chapter
from tokviz.course.inside import well_known
from tokviz.course.pieces import corpus
from tokviz.display import shown
from tokviz.loading import load_shipped
from tokviz.pretrained import open_models
from tokviz.samples import sample

ENCODINGS = {"GPT-2": "gpt2", "cl100k": "cl100k_base", "o200k": "o200k_base"}
FILES = {"Qwen3": "qwen3", "DeepSeek V3": "deepseek"}
WORD = "strawberry"
PROMPT, STORY = "Once upon a ", "Once upon a time"


@cache
def library(label: str) -> Any:
    """Load the library that a tokenizer is made for, which takes seconds."""
    if label in ENCODINGS:
        return encoding_of(ENCODINGS[label])
    if label in FILES:
        return tokenizers.Tokenizer.from_str(open_models.read(FILES[label]).decode())
    if label == "Mistral 7B":
        return sentencepiece.SentencePieceProcessor(model_proto=open_models.read("mistral-7b"))
    vocabulary = open_models.read("bert-base-uncased").decode().splitlines()
    return tokenizers.BertWordPieceTokenizer({piece: token for token, piece in enumerate(vocabulary)}, lowercase=True)


def ids_of(label: str, text: str) -> list[int]:
    """Encode a text by the library that a tokenizer is made for."""
    if label in ENCODINGS:
        return list(library(label).encode_ordinary(text))
    if label == "Mistral 7B":
        return list(library(label).encode(text))
    return list(library(label).encode(text, add_special_tokens=False).ids)


def tokens(name: str, text: str) -> list[str]:
    encoding = encoding_of(name)
    return [encoding.decode([token]) for token in encoding.encode_ordinary(text)]


def count(name: str, sample_name: str) -> int:
    return len(encoding_of(name).encode_ordinary(sample(sample_name).text))


def most_times(kind: str) -> float:
    """Return how many times the tokens of the first text the second takes at most, where none means "unknown"."""
    first, second = trouble.twice(kind, (), "")["texts"]
    known = [label for label in well_known() if label != "BERT" or not unknown_in(second)]
    return max(len(ids_of(label, second)) / len(ids_of(label, first)) for label in known)


def unknown_in(text: str) -> int:
    return ids_of("BERT", text).count(library("BERT").token_to_id("[UNK]"))


def cited() -> bool:
    """The abstract or page that the chapter links says it."""
    return True


FACTS: Facts = {
    "A study of 2024 found that most models know how their tokens are spelled": cited,  # arXiv 2409.15452
    "GPT-4's cl100k cuts strawberry into str, aw and berry": lambda: (
        tokens("cl100k_base", WORD) == ["str", "aw", "berry"]
    ),
    "310": lambda: not set(tokens("cl100k_base", WORD)) & set(tokens("cl100k_base", WORD[::-1])),  # the choices
    ".DefaultCellStyle, a single token for cl100k": lambda: len(tokens("cl100k_base", ".DefaultCellStyle")) == 1,
    "A small 1 is a carry": lambda: True,
    "A study of GPT-3.5 and GPT-4 made the cuts come from the right, by commas as in 1,234,567": lambda: (
        # arXiv 2402.14903; with the commas, cl100k cuts so
        tokens("cl100k_base", "1,234,567") == ["1", ",", "234", ",", "567"]
    ),
    "GPT-2 needs 62 tokens for the sentences below in English": lambda: count("gpt2", "prose-en") == 62,
    "68150334": lambda: count("gpt2", "prose-hi") == 334 > 5 * 62,  # the choices
    "GPT-4o's o200k needs 72": lambda: count("o200k_base", "prose-hi") == 72,
    "up to 5.4 times as many in Hindi": lambda: round(most_times("languages-hi"), 1) == 5.4,
    "more than six times in Thai": lambda: 6 < most_times("languages-th") < 6.5,
    "1.7 times in German": lambda: round(most_times("languages-de"), 1) == 1.7,
    "about twice with Python's spaces or in JSON instead of YAML": lambda: all(
        1.85 < most_times(kind) < 2.15 for kind in ("indents", "formats")
    ),
    "In Once upon a time, ·time is one token": lambda: tokens("cl100k_base", STORY)[-1] == " time",
    "If the prompt ends in a space, that space is a token alone": lambda: tokens("cl100k_base", PROMPT)[-1] == " ",
    "or, like GPT-2, wherever their merges do": lambda: tokens("gpt2", "100000000") == ["1", "00000000"],
    "A report of 2023 tells how GPT-3 could not repeat it": cited,
    "Such glitch tokens, says a study of 2024": cited,  # arXiv 2405.05417
    "A paper of 2023 made prompts up to 26 times shorter": cited,  # arXiv 2304.08467
    "as 32 × 32 tokens, from a vocabulary of 8,192 learned little patches": cited,  # arXiv 2102.12092
}


def test_every_fact_is_true() -> None:
    expect_true("trouble", FACTS)


def test_only_digits_one_by_one_and_cuts_from_the_right_line_up() -> None:
    """As the chapter says of its example."""
    value = next(block.value for block in chapter("trouble").blocks if block.name == "sums")
    rows = trouble.sums(*value.split("+"))["rows"]
    alike = {row["name"] for row in rows if not row["does"]}
    digits = {label for label in well_known() if len(ids_of(label, "1234567")) - len(ids_of(label, "1")) == 6}
    assert alike == digits | {"cl100k cut from the right"}


def test_numbers_that_no_tokenizer_cuts_are_whole() -> None:
    found = {row["name"]: row for row in trouble.sums("999", "1")["rows"]}
    for label in ENCODINGS:
        assert found[label]["whole"] == all(len(ids_of(label, number)) == 1 for number in ("999", "1", "1000"))
    assert found["GPT-2"]["whole"] and found["cl100k"]["does"]


def test_letters_in_each_token() -> None:
    found = trouble.spelling(WORD, "r")
    assert found["count"] == 3
    assert found["reverse"] == "yrrebwarts"
    assert [row["name"] for row in found["rows"] if not row["reversed"]["does"]] == ["bytes"]
    for row in found["rows"]:
        assert sum(row["counts"]) == 3
        if row["name"] in ENCODINGS:
            words = [tokens(ENCODINGS[row["name"]], each) for each in (WORD, WORD[::-1])]
            assert row["counts"] == [token.count("r") for token in words[0]]
            assert row["shared"] == (Counter(words[0]) & Counter(words[1])).total()
            assert row["reversed"]["does"] == (sorted(words[0]) != sorted(words[1]))
    assert [row["name"] for row in found["rows"] if not row["does"]] == ["bytes"]


@pytest.mark.parametrize("text", ["", "\ud800", "x" * 1_000, "שלום", "👨‍👩‍👧‍👦🇪🇺"])
def test_hostile_words(text: str) -> None:
    found = trouble.spelling(text, "")
    assert all(sum(row["counts"]) == 0 for row in found["rows"])
    assert trouble.spelling(found["reverse"], "x")["count"] <= trouble.MAX_WORD
    assert len(trouble.commands(text)["rows"]) == 7


@settings(deadline=None, max_examples=30)  # the machine may be busy
@given(st.integers(0, 10**12 - 1), st.integers(0, 10**12 - 1))
def test_carries_are_those_of_adding_by_hand(first: int, second: int) -> None:
    places, carry = [], 0
    for place in range(13):
        carry = (first // 10**place % 10 + second // 10**place % 10 + carry) // 10
        if carry:
            places.append(place + 1)
    found = trouble.sums(str(first), str(second))
    assert found["carries"] == places
    for row in found["rows"]:
        assert ["".join(pieces) for pieces in row["numbers"]] == [str(first), str(second), str(first + second)]
    right = next(row for row in found["rows"] if row["name"] == "cl100k cut from the right")
    assert right["numbers"] == [f"{number:,}".split(",") for number in (first, second, first + second)]
    assert not right["does"]


@pytest.mark.parametrize("number", ["", "-1", "1.5", "x", "９", "1" * 13])
def test_what_is_no_number(number: str) -> None:
    with pytest.raises(ValueError, match="whole numbers"):
        trouble.sums(number, "1")


@pytest.mark.parametrize("kind", ["languages-hi", "languages-zh-hans", "indents", "ending", "formats"])
def test_two_texts_are_counted_as_the_libraries_do(kind: str) -> None:
    found = trouble.twice(kind, (), "o200k")
    first, second = found["texts"]
    for row in found["rows"]:
        ids, more = ids_of(row["name"], first), ids_of(row["name"], second)
        assert row["counts"] == [len(ids), len(more)]
        if kind == "ending":
            assert row["does"] == (more[: len(ids)] != ids)
        if kind in ("formats", "languages-hi"):
            is_lost = row["name"] == "BERT" and unknown_in(second)
            assert row["does"] == (None if is_lost else len(more) > len(ids))
    for side, text in zip(found["tokens"], found["texts"], strict=True):
        spelled = [shown(token) for token in library("o200k").decode_tokens_bytes(ids_of("o200k", text))]
        assert (side["name"], side["count"]) == ("o200k", len(spelled))
        assert side["pieces"] == [(token, True) for token in spelled]


def test_who_loses_words_is_not_said_to_be_cheap() -> None:
    cheap = {"name": "A", "counts": [5, 5], "unknown": [0, 0], "does": False}
    lost = {"name": "B", "counts": [5, 2], "unknown": [0, 1], "does": None}
    assert trouble.say_twice("formats", [cheap, lost]) == (
        "In A, it takes no more. B doesn’t know some words of the second text (1 of its 2 tokens means “unknown”): "
        "what they said is lost, so its tokens can’t be compared."
    )
    assert trouble.twice("ending", ("low", "lower"), "")["says"].startswith("In ")
    assert trouble.twice("ending", ("low", "high"), "")["says"].startswith("Write the whole beginning")


def test_letters_are_said_and_shown() -> None:
    says, rungs = trouble.spelling_parts(WORD, "r", "count")
    assert "".join(each if isinstance(each, str) else each[1] for each in says["words"]).startswith(
        "r stands here 3 times: below is how often in each token. In GPT-2, cl100k,"
    )
    cl100k = next(each for each in rungs["sections"] if each["title"] == "cl100k")
    assert cl100k["parts"][0]["words"] == ("1 + 0 + 2 · ", ("b", "3 tokens"))
    says, rungs = trouble.spelling_parts(WORD, "r", "reverse")
    assert says["words"][:2] == ("Reversed: ", ("mono", WORD[::-1]))
    assert {len(each["parts"]) for each in rungs["sections"]} == {3}
    for word, letter, mode, said in (
        ("", "r", "count", "Type a word, and a letter that is in it."),
        ("Rat", "r", "count", " isn’t in this word. Capital and small letters are different characters."),
        ("pea", "r", "count", " isn’t in this word. "),
        ("", "r", "reverse", "Type a word."),
    ):
        assert trouble.spelling_parts(word, letter, mode)[0]["words"][-1] == said


def test_words_that_are_lost_are_not_cheap() -> None:
    found = trouble.twice("languages-th", (), "BERT")
    row = next(row for row in found["rows"] if row["name"] == "BERT")
    assert row["unknown"] == [unknown_in(text) for text in found["texts"]] == [0, 8]
    assert [each["name"] for each in found["rows"] if each["does"] is None] == ["BERT"]
    assert [known for _, known in found["tokens"][1]["pieces"]].count(False) == 8
    assert not any("↵" in piece or "·" in piece for side in found["tokens"] for piece, _ in side["pieces"])


def test_only_gpt2_spends_more_than_a_token_on_an_indent() -> None:
    found = trouble.twice("indents", (), "")
    assert found["texts"][0] == regex.sub("(?m)^ +", "", found["texts"][1])
    indents = len(regex.findall("(?m)^ +", found["texts"][1]))
    assert [row["name"] for row in found["rows"] if row["counts"][1] > row["counts"][0] + indents] == ["GPT-2"]
    assert [row["name"] for row in found["rows"] if row["does"]] == ["GPT-2"]


def test_formats_say_the_same() -> None:
    yaml, written = trouble.twice("formats", (), "")["texts"]
    items = json.loads(written)["items"]
    assert regex.findall(r"name: (.+)", yaml) == [item["name"] for item in items]


@pytest.mark.parametrize("texts", [("", ""), ("\ud800", "שלום"), ("x" * 5_000, "a")])
def test_texts_of_the_reader(texts: tuple[str, str]) -> None:
    found = trouble.twice("ending", texts, "no such tokenizer")
    assert [len(text) for text in found["texts"]] == [min(len(text), trouble.MAX_CHARACTERS) for text in texts]


def test_an_unknown_kind() -> None:
    for texts in ((), ("a", "b")):
        with pytest.raises(ValueError, match="no kind of two texts is named 'other'; choose one of languages,"):
            trouble.twice("other", texts, "")
    with pytest.raises(ValueError, match="no sample"):
        trouble.twice("languages-other", (), "")


def test_each_special_token_is_a_command_to_those_that_have_it() -> None:
    rows = {row["name"]: row for row in trouble.commands("a<|endoftext|>b</s>c[SEP]d")["rows"]}
    new = {
        name: [piece for piece, _ in row["sides"][1]["pieces"] if piece in ("<|endoftext|>", "</s>", "[SEP]")]
        for name, row in rows.items()
    }
    assert new == {name: ["<|endoftext|>"] for name in ("GPT-2", "cl100k", "o200k", "Qwen3")} | {
        "Mistral 7B": ["</s>"],
        "DeepSeek V3": [],
        "BERT": ["[SEP]"],
    }
    assert {name for name, row in rows.items() if not row["does"]} == {"DeepSeek V3"}
    for label, name in ENCODINGS.items():
        as_text, as_control = rows[label]["sides"]
        allowed = encoding_of(name).encode("a<|endoftext|>b</s>c[SEP]d", allowed_special="all")
        assert (as_text["count"], as_control["count"]) == (
            len(ids_of(label, "a<|endoftext|>b</s>c[SEP]d")),
            len(allowed),
        )


def test_a_token_that_is_read_from_any_text_is_no_command() -> None:
    rows = {row["name"]: row for row in trouble.commands("<|EOT|>")["rows"]}
    assert {name: row["always"] for name, row in rows.items() if row["always"]} == {"DeepSeek V3": ["<|EOT|>"]}
    assert ids_of("DeepSeek V3", "<|EOT|>") == [library("DeepSeek V3").token_to_id("<|EOT|>")]
    assert not any(row["does"] for row in rows.values())


def test_tokens_learned_from_one_text_and_never_met_in_another() -> None:
    counted = "\n".join(f"{'MapleFox' if number % 2 else 'StarryOtter'}: {101 + number}" for number in range(6))
    found = never_met.unseen(counted, "Stars above: an otter sleeps.")
    assert {"StarryOtter", "MapleFox"} <= set(found["listed"])
    assert found["unseen"] == found["learned"] - 1
    assert found["met"] == ["Star"]
    assert never_met.unseen(counted, counted)["unseen"] < found["unseen"]


def test_tokens_that_are_never_met_are_counted_in_a_sentence() -> None:
    says = "3 tokens learned. The other text has 1 of them: c. Not in it:"
    assert never_met.say_unseen(3, 2, ["c"], ["a", "b"]) == says
    says = "30 tokens learned. The other text has none of them. Never met: 30, of which the longest are:"
    assert never_met.say_unseen(30, 30, [], ["a"]) == says
    assert never_met.say_unseen(0, 0, [], []) == "Type a text in which some pair of letters stands twice."
    rows = [{"name": "A", "reported": 1, "does": True}, {"name": "B", "reported": 0, "does": False}]
    said = r"^In A, some tokens come from no text.* In B, each .* In A, there are tokens of the names .* In B, there"
    assert regex.search(said, never_met.say_glitches(rows))


@pytest.mark.parametrize(
    "texts", [("", "a"), ("a", ""), ("\ud800", "\ud800"), ("ab" * 100_000, "שלום"), ("a b", "a b")]
)
def test_hostile_texts(texts: tuple[str, str]) -> None:
    found = never_met.unseen(*texts)
    assert found["unseen"] <= found["learned"] <= never_met.MERGES
    assert len(found["listed"]) <= never_met.MAX_LISTED


def test_tokens_of_well_known_vocabularies_that_documentation_never_uses() -> None:
    found = {row["name"]: row for row in never_met.glitches()["rows"]}
    assert list(found) == list(well_known())
    for label, row in found.items():
        used = set(ids_of(label, corpus()))
        special = set(well_known()[label].special_tokens.values())
        assert row["tokens"] - row["unused"] - row["never"] == len(used | special), label
        assert row["reported"] == sum(len(ids_of(label, token)) == 1 for token in never_met.REPORTED), label
        assert row["does"]
    assert {label for label, row in found.items() if row["reported"]} == {"GPT-2"}
    assert found["GPT-2"]["reported"] == len(never_met.REPORTED)


WHY = {
    "a byte that is in no character": "no UTF-8 text holds these bytes",
    "the byte of a character, which has a token of its own": "begins with this byte has a token of its own",
    "cut apart by its split pattern": "split pattern always cuts through this text",
    "a place kept free for later": "always cut into several words",
}
"""The reason that the figure gives for most of these tokens -> the reason that their proofs give."""


@pytest.mark.parametrize("label", well_known())
def test_tokens_that_no_text_gives_are_as_many_as_can_be_proved(label: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All others have a text: for most, the library gives them for their own.

    Trying every character for one takes most of the time, and no proof needs it.
    """
    some = assigned_characters()[::50]
    monkeypatch.setattr("tokviz.analysis.vocabulary.reach.assigned_characters", lambda: some)
    tokenizer = well_known()[label]
    special = set(tokenizer.special_tokens.values())
    others = [
        VocabularyEntry(token, None, data, None, "", None)
        for token, data in tokenizer.vocab.items()
        if token not in special and ids_of(label, data.decode(errors="replace")) != [token]
    ]
    proved = {row.id: row.reason for row in token_reach(tokenizer, others) if row.reach is Reach.UNREACHABLE}
    said = never_met.NO_TEXT[label]
    assert len(proved) == said.tokens
    assert WHY[said.why] in proved[said.example]
    assert sum(WHY[said.why] in reason for reason in proved.values()) > said.tokens / 2
    if label in ENCODINGS:
        assert all(not _is_in_utf8(encoding_of(ENCODINGS[label]).decode_single_token_bytes(each)) for each in proved)


def _is_in_utf8(data: bytes) -> bool:
    """Return whether a character's bytes can hold these; a token of several bytes isn't looked at."""
    return len(data) == 1 and (data < b"\xc0" or b"\xc1" < data < b"\xf5")


@pytest.mark.parametrize("label", well_known())
@pytest.mark.parametrize("most", [1, 4, 60])
def test_a_row_has_the_tokens_of_its_pieces_and_the_text_that_they_reach(label: str, most: int) -> None:
    text = "naïve 世界 🍕, twice"
    tokenizer = well_known()[label]
    found = inside.row(label, tokenizer, text, most=most)
    shown_tokens = found["tokens"]
    assert shown_tokens["ids"] == ids_of(label, text)[:most]
    assert len(found["pieces"]) == len(shown_tokens["byte_lengths"]) == len(shown_tokens["special"])
    assert text.startswith(shown_tokens["text"])
    assert sum(shown_tokens["byte_lengths"]) <= len(shown_tokens["text"].encode())
    assert load_shipped(found["tokenizer"]).name == tokenizer.name
