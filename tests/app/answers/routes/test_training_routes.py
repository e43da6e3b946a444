"""Routes of the Train page: a recipe is tried, trained and followed; its result is what `tokviz.train` gives."""

import io
import json
import zipfile
from typing import Any

import pytest
from clients import client as client
from starlette.testclient import TestClient
from training_requests import LINE, LINES, RECIPE, follow, refusal, start

import tokviz
from tokviz.analysis.training.holdout import hold_out
from tokviz.app.answers import recipe_preview as recipes
from tokviz.app.answers.recipe_preview import MAX_FITTING
from tokviz.app.answers.visitors.kept_tokenizers import DESCRIPTIONS, LEARNED_FIRST, registry
from tokviz.app.answers.visitors.share_codes import read, sample_texts
from tokviz.pretokens import splitting
from tokviz.samples import sample


def trained(client: TestClient, text: str | bytes = LINES, **recipe: str) -> tuple[Any, dict[str, Any]]:
    """Train; return the tokenizer and the route's answer about it."""
    ended = follow(client, start(client, text, **recipe)["id"])
    assert ended["state"] == "done", ended
    name = ended["made"]["name"]
    return registry.get(name), client.get("/_tokviz/trained", params={"tokenizer": name}).json()


# Training


def test_a_training_learns_what_the_package_learns(client: TestClient) -> None:
    made, told = trained(client, ties="lowest-ids", specials="<a> <b>", measure="")
    expected = tokviz.train(
        LINES, num_merges=12, split_pattern="gpt2", tie_break="lowest-ids", special_tokens=["<a>", "<b>"]
    )
    assert (made.vocab, made.merges) == (expected.vocab, expected.merges)
    assert told["size"] == {"tokens": 270, "merged": 12, "special": 2, "alphabet": 256, "ids": 270}
    assert told["made"]["label"] == "trained on “my text”"
    counts = [
        len(tokviz.train(LINES, num_merges=k, split_pattern="gpt2", tie_break="lowest-ids").encode(LINES))
        for k in range(13)
    ]
    assert told["left"] == counts
    assert (told["measured_on"], told["measured"]) == ("", [])


def test_lines_are_set_aside_to_measure_on(client: TestClient) -> None:
    made, told = trained(client)
    parts = hold_out([LINES])
    assert made.vocab == tokviz.train(parts.learn, num_merges=12, split_pattern="gpt2").vocab
    assert told["measured_on"] == "lines"
    for rows, texts in ((told["learned"], parts.learn), (told["measured"], parts.held_out)):
        assert [row["bytes"] for row in rows] == [len(texts[0].encode())] * 3
        for row, tok in zip(rows, (made, tokviz.load("gpt2"), tokviz.load("cl100k_base")), strict=True):
            assert row["tokens"] == len(tok.encode(texts[0])), row["label"]


def test_one_line_is_learned_from_whole_and_measured_on_itself(client: TestClient) -> None:
    made, told = trained(client, LINE, merges="fit")
    expected = tokviz.train(LINE, split_pattern="gpt2")
    assert made.vocab == expected.vocab
    assert (told["measured_on"], told["measured"]) == ("itself", [])
    assert told["learned"][0]["tokens"] == len(expected.encode(LINE))


def test_a_sample_may_be_measured_on(client: TestClient) -> None:
    _, told = trained(client, measure="sample", other="prose-hi")
    assert told["measured"][0]["bytes"] == len(sample("prose-hi").text.encode())
    _, told = trained(client, measure="sample", other="prose-hi", alphabet="characters")
    assert told["measured"][0]["problem"].startswith("character ")


@pytest.mark.parametrize(
    ("name", "label"), [("all code", "Code"), ("prose-es", "Spanish"), ("python-docs", "Python's documentation")]
)
def test_samples_are_trained_on_by_name(client: TestClient, name: str, label: str) -> None:
    answer = start(client, "", sample=name, measure="", merges="20")
    origin = read(answer["code"])
    assert (origin.sample, origin.texts, origin.label) == (name, (), f"trained on “{label}”")
    made = registry.get(follow(client, answer["id"])["made"]["name"])
    assert made.vocab == tokviz.train(sample_texts(name), num_merges=20, split_pattern="gpt2").vocab


