"""The Train page in Streamlit's AppTest."""

import os
import random
import signal
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import tokviz
from tokviz.analysis.training_report import report
from tokviz.app.page import training_results
from tokviz.app.page.markdown import escape_markdown
from tokviz.app.page.training_form import Running, show_progress
from tokviz.app.processes.training import FITS_CUT, FITS_UNCUT, MAX_MEMORY, Job, Jobs, Recipe, jobs
from tokviz.app.visitors import visitor_tokenizers as visitors
from tokviz.app.visitors.kept_texts import KeptText
from tokviz.app.visitors.kept_tokenizers import KEPT_HOURS, Registry, registry
from tokviz.samples import sample, samples

APP = str(Path(__file__).parents[3] / "app.py")
PATIENCE = 60
FILES = ("tokenizer.json", "tokenizer.tiktoken", "vocab.bpe", "tokenizer.model")


@cache
def long_text() -> str:
    """Return a text whose training takes a while, as no two of its words are alike."""
    return "".join(random.Random(0).choices("abcdefghij ", k=1_500_000))


def open_page(**settings: object) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=60)
    for name, value in settings.items():
        app.session_state[name.replace("_", "-")] = value
    app.switch_page("pages/train.py").run()
    assert not app.exception
    return app


def press(app: AppTest, label: str) -> AppTest:
    next(button for button in app.button if button.label == label).click().run()
    assert not app.exception
    return app


def run_until(app: AppTest, is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.1)
        app.run()
        assert not app.exception


def train(app: AppTest) -> str:
    """Train a tokenizer and return its name in the registry."""
    press(app, "Train")
    run_until(app, lambda: "tokviz running" not in app.session_state)
    assert not app.warning and not app.error
    name: str = app.session_state["own-chosen"]
    return name


def texts(app: AppTest) -> list[str]:
    return [each.value for each in app.text]


def test_the_result_equals_training_in_this_process() -> None:
    app = open_page(size=400, sample="all code", measure_on="Nothing else", specials="<a> <b>", ties="lowest-ids")
    name = train(app)
    made = registry.get(name)
    expected = tokviz.train(
        [each.text for each in samples() if each.kind == "code"],
        vocab_size=400,
        split_pattern="cl100k",
        tie_break="lowest-ids",
        special_tokens=["<a>", "<b>"],
    )
    assert made.vocab == expected.vocab
    assert isinstance(made, tokviz.BPETokenizer) and made.merges == expected.merges
    assert "A vocabulary of 400; 142 of its tokens are merged from others." in texts(app)
    components = [component.proto.component_name for component in app.get("bidi_component")]
    assert components.count("tokviz_download") == 5


@pytest.mark.parametrize(("pattern", "within"), [("gpt2", " within a pre-token"), (None, "")])
def test_training_that_ended_early_says_where_no_pair_occurred_twice(pattern: str | None, within: str) -> None:
    """Across pre-tokens, pairs may occur more often: here, b and the space after it."""
    made = registry.register(tokviz.train("ab ab ab", split_pattern=pattern, num_merges=50), "small")
    app = AppTest.from_file(APP, default_timeout=60)
    app.session_state[visitors._KEPT] = visitors._SessionIds([made])
    app.switch_page("pages/train.py").run()
    assert not app.exception
    assert f"Training ended early: no pair of neighbors occurred twice{within} any more." in texts(app)


def test_a_slow_pattern_is_refused() -> None:
    app = open_page(
        pattern="my own",
        **{"pattern-own": r"(?=(.*a)*c)b|."},
        **{"learn-from": "My text", "tokviz text": KeptText("ab" * 5000)},
    )
    (error,) = app.error
    assert "takes longer than 1 s" in error.value


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"pattern": "my own", "pattern-own": "("}, "does not compile"),
        ({"specials": "<a> <a>"}, "Special tokens are repeated: <a>."),
    ],
)
def test_invalid_settings_are_explained_at_once(settings: dict[str, object], says: str) -> None:
    app = open_page(**settings)
    (error,) = app.error
    assert says in error.value


