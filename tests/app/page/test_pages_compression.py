"""The Compression page in Streamlit's AppTest."""

import csv
import gc
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import tiktoken
from app_test import AppTest
from tokenizer_files import with_every_pair

import tokviz
from tokviz.analysis.tables import to_csv
from tokviz.analysis.translations import aligned
from tokviz.app.fairness.budgets import Budget, Kept
from tokviz.app.http.requests import MAX_BODY
from tokviz.app.page import cached_analyses, components, compression_choices, compression_page, session_cache, state
from tokviz.app.page.components import first_example
from tokviz.app.page.compression_questions import Question
from tokviz.app.visitors import visitor_tokenizers as visitors
from tokviz.app.visitors.downloads import Download
from tokviz.app.visitors.kept_texts import KeptText
from tokviz.app.visitors.kept_tokenizers import Description, descriptions, registry
from tokviz.samples import parallel_passages, sample, samples

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
        "Can every token be reached?",
    ],
    "Token use": ["Which tokens does this text use?"],
}


OWNER = session_cache._Owner()
BRIEFS: dict[str, dict[str, str]] = {}


def opened_app(own_names: Iterable[str] = ()) -> AppTest:
    """A session that keeps its analyses and its answers in a line together with the sessions of the other tests.

    Both are kept by the text and the tokenizers, so each that differs is still found, and found once.
    """
    app = AppTest.from_file(APP, default_timeout=120)
    app.session_state[visitors._KEPT] = visitors._SessionIds(own_names)
    app.session_state[session_cache._OWNER] = OWNER
    app.session_state[compression_page._BRIEFS] = BRIEFS
    return app


def run_page(
    question: str,
    text: str | None = None,
    tokenizers: list[str] | None = None,
    own_names: Iterable[str] = (),
    settings: Mapping[str, str] | None = None,
) -> AppTest:
    app = opened_app(own_names)
    if text is not None:
        app.session_state[state._TEXT] = KeptText(text)
    chosen = ["gpt2"] if tokenizers is None else tokenizers
    app.session_state[compression_choices._CHOICES] = {"chart": question, "tokenizers": chosen, **(settings or {})}
    app.switch_page("pages/compression.py").run()
    assert not app.exception
    return app


def mounted(app: AppTest, name: str) -> list[dict[str, Any]]:
    """The data of the widgets of this name."""
    found = (each.proto for each in app.get("bidi_component"))
    return [json.loads(proto.json)[0] for proto in found if proto.component_name == f"tokviz_{name}"]


def figures(app: AppTest) -> list[dict[str, Any]]:
    """The charts that are drawn, as Plotly gets them."""
    return [{"alt": each.proto.alt, **json.loads(each.proto.spec)} for each in app.get("plotly_chart")]


def field(app: AppTest, name: str) -> dict[str, Any]:
    """A choice on the page, as it is sent to the browser."""
    found: list[dict[str, Any]] = [each for widget in mounted(app, "choices") for each in widget["fields"]]
    [field] = [each for each in found if each["name"] == name]
    return field


def answers(app: AppTest) -> str:
    return "\n".join(said.value for said in app.text)


@pytest.mark.parametrize("question", QUESTIONS)
def test_each_question_has_described_charts_with_their_numbers(question: str) -> None:
    app = run_page(question)
    assert not app.error
    shown = [heading.value for heading in app.subheader if not heading.value.startswith("The text in")]
    assert shown == QUESTIONS[question]
    charts = figures(app)
    assert [chart["alt"].partition("?")[0] + "?" for chart in charts] == [
        title for title in shown if title != "Can every token be reached?"
    ]
    assert all(chart["data"] for chart in charts)
    numbers = mounted(app, "numbers")
    assert [each["title"] for each in numbers] == [heading.value for heading in app.subheader]
    for each in numbers:
        assert each["table"]["rows"] and each["csv"]
    saved = [json.loads(each["picture"]) for each in numbers if each["picture"]]
    assert [len(each["data"]) for each in saved] == [len(chart["data"]) for chart in charts]