def test_files_are_several_texts_of_their_own_encodings(client: TestClient) -> None:
    files = [LINES.encode("utf-16"), "für für".encode()]
    lengths = ",".join(str(len(file)) for file in files)
    sent = {"lengths": lengths, "names": "a.txt\nb.txt", "label": "a.txt and 1 more"}
    made, told = trained(client, b"".join(files), measure="", **sent)
    assert made.vocab == tokviz.train([LINES, "für für"], num_merges=12, split_pattern="gpt2").vocab
    assert told["made"]["label"] == "trained on “a.txt and 1 more”"


def test_a_file_that_is_no_text_is_named(client: TestClient) -> None:
    files = {"lengths": "2,1", "names": "a.txt\nb.txt"}
    assert refusal(client, files, b"ab\xff").startswith("b.txt is no text in UTF-8")


@pytest.mark.parametrize("alphabet", ["bytes", "seen-bytes", "characters"])
@pytest.mark.parametrize("mark", ["", "</w>"])
def test_merges_are_counted_beyond_the_alphabet_that_is_learned_from(
    client: TestClient, alphabet: str, mark: str
) -> None:
    text = f"{LINES}zum Schluß"  # the last line stays: letters that only it has are in the alphabet
    made, told = trained(client, text, alphabet=alphabet, mark=mark, merges="5", specials="ß")
    assert (made.num_merges, told["stopped"]) == (5, "size")


def test_a_vocabulary_size_is_kept_to(client: TestClient) -> None:
    made, _ = trained(client, size="270")
    assert made.vocab_size == 270


@pytest.mark.parametrize(
    ("recipe", "says"),
    [
        ({"size": "900000"}, "The vocabulary may have 1 to 200,000 tokens, not 900,000."),
        ({"size": "0"}, "The vocabulary may have 1 to 200,000 tokens, not 0."),
        ({"own": "("}, "Split pattern '(' does not compile"),
        ({"specials": "<a> <a>"}, "Special tokens are repeated: <a>."),
        ({"specials": "<a> " + "a" * 20_000}, "The special tokens have 20,003 characters"),
        ({"sample": "nonsense"}, "No sample is named 'nonsense'"),
        ({"measure": "sample", "other": "nonsense"}, "No sample is named 'nonsense'"),
    ],
)
def test_recipes_that_cannot_be_followed_are_explained(client: TestClient, recipe: dict[str, str], says: str) -> None:
    assert refusal(client, recipe).startswith(says)


def test_there_must_be_a_text(client: TestClient) -> None:
    assert refusal(client, {}, "").startswith("There is nothing to learn from yet")


@pytest.mark.parametrize(
    "recipe", [{"alphabet": "runes"}, {"ties": "x"}, {"measure": "x"}, {"pattern": "x"}, {"lengths": "1"}]
)
def test_requests_that_no_page_sends_are_refused(client: TestClient, recipe: dict[str, str]) -> None:
    refusal(client, recipe, status=400)


def test_a_failed_training_says_why(client: TestClient) -> None:
    ended = follow(client, start(client, size="10")["id"])
    assert ended["problem"].startswith("The vocabulary size 10 is too small")


def test_an_unknown_training_is_refused(client: TestClient) -> None:
    answer = client.get("/_tokviz/train/state", params={"id": "gone", "merges": 0})
    assert answer.status_code == 404 and "Start it again" in answer.json()["error"]


def test_a_link_trains_once(client: TestClient) -> None:
    ids = {start(client, "only once, only once", shared="1")["id"] for _ in range(5)}
    assert len(ids) == 1
    name = follow(client, ids.pop())["made"]["name"]
    assert follow(client, start(client, "only once, only once", shared="1")["id"])["made"]["name"] == name
    assert follow(client, start(client, "only once, only once")["id"])["made"]["name"] != name


def test_a_training_is_cancelled(client: TestClient) -> None:
    id = start(client, " ".join(f"{number:b}" for number in range(90_000)), merges="50000", pattern="none")["id"]
    assert client.post("/_tokviz/train/cancel", params={"id": id}).status_code == 200
    assert follow(client, id) == {"state": "failed", "problem": "Cancelled. Nothing was kept."}