def test_quoted_text_is_not_markdown() -> None:
    pattern = "(![](https://evil.example/x.png) `*` $x$"
    (error,) = open_page(pattern="my own", **{"pattern-own": pattern}).error
    assert error.value.startswith("`` ") and error.value.endswith(" ``")
    assert pattern in error.value


def test_a_trained_tokenizer_is_measured_on_held_out_lines() -> None:
    app = open_page(size=400, sample="all code")
    train(app)
    (figures, *_) = app.dataframe
    code = "".join(each.text for each in samples() if each.kind == "code")
    titles = figures.value["bytes per token on"].tolist()
    sizes = [int(title.split("(")[1].split()[0].replace(",", "")) for title in titles]
    assert sum(sizes) == len(code.encode())
    assert 0 < sizes[1] < sizes[0]


def test_a_visitor_without_the_report_does_not_affect_it() -> None:
    made = tokviz.train("abab", num_merges=1)
    name = registry.register(made)
    assert [row.times for row in training_results.vocabulary_rows(name, None) if row.rank == 0] == [None]
    found = report(made, ["abab"], [])
    assert [row.times for row in training_results.vocabulary_rows(name, found) if row.rank == 0] == [2]


def test_a_tokenizer_can_be_measured_on_another_text() -> None:
    app = open_page(size=300, sample="prose-en", measure_on="Another sample", other="prose-hi")
    train(app)
    (figures, *_) = app.dataframe
    assert f"({len(sample('prose-hi').text.encode()):,} bytes)" in figures.value["bytes per token on"][1]


def test_a_text_outside_the_alphabet_is_reported() -> None:
    app = open_page(sample="prose-en", measure_on="Another sample", other="prose-hi", alphabet="characters")
    press(app, "Train")
    run_until(app, lambda: "tokviz running" not in app.session_state)
    (warning,) = app.warning
    assert warning.value.startswith("` It can't encode the text it was measured on: character ")


def test_a_text_with_few_lines_has_none_to_hold_out() -> None:
    app = open_page(sample="prose-en")
    press(app, "Train")
    (error,) = app.error
    assert error.value.startswith("` The text has fewer than 10 lines")


def test_failed_trainings_are_explained() -> None:
    app = open_page(size=10)
    press(app, "Train")
    run_until(app, lambda: "tokviz running" not in app.session_state)
    (warning,) = app.warning
    assert warning.value.startswith("` The vocabulary size 10 is too small")
    assert not app.header
    app.number_input(key="size").set_value(300).run()
    assert not app.warning  # the warning was about other settings


@pytest.mark.parametrize("size", [0, -5, 900_000])
def test_invalid_sizes_are_explained(size: int) -> None:
    app = open_page()
    app.number_input(key="size").set_value(size).run()
    (error,) = app.error
    assert error.value == escape_markdown(f"The vocabulary size must be 1 to 200,000, not {size:,}.")
    assert next(button for button in app.button if button.label == "Train").disabled


def test_the_preview_is_cut_at_special_tokens() -> None:
    app = open_page(
        **{"learn-from": "My text", "tokviz text": KeptText("the cat <|end|> sat"), "specials": "<|end|> <pad>"}
    )
    assert app.code[0].value == "the | ·cat | · | <|end|> | ·sat"


@pytest.mark.parametrize(
    ("text", "pattern", "shown"),
    [
        ("a" * 100, "none", "a" * 100),
        ("a" * 101, "none", "a" * 100 + "…"),
        ("ab " * 2, "words", "ab | · | ab | ·"),
        ("a" * 10_000 + " b", "words", "a" * 100 + "… | …"),
        ("a b " * 40, "words", "a | · | b | · | " * 15 + "…"),
    ],
)
def test_the_preview_marks_what_it_leaves_out(text: str, pattern: str, shown: str) -> None:
    app = open_page(pattern=pattern, **{"learn-from": "My text", "tokviz text": KeptText(text)})
    assert app.code[0].value == shown


