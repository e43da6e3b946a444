"""Routes of the Compression page: every question, in charts, in a line, and as files."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest
import tiktoken
from clients import client as client
from starlette.testclient import TestClient
from tokenizer_files import with_every_pair
from tokenizers import Tokenizer

import tokviz
from tokviz.analysis.cost.measures import aligned
from tokviz.analysis.tables import to_csv
from tokviz.app.answers.visitors.kept_tokenizers import registry
from tokviz.app.answers.visitors.visitor_tokenizers import COOKIE
from tokviz.app.shields.fairness import lanes
from tokviz.app.shields.fairness.visitors import Visitor
from tokviz.app.streamlit.components import first_text
from tokviz.samples import parallel_passages, sample, samples
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer

Answer = dict[str, Any]

QUESTIONS = {
    "Merges": ["What does each merge buy?"],
    "Vocabulary size": ["How large should the vocabulary be?"],
    "This text": ["Which tokenizer suits this text?"],
    "Languages": ["Which languages pay more?", "The text in English and Korean"],
    "Formats": ["Which formats pay more?", "Does code cost more than prose?", "How are numbers cut?"],
    "Vocabulary": [
        "How long are the tokens?",
        "Whose scripts are in the vocabulary?",
        "What is learned first?",
        "Can every token be reached?",
    ],
    "Token use": ["Which tokens does this text use?"],
}
WORDS = ("Can every token be reached?", "The text in English and Korean")
"""Sections of answers that have no chart."""


class Asking:
    """Asks the routes."""

    def __init__(self, client: TestClient) -> None:
        self.client = client

    def post(self, route: str, body: str | bytes, **query: Any) -> Any:
        return self.client.post(f"/_tokviz/compression{route}", params=query, content=body)

    def __call__(
        self,
        question: str,
        text: str | None = None,
        tokenizers: tuple[str, ...] | list[str] = ("gpt2",),
        settings: Mapping[str, Any] | None = None,
        texts: Mapping[str, str] | None = None,
        **more: Any,
    ) -> Answer:
        """Return the answer to a question about a text, by default the one that the page begins with."""
        body = json.dumps({"texts": [*texts.items()]}) if texts else first_text() if text is None else text
        query = {"question": question, "tokenizers": ",".join(tokenizers), "settings": json.dumps(settings or {})}
        answer = self.post("", body, **{**query, "texts": int(bool(texts)), "scale": 0, **more})
        assert answer.status_code == 200, answer.text
        found: Answer = answer.json()
        return found

    def line(self, question: str, text: str, tokenizers: list[str]) -> str:
        return str(self(question, text, tokenizers)["line"])


@pytest.fixture
def ask(client: TestClient) -> Asking:
    return Asking(client)


def figures(answer: Answer) -> list[dict[str, Any]]:
    """The charts, as Plotly gets them."""
    return [json.loads(each["figure"]) for each in answer["sections"] if each["figure"]]


def said(answer: Answer) -> str:
    return "\n".join(each["answer"] for each in answer["sections"])


def field(answer: Answer, name: str) -> dict[str, Any]:
    """A setting."""
    found: list[dict[str, Any]] = [each for part in answer["sections"] for each in part["fields"]]
    [field] = [each for each in found if each["name"] == name]
    return field


@pytest.mark.parametrize("question", QUESTIONS)
def test_each_question_has_described_charts_with_their_numbers(question: str, ask: Asking) -> None:
    answer = ask(question)
    assert not answer["hint"]
    assert [each["title"] for each in answer["sections"]] == QUESTIONS[question]
    for each in answer["sections"]:
        query = {"question": question, "tokenizers": "gpt2", "section": each["name"]}
        rows = ask.post("/file", first_text(), **query)
        assert each["table"]["rows"] and rows.headers["content-type"].startswith("text/csv")
        assert len(list(csv.reader(io.StringIO(rows.text, newline="")))) >= 1 + len(each["table"]["rows"])
        picture = ask.post("/file", first_text(), **query, picture=1)
        if each["title"] in WORDS:
            assert not each["figure"] and picture.status_code == 404
            continue
        assert each["alt"].startswith(each["title"]) and each["alt"].endswith("numbers are in the table beneath it.")
        drawn, saved = json.loads(each["figure"]), picture.json()
        assert drawn["data"] and len(saved["data"]) == len(drawn["data"])
        assert saved["layout"]["width"] and each["title"] in saved["layout"]["title"]["text"]
        assert "layout" not in drawn["layout"]["template"]  # the page has its own colors


def test_a_presented_chart_has_large_type_and_fills_the_screen(ask: Asking) -> None:
    [small], [large] = figures(ask("This text")), figures(ask("This text", scale=150))
    assert small["layout"]["height"] and "height" not in large["layout"]
    assert large["layout"]["font"]["size"] == 33  # 22 px on the smallest screen


def test_every_question_is_answered_in_a_line(ask: Asking) -> None:
    text, names = first_text(), ["gpt2", "o200k_base"]
    assert all(ask.line(question, text, names).endswith(".") for question in QUESTIONS)
    least = min(len(tokviz.load(name).encode(text)) for name in names)
    assert f"{len(text.encode()):,} bytes into {least:,} tokens" in ask.line("Merges", text, names)


def test_what_is_said_of_how_to_read_a_chart_counts_its_rows(ask: Asking) -> None:
    for question, texts, sentence in (
        ("Languages", parallel_passages(), "The same text in {} languages;"),
        ("Formats", [each for each in samples() if each.kind == "data"], "written in {} formats."),
    ):
        chart = ask(question)["sections"][0]
        assert sentence.format(len(texts)) in chart["explained"]
        assert len({row[0] for row in chart["table"]["rows"]}) == len(texts)


def test_answers_in_a_line_name_what_is_missing(ask: Asking) -> None:
    assert ask.line("Merges", "", ["gpt2"]) == "Type or paste a text first."
    assert "English" in ask.line("Languages", "", ["gpt2"])
    assert ask.line("Merges", "text", ["bytes"]) == "Choose a tokenizer that has merges."


def text_of(data: bytes) -> str | None:
    """The text that these bytes are; None if they are none."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def test_tokens_reached_in_longer_texts_are_not_called_unreachable(ask: Asking) -> None:
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
    answer = ask("Vocabulary")
    chart = answer["sections"][-1]
    assert f"{len(tok.vocab) - len(texts):,} tokens are not text on their own" in said(answer)
    assert (
        f"{reached:,} tokens can be reached by encoding their own text. {longer:,} more need "
        f"a longer text; one such text is given. {never} are never reached, whatever the text."
    ) in said(answer)
    assert chart["table"]["label"] == f"Never reached: {never} tokens"
    assert {row[3] for row in chart["table"]["rows"]} == {"unreachable"}
    tabs = [option["label"] for option in field(answer, "tab")["options"]]
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
def test_the_vocabulary_is_filtered_by_use_and_script(tab: str, small: str, ask: Asking) -> None:
    text, name, tok = "low lower lowest newest widest", small, registry.get(small)
    settings = {"tab": tab, "kind": "Latin letters"}
    answer = ask("Vocabulary", text=text, tokenizers=[name], settings=settings)
    chart = answer["sections"][-1]
    audited = tokviz.audit(tok, [text])
    rows = {"unused": audited.unused, "glitches": audited.glitch_candidates, "across": audited.across_words}[tab]
    expected = [row.id for row in audited.rows if row in rows and row.kind == "Latin letters"]
    assert [row[0] for row in chart["table"]["rows"]] == expected
    assert expected and ("glitch" in chart["explained"]) == (tab == "glitches")
    assert field(answer, "kind")["value"] == "Latin letters"


