"""Trainings by other libraries on the Train page: what the page is told is what the libraries give."""

from collections import Counter
from typing import Any

import pytest
import tokenizers
from clients import client as client
from sentencepiece import SentencePieceProcessor
from starlette.testclient import TestClient
from training_requests import follow, refusal, start

import tokviz
from tokviz.app.answers.visitors.kept_tokenizers import registry
from tokviz.app.shields.processes.engine_training import first_symbols_table
from tokviz.app.shields.processes.guarded import GuardedTokenizer
from tokviz.app.shields.processes.training_recipes import SentencePieceRecipe

TEXT = "The lowest of the low 1234 are newer and wider, the newest 5678.\nÀ la carte, ﬁne  cafés\n" * 30 + "a rare 🍕"
SENTENCEPIECE = {"algorithm": "sentencepiece", "measure": "", "size": "60"}
OPTIONS: dict[str, Any] = {
    "model_type": "bpe",
    "character_coverage": 0.999,
    "split_digits": True,
    "add_dummy_prefix": False,
    "remove_extra_whitespaces": False,
    "normalization_rule_name": "nfkc",
    "max_sentencepiece_length": 5,
}


def trained(client: TestClient, text: str = TEXT, **recipe: str) -> tuple[str, GuardedTokenizer, dict[str, Any]]:
    return result(client, start(client, text, **recipe)["id"])


def result(client: TestClient, id: str) -> tuple[str, GuardedTokenizer, dict[str, Any]]:
    ended = follow(client, id)
    assert ended["state"] == "done", ended
    name = ended["made"]["name"]
    made = registry.get(name)
    assert isinstance(made, GuardedTokenizer)
    return name, made, client.get("/_tokviz/trained", params={"tokenizer": name}).json()


def words(options: dict[str, Any]) -> dict[str, str]:
    return {name: str(int(value)) if isinstance(value, bool) else str(value) for name, value in options.items()}


@pytest.fixture(scope="module")
def started(client: TestClient) -> dict[str, Any]:
    return start(client, TEXT, **SENTENCEPIECE | words(OPTIONS))


@pytest.fixture(scope="module")
def bpe(client: TestClient, started: dict[str, Any]) -> tuple[str, GuardedTokenizer, dict[str, Any]]:
    return result(client, started["id"])


def test_options_are_those_of_the_library(bpe: tuple[str, GuardedTokenizer, dict[str, Any]]) -> None:
    _, made, told = bpe
    expected = tokviz.train_sentencepiece(TEXT, vocab_size=60, hard_vocab_limit=False, num_threads=1, **OPTIONS)
    assert made.files == {"tokenizer.model": expected.data}
    assert made.encode(TEXT) == SentencePieceProcessor(model_proto=expected.data).encode(TEXT)
    assert (told["algorithm"], told["ids"], sum(told["kinds"].values())) == ("bpe", 60, 60)
    assert told["kinds"]["special"] == 2  # <s> and </s>
    effects = {row["option"]: row["says"] for row in told["training"]["effects"]}
    assert effects.keys() == {*OPTIONS, "byte_fallback"} - {"model_type"}
    assert effects["split_digits"] in ("“1234” is cut 1 2 3 4", "“5678” is cut 5 6 7 8")
    assert effects["normalization_rule_name"] == "It replaces ﬁ → fi (30×)."
    assert effects["add_dummy_prefix"].startswith("Nothing is put in front of a text: “The” becomes T")


def test_what_has_no_piece_is_counted_as_the_library_does(bpe: tuple[str, GuardedTokenizer, dict[str, Any]]) -> None:
    _, made, told = bpe
    library = SentencePieceProcessor(model_proto=made.files["tokenizer.model"])
    ids = library.encode(TEXT)
    training = told["training"]
    assert training["tokens"] == training["learned"][0]["tokens"] == len(ids)
    assert training["unknown"] == sum(map(library.is_unknown, ids)) > 0
    surfaces = (piece for piece, token in zip(library.encode(TEXT, out_type=str), ids, strict=True) if token == 0)
    assert dict(training["rare"]) == Counter("".join(surfaces))
    assert "🍕" in training["snippet"]


