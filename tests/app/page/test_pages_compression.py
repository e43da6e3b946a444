"""The Compression page in Streamlit's AppTest."""

import csv
import gc
import io
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from tokenizer_files import with_every_pair

import tokviz
from tokviz.analysis.tables import to_csv
from tokviz.analysis.translations import aligned
from tokviz.app.page import cached_analyses, components, inputs, state
from tokviz.app.page.markdown import escape_markdown
from tokviz.app.visitors import visitor_tokenizers as visitors
from tokviz.app.visitors.downloads import Download
from tokviz.app.visitors.kept_texts import KeptText
from tokviz.app.visitors.kept_tokenizers import Description, descriptions, registry
from tokviz.samples import parallel_passages, sample

APP = str(Path(__file__).parents[3] / "app.py")
QUESTIONS = {
    "Merges": ["What does each merge buy?"],
    "Vocabulary size": ["How large should the vocabulary be?"],
    "This text": ["Which tokenizer suits this text?"],
    "Languages": ["Which languages pay more?"],
    "Formats": ["Which formats pay more?", "Does code cost more than prose?", "How are numbers cut?"],
    "Vocabulary": [
        "How long are the tokens?",
        "Whose scripts are in the vocabulary?",
        "What is learned first?",
        "The longest tokens, and the odd ones",
    ],
    "Token use": ["Which tokens does this text use?"],
}


def run_page(
    question: str,
    text: str | None = None,
    tokenizers: list[str] | None = None,
    own_names: Iterable[str] = (),
    presented: float = 0.0,
) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=120)
    app.session_state[state._PRESENTING] = presented
    app.session_state[visitors._KEPT] = visitors._SessionIds(own_names)
    if text is not None:
        app.session_state[state._TEXT] = KeptText(text)
    app.session_state["chart"] = question
    app.session_state["tokenizers"] = ["gpt2"] if tokenizers is None else tokenizers
    app.switch_page("pages/compression.py").run()
    assert not app.exception
    return app


def figures(app: AppTest) -> list[Any]:
    return list(app.get("plotly_chart"))


@pytest.mark.parametrize("question", QUESTIONS)
def test_each_question_has_described_charts_with_their_numbers(question: str) -> None:
    app = run_page(question)
    assert not app.error
    assert [heading.value for heading in app.subheader] == QUESTIONS[question]
    charts = figures(app)
    asked = [title for title in QUESTIONS[question] if title.endswith("?")]
    assert len(charts) == len(asked) == len([each for each in app.expander if each.label == "The numbers"])
    for chart, title in zip(charts, asked, strict=True):
        assert chart.proto.alt.startswith(title)


def test_presented_charts_are_as_large_as_the_screen() -> None:
    for presented, font in ((1.0, 21), (1.5, 32)):
        app = run_page("Languages", presented=presented)
        (chart,) = figures(app)
        layout = json.loads(chart.proto.spec)["layout"]
        assert layout["font"]["size"] == layout["yaxis2"]["tickfont"]["size"] == font
        assert "height" not in layout


def test_tokens_reached_in_longer_texts_are_not_called_unreachable() -> None:
    """Of GPT-2's 344 parts of characters, 13 are bytes that never occur in UTF-8; the others are parts of some."""
    app = run_page("Vocabulary")
    [said] = [text.value for text in app.text if "part of a character" in text.value]
    assert "344 tokens are no text by themselves" in said
    assert (
        "49,913 tokens come about where their own text is encoded. 331 more come about only within a longer text"
        in said
    )
    assert "13 are never reached, whatever the text." in said
    assert [tab.label for tab in app.tabs][-3:] == ["Parts of characters", "Only in longer texts", "Never reached"]


@pytest.mark.parametrize("question", ["Merges", "Vocabulary size", "This text", "Token use"])
def test_without_a_text_it_asks_for_one(question: str) -> None:
    app = run_page(question, text="")
    assert [info.value for info in app.info] == ["Type or paste a text first."]
    assert not figures(app)


@pytest.mark.parametrize("question", QUESTIONS)
def test_without_a_tokenizer_it_asks_for_one(question: str) -> None:
    app = run_page(question, tokenizers=[])
    assert [info.value.startswith("Choose a tokenizer") for info in app.info] == [True]