# Trying a recipe


def tried(client: TestClient, text: str, **recipe: str) -> Any:
    return client.post("/_tokviz/train/try", params=RECIPE | {"length": str(len(text))} | recipe, content=text[:20_000])


@pytest.mark.parametrize(
    ("text", "recipe", "pieces"),
    [
        ("the cat <|end|> sat", {"specials": "<|end|> <pad>"}, ["the", "·cat", "·", "<|end|>", "·sat"]),
        ("a" * 101, {"pattern": "none"}, ["a" * 100 + "…"]),
        ("ab " * 2, {"pattern": "words"}, ["ab", "·", "ab", "·"]),
        ("say gtp2 again", {"own": "gtp2"}, ["say·", "gtp2", "·again"]),
        ("in 2026", {"pattern": "cl100k", "off": "2"}, ["in", "·", "2026"]),
        ("in 2026", {"own": r"[a-z]+|\d|\s", "off": "1"}, ["in", "·", "2026"]),
    ],
)
def test_a_recipe_shows_how_it_cuts(client: TestClient, text: str, recipe: dict[str, str], pieces: list[str]) -> None:
    assert tried(client, text, **recipe).json()["pieces"] == pieces


def test_a_recipe_names_the_alternatives_of_its_pattern(client: TestClient) -> None:
    named = tried(client, "in 2026", pattern="cl100k", off="2").json()["alternatives"]
    assert [(each["name"], each["text"]) for each in named] == list(splitting.BRANCHES["cl100k"])
    own = tried(client, "in 2026", own=r"\p{N}{1,3}|my own").json()["alternatives"]
    assert [(each["name"], each["text"]) for each in own] == [("numbers", r"\p{N}{1,3}"), ("", "my own")]


def test_the_cut_is_that_of_training(client: TestClient) -> None:
    """With an end-of-word mark, white space is split off, whatever the pattern."""
    text = "low lower\n lowest"
    for pattern in ("gpt2", "none"):
        made = tokviz.train(
            text, alphabet="characters", end_of_word="</w>", split_pattern=None if pattern == "none" else pattern
        )
        pieces = tried(client, text, pattern=pattern, alphabet="characters", mark="</w>").json()["pieces"]
        assert [piece.replace("·", " ").replace("↵", "\n") for piece in pieces] == made.pretokens(text)


@pytest.mark.parametrize(("text", "more"), [("a b " * 15, False), ("a b " * 16, True), ("a" * 10_001, True)])
def test_what_is_left_out_of_the_cut_is_said(client: TestClient, text: str, more: bool) -> None:
    assert tried(client, text, pattern="words").json()["more"] is more


def test_the_merges_that_fit_are_those_that_the_text_can_give(client: TestClient) -> None:
    for text in (LINE, "abc", "aaaa", "tick tock " * 30, LINES):
        fitting = tried(client, text).json()["fitting"]
        most = len(tokviz.train(text, split_pattern="gpt2").merges)
        assert fitting <= most and (fitting == most or fitting >= 20)


def test_lines_that_are_set_aside_do_not_count_for_what_fits(client: TestClient) -> None:
    text = "".join(f"{number} is {number**3}\n" for number in range(600))
    fitting = tried(client, text, measure="lines").json()["fitting"]
    _, told = trained(client, text, measure="lines", merges="fit")
    assert told["merges"] == fitting < tried(client, text, measure="").json()["fitting"]