def test_pieces_are_sorted_and_searched(client: TestClient, bpe: tuple[str, GuardedTokenizer, dict[str, Any]]) -> None:
    name, made, _ = bpe
    library = SentencePieceProcessor(model_proto=made.files["tokenizer.model"])
    counts = Counter(library.encode(TEXT))

    def rows(order: str, query: str = "", first: int = 0) -> Any:
        params = {"tokenizer": name, "order": order, "from": str(first)}
        return client.post("/_tokviz/trained/pieces", params=params, content=query.encode()).json()

    by_id = rows("id")["rows"]
    assert [row["piece"] for row in by_id] == [library.id_to_piece(token) for token in range(60)]
    assert [row["score"] for row in by_id] == [library.get_score(token) for token in range(60)]
    assert [row["times"] for row in by_id] == [counts[token] for token in range(60)]
    assert rows("count")["rows"][0]["id"] == counts.most_common(1)[0][0]
    found = rows("length", "e")
    assert found["matches"] == sum("e" in library.id_to_piece(token) for token in range(60))
    assert len(rows("id", first=58)["rows"]) == 2


@pytest.mark.parametrize("is_on", [False, True])
def test_byte_fallback_is_toggled_exactly(client: TestClient, is_on: bool) -> None:
    recipe = SENTENCEPIECE | {"size": "360", "model_type": "unigram", "byte_fallback": str(int(is_on))}
    name, made, told = trained(client, **recipe)
    read = client.post("/_tokviz/trained/read", params={"tokenizer": name}, content="the 🍕 low").json()
    own, other = read["ways"]
    assert (own["fallback"], other["fallback"]) == (is_on, not is_on)
    library = SentencePieceProcessor(model_proto=made.files["tokenizer.model"])
    assert own["ids"] == library.encode("the 🍕 low")
    fallback, unknown = (own, other) if is_on else (other, own)
    spelled = [piece for piece, is_byte in zip(fallback["pieces"], fallback["bytes"], strict=True) if is_byte]
    assert bytes(int(piece[3:5], 16) for piece in spelled).decode() == "🍕"
    assert [piece for piece, is_unknown in zip(unknown["pieces"], unknown["unknown"], strict=True) if is_unknown] == [
        "<unk>"
    ]
    assert (fallback["decoded"], "🍕" in unknown["decoded"]) == ("the 🍕 low", False)
    assert abs(own["vocabulary"] - other["vocabulary"]) == 256
    assert sum(own["lengths"]) == len("the 🍕 low".encode())
    counted = "from_bytes" if is_on else "unknown"
    assert told["training"][counted] > 0
    effects = {row["option"]: row["says"] for row in told["training"]["effects"]}
    assert f"{told['training'][counted]:,} tokens" in effects["byte_fallback"]


def test_code_points_first_or_bytes_first_is_computed_on_the_text(
    bpe: tuple[str, GuardedTokenizer, dict[str, Any]],
) -> None:
    table = bpe[2]["training"]["first_symbols"]
    expected = tokviz.code_points_or_bytes(TEXT, vocab_size=table["least"], character_coverage=0.999)
    assert (table["vocab_size"], expected.vocab_size) == (None, None)  # the same two lines again and again
    assert (table["characters"], table["asked"]) == (len(TEXT), 60)
    assert [way["tokens"] for way in table["ways"]] == [way.tokens for way in expected.ways]
    assert [way["lossless"] for way in table["ways"]] == [False, True, True]
    assert [row["character"] for row in table["rare"]] == [row.character for row in expected.rare]


def test_sizes_too_small_to_compare_are_raised() -> None:
    text = "".join(f"{word} {word}s and {word}ly " for word in dir(str))
    table = first_symbols_table(SentencePieceRecipe(60), text)
    assert (table.asked, table.vocab_size) == (60, table.least)
    assert [way["vocabulary"] for way in table.ways] == [table.least] * 3


def test_word_pieces(client: TestClient) -> None:
    recipe = {"algorithm": "wordpiece", "measure": "lines", "size": "80", "lowercase": "0", "limit_alphabet": "20"}
    name, made, told = trained(client, **recipe)
    library = tokenizers.Tokenizer.from_buffer(made.files["tokenizer.json"])
    assert told["algorithm"] == "wordpiece"
    assert made.encode("The low") == library.encode("The low", add_special_tokens=False).ids
    assert told["training"]["first_symbols"] is None
    assert told["training"]["unknown"] > 0  # 20 characters are not enough
    files = client.get("/_tokviz/trained/files", params={"tokenizer": name}).json()
    assert [file["name"] for file in files] == ["tokenizer.json", "vocab.txt"]
    saved = client.get("/_tokviz/trained/file", params={"tokenizer": name, "file": "vocab.txt"}).text
    assert saved.splitlines() == [library.id_to_token(token) for token in range(library.get_vocab_size())]
    (way,) = client.post("/_tokviz/trained/read", params={"tokenizer": name}, content="The").json()["ways"]
    assert way["pieces"] == library.encode("The", add_special_tokens=False).tokens