def test_only_tokenizers_with_merges_have_curves() -> None:
    assert [info.value for info in run_page("Merges", tokenizers=["bytes"]).info] == [
        "Choose a tokenizer that has merges."
    ]
    assert len(figures(run_page("This text", tokenizers=["bytes", "code-points"]))) == 1


def test_left_out_tokenizers_are_named_with_the_reason() -> None:
    app = run_page("Merges", tokenizers=["gpt2", "bytes", "code-points"])
    assert "Left out, for want of merges: Code points, Bytes." in [said.value for said in app.text]
    symbols = {value: bytes([value]) for value in range(256)}
    odd = registry.register(tokviz.BPETokenizer("odd", symbols | {256: b"abc", 257: b"ab"}), "Odd")
    for question in ("Merges", "Vocabulary size"):
        app = run_page(question, text="abc", tokenizers=["gpt2", odd], own_names=[odd])
        [said] = [said.value for said in app.text if said.value.startswith("Odd is left out")]
        assert "its merges don't go by rank" in said
        assert len(figures(app)) == 1
        app = run_page(question, text="abc", tokenizers=[odd], own_names=[odd])
        assert not app.info and not figures(app)
    app = run_page("Vocabulary", tokenizers=[odd], own_names=[odd])
    assert not app.error and len(figures(app)) == 3


def test_an_open_models_file_has_curves_and_a_vocabulary() -> None:
    """The file is like Llama 3's: a merge for each pair of tokens that forms a token, and its own split pattern."""
    prose = "\n".join(each.text for each in parallel_passages())
    listed = with_every_pair(tokviz.train(prose, num_merges=400, split_pattern="gpt2"))
    llama3 = registry.register(listed, "llama3.json")
    for question in ("Merges", "Vocabulary size", "Vocabulary"):
        app = run_page(question, tokenizers=[llama3], own_names=[llama3])
        assert not app.error and not app.info
        assert len(figures(app)) == len([title for title in QUESTIONS[question] if title.endswith("?")])


@pytest.mark.parametrize("question", ["Merges", "Vocabulary size", "This text", "Token use"])
def test_a_megabyte_is_counted_whole(question: str) -> None:
    text = "Many words, again and again. 再び 🍕\n" * 25_000
    app = run_page(question, text=text)
    assert not app.error and len(figures(app)) == 1
    assert app.text_area[0].value == text[:20_000]
    if question == "Merges":
        assert any(f"into {len(tokviz.load('gpt2').encode(text)):,} tokens" in said.value for said in app.text)


def test_a_typed_text_is_shared_even_if_a_page_change_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    app = run_page("This text", text="typed on another page")
    monkeypatch.setattr(inputs, "frame_widget", lambda *_: st.stop())
    app.text_area[0].set_value("typed last").run()
    assert app.session_state[state._TEXT].text == "typed last"


def test_a_typed_text_is_shared() -> None:
    app = run_page("This text", text="typed on another page")
    assert app.text_area[0].value == "typed on another page"
    app.text_area[0].set_value("typed here").run()
    assert app.session_state[state._TEXT].text == "typed here"


@pytest.mark.parametrize(
    ("text", "called"),
    [
        (None, "Your text (prose and programs, until you type one)"),
        (sample("differences-classics").text, "An example: ` Spaces, capitals, code, digits, emoji, a long word `"),
        ("typed, or brought by a link", "The text"),
    ],
    ids=["nothing typed", "an example", "another text"],
)
def test_the_box_is_titled_by_its_text(text: str | None, called: str) -> None:
    assert run_page("This text", text=text).expander[0].label == called


@pytest.mark.parametrize(("name", "has_mark"), [("differences-classics", False), ("prose-en", True)])
def test_a_large_mark_is_explained_only_where_there_is_one(name: str, has_mark: bool) -> None:
    app = run_page("Merges", text=sample(name).text)
    (chart,) = figures(app)
    modes = [line["mode"] for line in json.loads(chart.proto.spec)["data"]]
    assert modes.count("markers") == has_mark
    assert any("large mark" in said.value for said in app.text) is has_mark
    assert ("Large marks" in chart.proto.alt) is has_mark