def test_a_report_counts_the_tokens_that_are_used() -> None:
    app = open_page(size=400, **{"measure-on": "Nothing else"})
    made = registry.get(train(app))
    corpus = [each.text for each in samples() if each.kind == "code"]
    used = {token for text in corpus for token in made.encode(text)}
    said = next(text for text in texts(app) if "are used to encode" in text)
    assert said.startswith(f"{len(used):,} of its 400 tokens are used to encode the text it learned from.")


def test_training_uses_all_files_of_the_same_name() -> None:
    app = open_page(size=300, **{"learn-from": "Files", "measure-on": "Nothing else"})
    texts = ["the cat in the hat\n" * 9, "on the mat sat the bat\n" * 9]
    app.file_uploader(key="files").set_value([("notes.txt", text.encode(), "text/plain") for text in texts]).run()
    made = registry.get(train(app))
    assert made.vocab == tokviz.train(texts, vocab_size=300, split_pattern="cl100k").vocab


def test_two_tokenizer_files_of_the_same_name_are_refused() -> None:
    app = open_page()
    app.file_uploader[-1].set_value([("tokenizer.json", b"{}", "")] * 2).run()
    (error,) = app.error
    assert error.value == escape_markdown(
        "Two of these files are called tokenizer.json: remove one, or give it another name."
    )
    assert not [button for button in app.button if button.label == "Open it"]


def test_a_killed_child_is_reported() -> None:
    app = open_page(
        size=50_000, **{"learn-from": "My text", "tokviz text": KeptText(long_text()), "measure-on": "Nothing else"}
    )
    press(app, "Train")
    job = app.session_state["tokviz running"].job
    run_until(app, lambda: job.process is not None)
    os.kill(job.process.pid, signal.SIGKILL)
    run_until(app, lambda: "tokviz running" not in app.session_state)
    (warning,) = app.warning
    assert "ended from outside" in warning.value


def test_cancelling_keeps_nothing() -> None:
    app = open_page(
        size=50_000, **{"learn-from": "My text", "tokviz text": KeptText(long_text()), "measure-on": "Nothing else"}
    )
    press(app, "Train")
    press(app, "Cancel")
    run_until(app, lambda: "tokviz running" not in app.session_state)
    assert [each.value for each in app.warning] == [escape_markdown("Cancelled. Nothing was kept.")]


def test_equal_trainings_get_unique_labels_and_can_be_removed() -> None:
    app = open_page(size=300, measure_on="Nothing else")
    first, second = train(app), train(app)
    (choice,) = (box for box in app.selectbox if box.label == "Tokenizer")
    assert choice.options == ["trained on “Code”", "trained on “Code”, 2"]
    press(app, "Remove it")
    assert registry.has(first) and not registry.has(second)
    press(app, "Remove it")
    assert not app.header


def test_a_token_is_found_by_its_text() -> None:
    app = open_page(size=600)
    train(app)
    (search,) = (box for box in app.text_input if box.label == "Search")
    search.set_value("return").run()
    assert not app.exception
    found = app.dataframe[1].value
    assert len(found) and all("return" in token for token in found["token"])


def test_unsupported_formats_are_explained_and_the_mark_is_shown() -> None:
    app = open_page(size=300, alphabet="characters", mark=True, sample="prose-en", measure_on="Nothing else")
    train(app)
    reasons = [said for said in texts(app) if said.startswith("This tokenizer ")]
    assert len(reasons) == 4 and all("ids would change" in said or "can't be written" in said for said in reasons)
    vocabulary = app.dataframe[1].value
    assert any(token.endswith("</w>") for token in vocabulary["token"])