def test_every_question_is_answered_in_a_line_without_being_asked() -> None:
    app = run_page("Languages", tokenizers=["gpt2", "o200k_base"])
    options = field(app, "chart")["options"]
    assert [option["value"] for option in options] == list(QUESTIONS)
    assert all(option["label"].endswith("?") and option["note"].endswith(".") for option in options)
    size = len(first_example().text.encode())
    least = min(len(tokviz.load(name).encode(first_example().text)) for name in ("gpt2", "o200k_base"))
    assert f"{100 * least / size:.0f} % as many tokens as there are bytes" in options[0]["note"]


def test_answers_found_while_the_page_is_drawn_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that a newer one replaces goes on until it next speaks to the browser, and finds answers meanwhile."""
    draw_answer = compression_page._answer

    def find_meanwhile(question: Question, text: str, chosen: list[Any], choices: dict[str, Any]) -> None:
        compression_page._find_briefs(text, chosen, compression_page._known_briefs(text, chosen))
        draw_answer(question, text, chosen, choices)

    monkeypatch.setattr(compression_page, "_answer", find_meanwhile)
    notes = [option["note"] for option in field(run_page("This text"), "chart")["options"]]
    assert len(notes) == len(QUESTIONS) and all(note.endswith(".") for note in notes)


def test_what_is_said_of_how_to_read_a_chart_counts_its_rows() -> None:
    for question, texts, sentence in (
        ("Languages", parallel_passages(), "The same text in {} languages;"),
        ("Formats", [each for each in samples() if each.kind == "data"], "written in {} ways."),
    ):
        chart = mounted(run_page(question), "numbers")[0]
        assert sentence.format(len(texts)) in chart["explained"]
        assert len({row[0] for row in chart["table"]["rows"]}) == len(texts)


def test_answers_in_a_line_name_what_is_missing() -> None:
    notes = {each["value"]: each["note"] for each in field(run_page("Languages", text=""), "chart")["options"]}
    assert notes["Merges"] == "Type or paste a text first." and "English" in notes["Languages"]
    notes = {
        each["value"]: each["note"] for each in field(run_page("Languages", tokenizers=["bytes"]), "chart")["options"]
    }
    assert notes["Merges"] == "Choose a tokenizer that has merges."


def text_of(data: bytes) -> str | None:
    """The text that these bytes are; None if they are none."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def test_tokens_reached_in_longer_texts_are_not_called_unreachable() -> None:
    """Counted with tiktoken. That no text reaches the bytes that never occur in UTF-8, and only them, is proved in
    tests/analysis/test_reach.py.
    """
    tok = tokviz.load("gpt2")
    assert tok.split_pattern is not None
    ranks = {data: token for token, data in tok.vocab.items() if token not in tok.special_tokens.values()}
    judge = tiktoken.Encoding(
        "gpt2", pat_str=tok.split_pattern, mergeable_ranks=ranks, special_tokens=dict(tok.special_tokens)
    )
    texts = {token: text for token, data in tok.vocab.items() if (text := text_of(data)) is not None}
    reached = sum(judge.encode(text, allowed_special="all") == [token] for token, text in texts.items())
    never = sum(byte in (0xC0, 0xC1) or byte >= 0xF5 for byte in range(256))
    longer = len(tok.vocab) - reached - never
    app = run_page("Vocabulary")
    [chart] = [each for each in mounted(app, "numbers") if each["title"] == "Can every token be reached?"]
    assert f"{len(tok.vocab) - len(texts):,} tokens are no text by themselves" in answers(app)
    assert (
        f"{reached:,} tokens come about where their own text is encoded. {longer:,} more come "
        f"about only within a longer text; one such text is given. {never} are never reached, whatever the text."
    ) in answers(app)
    assert chart["table"]["label"] == f"Never reached: {never} tokens"
    assert {row[3] for row in chart["table"]["rows"]} == {"unreachable"}
    tabs = [option["label"] for option in field(app, "tab")["options"]]
    assert tabs == [
        *("Never reached", "Only in longer texts", "Undecided", "Parts of characters", "Across words"),
        *("Not used in the text above", "Candidates for glitches", "Longest"),
    ]


@pytest.fixture(scope="module")
def small() -> str:
    """The name of a tokenizer with tokens across words and tokens that a short text leaves out."""
    tok = tokviz.train("low lower lowest, of the newest, of the widest", num_merges=30, alphabet="seen-bytes")
    return registry.register(tok, "small")


