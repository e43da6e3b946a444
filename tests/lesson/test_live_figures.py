"""Live figures: what a link opens, as a widget with its data."""

import base64
import json

import pytest
import reference
from shipped import encoding_of

from tokviz.lesson.figures import MAX_BYTES, Figure, figure
from tokviz.lesson.steps import CAT, Link, lesson
from tokviz.samples import parallel_passages, sample, samples
from tokviz.widgets.wire import Columns, unpack

STEPS = lesson().steps

THREE = ("gpt2", "cl100k_base", "o200k_base")


def links() -> list[Link]:
    return [link for step in STEPS for link in (*step.links, *step.afterwards)]


def of(page: str, text: str | None = None, **fields: str) -> Figure:
    return figure(Link("", page, fields, text))


def columns(found: Figure, name: str) -> Columns:
    return unpack(found.data[name])[0]


@pytest.mark.parametrize("link", links(), ids=lambda link: link.label)
def test_every_link_of_the_lesson_has_a_figure_of_its_page(link: Link) -> None:
    widgets = {"": "colored", "compare": "aligned", "replay": "replay"}
    assert figure(link).widget == widgets.get(link.page, "bars")


@pytest.mark.parametrize("name", THREE)
@pytest.mark.parametrize("text", ["Hello, 🌍! 你好!", "", "مرحبا", "a\r\n\tb"])
def test_a_text_has_the_tokens_of_tiktoken(name: str, text: str) -> None:
    found = of("", text, tokenizer=name, view="all")
    assert found.data["text"] == text
    assert found.data["view"]["view"] == "both"
    assert columns(found, "tokens")["ids"].tolist() == encoding_of(name).encode_ordinary(text)


def test_an_example_is_found_by_its_name_and_brings_its_language() -> None:
    found = of("", tokenizer="gpt2", sample="prose-ta")
    assert found.data["text"] == sample("prose-ta").text
    assert found.data["view"]["lang"] == "ta"


def test_a_comparison_has_the_tokens_of_all_under_their_short_labels() -> None:
    found = of("compare", "1234567", compare="bytes,gpt2,cl100k_base")
    named, meta = unpack(found.data["comparison"])
    assert meta["names"] == ["Bytes", "GPT-2", "cl100k"]
    assert named["ids_0"].tolist() == list(b"1234567")
    for number, name in enumerate(THREE[:2], 1):
        assert named[f"ids_{number}"].tolist() == encoding_of(name).encode_ordinary("1234567")


def test_a_replay_of_learning_ends_with_the_tokens_of_the_slow_reference() -> None:
    found = of("replay", CAT, story="learn", split="none", merges="20", step="2", predict="1")
    start = {"steps": {"learn": 2}, "writing": "text", "predict": True}
    assert found.data["start"].items() >= start.items()
    named, meta = unpack(found.data["replay"])
    learned = reference.train(CAT)
    assert named["new_ids"].tolist() == [each.new for each in learned.history]
    assert meta["story"] == "learn"


def test_learned_merges_read_another_word() -> None:
    found = of("replay", "low lower newest", story="apply", split="none", tried="3", word="lowest")
    symbols = unpack(found.data["replay"])[0]["symbols"]
    assert bytes(symbols.tolist()) == b"lowest"


def test_tokenizers_that_merge_nothing_show_what_they_do() -> None:
    assert of("replay", "unaffable", tokenizer="bert-base-uncased").widget == "matches"


@pytest.mark.parametrize(("chart", "kind"), [("Languages", "prose"), ("Formats", "data")])
def test_bars_are_counts_of_tiktoken(chart: str, kind: str) -> None:
    found = of(f"compression?chart={chart}")
    texts = {each.title: each.text for each in samples() if each.kind == kind}
    units = [len(encoding_of(name).encode_ordinary(parallel_passages()[0].text)) for name in THREE]
    expected = {
        title.split(" · ")[0]: [
            len(encoding_of(name).encode_ordinary(text)) / (unit if kind == "prose" else 1)
            for name, unit in zip(THREE, units, strict=True)
        ]
        for title, text in texts.items()
    }
    assert {row["text"]: row["values"] for row in found.data["rows"]} == expected
    firsts = [row["values"][0] for row in found.data["rows"]]
    assert firsts == sorted(firsts, reverse=kind == "prose")


def test_a_figure_as_json_has_its_columns_in_base64() -> None:
    found = of("", "naïve 🍕", tokenizer="gpt2")
    sent = json.loads(found.as_json())
    assert base64.b64decode(sent["data"]["tokens"]) == found.data["tokens"]
    assert (sent["widget"], sent["title"]) == ("colored", "Tokens of GPT-2")


@pytest.mark.parametrize(
    ("link", "why"),
    [
        (Link("", "", {"tokenizer": "gpt2"}, "x" * (MAX_BYTES + 1)), "texts of up to 10,000 bytes"),
        (Link("", "", {"tokenizer": "hf:owner/name"}, "x"), "no tokenizer or model"),
        (Link("", "", {"tokenizer": "gpt2", "color": "<b>"}, "x"), "“color” must be one of"),
        (Link("", "", {"sample": "../secret"}), "no sample is named"),
        (Link("", "compare", {"compare": ",".join(["gpt2", "p50k_base", "bytes", *THREE[1:], "qwen3"])}, "x"), "not 6"),
        (Link("", "replay", {"split": "(a+)+$"}, "x"), "“split” must be one of"),
        (Link("", "replay", {"step": "٣x"}, "x"), "“step” must be a whole number"),
        (Link("", "replay", {"step": "--5"}, "x"), "“step” must be a whole number"),
        (Link("", "replay", {"tokenizer": "bytes"}, "x"), "can't be replayed"),
        (Link("", "compression?chart=Vocabulary", {}), "no figure shows Vocabulary"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_what_a_figure_can_not_show_is_said(link: Link, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        figure(link)
