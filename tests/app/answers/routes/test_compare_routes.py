"""The routes of the Compare page: they match the package, and refuse invalid requests."""

import threading
from typing import Any

import numpy as np
import pytest
from clients import client as client
from starlette.testclient import TestClient

import tokviz
from tokviz import export
from tokviz.analysis.classes import CLASSES
from tokviz.analysis.comparison.explain_texts import explain_comparison
from tokviz.analysis.comparison.reasons import Effect, Reason
from tokviz.app.answers.routes.compare import MAX_EXPLAINED
from tokviz.app.answers.visitors.kept_tokenizers import registry
from tokviz.samples import sample
from tokviz.widgets.wire import unpack

TEXTS = {
    "empty": "",
    "classics": sample("differences-classics").text,
    "special": "one<|endoftext|>two",
    "long": sample("code-python").text * 100,
}
PAIR = ["gpt2", "cl100k_base"]


def ask(client: TestClient, route: str, text: str, tokenizers: list[str] = PAIR, **query: Any) -> Any:
    return client.post(f"/_tokviz/{route}", params={"tokenizers": ",".join(tokenizers), **query}, content=text.encode())


@pytest.mark.parametrize("special", [0, 1])
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_comparison_matches_the_package(client: TestClient, text: str, special: int) -> None:
    names = [*PAIR, "o200k_base"]
    columns, meta = unpack(ask(client, "compare", text, names, special=special, reasons=1).content)
    expected = tokviz.compare(text, names, "all" if special else ())
    assert columns["boundaries"].tolist() == expected.boundaries.tolist()
    assert columns["differing"].tolist() == expected.differing.tolist()
    assert columns["classes"].tolist() == expected.segment_classes[expected.differing].tolist()
    for one, tokenization in enumerate(expected.tokenizations):
        assert columns[f"ids_{one}"].tolist() == tokenization.ids.tolist()
        assert columns[f"byte_lengths_{one}"].tolist() == np.diff(tokenization.byte_offsets).tolist()
        assert columns[f"special_{one}"].tolist() == tokenization.special.tolist()
        assert meta["class_counts"][one] == expected.class_counts[one].tolist()
        assert [jaccard for jaccard, _ in meta["agreement"][one]] == [
            expected.agreement(one, other).jaccard for other in range(3)
        ]
    for other in (1, 2):
        assert columns[f"reasons_{other}"].tolist() == expected.reasons(other)[expected.differing].tolist()
    assert meta["classes"] == list(CLASSES)
    assert meta["names"] == ["GPT-2", "cl100k", "o200k"]


def test_visitors_tokenizers_are_named_by_their_labels(client: TestClient) -> None:
    made = tokviz.train("abab", num_merges=1)
    names = [registry.register(made, label) for label in ("tokenizer (1).json", "tokenizer (2).json", "")]
    _, meta = unpack(ask(client, "compare", "abab", ["gpt2", *names]).content)
    assert meta["names"] == ["GPT-2", "tokenizer (1).json", "tokenizer (2).json", made.name]
    _, meta = unpack(ask(client, "compare", "abab", [registry.register(made, "my text") for _ in range(2)]).content)
    assert meta["names"] == ["my text", "my text, 2"]


def test_reasons_are_sent_with_a_comparison_or_alone(client: TestClient) -> None:
    text = TEXTS["classics"]
    with_reasons, _ = unpack(ask(client, "compare", text, reasons=1).content)
    without, _ = unpack(ask(client, "compare", text).content)
    later, _ = unpack(ask(client, "compare/reasons", text).content)
    assert "reasons_1" not in without
    assert later.keys() == {"reasons_1"}
    assert later["reasons_1"].tolist() == with_reasons["reasons_1"].tolist()


def test_a_comparison_can_be_saved_as_a_page(client: TestClient) -> None:
    answer = ask(client, "compare/page", TEXTS["special"], special=1, lang="en")
    assert answer.headers["content-disposition"] == 'attachment; filename="differences.html"'
    expected = tokviz.compare(TEXTS["special"], PAIR, "all", ["GPT-2", "cl100k"])
    assert answer.text == export.comparison_to_html(expected, lang="en")