@pytest.mark.parametrize("tab", ["unused", "glitches", "across"])
def test_the_vocabulary_is_filtered_by_use_and_script(tab: str, small: str) -> None:
    text, name, tok = "low lower lowest newest widest", small, registry.get(small)
    settings = {"tab": tab, "kind": "Latin letters"}
    app = run_page("Vocabulary", text=text, tokenizers=[name], own_names=[name], settings=settings)
    [chart] = [each for each in mounted(app, "numbers") if each["title"] == "Can every token be reached?"]
    audited = tokviz.audit(tok, [text])
    rows = {"unused": audited.unused, "glitches": audited.glitch_candidates, "across": audited.across_words}[tab]
    expected = [row.id for row in audited.rows if row in rows and row.kind == "Latin letters"]
    assert [row[0] for row in chart["table"]["rows"]] == expected
    assert expected and ("glitch" in chart["explained"]) == (tab == "glitches")
    assert field(app, "kind")["value"] == "Latin letters"


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
        assert len(figures(app)) == {"Vocabulary": 3}.get(question, 1)


@pytest.mark.parametrize("question", ["Merges", "Vocabulary size", "This text", "Token use"])
def test_a_megabyte_is_counted_whole(question: str) -> None:
    text = "Many words, again and again. 再び 🍕\n" * 25_000
    app = run_page(question, text=text)
    assert not app.error and len(figures(app)) == 1
    if question == "Merges":
        assert f"into {len(tokviz.load('gpt2').encode(text)):,} tokens" in answers(app)


def test_a_typed_text_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    app = run_page("This text", text="typed on another page")
    assert mounted(app, "text_panel")[0]["state"]["text"] == "typed on another page"
    type_text(monkeypatch, "typed here")
    app.run()
    assert app.session_state[state._TEXT].text == "typed here"
    assert f"best with {10 / len(tokviz.load('gpt2').encode('typed here')):.2f}." in answers(app)


@pytest.mark.parametrize("sent", [7, None, ["typed"], "x" * (MAX_BODY + 1)])
def test_anything_may_be_sent_as_a_text(sent: object, monkeypatch: pytest.MonkeyPatch) -> None:
    type_text(monkeypatch, sent)
    app = run_page("This text", text="typed on another page")
    tokens = len(tokviz.load("gpt2").encode("typed on another page"))
    assert not app.error and f"best with {21 / tokens:.2f}." in answers(app)


def type_text(monkeypatch: pytest.MonkeyPatch, text: object) -> None:
    """Let the browser have sent a text."""
    mount = components._component

    def mounted_with_text(name: str, key: str, data: dict[str, Any], *sheets: str) -> Any:
        shown = mount(name, key, data, *sheets)
        return SimpleNamespace(view=None, text=text) if name == "text_panel" else shown

    monkeypatch.setattr(components, "_component", mounted_with_text)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (None, "prose-and-code"),
        (sample("differences-classics").text, "differences-classics"),
        ("brought by a link", ""),
    ],
    ids=["nothing typed", "an example that another page left", "another text"],
)
def test_an_example_is_named_as_one(text: str | None, named: str) -> None:
    [panel] = mounted(run_page("This text", text=text), "text_panel")
    assert (panel["start"] if panel["isNew"] else panel["sample"]) == named
    titles = {each["name"]: each["title"] for each in panel["samples"]}
    assert named == "" or titles[named]


def test_the_page_begins_with_the_example_that_it_names() -> None:
    app = run_page("Merges")
    [panel] = mounted(app, "text_panel")
    assert panel["given"]["name"] == panel["start"] and panel["given"] in panel["samples"]
    assert f"{len(panel['given']['text'].encode()):,} bytes" in answers(app)


