"""The Train page in Streamlit's AppTest: what its widget gets and says."""

import pytest
from app_test import AppTest, open_page, widget_data

import tokviz
from tokviz.app.answers.saved_files import saved_file
from tokviz.app.answers.visitors import visitor_tokenizers as visitors
from tokviz.app.answers.visitors.kept_tokenizers import Registry, registry
from tokviz.app.shields.processes.training_queue import FITS_CUT, FITS_UNCUT, LONG
from tokviz.samples.large import large_samples

TOK = tokviz.train("the cat in the hat", num_merges=3, split_pattern="gpt2")


def test_the_widget_gets_the_samples_and_the_visitor_s_tokenizers() -> None:
    name = registry.register(TOK, "mine")
    data = widget_data(open_page("train", state={visitors._KEPT: visitors._SessionIds([name])}))
    assert data["widget"] == "train"
    assert [each["name"] for each in data["large"]] == [each.name for each in large_samples()]
    (own,) = (each for each in data["tokenizers"] if each["recipe"] is not None)
    assert (own["name"], own["label"]) == (name, "mine")


def test_limits_stated_on_the_page_are_those_in_force() -> None:
    limits = widget_data(open_page("train"))["limits"]
    assert f"until {Registry()._patience / 3600:g} hour after you leave" in limits["kept"]
    assert f"your last {visitors.MOST} tokenizers" in limits["kept"]
    assert f"may take {LONG.memory / 1024**3:g} GB of memory" in limits["fits"]
    assert f"about {FITS_CUT / 1e6:g} MB of prose or code" in limits["fits"]
    assert f"without a split, about {FITS_UNCUT / 1e6:g} MB" in limits["fits"]


def acting(adopted: list[str] | None, removed: list[str] | None) -> None:
    import streamlit as st

    from tokviz.app.answers.visitors import visitor_tokenizers
    from tokviz.app.streamlit.components import _handle_tokenizer_messages

    _handle_tokenizer_messages("train", adopted, removed)
    st.json([each.label for each in visitor_tokenizers.descriptions()])


def test_a_trained_tokenizer_is_adopted_and_removed_again() -> None:
    name = registry.register(TOK, "mine")
    registry.release(name)
    app = AppTest.from_function(acting, kwargs={"adopted": [name], "removed": None}).run()
    assert app.json[0].value == '["mine"]'
    registry.hold(name)  # by another session
    app = AppTest.from_function(acting, kwargs={"adopted": [name], "removed": [name]}).run()
    assert app.json[0].value == "[]"
    assert registry.has(name)
    registry.forget(name)


@pytest.mark.parametrize("file", ["tokenizer.json", "tokenizer.tiktoken", "vocab.bpe", "tokenizer.model"])
def test_files_list_what_they_leave_out_of_the_opened_one(file: str) -> None:
    """Of the written files, only tokenizer.json contains the post-processor."""
    tok = tokviz.BPETokenizer("x", TOK.vocab, TOK.merges, unapplied={"post_processor": {"type": "ByteLevel"}})
    says = saved_file(tok, "", file).says
    if file == "tokenizer.json":
        assert says == "Holds all that encoding needs."
    else:
        assert says.endswith("other settings of the file that you opened: post_processor.")
    if file in ("tokenizer.tiktoken", "vocab.bpe"):  # these also have to note that there is no pattern
        assert "Leaves out the split pattern (none). tokviz asks for it when you open the file." in says