def test_explanations_use_the_labels_on_the_page(client: TestClient) -> None:
    text = "     hello"
    answer = ask(client, "compare/explain", text, segments="0-4,4-10,1-2").json()
    whole, agreed, no_segment = answer["explanations"]
    [reason] = whole["reasons"]
    assert reason["sentence"] == (
        "GPT-2 cuts “·|·|·|·”, cl100k keeps “····”: cl100k has the token “····”, which GPT-2 lacks. With "
        "cl100k's split pattern alone, GPT-2 cuts as before. With GPT-2's tokens alone, cl100k cuts as GPT-2 does."
    )
    assert reason["because"] == "cl100k has the token “····”, which GPT-2 lacks."
    assert reason["plain"] == "GPT-2 never learned four spaces as one token."
    assert reason["reasons"] == Reason.VOCABULARY
    assert reason["alone"] == [[Reason.VOCABULARY, Effect.AGREES]]
    assert whole["splits"] == [[0, 4], [0, 4]]  # both keep the last space for the word
    assert agreed["reasons"] == [None]
    assert no_segment is None


@pytest.mark.parametrize("cut", ["before", "after"])
def test_a_pretoken_that_may_extend_beyond_the_part_is_not_explained(client: TestClient, cut: str) -> None:
    """A run of letters is one pre-token, which the sent part may cut off; its neighbors are complete."""
    run = "antidisestablishmentarianism" * 9
    text = f"{run} DON'T stop" if cut == "before" else f"DON'T stop {run}"
    compared = tokviz.compare(text, ["gpt2", "cl100k_base"])
    segments = [(compared[number].start, compared[number].end) for number in compared.differing.tolist()]
    place = text.index(run)
    in_run = [place < end and start < place + len(run) for start, end in segments]
    assert any(in_run) and not all(in_run)
    asked = ",".join(f"{start}-{end}" for start, end in segments)
    whole = ask(client, "compare/explain", text, segments=asked).json()["explanations"]
    part = ask(
        client, "compare/explain", text, segments=asked, before=int(cut == "before"), after=int(cut == "after")
    ).json()["explanations"]
    assert all(whole)
    assert part == [None if inside else explained for explained, inside in zip(whole, in_run, strict=True)]


def test_words_are_those_of_the_text(client: TestClient) -> None:
    _, meta = unpack(ask(client, "compare", "one two", ["gpt2", "words"]).content)
    assert meta["names"] == ["GPT-2", "Words"]
    assert ask(client, "compare/texts", "one two", tokenizer="words", first=3).json()["texts"][0]["tokens"] == 1


def test_two_texts_under_one_tokenizer(client: TestClient) -> None:
    first, second = sample("json-pretty").text, sample("yaml").text + " 🍕"
    answer = ask(client, "compare/texts", first + second, tokenizer="gpt2", first=len(first.encode())).json()
    counts = [len(tokviz.load("gpt2").encode(text)) for text in (first, second)]
    assert [each["tokens"] for each in answer["texts"]] == counts
    assert [each["bytes"] for each in answer["texts"]] == [len(first.encode()), len(second.encode())]
    assert [sum(each["class_counts"]) for each in answer["texts"]] == counts


def test_two_texts_are_explained_up_to_a_length(client: TestClient) -> None:
    answer = ask(client, "compare/texts", "Answer:Answer: ", tokenizer="gpt2", first=7).json()
    assert answer["sentences"] == list(tokviz.explain_texts("Answer:", "Answer: ", "gpt2").sentences)
    assert "The last space is a pre-token of its own" in answer["sentences"][-1]
    assert ask(client, "compare/texts", "a " * 50_000, tokenizer="gpt2", first=2).json()["sentences"]
    assert ask(client, "compare/texts", "a " * 50_001, tokenizer="gpt2", first=2).json()["sentences"] == []