@pytest.mark.parametrize(("name", "has_mark"), [("differences-classics", False), ("prose-en", True)])
def test_a_large_mark_is_explained_only_where_there_is_one(name: str, has_mark: bool) -> None:
    app = run_page("Merges", text=sample(name).text)
    [chart] = figures(app)
    [numbers] = mounted(app, "numbers")
    assert any("here returns begin to diminish" in said for each in chart["data"] for said in each["customdata"]) is (
        has_mark
    )
    assert ("large mark" in numbers["explained"]) is has_mark
    assert "Each step to the right after the first is ten times as many merges." in numbers["explained"]
    assert ("Large marks" in chart["alt"]) is has_mark


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Yield the name of a tokenizer that was trained here and can be chosen."""
    name = registry.register(tokviz.train("abc abc abc", num_merges=4, alphabet="characters"))
    monkeypatch.setattr(
        compression_choices, "descriptions", lambda: (Description(name, "Mine", 8, 8, (), "bpe"), *descriptions())
    )
    yield name
    registry.forget(name)


def test_a_trained_tokenizer_has_the_curve_of_its_training_text_as_well(own: str) -> None:
    app = run_page("Merges", text="abcabc", tokenizers=[own])
    assert not app.error
    [lines] = [said.value.split("\n") for said in app.text if "merges turn" in said.value]
    assert [line.split(":")[0] for line in lines] == ["Mine", "Mine, on the text it learned from"]
    assert "turn 11 bytes into" in lines[1]


def test_files_with_numbers_in_parentheses_are_distinct() -> None:
    labels = ["tokenizer (1).json", "tokenizer (2).json"]
    made = [registry.register(tokviz.train("abab", num_merges=1), label) for label in labels]
    app = run_page("This text", tokenizers=made, own_names=made)
    assert [option["label"] for option in field(app, "tokenizers")["options"]][-2:] == labels
    assert "tokenizer (1).json and tokenizer (2).json are best" in answers(app)


def test_surrounding_special_tokens_are_noted_as_not_counted() -> None:
    tok = tokviz.train("abab", num_merges=1)
    roberta = {"type": "RobertaProcessing", "cls": ["<s>", 0], "sep": ["</s>", 2]}
    surrounded = tokviz.BPETokenizer("x", tok.vocab, tok.merges, unapplied={"post_processor": roberta})
    made = [registry.register(surrounded, "with its own"), registry.register(tok, "without")]
    said = [each.value for each in run_page("This text", tokenizers=made, own_names=made).text]
    note = (
        "A model also gets special tokens around a text with these tokenizers: with its own. They are not counted here."
    )
    assert note in said
    assert note not in [each.value for each in run_page("This text", tokenizers=made[1:], own_names=made).text]


def test_a_character_outside_the_alphabet_is_named(own: str) -> None:
    app = run_page("Merges", text="abd", tokenizers=[own])
    (error,) = app.error
    assert error.value.startswith(
        "` character 'd' (U+0064) at position 2, counted from 0, is not in this tokenizer's alphabet"
    )


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


def open_page(own_names: Iterable[str] = ()) -> AppTest:
    app = opened_app(own_names)
    app.query_params["chart"] = "This text"
    app.switch_page("pages/compression.py")
    return app


def warnings_of(app: AppTest) -> list[str]:
    return [warning.value.replace("\\", "") for warning in app.warning]


@pytest.mark.parametrize("at_once", [False, True])
def test_a_link_chooses_once_among_available_tokenizers(at_once: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    made = registry.register(tokviz.train("abcabc"), "trained on “abc”")
    app = open_page([made])
    if not at_once:
        app.run()
    app.session_state[components._CHOSEN] = ["bytes", made, "none-such"]
    app.run()
    assert not app.exception
    assert field(app, "tokenizers")["value"] == ["bytes", made]
    assert ["“none-such”" in warning for warning in warnings_of(app)] == [True]
    # The same choice counts once, however often the browser sends it; a later one counts, also one made before, whose
    # answers are known: the browser is sent the choice that it made.
    for sent in (["gpt2"], ["gpt2"], ["bytes", "gpt2"], ["gpt2"]):
        choose(monkeypatch, {"tokenizers": sent})
        app.run()
        assert sorted(field(app, "tokenizers")["value"]) == sorted(sent)
        assert not app.warning


def choose(monkeypatch: pytest.MonkeyPatch, chosen: dict[str, Any]) -> None:
    """Let the browser have sent a choice."""
    mount = components.choices_widget

    def chosen_in(key: str, fields: Any) -> dict[str, Any] | None:
        mount(key, fields)
        return chosen if any(each["name"] in chosen for each in fields) else None

    monkeypatch.setattr(compression_choices, "choices_widget", chosen_in)


@pytest.mark.parametrize("sent", [{"tokenizers": 7}, {"tokenizers": [[], {}]}, {"chart": ["x"]}, {"chart": None}])
def test_anything_may_be_sent_as_a_choice(sent: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    choose(monkeypatch, sent)
    app = open_page().run()
    assert not app.exception


@pytest.mark.parametrize(
    "sent", [{"width": "x", "model": "another"}, {"context": -1}, {"tied": 3}, {"model": []}, {"width": float("inf")}]
)
def test_anything_may_be_sent_as_a_setting(sent: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    choose(monkeypatch, sent)
    app = run_page("Vocabulary size")
    assert not app.exception and len(figures(app)) == 1


def test_unknown_tokenizers_in_the_address_are_named() -> None:
    app = open_page()
    app.query_params["tokenizers"] = ["Bytes", "llama3"]
    app.run()
    assert not app.exception
    assert field(app, "tokenizers")["value"] == ["bytes"]
    [warning] = warnings_of(app)
    assert "a tokenizer that isn't here: “llama3”" in warning


def test_a_link_with_only_unknown_tokenizers_chooses_the_default() -> None:
    app = open_page()
    app.session_state[components._CHOSEN] = ["llama3", "gone"]
    app.run()
    assert field(app, "tokenizers")["value"] == compression_choices.FIRST_CHOSEN
    assert "tokenizers that aren't here: “llama3”, “gone”" in warnings_of(app)[0]


MADE_BEFORE = json.loads((Path(__file__).parents[2] / "data" / "made_before" / "compression_links.json").read_text())


@pytest.mark.parametrize("made", MADE_BEFORE, ids=lambda made: made["question"])
def test_links_made_before_open_the_same(made: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Their query; what is after the # is read in the browser, and names tokenizers of the visitor's own."""
    link = urlsplit(made["link"])
    query, fragment = parse_qs(link.query, keep_blank_values=True), parse_qs(link.fragment)
    own = registry.register(tokviz.train("abcabc"), "trained on “Code”")
    app = opened_app([own])
    if made["question"] == "Vocabulary":
        open_short_vocabularies(monkeypatch, app)
    for name, value in query.items():
        app.query_params[name] = value
    if "chosen" in fragment:
        names = fragment["chosen"][0].split(".")
        app.session_state[components._CHOSEN] = [own if name in fragment["made"][0] else name for name in names]
    app.switch_page("pages/compression.py").run()
    assert not app.exception and not app.warning
    assert field(app, "chart")["value"] == made["question"]
    labels = {option["value"]: option["label"] for option in field(app, "tokenizers")["options"]}
    assert sorted(labels[name] for name in field(app, "tokenizers")["value"]) == sorted(made["tokenizers"])
    titles = [chart["alt"].partition("?")[0] + "?" for chart in figures(app)]
    assert titles == made["headings"]