@pytest.mark.parametrize("question", ["Merges", "Vocabulary size", "This text", "Token use"])
def test_without_a_text_it_asks_for_one(question: str, ask: Asking) -> None:
    answer = ask(question, text="")
    assert answer["hint"] == "Type or paste a text first." and not answer["sections"]


@pytest.mark.parametrize("question", QUESTIONS)
def test_without_a_tokenizer_it_asks_for_one(question: str, ask: Asking) -> None:
    answer = ask(question, tokenizers=[])
    assert answer["hint"].startswith("Choose a tokenizer") and not answer["sections"]


def test_only_tokenizers_with_merges_have_curves(ask: Asking) -> None:
    assert ask("Merges", tokenizers=["bytes"])["hint"] == "Choose a tokenizer that has merges."
    assert len(figures(ask("This text", tokenizers=["bytes", "code-points"]))) == 1


def test_left_out_tokenizers_are_named_with_the_reason(ask: Asking) -> None:
    answer = ask("Merges", tokenizers=["gpt2", "code-points", "bytes"])
    assert answer["notes"] == ["Left out, because they have no merges: Code points, Bytes."]
    symbols = {value: bytes([value]) for value in range(256)}
    odd = registry.register(tokviz.BPETokenizer("odd", symbols | {256: b"abc", 257: b"ab"}), "Odd")
    for question in ("Merges", "Vocabulary size"):
        answer = ask(question, text="abc", tokenizers=["gpt2", odd])
        assert len(figures(answer)) == 1
        for notes in (answer["notes"], ask(question, text="abc", tokenizers=[odd])["notes"]):
            [note] = notes
            assert note.startswith("Odd is left out") and "it does not apply its merges in rank order" in note
        answer = ask(question, text="abc", tokenizers=[odd])
        assert not answer["hint"] and not answer["sections"]
        assert ask.line(question, "abc", [odd]).startswith("Odd is left out")
    answer = ask("Vocabulary", tokenizers=[odd])
    assert not answer["hint"] and len(figures(answer)) == 3