def test_nothing_is_trained_in_the_server_to_find_what_fits(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = len(tokviz.train(LINE, split_pattern="gpt2").merges)

    def fail(*_: Any, **__: Any) -> None:
        raise AssertionError("a training takes place here")

    monkeypatch.setattr("tokviz.app.shields.processes.training_recipes.train", fail)
    monkeypatch.setattr("tokviz.tokenizers.train.learn", fail)
    assert tried(client, LINE).json()["fitting"] == min(expected, 20)


def test_the_words_of_a_text_typed_by_hand_grow(client: TestClient) -> None:
    """It gets all merges that it can give: with a merge for 20 characters, most tokens would be single letters."""
    for name in ("prose-en", "prose-fi", "code-python", "prose-ja", "prose-hi"):
        text = sample(name).text[:423]
        fitting = tried(client, text).json()["fitting"]
        assert fitting == len(tokviz.train(text, split_pattern="gpt2").merges) > 20
    long = "".join(f"{number} is {number**3}. " for number in range(2_000))
    assert tried(client, long[:8_000]).json()["fitting"] <= 8_000 // 10  # a merge joins many places


def test_what_the_page_opens_with_is_learned_once_for_all_visitors(client: TestClient) -> None:
    opened = registry.get(LEARNED_FIRST)
    assert registry.get(LEARNED_FIRST) is opened
    text = sample(LEARNED_FIRST).text
    fitting = tried(client, text, pattern="cl100k").json()["fitting"]
    trained = tokviz.train(text, num_merges=fitting, split_pattern="cl100k")
    assert opened.encode(text) == trained.encode(text)
    assert len(text.splitlines()) == 8 and 30 <= trained.num_merges <= 45
    found = client.get("/_tokviz/trained", params={"tokenizer": LEARNED_FIRST}).json()
    left = [len(tokviz.train(text, num_merges=merges, split_pattern="cl100k").encode(text)) for merges in (0, 20, 37)]
    assert [found["left"][merges] for merges in (0, 20, 37)] == left
    assert {each.name for each in DESCRIPTIONS}.isdisjoint({LEARNED_FIRST}), "it is in no list"


def test_a_large_text_fits_many_merges(client: TestClient) -> None:
    assert tried(client, "", sample="python-docs", length="0").json()["fitting"] == MAX_FITTING


@pytest.mark.parametrize(
    ("recipe", "says"), [({"own": "("}, "does not compile"), ({"own": r"(?=(.*a)*c)b|."}, "takes longer than 0.2 s")]
)
def test_a_pattern_that_cannot_be_used_is_explained(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, recipe: dict[str, str], says: str
) -> None:
    monkeypatch.setattr(recipes, "SECONDS", 0.2)
    answer = tried(client, "ab" * 5000, **recipe)
    assert answer.status_code == 422 and says in answer.json()["error"]


def test_a_sample_shows_its_beginning(client: TestClient) -> None:
    found = client.get("/_tokviz/train/sample", params={"name": "python-docs"}).json()
    (text,) = sample_texts("python-docs")
    assert (found["text"], found["length"], found["texts"]) == (text[:20_000], len(text), 1)
    found = client.get("/_tokviz/train/sample", params={"name": "all code"}).json()
    assert found["length"] == sum(map(len, sample_texts("all code")))
    assert client.get("/_tokviz/train/sample", params={"name": "x"}).status_code == 404


# Results


def test_the_vocabulary_is_sent_in_parts_and_searched(client: TestClient) -> None:
    made, told = trained(client, measure="")
    name = told["made"]["name"]

    def ask(query: str, **how: str) -> Any:
        params = {"tokenizer": name, "by": "text", "order": "id", "from": "0"} | how
        return client.post("/_tokviz/trained/vocabulary", params=params, content=query)

    seen = [row["id"] for first in ("0", "100", "200") for row in ask("", **{"from": first}).json()["rows"]]
    assert seen == sorted(made.vocab)
    (row,) = ask("^ the$", by="regex").json()["rows"]
    text = made.encode(LINES)
    assert row["token"] == "·the" and row["times"] == text.count(row["id"])
    assert row["merge"] == made.rank(row["id"]) + 1
    assert ask("(", by="regex").status_code == 422
    assert ask("x", by="nonsense").status_code == 400
    assert ask("x" * 2_000).status_code == 413


def test_the_vocabulary_is_filtered(client: TestClient) -> None:
    made, told = trained(client, measure="")
    used = set(made.encode(LINES, "all"))
    kinds = {row.id: row.kind for row in tokviz.vocabulary_table(made)}
    reach = {row.id: row.reach for row in tokviz.token_reach(made)}

    def found(**how: str) -> set[int]:
        params = {"tokenizer": told["made"]["name"], "by": "text", "order": "id", "from": "0"} | how
        answer = client.post("/_tokviz/trained/vocabulary", params=params, content="").json()
        assert set(answer["kinds"]) == set(kinds.values()) and answer["matches"] <= 100
        return {row["id"] for row in answer["rows"]}

    latin = {token for token, kind in kinds.items() if kind == "Latin letters"}
    assert found(kind="Latin letters") == latin
    unused = {token for token, how in reach.items() if token not in used and how != "unreachable"}
    assert found(kind="Latin letters", show="unused") == latin & unused != set()
    assert found(show="unreachable") == {token for token, how in reach.items() if how == "unreachable"} != set()
    assert found(show="across words") == set()
    params = {"tokenizer": told["made"]["name"], "by": "text", "order": "id", "from": "0", "show": "nonsense"}
    assert client.post("/_tokviz/trained/vocabulary", params=params, content="").status_code == 400


def test_the_use_of_an_opened_tokenizers_tokens_is_not_known(client: TestClient) -> None:
    name = registry.register(tokviz.BPETokenizer("x", {0: b"a", 1: b"b", 2: b"ab"}, {(0, 1): 2}))
    params = {"tokenizer": name, "by": "text", "order": "rank", "from": "0", "show": "unused"}
    answer = client.post("/_tokviz/trained/vocabulary", params=params, content="")
    assert answer.status_code == 422
    assert answer.json()["error"].endswith("doesn't have the text that they were learned from.")


def test_what_an_opened_tokenizer_was_trained_on_is_not_known(client: TestClient) -> None:
    name = registry.register(tokviz.BPETokenizer("x", {0: b"a", 1: b"b", 2: b"ab"}, {(0, 1): 2}))
    told = client.get("/_tokviz/trained", params={"tokenizer": name}).json()
    assert (told["glimpse"], told["learned"], told["used"]) == (None, [], None)
    assert told["size"]["tokens"] == 3
    rows = client.post(
        "/_tokviz/trained/vocabulary", params={"tokenizer": name, "by": "id", "order": "rank", "from": 0}, content="2"
    ).json()["rows"]
    assert [(row["token"], row["parts"], row["times"]) for row in rows] == [("ab", ["a", "b"], None)]


def test_files_are_sent_and_say_what_they_lack(client: TestClient) -> None:
    made, told = trained(client, specials="<s>")
    name = told["made"]["name"]
    files = {
        each["name"]: each["says"] for each in client.get("/_tokviz/trained/files", params={"tokenizer": name}).json()
    }
    assert files["tokenizer.json"] == "Holds all that encoding needs."
    assert files["tokenizer.model"].startswith("Holds all that encoding needs. Characters newer than Unicode ")
    special = f"<s> {made.special_tokens['<s>']}"
    assert files["tokenizer.tiktoken"] == (
        f"Leaves out the split pattern (gpt2) and the special tokens with their ids, {special}. "
        "tokviz asks for them when you open the file."
    )

    def file(wanted: str) -> bytes:
        answer = client.get("/_tokviz/trained/file", params={"tokenizer": name, "file": wanted})
        assert answer.headers["content-disposition"] == f'attachment; filename="{wanted}"'
        return answer.content

    assert json.loads(file("tokenizer.json"))["model"]["type"] == "BPE"
    assert zipfile.ZipFile(io.BytesIO(file("vocab-files.zip"))).namelist() == ["vocab.bpe", "encoder.json"]
    assert client.get("/_tokviz/trained/file", params={"tokenizer": name, "file": "x"}).status_code == 404


def test_formats_that_cannot_hold_a_tokenizer_say_why(client: TestClient) -> None:
    _, told = trained(client, alphabet="characters", mark="</w>")
    files = client.get("/_tokviz/trained/files", params={"tokenizer": told["made"]["name"]}).json()
    assert len(files) == 5 and all(each["name"] == "" and each["says"].startswith("This tokenizer ") for each in files)


def test_only_tokenizers_that_merge_are_looked_into(client: TestClient) -> None:
    assert client.get("/_tokviz/trained", params={"tokenizer": "bytes"}).status_code in (404, 422)
