"""Compatibility with earlier versions: public names, tokenizer files, and recipes in links.

`data/made_before` was written by the version before the package was reorganized. These files are never rewritten; later
versions add files of their own. The contents of links are tested in `js/made-before.test.js`.
"""

import json
from operator import attrgetter
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from clients import client as client
from starlette.testclient import TestClient
from tokenizer_files import peer

import tokviz
from tokviz import export
from tokviz.app.answers.visitors import share_codes
from tokviz.lesson.links import unpack
from tokviz.pretokens.splitting import PATTERNS
from tokviz.samples import KINDS, samples

DATA = Path(__file__).parent / "data" / "made_before"
RECIPES = json.loads((DATA / "recipes.json").read_text("utf-8"))
SPECIALS = {"<s>": 285, "<|end|>": 286}
TEXTS = ["", "It's 12345 cats in the hat, naïve 🍕 cats!", "the cat's\n\n  hat", "a<s>b<|end|>", "中文 <s"]
# Settings that a file does not contain are passed when it is opened.
FILES: dict[str, dict[str, Any]] = {
    "tokenizer.json": {},
    "cats.tiktoken": {"split_pattern": PATTERNS["gpt2"], "special_tokens": SPECIALS},
    "vocab.bpe": {"split_pattern": PATTERNS["gpt2"], "special_tokens": SPECIALS},
    "cats.model": {},
}


@pytest.mark.parametrize("name", (DATA / "public_names.txt").read_text().split())
def test_public_names_exist(name: str) -> None:
    assert export  # a submodule that needs its own import
    assert attrgetter(name.removeprefix("tokviz."))(tokviz) is not None


@pytest.mark.parametrize("name", FILES)
def test_files_encode_like_their_library(name: str, tmp_path: Path) -> None:
    tok = tokviz.open(DATA / name, **FILES[name])
    assert tok.special_tokens == SPECIALS
    names = ["vocab.bpe", "encoder.json"] if name == "vocab.bpe" else [name]
    encode_with_library = peer({each: (DATA / each).read_bytes() for each in names}, FILES[name], tmp_path, SPECIALS)
    for text in TEXTS:
        assert tok.encode(text, "all") == encode_with_library(text)


@pytest.mark.parametrize("made", RECIPES, ids=lambda made: made["says"]["label"])
def test_recipes_in_links_are_unchanged(made: dict[str, Any]) -> None:
    origin = share_codes.read(made["letters"])
    expected = made["says"]
    assert (origin.label, origin.sample, list(origin.texts)) == (
        expected["label"],
        expected["sample"],
        expected["texts"],
    )
    assert origin.held_out == expected["held_out"]
    for setting, value in expected["recipe"].items():
        found = getattr(origin.recipe, setting)
        assert (list(found) if isinstance(found, tuple) else found) == value, setting


@pytest.mark.parametrize("made", RECIPES[:2], ids=lambda made: made["says"]["label"])
def test_shared_tokenizers_are_rebuilt_from_recipes(client: TestClient, made: dict[str, Any]) -> None:
    answer = client.post("/_tokviz/made?id=no-longer-kept-here-at-all", content=made["letters"].encode())
    assert answer.status_code == 200, answer.text
    assert answer.json()["label"] == made["says"]["label"]


TRAIN_LINKS = json.loads((DATA / "train_links.json").read_text("utf-8"))


@pytest.mark.parametrize("made", TRAIN_LINKS, ids=lambda made: made["link"][:60])
def test_samples_of_earlier_train_links_are_still_offered_under_their_titles(made: dict[str, Any]) -> None:
    """Links name them by title; `js/train-settings.test.js` reads the rest of these links."""
    titles = {f"{title} (all)" for title in KINDS.values()} | {each.title for each in samples()}
    named = {made["shown"].get(label) for label in ("Sample", "The other sample")} - {None}
    assert named <= titles


def test_texts_of_earlier_train_links_are_read() -> None:
    with_text = [made for made in TRAIN_LINKS if made["text"]]
    assert with_text
    for made in with_text:
        (packed,) = parse_qs(urlsplit(made["link"]).fragment)["text"]
        assert unpack(packed, 1_000) == made["text"]