def test_an_open_models_file_has_curves_and_a_vocabulary(ask: Asking) -> None:
    """The file is like Llama 3's: a merge for each pair of tokens that forms a token, and its own split pattern."""
    prose = "\n".join(each.text for each in parallel_passages())
    listed = with_every_pair(tokviz.train(prose, num_merges=400, split_pattern="gpt2"))
    llama3 = registry.register(listed, "llama3.json")
    for question in ("Merges", "Vocabulary size", "Vocabulary"):
        answer = ask(question, tokenizers=[llama3])
        assert not answer["hint"] and not answer["notes"]
        assert len(figures(answer)) == {"Vocabulary": 3}.get(question, 1)


@pytest.mark.parametrize("question", ["Merges", "Vocabulary size", "This text", "Token use"])
def test_a_megabyte_is_counted_whole(question: str, ask: Asking) -> None:
    text = "Many words, again and again. 再び 🍕\n" * 25_000
    answer = ask(question, text=text)
    assert not answer["hint"] and len(figures(answer)) == 1
    if question == "Merges":
        assert f"into {len(tokviz.load('gpt2').encode(text)):,} tokens" in said(answer)


@pytest.mark.parametrize(("name", "has_mark"), [("differences-classics", False), ("prose-en", True)])
def test_a_large_mark_is_explained_only_where_there_is_one(name: str, has_mark: bool, ask: Asking) -> None:
    answer = ask("Merges", text=sample(name).text)
    [section], [chart] = answer["sections"], figures(answer)
    marks = [said for each in chart["data"] for said in each["customdata"] if "returns begin to diminish" in said]
    assert bool(marks) is has_mark
    assert ("large mark" in section["explained"]) is has_mark
    assert "Each step to the right after the first is ten times as many merges" in section["explained"]
    assert ("Large marks" in section["alt"]) is has_mark


def bert_unknown(text: str) -> tuple[int, int]:
    """How many of BERT's tokens are [UNK], and how many there are, by Hugging Face's library."""
    bert = tokviz.load("bert-base-uncased")
    assert isinstance(bert, HuggingFaceTokenizer)
    tokens = Tokenizer.from_str(bert.data.decode()).encode(text, add_special_tokens=False).tokens
    return tokens.count("[UNK]"), len(tokens)


def test_tokens_that_say_nothing_of_the_text_are_counted_beside_the_answer(ask: Asking) -> None:
    text, names = "ሰላም ለዓለም 🍕 🍕 low", ["gpt2", "bert-base-uncased"]
    unknown, tokens = bert_unknown(text)
    note = f"{unknown} of BERT's {tokens} tokens are [UNK], which says nothing of the text."
    assert ask("This text", text=text, tokenizers=names)["notes"] == [note]
    assert ask.line("This text", text, names).endswith(f". {note}")
    assert not ask("This text", text="low", tokenizers=names)["notes"]
    passages = {each.title.split(" · ")[0]: bert_unknown(each.text) for each in parallel_passages()}
    unknown, tokens = map(sum, zip(*passages.values(), strict=True))
    [note] = ask("Languages", tokenizers=names)["notes"]
    sentence = f"{unknown:,} of BERT's {tokens:,} tokens are [UNK], which says nothing of the text. So are most of"
    most = [name for name, (one, every) in passages.items() if 2 * one > every]
    assert note.startswith(sentence) and "Amharic" in most and all(name in note for name in most)
    assert not ask("Languages", tokenizers=["gpt2"])["notes"]
    formats = [each.text for each in samples() if each.kind in ("data", "code")] + [sample("prose-en").text]
    unknown = sum(bert_unknown(each)[0] for each in formats)
    notes = ask("Formats", tokenizers=names)["notes"]
    assert [each.split(" ")[0] for each in notes] == ([f"{unknown:,}"] if unknown else [])