def open_short_vocabularies(monkeypatch: pytest.MonkeyPatch, app: AppTest) -> None:
    """Put tokenizers of 300 merges in the places of shipped ones, as it takes seconds to look into 200,000 tokens."""
    for name in ("gpt2", "o200k_base"):
        monkeypatch.setitem(registry._ready, name, tokviz.load(name).cut(300))
    monkeypatch.setattr(registry, "_tables", Kept(Budget()))
    app.session_state[session_cache._OWNER] = session_cache._Owner()
    app.session_state[compression_page._BRIEFS] = {}


def drop_tables() -> None:
    for key in registry._tables:
        registry._tables.drop(key)


def test_a_vocabularys_file_keeps_no_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows are looked up when the button is pressed, even if they were dropped meanwhile."""
    offered: list[Download] = []

    def offer(key: str, file: Download) -> str:
        offered.append(file)
        return key

    monkeypatch.setattr("tokviz.app.page.figures.offer", offer)
    name = registry.register(tokviz.train("low lower lowest", num_merges=5, alphabet="seen-bytes"), "small")
    run_page("Vocabulary", tokenizers=[name], own_names=[name])
    file = next(each for each in offered if each.name == "can-every-token-be-reached.csv")
    rows = cached_analyses.vocabulary_rows(name)
    drop_tables()
    assert file.make() == to_csv(rows).encode()
    del rows
    drop_tables()
    gc.collect()
    assert not any(isinstance(each, cached_analyses.VocabularyRow) for each in gc.get_objects())
