"""The columns that Python packs are those that the JSDoc types in `shared/columns.js` name, with the same types."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

import tokviz
from tokviz.app.http.server import routes
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.widgets import columns, comparisons, replays
from tokviz.widgets.columns import Column

SOURCE = (Path(columns.__file__).parent / "shared" / "columns.js").read_text("utf-8")
TYPES = {"Int32Array": "int32", "Uint8Array": "uint8"}
TEXT = "It's 5678 words"


def declared(typedef: str) -> tuple[dict[str, str], set[str]]:
    """The columns of a JSDoc type, with `0` for the number in a name, and which of them may be missing."""
    block = next(
        block for block in re.findall(r"/\*\*(.*?)\*/", SOURCE, re.S) if re.search(rf" {typedef}$", block, re.M)
    )
    found: dict[str, str] = {}
    optional = set()
    for array, bracket, name in re.findall(r"@property \{(\w+)\} (\[?)(\w+)", block):
        if array in TYPES:
            found[name] = TYPES[array]
            optional |= {name} if bracket else set()
    for name, array in re.findall(r"^ \*   (?:\[\w+: `)?(\w+?)(?:\$\{number\}`\])?: (\w+)", block, re.M):
        if array in TYPES:
            found[name] = TYPES[array]
    return found, optional


def check(sent: Mapping[str, Column], typedef: str) -> None:
    named = {re.sub(r"_\d+$", "_", name): column.dtype.name for name, column in sent.items()}
    found, optional = declared(typedef)
    assert found
    assert {name: kind for name, kind in found.items() if name in named or name not in optional} == named


@pytest.fixture(scope="module")
def gpt2() -> BPETokenizer:
    loaded = tokviz.load("gpt2")
    assert isinstance(loaded, BPETokenizer)
    return loaded


def test_a_replay(gpt2: BPETokenizer) -> None:
    check(replays.apply_columns(gpt2, TEXT)[0], "ReplayColumns")
    learned = replays.learn_columns(tokviz.train(TEXT, num_merges=2), TEXT)[0]
    assert {"counts", "tied"} <= set(learned)
    check(learned, "ReplayColumns")


def test_a_comparison() -> None:
    compared = tokviz.compare(TEXT, ["gpt2", "cl100k_base", "o200k_base"])
    check(comparisons.comparison_columns(compared)[0], "ComparisonColumns")
    sentences = {"sentences_1": comparisons._sentences(compared)[1]["sentences_1"]}
    check(comparisons.reason_columns(compared) | sentences, "ReasonColumns")


@pytest.mark.parametrize(("route", "typedef"), [("tokenize", "TokenColumns"), ("pretokens", "PretokenColumns")])
def test_the_routes_of_tokens(route: str, typedef: str) -> None:
    answer = TestClient(Starlette(routes=routes)).post(f"/_tokviz/{route}?tokenizer=gpt2", content=TEXT.encode())
    check(columns.unpack(answer.content)[0], typedef)