def test_the_chosen_tokenizers_are_marked_with_their_colors_in_the_charts(ask: Asking) -> None:
    answer = ask("Merges", "low lower", ("cl100k_base", "gpt2", "bytes"))
    lines = {trace["name"]: trace["line"]["color"] for trace in figures(answer)[0]["data"] if trace.get("name")}
    assert answer["colors"] == {"cl100k_base": lines["cl100k"], "gpt2": lines["GPT-2"]}


@pytest.mark.parametrize("text", ["日本語 " * 9, "CAPITALS ARE LOWERED, AND é LOSES ITS ACCENT"])
def test_a_tokenizer_that_loses_text_is_not_the_best(text: str, ask: Asking) -> None:
    """BERT's [UNK]s stand for any text, and its other tokens for small letters."""
    bert, gpt2 = tokviz.load("bert"), tokviz.load("gpt2")
    assert len(bert.encode(text)) < len(gpt2.encode(text)) and bert.decode(bert.encode(text)) != text
    loses = "BERT doesn't count: its tokens don't give the whole text back."
    ratio = len(text.encode()) / len(gpt2.encode(text))
    answer = ask("This text", text, ("bert-base-uncased", "gpt2"))
    assert answer["sections"][0]["answer"] == f"More is better: GPT-2 is best with {ratio:.2f}. {loses}"
    (bars,) = figures(answer)[0]["data"]
    assert bars["y"] == ["GPT-2", "BERT"], "the best is at the top"
    line = ask.line("This text", text, ["bert-base-uncased", "gpt2"])
    assert line.startswith(f"GPT-2 takes {len(gpt2.encode(text))} tokens. {loses}")
    alone = ask("This text", text, ("bert-base-uncased",))
    assert alone["sections"][0]["answer"] == f"More is better: none of these is best. {loses}"


def test_merges_of_other_libraries_have_no_curves_here_and_that_is_said(ask: Asking) -> None:
    names = ["mistral-7b", "deepseek", "bert-base-uncased"]
    for question in ("Merges", "Vocabulary size"):
        answer = ask(question, tokenizers=names)
        assert not answer["hint"] and not answer["sections"]
        elsewhere, without = answer["notes"]
        assert "Mistral 7B and DeepSeek V3" in elsewhere and "merges that tokviz applies itself" in elsewhere
        assert without == "Left out, because they have no merges: BERT."
        assert ask.line(question, "text", names) == elsewhere
        assert len(figures(ask(question, tokenizers=["gpt2", *names]))) == 1


def test_what_is_in_a_vocabulary_needs_no_merges(ask: Asking) -> None:
    answer = ask("Vocabulary", tokenizers=["mistral-7b", "bert-base-uncased"])
    assert not answer["hint"] and "Mistral 7B and BERT" in answer["notes"][0]
    assert [each["title"] for each in answer["sections"]] == QUESTIONS["Vocabulary"][:2]
    vocab = tokviz.load("bert-base-uncased").vocab.values()
    marked = sum(data.startswith(b"##") and data[2:].isalpha() and data.isascii() for data in vocab)
    rows = {tuple(row[:2]): row[2] for row in answer["sections"][1]["table"]["rows"]}
    plain = sum(data.isalpha() and data.isascii() for data in vocab)
    assert rows["BERT", "Latin letters"] >= marked + plain > 20_000  # those with ## in front are letters as well
    sizes = Counter(len(data.removeprefix(b"##")) for data in vocab)
    found = {row[1]: row[2] for row in answer["sections"][0]["table"]["rows"] if row[0] == "BERT"}
    assert found == sizes
    assert "BERT's" in ask.line("Vocabulary", "", ["bert-base-uncased"])
    beside = ask("Vocabulary", tokenizers=["bert-base-uncased", "gpt2"], settings={"look": "bert-base-uncased"})
    assert len(beside["sections"]) == 4 and [each["value"] for each in field(beside, "look")["options"]] == ["gpt2"]
    assert ask("Vocabulary", tokenizers=["bytes"])["hint"] == "Choose a tokenizer that has a learned vocabulary."