@pytest.mark.parametrize("word", ["gtp2", "o200k_base"])
def test_a_plain_word_as_a_pattern_is_noted_to_match_only_itself(word: str) -> None:
    """The box takes regular expressions, as it did when existing links that fill it were created."""
    settings = {"learn-from": "My text", "tokviz text": KeptText(f"say {word} again")}
    app = open_page(pattern="my own", **{"pattern-own": word}, **settings)
    assert f"“{word}” matches only itself" in "\n".join(texts(app))
    assert [code.value for code in app.code] == [f"say· | {word} | ·again"]
    assert not app.error


def test_files_list_what_they_leave_out_of_the_opened_one() -> None:
    """Of the written files, only tokenizer.json contains the post-processor."""
    tok = tokviz.train("the cat in the hat", num_merges=3, split_pattern="gpt2")
    tok = tokviz.BPETokenizer("x", tok.vocab, tok.merges, unapplied={"post_processor": {"type": "ByteLevel"}})
    said = {file: training_results._file(tok, file).says for file in FILES}
    assert said.pop("tokenizer.json") == "Holds all that encoding needs."
    for file in ("tokenizer.tiktoken", "vocab.bpe"):  # these also have to note that there is no pattern
        assert "Does not hold its split pattern, which is none: say it when you open the file." in said[file]
    assert all(says.endswith("the file that you opened says besides: post_processor.") for says in said.values())


def test_files_without_a_pattern_note_it_and_the_special_tokens_ids() -> None:
    """Opening the file asks for both, which can't be known otherwise."""
    for pattern, called in ((None, "its split pattern, which is none"), ("gpt2", "its split pattern, gpt2's")):
        tok = tokviz.train("the cat<s>", num_merges=3, split_pattern=pattern, special_tokens=["<s>"])
        said = {file: training_results._file(tok, file).says for file in FILES}
        special = f"<s> {tok.special_tokens['<s>']}"
        assert said["tokenizer.tiktoken"] == (
            f"Does not hold {called} and its special tokens with their ids, {special}: say it when you open the file."
        )
        assert called in said["vocab.bpe"]
        assert said["tokenizer.json"] == said["tokenizer.model"] == "Holds all that encoding needs."


def test_the_preview_splits_as_training_does() -> None:
    """With an end-of-word mark, white space is split off, whatever the pattern."""
    text = "low lower\n lowest"
    settings = {
        "learn-from": "My text",
        "tokviz text": KeptText(text),
        "measure-on": "Nothing else",
        "alphabet": "characters",
    }
    for pattern in ("gpt2", "none"):
        app = open_page(pattern=pattern, mark=True, size=30, **settings)
        [code] = app.code
        made = tokviz.train(
            text, vocab_size=30, alphabet="characters", end_of_word="</w>",
            split_pattern=None if pattern == "none" else pattern,
        )  # fmt: skip
        assert code.value.replace("·", " ").replace("↵", "\n").split(" | ") == made.pretokens(text)


def test_limits_stated_on_pages_are_those_in_force() -> None:
    app = open_page(size=300, measure_on="Nothing else")
    train(app)
    said = "\n".join(texts(app))
    assert f"find them again for up to {KEPT_HOURS:g} hour after you leave" in said
    assert f"The last {visitors.MOST} are kept" in said
    assert Registry()._patience == 3600 * KEPT_HOURS
    said = "\n".join(texts(open_page(**{"learn-from": "Files"})))
    assert f"may take {MAX_MEMORY / 1024**3:g} GB of memory" in said
    assert f"About {FITS_CUT / 1e6:g} MB of prose or code" in said
    assert f"without a split pattern, about {FITS_UNCUT / 1e6:g} MB" in said


def test_waiting_visitors_see_how_many_train_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = Running(Job(), "a text", Recipe(300), "")
    monkeypatch.setattr(jobs, "place", lambda job: 3)
    monkeypatch.setattr("streamlit.progress", lambda share, says: said.append(says))
    monkeypatch.setattr("streamlit.button", lambda *_, **__: False)
    said: list[str] = []
    show_progress(waiting)
    assert said == [f"Waiting in line: 2 before you. This server trains {Jobs()._at_a_time} at a time."]