def test_two_texts_are_explained_in_a_thread(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Explaining them ranks a vocabulary's merges, which takes over a second the first time."""
    ran_in = []

    def explained(*arguments: Any) -> Any:
        ran_in.append(threading.current_thread().name)
        return explain_comparison(*arguments)

    monkeypatch.setattr("tokviz.app.answers.routes.compare.explain_comparison", explained)
    assert ask(client, "compare/texts", "aab", tokenizer="gpt2", first=1).status_code == 200
    assert [name.startswith("tokviz-") for name in ran_in] == [True]


def test_two_texts_are_compared_with_special_tokens_if_allowed(client: TestClient) -> None:
    first, second = "a<|endoftext|>", "<|endoftext|>"
    tokens = []
    for special in (0, 1):
        body = first + second
        answer = ask(client, "compare/texts", body, tokenizer="gpt2", first=len(first), special=special).json()
        tokens.append([each["tokens"] for each in answer["texts"]])
    assert tokens[1] == [2, 1]
    assert tokens[0] == [len(tokviz.load("gpt2").encode(text)) for text in (first, second)] != tokens[1]


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that collects the names of the threads that compare, in order."""
    ran_in = []

    def compared(*arguments: Any) -> Any:
        ran_in.append(threading.current_thread().name)
        return tokviz.compare(*arguments)

    monkeypatch.setattr("tokviz.app.answers.routes.compare.compare", compared)
    return ran_in


@pytest.mark.parametrize(
    ("names", "unready", "in_a_thread"),
    [
        (["gpt2", "cl100k_base"], [], False),
        (["gpt2", "cl100k_base"], ["gpt2"], True),
        (["gpt2", "cl100k_base"], ["cl100k_base"], True),
        (["gpt2", "words", "cl100k_base"], ["cl100k_base"], True),
        (["words", "gpt2"], [], False),
    ],
)
def test_loading_a_vocabulary_does_not_delay_others(
    client: TestClient,
    threads: list[str],
    monkeypatch: pytest.MonkeyPatch,
    names: list[str],
    unready: list[str],
    in_a_thread: bool,
) -> None:
    monkeypatch.setattr(registry, "is_ready", lambda name: name not in unready)
    assert ask(client, "compare", "a b", names).status_code == 200
    assert [name.startswith("tokviz-") for name in threads] == [in_a_thread]


@pytest.mark.parametrize(
    ("route", "query", "length", "in_a_thread"),
    [
        ("compare", {}, 8_000, False),
        ("compare", {}, 8_001, True),
        ("compare", {"reasons": 1}, 2, True),
        ("compare/reasons", {}, 2, True),
        ("compare/explain", {"segments": "0-1"}, 2, True),
        ("compare/page", {}, 2, True),
    ],
)
def test_longer_texts_and_reasons_need_a_thread(
    client: TestClient, threads: list[str], route: str, query: dict[str, Any], length: int, in_a_thread: bool
) -> None:
    """Threads are used above 16,000 bytes: those of the text, times the tokenizers. Reasons may take long."""
    names = ["bytes", "code-points"]
    for name in names:
        registry.get(name)
    assert ask(client, route, "a" * length, names, **query).status_code == 200
    assert [name.startswith("tokviz-") for name in threads] == [in_a_thread]


@pytest.mark.parametrize(
    ("route", "query", "status", "says"),
    [
        ("compare", {"tokenizers": "gpt2"}, 400, "2 to 8 tokenizers"),
        ("compare", {"tokenizers": ",".join(["gpt2"] * 9)}, 400, "2 to 8 tokenizers, not 9"),
        ("compare", {"tokenizers": "gpt2,nope"}, 404, "not known here"),
        ("compare", {}, 400, "lacks “tokenizers”"),
        ("compare/explain", {"tokenizers": "gpt2,bytes", "segments": "3"}, 400, "pairs of bytes"),
        ("compare/explain", {"tokenizers": "gpt2,bytes", "segments": "0-" + "9" * 30}, 400, "pairs of bytes"),
        (
            "compare/explain",
            {"tokenizers": "gpt2,bytes", "segments": ",".join(["0-1"] * (MAX_EXPLAINED + 1))},
            400,
            "No more than 200",
        ),
        ("compare/page", {"tokenizers": "gpt2,bytes", "lang": "<b>"}, 400, "language tag"),
        ("compare/texts", {"tokenizer": "gpt2", "first": 99}, 400, "more than was sent"),
        ("compare/texts", {"tokenizer": "gpt2", "first": 1}, 400, "not UTF-8"),
    ],
)
def test_refusals(client: TestClient, route: str, query: dict[str, str], status: int, says: str) -> None:
    answer = client.post(f"/_tokviz/{route}", params=query, content="é".encode())
    assert answer.status_code == status
    assert says in answer.json()["error"]