@pytest.fixture
def own() -> Iterator[str]:
    """Yield the name of a tokenizer that was trained here."""
    name = registry.register(tokviz.train("abc abc abc", num_merges=4, alphabet="characters"), "Mine")
    yield name
    registry.forget(name)


def test_a_trained_tokenizer_has_the_curve_of_its_training_text_as_well(own: str, ask: Asking) -> None:
    lines = said(ask("Merges", text="abcabc", tokenizers=[own])).split("\n")
    assert [line.split(":")[0] for line in lines] == ["Mine", "Mine, on the text it learned from"]
    assert "turn 11 bytes into" in lines[1]


def test_files_with_numbers_in_parentheses_are_distinct(ask: Asking) -> None:
    labels = ["tokenizer (1).json", "tokenizer (2).json"]
    made = [registry.register(tokviz.train("abab", num_merges=1), label) for label in labels]
    assert "tokenizer (1).json and tokenizer (2).json are best" in said(ask("This text", tokenizers=made))


def test_tokenizers_with_the_same_label_are_told_apart_as_in_the_picker(ask: Asking) -> None:
    made = [registry.register(tokviz.train(text, num_merges=2), "my text") for text in ("abab", "xyxy")]
    labels = ["my text", "my text, 2"]
    for question, column in (("Merges", 0), ("This text", 1)):
        answer = ask(question, "abab xyz", made)
        assert {row[column] for row in answer["sections"][0]["table"]["rows"]} >= {*labels}, question
        assert len({answer["colors"][name] for name in made}) == 2
    ask.client.cookies.set(COOKIE, ".".join(made))  # the page has both, though it asks about the second
    assert "my text, 2" in ask.line("This text", "abab", made[1:])
    ask.client.cookies.clear()


def test_a_character_outside_the_alphabet_is_named(own: str, ask: Asking) -> None:
    answer = ask("Merges", text="abd", tokenizers=[own])
    assert "'d' (U+0064) at position 2, counted from 0, is not in this tokenizer's alphabet" in answer["hint"]
    assert "'d' (U+0064)" in ask.line("Merges", "abd", [own])
    file = ask.post("/file", "abd", question="Merges", tokenizers=own, section="merges")
    assert (file.status_code, file.json()["error"]) == (422, answer["hint"])


def test_texts_of_the_readers_own_are_compared_and_read(ask: Asking) -> None:
    texts = {"one": "\ufeffGröße\n", "two": "size"}
    chart, reading = ask("Languages", texts=texts)["sections"]
    assert {row[0] for row in chart["table"]["rows"]} == {"one", "two"}
    assert reading["title"] == "The text in one and two" and reading["table"]["rows"] == [[1, "Größe", "size"]]
    answer = ask("Languages", texts={"short": "one line"}, settings={"beside": True})
    assert answer["hint"].startswith("“short” has 1 line and “English” has 6: line n of each text must mean the same")
    assert answer["hint"].endswith(".") and answer["hint"] == answer["line"]
    alone = ask("Languages", texts={"short": "one line"})
    assert alone["hint"] == alone["line"] == "Add a second text, or compare this one with the passages."
    korean = next(each.text for each in parallel_passages() if each.title.startswith("Korean"))
    same = ask("Languages", texts={"again": korean}, settings={"beside": True, "language": "again"})
    assert field(same, "language")["value"] == "again"
    assert [row[2] for row in same["sections"][1]["table"]["rows"]] == korean.rstrip("\n").split("\n")


def test_parallel_texts_must_have_equal_line_counts() -> None:
    assert aligned({"a": "one\r\ntwo\n", "b": "\ufeffeins\nzwei"}) == {"a": "one\ntwo", "b": "eins\nzwei"}
    with pytest.raises(ValueError, match="“b” has 1 line and “a” has 2"):
        aligned({"a": "one\ntwo", "b": "eins"})
    with pytest.raises(ValueError, match="“a” is empty"):
        aligned({"a": "\n", "b": "\n"})
    assert aligned({}) == {}