def test_a_mark_at_few_merges_is_visible() -> None:
    (chart,) = figures(run_page("Merges", text="a " * 5))
    figure = json.loads(chart.proto.spec)
    (mark,) = [line for line in figure["data"] if line["mode"] == "markers"]
    assert mark["x"][0] < 256
    assert "range" not in figure["layout"]["xaxis"]


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Yield the name of a tokenizer that was trained here and can be chosen."""
    name = registry.register(tokviz.train("abc abc abc", num_merges=4, alphabet="characters"))
    monkeypatch.setattr(inputs, "descriptions", lambda: (Description(name, "Mine", 8, (), "bpe"), *descriptions()))
    yield name
    registry.forget(name)


def test_a_trained_tokenizer_has_the_curve_of_its_training_text_as_well(own: str) -> None:
    app = run_page("Merges", text="abcabc", tokenizers=[own])
    assert not app.error
    assert [line.split(":")[0] for line in app.text[0].value.split("\n")] == [
        "Mine",
        "Mine, on the text it learned from",
    ]
    assert "turn 11 bytes into" in app.text[0].value


def test_files_with_numbers_in_parentheses_are_distinct() -> None:
    labels = ["tokenizer (1).json", "tokenizer (2).json"]
    made = [registry.register(tokviz.train("abab", num_merges=1), label) for label in labels]
    app = run_page("This text", tokenizers=made, own_names=made)
    assert app.pills(key="tokenizers").options[-2:] == [escape_markdown(label) for label in labels]
    assert "tokenizer (2).json and tokenizer (1).json are best" in app.text[0].value


def test_surrounding_special_tokens_are_noted_as_not_counted() -> None:
    tok = tokviz.train("abab", num_merges=1)
    roberta = {"type": "RobertaProcessing", "cls": ["<s>", 0], "sep": ["</s>", 2]}
    surrounded = tokviz.BPETokenizer("x", tok.vocab, tok.merges, unapplied={"post_processor": roberta})
    made = [registry.register(surrounded, "with its own"), registry.register(tok, "without")]
    said = [each.value for each in run_page("This text", tokenizers=made, own_names=made).text]
    note = "For a model, special tokens are put around a text by the file of: with its own. They are not counted here."
    assert note in said
    assert note not in [each.value for each in run_page("This text", tokenizers=made[1:], own_names=made).text]


def test_a_character_outside_the_alphabet_is_named(own: str) -> None:
    app = run_page("Merges", text="abd", tokenizers=[own])
    (error,) = app.error
    assert error.value.startswith(
        "` character 'd' (U+0064) at position 2, counted from 0, is not in this tokenizer's alphabet"
    )


def test_uploaded_texts_may_have_a_byte_order_mark() -> None:
    app = run_page("Languages")
    files = [("one.txt", "Größe".encode("utf-16"), "text/plain"), ("two.txt", "\ufeffsize".encode(), "text/plain")]
    app.file_uploader[-1].set_value(files).run()
    assert not app.error
    (table,) = (table.value for table in app.dataframe if "line in one" in table.value)
    assert table.iloc[0].tolist() == ["Größe", "\u2068size\u2069"]


def test_uploaded_texts_need_unique_names() -> None:
    app = run_page("Languages")
    app.file_uploader[-1].set_value([("German.txt", text, "text/plain") for text in (b"eins", b"zwei")]).run()
    (error,) = app.error
    assert "two of these files are called German.txt: remove one, or give it another name" in error.value


def test_parallel_texts_must_have_equal_line_counts() -> None:
    assert aligned({"a": "one\r\ntwo\n", "b": "\ufeffeins\nzwei"}) == {"a": "one\ntwo", "b": "eins\nzwei"}
    with pytest.raises(ValueError, match="b has 1 lines and a has 2"):
        aligned({"a": "one\ntwo", "b": "eins"})
    with pytest.raises(ValueError, match="a is empty"):
        aligned({"a": "\n", "b": "\n"})
    assert aligned({}) == {}


def test_tables_of_several_tokenizers_name_them() -> None:
    tables = {name: tokviz.token_frequencies("a b a", name) for name in ("gpt2", "o200k_base")}
    head, *rows = csv.reader(io.StringIO(to_csv(tables), newline=""))
    assert head[0] == "tokenizer"
    assert [row[0] for row in rows] == ["gpt2"] * len(tables["gpt2"]) + ["o200k_base"] * len(tables["o200k_base"])
    assert to_csv({"gpt2": []}) == ""


@pytest.mark.parametrize("at_once", [False, True])
def test_a_link_chooses_once_among_available_tokenizers(at_once: bool) -> None:
    made = registry.register(tokviz.train("abcabc"), "trained on “abc”")
    app = AppTest.from_file(APP, default_timeout=120)
    app.session_state[visitors._KEPT] = visitors._SessionIds([made])
    app.session_state["chart"] = "This text"
    app.switch_page("pages/compression.py")
    if not at_once:
        app.run()
    app.session_state[components._CHOSEN] = ["bytes", made, "none-such"]
    app.run()
    assert not app.exception
    assert app.pills(key="tokenizers").value == ["bytes", made]
    # A message sent before the browser received the choice doesn't undo it; later messages count.
    for sent, expected in ((inputs._FIRST_CHOSEN, ["bytes", made]), (["bytes"], ["bytes"]), (["gpt2"], ["gpt2"])):
        app.pills(key="tokenizers").set_value(sent)
        app.run()
        assert app.pills(key="tokenizers").value == expected


def test_unknown_tokenizers_in_the_address_are_kept_for_the_frame_and_named() -> None:
    """Streamlit removes unknown values from the address, and with them the text after `#`, which the frame needs."""
    app = AppTest.from_file(APP, default_timeout=120)
    app.session_state["chart"] = "This text"
    app.query_params["tokenizers"] = ["Bytes", "llama3"]
    app.switch_page("pages/compression.py").run()
    assert not app.exception
    assert "tokenizers" not in [pills.key for pills in app.pills]
    assert app.query_params["tokenizers"] == ["Bytes", "llama3"]
    assert len(figures(app)) == 1
    # The frame's widget then does this.
    del app.query_params["tokenizers"]
    app.session_state[components._CHOSEN] = ["Bytes", "llama3"]
    app.run()
    assert app.pills(key="tokenizers").value == ["bytes"]
    [warning] = app.warning
    assert "a tokenizer that isn't here: “llama3”" in warning.value.replace("\\", "")
    app.pills(key="tokenizers").set_value(["gpt2"]).run()
    assert not app.warning


def test_a_link_with_only_unknown_tokenizers_chooses_the_default() -> None:
    app = AppTest.from_file(APP, default_timeout=120)
    app.session_state["chart"] = "This text"
    app.session_state[components._CHOSEN] = ["llama3", "gone"]
    app.switch_page("pages/compression.py").run()
    assert app.pills(key="tokenizers").value == inputs._FIRST_CHOSEN
    assert "tokenizers that aren't here: “llama3”, “gone”" in app.warning[0].value.replace("\\", "")


def test_a_text_file_replaces_the_text() -> None:
    app = run_page("This text", tokenizers=["bytes"])
    for text in ("Grüße", "abc"):
        app.file_uploader[0].set_value([("some.txt", text.encode(), "text/plain")]).run()
        assert not app.exception
        assert app.session_state["tokviz text"].text == app.text_area(key="text").value == text
    app.file_uploader[0].set_value([("some.txt", b"\xff", "text/plain")]).run()
    assert "some.txt is no text in UTF-8" in app.error[0].value.replace("\\", "")
    assert app.session_state["tokviz text"].text == "abc"


def test_a_vocabularys_file_keeps_no_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows are looked up when the button is pressed, even if they were dropped meanwhile."""
    offered: list[Download] = []
    monkeypatch.setattr("tokviz.app.page.figures.download_button", lambda label, file, key: offered.append(file))
    name = registry.register(tokviz.train("low lower lowest", num_merges=5), "small")
    run_page("Vocabulary", tokenizers=[name], own_names=[name])
    (file,) = (each for each in offered if each.name == "vocabulary.csv")
    rows = cached_analyses.vocabulary_rows(name)
    registry._tables.clear()
    assert file.make() == to_csv(rows).encode()
    del rows
    registry._tables.clear()
    gc.collect()
    assert not any(isinstance(each, cached_analyses.VocabularyRow) for each in gc.get_objects())
