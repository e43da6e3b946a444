"""The stages of a text as the page gets them: bounded lists with exact counts, for tokenizers of all kinds."""

import pytest
from engine_files import family

import tokviz
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
from tokviz.widgets.text_stages import MAX_EDITS, MAX_PIECES, stages_data


def test_stages_of_merges_are_the_pretokens_and_the_tokens() -> None:
    gpt2 = tokviz.load("gpt2")
    data = stages_data(gpt2, "It's 🍕")
    assert [(stage["name"], stage["count"]) for stage in data["stages"]] == [
        ("pre-tokens", len(gpt2.pretokens("It's 🍕"))),
        ("tokens", len(gpt2.encode("It's 🍕"))),
    ]
    assert data["stages"][1]["pieces"][:3] == ["It", "'s", "· f0 9f"]
    assert (data["edits"], data["different"]) == ([], 0)


def test_stages_of_an_engine_with_what_changes_and_what_is_put_around() -> None:
    bert = HuggingFaceTokenizer("bert", family("bert"))
    data = stages_data(bert, "The LOW Öl")
    names = {stage["name"]: stage for stage in data["stages"]}
    assert names["normalized"]["changes"] == ["removes accents", "makes all letters lower case"]
    assert data["edits"] == [["T", "t", 1], ["LOW", "low", 1], ["Ö", "o", 1]]
    assert names["special tokens"]["pieces"][0] == "[CLS]"
    assert names["special tokens"]["count"] == len(bert.encode("The LOW Öl", add_special=True))


def test_an_edit_names_each_invisible_character() -> None:
    edits = stages_data(tokviz.load("bert-base-uncased"), "❤\ufe0f 👩\u200d👧 one\u200b")["edits"]
    assert [edit[:2] for edit in edits] == [["[VS16]", ""], ["[ZWJ]", ""], ["[ZWSP]", ""]]


@pytest.mark.parametrize("name", ["roberta", "llama3"])
def test_bytes_are_spelled_as_on_the_rest_of_the_page(name: str) -> None:
    tok = HuggingFaceTokenizer(name, family(name))
    pieces = {stage["name"]: stage["pieces"] for stage in stages_data(tok, "one two")["stages"]}
    assert "".join(pieces["tokens"]).lstrip("·") == "one·two"


def test_lists_are_bounded_and_counts_exact() -> None:
    bert = HuggingFaceTokenizer("bert", family("bert"))
    text = " ".join(chr(65 + i % 26) + chr(65 + i // 26) for i in range(400)) + " LOW" * 300
    data = stages_data(bert, text)
    assert len(data["edits"]) == MAX_EDITS
    assert data["different"] == 401
    assert all(len(stage["pieces"]) <= MAX_PIECES for stage in data["stages"])
    assert data["stages"][1]["count"] == 700