def test_tables_of_several_tokenizers_name_them() -> None:
    tables = {name: tokviz.token_frequencies("a b a", name) for name in ("gpt2", "o200k_base")}
    head, *rows = csv.reader(io.StringIO(to_csv(tables), newline=""))
    assert head[0] == "tokenizer"
    assert [row[0] for row in rows] == ["gpt2"] * len(tables["gpt2"]) + ["o200k_base"] * len(tables["o200k_base"])
    assert to_csv({"gpt2": []}) == ""


@pytest.mark.parametrize(
    "sent",
    [
        {"width": "x", "model": "another"},
        {"context": -1},
        {"tied": 3},
        {"model": []},
        {"width": float("inf")},
        {"x": 1},
    ],
)
def test_anything_may_be_sent_as_a_setting(sent: dict[str, Any], ask: Asking) -> None:
    answer = ask("Vocabulary size", settings=sent)
    assert not answer["hint"] and len(figures(answer)) == 1


@pytest.mark.parametrize(
    ("query", "status", "says"),
    [
        ({"tokenizers": "none-such"}, 404, "not known here"),
        ({"tokenizers": "words"}, 400, "The Words tokenizer"),
        ({"tokenizers": ",".join(f"t{number}" for number in range(60))}, 400, "up to 40 tokenizers"),
        ({"question": "Why?"}, 400, "no question of this name"),
        ({"settings": "[1]"}, 400, "no JSON object"),
        ({"settings": "[" * 20_000}, 400, "levels of lists"),
        ({"texts": 1}, 400, "each with a name"),
        ({"scale": "1.5"}, 400, "“scale” must be a whole number"),
    ],
)
def test_what_is_wrong_with_a_request_is_said(query: dict[str, Any], status: int, says: str, ask: Asking) -> None:
    answer = ask.post("", "a text", **{"question": "This text", "tokenizers": "gpt2", "scale": 0, **query})
    assert answer.status_code == status and says in answer.json()["error"]


def test_a_body_that_is_no_text_is_refused(ask: Asking) -> None:
    query = {"question": "Languages", "tokenizers": "gpt2", "scale": 0}
    assert ask.post("", b"\xff", **query, texts=0).status_code == 400
    too_many = [[str(number), "x"] for number in range(101)]
    for sent in (None, 1, "ab", ["ab"], [["one", 1]], [["one"]], [[[], "x"]], [{"one": "x"}], too_many):
        assert ask.post("", json.dumps({"texts": sent}), **query, texts=1).status_code == 400, sent
    assert ask.post("", json.dumps({"one": "x"}), **query, texts=1).status_code == 400


def test_a_text_is_too_long_for_several_tokenizers(ask: Asking) -> None:
    names = "gpt2,cl100k_base,o200k_base"
    for path in ("", "/file"):
        refused = ask.post(path, "a" * 3_400_000, question="This text", tokenizers=names, scale=0, section="text")
        assert refused.status_code == 413 and "3 tokenizers" in refused.json()["error"]


def test_short_texts_do_not_wait_for_long_ones(ask: Asking) -> None:
    """Two addresses had all threads with four long texts: a third one's “hello” took 11 s."""
    go_on = Event()
    held = [lanes.long_charts.submit(Visitor(f"10.0.0.{number}"), go_on.wait) for number in range(4)]
    given = {"question": "This text", "scale": 0}
    with ThreadPoolExecutor(1) as pool:
        try:
            long = pool.submit(ask.post, "", "low " * 50_000, tokenizers="gpt2,bytes", **given)
            assert ask.post("", "low", tokenizers="gpt2,bytes", **given).status_code == 200
            assert not long.done()
        finally:
            go_on.set()
        assert long.result().status_code == 200
    assert all(each.result() for each in held)


def test_a_section_that_is_not_there_has_no_file(ask: Asking) -> None:
    for section, tokenizers in (("none", "gpt2"), ("merges", "bytes")):
        answer = ask.post("/file", "text", question="Merges", tokenizers=tokenizers, section=section)
        assert answer.status_code == 404 and answer.json()["error"].startswith("The page no longer shows this part.")