def test_a_link_trains_the_same_again(
    client: TestClient, started: dict[str, Any], bpe: tuple[str, GuardedTokenizer, dict[str, Any]]
) -> None:
    name, made, _ = bpe
    rebuilt = client.post("/_tokviz/made?id=no-longer-kept-here-at-all", content=started["code"].encode())
    assert rebuilt.status_code == 200, rebuilt.text
    assert rebuilt.json()["kind"] == "engine"
    assert rebuilt.json()["name"] != name
    assert registry.get(rebuilt.json()["name"]).vocab == made.vocab


def test_a_size_that_fits_is_found(client: TestClient) -> None:
    recipe = {"algorithm": "sentencepiece", "byte_fallback": "1", "measure": ""}
    tried = client.post("/_tokviz/train/try", params={"length": str(len(TEXT))} | recipe, content=TEXT.encode()).json()
    assert tried["alphabet"] == len(set(TEXT))
    assert tried["fitting"] > len(set(TEXT)) + 256
    _, made, told = trained(client, merges="fit", **recipe)
    assert made.vocab_size <= tried["fitting"]
    assert told["kinds"]["byte"] == 256


@pytest.mark.parametrize(
    ("recipe", "says"),
    [
        ({"algorithm": "bert"}, "There is no training named 'bert'."),
        ({"character_coverage": "0.5"}, "The option character_coverage must be from 0.98 to 1."),
        ({"max_sentencepiece_length": "1000000"}, "The option max_sentencepiece_length must be from 1 to 512."),
        ({"size": "900000"}, "The vocabulary may have 1 to 200,000 tokens"),
        (
            {"algorithm": "wordpiece", "wordpieces_prefix": "x" * 21},
            "The option wordpieces_prefix must be a text of",
        ),
        (
            {"algorithm": "wordpiece", "min_frequency": "2000000"},
            "The option min_frequency must be from 0 to 1,000,000.",
        ),
    ],
)
def test_recipes_that_cannot_be_followed_are_explained(client: TestClient, recipe: dict[str, str], says: str) -> None:
    assert refusal(client, SENTENCEPIECE | recipe).startswith(says)


@pytest.mark.parametrize(
    ("recipe", "says"),
    [
        ({"character_coverage": "nan"}, "“character_coverage” must be a number from 0 to 1."),
        ({"byte_fallback": "yes"}, "“byte_fallback” must be 0 or 1."),
        ({"normalization_rule_name": "/etc/passwd"}, "“normalization_rule_name” must be one of: nmt_nfkc"),
        ({"model_type": "word"}, "“model_type” must be one of: bpe, unigram."),
        ({"algorithm": "wordpiece", "min_frequency": "-1"}, "“min_frequency” must be a whole number, 0 or more."),
        ({"algorithm": "wordpiece", "strip_accents": "2"}, "“strip_accents” must be 0, 1 or empty."),
    ],
)
def test_options_of_another_type_are_refused(client: TestClient, recipe: dict[str, str], says: str) -> None:
    assert refusal(client, SENTENCEPIECE | recipe, status=400).startswith(says)


def test_a_failed_training_says_why(client: TestClient) -> None:
    ended = follow(client, start(client, TEXT, **SENTENCEPIECE | {"size": "9"})["id"])
    assert ended["problem"].startswith("SentencePiece can't train this: the special pieces, characters and any")


def test_a_file_is_shown_without_a_training(
    client: TestClient, bpe: tuple[str, GuardedTokenizer, dict[str, Any]]
) -> None:
    _, made, told = bpe
    data = made.files["tokenizer.model"]
    opened = client.post("/_tokviz/tokenizer-file", params={"name": "mine.model"}, content=data).json()
    found = client.get("/_tokviz/trained", params={"tokenizer": opened["name"]}).json()
    assert (found["training"], found["kinds"], found["ids"]) == (None, told["kinds"], 60)
    params = {"tokenizer": opened["name"], "order": "score", "from": "0"}
    row = client.post("/_tokviz/trained/pieces", params=params, content=b"").json()["rows"][0]
    assert row["times"] is None
    saved = client.get("/_tokviz/trained/file", params={"tokenizer": opened["name"], "file": "mine.model"})
    assert saved.content == data


def test_other_tokenizers_have_no_such_pieces(client: TestClient) -> None:
    for route, params in (("pieces", {"order": "id", "from": "0"}), ("read", {})):
        answer = client.post(f"/_tokviz/trained/{route}", params={"tokenizer": "gpt2"} | params, content=b"a")
        assert answer.status_code == 422
